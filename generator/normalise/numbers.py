"""Numbers as sources write them: the decimal mark is declared, and nothing that does not fit it is mended."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

_SPACES = str.maketrans("", "", " \u00a0\u202f\u2009")
_FORMS = {
    ".": re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?([eE][-+]?\d+)?", re.ASCII),
    ",": re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?", re.ASCII),
}
_RANGE = re.compile(r"\s*(\S+?)\s*[-–]\s*(\S+)\s*")
_TOO_LARGE = 10**12  # no price, memory or count; only a damaged cell
_DECIMALS = Decimal("0.000001")


class UnreadableError(ValueError):
    """The text is no number in the format that the source declares."""


@lru_cache(maxsize=100_000)
def read_decimal(text: str, mark: str = ".") -> Decimal:
    """Return the number written with this decimal mark; groups of other than three digits are refused."""
    compact = text.strip().translate(_SPACES)
    if not _FORMS[mark].fullmatch(compact):
        raise UnreadableError(text)
    thousands = "," if mark == "." else "."
    value = Decimal(compact.replace(thousands, "").replace(",", "."))
    if abs(value) >= _TOO_LARGE:
        raise UnreadableError(text)
    return value


@lru_cache(maxsize=10_000)
def read_count(text: str) -> Decimal:
    """Return a count of GPUs; a slice may be written `1/6` or `0.125`, rounded to six decimals."""
    if "/" in text:
        try:
            share = Fraction(text.strip())
        except (ValueError, ZeroDivisionError):
            raise UnreadableError(text) from None
        return round_money(Decimal(share.numerator) / Decimal(share.denominator))
    return read_decimal(text)


@lru_cache(maxsize=10_000)
def read_least(text: str, mark: str = ".") -> Decimal:
    """Return a number, or the least of a range such as `24-30`: what one can count on."""
    found = _RANGE.fullmatch(text)
    return read_decimal(found[1] if found else text, mark)


def round_money(value: Decimal) -> Decimal:
    """Return the value rounded once, to six decimals; more than that is noise of the source's arithmetic."""
    return value.quantize(_DECIMALS).normalize()


def as_text(value: float) -> str:
    """Return a number of the dataset as CSV text: six decimals at most, no exponent; nothing for unknown."""
    if value != value:  # noqa: PLR0124 - NaN is the only value that differs from itself
        return ""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
