"""What is wrong with data or content, said to an editor in Portuguese."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend: where it is, what was found, what was expected and what to do.

    `path` is relative to the project; `line` and `column` count from 1, and 0 means the whole file. `rule` is the rule
    of prose that a line can silence, empty where none can.
    """

    path: str
    line: int
    column: int
    found: str
    expected: str
    todo: str
    rule: str = ""

    @property
    def message(self) -> str:
        """Return `encontrado — esperado — o que fazer`, and the rule that can be silenced, if it is one."""
        return f"{self.found} — {self.expected} — {self.todo}{f' [{self.rule}]' if self.rule else ''}"

    def __str__(self) -> str:
        """Return `arquivo:linha:coluna: encontrado — esperado — o que fazer`."""
        place = ":".join([self.path, *(str(number) for number in (self.line, self.column) if number)])
        return f"{place}: {self.message}"

    def as_dict(self) -> dict[str, object]:
        """Return the problem as plain values, for programs."""
        return asdict(self)


class ProblemsError(Exception):
    """Raised once with everything that was found, so that an editor mends it in one go."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(set(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return what to do about a name that is not in a closed list: the closest valid one, or all of them."""
    options = sorted(valid)
    by_folded = {option.casefold(): option for option in options}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    if close:
        return f"troque por «{by_folded[close[0]]}», se for o que quis dizer"
    return f"use um destes: {', '.join(options)}"
