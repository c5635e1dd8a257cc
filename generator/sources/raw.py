"""What every adapter gives: priced rows in the source's own words, with the units that the source declares."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawOffer:
    """One priced row. Every value is text as the source wrote it; empty means that the source does not say.

    Nothing is converted here: `normalise` reads the numbers with the declared units and refuses what it cannot read.
    """

    source: str  # the adapter
    record: str  # where a person finds the row: file and line, or key in the source's answer
    source_url: str
    observed_on: str  # date of the fact, ISO 8601
    provider: str
    price: str
    currency: str
    upstream: str = ""
    instance: str = ""
    region: str = ""
    gpu: str = ""
    gpu_count: str = "1"  # a slice is written 1/6 or 0.125
    gpu_memory: str = ""  # of one GPU; only ever used to tell cards apart, never published
    gpu_memory_unit: str = "gb"  # gb, mib
    gpu_interconnect: str = ""
    node_network: str = ""
    node_network_gbps: str = ""
    vcpus: str = ""
    cpu_unit: str = "vcpu"  # vcpu, ocpu
    ram_gib: str = ""
    disk_gb: str = ""
    disk_kind: str = ""
    pricing_model: str = "on_demand"
    tier: str = ""
    price_for: str = (
        "machine"  # machine, gpu (of a whole machine), gpu_only (no CPU or RAM), addon (no machine at all), no_gpu
    )
    price_every: str = "hour"  # hour, month
    price_scale: str = "1"  # 0.01 where the source counts cents
    decimal_mark: str = "."
    availability: str = ""
    flags: str = ""  # joined by ;
