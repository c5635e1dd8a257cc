"""The page of each provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.model import Fact, Provider
from generator.views import summary
from generator.views.atlas import Atlas
from generator.views.catalogue import Catalogue
from generator.views.document import Bars, Bullets, Column, Document, Entry, Note, Part, Section, Table, Text, fitted
from generator.views.offer_groups import offers_table
from generator.views.offer_rows import records, sort_key

PARENT = ("Provedores", "provedores/")
SHOWN_REGIONS = 6
FEW_COUNTRIES = 4  # up to here a table is enough
DRAWN = 15


def provider_documents(atlas: Atlas) -> Iterator[Document]:
    """Yield the page of every provider that has one."""
    selling = {str(name): frame for name, frame in atlas.catalogue.offers.groupby("provider")}
    for provider in atlas.catalogue.providers.values():
        yield _document(atlas.catalogue, provider, selling.get(provider.id))


def _document(catalogue: Catalogue, provider: Provider, offers: pd.DataFrame | None) -> Document:
    sections = (
        _facts(catalogue, provider),
        _questions(catalogue, provider),
        *(() if offers is None else (_prices(catalogue, provider), _offers(catalogue, provider, offers))),
        *(() if offers is None else (_places(provider, offers), _age(catalogue, offers))),
    )
    return Document(
        url=f"provedores/{provider.id}/",
        title=f"{provider.name}: GPUs, preços, cobrança e regiões",
        heading=provider.name,
        description=_description(provider, offers),
        lead=_lead(catalogue, provider, offers),
        sections=tuple(section for section in sections if section.blocks),
        parent=PARENT,
        day=None if offers is None else offers["collected_at"].max().date(),
        search_words=(provider.id, provider.name),
    )


def _counts(offers: pd.DataFrame) -> str:
    gpus = fmt.count(offers["gpu"].nunique(), "GPU", "GPUs")
    return f"{fmt.count(len(offers), 'oferta', 'ofertas')} de {gpus}"


def _description(provider: Provider, offers: pd.DataFrame | None) -> str:
    if offers is None:
        return fitted([f"{provider.name}: cobrança, armazenamento, saída de dados e acesso, com fonte e data."])
    what = f"{provider.name}: {_counts(offers)} na nuvem, com preço, fonte e data."
    return fitted([what, "Cobrança, armazenamento, saída de dados e regiões."])


def _lead(catalogue: Catalogue, provider: Provider, offers: pd.DataFrame | None) -> tuple[str, ...]:
    kind = catalogue.data.vocabularies["provider_kind"].get(provider.kind, "")
    who = f"{provider.name}, {kind}," if kind else provider.name
    if offers is None:
        none = (
            f"{who} ainda não tem preço no conjunto de dados: nenhuma fonte com data e licença que se possa republicar."
        )
        return (none, "O que as fontes lidas dizem do serviço está abaixo.")
    countries = offers.loc[offers["country"].ne(""), "country"]
    where = f", em {fmt.count(countries.nunique(), 'país', 'países')}" if len(countries) else ""
    brazil = int(countries.eq("BR").sum())
    here = f" Em regiões do Brasil são **{fmt.count(brazil, 'oferta', 'ofertas')}**." if brazil else ""
    sentences = [f"{who} tem **{_counts(offers)}** no conjunto de dados{where}.{here}", _range(catalogue, provider)]
    return (*filter(None, sentences), summary.span_of_days(offers))


def _range(catalogue: Catalogue, provider: Provider) -> str:
    """Return the cheapest and the dearest card on demand, where there are two."""
    mine = [offer for (_, name), offer in catalogue.best.items() if name == provider.id]
    mine = sorted(mine, key=lambda offer: (offer["price_usd_gpu_hour"], offer["gpu"]))
    if len(mine) < 2:
        return ""
    low, high = mine[0], mine[-1]
    return (
        f"Sob demanda, vai da {catalogue.gpu_link(low['gpu'])} por {fmt.money(low['price_usd_gpu_hour'])} à "
        f"{catalogue.gpu_link(high['gpu'])} por {fmt.money(high['price_usd_gpu_hour'])} por GPU-hora."
    )


def _facts(catalogue: Catalogue, provider: Provider) -> Section:
    """Return what is known of how the provider works, with where and when it was read."""
    rows = tuple(
        (Entry(field.label), Entry(fact.text, note=_read(fact)))
        for field in catalogue.data.provider_fields.values()
        if (fact := provider.facts.get(field.id)) and fact.text
    )
    caption = f"O que as fontes dizem sobre {provider.name}"
    table = Table(caption, (Column("Ponto"), Column("O que declara")), rows)
    return Section("como-funciona", "Como funciona", (table,) if rows else ())


def _read(fact: Fact) -> str:
    return f"{fact.source}, {fmt.day_short(fact.source_date)}" if fact.source_date else fact.source


def _questions(catalogue: Catalogue, provider: Provider) -> Section:
    """Return the questions that no source answers."""
    items = tuple(
        f"**{field.label}.** {field.question}"
        for field in catalogue.data.provider_fields.values()
        if field.question and not ((fact := provider.facts.get(field.id)) and fact.text)
    )
    intro = Text(("As fontes lidas não informam estes pontos. Pergunte antes de contratar:",))
    return Section("perguntar", "O que perguntar", (intro, Bullets(items)) if items else ())


def _prices(catalogue: Catalogue, provider: Provider) -> Section:
    """Return the best price of each card here beside the best of all providers."""
    rows = []
    for (gpu, name), offer in sorted(catalogue.best.items()):
        if name == provider.id:
            rows.append(_price(catalogue, gpu, offer))
    columns = (
        Column("GPU"),
        Column("Aqui, sob demanda", is_number=True),
        Column("Posição", is_number=True),
        Column("O menor de todos", is_number=True),
    )
    table = Table(f"Os preços de {provider.name} ao lado dos outros provedores", columns, tuple(rows))
    note = "A posição vale entre os melhores preços sob demanda de cada provedor, qualquer que seja a data de cada um."
    return Section("precos", "Preços comparados", (table, Note((note,))) if rows else ())


def _price(catalogue: Catalogue, gpu: str, offer: dict[str, Any]) -> tuple[Entry, ...]:
    rivals = [other for (name, _), other in catalogue.best.items() if name == gpu]
    first = min(rivals, key=lambda other: (other["price_usd_gpu_hour"], other["offer_id"]))
    place = 1 + sum(other["price_usd_gpu_hour"] < offer["price_usd_gpu_hour"] for other in rivals)
    where = "o único" if len(rivals) == 1 else f"{place}º de {len(rivals)}"
    days = catalogue.data.rules.highlight_days
    return (
        catalogue.gpu_entry(gpu),
        catalogue.offer_entry(offer, offer["age_days"] <= days),
        Entry(where, sort_key(place)),
        catalogue.offer_entry(first, first["age_days"] <= days),
    )


def _offers(catalogue: Catalogue, provider: Provider, offers: pd.DataFrame) -> Section:
    caption = f"A melhor oferta de {provider.name} para cada GPU, quantidade e modalidade"
    table = offers_table(catalogue, offers, ["gpu", "gpu_count"], provider.id, caption)
    total = fmt.count(len(offers), "oferta", "ofertas")
    note = (
        f"{fmt.count(table.count, 'linha', 'linhas')} de {total}: fica a região mais "
        "barata de cada combinação. Todas estão em [dados](~/dados/)."
    )
    return Section("ofertas", "Ofertas", (table, Note((note,))) if table.count < len(offers) else (table,))


def _places(provider: Provider, offers: pd.DataFrame) -> Section:
    """Return how many offers each country has, where there is more than one."""
    counts = offers.loc[offers["country"].ne(""), "country"].value_counts()
    if len(counts) < 2:
        return Section("regioes", "Regiões", ())
    regions = offers.drop_duplicates(["country", "region"]).groupby("country")["region"].agg(list).to_dict()
    rows = tuple(
        (Entry(fmt.country(code)), Entry(fmt.number(number), str(number)), Entry(_some(sorted(regions[code]))))
        for code, number in sorted(counts.items(), key=lambda each: (-each[1], str(each[0])))
    )
    columns = (Column("País"), Column("Ofertas", is_number=True), Column("Regiões"))
    table = Table("Ofertas por país", columns, rows)
    return Section("regioes", "Regiões", (_map(provider, rows, table) if len(rows) > FEW_COUNTRIES else table,))


def _map(provider: Provider, rows: tuple[tuple[Entry, ...], ...], table: Table) -> Bars:
    """Return the countries with most offers, drawn."""
    bars = tuple((row[0].text, (Part("ofertas", float(row[1].sort), row[1].text),), row[1].text) for row in rows)
    first, total = rows[0], sum(int(row[1].sort) for row in rows)
    more = f" O desenho traz os {DRAWN} primeiros." if len(rows) > DRAWN else ""
    summary = (
        f"{fmt.count(len(rows), 'país', 'países')}. O que tem mais ofertas: {first[0].text}, com {first[1].text} das "
        f"{fmt.number(total)} de país conhecido.{more}"
    )
    return Bars(f"Ofertas de {provider.name} por país", summary, bars[:DRAWN], table)


def _age(catalogue: Catalogue, offers: pd.DataFrame) -> Section:
    """Return how old the prices are and where they come from."""
    rules = catalogue.data.rules
    old = int((offers["age_days"] > rules.highlight_days).sum())
    limit = fmt.count(rules.highlight_days, "dia", "dias")
    if old == len(offers):
        how = f"Todos os preços têm mais de {limit}: confira na página do provedor antes de decidir."
    elif old:
        how = f"{fmt.count(old, 'preço tem', 'preços têm')} mais de {limit}, entre {fmt.number(len(offers))}."
    else:
        how = f"Nenhum preço tem mais de {limit}."
    pages = sorted({str(offer["source_url"]) for offer in records(offers[["source_url"]].drop_duplicates())})
    hosts = fmt.words(sorted({page.split("/")[2] for page in pages if page.startswith("https://")}))
    where = f"Páginas de onde vieram: {hosts}; o endereço exato está em cada linha." if hosts else ""
    more = "Como cada fonte foi lida está em [qualidade dos dados](~/qualidade-dos-dados/)."
    return Section("idade", "Idade dos dados", (Text(tuple(filter(None, (how, where, more)))),))


def _some(names: list[str]) -> str:
    """Return the names of regions, the first few where there are many."""
    known = [name for name in names if name]
    if len(known) <= SHOWN_REGIONS:
        return ", ".join(known) or "—"
    return f"{', '.join(known[:SHOWN_REGIONS])} e mais {len(known) - SHOWN_REGIONS}"
