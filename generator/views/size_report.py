"""The answer of `size` for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.sizing.fit import VERDICTS, Choice
from generator.sizing.money import OCCUPANCIES, serving_cost_per_million, training_cost_per_million
from generator.sizing.rates import Rate, Run, decode_rate, serving_rate, training_rate
from generator.sizing.resolve import CannotComputeError
from generator.sizing.runs import RunEstimate, run_estimate
from generator.sizing.size import Request, Sized, cheapest_offers, phase_name, size
from generator.sizing.suits import gpus_for
from generator.views.comparison import APART, NOT_COMPARABLE, has_any_flag
from generator.views.offer_rows import gpu_label, records

PARTS = {
    "weights": "pesos",
    "adapters": "adaptadores",
    "gradients": "gradientes",
    "optimizer": "estado do otimizador",
    "kv": "cache KV",
    "activations": "ativações",
    "logits": "logits e perda",
    "overhead": "reserva do processo",
}
OFFERS, CHOICES, SAVINGS = 8, 12, 5


@dataclass(frozen=True)
class Cost:
    """An offer in which the need fits, with the speed there and what a million tokens costs."""

    offer: dict[str, Any]
    rate: Rate | None
    stream: Rate | None  # one request alone, in inference
    usd_per_million: dict[str, float]  # by occupancy; training has "1.0" alone
    run: RunEstimate | None = None  # of the tokens asked for


@dataclass(frozen=True)
class Report:
    """Everything `size` says."""

    request: Request
    sized: Sized
    costs: tuple[Cost, ...]


def report(request: Request, data: Dataset, tokens: int = 0) -> Report:
    """Return the answer to a request, with the cheapest offers on demand in which it fits.

    With a number of training tokens, the offers include spot and say what the whole run takes.

    Raises:
        CannotComputeError: the table knows the model only by its components.
        ValueError: a context or batch below 1.
    """
    sized = size(request, data.knowledge, gpus_for(request.method, data.gpus.values(), data.precisions))
    models = ("on_demand", "spot") if tokens else ("on_demand",)
    offers = records(cheapest_offers(sized, _quotable(data.offers), OFFERS, models))
    return Report(request, sized, tuple(_with_run(_cost(offer, request, data), tokens, data) for offer in offers))


def _with_run(cost: Cost, tokens: int, data: Dataset) -> Cost:
    if not tokens or cost.rate is None:
        return cost
    price, model = float(cost.offer["price_usd_hour"]), cost.offer["pricing_model"]
    return replace(cost, run=run_estimate(tokens, cost.rate, price, model, data.knowledge))


def _quotable(offers: pd.DataFrame) -> pd.DataFrame:
    """Return the offers of whole, unmodified GPUs that anybody can rent at the price shown."""
    return offers[~has_any_flag(offers, (*NOT_COMPARABLE, *APART)) & (offers["availability"] != "unavailable")]


def _cost(offer: dict[str, Any], request: Request, data: Dataset) -> Cost:
    gpu, count = data.gpus[offer["gpu"]], int(offer["gpu_count"])
    price, shape = float(offer["price_usd_hour"]), (request.model, request.method, gpu, count)
    run = Run(request.profile, request.changes)
    try:
        if request.method.task == "training":
            rate = training_rate(*shape, request.context, data.knowledge, run)
            return Cost(offer, rate, None, {"1.0": training_cost_per_million(price, rate.likely)})
        lengths = (request.context // 2, max(request.context - request.context // 2, 1))
        rate = serving_rate(*shape, lengths, data.knowledge, run)
        stream = decode_rate(*shape, request.context, data.knowledge, run)
    except CannotComputeError:
        return Cost(offer, None, None, {})
    costs = {str(share): serving_cost_per_million(price, rate.likely, share) for share in OCCUPANCIES}
    return Cost(offer, rate, stream, costs)


def as_json(answer: Report) -> str:
    """Return the answer for programs: bytes, fractions, US$ and tokens per second."""
    sized = asdict(answer.sized)
    costs = [
        {
            "offer": {key: _plain(value) for key, value in cost.offer.items()},
            "tokens_per_second": asdict(cost.rate) if cost.rate else None,
            "stream_tokens_per_second": asdict(cost.stream) if cost.stream else None,
            "usd_per_million_tokens": cost.usd_per_million,
            "run": asdict(cost.run) if cost.run else None,
        }
        for cost in answer.costs
    ]
    return json.dumps(sized | {"offers": costs}, ensure_ascii=False)


def _plain(value: object) -> object:
    if fmt.is_missing(value):
        return None
    return value.isoformat() if isinstance(value, pd.Timestamp) else value


def as_text(answer: Report, data: Dataset) -> str:
    """Return the answer as tables for a terminal."""
    sized, request = answer.sized, answer.request
    profile = data.knowledge.profiles[sized.profile].name
    words = ("requisição", "requisições") if request.method.task == "inference" else ("sequência", "sequências")
    sequences = fmt.count(request.batch, *words)
    head = [
        f"{request.model.name} — {request.method.name}",
        f"Perfil {profile}, contexto de {fmt.count(request.context, 'token', 'tokens')}, {sequences} por vez.",
        "",
        "Memória por GPU, uma GPU:",
    ]
    return "\n".join([*head, *_parts(sized), "", *_fits(sized, data), "", *_savings(sized), "", *_costs(answer, data)])


def _parts(sized: Sized) -> list[str]:
    shown = [(name, sized.parts[key]) for key, name in PARTS.items() if sized.parts[key] > 0]
    peak = f" (pico: {phase_name(sized.phase)})" if sized.phase else ""
    return [*_columns([(name, fmt.gibibytes(size)) for name, size in [*shown, (f"total{peak}", sized.need_bytes)]])]


def _fits(sized: Sized, data: Dataset) -> list[str]:
    title = f"Onde cabe (folga de {fmt.percent(sized.headroom, 1)}, o erro do perfil):"
    known = [choice for choice in sized.choices if choice.verdict != VERDICTS[0]]
    if not known:
        return [title, "  em nenhuma GPU da tabela, nem em nó de até 8."]
    return [title, *_columns([_choice(choice, data) for choice in known[:CHOICES]])]


def _choice(choice: Choice, data: Dataset) -> tuple[str, str]:
    needs = f"{fmt.gibibytes(choice.need_bytes)} de {fmt.gibibytes(choice.visible_bytes)} em cada"
    return gpu_label(data.gpus[choice.gpu], choice.count), f"{choice.verdict}: {needs}"


def _savings(sized: Sized) -> list[str]:
    lines = [(saving.name, f"−{fmt.gibibytes(saving.saved_bytes)}") for saving in sized.savings[:SAVINGS]]
    return ["O que cada mudança pouparia numa GPU:", *_columns(lines)] if lines else []


def _costs(answer: Report, data: Dataset) -> list[str]:
    if not answer.costs:
        return ["Nenhuma oferta sob demanda em que caiba."]
    kinds = "sob demanda e spot" if any(cost.run for cost in answer.costs) else "sob demanda"
    return [f"Ofertas mais baratas em que cabe ({kinds}):", *_columns([_offer(cost, data) for cost in answer.costs])]


def _offer(cost: Cost, data: Dataset) -> tuple[str, str]:
    offer = cost.offer
    seller = data.providers[offer["provider"]].name
    machine = f"{gpu_label(data.gpus[offer['gpu']], offer['gpu_count'])}, {seller}"
    price = f"{fmt.money(offer['price_usd_hour'])} por hora"
    spot = " (spot)" if offer["pricing_model"] == "spot" else ""
    return machine + spot, f"{price}{_speed(cost)}{_run(cost)}; preço de {fmt.day_short(offer['collected_at'].date())}"


def _speed(cost: Cost) -> str:
    if cost.rate is None:
        return ""
    band = f"{fmt.number(cost.rate.low)} a {fmt.number(cost.rate.high)} tokens/s"
    per_million = ", ".join(
        fmt.money(usd) + (f" com {fmt.percent(float(share))} de ocupação" if len(cost.usd_per_million) > 1 else "")
        for share, usd in cost.usd_per_million.items()
    )
    return f"; {band}; milhão de tokens: {per_million}"


def _run(cost: Cost) -> str:
    if cost.run is None:
        return ""
    span = f"{fmt.money(cost.run.usd_low)} a {fmt.money(cost.run.usd_high)}"
    again = fmt.percent(cost.run.repeated_share, 1)
    return f"; a execução: {fmt.count(round(cost.run.hours), 'hora', 'horas')} e {again} refeitas, {span}"


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(left) for left, _ in rows)
    return [f"  {left.ljust(width)}  {right}" for left, right in rows]
