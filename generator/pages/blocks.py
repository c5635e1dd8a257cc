"""Block shortcodes: tables and lists that stand on a line of their own; editors write them, so names are Portuguese."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import pandas as pd
from markupsafe import Markup

from generator import formatting as fmt
from generator.model import Workload
from generator.pages.shortcodes import choice
from generator.pages.templating import render
from generator.views import accuracy, labels, market, quality, sizing_tables, summary
from generator.views.comparison import Comparison, compare
from generator.views.offer_rows import OfferRow, offer_rows, with_anchors
from generator.views.site import Site

_GROUPS = {
    "on_demand": ("Sob demanda", "sua até você desligar"),
    "spot": ("Spot (interrompível)", "mais barata; o provedor pode retomá-la a qualquer momento"),
    "reserved_1y": ("Reservada por 1 ano", "exige compromisso de uso"),
    "brasil": ("Em regiões do Brasil", "a melhor de cada provedor e GPU, além das que já estão acima"),
}


class Blocks:
    """The block shortcodes of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def _workload(self, guide: str) -> Workload:
        return choice(guide, self._site.data.workloads, "guia")

    def comparacao(self, guia: str) -> Markup:
        """Show the comparison of a guide: the summary in words and the tables of offers."""
        workload = self._workload(guia)
        comparison = compare(self._site.data, workload, self._site.today)
        return render(
            "comparison.html",
            workload=workload,
            rank_label=labels.RANKING[workload.rank_by],
            summary=summary.comparison_summary(comparison, self._site.data),
            caption=f"Ofertas de GPU na nuvem para {workload.title}, da que entrega mais por dólar à que entrega menos",
            groups=self._groups(comparison, workload),
            total=len(comparison.qualifying),
            lgpd=self._site.data.vocabularies["lgpd"].items(),
            footnote=summary.footnote(self._site.data, self._site.today),
        )

    def _rows(self, frame: pd.DataFrame, workload: Workload) -> list[OfferRow]:
        return offer_rows(frame, self._site.data, workload.rank_by)

    def _groups(self, comparison: Comparison, workload: Workload) -> list[dict[str, object]]:
        """Return the rows by pricing model, then those of Brazilian regions; each GPU has one anchor."""
        everywhere = with_anchors(self._rows(pd.concat(list(comparison.groups.values())), workload))
        brazil = self._rows(pd.concat(list(comparison.brazil.values())), workload)
        rows = {model: [row for row in everywhere if row.filters["modalidade"] == model] for model in comparison.groups}
        rows["brasil"] = [replace(row, anchor="") for row in brazil]
        return [
            {"id": group, "title": title, "note": note, "rows": rows[group], "count": len(rows[group])}
            for group, (title, note) in _GROUPS.items()
        ]

    def por_que_qualifica(self, guia: str) -> Markup:
        """Show the criteria that an offer meets to be in the comparison."""
        return render("criteria.html", reasons=self._workload(guia).why)

    def dimensionamento(self, guia: str) -> Markup:
        """Show how much memory models need by method, and which GPU or node fits."""
        workload = self._workload(guia)
        table = sizing_tables.sizing_table(self._site, workload)
        return render("sizing.html", workload=workload, table=table)

    def precisao_do_calculo(self) -> Markup:
        """Show how far the sizing is from published measurements, and what it cannot compute."""
        return render("accuracy.html", report=self._accuracy)

    @cached_property
    def _accuracy(self) -> accuracy.Accuracy:
        """A page is rendered by the gate and again by MkDocs, and a score takes a second."""
        return accuracy.accuracy(self._site.data)

    def perfis(self) -> Markup:
        """Show the framework profiles of the sizing, with what each supposes, and the numbers nobody measured."""
        data = self._site.data
        return render("profiles.html", profiles=accuracy.profiles(data), assumptions=accuracy.assumptions(data))

    def fatos_dos_provedores(self, campo: str) -> Markup:
        """Show one operational fact of every provider, with source and date."""
        field = choice(campo, self._site.data.provider_fields, "campo")
        known, unknown = market.provider_facts(self._site.data, field)
        return render("facts.html", field=field, known=known, unknown=fmt.words(unknown) if unknown else "")

    def guias(self) -> Markup:
        """Show the way into each guide."""
        return render("guides.html", cards=market.guide_cards(self._site))

    def melhores_ofertas(self) -> Markup:
        """Show the market at a glance: the cheapest offers of the GPUs that most providers sell."""
        limit = fmt.count(self._site.data.rules.highlight_days, "dia", "dias")
        return render("market.html", rows=market.glance(self._site), limit=limit)

    def tabela_de_gpus(self) -> Markup:
        """Show the facts of every GPU that has an offer."""
        return render("gpus.html", gpus=market.gpu_facts(self._site.data))

    def resumo_dos_dados(self) -> Markup:
        """Show what was read, published, set apart and dropped, by source."""
        return render("quality.html", report=quality.report(self._site))

    def regras_de_qualidade(self) -> Markup:
        """Show every warning and every reason to set a price apart, in the words a reader sees."""
        return render("rules.html", rules=quality.rules(self._site.data))
