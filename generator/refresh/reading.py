"""What came of each source: its rows, or everything wrong with it; no source's failure touches another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from generator.problems import Problem, ProblemsError
from generator.sources.answers import Dropped, Parsed
from generator.sources.failure import SourceError
from generator.sources.raw import RawOffer

Payloads = Mapping[str, Mapping[str, bytes] | SourceError]
"""What was fetched: source id → where it came from → the bytes; or why nothing came."""


@dataclass(frozen=True, slots=True)
class Source:
    """An adapter: how to read its payloads, and whether its rows are published or only compared."""

    id: str
    parse: Callable[[bytes, str, datetime], Parsed]
    published: bool = True
    by_hand: bool = False  # people add and take away rows on purpose
    version: str = ""  # of the adapter


@dataclass
class Reading:
    """What came of reading one source."""

    source: Source
    raws: list[RawOffer] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Tell whether nothing of this source may be used."""
        return bool(self.problems)

    @property
    def newest(self) -> str:
        """Return the newest day that the rows speak of, ISO 8601; hand-kept rows are each as old as their file says."""
        return "" if self.source.by_hand else max((raw.observed_on[:10] for raw in self.raws), default="")


def read(source: Source, payloads: Mapping[str, bytes] | SourceError, now: datetime) -> Reading:
    """Return the rows of a source, or everything wrong with it."""
    reading = Reading(source)
    if isinstance(payloads, SourceError):
        reading.problems.append(problem_of(payloads))
        return reading
    for place, payload in sorted(payloads.items()):
        reading.problems += _read_one(reading, place, payload, now)
    if not reading.raws and not reading.problems:
        todo = "veja se a fonte mudou de endereço"
        reading.problems.append(Problem(source.id, 0, 0, "nenhuma linha", "ao menos uma oferta", todo))
    return reading


def _read_one(reading: Reading, place: str, payload: bytes, now: datetime) -> list[Problem]:
    try:
        parsed = reading.source.parse(payload, place, now)
    except ProblemsError as error:
        return error.problems
    except SourceError as error:
        return [problem_of(error)]
    except Exception as error:  # an adapter's own fault must not cost the other sources
        found = f"leitura interrompida ({type(error).__name__}: {str(error)[:200]})"
        todo = "veja se a fonte mudou; corrija o adaptador"
        return [Problem(place, 0, 0, found, "o formato que o adaptador conhece", todo)]
    reading.raws += parsed.offers
    reading.dropped += parsed.dropped
    return []


def problem_of(error: SourceError) -> Problem:
    """Return a source's failure as a problem to show; the address and the start of the answer stay in it."""
    place = f" ({error.url}{f', status {error.status}' if error.status else ''})" if error.url else ""
    start = f"; começo da resposta: «{error.start}»" if error.start else ""
    return Problem(error.source, 0, 0, f"{error.problem}{place}{start}", "uma resposta inteira da fonte", error.todo)


def check_size(reading: Reading, before: int, least: int, limit: float) -> None:
    """Fail a fetched source with too few rows, or that lost too many: half a page is worse than an old page."""
    count = len(reading.raws)
    if reading.source.by_hand or reading.failed:
        return
    if count < least:
        todo = "veja se a fonte mudou; se ela encolheu mesmo, mude minimum_rows em data/sources.yml"
        _note(reading, f"{count} linhas", f"ao menos {least}", todo)
    elif count < before * (1 - limit):
        todo = "se a queda é verdadeira, apague a fonte de data/quality.json e rode de novo"
        _note(reading, f"{count} linhas, e eram {before}", f"ao menos {1 - limit:.0%} do que havia", todo)


def check_clock(reading: Reading, newest_before: str, now: datetime) -> None:
    """Fail a fetched source whose newest date went backwards, or is still to come: its clock or its feed is wrong."""
    newest = reading.newest
    if reading.failed or not newest:
        return
    if newest < newest_before:
        todo = "a fonte voltou no tempo; espere que ela se acerte"
        _note(reading, f"dados de {newest}", f"dados de {newest_before} ou depois, como já lidos", todo)
    elif newest > now.date().isoformat():
        _note(reading, f"dados de {newest}, no futuro", "uma data até hoje", "confira o relógio, o daqui e o da fonte")


def _note(reading: Reading, found: str, expected: str, todo: str) -> None:
    reading.problems.append(Problem(reading.source.id, 0, 0, found, expected, todo))


def rows(readings: list[Reading], *, published: bool) -> Iterator[RawOffer]:
    """Yield the rows that may be used, of the sources that are published or of those that only compare."""
    for reading in readings:
        if reading.source.published == published and not reading.failed:
            yield from reading.raws


def plain(parse: Callable[..., list[RawOffer]], *more: Any) -> Callable[[bytes, str, datetime], Parsed]:
    """Return a reader of rows as a reader that also counts what it leaves out, which is nothing."""
    return lambda payload, place, _: Parsed(tuple(parse(payload, place, *more)))
