"""Every answer of the calculator in words, so that the browser only looks them up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.sizing.grid import DEFAULT_PROFILES
from generator.sizing.money import OCCUPANCIES, serving_cost_per_million, training_cost_per_million
from generator.sizing.rates import Rate
from generator.views import model_words
from generator.views.atlas import Atlas
from generator.views.fits import BATCH, BATCHES, CONTEXT, CONTEXTS, Machine
from generator.views.offer_rows import records
from generator.views.picks import NONE
from generator.views.sizing_tables import PARTS

DEFAULTS = {"modelo": "llama-3.1-8b", "metodo": "qlora", "contexto": str(CONTEXT), "lote": str(BATCH)}
Line = tuple[str, str, str]  # what it is, what it says, where it leads below the site


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of the calculator: its name in the address, its label, and values with their words."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]

    @property
    def default(self) -> str:
        """Return the value chosen at first."""
        return DEFAULTS[self.name]


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """Every answer about one model, by method, context and batch as the address writes them."""

    model: LanguageModel
    answers: dict[str, dict[str, dict[str, list[Line]]]]
    no_method: str  # what to say of a method that is not among them
    no_context: str  # and of a context

    def as_json(self) -> dict[str, Any]:
        """Return the answers as the page reads them: each line once, and answers as places in that list."""
        places: dict[Line, int] = {}
        found = {
            method: {
                context: {
                    batch: [places.setdefault(line, len(places)) for line in lines] for batch, lines in row.items()
                }
                for context, row in contexts.items()
            }
            for method, contexts in self.answers.items()
        }
        refusals = {"sem_metodo": self.no_method, "sem_contexto": self.no_context}
        return {"nome": self.model.name, **refusals, "linhas": list(places), "respostas": found}


def choices(atlas: Atlas) -> tuple[Choices, ...]:
    """Return the lists of the calculator."""
    models = sorted(atlas.catalogue.models.values(), key=lambda model: model.name.casefold())
    return (
        Choices("modelo", "Modelo", tuple((model.id, model.name) for model in models)),
        Choices("metodo", "Método", tuple((method.id, method.name) for method in atlas.fits.methods.values())),
        Choices("contexto", "Contexto", tuple((str(each), fmt.count(each, "token", "tokens")) for each in CONTEXTS)),
        Choices("lote", "Lote ou pedidos simultâneos", tuple((str(each), f"{each} por vez") for each in BATCHES)),
    )


def answers(atlas: Atlas) -> Iterator[ModelAnswers]:
    """Yield the answers of every model with a page."""
    words = _Words(atlas)
    found: dict[str, dict[str, dict[str, dict[str, list[Line]]]]] = {}
    for at, row in enumerate(records(words.picks.frame)):
        methods = found.setdefault(row["model"], {})
        contexts = methods.setdefault(row["method"], {})
        contexts.setdefault(str(row["context"]), {})[str(row["batch"])] = words.lines(at, row)
    for name, methods in found.items():
        model = atlas.catalogue.models[name]
        longest = fmt.count(atlas.fits.contexts_of(model)[-1], "token", "tokens")
        limit = f"O {model.name} aceita até {longest} entre os contextos da lista; escolha um menor."
        yield ModelAnswers(model, methods, _no_method(atlas, model), limit)


def first(atlas: Atlas) -> tuple[str, list[Line]]:
    """Return the choices made at first in words, and their answer."""
    words = _Words(atlas)
    wanted = {"model": DEFAULTS["modelo"], "method": DEFAULTS["metodo"], "context": CONTEXT, "batch": BATCH}
    rows = records(words.picks.frame)
    at = next(at for at, row in enumerate(rows) if wanted.items() <= row.items())
    title = " · ".join(dict(each.options)[each.default] for each in choices(atlas))
    return title, words.lines(at, rows[at])


def _no_method(atlas: Atlas, model: LanguageModel) -> str:
    own = next((method for method in atlas.fits.methods_of[model.id].values() if method.native), None)
    if own:
        return f"O {model.name} é publicado em 4 bits e só é servido assim: escolha {own.name}."
    return f"O {model.name} não é publicado assim; escolha outro método."


class _Words:
    """Turns one row of the grid into lines; machines are worded once."""

    def __init__(self, atlas: Atlas) -> None:
        self.picks = picks = atlas.picks
        self._atlas = atlas
        data = atlas.catalogue.data
        self._machines = [model_words.machine_label(atlas, machine) for machine in picks.machines]
        self._rents = [model_words.rent(atlas, machine) for machine in picks.machines]
        self._bands = {name: fmt.percent(band, 1) for name, band in atlas.fits.bands.items()}
        self._profiles = {task: data.knowledge.profiles[name].name for task, name in DEFAULT_PROFILES.items()}

    def lines(self, at: int, row: dict[str, Any]) -> list[Line]:
        """Return an answer: need, parts, machines, speed and cost."""
        method = self._atlas.fits.methods[row["method"]]
        picks, need = self.picks, float(row["total_bytes"])
        parts = [(row[column], name) for column, name in PARTS.items() if row[column] > need / 100]
        profile = f"perfil {self._profiles[method.task]}, folga de {self._bands[method.id]}"
        lines = [
            ("Memória em uma GPU", fmt.gibibytes(need), ""),
            ("De que é feita", " + ".join(f"{n} {fmt.gibibytes(s)}" for s, n in sorted(parts, reverse=True)), ""),
            ("Supõe", profile, f"modelos/{row['model']}/"),
            self._place("Menor instância em que cabe", int(picks.smallest[at]), at),
        ]
        if picks.tight[at] != NONE:
            lines.append(self._place("Cabe justo, sem a folga", int(picks.tight[at]), at))
        cheapest = int(picks.cheapest[at])
        if cheapest != NONE:
            machine = picks.machines[cheapest]
            where = f"{self._machines[cheapest]}, {self._rents[cheapest]}"
            lines.append(("A mais barata em que cabe", where, f"gpus/{machine.gpu}/#ofertas"))
            lines += _speed(machine, picks.rates[at], method.task)
        return lines

    def _place(self, label: str, at: int, row: int) -> Line:
        if at == NONE:
            return (label, "nenhuma alugada sob demanda, nem em nó de até 8 GPUs", "")
        machine = self.picks.machines[at]
        used = fmt.gibibytes(float(self.picks.needs[row, at]))
        each = "em cada GPU" if machine.count > 1 else "da GPU"
        holds = f"usa {used} dos {fmt.gibibytes(machine.visible_bytes)} {each}"
        return (label, f"{self._machines[at]}: {holds}", f"gpus/{machine.gpu}/#ofertas")


def _speed(machine: Machine, rate: Rate | None, task: str) -> list[Line]:
    """Return the range of measured runs, never a point, and what a million tokens costs in it."""
    if rate is None:
        return [("Velocidade nela", "sem dados bastantes para calcular", "metodologia/#velocidade-e-custo")]
    basis = "medida em execuções parecidas" if rate.basis == "measured" else "suposta"
    what = "todos os pedidos somados" if task == "inference" else "no treino"
    band = f"{_rough(rate.low)} a {_rough(rate.high)} tokens por segundo, {what} (faixa {basis})"
    return [
        ("Velocidade nela", band, "metodologia/#velocidade-e-custo"),
        ("Custo por milhão de tokens", _cost(machine.price_usd_hour, rate, task), ""),
    ]


def _cost(price: float, rate: Rate, task: str) -> str:
    if task == "training":
        low, high = (training_cost_per_million(price, speed) for speed in (rate.high, rate.low))
        return f"{_money(low)} a {_money(high)}"
    shares = ((serving_cost_per_million(price, rate.likely, share), share) for share in reversed(OCCUPANCIES))
    return ", ".join(f"{_money(usd)} com {fmt.percent(share)} de ocupação" for usd, share in shares)


def _rough(value: float) -> str:
    """Two significant digits: the band is wider than the third."""
    return fmt.number(float(f"{value:.2g}"), 0 if value >= 10 else 1)


def _money(usd: float) -> str:
    return fmt.money(float(f"{usd:.2g}"))
