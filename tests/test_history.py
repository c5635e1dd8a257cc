"""The past as changes: what is told once, until when it holds, and what a chart and a feed read from it."""

from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from generator import history

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
KEY = "alfa--m1--h100-sxm-1x--on-demand"


def offers(**price_of):
    """Return an offers table: machines of one provider with their price."""
    names = list(price_of)
    text = {
        "offer_id": [f"alfa--{name}--h100-sxm-1x--on-demand" for name in names],
        **{
            name: [value] * len(names)
            for name, value in {
                "provider": "alfa", "upstream": "", "gpu": "h100-sxm", "country": "NA", "pricing_model": "on_demand",
                "tier": "", "currency": "USD", "availability": "listed", "source": "viva",
            }.items()
        },
    }  # fmt: skip
    frame = pd.DataFrame({name: pd.Series(values, dtype="str") for name, values in text.items()})
    prices = pd.Series(list(price_of.values()), dtype="float64")
    return frame.assign(
        gpu_count=1.0, price_hour=prices, price_usd_hour=prices, price_usd_gpu_hour=prices,
        collected_at=pd.Series([pd.Timestamp(START)] * len(names)).astype("datetime64[us, UTC]"),
    )  # fmt: skip


@pytest.fixture
def book(tmp_path):
    """Return a history that is told one table after the other, a day apart."""

    class Book:
        files, before, now = [], offers(), START

        def tell(self, after, hours=24):
            lines = history.news(self.before, after.assign(collected_at=pd.Timestamp(self.now)), self.now)
            if len(lines):
                file = tmp_path / history.path_of(self.now)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(history.with_news(file.read_bytes() if file.is_file() else b"", lines))
                self.files = sorted(tmp_path.glob("data/history/month=*/day=*.parquet"))
            self.before, self.now = after, self.now + timedelta(hours=hours)
            return len(lines)

    return Book()


def test_only_what_changes_makes_a_line(book):
    assert book.tell(offers(m1=2.5, m2=3.0)) == 2
    assert book.tell(offers(m1=2.5, m2=3.0)) == 0
    assert book.tell(offers(m1=2.4, m2=3.0)) == 1
    assert book.tell(offers(m1=2.4)) == 1, "what is gone is news"
    assert [file.relative_to(file.parents[1]).as_posix() for file in book.files] == [
        "month=2026-11/day=01.parquet", "month=2026-11/day=03.parquet", "month=2026-11/day=04.parquet",
    ]  # fmt: skip


def test_a_line_holds_until_the_next_of_its_offer(book):
    for table in (offers(m1=2.5), offers(m1=2.4), offers(), offers(m1=2.6)):
        book.tell(table)
    lines = history.prices(book.files, "h100-sxm", START - timedelta(days=1))
    assert list(lines["price_hour"]) == [2.5, 2.4, 2.6]
    assert list(lines["valid_from"].dt.strftime("%m-%d")) == ["11-01", "11-02", "11-04"]
    assert list(lines["valid_to"].dt.strftime("%m-%d"))[:2] == ["11-02", "11-03"]
    assert pd.isna(lines["valid_to"].iloc[-1])
    assert list(history.prices(book.files, "h100-sxm", START + timedelta(days=2))["price_hour"]) == [2.6]


def test_a_chart_has_the_lowest_price_of_each_day_also_of_days_without_news(book):
    book.tell(offers(m1=2.5, m2=3.0), hours=72)
    book.tell(offers(m2=3.0), hours=48)
    book.tell(offers(m2=2.0))
    chart = history.lowest_by_day(book.files, "h100-sxm", "on_demand", START, START + timedelta(days=6))
    assert list(chart["price_usd_gpu_hour"]) == [2.5, 2.5, 2.5, 2.5, 3.0, 2.0, 2.0]
    assert list(chart["offers"]) == [2, 2, 2, 2, 1, 1, 1]


def test_what_changed_since_a_moment_is_told_with_the_price_before(book):
    book.tell(offers(m1=2.5, m2=3.0))
    book.tell(offers(m1=2.4))
    told = history.changed_since(book.files, START)
    rows = told[["offer_id", "was_price_hour", "price_hour"]].astype(object)
    assert rows.where(rows.notna(), None).to_numpy().tolist() == [
        [KEY, 2.5, 2.4],
        [KEY.replace("m1", "m2"), 3.0, None],
    ]
    assert history.changed_since(book.files, START + timedelta(days=5)).empty


def test_the_same_lines_make_the_same_bytes_and_text_survives(book):
    lines = history.news(offers(), offers(m1=2.5), START)
    file = history.with_news(b"", lines)
    assert history.with_news(b"", lines) == file
    book.tell(offers(m1=2.5))
    [row] = history.prices(book.files, "h100-sxm", START - timedelta(days=1)).to_dict("records")
    assert (row["country"], row["tier"], row["upstream"]) == ("NA", "", "")


def test_a_project_without_a_history_has_an_empty_one():
    assert history.changed_since([], START).empty
    assert history.prices([], "h100-sxm", START).empty
