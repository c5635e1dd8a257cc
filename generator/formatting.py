"""The one place where numbers, money, dates and units become Brazilian Portuguese text.

Rounding rule, applied only here and only for display: half away from zero, on decimal arithmetic. A float is read by
its shortest decimal text first, so that no binary residue decides a cent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal

LOCALE = Locale.parse("pt_BR")
BRASILIA = ZoneInfo("America/Sao_Paulo")
NBSP = "\u00a0"
NOT_INFORMED = "não informado"
GIB = 2**30

Number = int | float | Decimal


def is_missing(value: object) -> bool:
    """Return whether a value of the dataset is unknown: `None`, NaN, or empty text."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _decimal(value: Number) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


def _rounded(value: Number, places: int) -> Decimal:
    return _decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _money_places(value: Decimal) -> int:
    """Return the places to show: two, or as many as small values need to keep two significant digits."""
    if value == 0 or abs(value) >= Decimal("0.1"):
        return 2
    needed = max(4, 1 - value.adjusted())
    shown = _rounded(value, needed).normalize()
    return max(2, -int(shown.as_tuple().exponent))


@lru_cache(maxsize=8192)
def money(value: Number, currency: str = "USD") -> str:
    """Return an amount such as `US$ 1.234,50`, with a no-break space; small amounts keep two significant digits."""
    exact = _decimal(value)
    places = _money_places(exact)
    pattern = f"¤#,##0.{'0' * places};-¤#,##0.{'0' * places}"
    text = str(format_currency(_rounded(exact, places), currency, pattern, locale=LOCALE, currency_digits=False))
    symbol = LOCALE.currency_symbols.get(currency, currency)
    return text.replace(symbol, symbol + NBSP).replace(NBSP * 2, NBSP)


def number(value: Number, places: int = 0) -> str:
    """Return a number with decimal comma and thousands dot, without trailing zeros."""
    return _number(_rounded(value, places), places)


@lru_cache(maxsize=65536)
def _number(value: Decimal, places: int) -> str:
    pattern = f"#,##0.{'#' * places}" if places else "#,##0"
    return str(format_decimal(value, pattern, locale=LOCALE))


def quantity(value: Number, unit: str, places: int = 0) -> str:
    """Return a number and its unit joined by a no-break space, such as `80 GB`."""
    return f"{number(value, places)}{NBSP}{unit}"


def bandwidth(gb_s: float) -> str:
    """Return a memory bandwidth: `864 GB/s`, or `3,35 TB/s` from a thousand on."""
    return quantity(gb_s / 1000, "TB/s", 2) if gb_s >= 1000 else quantity(gb_s, "GB/s")


def exchange_rate(value: Number, currency: str = "BRL") -> str:
    """Return an exchange rate with the four decimals of the bulletin, such as `R$ 5,0007`."""
    symbol = LOCALE.currency_symbols.get(currency, currency)
    digits = format_decimal(_rounded(value, 4), "#,##0.0000", locale=LOCALE)
    return f"{symbol}{NBSP}{digits}"


def money_value(value: Number) -> Decimal:
    """Return the amount that `money` shows, as a number for tables that programs read."""
    exact = _decimal(value)
    return _rounded(exact, _money_places(exact))


def gibibytes(size_bytes: float) -> str:
    """Return bytes as GiB: one decimal below a hundred, none above."""
    size_gib = size_bytes / GIB
    return quantity(size_gib, "GiB", 1 if size_gib < 100 else 0)


def percent(fraction: Number, places: int = 0) -> str:
    """Return a fraction of one as a percentage, such as `35%`."""
    return f"{number(fraction * 100, places)}%"


def count(n: int, singular: str, plural: str) -> str:
    """Return a number and its noun in agreement, such as `1 oferta` or `1.234 ofertas`."""
    return f"{number(n)}{NBSP}{singular if n == 1 else plural}"


def words(items: Iterable[str]) -> str:
    """Return a list in words: `a, b e c`."""
    return format_list(list(items), locale=LOCALE)


def day_long(day: date) -> str:
    """Return a date such as `31 de janeiro de 2026`; the first of the month is `1º`."""
    text = format_date(day, "d 'de' MMMM 'de' y", locale=LOCALE)
    return f"1º{text[1:]}" if day.day == 1 else text


def day_short(day: date) -> str:
    """Return a date such as `31/01/2026`."""
    return format_date(day, "dd/MM/y", locale=LOCALE)


def moment(instant: datetime) -> str:
    """Return a UTC instant in Brasília time, zone written: `28 de fevereiro de 2025, 22h30 (Brasília)`."""
    local = instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(BRASILIA)
    return f"{day_long(local.date())}, {local:%Hh%M} (Brasília)"


def age(days: int) -> str:
    """Return how old something is, in words: `hoje`, `há 1 dia`, `há 190 dias`."""
    return "hoje" if days <= 0 else f"há {count(days, 'dia', 'dias')}"


@lru_cache(maxsize=512)
def country(code: str) -> str:
    """Return the Portuguese name of an ISO 3166-1 alpha-2 country, or the code itself when it is not known."""
    return str(LOCALE.territories.get(code, code))


def or_not_informed(text: str) -> str:
    """Return the text, or the words the site uses for what nobody published."""
    return text or NOT_INFORMED
