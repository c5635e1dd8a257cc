"""What stays of the last good offers: those of sources that gave nothing, and those whose change has to wait."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC

import pandas as pd

from generator.normalise import Outcome
from generator.normalise.across import MOMENT, Past, Waiting, confirmed
from generator.normalise.rows import add_flag, rows_of
from generator.normalise.schema import COLUMNS, NUMBERS
from generator.tables.rules import Rules
from generator.written import LastGood

_HELD = "held_value"
_MACHINE = ["source", "provider", "instance", "region"]
_ONLY_WHEN = "collected_at"


def with_kept(outcome: Outcome, last: LastGood, fresh: Collection[str], past: Past, rules: Rules) -> Outcome:
    """Return the outcome with the last good rows that stay; `fresh` are the sources that were read well.

    Of one offer the newest fact wins, but a held value gives way to any value that was let in.
    """
    others = _shown(last.offers[~last.offers["source"].isin(fresh)], outcome.offers, past, rules)
    gone = past.offers[past.offers["source"].isin(fresh) & ~past.offers["offer_id"].isin(outcome.offers["offer_id"])]
    refused = _refused(gone, outcome.fates, rules)
    lost, waiting = _lost(gone[~refused], outcome.fates, past, rules)
    held = pd.concat([gone[refused], lost])
    kept = pd.concat([others, add_flag(held, held["offer_id"].ne(""), _HELD)], ignore_index=True)
    apart = last.quarantine[~last.quarantine["source"].isin(fresh)]
    left = [entry for entry in past.waiting.values() if entry.source not in fresh]
    return _newest(
        replace(
            outcome,
            quarantine=pd.concat([outcome.quarantine, apart], ignore_index=True) if len(apart) else outcome.quarantine,
            waiting=(*outcome.waiting, *waiting, *left),
        ),
        kept,
        last,
    )


def _shown(others: pd.DataFrame, fresh: pd.DataFrame, past: Past, rules: Rules) -> pd.DataFrame:
    """Return the offers of sources that gave nothing, but for old live ones of cards that something fresher sells.

    A snapshot kept by hand is shown as one, however old; and a card is never left without any offer.
    """
    oldest = pd.Timestamp(past.now) - pd.Timedelta(days=rules.hide_days)
    every = pd.concat([others, fresh]) if len(fresh) else others
    sold = set(every.loc[every["collected_at"].ge(oldest), "gpu"])
    old = others["source"].isin(list(past.watched)) & others["collected_at"].lt(oldest)
    return others[~(old & others["gpu"].isin(list(sold)))]


def _refused(gone: pd.DataFrame, fates: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell which offers are gone only because what came in their place is in quarantine."""
    apart = fates[fates["reason"].isin(list(rules.quarantined))]
    nameless = set(map(tuple, apart.loc[apart["offer_id"].eq("") | apart["instance"].ne(""), _MACHINE].to_numpy()))
    same_machine = pd.Series([tuple(row) in nameless for row in gone[_MACHINE].to_numpy()], gone.index, dtype=bool)
    return gone["offer_id"].isin(apart["offer_id"]) | (same_machine & gone["instance"].ne(""))


def _lost(gone: pd.DataFrame, fates: pd.DataFrame, past: Past, rules: Rules) -> tuple[pd.DataFrame, list[Waiting]]:
    """Return the offers that are gone without a reason to believe it yet, until later runs confirm it.

    What is for rent right now comes and goes, and only waits where a provider loses too many at once, or where the row
    is still there without its price; what stands in a price list always waits.
    """
    by = ["source", "provider"]
    before = past.offers.groupby(by).size()
    lost = gone.groupby(by).size()
    many = lost[(lost / before.reindex(lost.index) > rules.limits["rows_lost"]) & (lost >= rules.limits["lost_from"])]
    together = pd.Series([row in many.index for row in rows_of(gone, *by)], gone.index, dtype=bool)
    fleeting = gone["availability"].eq("available") & ~gone["offer_id"].isin(fates["offer_id"])
    alone = rows_of(gone[~together & ~fleeting], "offer_id", "source")
    groups = ((f"{name}/{seller}", name, str(before[name, seller])) for name, seller in many.index)
    entries = [
        *(_entry("rows_lost", key, source, old, past, rules) for key, source, old in groups),
        *(_entry("row_lost", offer, source, "", past, rules) for offer, source in alone),
    ]
    waiting = [entry for entry in entries if entry.confirmed < rules.limits["confirmations"]]
    keys = {entry.key for entry in waiting}
    names = zip(rows_of(gone, "source", "provider", "offer_id"), together, strict=True)
    held = [(f"{name}/{seller}" if many_gone else offer) in keys for (name, seller, offer), many_gone in names]
    return gone[pd.Series(held, gone.index, dtype=bool)], waiting


def _entry(kind: str, key: str, source: str, old: str, past: Past, rules: Rules) -> Waiting:
    moment = past.now.astimezone(UTC).strftime(MOMENT)
    entry = Waiting(kind, key, source, old, "", moment, moment)
    return confirmed(entry, past.waiting.get((kind, key)), past.now, rules.limits["confirm_hours"])


def _newest(outcome: Outcome, kept: pd.DataFrame, last: LastGood) -> Outcome:
    """Return the outcome with the kept rows among its own, and the provenance of each."""
    own = _settled(outcome.offers, last.offers)
    both = (
        pd.concat([own.assign(rank_=0), kept.assign(rank_=1)], ignore_index=True) if len(kept) else own.assign(rank_=0)
    )
    order = both.sort_values(["offer_id", _ONLY_WHEN, "rank_"], ascending=[True, False, True], kind="stable")
    chosen = order.drop_duplicates("offer_id").reset_index(drop=True)
    from_kept = chosen.loc[chosen["rank_"].eq(1), "offer_id"]
    lost = outcome.fates["reason"].eq("") & outcome.fates["offer_id"].isin(from_kept)
    ours = outcome.provenance[~outcome.provenance["offer_id"].isin(from_kept)]
    theirs = last.provenance[last.provenance["offer_id"].isin(from_kept)]
    return replace(
        outcome,
        offers=chosen[list(COLUMNS)],
        fates=outcome.fates.assign(reason=outcome.fates["reason"].mask(lost, "superseded")),
        provenance=pd.concat([ours, theirs], ignore_index=True) if len(theirs) else ours,
    )


def _settled(offers: pd.DataFrame, before: pd.DataFrame) -> pd.DataFrame:
    """Return the offers, those of which only the hour changed since an earlier run of the day as they were then.

    Otherwise every run would change every line of the file, and its diff would not read as news.
    """
    was = before.set_index("offer_id").reindex(offers["offer_id"]).reset_index()
    now = offers.reset_index(drop=True)
    same = now[_ONLY_WHEN].dt.normalize().eq(was[_ONLY_WHEN].dt.normalize())
    for name in (name for name in COLUMNS if name != _ONLY_WHEN):
        equal = now[name].eq(was[name])
        same &= (equal | (now[name].isna() & was[name].isna())) if name in NUMBERS else equal
    return now.assign(**{_ONLY_WHEN: now[_ONLY_WHEN].where(~same, was[_ONLY_WHEN])})
