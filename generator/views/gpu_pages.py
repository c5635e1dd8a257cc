"""The page of each GPU."""

from __future__ import annotations

from collections.abc import Iterator

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.views import gpu_words, labels
from generator.views.atlas import Atlas
from generator.views.catalogue import Catalogue
from generator.views.document import Bullets, Column, Document, Entry, Note, Section, Table, Text, fitted
from generator.views.fits import BATCH, CONTEXT, Fits
from generator.views.history import history
from generator.views.offer_groups import offers_table
from generator.views.offer_rows import records, sort_key

PARENT = ("GPUs", "gpus/")


def gpu_documents(atlas: Atlas) -> Iterator[Document]:
    """Yield the page of every GPU that has one."""
    for gpu in atlas.catalogue.gpus.values():
        yield _document(atlas, gpu)


def _document(atlas: Atlas, gpu: Gpu) -> Document:
    catalogue, fits = atlas.catalogue, atlas.fits
    name = labels.short_gpu(gpu)
    offers = catalogue.offers_of.get(gpu.id)
    sections = (
        Section("quando-escolher", "Quando escolher", (Bullets(gpu_words.when_to_choose(catalogue, fits, gpu)),)),
        _offers(catalogue, gpu),
        _countries(catalogue, gpu),
        _capacity(fits, gpu),
        _history(catalogue, gpu),
        _alternatives(atlas, gpu),
        _facts(catalogue, gpu),
    )
    variant = "" if not gpu.is_variant_unknown else " (formato não informado)"
    return Document(
        url=f"gpus/{gpu.id}/",
        title=f"{name}{variant}: preço na nuvem, ficha e modelos que cabem",
        heading=gpu.name,
        description=_description(catalogue, gpu, name + variant),
        lead=gpu_words.lead(catalogue, gpu),
        sections=tuple(section for section in sections if section.blocks),
        parent=PARENT,
        day=None if offers is None else offers["collected_at"].max().date(),
        search_words=(gpu.id, gpu.id.replace("-", " "), gpu.architecture),
    )


def _description(catalogue: Catalogue, gpu: Gpu, name: str) -> str:
    speed = f" a {fmt.bandwidth(gpu.bandwidth_gb_s)}" if gpu.bandwidth_gb_s else ""
    sentences = [f"{name}, {fmt.quantity(gpu.memory_gb, 'GB')}{speed}: preço por hora, ficha e modelos que cabem."]
    price = catalogue.price(gpu.id)
    if price is not None:
        sellers = fmt.count(catalogue.sellers[gpu.id], "provedor", "provedores")
        sentences.append(f"{sellers}, desde {fmt.money(price)} por GPU-hora.")
    return fitted([*sentences, "Com fonte e data em cada preço."])


def _offers(catalogue: Catalogue, gpu: Gpu) -> Section:
    offers = catalogue.offers_of.get(gpu.id)
    if offers is None:
        return Section("ofertas", "Ofertas", ())
    caption = f"A melhor oferta de {labels.short_gpu(gpu)} de cada provedor, por número de GPUs e modalidade"
    table = offers_table(catalogue, offers, ["provider", "gpu_count"], gpu.id, caption)
    total = fmt.count(len(offers), "oferta", "ofertas")
    note = (
        f"{fmt.count(table.count, 'linha resume', 'linhas resumem')} {total}: de cada provedor, número"
        " de GPUs e modalidade fica a região mais barata. Todas estão em [dados](~/dados/)."
    )
    return Section("ofertas", "Ofertas", (table, Note((note,))))


def _countries(catalogue: Catalogue, gpu: Gpu) -> Section:
    """Return the cheapest offer on demand by country, where there is more than one country."""
    title = "Por país"
    offers = catalogue.offers_of.get(gpu.id)
    if offers is None:
        return Section("paises", title, ())
    known = offers[offers["country"].ne("") & offers["pricing_model"].eq("on_demand") & ~offers["is_apart"]]
    first = known[known["price_usd_gpu_hour"].notna()].drop_duplicates("country")
    if len(first) < 2:
        return Section("paises", title, ())
    rows = tuple(
        (Entry(fmt.country(offer["country"])), catalogue.offer_entry(offer), Entry(offer["region"] or "—"))
        for offer in records(first)
    )
    columns = (Column("País"), Column("Por GPU-hora", is_number=True), Column("Região"))
    table = Table(f"O menor preço sob demanda da {labels.short_gpu(gpu)} em cada país", columns, rows)
    return Section("paises", title, (table,))


def _history(catalogue: Catalogue, gpu: Gpu) -> Section:
    is_rented = gpu.id in catalogue.offers_of
    return Section("historico", "Histórico de preço", history(catalogue, gpu) if is_rented else ())


def _capacity(fits: Fits, gpu: Gpu) -> Section:
    """Return which models fit, by method and number of GPUs."""
    counts = fits.counts_of(gpu)
    rows = []
    for method in fits.methods.values():
        found = {count: fits.fitting(gpu, count, method.id) for count in counts}
        if any(found.values()):
            rows.append((Entry(method.name), *(_largest(models) for models in found.values())))
    if not rows:
        return Section("o-que-cabe", "O que cabe", ())
    columns = (Column("Método"), *(Column(fmt.count(count, "GPU", "GPUs")) for count in counts))
    total = fmt.count(len(fits.catalogue.models), "modelo", "modelos")
    note = (
        f"De {total} com página, com contexto de {fmt.number(CONTEXT)} tokens e lote {BATCH}. A conta está na "
        "[metodologia](~/metodologia/#dimensionamento); a de cada modelo, em [modelos](~/modelos/)."
    )
    caption = f"Quantos modelos cabem na {labels.short_gpu(gpu)}, e o maior deles"
    return Section("o-que-cabe", "O que cabe", (Table(caption, columns, tuple(rows)), Note((note,))))


