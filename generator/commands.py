"""The commands: what each one takes and does. Each returns its text; `__main__` prints it."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generator import clock

_PROGRAM = Path(__file__).resolve().parent.parent  # MkDocs must run this very code, whatever project it builds


class UsageError(Exception):
    """The command was asked for something that does not exist; the message says what does."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command has to say and its exit code."""

    text: str = ""
    code: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its name, one line of help in Portuguese, its arguments and its function."""

    name: str
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Result]


def _root_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="pasta do projeto (padrão: a atual)")


def _format_argument(parser: argparse.ArgumentParser) -> None:
    _root_argument(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="formato da saída")


def _check(options: argparse.Namespace) -> Result:
    from generator.check import inspect  # noqa: PLC0415 - pandas is slow to load; --help must not wait for it
    from generator.problem_formats import FORMATS  # noqa: PLC0415
    from generator.problems import ProblemsError  # noqa: PLC0415

    found = inspect(options.root, clock.today())
    if options.format in FORMATS:
        return Result(FORMATS[options.format](found.problems), 1 if found.problems else 0)
    if found.problems:
        raise ProblemsError(found.problems)
    return Result(found.summary(with_figures=options.figures))


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    _root_argument(parser)
    formats = ("text", "json", "github", "sarif")
    parser.add_argument("--format", choices=formats, default="text", help="formato da saída")
    parser.add_argument("--figures", action="store_true", help="mostra também a leiturabilidade de cada página")


def _mkdocs(options: argparse.Namespace, *arguments: str) -> Result:
    """Run MkDocs as a program, so that only `hooks/` imports it; its own notices to users are of no use here."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(_PROGRAM)}
    done = subprocess.run(  # noqa: S603 - fixed arguments
        [sys.executable, "-m", "mkdocs", *arguments], cwd=options.root, env=environment, check=False
    )
    return Result(code=1 if done.returncode else 0)


def _build(options: argparse.Namespace) -> Result:
    """Build beside the site and put it in its place only when whole; `--quiet` would hide warnings from `--strict`."""
    site = options.root / options.site_dir
    beside = site.with_name(f".{site.name}.new")
    result = _mkdocs(options, "build", "--strict", "--site-dir", str(beside.absolute()))
    if result.code:
        shutil.rmtree(beside, ignore_errors=True)
    else:
        shutil.rmtree(site, ignore_errors=True)
        beside.rename(site)
    return result


def _build_arguments(parser: argparse.ArgumentParser) -> None:
    _root_argument(parser)
    parser.add_argument("--site-dir", type=Path, default=Path("site"), help="pasta de saída (padrão: site)")


def _serve(options: argparse.Namespace) -> Result:
    return _mkdocs(options, "serve", "--dev-addr", options.address)


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    _root_argument(parser)
    parser.add_argument("--address", default="127.0.0.1:8000", help="endereço local (padrão: 127.0.0.1:8000)")


def _refresh(options: argparse.Namespace) -> Result:
    from generator.refresh import SOURCES, refresh  # noqa: PLC0415 - pandas is slow to load

    known = [source.id for source in SOURCES]
    if options.only not in {None, *known}:
        raise UsageError(f"fonte “{options.only}” não existe; fontes: {', '.join(known)}")
    report = refresh(options.root, clock.now(), options.only, dry_run=options.dry_run)
    text = json.dumps(report.as_dict(), ensure_ascii=False) if options.format == "json" else report.summary()
    return Result(text, 1 if report.failed else 0)


def _refresh_arguments(parser: argparse.ArgumentParser) -> None:
    _format_argument(parser)
    parser.add_argument("--only", metavar="FONTE", help="lê só esta fonte e mantém as ofertas das outras")
    parser.add_argument("--dry-run", action="store_true", help="mostra o que mudaria, sem gravar nada")


def _offers(options: argparse.Namespace) -> Result:
    from generator import dataset  # noqa: PLC0415 - pandas is slow to load
    from generator.views import offer_search  # noqa: PLC0415

    data = dataset.load(options.root)
    wanted = offer_search.Wanted(options.gpu, options.max_usd_gpu_hour, options.region, options.pricing_model)
    found, problem = offer_search.search(data, wanted)
    if problem:
        raise UsageError(problem)
    text = offer_search.as_json(found) if options.format == "json" else offer_search.as_text(found, data)
    return Result(text)


def _offers_arguments(parser: argparse.ArgumentParser) -> None:
    _format_argument(parser)
    parser.add_argument("--gpu", help="id da GPU em data/gpus.csv, como h100-sxm")
    parser.add_argument("--max-usd-gpu-hour", type=float, metavar="US$", help="preço máximo por GPU-hora, em dólares")
    parser.add_argument("--region", metavar="REGIÃO", help="país (br) ou região do provedor (sa-east-1)")
    parser.add_argument("--pricing-model", metavar="MODALIDADE", help="on_demand, spot, reserved_1y…")


def _shortcodes(options: argparse.Namespace) -> Result:
    from generator.check import open_publisher  # noqa: PLC0415 - pandas is slow to load

    known = open_publisher(options.root, clock.today()).extension.evaluator.shortcodes
    lines = [f"{each.signature}\n    {'bloco' if each.is_block else 'na frase'}" for each in known.values()]
    return Result("\n".join(lines))


COMMANDS = (
    Command("build", "monta o site a partir de content/ e data/", _build_arguments, _build),
    Command("serve", "mostra o site no navegador e atualiza a cada arquivo salvo", _serve_arguments, _serve),
    Command("check", "confere dados e conteúdo e diz o que está errado", _check_arguments, _check),
    Command("refresh", "lê as fontes, confere e atualiza data/", _refresh_arguments, _refresh),
    Command("offers", "procura ofertas no conjunto de dados", _offers_arguments, _offers),
    Command("shortcodes", "lista os shortcodes que o Markdown aceita", _root_argument, _shortcodes),
)
