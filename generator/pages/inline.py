"""Inline shortcodes: one value inside a sentence."""

from __future__ import annotations

from markupsafe import Markup, escape

from generator import formatting as fmt
from generator.cost.reais import iof_on
from generator.model import Gpu
from generator.pages.shortcodes import ShortcodeError, choice, whole_number
from generator.views import brazil, labels, reais, sizing_tables, summary
from generator.views.comparison import cheapest, compare, with_gpu_facts
from generator.views.site import Site

MOST_TOKENS, MOST_SEQUENCES = 10_000_000, 10_000  # beyond any model of the table: a slip of the keyboard


class Inline:
    """The inline shortcodes of one site. Each returns escaped text that never breaks between number and unit."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def _gpu(self, gpu: str) -> Gpu:
        return choice(gpu, self._site.data.gpus, "GPU").published()

    def menor_preco(self, gpu: str, modalidade: str = "on_demand") -> Markup:
        """Say the lowest price of a GPU, who asks it and when."""
        card = self._gpu(gpu)
        choice(modalidade, labels.PRICING, "modalidade")
        data = self._site.data
        offers = with_gpu_facts(data.offers, data.gpus, self._site.today)
        found = cheapest(summary.comparable(offers[offers["gpu"] == card.id]), data.rules.highlight_days, modalidade)
        return escape("preço não informado" if found is None else summary.price_in_words(found, data))

    def vram(self, gpu: str) -> Markup:
        """Say the nominal memory of a GPU."""
        return escape(fmt.quantity(self._gpu(gpu).memory_gb, "GB"))

    def banda(self, gpu: str) -> Markup:
        """Say the memory bandwidth of a GPU."""
        speed = self._gpu(gpu).bandwidth_gb_s
        return escape(fmt.NOT_INFORMED if speed is None else fmt.bandwidth(speed))

    def memoria(self, modelo: str, metodo: str, contexto: int = 4096, lote: int = 1) -> Markup:
        """Say how much memory one GPU needs for a model and a method, at a context (tokens) and a batch."""
        data = self._site.data
        model = choice(modelo, data.models, "modelo")
        method = choice(metodo, data.knowledge.methods, "método")
        if model.architecture is None:
            raise ShortcodeError(
                f"modelo “{modelo}” sem arquitetura de LLM", "esperado um modelo de linguagem", "escolha outro modelo"
            )
        context, batch = whole_number(contexto, "contexto", MOST_TOKENS), whole_number(lote, "lote", MOST_SEQUENCES)
        return escape(fmt.gibibytes(sizing_tables.need_bytes(model, method, context, batch, data.knowledge)))

    def folga(self, metodo: str) -> Markup:
        """Say how much room a method asks for above its need."""
        method = choice(metodo, self._site.data.knowledge.methods, "método")
        return escape(fmt.percent(sizing_tables.band(method, self._site.data.knowledge), 1))

    def total_de_ofertas(self, guia: str) -> Markup:
        """Say how many offers the comparison of a guide shows."""
        workload = choice(guia, self._site.data.workloads, "guia")
        shown = compare(self._site.data, workload, self._site.today).shown
        return escape(fmt.count(len(shown), "oferta", "ofertas"))

    def total_de_provedores(self) -> Markup:
        """Say how many providers have an offer in the dataset."""
        return escape(fmt.count(self._site.data.offers["provider"].nunique(), "provedor", "provedores"))

    def data_dos_dados(self) -> Markup:
        """Say the day of the newest price of the dataset."""
        return escape(fmt.day_long(self._site.data.offers["collected_at"].max().date()))

    def cotacao(self) -> Markup:
        """Say the rate of the dollar with its day and source, and where anybody can check it."""
        data = self._site.data
        rate = data.rate("USD", "BRL", self._site.today)
        if rate is None:
            return escape("cotação não informada")
        page = Markup('<a href="%s" rel="noopener external">confira no Banco Central</a>') % data.cost.rules.ptax_page
        return Markup("%s; %s") % (reais.rate_in_words(rate), page)

    def iof(self) -> Markup:
        """Say the IOF on card purchases, since when it holds and when it was last checked."""
        data, today = self._site.data, self._site.today
        rate = iof_on(data.cost.iof, today)
        if rate is None:
            return escape("alíquota não informada")
        return escape(reais.iof_in_words(rate, today, data.cost.rules.iof_check_days))

    def multiplos_do_brasil(self) -> Markup:
        """Say between which multiples of the reference price the same machine is rented in Brazil."""
        found = brazil.spread_of_multiples(self._site.data)
        if found is None:
            return escape(fmt.NOT_INFORMED)
        low, high = (fmt.number(round(each, 2), 2) for each in found)
        return escape(f"{low}{fmt.NBSP}vez" if low == high else f"de {low} a {high} vez")
