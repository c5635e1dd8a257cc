"""The live adapters by the id of their source in `data/sources.yml`; apart, so that a build loads no HTTP library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Generic, TypeVar

from generator.model import ExchangeRate
from generator.sources import azure, ecb, gpuhunt, linode, oci, ovh, ptax, runpod, scaleway, skypilot, vast, vultr
from generator.sources.answers import Parsed, fail
from generator.sources.failure import SourceError
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Adapter(Generic[T]):
    """How to fetch a source (`download`), and how to read what came (`parse`, pure)."""

    source: str
    download: Callable[[Fetcher], bytes]
    _parse: Callable[[bytes], T]
    _module: ModuleType | None = None  # where the format is read, if not where `_parse` is

    @property
    def code(self) -> ModuleType | Callable[[bytes], T]:
        """Return the code that reads the format."""
        return self._module or self._parse

    def parse(self, payload: bytes) -> T:
        """Return what the answer holds; a form that no adapter foresaw is a failure of the source like any other."""
        try:
            return self._parse(payload)
        except SourceError:
            raise
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            fail(self.source, f"a resposta tem outra forma ({type(error).__name__}: {error})", payload)


_CATALOGUES = ("aws", "azure", "gcp", "oci", "lambdalabs", "nebius", "runpod", "verda", "cloudrift")
OFFERS: dict[str, Adapter[Parsed]] = {
    **{
        source: Adapter(source, gpuhunt.download, gpuhunt.parse)
        for source in (f"{gpuhunt.ID}-{name}" for name in _CATALOGUES)
    },
    **{
        module.ID: Adapter(module.ID, module.download, module.parse)
        for module in (vast, runpod, vultr, azure, oci, linode, scaleway, ovh)
    },
}
RATES: dict[str, Adapter[list[ExchangeRate]]] = {
    module.ID: Adapter(module.ID, module.download, module.parse) for module in (ptax, ecb)
}


def _opinion(source: str, cloud: str) -> Adapter[Parsed]:
    def parse(payload: bytes) -> Parsed:
        offers: list[RawOffer] = skypilot.parse(payload, cloud, "")
        return Parsed(tuple(replace(offer, source=source) for offer in offers))

    return Adapter(source, lambda fetcher: fetcher.get(), parse, skypilot)


_CLOUDS = ("aws", "gcp", "oci", "lambda", "nebius", "runpod", "verda", "vast", "hyperstack", "jarvislabs")
OPINIONS: dict[str, Adapter[Parsed]] = {
    source: _opinion(source, cloud) for cloud in _CLOUDS for source in (f"{skypilot.ID}-{cloud}",)
}
ADAPTERS: dict[str, Adapter[Any]] = {**OFFERS, **OPINIONS, **RATES}
