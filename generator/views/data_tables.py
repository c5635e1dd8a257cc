"""What the pages about the data show: downloads, columns, what waits in quarantine, what nobody knows, coverage."""

from __future__ import annotations

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.tables.columns import PublishedColumn
from generator.views import api, labels
from generator.views.atlas import Atlas
from generator.views.document import Block, Column, Entry, Table, Text
from generator.views.offer_rows import records

KINDS = {
    "string": "texto",
    "number": "número",
    "integer": "inteiro",
    "date": "data",
    "datetime": "data e hora",
    "object": "objeto",
}
REVIEWS = {
    "conflict": "linhas repetidas com valores diferentes",
    "disagreement": "o preço anterior difere em mais de 20%",
    "second_opinion": "outra fonte difere em mais de 20%",
    "not_linear": "o preço por GPU muda muito entre tamanhos",
}
COVERED = {"provider": "Provedor", "gpu": "GPU", "country": "País"}


def downloads(atlas: Atlas) -> Table:
    """Return the files that a person or a program can take away."""
    data = atlas.catalogue.data
    offers = fmt.count(len(data.offers), "oferta", "ofertas")
    rows = (
        ("ofertas.csv", "dados/ofertas.csv", f"CSV com vírgula e ponto decimal: {offers}, para programas"),
        (
            "ofertas-br.csv",
            "dados/ofertas-br.csv",
            "CSV com ponto e vírgula e vírgula decimal, para planilhas em português; traz também os reais",
        ),
        (
            "datapackage.json",
            "dados/datapackage.json",
            "Descritor Frictionless dos dois CSVs: tipo, unidade e sentido de cada coluna",
        ),
        ("index.json", "api/v1/index.json", "Lista de tudo o que a API tem, com o esquema de cada arquivo"),
        ("offers.json", "api/v1/offers.json", "As mesmas ofertas em JSON"),
        ("costs.json", "api/v1/costs.json", "As ofertas em reais, com a cotação, o IOF e a classe da LGPD de cada uma"),
        ("gpus.json", "api/v1/gpus.json", "Fichas das GPUs, com fonte e confiança"),
        ("providers.json", "api/v1/providers.json", "Provedores e o que as fontes dizem de cada um"),
        ("models.json", "api/v1/models.json", "Modelos do catálogo"),
    )
    entries = tuple((Entry(name, href=f"~/{path}"), Entry(text)) for name, path, text in rows)
    return Table("Arquivos para baixar", (Column("Arquivo"), Column("O que traz")), entries)


def data_name(data: Dataset) -> Text:
    """Return which edition of the data this is."""
    newest = fmt.day_long(data.offers["collected_at"].max().date())
    text = (
        f"Edição **{api.data_id(data)}**, com preços até {newest}. Todos os arquivos trazem esse código: se ele é "
        "igual, os dados são os mesmos."
    )
    return Text((text,))


def column_table(columns: dict[str, PublishedColumn], caption: str) -> Table:
    """Return what each column of a published table means."""
    rows = tuple(
        (
            Entry(column.name),
            Entry(column.title),
            Entry(KINDS[column.type]),
            Entry(column.unit or "—"),
            Entry(column.description),
        )
        for column in columns.values()
    )
    titles = ("Coluna", "Título", "Tipo", "Unidade", "O que é")
    return Table(caption, tuple(Column(title) for title in titles), rows)


def quarantine(data: Dataset) -> tuple[Block, ...]:
    """Return the rows that wait for a person, each with its reason."""
    if data.quarantine.empty:
        return (Text(("Nenhuma linha está em quarentena.",)),)
    rows = tuple(_apart(row, data) for row in records(data.quarantine))
    titles = ("Provedor", "GPU, como a fonte escreve", "Modalidade", "Preço", "Motivo")
    count = fmt.count(len(rows), "linha fora", "linhas fora")
    return (Table(f"{count} da publicação, com o motivo", tuple(Column(title) for title in titles), rows),)


