"""Reference rates of the European Central Bank: USD and CNY for one EUR, middle of buy and sell, each working day.

Format, from the ECB Data Portal's help on its API (SDMX, `format=csvdata`) and public guides to it: series
`D.USD+CNY.EUR.SP00.A` of the dataflow EXR; CSV with KEY, FREQ, CURRENCY, CURRENCY_DENOM, EXR_TYPE, EXR_SUFFIX,
TIME_PERIOD (day), OBS_VALUE and more columns that vary. No rows on weekends and holidays; published around 16:00 CET.
OBS_VALUE is how much of CURRENCY one CURRENCY_DENOM buys; it may be empty or `NaN` for a missing day.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal, InvalidOperation

from generator.model import ExchangeRate
from generator.sources.answers import fail, read_csv
from generator.sources.http import Fetcher

ID = "ecb"
LABEL = "Banco Central Europeu"
CURRENCIES = {"USD", "CNY"}
_NEEDED = ("FREQ", "CURRENCY", "CURRENCY_DENOM", "EXR_TYPE", "TIME_PERIOD", "OBS_VALUE")


def download(fetcher: Fetcher) -> bytes:
    """Return the last seven observations of each currency."""
    return fetcher.get(params={"format": "csvdata", "lastNObservations": "7"})


def parse(payload: bytes) -> list[ExchangeRate]:
    """Return the rates, oldest first; a currency without any is a failure of the source."""
    rows = read_csv(ID, payload.decode("utf-8-sig"), _NEEDED)
    rates = [_rate(row) for row in rows if row["OBS_VALUE"] not in {"", "NaN"}]
    if {rate.quote for rate in rates} != CURRENCIES:
        fail(ID, "faltam moedas na resposta", payload)
    return sorted(rates, key=lambda rate: (rate.day, rate.quote))


def _rate(row: dict[str, str]) -> ExchangeRate:
    try:
        day, rate = date.fromisoformat(row["TIME_PERIOD"]), Decimal(row["OBS_VALUE"])
    except (ValueError, InvalidOperation):
        fail(ID, f"cotação ilegível: {row['TIME_PERIOD']} {row['OBS_VALUE']}")
    if (
        not rate.is_finite()
        or rate <= 0
        or (row["FREQ"], row["EXR_TYPE"], row["CURRENCY_DENOM"]) != ("D", "SP00", "EUR")
    ):
        fail(ID, f"cotação impossível: {row['TIME_PERIOD']} {row['OBS_VALUE']}")
    return ExchangeRate("EUR", row["CURRENCY"], day, rate, "mid", LABEL)
