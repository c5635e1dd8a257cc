"""The commands that make, show and check the site."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from generator import clock
from generator.commands.base import Command, Result, root_argument

_PROGRAM = Path(__file__).resolve().parents[2]  # MkDocs must run this very code, whatever project it builds


def _check(options: argparse.Namespace) -> Result:
    from generator.check import inspect  # noqa: PLC0415 - pandas is slow to load; --help must not wait for it
    from generator.problem_formats import FORMATS  # noqa: PLC0415
    from generator.problems import ProblemsError  # noqa: PLC0415
    from generator.views.reais import notices  # noqa: PLC0415

    found = inspect(options.root, clock.today())
    if options.format in FORMATS:
        return Result(FORMATS[options.format](found.problems), 1 if found.problems else 0)
    if found.problems:
        raise ProblemsError(found.problems)
    said = notices(found.publisher.site.data, clock.today()) if found.publisher else []
    return Result("\n".join([*said, found.summary(with_figures=options.figures)]))


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    root_argument(parser)
    formats = ("text", "json", "github", "sarif")
    parser.add_argument("--format", choices=formats, default="text", help="formato da saída")
    parser.add_argument("--figures", action="store_true", help="mostra também a leiturabilidade de cada página")


def _environment() -> dict[str, str]:
    """Return the environment of MkDocs, without its own notices to users, of no use here."""
    return {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(_PROGRAM)}


def _build(options: argparse.Namespace) -> Result:
    """Build beside the site and put it in its place only when whole.

    Not with `--quiet`, which hides from `--strict` the warnings that it counts; what says nothing new is left out here.
    """
    site = (options.root / options.site_dir).absolute()
    beside = site.with_name(f".{site.name}.new")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(beside)]
    done = subprocess.run(  # noqa: S603 - fixed arguments
        command, cwd=options.root, env=_environment(), capture_output=True, text=True, check=False
    )
    told = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("INFO")]
    if done.returncode:
        shutil.rmtree(beside, ignore_errors=True)
        return Result("\n".join(told), 1)
    shutil.rmtree(site, ignore_errors=True)
    beside.rename(site)
    return Result("\n".join(told))


def _build_arguments(parser: argparse.ArgumentParser) -> None:
    root_argument(parser)
    parser.add_argument("--site-dir", type=Path, default=Path("site"), help="pasta de saída (padrão: site)")


def _serve(options: argparse.Namespace) -> Result:
    command = [sys.executable, "-m", "mkdocs", "serve", "--no-strict", "--dev-addr", options.address]
    done = subprocess.run(command, cwd=options.root, env=_environment(), check=False)  # noqa: S603
    return Result(code=1 if done.returncode else 0)


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    root_argument(parser)
    parser.add_argument("--address", default="127.0.0.1:8000", help="endereço local (padrão: 127.0.0.1:8000)")


def _shortcodes(options: argparse.Namespace) -> Result:
    from generator.check import open_publisher  # noqa: PLC0415 - pandas is slow to load

    known = open_publisher(options.root, clock.today()).extension.evaluator.shortcodes
    lines = [f"{each.signature}\n    {'bloco' if each.is_block else 'na frase'}" for each in known.values()]
    return Result("\n".join(lines))


COMMANDS = (
    Command("build", "monta o site a partir de content/ e data/", _build_arguments, _build),
    Command("serve", "mostra o site no navegador e atualiza a cada arquivo salvo", _serve_arguments, _serve),
    Command("check", "confere dados e conteúdo e diz o que está errado", _check_arguments, _check),
    Command("shortcodes", "lista os shortcodes que o Markdown aceita", root_argument, _shortcodes),
)
