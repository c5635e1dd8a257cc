"""The commands that refresh and search the dataset."""

from __future__ import annotations

import argparse
import json

from generator import clock
from generator.commands.base import Command, Result, UsageError, format_argument

CURATED = "curated"


def _refresh(options: argparse.Namespace) -> Result:
    from generator.refresh import run  # noqa: PLC0415 - pandas is slow to load
    from generator.storage import BusyError  # noqa: PLC0415

    known = run.names(options.root)
    if options.only not in {None, *known}:
        raise UsageError(f"fonte “{options.only}” não existe; fontes: {', '.join(known)}")
    if options.offline and options.only not in {None, CURATED}:
        raise UsageError(f"--offline só relê data/curated, e não “{options.only}”: tire --offline ou --only")
    flags = {"dry_run": options.dry_run, "offline": options.offline}
    try:
        report = run.run(options.root, clock.now(), options.only, tell=options.tell, **flags)
    except BusyError as busy:
        return Result(str(busy), 1)
    text = json.dumps(report.as_dict(), ensure_ascii=False) if options.format == "json" else report.summary()
    return Result(text, 1 if report.failed else 0)


def _refresh_arguments(parser: argparse.ArgumentParser) -> None:
    format_argument(parser)
    parser.add_argument("--only", metavar="FONTE", help="lê só esta fonte e mantém as ofertas das outras")
    parser.add_argument("--dry-run", action="store_true", help="mostra o que mudaria, sem gravar nada")
    parser.add_argument(
        "--offline", action="store_true", help="só relê data/curated; as outras fontes ficam como estão"
    )


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
    format_argument(parser)
    parser.add_argument("--gpu", help="id da GPU em data/gpus.csv, como h100-sxm")
    parser.add_argument("--max-usd-gpu-hour", type=float, metavar="US$", help="preço máximo por GPU-hora, em dólares")
    parser.add_argument("--region", metavar="REGIÃO", help="país (br) ou região do provedor (sa-east-1)")
    parser.add_argument("--pricing-model", metavar="MODALIDADE", help="on_demand, spot, reserved_1y…")


COMMANDS = (
    Command("refresh", "lê as fontes, confere e atualiza data/", _refresh_arguments, _refresh),
    Command("offers", "procura ofertas no conjunto de dados", _offers_arguments, _offers),
)
