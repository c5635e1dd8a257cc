"""`refresh`: the bytes of every source in, the dataset out, and an account of every row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pandas as pd

from generator import dataset
from generator.dataset import LastGood
from generator.normalise import Outcome, normalise
from generator.normalise.schema import offers_problems, offers_schema
from generator.problems import Problem, ProblemsError
from generator.refresh_report import RefreshReport, SourceReport, changes, named
from generator.sources import curated, skypilot
from generator.sources.raw import RawOffer
from generator.tables.rules import Rules

Payloads = Mapping[str, Mapping[str, bytes]]
"""What was fetched: source id → where it came from → the bytes."""


@dataclass(frozen=True, slots=True)
class Source:
    """An adapter: how to read its payloads, and whether its rows are published or only compared."""

    id: str
    parse: Callable[[bytes, str, datetime], list[RawOffer]]
    published: bool = True
    by_hand: bool = False  # people add and take away rows on purpose


SOURCES = (
    Source(curated.ID, lambda payload, path, _: curated.parse(payload, path), by_hand=True),
    Source(skypilot.ID, lambda payload, cloud, now: skypilot.parse(payload, cloud, now.isoformat()), published=False),
)


@dataclass
class Reading:
    """What came of reading one source."""

    source: Source
    raws: list[RawOffer] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Tell whether nothing of this source may be used."""
        return bool(self.problems)


def refresh(
    root: Path,
    now: datetime,
    only: str | None = None,
    *,
    dry_run: bool = False,
    fetched: Payloads | None = None,
    sources: Sequence[Source] = SOURCES,
) -> RefreshReport:
    """Read the sources, judge and merge their rows, and write the dataset unless `dry_run`; return what happened.

    A source that fails keeps its last good offers, and the others go on. `only` reads a single source, and keeps the
    offers of the others.

    Raises:
        ProblemsError: a curated table is wrong, so that no row can be judged.
    """
    tables = dataset.load_tables(root)
    last = dataset.last_good(root)
    payloads = {curated.ID: dataset.curated_files(root), **(fetched or {})}
    chosen = [source for source in sources if source.id in payloads and only in {None, source.id}]
    readings = [read(source, payloads[source.id], now) for source in chosen]
    for reading in readings:
        _check_coverage(reading, last, tables.rules.limits["coverage_drop"])
    outcome = normalise(_rows(readings, published=True), tables.reference, _rows(readings, published=False))
    outcome = _with_kept(outcome, last, {reading.source.id for reading in readings if not reading.failed})
    _refuse_bad_offers(outcome, tables)
    report = _report(readings, outcome, last, now, tables.rules)
    if not dry_run:
        dataset.write(root, outcome.offers, outcome.quarantine, report.quality)
    return report


def read(source: Source, payloads: Mapping[str, bytes], now: datetime) -> Reading:
    """Return the rows of a source, or everything wrong with it; no source's failure touches another."""
    reading = Reading(source)
    for place, payload in sorted(payloads.items()):
        try:
            reading.raws += source.parse(payload, place, now)
        except ProblemsError as error:
            reading.problems += error.problems
        except Exception as error:  # an adapter's own fault must not cost the other sources
            reading.problems.append(_broken(place, error))
    if not reading.raws and not reading.problems:
        reading.problems.append(
            Problem(source.id, 0, 0, "nenhuma linha", "ao menos uma oferta", "veja se a fonte mudou de endereço")
        )
    return reading


def _broken(place: str, error: Exception) -> Problem:
    found = f"leitura interrompida ({type(error).__name__}: {str(error)[:200]})"
    return Problem(
        place, 0, 0, found, "o formato que o adaptador conhece", "veja se a fonte mudou; corrija o adaptador"
    )


