"""The tables of the page about costs in Brazil: ways of paying, São Paulo, countries, taxes, disks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generator import formatting as fmt
from generator.cost.multiples import Multiple, absent_from_brazil, brazil_multiples
from generator.cost.reais import REGIME_FIELD, in_reais, regime_of
from generator.cost_model import Country, EgressTier, StoragePrice
from generator.dataset import Dataset
from generator.views import labels
from generator.views.offer_rows import Cell, sort_key
from generator.views.site import Site

EXAMPLE = Decimal(100)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: cells of text in the order of the columns, with where and when they were read."""

    cells: tuple[Cell, ...]
    source: str = ""
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page; `numeric` tells which columns hold numbers, `note` is what goes under it."""

    name: str
    caption: str
    columns: tuple[str, ...]
    numeric: frozenset[int]
    lines: tuple[Line, ...]
    note: str = ""


def regimes(site: Site) -> Table:
    """Return the ways of paying, what a hundred dollars become in each, and who bills so."""
    data = site.data
    field = data.provider_fields[REGIME_FIELD]
    sellers: dict[str, list[str]] = {code: [] for code in (*field.values, "")}
    for id_ in sorted(set(data.offers["provider"]), key=lambda id_: data.providers[id_].name.casefold()):
        sellers[regime_of(data.providers[id_])].append(data.providers[id_].name)
    lines = []
    for code, words in field.values.items():
        spent = None if code == "native_brl" else in_reais(EXAMPLE, "USD", code, data, site.today)
        amount = Cell(fmt.money(spent.amount, "BRL"), sort_key(float(spent.amount))) if spent else Cell("não há câmbio")
        lines.append(Line((Cell(words), amount, Cell(fmt.words(sellers[code]) or "nenhum com oferta na comparação"))))
    unknown = fmt.words(sellers[""])
    return Table(
        "regimes",
        f"Como a conta chega ao Brasil, e o que {fmt.money(EXAMPLE)} viram em cada caso",
        ("Cobrança", f"{fmt.money(EXAMPLE)} em reais", "Quem cobra assim"),
        frozenset({1}),
        tuple(lines),
        f"Não informado nas fontes lidas: {unknown}. Nesses, mostramos a conversão sem IOF." if unknown else "",
    )


def sao_paulo(data: Dataset) -> Table:
    """Return how much more each GPU costs in Brazil than in the region it is compared with."""
    lines = [_multiple_line(each, data) for each in brazil_multiples(data)]
    absent = [
        f"{data.providers[provider].name} não lista no Brasil: {fmt.words(_cards(gpus, data))}."
        for provider, gpus in absent_from_brazil(data).items()
        if gpus
    ]
    columns = ("Provedor e GPU", "Brasil ÷ referência", "Exemplo", "No Brasil, por hora", "Na referência, por hora")
    caption = "Quantas vezes o preço de referência a mesma instância custa no Brasil, sob demanda"
    return Table("sao-paulo", caption, columns, frozenset({1, 3, 4}), tuple(lines), " ".join(absent))


def _cards(gpus: Iterable[str], data: Dataset) -> list[str]:
    return [labels.short_gpu(data.gpus[id_]) for id_ in gpus]


def _multiple_line(multiple: Multiple, data: Dataset) -> Line:
    first, last = multiple.pairs[0], multiple.pairs[-1]
    low, high = fmt.number(round(first.multiple, 2), 2), fmt.number(round(last.multiple, 2), 2)
    machines = fmt.count(len(multiple.pairs), "instância", "instâncias")
    name = f"{data.providers[multiple.provider].name}, {labels.short_gpu(data.gpus[multiple.gpu])} ({machines})"
    prices = (
        (first.price, first.region, first.day),
        (first.baseline_price, first.baseline_region, first.baseline_day),
    )
    return Line(
        (
            Cell(name),
            Cell(low if low == high else f"{low} a {high}", sort_key(last.multiple)),
            Cell(first.instance),
            *(
                Cell(f"{fmt.money(price, first.currency)} ({region}, {fmt.day_short(day)})", sort_key(price))
                for price, region, day in prices
            ),
        )
    )


def spread_of_multiples(data: Dataset) -> tuple[float, float] | None:
    """Return the least and the largest multiple of all pairs, or nothing where no machine is sold on both sides."""
    found = [pair.multiple for each in brazil_multiples(data) for pair in each.pairs]
    return (min(found), max(found)) if found else None


def countries(data: Dataset) -> Table:
    """Return the countries that have an offer by what the LGPD asks, with the latency somebody told."""
    used = set(data.offers["country"]) - {""}
    lines = []
    for code, words in data.vocabularies["lgpd"].items():
        mine = [data.cost.countries[each] for each in used if each in data.cost.countries]
        mine = sorted((each for each in mine if each.lgpd == code), key=lambda each: fmt.country(each.code))
        if mine:
            names = fmt.words(fmt.country(each.code) for each in mine)
            latency = "; ".join(_latency(each) for each in mine if each.latency_route)
            lines.append(
                Line((Cell(words), Cell(names), Cell(fmt.or_not_informed(latency))), mine[0].source, mine[0].read_on)
            )
    columns = ("Para dados pessoais", "Países com oferta na comparação", "Latência", "Base")
    caption = "O que a LGPD pede conforme o país da instância: informação, não parecer jurídico"
    return Table("paises", caption, columns, frozenset(), tuple(lines))


def _latency(country: Country) -> str:
    low, high = country.latency_min_ms or 0, country.latency_max_ms or 0
    reach = fmt.number(low) if low == high else f"{fmt.number(low)} a {fmt.number(high)}"
    return f"{country.latency_route}, cerca de {reach}{fmt.NBSP}ms ({country.latency_source})"


def iof_history(data: Dataset) -> Table:
    """Return every rate of the tax since 2022."""
    lines = tuple(
        Line(
            (
                Cell(fmt.day_short(rate.in_force_from), rate.in_force_from.isoformat()),
                Cell(fmt.percent(rate.percent / 100, 2), str(rate.percent)),
            ),
            rate.source,
            rate.checked_on,
        )
        for rate in data.cost.iof
    )
    caption = "IOF nas compras internacionais com cartão, desde 2022"
    return Table("iof", caption, ("Em vigor desde", "Alíquota", "Fonte e data da conferência"), frozenset({1}), lines)


def company_taxes(data: Dataset) -> Table:
    """Return the taxes that a company may owe on an imported service; told, never computed."""
    lines = tuple(
        Line(
            (Cell(tax.tax), Cell(tax.rate), Cell(tax.until or "—")),
            tax.source,
            tax.read_on,
        )
        for tax in data.cost.company_taxes
    )
    columns = ("Tributo", "Alíquota citada", "Vale até", "Fonte e data da leitura")
    caption = "Tributos que podem incidir quando uma empresa importa serviço de nuvem; nenhum entra nas nossas contas"
    return Table("tributos", caption, columns, frozenset(), tuple(lines))


def storage_and_egress(data: Dataset) -> Table:
    """Return what disks and outgoing data cost where a price was read."""
    offering = set(data.offers["provider"])
    lines = [_storage_line(price, data) for price in data.cost.storage.values() if price.provider in offering]
    lines += [_egress_line(tiers, data) for tiers in data.cost.egress.values() if tiers[0].provider in offering]
    columns = ("Provedor", "O que é", "Preço", "Fonte e data da leitura")
    caption = "Disco que sobrevive à instância e saída de dados: os preços que entram nas contas"
    return Table(
        "armazenamento", caption, columns, frozenset(), tuple(sorted(lines, key=lambda line: line.cells[0].text))
    )


def _where(name: str, region: str) -> str:
    return f"{name} ({region})" if region else name


def _storage_line(price: StoragePrice, data: Dataset) -> Line:
    unit = data.vocabularies["storage_unit"][price.unit]
    words = f"{fmt.money(price.running, price.currency)} {unit}"
    if price.stopped is None:
        words += "; com a instância parada, não informado"
    elif price.stopped != price.running:
        words += f"; com a instância parada, {fmt.money(price.stopped, price.currency)}"
    where = _where(data.providers[price.provider].name, price.region)
    return Line((Cell(where), Cell(f"disco: {price.product}"), Cell(words)), price.source, price.source_date)


def _egress_line(tiers: tuple[EgressTier, ...], data: Dataset) -> Line:
    steps = [_step(tier, after) for tier, after in zip(tiers, (*tiers[1:], None), strict=True)]
    where = _where(data.providers[tiers[0].provider].name, tiers[0].region)
    return Line((Cell(where), Cell("saída de dados"), Cell("; ".join(steps))), tiers[0].source, tiers[0].source_date)


def _step(tier: EgressTier, after: EgressTier | None) -> str:
    """Return one tier in words: the free allowance, or the price from a volume on."""
    if not tier.price_gb:
        return f"sem tarifa até {fmt.number(after.from_gb)}{fmt.NBSP}GB por mês" if after else "sem tarifa"
    above = f" acima de {fmt.number(tier.from_gb)}{fmt.NBSP}GB" if tier.from_gb else ""
    return f"{fmt.money(tier.price_gb, tier.currency)} por GB{above}"
