"""What happened to every row that was read, in words and by source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.views.offer_rows import Cell
from generator.views.site import Site
from generator.views.summary import span_of_days

STATUS = {
    "ok": "lida",
    "failed": "falhou; valem os últimos dados bons",
    "stale": "sem leitura recente",
    "compare_only": "só confere",
}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source: how its last reading went and where its rows ended."""

    name: str
    status: str
    last_success: str
    counts: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole dataset in a few sentences and a row per source."""

    sentences: tuple[str, ...]
    sources: tuple[SourceRow, ...]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """A titled list of codes with the sentence a reader sees."""

    title: str
    rows: tuple[tuple[str, str], ...]


def report(site: Site) -> Report:
    """Return the state of the dataset as of its last refresh."""
    sources = site.data.quality["sources"]
    rows = tuple(_source(name, facts) for name, facts in sorted(sources.items()))
    return Report(tuple(_sentences(site, sources)), rows)


def _sentences(site: Site, sources: dict[str, Any]) -> list[str]:
    offers = site.data.offers
    apart = sum(facts["rows_quarantined"] for facts in sources.values())
    published = (
        f"**{fmt.count(len(offers), 'oferta publicada', 'ofertas publicadas')}** de "
        f"{fmt.count(offers['provider'].nunique(), 'provedor', 'provedores')}, com "
        f"{fmt.count(offers['gpu'].nunique(), 'GPU diferente', 'GPUs diferentes')}; "
        f"{fmt.count(int((offers['country'] == 'BR').sum()), 'oferta', 'ofertas')} em regiões do Brasil."
    )
    return [
        published,
        f"{fmt.count(apart, 'linha está', 'linhas estão')} em quarentena: fora da publicação, com o motivo registrado.",
        span_of_days(offers),
    ]


def _source(name: str, facts: dict[str, Any]) -> SourceRow:
    read, published, apart = (facts[key] for key in ("rows_read", "rows_published", "rows_quarantined"))
    dropped = sum(facts["rows_dropped"].values())
    last = facts["last_success"]
    when = fmt.moment(datetime.fromisoformat(last)) if last else fmt.NOT_INFORMED
    counts = tuple(Cell(fmt.number(n), str(n)) for n in (read, published, apart, dropped))
    return SourceRow(name, STATUS.get(facts["status"], facts["status"]), when, counts)


def rules(data: Dataset) -> list[RuleGroup]:
    """Return the warnings a row may carry and the reasons to set one apart, as documented for readers."""
    return [
        RuleGroup("Avisos que uma oferta pode trazer", tuple(sorted(data.rules.flags.items()))),
        RuleGroup("Motivos para uma linha ficar de fora", tuple(sorted(data.rules.reasons.items()))),
    ]
