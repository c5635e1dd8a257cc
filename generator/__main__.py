"""Command line: `python -m generator …`, also installed as `guia`. The only module that prints."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from generator.commands import COMMANDS, Progress, UsageError
from generator.commands.portuguese import speak
from generator.problems import ProblemsError


def _parser() -> argparse.ArgumentParser:
    speak()
    parser = argparse.ArgumentParser(prog="guia", description="Guia GPU na Nuvem: dados, páginas e dimensionamento.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="comando")
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.help, description=command.help)
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def _tell(progress: Progress) -> None:
    """Say on the error stream that one more source is through: one moving line on a terminal, plain lines elsewhere."""
    state = "falhou" if progress.failed else "lida"
    text = f"[{progress.done}/{progress.total}] {progress.source}: {state}"
    if not sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
        return
    end = "\n" if progress.done == progress.total else ""
    print(f"\r\033[K{text}", end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0 on success, 1 when data or content have problems, 2 on wrong usage."""
    options = _parser().parse_args(arguments)
    options.tell = _tell
    try:
        result = options.run(options)
    except ProblemsError as error:
        print(error, file=sys.stderr)
        return 1
    except UsageError as error:
        print(f"guia {options.command}: {error}", file=sys.stderr)
        return 2
    if result.text:
        _say(result.text)
    return int(result.code)


def _say(text: str) -> None:
    """Print an answer; a reader that stops listening, such as `head`, is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
