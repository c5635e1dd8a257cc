"""The page of each model."""

from __future__ import annotations

from collections.abc import Iterator

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.sizing.rows import Method
from generator.views import model_words
from generator.views.atlas import Atlas
from generator.views.document import (
    Bars,
    Bullets,
    Column,
    Document,
    Entry,
    Note,
    Part,
    Section,
    Table,
    Text,
    fitted,
)
from generator.views.fits import BATCH, BATCHES, CONTEXT, Machine
from generator.views.offer_rows import sort_key
from generator.views.sizing_tables import PARTS

PARENT = ("Modelos", "modelos/")
RELATED = 6


def model_documents(atlas: Atlas) -> Iterator[Document]:
    """Yield the page of every model whose memory can be computed."""
    for model in atlas.catalogue.models.values():
        yield _document(atlas, model)


def _document(atlas: Atlas, model: LanguageModel) -> Document:
    sections = (
        _machines(atlas, model),
        _parts(atlas, model),
        Section("escolhas", "O que muda a conta", (Bullets(model_words.choices(atlas, model)),)),
        _grid(atlas, model),
        _related(atlas, model),
        _facts(model),
    )
    return Document(
        url=f"modelos/{model.id}/",
        title=f"{model.name}: quanta memória pede e em qual GPU cabe",
        heading=model.name,
        description=_description(atlas, model),
        lead=model_words.lead(atlas, model),
        sections=tuple(section for section in sections if section.blocks),
        parent=PARENT,
        day=atlas.catalogue.offers["collected_at"].max().date(),
        search_words=(model.id.replace("-", " "), model.family),
    )


def _description(atlas: Atlas, model: LanguageModel) -> str:
    small = fmt.gibibytes(atlas.fits.usual[model.id, atlas.fits.four_bits(model)][1])
    tuned = fmt.gibibytes(atlas.fits.usual[model.id, "qlora"][1])
    return fitted(
        [
            f"{model.name}: {small} para servir em 4 bits e {tuned} com QLoRA.",
            "Memória por método, contexto e lote, e a GPU mais barata em que cabe.",
        ]
    )


def _machines(atlas: Atlas, model: LanguageModel) -> Section:
    """Return the smallest and the cheapest machine of each method."""
    rows = tuple(_machine_row(atlas, model, method) for method in atlas.fits.methods_of[model.id].values())
    columns = (
        Column("Método"),
        Column("Memória em uma GPU", is_number=True),
        Column("Menor instância em que cabe"),
        Column("A mais barata em que cabe"),
    )
    note = (
        f"Contexto de {fmt.number(CONTEXT)} tokens, lote {BATCH}. Só entram instâncias que alguém aluga sob demanda, "
        "com a folga da [metodologia](~/metodologia/#dimensionamento). O preço é o da data dele; o antigo pode ter "
        "mudado."
    )
    table = Table(f"Onde o {model.name} cabe, por método", columns, rows)
    return Section("onde-cabe", "Onde cabe", (table, Note((note,))))


def _machine_row(atlas: Atlas, model: LanguageModel, method: Method) -> tuple[Entry, ...]:
    need = atlas.fits.usual[model.id, method.id]
    fitting = atlas.fits.machines_for(need, method.id)
    name, size = Entry(method.name), Entry(fmt.gibibytes(need[1]), sort_key(need[1]))
    if not fitting:
        none = Entry("nenhuma alugada sob demanda")
        return (name, size, none, none)
    smallest = min(fitting, key=lambda each: each.count > 1)
    cheapest = min(fitting, key=lambda each: (each.price_usd_hour, each.gpu))
    memory = fmt.quantity(smallest.memory_gb, "GB") + (" no total" if smallest.count > 1 else "")
    return (name, size, _machine(atlas, smallest, memory), _machine(atlas, cheapest, model_words.rent(atlas, cheapest)))


def _machine(atlas: Atlas, machine: Machine, note: str) -> Entry:
    return Entry(model_words.machine_label(atlas, machine), href=f"~/gpus/{machine.gpu}/", note=note)


