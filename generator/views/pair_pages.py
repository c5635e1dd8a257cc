"""The page of two GPUs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.views import labels, pair_words
from generator.views.atlas import Atlas
from generator.views.document import Bullets, Column, Document, Entry, Note, Section, Table, fitted
from generator.views.fits import BATCH, CONTEXT
from generator.views.offer_rows import sort_key
from generator.views.ratios import difference

PARENT = ("Comparar", "comparar/")


def pair_documents(atlas: Atlas) -> Iterator[Document]:
    """Yield the page of every pair of GPUs that people weigh."""
    for one, other in atlas.rivals.pairs.values():
        yield _document(atlas, one, other)


def _document(atlas: Atlas, one: Gpu, other: Gpu) -> Document:
    a, b = labels.short_gpu(one), labels.short_gpu(other)
    sections = (
        Section("qual-escolher", "Qual escolher", (Bullets(pair_words.verdict(atlas, one, other)),)),
        _prices(atlas, one, other),
        _same_provider(atlas, one, other),
        _sheet(atlas, one, other),
        _capacity(atlas, one, other),
        _more(atlas, one, other),
    )
    days = [atlas.catalogue.offers_of[gpu.id]["collected_at"].max().date() for gpu in (one, other)]
    return Document(
        url=atlas.rivals.pair_url(one, other),
        title=f"{a} ou {b}: preço, memória e qual escolher",
        heading=f"{a} ou {b}?",
        description=_description(atlas, one, other),
        lead=pair_words.lead(atlas, one, other),
        sections=tuple(section for section in sections if section.blocks),
        parent=PARENT,
        day=max(days),
        search_words=(f"{a} vs {b}", f"{b} ou {a}"),
    )


def _description(atlas: Atlas, one: Gpu, other: Gpu) -> str:
    a, b = labels.short_gpu(one), labels.short_gpu(other)
    sizes = " e ".join(
        f"{fmt.quantity(gpu.memory_gb, 'GB')} por {fmt.money(atlas.catalogue.price(gpu.id) or 0)}"
        for gpu in (one, other)
    )
    return fitted([f"{a} ou {b}: {sizes} por GPU-hora.", "Ficha, preços com data e o que cabe em cada uma."])


def _prices(atlas: Atlas, one: Gpu, other: Gpu) -> Section:
    """Return the quotable prices and the breadth of the market of both."""
    catalogue = atlas.catalogue
    rows = [
        (Entry("Sob demanda, por GPU-hora"), *(catalogue.price_entry(gpu.id) for gpu in (one, other))),
        (Entry("Spot, por GPU-hora"), *(catalogue.price_entry(gpu.id, "spot") for gpu in (one, other))),
        (Entry("Provedores"), *(_number(catalogue.sellers[gpu.id]) for gpu in (one, other))),
        (Entry("Ofertas"), *(_number(len(catalogue.offers_of[gpu.id])) for gpu in (one, other))),
    ]
    caption = "O preço que se pode citar de cada uma: o menor recente, ou o menor do dia mais novo, marcado antigo"
    return Section("precos", "Preços", (Table(caption, _columns("Preço", one, other), tuple(rows)),))


def _columns(first: str, one: Gpu, other: Gpu) -> tuple[Column, ...]:
    names = (labels.short_gpu(gpu) for gpu in (one, other))
    return (Column(first), *(Column(name, is_number=True) for name in names))


def _number(value: int) -> Entry:
    return Entry(fmt.number(value), str(value))


def _same_provider(atlas: Atlas, one: Gpu, other: Gpu) -> Section:
    """Return the providers that rent both on demand: the fairest comparison of prices there is."""
    best = atlas.catalogue.best
    rows = []
    for provider in sorted({name for _, name in best}):
        mine, theirs = best.get((one.id, provider)), best.get((other.id, provider))
        if mine and theirs:
            gap = difference(mine["price_usd_gpu_hour"], theirs["price_usd_gpu_hour"])
            entries = (_price(mine), _price(theirs), Entry(gap))
            rows.append((atlas.catalogue.provider_entry(provider), *entries))
    if not rows:
        none = "Nenhum provedor da base aluga as duas sob demanda; a comparação acima é entre provedores diferentes."
        return Section("mesmo-provedor", "No mesmo provedor", (Note((none,)),))
    columns = (*_columns("Provedor", one, other), Column("A segunda custa", is_number=True))
    table = Table("O melhor preço sob demanda por GPU-hora de quem aluga as duas", columns, tuple(rows))
    return Section("mesmo-provedor", "No mesmo provedor", (table,))


def _price(offer: dict[str, Any]) -> Entry:
    price = offer["price_usd_gpu_hour"]
    return Entry(fmt.money(price), sort_key(price), note=fmt.day_short(offer["collected_at"].date()))


def _sheet(atlas: Atlas, one: Gpu, other: Gpu) -> Section:
    """Return the data sheets side by side; rows unknown on both sides are left out."""
    rows = [
        _measured("VRAM", one.memory_gb, other.memory_gb, lambda value: fmt.quantity(value, "GB")),
        _measured("Largura de banda", one.bandwidth_gb_s, other.bandwidth_gb_s, fmt.bandwidth),
        _measured("BF16 ou FP16, denso", one.bf16_dense_tflops, other.bf16_dense_tflops, _tflops),
        _fp8(atlas, one, other),
        _measured("Consumo", one.tdp_w, other.tdp_w, lambda value: fmt.quantity(value, "W")),
        _named("Memória", one.memory_type, other.memory_type),
        _named("Arquitetura", one.architecture, other.architecture),
        _named("Formato", one.form_factor, other.form_factor),
        _named("Interconexão", one.interconnect, other.interconnect),
        _named("Lançamento", str(one.release_year or ""), str(other.release_year or "")),
    ]
    columns = (*_columns("Característica", one, other), Column("A segunda tem", is_number=True))
    known = tuple(row for row in rows if row)
    return Section("ficha", "Ficha lado a lado", (Table("Taxas densas, sem esparsidade", columns, known),))


def _tflops(value: float) -> str:
    return fmt.quantity(value, "TFLOPS", 1)


def _measured(label: str, one: float | None, other: float | None, words: Callable[[float], str]) -> tuple[Entry, ...]:
    if one is None and other is None:
        return ()
    cells = [Entry(fmt.NOT_INFORMED) if v is None else Entry(words(v), sort_key(v)) for v in (one, other)]
    gap = difference(one, other) if one and other else "—"
    return (Entry(label), *cells, Entry(gap))


def _fp8(atlas: Atlas, one: Gpu, other: Gpu) -> tuple[Entry, ...]:
    """Return the FP8 rates; a card known not to accelerate FP8 says so."""
    row = _measured("FP8, denso", one.fp8_dense_tflops, other.fp8_dense_tflops, _tflops)
    if not row:
        return ()
    cells = [
        Entry("não acelera") if atlas.catalogue.lacks(gpu, "FP8") else cell
        for gpu, cell in zip((one, other), row[1:3], strict=True)
    ]
    return (row[0], *cells, row[3])


def _named(label: str, one: str, other: str) -> tuple[Entry, ...]:
    if not one and not other:
        return ()
    return (
        Entry(label),
        *(Entry(fmt.or_not_informed(text)) for text in (one, other)),
        Entry("igual" if one == other else "—"),
    )


def _capacity(atlas: Atlas, one: Gpu, other: Gpu) -> Section:
    """Return the largest model of each method that fits one card of each."""
    rows = []
    for method in atlas.fits.methods.values():
        found = [atlas.fits.fitting(gpu, 1, method.id) for gpu in (one, other)]
        if any(found):
            rows.append((Entry(method.name), *(_largest(models) for models in found)))
    columns = _columns("Método", one, other)
    caption = "O maior modelo que cabe em uma placa, e quantos cabem"
    note = (
        f"Contexto de {fmt.number(CONTEXT)} tokens e lote {BATCH}, com a folga da "
        "[metodologia](~/metodologia/#dimensionamento)."
    )
    return Section(
        "o-que-cabe", "O que cabe em cada uma", (Table(caption, columns, tuple(rows)), Note((note,))) if rows else ()
    )


def _largest(models: list[LanguageModel]) -> Entry:
    if not models:
        return Entry("nenhum", "0")
    first = models[0]
    return Entry(first.name, str(len(models)), f"~/modelos/{first.id}/", fmt.count(len(models), "modelo", "modelos"))


def _more(atlas: Atlas, one: Gpu, other: Gpu) -> Section:
    """Return the way to both cards and to the pairs nearest to this one."""
    items = [
        f"Tudo sobre a {atlas.catalogue.gpu_link(gpu.id)}: ofertas, países, modelos e ficha." for gpu in (one, other)
    ]
    for gpu, rival in ((one, other), (other, one)):
        near = [card for card in atlas.rivals.near(gpu) if card.id != rival.id and atlas.rivals.pair_url(gpu, card)][:3]
        links = [f"[{labels.short_gpu(card)}](~/{atlas.rivals.pair_url(gpu, card)})" for card in near]
        if links:
            items.append(f"{labels.short_gpu(gpu)} com outras: {', '.join(links)}.")
    return Section("mais", "Continue daqui", (Bullets(tuple(items)),))
