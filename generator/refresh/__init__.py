"""`refresh`: the bytes of every source in, the dataset out, and an account of every row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pandas as pd

from generator import dataset, history, written
from generator.dataset import Tables
from generator.normalise import Outcome, normalise
from generator.normalise.across import Past
from generator.normalise.corrections import expired
from generator.normalise.schema import offers_problems, offers_schema
from generator.problems import ProblemsError
from generator.refresh.keeping import with_kept
from generator.refresh.rates import NewRates, new_rates
from generator.refresh.reading import Payloads, Reading, Source, check_clock, check_size, read, rows
from generator.refresh.report import RefreshReport, SourceReport, changes, named
from generator.refresh.sources import SOURCES
from generator.sources import curated
from generator.written import LastGood, Refreshed

__all__ = ["SOURCES", "Payloads", "Source", "refresh"]


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

    A source that fails, or that is not in `fetched`, keeps its last good offers, and the others go on. `only` reads a
    single source, and keeps the offers of the others.

    Raises:
        ProblemsError: a curated table is wrong, so that no row can be judged.
    """
    tables = dataset.load_tables(root)
    last = written.last_good(root)
    payloads = {curated.ID: dataset.curated_files(root), **(fetched or {})}
    payloads = {name: found for name, found in payloads.items() if only in {None, name}}
    rates = new_rates(payloads, tables.rates, tables.rules, now.date(), tables.cost.rules.rate_step)
    tables = replace(tables, rates=(*tables.rates, *rates.rates))
    past = _past(last, sources, now)
    readings = [_reading(source, payloads, tables, last, now) for source in sources if source.id in payloads]
    outcome = normalise(
        rows(readings, published=True),
        replace(tables.reference, today=now.date()),
        rows(readings, published=False),
        past if last.offers.size else None,
    )
    fresh = {reading.source.id for reading in readings if not reading.failed}
    outcome = with_kept(outcome, last, fresh, past, tables.rules)
    _refuse_bad_offers(outcome, tables)
    report = _report(readings, outcome, last, now, tables, rates)
    if not dry_run:
        told = last.offers if written.history_files(root) else last.offers[:0]  # the first time, all is news
        written.write(root, _refreshed(report, outcome, rates, told, sources))
    return report


def _reading(source: Source, payloads: Payloads, tables: Tables, last: LastGood, now: datetime) -> Reading:
    reading = read(source, payloads[source.id], now)
    told = tables.sources.get(source.id)
    limit = tables.rules.limits["coverage_drop"]
    check_size(reading, last.rows_of(source.id), told.minimum_rows if told else 0, limit)
    check_clock(reading, last.newest_of(source.id), now)
    return reading


def _past(last: LastGood, sources: Sequence[Source], now: datetime) -> Past:
    """Return what live sources said before; people change the hand-kept rows on purpose."""
    live = frozenset(source.id for source in sources if source.published and not source.by_hand)
    return Past(last.offers[last.offers["source"].isin(live)], last.waiting, now, live)


def _refuse_bad_offers(outcome: Outcome, tables: Tables) -> None:
    """Raise rather than write a table that a reader could not trust; the rules should have left nothing to refuse."""
    schema = offers_schema(tables.providers, tables.gpus, tables.rules)
    if problems := offers_problems(outcome.offers, schema, dataset.OFFERS):
        raise ProblemsError(problems)


def _refreshed(
    report: RefreshReport, outcome: Outcome, rates: NewRates, before: pd.DataFrame, sources: Sequence[Source]
) -> Refreshed:
    versions = {source.id: source.version for source in sources}
    own = outcome.provenance
    version = own["source"].map(versions).fillna("").astype("str")
    if "adapter_version" in own:  # kept rows come from the file, with the version that read them
        version = own["adapter_version"].fillna(version)
    return Refreshed(
        offers=report.offers,
        quarantine=report.quarantine,
        quality=report.quality,
        provenance=own.assign(adapter_version=version),
        waiting=outcome.waiting,
        rates=rates.rates,
        news=history.news(before, report.offers, report.now),
        moment=report.now,
    )


def _report(
    readings: list[Reading], outcome: Outcome, last: LastGood, now: datetime, tables: Tables, rates: NewRates
) -> RefreshReport:
    rules = tables.rules
    accounts = _fates_by_source(outcome.fates)
    mine = tuple(_source_report(reading, accounts, last, rules.quarantined) for reading in readings)
    raws = [*rows(readings, published=True), *rows(readings, published=False)] if tables.corrections else []
    return RefreshReport(
        now=now,
        sources=(*mine, *rates.reports),
        offers=outcome.offers,
        quarantine=outcome.quarantine,
        changes=changes(last.offers, outcome.offers),
        unknown_gpus=named(outcome.fates, "gpu_unknown"),
        untracked_gpus=named(outcome.fates, "gpu_not_tracked"),
        reviews=outcome.reviews,
        waiting=outcome.waiting,
        expired=tuple(expired(tables.corrections, raws, dataset.CORRECTIONS)),
        last_quality=last.quality,
        reasons=rules.reasons,
    )


def _fates_by_source(fates: pd.DataFrame) -> dict[str, Counter[str]]:
    accounts: dict[str, Counter[str]] = {}
    counts = fates.groupby(["source", "reason"]).size()
    for (source, reason), count in zip(counts.index, counts, strict=True):
        accounts.setdefault(source, Counter())[reason] = int(count)
    return accounts


def _source_report(
    reading: Reading, accounts: dict[str, Counter[str]], last: LastGood, quarantined: frozenset[str]
) -> SourceReport:
    """Return the account of one source; every row read is published, in quarantine or dropped with a reason."""
    fates = Counter() if reading.failed else accounts.get(reading.source.id, Counter())
    fates = fates + Counter(row.reason for row in reading.dropped if not reading.failed)
    report = SourceReport(
        id=reading.source.id,
        status="failed" if reading.failed else "ok" if reading.source.published else "compare_only",
        rows_read=0 if reading.failed else len(reading.raws) + len(reading.dropped),
        rows_published=fates.pop("", 0),
        rows_quarantined=sum(fates.pop(reason) for reason in sorted(set(fates) & quarantined)),
        rows_dropped=dict(sorted(fates.items())),
        rows_kept=int(last.offers["source"].eq(reading.source.id).sum()) if reading.failed else 0,
        rows_last_good=last.rows_of(reading.source.id) if reading.failed else len(reading.raws),
        newest=last.newest_of(reading.source.id) if reading.failed else reading.newest,
        problems=tuple(reading.problems),
    )
    accounted = report.rows_published + report.rows_quarantined + sum(report.rows_dropped.values())
    assert report.rows_read == accounted, f"{report.id}: {report.rows_read} rows read, {accounted} accounted for"
    return report
