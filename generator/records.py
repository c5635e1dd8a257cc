"""Rows of a CSV and mappings of a YAML, read field by field into typed objects, with every problem noted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast, overload

from generator.cells import Cell, RefusedError, kind_of
from generator.problems import Problem, did_you_mean
from generator.strict_csv import read_csv
from generator.strict_yaml import read_yaml

T = TypeVar("T")
D = TypeVar("D")
K = TypeVar("K", bound=Hashable)


class _Place(Protocol):
    def __call__(self, *keys: str | int, of_key: bool = False) -> tuple[int, int]: ...


class Record:
    """One row or mapping being read. Asking for a field declares it: a field that nobody asked for is unknown."""

    def __init__(self, path: str, values: Any, place: _Place, problems: Iterable[Problem] = ()) -> None:
        """Take what was read; where it is no mapping, `problems` says so and absent fields are no further problems."""
        self.path = path
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        self._broken = not isinstance(values, dict)
        self._place = place
        self._asked: dict[str, None] = {}
        self._noted = list(problems)
        self._children: list[Record] = []

    @property
    def problems(self) -> list[Problem]:
        """Return everything wrong with this record and those under it; to be read after all fields were asked for."""
        below = [problem for child in self._children for problem in child.problems]
        return [*self._noted, *self._unknown_fields(), *below]

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the names of the fields that are there, for a mapping whose keys are ids."""
        return tuple(self._values)

    def need(self, name: str, cell: Cell[T]) -> T:
        """Return a value that must be there; after a problem, a stand-in (`None`) that `build` does not let through."""
        if self._raw(name) is None:
            self.note(name, f"«{name}» vazio ou ausente", "campo preenchido", "preencha o campo")
        return cast("T", self.maybe(name, cell))

    @overload
    def maybe(self, name: str, cell: Cell[T]) -> T | None: ...
    @overload
    def maybe(self, name: str, cell: Cell[T], unknown: D) -> T | D: ...
    def maybe(self, name: str, cell: Cell[T], unknown: D | None = None) -> T | D | None:
        """Return a value, or `unknown` where the field is empty or absent."""
        raw = self._raw(name)
        if raw is None:
            return unknown
        try:
            return cell(raw)
        except RefusedError as refused:
            self.note((name, *refused.keys), f"«{name}» é {refused.found}", refused.expected, refused.todo)
            return unknown

    def child(self, name: str) -> Record:
        """Return the mapping under `name`; when there is none, that is one problem and its fields are not more."""
        return self._under((name,), self._raw(name))

    def children(self, name: str) -> list[Record]:
        """Return each mapping of the list under `name`; no list, no children."""
        raw = self._raw(name)
        if raw is not None and not isinstance(raw, list):
            self.note(name, f"«{name}» é {kind_of(raw)}", "uma lista", "escreva um item por linha, com «- » antes")
        return [self._under((name, number), value) for number, value in enumerate(raw if isinstance(raw, list) else [])]

    def note(
        self, at: str | tuple[str | int, ...], found: str, expected: str, todo: str, *, of_key: bool = False
    ) -> None:
        """Note a problem at a field of this record; public for rules that look at more than one field."""
        line, column = self.place(*((at,) if isinstance(at, str) else at), of_key=of_key)
        if not self._broken:
            self._noted.append(Problem(self.path, line, column, found, expected, todo))

    def place(self, *keys: str | int, of_key: bool = False) -> tuple[int, int]:
        """Return line and column of the value under `keys`, or of the record itself."""
        return self._place(*keys, of_key=of_key)

    def _raw(self, name: str) -> Any:
        self._asked[name] = None
        raw = self._values.get(name)
        return None if raw == "" else raw

    def _under(self, keys: tuple[str | int, ...], raw: Any) -> Record:
        def place(*more: str | int, of_key: bool = False) -> tuple[int, int]:
            return self._place(*keys, *more, of_key=of_key and bool(more))

        wrong = [] if isinstance(raw, dict) or self._broken else [_not_a_mapping(self.path, place(), raw)]
        child = Record(self.path, raw, place, wrong)
        self._children.append(child)
        return child

    def _unknown_fields(self) -> list[Problem]:
        absent = [name for name in self._asked if name not in self._values]
        expected = f"um destes campos: {', '.join(self._asked)}"
        return [
            Problem(
                self.path,
                *self.place(name, of_key=True),
                f"campo desconhecido «{name}»",
                expected,
                did_you_mean(name, absent) if absent else "apague o campo",
            )
            for name in self._values
            if name not in self._asked
        ]


def csv_records(text: str, path: str, columns: Sequence[str]) -> tuple[list[Record], list[Problem]]:
    """Return one record per row of a table with exactly these columns, and the problems of its form."""
    table, problems = read_csv(text, path, columns)

    def place_in(row: int) -> _Place:
        def place(*keys: str | int, of_key: bool = False) -> tuple[int, int]:
            return table.at(row, str(keys[0]) if keys and not of_key else "")

        return place

    return [Record(path, dict(row), place_in(number)) for number, row in enumerate(table.rows)], problems


def yaml_record(text: str, path: str, first_line: int = 1) -> Record:
    """Return the mapping that a YAML file is, with the problems of its form; `first_line` is for front matter."""
    document, problems = read_yaml(text, path, first_line)

    def place(*keys: str | int, of_key: bool = False) -> tuple[int, int]:
        return document.at_key(*keys) if of_key else document.at(*keys)

    if not problems and not isinstance(document.value, dict):
        problems = [_not_a_mapping(path, place(), document.value)]
    return Record(path, document.value, place, problems)


def _not_a_mapping(path: str, place: tuple[int, int], raw: Any) -> Problem:
    return Problem(path, *place, kind_of(raw), "um mapa de chaves", "escreva «chave: valor», uma por linha")


def build(records: Iterable[Record], make: Callable[[Record], T]) -> tuple[list[T], list[Problem]]:
    """Return what `make` reads from each record without problems, and the problems of the others."""
    built, problems = [], []
    for record in records:
        item = make(record)
        if record.problems:
            problems += record.problems
        else:
            built.append(item)
    return built, problems


def build_keyed(
    records: Iterable[Record], make: Callable[[Record], T], key: Callable[[T], K], field: str = "id"
) -> tuple[dict[K, T], list[Problem]]:
    """Return what `build` returns, by key; a repeated key is a problem of the later record, naming the first line."""
    lines: dict[K, int] = {}
    items: dict[K, T] = {}

    def once(record: Record) -> T:
        item = make(record)
        if not record.problems:
            name = key(item)
            if name in lines:
                shown = " / ".join(name) if isinstance(name, tuple) else name
                record.note(
                    field,
                    f"{shown} repetido (já na linha {lines[name]})",
                    "cada um uma vez só",
                    "junte as duas linhas ou apague a que sobra",
                )
            else:
                lines[name] = record.place()[0]
                items[name] = item
        return item

    return items, build(records, once)[1]
