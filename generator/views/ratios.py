"""Ratios in words."""

from __future__ import annotations

from generator import formatting as fmt

SAME = 0.02  # below this a difference is noise
TWICE = 1.95  # from here on a multiple reads better than a percentage


def more(larger: float, smaller: float, noun: str) -> str:
    """Return how much more one amount is, for a feminine noun: `35% mais memória`, `2,1 vezes a memória`."""
    ratio = larger / smaller
    return f"{fmt.number(ratio, 1)} vezes a {noun}" if ratio >= TWICE else f"{fmt.percent(ratio - 1)} mais {noun}"


def than(larger: float, smaller: float) -> str:
    """Return the word that joins `more` to a feminine noun: `da`, after a multiple, or `que a`."""
    return "da" if larger / smaller >= TWICE else "que a"


def difference(one: float, other: float) -> str:
    """Return the second amount seen from the first: `igual`, `+35%`, `−20%`, `2,1 ×`."""
    ratio = other / one
    if abs(ratio - 1) < SAME:
        return "igual"
    if ratio >= TWICE:
        return f"{fmt.number(ratio, 1)}{fmt.NBSP}×"
    return f"{'+' if ratio > 1 else '−'}{fmt.percent(abs(ratio - 1))}"
