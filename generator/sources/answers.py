"""What every live adapter does with an answer: join pages, read strictly, keep each value as the source wrote it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NoReturn

from generator.sources.failure import SourceError, start_of
from generator.sources.raw import RawOffer

GIB_IN_MIB = Fraction(1, 1024)
GIB_IN_BYTES = Fraction(1, 2**30)
_PLAIN = re.compile(r"\d{1,15}(\.\d{1,15})?", re.ASCII)
_TODO = "Compare a resposta com a descrição no leitor da fonte e ajuste um ou outro"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A row that the source gives and that is no offer for the guide, with the reason's key."""

    record: str
    reason: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """Every row of an answer: the offers, for `normalise` to judge, and the rows left out here."""

    offers: tuple[RawOffer, ...]
    dropped: tuple[Dropped, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[RawOffer | Dropped]) -> Parsed:
        """Return the rows sorted by what they are."""
        kept = list(rows)
        return cls(
            tuple(row for row in kept if isinstance(row, RawOffer)),
            tuple(row for row in kept if isinstance(row, Dropped)),
        )

    @property
    def rows_read(self) -> int:
        """Return how many rows the answer had."""
        return len(self.offers) + len(self.dropped)

    def observed(self, moment: str) -> Parsed:
        """Return the same rows, those that carry no date of their own seen at this moment (ISO 8601)."""
        dated = (row if row.observed_on else replace(row, observed_on=moment) for row in self.offers)
        return replace(self, offers=tuple(dated))


def fail(source: str, problem: str, body: bytes = b"") -> NoReturn:
    """Refuse the whole answer."""
    raise SourceError(source, problem, _TODO, start=start_of(body))


def read_json(source: str, payload: bytes) -> Any:
    """Return a JSON document in which every number is the text that the source wrote."""
    try:
        return json.loads(
            payload, parse_float=str, parse_int=str, parse_constant=_no_constant, object_pairs_hook=_no_repeated_key
        )
    except (ValueError, RecursionError) as error:
        fail(source, f"JSON cortado ou inválido: {error}", payload)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} não é um número")


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("chave repetida")
    return found


def joined(pages: Iterable[bytes]) -> bytes:
    """Return one JSON document with the pages as they came."""
    return b'{"pages":[' + b",".join(pages) + b"]}"


def walk(
    source: str, start: str, fetch: Callable[[str], bytes], following: Callable[[list[Any]], str], most: int
) -> bytes:
    """Return all pages joined, from `start` on; `following` reads the next one's key from those so far, or nothing."""
    bodies: list[bytes] = []
    pages: list[Any] = []
    seen: set[str] = set()
    key = start
    while True:
        if key in seen or len(pages) == most:
            fail(source, f"a paginação não termina ({len(pages)} páginas lidas)")
        seen.add(key)
        bodies.append(fetch(key))
        pages.append(read_json(source, bodies[-1]))
        key = following(pages)
        if not key:
            return joined(bodies)


def rows_at(source: str, document: Any, name: str, needed: Collection[str]) -> list[dict[str, Any]]:
    """Return the objects of a list; a key that none of them has means that the format changed."""
    rows = _list_at(source, document, name)
    _check_rows(source, rows, name, needed)
    return rows


def paged_rows(
    source: str, document: Any, name: str, needed: Collection[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the pages of a joined document, and the rows of all of them."""
    pages = rows_at(source, document, "pages", ())
    rows = [row for page in pages for row in _list_at(source, page, name)]
    _check_rows(source, rows, name, needed)
    return pages, rows


def _list_at(source: str, document: Any, name: str) -> list[dict[str, Any]]:
    rows = under(document, name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        fail(source, f"falta a lista «{name}», ou ela não é de objetos", json.dumps(document)[:1000].encode())
    return rows


def _check_rows(source: str, rows: list[dict[str, Any]], name: str, needed: Collection[str]) -> None:
    if not rows:
        fail(source, f"a lista «{name}» veio vazia")
    for key in needed:
        if not any(key in row for row in rows):
            fail(source, f"nenhuma linha de «{name}» tem o campo «{key}»", json.dumps(rows[0]).encode())


def whole(source: str, rows: list[dict[str, Any]], totals: Iterable[Any], key: Callable[[dict[str, Any]], Any]) -> None:
    """Refuse an answer that has fewer or more rows than a page of it says, or the same row twice (a page repeated)."""
    for total in map(text, totals):
        if total != str(len(rows)):
            fail(source, f"vieram {len(rows)} linhas, e a fonte diz que são {total or 'quantas não se sabe'}")
    once(source, rows, key)


def once(source: str, rows: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], Any]) -> None:
    """Refuse an answer with the same row twice."""
    seen: set[Any] = set()
    for row in rows:
        if key(row) in seen:
            fail(source, f"linha repetida: {key(row)}")
        seen.add(key(row))


def text(value: Any) -> str:
    """Return a value as the source wrote it; `null` and absent are empty, and what is no scalar stays unreadable."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def under(row: Any, *names: str) -> Any:
    """Return what is under a path of keys, `None` where a step is missing."""
    for name in names:
        row = row.get(name) if isinstance(row, dict) else None
    return row


def first(items: Any) -> Any:
    """Return the first item of a list, `None` where there is none."""
    return items[0] if isinstance(items, list) and items else None


def number(value: Any) -> Fraction | None:
    """Return a plain number without sign or exponent, `None` for anything else."""
    raw = text(value)
    return Fraction(raw) if _PLAIN.fullmatch(raw) else None


def scaled(value: Any, factor: Fraction) -> str:
    """Return a size in another unit, or the text as it is where it is no plain number."""
    size = number(value)
    return text(value) if size is None else f"{float(size * factor):.6f}".rstrip("0").rstrip(".")


def above_zero(value: Any) -> bool:
    """Tell whether a count or a price says that there is something."""
    try:
        return Decimal(text(value)) > 0
    except InvalidOperation:
        return False


def read_csv(source: str, content: str, needed: Collection[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV by column name; a row of another width, as a cut last line, refuses the whole file."""
    lines = csv.reader(io.StringIO(content, newline=""), strict=True)
    try:
        header, *rows = [line for line in lines if line]
    except (ValueError, csv.Error) as error:
        fail(source, f"CSV ilegível: {error}", content[:1000].encode())
    missing = sorted(set(needed) - set(header))
    if missing or len(set(header)) < len(header):
        fail(source, f"o cabeçalho não tem {', '.join(missing) or 'nomes únicos'}", ",".join(header).encode())
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            fail(source, f"linha {number} com {len(row)} de {len(header)} colunas", ",".join(row).encode())
    if not content.endswith("\n"):
        fail(source, "CSV sem a quebra de linha final: pode estar cortado", content[-200:].encode())
    return [dict(zip(header, row, strict=True)) for row in rows]