def _largest(models: list[LanguageModel]) -> Entry:
    if not models:
        return Entry("nenhum", "0")
    first = models[0]
    return Entry(first.name, str(len(models)), f"~/modelos/{first.id}/", fmt.count(len(models), "modelo", "modelos"))


def _alternatives(atlas: Atlas, gpu: Gpu) -> Section:
    rows = tuple(_alternative(atlas, gpu, card) for card in atlas.rivals.near(gpu))
    columns = (
        Column("GPU"),
        Column("VRAM", is_number=True),
        Column("Largura de banda", is_number=True),
        Column("Sob demanda", is_number=True),
        Column("Lado a lado"),
    )
    caption = f"GPUs próximas da {labels.short_gpu(gpu)} em memória ou preço"
    return Section("alternativas", "Alternativas", (Table(caption, columns, rows),) if rows else ())


def _alternative(atlas: Atlas, gpu: Gpu, card: Gpu) -> tuple[Entry, ...]:
    catalogue, url = atlas.catalogue, atlas.rivals.pair_url(gpu, card)
    speed = card.bandwidth_gb_s
    return (
        catalogue.gpu_entry(card.id),
        Entry(fmt.quantity(card.memory_gb, "GB"), sort_key(card.memory_gb)),
        Entry(fmt.NOT_INFORMED if speed is None else fmt.bandwidth(speed), sort_key(speed)),
        catalogue.price_entry(card.id),
        Entry("comparar", href=f"~/{url}") if url else Entry("—"),
    )


def _facts(catalogue: Catalogue, gpu: Gpu) -> Section:
    """Return the data sheet with its source; what nobody published is said in one sentence."""
    rows = list(_fact_rows(catalogue, gpu))
    known = tuple((Entry(label), Entry(text, note=note)) for label, text, note in rows if text)
    missing = [label for label, text, _ in rows if not text]
    table = Table(f"Ficha técnica: {gpu.name}", (Column("Característica"), Column("Valor")), known)
    notes = [_source(catalogue, gpu)]
    if missing:
        notes.append(f"Não informado nas fontes lidas: {fmt.words(missing)}.")
    if gpu.notes:
        notes.append(gpu.notes)
    return Section("ficha", "Ficha técnica", (table, Text(tuple(notes))))


def _fact_rows(catalogue: Catalogue, gpu: Gpu) -> Iterator[tuple[str, str, str]]:
    words = catalogue.data.vocabularies["form_factor"]
    measured = gpu.visible_memory_source or "memória presumida a partir da nominal, para menos"
    yield "Fabricante", gpu.vendor, ""
    yield "Arquitetura", gpu.architecture, ""
    yield "Formato", words.get(gpu.form_factor, gpu.form_factor), ""
    yield "Memória nominal", fmt.quantity(gpu.memory_gb, "GB"), ""
    yield "Memória que um programa enxerga", fmt.quantity(gpu.visible_memory_gib, "GiB", 2), measured
    yield "Tipo de memória", gpu.memory_type, ""
    yield "Largura de banda da memória", fmt.bandwidth(gpu.bandwidth_gb_s) if gpu.bandwidth_gb_s else "", ""
    yield "BF16 ou FP16, denso", _rate(gpu.bf16_dense_tflops, "TFLOPS"), "sem esparsidade"
    yield "FP8, denso", _accelerated(catalogue, gpu, "FP8", gpu.fp8_dense_tflops), "sem esparsidade"
    yield "INT8, denso", _rate(gpu.int8_dense_tops, "TOPS"), "sem esparsidade"
    yield "FP4, denso", _accelerated(catalogue, gpu, "FP4", gpu.fp4_dense_tflops), "sem esparsidade"
    yield "Interconexão entre GPUs", gpu.interconnect, ""
    yield "Velocidade da interconexão", _rate(gpu.interconnect_gb_s, "GB/s"), "por GPU, somados os dois sentidos"
    yield "Barramento", gpu.host_bus, ""
    yield "Consumo", _rate(gpu.tdp_w, "W"), ""
    yield "Lançamento", str(gpu.release_year or ""), ""
    yield "Capacidade CUDA", gpu.cuda_capability, ""


def _rate(value: float | None, unit: str) -> str:
    return "" if value is None else fmt.quantity(value, unit, 1)


def _accelerated(catalogue: Catalogue, gpu: Gpu, precision: str, tflops: float | None) -> str:
    return "não acelera" if tflops is None and catalogue.lacks(gpu, precision) else _rate(tflops, "TFLOPS")


def _source(catalogue: Catalogue, gpu: Gpu) -> str:
    read = f", lida em {fmt.day_short(gpu.source_date)}" if gpu.source_date else ""
    confidence = catalogue.data.vocabularies["confidence"].get(gpu.confidence, gpu.confidence)
    check = f" Para conferir: {gpu.check_at}." if gpu.check_at else ""
    return f"Fonte: {gpu.source}{read}. Confiança: {confidence}.{check}"
