"""Block shortcodes about money in Brazil; editors write them, so names are Portuguese."""

from __future__ import annotations

from markupsafe import Markup

from generator.pages.shortcodes import choice
from generator.pages.templating import render
from generator.views import brazil, rate_history, reais, scenarios
from generator.views.site import Site


class CostBlocks:
    """The block shortcodes of one site that turn prices into costs."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def _note(self) -> str:
        return reais.how_reais_are_made(self._site.data, self._site.today)

    def cenarios(self, guia: str) -> Markup:
        """Show the scenarios of a guide: each machine with its whole bill, part by part."""
        workload = choice(guia, self._site.data.workloads, "guia")
        return render("scenarios.html", tables=scenarios.scenario_tables(self._site, workload.id), note=self._note())

    def no_seu_bolso(self, guia: str) -> Markup:
        """Show what each scenario of a guide costs in reais, in a line for each way of paying."""
        workload = choice(guia, self._site.data.workloads, "guia")
        return render("pocket.html", pocket=scenarios.pocket(self._site, workload.id), note=self._note())

    def regimes(self) -> Markup:
        """Show the ways in which providers bill, and what a hundred dollars become in each."""
        return render("cost_table.html", table=brazil.regimes(self._site))

    def multiplo_sao_paulo(self) -> Markup:
        """Show how many times more each GPU costs in Brazil, and what is not rented here."""
        return render("cost_table.html", table=brazil.sao_paulo(self._site.data))

    def paises(self) -> Markup:
        """Show the countries with offers by what the LGPD asks."""
        return render("cost_table.html", table=brazil.countries(self._site.data))

    def historico_do_iof(self) -> Markup:
        """Show every rate of the IOF on card purchases since 2022."""
        return render("cost_table.html", table=brazil.iof_history(self._site.data))

    def tributos_de_empresas(self) -> Markup:
        """Show the taxes that a company may owe on an imported service."""
        return render("cost_table.html", table=brazil.company_taxes(self._site.data))

    def armazenamento_e_saida(self) -> Markup:
        """Show what disks and outgoing data cost, where somebody published it."""
        return render("cost_table.html", table=brazil.storage_and_egress(self._site.data))

    def historico_do_cambio(self) -> Markup:
        """Show the history of the dollar: a sentence, or a chart with its table once there are enough rates."""
        rates, points = rate_history.known_rates(self._site), self._site.data.cost.rules.chart_points
        if len(rates) < points:
            return Markup("<p>%s</p>") % rate_history.sentence(rates, points)
        table = render("cost_table.html", table=rate_history.table(rates))
        return render("rate_chart.html", chart=rate_history.chart(rates), table=table)
