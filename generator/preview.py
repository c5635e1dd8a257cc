"""The publisher of a build, or of a preview that outlives a broken file and shows what is wrong with it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from generator.check import inspect
from generator.pages.publisher import Publisher
from generator.problems import Problem, ProblemsError


class Opener:
    """Opens the publisher again and again; one for the whole life of the program."""

    def __init__(self) -> None:
        self.is_preview = False
        self._last: Publisher | None = None

    def publisher(self, root: Path, today: date) -> tuple[Publisher, list[Problem]]:
        """Return a publisher, and in a preview what is wrong meanwhile; with broken tables, the last one that worked.

        Raises:
            ProblemsError: with every problem, in a build, or in a preview that never had a publisher.
        """
        found = inspect(root, today)
        publisher = found.publisher or self._last
        if publisher is None or (found.problems and not self.is_preview):
            raise ProblemsError(found.problems)
        self._last = publisher
        return publisher, found.problems
