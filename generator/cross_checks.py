"""What one table says of another, and what no single table can know: that ids exist, sums hold and days have come."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date

from generator.dataset import Tables
from generator.problems import Problem, ProblemsError, did_you_mean
from generator.sizing import parameters
from generator.sizing.shape import stack
from generator.sources import curated
from generator.sources.raw import RawOffer
from generator.strict_yaml import YamlDocument, read_yaml

WORKLOADS = "data/workloads.yml"
SCENARIOS = "data/scenarios.yml"
METHODS = "data/sizing/methods.csv"
_DAY = re.compile(r"(?<![\d-])20\d\d-\d\d-\d\d(?![\d-])")
_AMOUNT = {".": re.compile(r"\d+(?:\.\d+)?"), ",": re.compile(r"\d{1,3}(?:\.\d{3})*(?:,\d+)?|\d+(?:,\d+)?")}


def future_dates(texts: Mapping[str, str], today: date) -> Iterator[Problem]:
    """Yield every day after today in the data: no fact and no price was read tomorrow."""
    for path, text in texts.items():
        for match in _DAY.finditer(text):
            if match[0] > today.isoformat():
                line, column = _place(text, match.start())
                expected = f"um dia até hoje, {today.isoformat()}"
                yield Problem(path, line, column, f"data no futuro «{match[0]}»", expected, "corrija a data")


def workload_problems(data: Tables, text: str, guides: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what `data/workloads.yml` (`text`) names and nobody knows; `guides` are workloads by page."""
    document, _ = read_yaml(text, WORKLOADS)
    precisions = {name for have in data.precisions.values() for name in have}
    for workload in data.workloads.values():
        lists = {
            ("sizing", "models"): (workload.sizing.models, [m.id for m in data.models.values() if m.architecture]),
            ("sizing", "methods"): (workload.sizing.methods, data.knowledge.methods),
            ("requires", "precisions"): (workload.precisions, precisions),
        }
        for keys, (names, known) in lists.items():
            yield from _unknown(document, (workload.id, *keys), names, known)
        if guides.get(workload.guide) != workload.id:
            found = f"guia «{workload.guide}» de «{workload.id}» não existe ou é de outra carga"
            expected = f"content/{workload.guide} com «workload: {workload.id}» no cabeçalho"
            place = document.at(workload.id, "guide")
            yield Problem(WORKLOADS, *place, found, expected, "crie o guia, ou corrija o caminho")


def scenario_problems(data: Tables, text: str) -> Iterator[Problem]:
    """Yield scenarios of a guide that does not exist."""
    document, _ = read_yaml(text, SCENARIOS)
    for scenario in data.cost.scenarios.values():
        if scenario.workload not in data.workloads:
            place = document.at(scenario.id, "workload")
            found, todo = (
                f"workload «{scenario.workload}» desconhecida",
                did_you_mean(scenario.workload, data.workloads),
            )
            yield Problem(SCENARIOS, *place, found, f"uma carga de {WORKLOADS}", todo)


def guide_problems(data: Tables, guides: Mapping[str, str]) -> Iterator[Problem]:
    """Yield pages tied to no known workload, by front matter or by folder."""
    for path, workload in guides.items():
        if workload and workload not in data.workloads:
            todo = did_you_mean(workload, data.workloads)
            expected = f"uma carga de {WORKLOADS}"
            yield Problem(f"content/{path}", 1, 1, f"workload «{workload}» desconhecida", expected, todo)
        elif workload and data.workloads[workload].guide != path:
            expected = f"o guia que {WORKLOADS} diz: {data.workloads[workload].guide}"
            yield Problem(f"content/{path}", 1, 1, f"segundo guia de «{workload}»", expected, "dê a ele outra carga")
        elif path.startswith("guias/") and not workload:
            todo = "escreva «workload: » com o nome da carga"
            yield Problem(f"content/{path}", 1, 1, "guia sem workload no cabeçalho", f"uma carga de {WORKLOADS}", todo)


