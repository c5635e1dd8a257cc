"""What one value of a table that people edit may be: each function turns what was typed into its type, or refuses.

The same rules hold in CSV and in YAML: numbers have a decimal point and no thousands, dates are `AAAA-MM-DD`,
addresses are https, and a name outside its closed list is refused with the closest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from generator.problems import did_you_mean

T = TypeVar("T")
Cell = Callable[[Any], T]

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_IDENTIFIER = re.compile(r"[a-z0-9]+([-_.][a-z0-9]+)*")
_HTTPS_URL = re.compile(r"""https://([a-z0-9-]+\.)+[a-z]{2,}(:\d+)?([/?#][^\s<>"'`\\]*)?""", re.ASCII | re.IGNORECASE)
_MONEY = re.compile(r"(US\$|R\$|€) (?=\d)")
_COUNTRY = re.compile(r"[A-Z]{2}")


class RefusedError(ValueError):
    """Says what was found, what was expected and what to do; `keys` lead to the item of a list."""

    def __init__(self, found: str, expected: str, todo: str, keys: tuple[int, ...] = ()) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.todo = todo
        self.keys = keys


def text(raw: Any) -> str:
    """Return the text as typed, without spaces around it."""
    if not isinstance(raw, str):
        raise RefusedError(kind_of(raw), "um texto", "escreva um texto, entre aspas se for true, false ou null")
    if raw != raw.strip():
        raise RefusedError(f"«{raw}» com espaço sobrando", "texto sem espaço antes ou depois", "apague o espaço")
    return raw


def sentence(raw: Any) -> str:
    """Return prose for the reader, with the no-break space that keeps a currency sign with its number."""
    return _MONEY.sub("\\1\u00a0", text(raw))


def identifier(raw: Any) -> str:
    """Return a key made of lower-case letters, digits and `-`, `_` or `.` between them."""
    if not _IDENTIFIER.fullmatch(text(raw)):
        raise RefusedError(f"«{raw}»", "letras minúsculas sem acento, algarismos e hífen", "reescreva o identificador")
    return str(raw)


def number(raw: Any) -> float:
    """Return a number written with a decimal point and no thousands separator."""
    return float(decimal(raw))


def decimal(raw: Any) -> Decimal:
    """Return a number exactly as written, for money and rates."""
    if _NUMBER.fullmatch(text(raw)):
        return Decimal(raw)
    todo = "troque a vírgula por ponto e tire o separador de milhar" if "," in raw else "escreva só algarismos e ponto"
    raise RefusedError(f"«{raw}»", "um número com ponto decimal, como 1234.5", todo)


def positive(raw: Any) -> float:
    """Return a number above zero; unknown is an empty value, never zero."""
    value = number(raw)
    if value <= 0:
        raise RefusedError(f"«{raw}»", "um número maior que zero", "corrija, ou deixe vazio se não se sabe")
    return value


def not_negative(raw: Any) -> float:
    """Return a number that may be zero."""
    value = number(raw)
    if value < 0:
        raise RefusedError(f"«{raw}»", "um número maior ou igual a zero", "corrija o sinal")
    return value


def integer(raw: Any) -> int:
    """Return a whole number."""
    value = decimal(raw)
    if value != int(value):
        raise RefusedError(f"«{raw}»", "um número inteiro", "escreva sem casas decimais")
    return int(value)


def day(raw: Any) -> date:
    """Return a day of the calendar written `AAAA-MM-DD`, quoted or not."""
    if not _DAY.fullmatch(text(raw)):
        raise RefusedError(f"«{raw}»", "uma data AAAA-MM-DD, como 2026-05-24", "escreva ano, mês e dia nessa ordem")
    try:
        return date.fromisoformat(raw)
    except ValueError:
        raise RefusedError(f"«{raw}», dia que não existe", "um dia do calendário", "corrija o dia ou o mês") from None


def https_url(raw: Any) -> str:
    """Return the address of a page a person can open."""
    if not _HTTPS_URL.fullmatch(text(raw)):
        raise RefusedError(f"«{raw}»", "um endereço completo que começa com https://", "copie o endereço da página")
    return str(raw)


def boolean(raw: Any) -> bool:
    """Return `true` or `false`; no other word is a yes or a no."""
    if isinstance(raw, bool):
        return raw
    if raw in {"true", "false"}:
        return bool(raw == "true")
    raise RefusedError(
        f"«{raw}»" if isinstance(raw, str) else kind_of(raw), "true ou false", "use true para sim, false para não"
    )


def country(raw: Any) -> str:
    """Return an ISO 3166-1 alpha-2 code in capitals."""
    if not _COUNTRY.fullmatch(text(raw)):
        raise RefusedError(f"«{raw}»", "código de país com duas letras maiúsculas, como BR", "use o código ISO 3166-1")
    return str(raw)


def one_of(valid: Collection[str]) -> Cell[str]:
    """Return a cell that takes only these names."""

    def cell(raw: Any) -> str:
        if text(raw) not in valid:
            raise RefusedError(f"«{raw}»", f"um destes: {', '.join(sorted(valid))}", did_you_mean(raw, valid))
        return str(raw)

    return cell


def set_of(valid: Collection[str]) -> Cell[tuple[str, ...]]:
    """Return a cell that takes names of the list separated by `;`, each once."""
    name = one_of(valid)

    def cell(raw: Any) -> tuple[str, ...]:
        names = [name(part) for part in text(raw).split(";")]
        if len(set(names)) < len(names):
            raise RefusedError(f"«{raw}» com nome repetido", "cada nome uma vez", "apague o repetido")
        return tuple(names)

    return cell


def list_of(item: Cell[T]) -> Cell[tuple[T, ...]]:
    """Return a cell that takes a YAML list whose items the given cell accepts."""

    def cell(raw: Any) -> tuple[T, ...]:
        if not isinstance(raw, list):
            raise RefusedError(kind_of(raw), "uma lista", "escreva um item por linha, com «- » antes")
        return tuple(_item(item, value, position) for position, value in enumerate(raw))

    return cell


def _item(item: Cell[T], value: Any, position: int) -> T:
    try:
        return item("" if value is None else value)
    except RefusedError as refused:
        refused.keys = (position, *refused.keys)
        raise


def kind_of(raw: Any) -> str:
    """Return what kind of value this is, in Portuguese."""
    if isinstance(raw, bool):
        return f"o valor lógico {str(raw).lower()}"
    if isinstance(raw, list):
        return "uma lista"
    if isinstance(raw, dict):
        return "um mapa de chaves"
    return f"o texto «{raw}»" if raw else "nada"