def _check_coverage(reading: Reading, last: LastGood, limit: float) -> None:
    """Fail a fetched source that lost more than the limit of its rows: half a page is worse than an old page."""
    before = last.rows_of(reading.source.id)
    if reading.source.by_hand or reading.failed or len(reading.raws) >= before * (1 - limit):
        return
    expected = f"ao menos {1 - limit:.0%} do que havia"
    todo = "se a queda é verdadeira, apague a fonte de data/quality.json e rode de novo"
    reading.problems.append(
        Problem(reading.source.id, 0, 0, f"{len(reading.raws)} linhas, e eram {before}", expected, todo)
    )


def _rows(readings: list[Reading], *, published: bool) -> Iterator[RawOffer]:
    for reading in readings:
        if reading.source.published == published and not reading.failed:
            yield from reading.raws


def _refuse_bad_offers(outcome: Outcome, tables: dataset.Tables) -> None:
    """Raise rather than write a table that a reader could not trust; the rules should have left nothing to refuse."""
    schema = offers_schema(tables.providers, tables.gpus, tables.rules)
    if problems := offers_problems(outcome.offers, schema, dataset.OFFERS):
        raise ProblemsError(problems)


def _with_kept(outcome: Outcome, last: LastGood, fresh: set[str]) -> Outcome:
    """Return the outcome with the last good rows of the sources that gave nothing this time; the newest fact wins."""
    kept = last.offers[~last.offers["source"].isin(fresh)]
    both = pd.concat([outcome.offers, kept], ignore_index=True) if len(kept) else outcome.offers
    newest = both.sort_values(["offer_id", "collected_at"], ascending=[True, False], kind="stable")
    offers = newest.drop_duplicates("offer_id").reset_index(drop=True)
    from_kept = set(offers.loc[~offers["source"].isin(fresh), "offer_id"])
    lost = outcome.fates["reason"].eq("") & outcome.fates["offer_id"].isin(from_kept)
    apart = last.quarantine[~last.quarantine["source"].isin(fresh)]
    return Outcome(
        offers=offers,
        quarantine=pd.concat([outcome.quarantine, apart], ignore_index=True) if len(apart) else outcome.quarantine,
        fates=outcome.fates.assign(reason=outcome.fates["reason"].mask(lost, "superseded")),
        reviews=outcome.reviews,
    )


def _report(readings: list[Reading], outcome: Outcome, last: LastGood, now: datetime, rules: Rules) -> RefreshReport:
    return RefreshReport(
        now=now,
        sources=tuple(_source_report(reading, outcome, last, rules.quarantined) for reading in readings),
        offers=outcome.offers,
        quarantine=outcome.quarantine,
        changes=changes(last.offers, outcome.offers),
        unknown_gpus=named(outcome.fates, "gpu_unknown"),
        untracked_gpus=named(outcome.fates, "gpu_not_tracked"),
        reviews=outcome.reviews,
        last_quality=last.quality,
        reasons=rules.reasons,
    )


def _source_report(reading: Reading, outcome: Outcome, last: LastGood, quarantined: frozenset[str]) -> SourceReport:
    """Return the account of one source; every row read is published, in quarantine or dropped with a reason."""
    fates = Counter(outcome.fates.loc[outcome.fates["source"].eq(reading.source.id), "reason"])
    report = SourceReport(
        id=reading.source.id,
        status="failed" if reading.failed else "ok" if reading.source.published else "compare_only",
        rows_read=0 if reading.failed else len(reading.raws),
        rows_published=fates.pop("", 0),
        rows_quarantined=sum(fates.pop(reason) for reason in sorted(set(fates) & quarantined)),
        rows_dropped=dict(sorted(fates.items())),
        rows_kept=int(last.offers["source"].eq(reading.source.id).sum()) if reading.failed else 0,
        rows_last_good=last.rows_of(reading.source.id) if reading.failed else len(reading.raws),
        problems=tuple(reading.problems),
    )
    accounted = report.rows_published + report.rows_quarantined + sum(report.rows_dropped.values())
    assert report.rows_read == accounted, f"{report.id}: {report.rows_read} rows read, {accounted} accounted for"
    return report
