"""Everything that goes wrong with an answer is data: what is done to it, and what must come of that.

`failure`: the source fails as a whole, with a message. `row`: every row is still accounted for, the faulty one as the
source wrote it, for `normalise` to judge. `accepted`: the same offers as without the fault.
"""

from dataclasses import dataclass, field

from replay import fetcher_for

from generator.sources import live
from generator.sources.failure import SourceError
from generator.sources.patience import Limits

FAILURE, ROW, ACCEPTED = "failure", "row", "accepted"
LIMITS = Limits(read_seconds=2, wire_bytes=2_000_000, body_bytes=2_000_000)


@dataclass(frozen=True)
class Fault:
    """`unless` says which sources have another outcome; `only` which sources can have the fault at all."""

    name: str
    outcome: str
    make: object
    unless: dict = field(default_factory=dict)
    only: tuple = ()

    def outcome_for(self, source):
        return self.unless.get(source, self.outcome)


def outcome(source, transport, fake=None, limits=LIMITS):
    """Return what a whole fetch gave, or its failure."""
    adapter = (live.OFFERS | live.RATES)[source]
    try:
        with fetcher_for(source, transport, fake, limits=limits) as fetcher:
            return adapter.parse(adapter.download(fetcher))
    except SourceError as error:
        return error


def rows_of(parsed):
    return sorted(parsed if isinstance(parsed, list) else parsed.offers, key=str)
