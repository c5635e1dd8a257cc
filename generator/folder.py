"""Files of a project, read with every problem kept until it is time to raise them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

from generator import storage
from generator.problems import Problem, ProblemsError
from generator.text_files import decode

T = TypeVar("T")


class Folder:
    """Reads files of a project and keeps every problem until `done`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self.broken: set[str] = set()

    def text(self, path: str, missing: str | None = None) -> str:
        """Return the text of a file; a missing file is a problem, unless it is told what stands for it."""
        file = storage.current(self.root, path)
        if missing is not None and not file.is_file():
            return missing
        if not file.is_file():
            found = Problem(path, 0, 0, "arquivo ausente", "o arquivo da tabela", "recupere o arquivo do repositório")
            self.problems.append(found)
            return ""
        text, problems = decode(file.read_bytes(), path)
        self.problems += problems
        return text

    def texts(self, below: str, *patterns: str) -> dict[str, str]:
        """Return the text of every file below a folder that matches, by path."""
        files = sorted(file for pattern in patterns for file in (self.root / below).rglob(pattern))
        return {path: self.text(path) for path in (file.relative_to(self.root).as_posix() for file in files)}

    def parse(
        self,
        parse: Callable[..., tuple[T, list[Problem]]],
        path: str,
        *more: Any,
        needs: Iterable[str] = (),
        missing: str | None = None,
    ) -> T:
        """Return what a reader makes of a file; nothing where one of `needs` is broken (`done` raises)."""
        found = len(self.problems)
        text = self.text(path, missing)
        if len(self.problems) == found and not self.broken.intersection(needs):
            value, problems = parse(text, path, *more)
            self.problems += problems
        else:
            value = cast("T", None)
        if len(self.problems) > found or self.broken.intersection(needs):
            self.broken.add(path)
        return value

    def done(self) -> None:
        """Raise `ProblemsError` if anything was wrong."""
        if self.problems:
            raise ProblemsError(self.problems)
