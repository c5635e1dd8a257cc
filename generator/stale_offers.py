"""Whether the table of offers is what the hand-kept files give: a price changed on one side only is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

import pandas as pd

from generator.dataset import OFFERS, Dataset
from generator.normalise import normalise
from generator.problems import Problem
from generator.sources import curated
from generator.sources.raw import RawOffer

_SAME = ["price_hour", "currency", "price_usd_hour", "gpu", "gpu_count", "collected_at", "source_url"]
_MISTAKES = ("spec_unreadable", "spec_implausible", "count_unreadable", "price_unreadable", "price_not_positive")
_TODO = "rode `python -m generator refresh`, que escreve data/offers.csv"


def stale_offers(raws: Iterable[RawOffer], data: Dataset, today: date) -> Iterator[Problem]:
    """Yield hand-kept rows that cannot be read, and those that the table lacks, has otherwise or has in excess.

    Only what holds whatever the other sources say: a newer fact of theirs may stand in the place of ours, and a price
    may wait in quarantine beside theirs.
    """
    found = normalise(raws, replace(data.reference, today=today))
    yield from _mistakes(found.quarantine, data)
    mine = found.fates[found.fates["reason"].eq("") & ~found.fates["record"].isin(data.quarantine["record"])]
    ours = found.offers.set_index("offer_id").loc[mine["offer_id"]].assign(record=mine["record"].to_list())
    table = data.offers.set_index("offer_id")
    yield from _told(_absent(ours, table), "não está em data/offers.csv")
    yield from _told(_changed(ours, table), "está de outro modo em data/offers.csv")
    extra = data.offers["source"].eq(curated.ID) & ~data.offers["offer_id"].isin(found.offers["offer_id"])
    for row in data.offers.index[extra][:1]:
        what = f"oferta {data.offers['offer_id'][row]} que nenhum arquivo de data/curated dá{_more(int(extra.sum()))}"
        yield Problem(OFFERS, int(row) + 2, 0, what, "as ofertas dos arquivos", _TODO)


def _mistakes(quarantine: pd.DataFrame, data: Dataset) -> Iterator[Problem]:
    for row in quarantine[quarantine["reason"].isin(_MISTAKES)].to_dict("records"):
        path, _, line = row["record"].partition(":")
        found = f"{data.rules.reasons[row['reason']]}: «{row['detail']}»"
        yield Problem(path, int(line), 0, found, "um valor que uma máquina pode ter", "corrija o valor da oferta")


def _absent(ours: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    absent = ours[~ours.index.isin(table.index)]
    if table["source"].eq(curated.ID).all():
        return absent
    may_be_elsewhere = absent["upstream"].ne("") | absent["pricing_model"].eq("spot")  # sold directly, or above a price
    return absent[~may_be_elsewhere]


def _changed(ours: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    both = ours[ours.index.isin(table.index[table["source"].eq(curated.ID)])]
    theirs = table.loc[both.index, _SAME]
    differs = both[_SAME].ne(theirs) & ~(both[_SAME].isna() & theirs.isna())
    return both[differs.any(axis=1)]


def _told(offers: pd.DataFrame, what: str) -> Iterator[Problem]:
    """Yield one problem for each file, at its first offer, with how many more there are."""
    paths, numbers = offers["record"].str.extract(r"^(.*):")[0], offers["record"].str.extract(r":(\d+)$")[0]
    for path, lines in numbers.astype("int64").groupby(paths):
        found = f"oferta {lines.idxmin()} {what}{_more(len(lines))}"
        yield Problem(str(path), int(lines.min()), 0, found, "a tabela igual aos arquivos", _TODO)


def _more(count: int) -> str:
    return f" (e mais {count - 1})" if count > 1 else ""
