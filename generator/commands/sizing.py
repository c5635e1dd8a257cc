"""The commands that compute memory, speed and cost, and how far they are from measurements."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from generator.commands.base import Command, Result, UsageError, format_argument
from generator.problems import Problem, ProblemsError


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
        request = size_request.request_of(asked, data)
        if options.tokens and request.method.task == "inference":
            raise UsageError("--tokens é de treino; o custo de servir já sai por milhão de tokens")
        answer = size_report.report(request, data, options.tokens)
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
    format_argument(parser)
    parser.add_argument("model", nargs="?", default="", metavar="MODELO", help="id do modelo em data/models.csv")
    config = "config.json do Hugging Face, para um modelo fora da tabela"
    parser.add_argument("--config", type=Path, metavar="ARQUIVO", help=config)
    parser.add_argument("--seq", type=_whole_number, default=4096, metavar="TOKENS", help="contexto (padrão: 4096)")
    parser.add_argument(
        "--batch", type=_whole_number, default=1, metavar="N", help="sequências por GPU, ou requisições (padrão: 1)"
    )
    run = "tokens de treino da execução inteira, para horas e custo, inclusive em spot"
    parser.add_argument("--tokens", type=_whole_number, default=0, metavar="N", help=run)
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
    format_argument(parser)
    columns = "CSV com as colunas de data/sizing/reference_cases.csv; as que faltarem contam como vazias"
    parser.add_argument("cases", type=Path, metavar="CASOS.csv", help=columns)


COMMANDS = (
    Command("size", "calcula a memória de um modelo, onde cabe e quanto custa", _size_arguments, _size),
    Command("score", "compara as contas com medições publicadas", _score_arguments, _score),
)
