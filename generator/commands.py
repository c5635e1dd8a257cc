"""The commands: what each one takes and does. Each returns its text; `__main__` prints it."""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generator import clock
from generator.problems import Problem, ProblemsError

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
    from generator.views.reais import notices  # noqa: PLC0415

    found = inspect(options.root, clock.today())
    if options.format in FORMATS:
        return Result(FORMATS[options.format](found.problems), 1 if found.problems else 0)
    if found.problems:
        raise ProblemsError(found.problems)
    said = notices(found.publisher.site.data, clock.today()) if found.publisher else []
    return Result("\n".join([*said, found.summary(with_figures=options.figures)]))


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    _root_argument(parser)
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
    _root_argument(parser)
    parser.add_argument("--site-dir", type=Path, default=Path("site"), help="pasta de saída (padrão: site)")


def _serve(options: argparse.Namespace) -> Result:
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", options.address]
    done = subprocess.run(command, cwd=options.root, env=_environment(), check=False)  # noqa: S603
    return Result(code=1 if done.returncode else 0)


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


def _whole_number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"“{text}” não serve; escreva um número inteiro a partir de 1, como 4096")
    return int(text)


def _file(path: Path | None) -> tuple[str, str] | None:
    """Return the text and the name of a file given on the command line."""
    from generator import dataset  # noqa: PLC0415 - pandas is slow to load

    if path is None:
        return None
    if not path.is_file():
        raise UsageError(f"arquivo “{path}” não existe")
    return dataset.text_of(path), str(path)


def _size(options: argparse.Namespace) -> Result:
    from generator import dataset  # noqa: PLC0415 - pandas is slow to load
    from generator.sizing.options import UnknownNameError  # noqa: PLC0415
    from generator.sizing.resolve import CannotComputeError  # noqa: PLC0415
    from generator.views import size_report, size_request  # noqa: PLC0415

    if not options.method:
        raise UsageError("diga o método com --method, como --method qlora (a lista está em data/sizing/methods.csv)")
    if bool(options.model) == bool(options.config):
        raise UsageError("diga o modelo ou um --config, um dos dois")
    names = {name: getattr(options, name) for name, _ in _SIZE_CHOICES}
    sizes = {"context": options.seq, "batch": options.batch}
    asked = size_request.Asked(options.model, **names, **sizes, offload=options.offload, config=_file(options.config))
    data = dataset.load(options.root)
    try:
        answer = size_report.report(size_request.request_of(asked, data), data)
    except (UnknownNameError, CannotComputeError) as error:
        raise UsageError(str(error)) from error
    return Result(size_report.as_json(answer) if options.format == "json" else size_report.as_text(answer, data))


_SIZE_CHOICES = (
    ("method", "como treinar ou servir: qlora, lora, ajuste-completo, inferencia-4bit… (data/sizing/methods.csv)"),
    ("profile", "framework cujas contas valem: hf-trainer, torchtune, vllm… (data/sizing/profile_names.csv)"),
    ("optimizer", "estados do otimizador: amp-master, bf16-foreach, adam8bit… (data/sizing/states.csv)"),
    ("checkpointing", "ativações guardadas: nenhum, seletivo ou completo"),
    ("loss", "cálculo da perda: naive_fp32, fused_ce, cut-cross-entropy… (data/sizing/losses.csv)"),
    ("kv_dtype", "precisão do cache KV: bf16, fp8 ou int8"),
    ("cache_policy", "janelas no cache: ciente (desconta) ou uniforme (toda camada paga o contexto inteiro)"),
)


def _size_arguments(parser: argparse.ArgumentParser) -> None:
    _format_argument(parser)
    parser.add_argument("model", nargs="?", default="", metavar="MODELO", help="id do modelo em data/models.csv")
    config = "config.json do Hugging Face, para um modelo fora da tabela"
    parser.add_argument("--config", type=Path, metavar="ARQUIVO", help=config)
    parser.add_argument("--seq", type=_whole_number, default=4096, metavar="TOKENS", help="contexto (padrão: 4096)")
    parser.add_argument(
        "--batch", type=_whole_number, default=1, metavar="N", help="sequências por GPU, ou requisições (padrão: 1)"
    )
    for name, text in _SIZE_CHOICES:
        parser.add_argument(f"--{name.replace('_', '-')}", default="", metavar="NOME", help=text)
    offload = "o que sai da GPU: otimizador, ativações ou pesos; pode repetir"
    parser.add_argument("--offload", action="append", default=[], metavar="NOME", help=offload)


def _score(options: argparse.Namespace) -> Result:
    from generator import dataset  # noqa: PLC0415 - pandas is slow to load
    from generator.sizing.cases import parse_cases  # noqa: PLC0415
    from generator.sizing.predict import Library  # noqa: PLC0415
    from generator.sizing.score import score  # noqa: PLC0415
    from generator.views import score_report  # noqa: PLC0415

    file = _file(options.cases)
    assert file is not None
    tables = dataset.load_tables(options.root)
    try:
        cases = parse_cases(file[0])
    except csv.Error as error:
        todo = "exporte a tabela de novo como CSV separado por vírgulas"
        raise ProblemsError([Problem(file[1], 0, 0, f"CSV ilegível ({error})", "um CSV", todo)]) from error
    rows = score(cases, Library(tables.models, tables.knowledge, tables.gpus))
    return Result(score_report.json_text(rows) if options.format == "json" else score_report.as_text(rows))


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    _format_argument(parser)
    columns = "CSV com as colunas de data/sizing/reference_cases.csv; as que faltarem contam como vazias"
    parser.add_argument("cases", type=Path, metavar="CASOS.csv", help=columns)


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
    Command("size", "calcula a memória de um modelo, onde cabe e quanto custa", _size_arguments, _size),
    Command("score", "compara as contas com medições publicadas", _score_arguments, _score),
    Command("shortcodes", "lista os shortcodes que o Markdown aceita", _root_argument, _shortcodes),
)