def _apart(row: dict[str, str], data: Dataset) -> tuple[Entry, ...]:
    provider = data.providers.get(row["provider"])
    count = f"{row['gpu_count']}{fmt.NBSP}×{fmt.NBSP}" if row["gpu_count"] else ""
    return (
        Entry(provider.name if provider else row["provider"] or fmt.NOT_INFORMED, note=row["region"]),
        Entry(f"{count}{row['gpu'] or fmt.NOT_INFORMED}"),
        Entry(labels.PRICING.get(row["pricing_model"], row["pricing_model"] or fmt.NOT_INFORMED)),
        Entry(f"{row['price']} {row['currency']}".strip() or fmt.NOT_INFORMED, note=row["detail"]),
        Entry(data.rules.reasons.get(row["reason"], row["reason"]), note=row["record"]),
    )


def dropped(data: Dataset) -> tuple[Block, ...]:
    """Return why rows were left out for good, by source."""
    rows = tuple(
        (Entry(source), Entry(data.rules.reasons.get(reason, reason)), Entry(fmt.number(count), str(count)))
        for source, facts in sorted(data.quality["sources"].items())
        for reason, count in sorted(facts["rows_dropped"].items())
    )
    if not rows:
        return (Text(("Nenhuma linha foi descartada.",)),)
    columns = (Column("Fonte"), Column("Motivo"), Column("Linhas", is_number=True))
    return (Table("Linhas descartadas, por motivo", columns, rows),)


def names(data: Dataset) -> tuple[Block, ...]:
    """Return the GPU names that no table knows, and those that the guide does not follow."""
    unknown, untracked = data.quality.get("unknown_gpus", {}), data.quality.get("untracked_gpus", {})
    first = (
        f"Nomes que nenhuma tabela conhece, à espera de cadastro: {fmt.words(_counted(unknown))}."
        if unknown
        else "Nenhum nome de GPU ficou sem cadastro na última coleta."
    )
    if not untracked:
        return (Text((first,)),)
    second = (
        f"Conhecidas, mas pequenas ou antigas demais para os guias, ficam de fora: {fmt.words(_counted(untracked))}."
    )
    return (Text((first, second)),)


def _counted(names: dict[str, int]) -> list[str]:
    return [f"{name} ({fmt.number(count)})" for name, count in sorted(names.items())]


def review(data: Dataset) -> tuple[Block, ...]:
    """Return the values that a person should look at."""
    found = data.quality.get("review", [])
    if not found:
        return (Text(("Nenhum par de valores discordantes espera revisão.",)),)
    rows = tuple(
        (
            Entry(item["offer_id"]),
            Entry(REVIEWS.get(item["kind"], item["kind"])),
            Entry(f"US${fmt.NBSP}{item['published_usd_hour']}"),
            Entry(f"US${fmt.NBSP}{item['other_usd_hour']}", note=item["other"]),
        )
        for item in found
    )
    titles = ("Oferta", "Por quê", "Publicado, por hora", "O outro valor")
    return (Table("Valores para revisar", tuple(Column(title) for title in titles), rows),)


def coverage(atlas: Atlas, field: str) -> Table:
    """Return how many offers each provider, GPU or country has, and the day of the newest."""
    offers = atlas.catalogue.offers
    known = offers[offers[field].ne("")]
    newest = known.groupby(field)["collected_at"].max().to_dict()
    counts = known[field].value_counts().to_dict()
    rows = tuple(
        (_named(atlas, field, str(name)), Entry(fmt.number(count), str(count)), _day(newest[name]))
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    )
    columns = (Column(COVERED[field]), Column("Ofertas", is_number=True), Column("Preço mais novo"))
    return Table(f"Ofertas publicadas por {COVERED[field].lower() if field != 'gpu' else 'GPU'}", columns, rows)


def _named(atlas: Atlas, field: str, name: str) -> Entry:
    if field == "provider":
        return atlas.catalogue.provider_entry(name)
    return atlas.catalogue.gpu_entry(name) if field == "gpu" else Entry(fmt.country(name))


def _day(moment: pd.Timestamp) -> Entry:
    return Entry(fmt.day_short(moment.date()), moment.date().isoformat())
