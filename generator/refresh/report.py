"""What a refresh has to say: to a person in Portuguese, to a program as plain values, and to `data/quality.json`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.normalise.across import Waiting
from generator.normalise.merge import Review
from generator.problems import Problem

_SHOWN = 20  # of a list in the summary; quality.json has them all
_NEWS = 200  # changes of one run that feeds may tell; the history of data/ has them all
_EDITIONS = 20  # runs with changes that feeds remember
_STATUS = {
    "ok": "lida",
    "failed": "falhou; valem os últimos dados bons",
    "compare_only": "lida, só para conferir preços",
}
_REVIEW = {
    "conflict": "linhas repetidas com valores diferentes",
    "disagreement": "o preço anterior difere em mais de 20 %",
    "second_opinion": "outra fonte difere em mais de 20 %",
}


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The account of one source in one run."""

    id: str
    status: str  # ok, failed, compare_only
    rows_read: int
    rows_published: int
    rows_quarantined: int
    rows_dropped: dict[str, int]
    rows_kept: int  # last good offers that stay because the source failed
    rows_last_good: int
    newest: str = ""  # day of its newest fact
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """How the offers differ from those of the last run."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    repriced: tuple[tuple[str, float, float], ...]  # offer, old and new price of the machine in its currency


@dataclass(frozen=True)
class RefreshReport:
    """Everything a run found."""

    now: datetime
    sources: tuple[SourceReport, ...]
    offers: pd.DataFrame
    quarantine: pd.DataFrame
    changes: Changes
    unknown_gpus: dict[str, int]
    untracked_gpus: dict[str, int]
    reviews: tuple[Review, ...]
    waiting: tuple[Waiting, ...]
    expired: tuple[Problem, ...]  # corrections that a source made needless
    last_quality: dict[str, Any]
    reasons: dict[str, str]  # the sentence of each

    @property
    def failed(self) -> bool:
        """Tell whether any source failed, or something asks to be mended."""
        return bool(self.expired) or any(source.status == "failed" for source in self.sources)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong with the sources that failed, and with what people told."""
        return (*self.expired, *(problem for source in self.sources for problem in source.problems))

    @property
    def quality(self) -> dict[str, Any]:
        """Return the content of `data/quality.json`; sources that were not read keep what was last said of them."""
        before = self.last_quality.get("sources", {})
        return {
            "generated_at": _moment(self.now),
            **({"news": news} if (news := self._news()) else {}),
            "sources": before | {source.id: self._quality_of(source) for source in self.sources},
            "unknown_gpus": self.unknown_gpus,
            "untracked_gpus": self.untracked_gpus,
            "review": [review.as_dict() for review in self.reviews],
            "waiting": [asdict(entry) for entry in sorted(self.waiting, key=lambda entry: (entry.kind, entry.key))],
            "coverage": {name: _counts(self.offers[name]) for name in ("provider", "gpu", "country")},
        }

    def _news(self) -> list[dict[str, Any]]:
        """Return what this run changed, before what earlier ones did; a run without changes is no news."""
        before = list(self.last_quality.get("news", []))
        if not any((self.changes.added, self.changes.removed, self.changes.repriced)):
            return before
        currency = self.offers.set_index("offer_id")["currency"]
        known = [move for move in self.changes.repriced if move[1] > 0 and move[2] > 0]
        moves = sorted(known, key=lambda move: (-abs(move[2] / move[1] - 1), move[0]))
        latest = {
            "moment": _moment(self.now),
            "added": list(self.changes.added[:_NEWS]),
            "removed": len(self.changes.removed),
            "repriced": [[offer, old, new, str(currency[offer])] for offer, old, new in moves[:_NEWS]],
        }
        return [latest, *before][:_EDITIONS]

    def as_dict(self) -> dict[str, Any]:
        """Return the quality report with what changed and what went wrong, for programs."""
        return {
            **self.quality,
            "changes": asdict(self.changes),
            "problems": [problem.as_dict() for problem in self.problems],
        }

    def summary(self) -> str:
        """Return the report as plain text in Portuguese, unknown names first."""
        sources = [line for source in self.sources for line in self._of_source(source)]
        parts = (
            self._unknown(), *sources, *self._not_read(), *self._problems(), self._changed(), *self._waited(),
            *self._reviewed(),
        )  # fmt: skip
        return "\n".join(part for part in parts if part)

    def _quality_of(self, source: SourceReport) -> dict[str, Any]:
        before = self.last_quality.get("sources", {}).get(source.id, {})
        success = before.get("last_success", "") if source.status == "failed" else _moment(self.now)
        facts = {name: value for name, value in asdict(source).items() if name not in {"id", "problems"}}
        problems = [str(problem) for problem in source.problems]
        return {**facts, "last_try": _moment(self.now), "last_success": success, "problems": problems}

    def _of_source(self, source: SourceReport) -> list[str]:
        read = fmt.count(source.rows_read, "linha", "linhas")
        kept = f"; {fmt.count(source.rows_kept, 'oferta mantida', 'ofertas mantidas')}" if source.rows_kept else ""
        if source.status == "failed" and not source.rows_read:
            return [f"{source.id}: {_STATUS[source.status]}{kept}."]
        dropped = sum(source.rows_dropped.values())
        account = (
            f"{source.id}: {_STATUS[source.status]}{kept}. {read}: {fmt.number(source.rows_published)} publicadas, "
            f"{fmt.number(source.rows_quarantined)} em quarentena, {fmt.number(dropped)} descartadas."
        )
        why = (f"  {fmt.number(count)}: {self.reasons[reason]}" for reason, count in source.rows_dropped.items())
        return [account, *why]

    def _unknown(self) -> str:
        names = ", ".join(f"«{name}» ({count})" for name, count in self.unknown_gpus.items())
        return f"GPUs que nenhuma tabela conhece, para cadastrar em data/gpu_aliases.csv: {names}" if names else ""

    def _problems(self) -> list[str]:
        return [f"  {problem}" for problem in self.problems[:_SHOWN]]

    def _changed(self) -> str:
        count = fmt.count(len(self.offers), "oferta publicada", "ofertas publicadas")
        if not any((self.changes.added, self.changes.removed, self.changes.repriced)):
            return f"{count}; nada mudou desde a última coleta."
        return (
            f"{count}: {fmt.count(len(self.changes.added), 'nova', 'novas')}, "
            f"{fmt.count(len(self.changes.removed), 'retirada', 'retiradas')}, "
            f"{fmt.count(len(self.changes.repriced), 'com outro preço', 'com outro preço')}."
        )

    def _not_read(self) -> list[str]:
        read = {source.id for source in self.sources}
        return [
            f"{name}: não consultada agora; última leitura boa em {facts['last_success'] or 'data desconhecida'}."
            for name, facts in sorted(self.last_quality.get("sources", {}).items())
            if name not in read
        ]

    def _waited(self) -> list[str]:
        lines = [
            f"  {entry.key}: {self._change(entry)} (vista em {entry.since}, confirmada {entry.confirmed} vez(es))"
            for entry in sorted(self.waiting, key=lambda entry: (entry.kind, entry.key))[:_SHOWN]
        ]
        more = len(self.waiting) - _SHOWN
        end = [f"  … e {fmt.count(more, 'outra', 'outras')} em data/review.csv"] if more > 0 else []
        return ["Mudanças que esperam confirmação; até lá vale o valor anterior:", *lines, *end] if lines else []

    @staticmethod
    def _change(entry: Waiting) -> str:
        if entry.kind == "rows_lost":
            return f"mais de um terço das {entry.old} ofertas sumiu de uma vez"
        if entry.kind == "row_lost":
            return "a oferta sumiu"
        return f"{entry.old} → {entry.new}"

    def _reviewed(self) -> list[str]:
        lines = [
            f"  {review.offer_id}: US$ {review.published_usd_hour}/h; US$ {review.other_usd_hour}/h em {review.other} "
            f"({_REVIEW[review.kind]})"
            for review in self.reviews[:_SHOWN]
        ]
        more = len(self.reviews) - _SHOWN
        end = [f"  … e {fmt.count(more, 'outra', 'outras')} em data/quality.json"] if more > 0 else []
        return ["Para revisar:", *lines, *end] if lines else []


def changes(before: pd.DataFrame, after: pd.DataFrame) -> Changes:
    """Return what is new, gone, or has another price or currency."""
    old, new = (table.set_index("offer_id")[["price_hour", "currency"]] for table in (before, after))
    both = old.index.intersection(new.index)
    was, is_now = old.loc[both], new.loc[both]
    moved = both[was["price_hour"].ne(is_now["price_hour"]) | was["currency"].ne(is_now["currency"])]
    prices = zip(moved, was.loc[moved, "price_hour"], is_now.loc[moved, "price_hour"], strict=True)
    return Changes(
        added=tuple(new.index.difference(old.index)),
        removed=tuple(old.index.difference(new.index)),
        repriced=tuple(sorted(prices)),
    )


def named(fates: pd.DataFrame, reason: str) -> dict[str, int]:
    """Return the exact names of cards left out for a reason, with how many rows each has."""
    return _counts(fates.loc[fates["reason"].eq(reason), "gpu"])


def _counts(values: pd.Series) -> dict[str, int]:
    return {str(name): int(count) for name, count in sorted(values[values.ne("")].value_counts().items())}


def _moment(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
