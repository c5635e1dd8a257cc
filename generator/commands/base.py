"""What every command is, and the arguments that many share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class UsageError(Exception):
    """The command was asked for something that does not exist; the message says what does."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command has to say and its exit code."""

    text: str = ""
    code: int = 0


class Progress(Protocol):
    """One more source was fetched, of so many."""

    source: str
    done: int
    total: int
    failed: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its name, one line of help in Portuguese, its arguments and its function."""

    name: str
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Result]


def root_argument(parser: argparse.ArgumentParser) -> None:
    """Let a command be told where the project is."""
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="pasta do projeto (padrão: a atual)")


def format_argument(parser: argparse.ArgumentParser) -> None:
    """Let a command answer people or programs."""
    root_argument(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="formato da saída")
