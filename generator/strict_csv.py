"""CSV for tables that people edit: every cell is text, every row has every column, and every cell knows its place."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generator.problems import Problem, did_you_mean


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The rows that have the right shape; a cell is the text as typed (`NA` is text), empty when unknown."""

    path: str
    columns: tuple[str, ...] = ()
    rows: tuple[dict[str, str], ...] = ()
    lines: tuple[int, ...] = ()  # where each row starts
    text: str = field(default="", repr=False)

    def at(self, row: int, column: str) -> tuple[int, int]:
        """Return line and column, from 1, where the cell begins; the start of the row for an unknown column."""
        position = self.columns.index(column) if column in self.columns else 0
        return _cell_place(self.text, self.lines[row], position)


def read_csv(text: str, path: str, columns: Sequence[str]) -> tuple[CsvTable, list[Problem]]:
    """Return the rows under exactly `columns`, in any order, and every problem of form.

    A wrong header leaves no row, because no cell could be trusted; a row of the wrong length leaves only itself out.
    """
    text = text.removeprefix("\ufeff")
    problems: list[Problem] = []
    records = _records(text, path, problems)
    line, header = next(records, (0, []))
    wrong = _header_problems(header, columns, path, line)
    if wrong:
        return CsvTable(path, text=text), problems + wrong
    kept = []
    for start, cells in records:
        if len(cells) == len(header):
            kept.append((start, dict(zip(header, cells, strict=True))))
        else:
            problems.append(_wrong_length(path, start, len(cells), len(header)))
    return CsvTable(path, tuple(header), tuple(row for _, row in kept), tuple(at for at, _ in kept), text), problems


def _records(text: str, path: str, problems: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line and the cells of each record; blank lines are not records."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    start = 1
    try:
        for cells in reader:
            if cells:
                yield start, cells
            start = reader.line_num + 1
    except csv.Error:
        problems.append(
            Problem(
                path,
                start,
                0,
                "aspas soltas ou não fechadas; daqui em diante nada foi lido",
                'célula com vírgula ou aspas escrita "assim", com aspas internas dobradas ("")',
                "feche as aspas ou dobre as que fazem parte do texto",
            )
        )


def _header_problems(header: list[str], columns: Sequence[str], path: str, line: int) -> list[Problem]:
    expected = f"as colunas {', '.join(columns)}"
    if not header:
        return [Problem(path, 0, 0, "arquivo sem cabeçalho", expected, "escreva a linha de cabeçalho")]
    if len(header) == 1 and ";" in header[0]:
        return [
            Problem(path, line, 1, "colunas separadas por ponto e vírgula", "vírgula", "salve separado por vírgulas")
        ]
    problems = []
    for position, name in enumerate(header):
        if name not in columns:
            missing = [column for column in columns if column not in header]
            todo = did_you_mean(name, missing) if missing else "apague a coluna"
            problems.append(Problem(path, line, 0, f"coluna desconhecida «{name}»", expected, todo))
        elif name in header[:position]:
            problems.append(
                Problem(path, line, 0, f"coluna «{name}» repetida", expected, "apague ou renomeie uma delas")
            )
    absent = [column for column in columns if column not in header]
    if absent and not problems:
        found = f"falta a coluna {', '.join(f'«{column}»' for column in absent)}"
        problems.append(Problem(path, line, 0, found, expected, "acrescente a coluna ao cabeçalho e às linhas"))
    return problems


def _wrong_length(path: str, line: int, found: int, expected: int) -> Problem:
    todo = (
        "ponha entre aspas a célula que tem vírgula, ou apague a vírgula que sobra"
        if found > expected
        else "acrescente as vírgulas das células vazias"
    )
    return Problem(path, line, 0, f"linha com {found} células", f"{expected} células, como no cabeçalho", todo)


def _cell_place(text: str, line: int, position: int) -> tuple[int, int]:
    """Return line and column of the cell at `position` (from 0) in the record that starts at `line`."""
    rows = io.StringIO(text, newline="").readlines()[line - 1 :]
    quoted, seen = False, 0
    for row_number, row in enumerate(rows):
        if not quoted and seen == position:
            return line + row_number, 1
        for column, character in enumerate(row):
            if character == '"':
                quoted = not quoted
            elif character == "," and not quoted:
                seen += 1
                if seen == position:
                    return line + row_number, column + 2
    return line, 1