def promise_problems(promises: Collection[str], data: Tables) -> Iterator[Problem]:
    """Yield lists of points of a guide that does not exist."""
    for guide in promises:
        if guide not in data.workloads:
            expected = f"uma carga de {WORKLOADS}"
            yield Problem("data/pauta.yml", 0, 0, f"pauta de «{guide}»", expected, did_you_mean(guide, data.workloads))


def gpu_problems(data: Tables, text: str) -> Iterator[Problem]:
    """Yield cards whose memory differs from the one in their name."""
    for gpu in data.gpus.values():
        named = re.search(r"\b(\d+(?:\.\d+)?) GB\b", gpu.name)
        if named and float(named[1]) != gpu.memory_gb:
            found = f"memory_gb {gpu.memory_gb:g} de «{gpu.name}»"
            yield _row_problem("data/gpus.csv", text, gpu.id, found, f"{named[1]}, como no nome")


def model_problems(data: Tables, text: str) -> Iterator[Problem]:
    """Yield models whose dimensions do not add up to their number of parameters."""
    counted = [model for model in data.models.values() if model.architecture]
    totals = parameters.total(stack([model.architecture for model in counted if model.architecture]))
    for model, total in zip(counted, totals, strict=True):
        if int(total) != model.params_total:
            found = f"params_total {model.params_total} de «{model.id}»"
            expected = f"{int(total)}, que é a soma das dimensões"
            yield _row_problem("data/models.csv", text, model.id, found, expected)


def curated_problems(files: Mapping[str, str], data: Tables | None) -> Iterator[Problem]:
    """Yield what is wrong with the hand-kept offers: their form, and codes and prices that nobody could read."""
    for path, text in files.items():
        try:
            offers = curated.parse(text.encode(), path)
        except ProblemsError as error:
            yield from error.problems
            continue
        if data:
            yield from (problem for offer in offers for problem in _offer_problems(offer, data))


def _offer_problems(offer: RawOffer, data: Tables) -> Iterator[Problem]:
    path, _, line = offer.record.partition(":")
    closed: dict[str, tuple[str, Collection[str]]] = {
        "provider": (offer.provider, data.providers),
        "pricing_model": (offer.pricing_model, data.rules.pricing_models),
        "tier": (offer.tier, ["", *data.rules.tiers]),
        "currency": (offer.currency, ["", *data.vocabularies["currency"]]),
    }
    for field, (value, known) in closed.items():
        if value not in known:
            todo = did_you_mean(value, [name for name in known if name])
            yield Problem(path, int(line), 0, f"{field} «{value}» desconhecido", "um nome das tabelas", todo)
    for flag in offer.flags.split(";"):
        if flag and flag not in data.rules.declared_flags:
            todo = did_you_mean(flag, data.rules.declared_flags)
            yield Problem(path, int(line), 0, f"aviso «{flag}» desconhecido", "um de flags.declared", todo)
    if not _AMOUNT[offer.decimal_mark].fullmatch(offer.price):
        expected = "um número, como 1.25" if offer.decimal_mark == "." else "um número, como 1,25"
        yield Problem(path, int(line), 0, f"preço «{offer.price}»", expected, "corrija, ou apague a oferta sem preço")


def method_problems(data: Tables, text: str) -> Iterator[Problem]:
    """Yield sizing methods whose number format no table has."""
    for method in data.knowledge.methods.values():
        if method.scheme not in data.knowledge.schemes:
            found, known = f"scheme «{method.scheme}» de «{method.id}»", data.knowledge.schemes
            yield _row_problem(METHODS, text, method.id, found, did_you_mean(method.scheme, known))


def _unknown(
    document: YamlDocument, keys: tuple[str, ...], names: Iterable[str], known: Collection[str]
) -> Iterator[Problem]:
    for number, name in enumerate(names):
        if name not in known:
            found = f"«{name}» em {'.'.join(keys)}"
            yield Problem(WORKLOADS, *document.at(*keys, number), found, "um nome da tabela", did_you_mean(name, known))


def _row_problem(path: str, text: str, key: str, found: str, expected: str) -> Problem:
    at = re.search(rf"^{re.escape(key)},", text, re.MULTILINE)
    line = _place(text, at.start())[0] if at else 0
    return Problem(path, line, 0, found, expected, "corrija o número que estiver errado")


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