def _parts(atlas: Atlas, model: LanguageModel) -> Section:
    """Return what the memory of each method is made of, drawn and as a table."""
    usual = atlas.fits.parts.get(model.id, [])
    bars = tuple(
        (atlas.fits.methods[row["method"]].name, _bar(row), fmt.gibibytes(row["total_bytes"])) for row in usual
    )
    if not bars:
        return Section("de-que-e-feita", "De que é feita a memória", ())
    largest = max(usual, key=lambda row: float(row["total_bytes"]))
    part = max(PARTS, key=lambda column: float(largest[column]))
    summary = (
        f"Memória de uma GPU por método, com {fmt.number(CONTEXT)} tokens e lote {BATCH}. O que mais pede é "
        f"{atlas.fits.methods[largest['method']].name}, com {fmt.gibibytes(largest['total_bytes'])}, dos quais "
        f"{fmt.gibibytes(largest[part])} de {PARTS[part]}."
    )
    columns = (Column("Método"), *(Column(name, is_number=True) for name in PARTS.values()))
    table_rows = tuple(
        (Entry(bar[0]), *(_size(row[column]) for column in PARTS)) for bar, row in zip(bars, usual, strict=True)
    )
    table = Table(f"Partes da memória do {model.name}", columns, table_rows)
    return Section(
        "de-que-e-feita",
        "De que é feita a memória",
        (Bars(f"Memória do {model.name} por método", summary, bars, table),),
    )


def _bar(row: dict[str, float]) -> tuple[Part, ...]:
    return tuple(Part(name, row[column], fmt.gibibytes(row[column])) for column, name in PARTS.items() if row[column])


def _size(size_bytes: float) -> Entry:
    return Entry(fmt.gibibytes(size_bytes), sort_key(size_bytes)) if size_bytes else Entry("—")


def _grid(atlas: Atlas, model: LanguageModel) -> Section:
    """Return the memory of one GPU by method and batch, a column for each context that the model accepts."""
    contexts, totals = atlas.fits.contexts_of(model), atlas.fits.totals
    table_rows = tuple(
        (
            Entry(f"{method.name}, lote {batch}"),
            *(_size(totals[model.id, method.id, context, batch, 1]) for context in contexts),
        )
        for method in atlas.fits.methods_of[model.id].values()
        for batch in BATCHES
    )
    columns = (
        Column("Método e lote"),
        *(Column(fmt.count(context, "token", "tokens"), is_number=True) for context in contexts),
    )
    table = Table(f"Memória do {model.name} em uma GPU, por método, lote e contexto", columns, table_rows)
    note = f"A mesma tabela, com as partes e a divisão entre GPUs, está em api/v1/sizing/{model.id}.json."
    return Section("contexto-e-lote", "Por contexto e lote", (table, Note((note,))))


def _related(atlas: Atlas, model: LanguageModel) -> Section:
    """Return the other models of the family and the nearest in size."""
    others = [other for other in atlas.catalogue.models.values() if other.id != model.id]
    near = sorted(
        others,
        key=lambda other: (other.family != model.family, abs(other.params_total - model.params_total), other.id),
    )
    rows = tuple(
        (
            Entry(other.name, href=f"~/modelos/{other.id}/"),
            Entry(model_words.parameters(other.params_total), sort_key(other.params_total)),
            _size(atlas.fits.usual[other.id, atlas.fits.four_bits(other)][1]),
            _size(atlas.fits.usual[other.id, "qlora"][1]),
        )
        for other in near[:RELATED]
    )
    columns = (
        Column("Modelo"),
        Column("Parâmetros", is_number=True),
        Column("Servir em 4 bits", is_number=True),
        Column("QLoRA", is_number=True),
    )
    table = Table(f"Modelos da mesma família ou do tamanho do {model.name}", columns, rows)
    return Section("parecidos", "Modelos parecidos", (table,) if rows else ())


def _facts(model: LanguageModel) -> Section:
    shape = model.architecture
    assert shape is not None
    rows = [
        ("Família", model.family),
        ("Ano", str(model.year)),
        ("Licença", model.licence),
        ("Repositório dos pesos", model.hf_repo),
        ("Parâmetros", fmt.number(model.params_total)),
        ("Ativos por token", fmt.number(model.params_active) if model.params_active else ""),
        ("Camadas", fmt.number(shape.layers)),
        ("Dimensão interna", fmt.number(shape.hidden)),
        ("Cabeças de atenção e de KV", f"{fmt.number(shape.heads)} e {fmt.number(shape.kv_heads)}"),
        ("Atenção", model.attention),
        ("Contexto máximo", fmt.count(model.max_context, "token", "tokens") if model.max_context else ""),
        ("Precisão de origem", model.native_dtype.upper() if model.native_dtype.isalnum() else model.native_dtype),
    ]
    known = tuple((Entry(label), Entry(text)) for label, text in rows if text)
    missing = [label for label, text in rows if not text]
    texts = [f"Fonte: {model.source}. Contagem conferida: {model.count_check}."]
    if missing:
        texts.append(f"Não informado: {fmt.words(missing)}.")
    table = Table(f"Ficha do {model.name}", (Column("Característica"), Column("Valor")), known)
    return Section("ficha", "Ficha", (table, Text(tuple(texts))))
