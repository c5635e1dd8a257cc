"""The live adapters by the id of their source in `data/sources.yml`; apart, so that a build loads no HTTP library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.model import ExchangeRate
from generator.sources import azure, ecb, gpuhunt, linode, oci, ovh, ptax, runpod, scaleway, vast, vultr
from generator.sources.answers import Parsed
from generator.sources.http import Fetcher


@dataclass(frozen=True, slots=True)
class Adapter:
    """How to fetch a source, and how to read what came: `parse` is pure."""

    download: Callable[[Fetcher], bytes]
    parse: Callable[[bytes], Parsed]


@dataclass(frozen=True, slots=True)
class RatesAdapter:
    """The same for a source of exchange rates."""

    download: Callable[[Fetcher], bytes]
    parse: Callable[[bytes], list[ExchangeRate]]


_CATALOGUES = ("aws", "azure", "gcp", "oci", "lambdalabs", "nebius", "runpod", "verda", "cloudrift")
OFFERS: dict[str, Adapter] = {
    **{f"gpuhunt-{name}": Adapter(gpuhunt.download, gpuhunt.parse) for name in _CATALOGUES},
    **{
        module.ID: Adapter(module.download, module.parse)
        for module in (vast, runpod, vultr, azure, oci, linode, scaleway, ovh)
    },
}
RATES: dict[str, RatesAdapter] = {module.ID: RatesAdapter(module.download, module.parse) for module in (ptax, ecb)}
