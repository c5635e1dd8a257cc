"""The words readers see for the codes of the dataset."""

from __future__ import annotations

import re
from typing import Any

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.model import Gpu

PRICING = {
    "on_demand": "Sob demanda",
    "spot": "Spot",
    "reserved_6m": "Reservada, 6 meses",
    "reserved_1y": "Reservada, 1 ano",
    "reserved_3y": "Reservada, 3 anos",
}
INTERCONNECTS = {"nvlink": "NVLink", "pcie": "só PCIe", "infinity_fabric": "Infinity Fabric"}
NETWORKS = {"infiniband": "InfiniBand", "efa": "EFA", "roce": "RoCE", "ethernet": "Ethernet"}
DISKS = {
    "nvme": "NVMe local",
    "ssd": "SSD local",
    "hdd": "disco rígido local",
    "local": "disco local",
    "network": "disco de rede",
}
AVAILABILITY = {"available": "disponível", "unavailable": "indisponível", "listed": "só lista de preços"}
UNITS = {"memory_gb": "GB", "bandwidth_gb_s": "GB/s", "bf16_dense_tflops": "TFLOPS"}
RANKING = {
    "memory_gb": "VRAM por US$",
    "bandwidth_gb_s": "Banda por US$",
    "bf16_dense_tflops": "TFLOPS BF16 por US$",
}
FACTS = {
    "billing_granularity": "Cobrança",
    "billed_while_stopped": "Com a instância parada",
    "persistent_storage": "Armazenamento persistente",
    "egress": "Saída de dados",
    "spot_notice": "Aviso de interrupção",
    "multi_node_network": "Rede do provedor entre nós",
    "access": "Acesso",
}
_REMARK = re.compile(r"\s+\([^)]*\)")
_MAKER = re.compile(r"^(NVIDIA|AMD|Intel)\s+((GeForce|Instinct)\s+)?")
_MEMORY = re.compile(r"\s\d+\s?GB$")


def short_gpu(gpu: Gpu) -> str:
    """Return the name of a card without maker and remarks; memory only where two cards share the rest of the name."""
    name = _MAKER.sub("", _REMARK.sub("", gpu.name))
    return name if name.startswith(("A100", "V100")) else _MEMORY.sub("", name)


def age_band(age_days: float, data: Dataset) -> str:
    """Return the word for a price past its prime: nothing while recent, `em alerta`, then `antigo`.

    An old price never leads a summary or a highlight while something fresher exists.
    """
    if age_days > data.rules.highlight_days:
        return "antigo"
    return "em alerta" if age_days > data.rules.warn_days else ""


def pricing(model: str, tier: str, data: Dataset) -> str:
    """Return the pricing model and the tier, where there is one: `Spot (nuvem comunitária)`."""
    label = PRICING.get(model, model)
    return f"{label} ({data.rules.tiers[tier]})" if tier else label


def place(offer: dict[str, Any], data: Dataset) -> str:
    """Return where the machine is: the provider's region and the country, as far as they are known."""
    city = data.region_labels.get((offer["provider"], offer["region"]), "")
    country = fmt.country(offer["country"]) if offer["country"] else ""
    where = ", ".join(dict.fromkeys(part for part in (city, country) if part))
    return " · ".join(part for part in (where, offer["region"]) if part) or fmt.NOT_INFORMED
