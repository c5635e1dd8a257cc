"""Names of cards, by whole words (casos NOR-04, 05, 06, 10, 12, 13; traps T11 to T18)."""

from decimal import Decimal

import pytest

from generator.normalise.gpu_names import Sighting

NAMED = {
    "NVIDIA RTX A4000": "rtx-a4000",
    "A100-SXM4-80GB": "a100-80-sxm",
    "A100 PCIe 80GB": "a100-80-pcie",
    "A100-80GB": "a100-80",
    "A100-80G-PCIe": "a100-80-pcie",
    "NVIDIA A100 NVLink 40GB": "a100-40",
    "L4": "l4",
    "L40": "l40",
    "NVIDIA L40S": "l40s",
    "H100 NVL": "h100-nvl",
    "H100 PCIe": "h100-pcie",
    "H100 SXM5": "h100-sxm",
    "NVIDIA HGX H100": "h100-sxm",
    "H100": "h100-80",
    "NVIDIA H200": "h200-141",
    "RTX-PRO-6000": "rtx-pro-6000",
    "RTXPRO6000": "rtx-pro-6000",
    "RTXPRO6000S": "rtx-pro-6000-server",
    "RTXPro6000": "rtx-pro-6000",
    "RTX6000-Ada": "rtx-6000-ada",
    "RTX6000Ada": "rtx-6000-ada",
    "RTX-6000-Ada": "rtx-6000-ada",
    "Quadro RTX 6000": "quadro-rtx-6000",
    "NVIDIA GeForce RTX 4090": "rtx-4090",
    "Tesla T4": "t4",
    "AMD Instinct MI300X": "mi300x",
    "Tesla V100 SXM2 16GB": "v100-16",
}
LEFT_OUT = {
    "A100X": "gpu_unknown",
    "RTX A1000 Laptop GPU": "gpu_unknown",
    "Z900 UltraTurbo": "gpu_unknown",
    "MIG 1g.24gb": "gpu_unknown",
    "A100": "gpu_variant_unknown",
    "RTX 6000": "gpu_variant_unknown",
    "Tesla V100": "gpu_variant_unknown",
    "RTX 4070S Ti": "gpu_not_tracked",
    "GTX 1080 Ti": "gpu_not_tracked",
    "": "gpu_missing",
    "tpu-v6e-1": "not_gpu",
    "AWS Trainium2": "not_gpu",
    "AWS Inferentia": "not_gpu",
    "Gaudi2": "not_gpu",
    "Qualcomm AI 100": "not_gpu",
}


@pytest.mark.parametrize(("name", "gpu"), NAMED.items())
def test_a_name_leads_to_its_card(names, name, gpu):
    assert names.resolve(Sighting(name)).gpu == gpu


@pytest.mark.parametrize(("name", "reason"), LEFT_OUT.items())
def test_a_name_without_certainty_stays_out_with_its_reason(names, name, reason):
    verdict = names.resolve(Sighting(name))
    assert (verdict.gpu, verdict.reason) == ("", reason)


MEMORIES = [
    # name, memory, unit, count, card, how many, flags
    ("A100", "80", "gb", "1", "a100-80", "1", ()),
    ("A100", "81920", "mib", "1", "a100-80", "1", ()),
    ("A100", "40960", "mib", "1", "a100-40", "1", ()),
    ("H100", "95830", "mib", "1", "h100-nvl", "1", ()),
    ("H100", "94", "gb", "1", "h100-nvl", "1", ()),
    ("H100 96GB", "", "gb", "1", "", "", ()),  # neither 80 nor 94: another card
    ("H100", "96", "gb", "1", "", "", ()),
    ("Tesla V100", "16", "gb", "1", "v100-16-unknown", "1", ()),
    ("V100", "32768", "mib", "1", "v100-32-unknown", "1", ()),
    ("B200 NVL", "180", "gb", "1", "b200-180", "1", ()),
    ("RTX 6000", "24", "gb", "1", "quadro-rtx-6000", "1", ()),
    ("RTX 6000", "48", "gb", "1", "rtx-6000-ada", "1", ()),
    ("L4", "22888", "mib", "1", "l4", "1", ()),  # what the driver shows of 24 GB
    ("A100 PCIe", "80", "mib", "1", "a100-80-pcie", "1", ()),  # GB under a MiB label
    ("L40S", "92160", "mib", "2", "l40s", "2", ()),  # the total of both cards in the field of one
    ("B300", "262", "gb", "1", "b300", "1", ()),  # GiB under a GB label
    ("RTX 4090", "49140", "mib", "1", "rtx-4090", "1", ("modified",)),
    ("A10", "4096", "mib", "0", "a10", "0.166667", ("fraction",)),
    ("A10", "4", "gb", "1", "a10", "0.166667", ("fraction",)),
    ("NVIDIA H200", "7", "gb", "1", "", "", ()),
    ("L40", "40", "gb", "1", "", "", ()),
    ("H100 MIG 1g.10gb", "", "gb", "1", "h100-80", "0.125", ("fraction",)),
]


@pytest.mark.parametrize(("name", "memory", "unit", "count", "gpu", "cards", "flags"), MEMORIES)
def test_memory_tells_cards_apart_and_betrays_slices(names, name, memory, unit, count, gpu, cards, flags):
    told = Decimal(memory) if memory else None
    verdict = names.resolve(Sighting(name, memory=told, memory_unit=unit, count=Decimal(count)))
    assert verdict.gpu == gpu
    assert verdict.flags == flags
    assert verdict.count == (Decimal(cards) if cards else None)


MACHINES = [
    ("aws", "g6f.large", "NVIDIA L40", "1/8", "l4"),
    ("aws", "g5g.xlarge", "ARM Mali-G78MP12", "1", "t4g"),
    ("aws", "p5.48xlarge", "H100", "8", "h100-sxm"),
    ("azure", "Standard_NC40ads_H100_v5", "H100", "1", "h100-nvl"),
    ("azure", "Standard_ND96isr_H100_v5", "H100", "8", "h100-sxm"),
    ("azure", "Standard_ND96isr_H100_v5", "", "8", "h100-sxm"),  # the model is missing in some catalogues
    ("oci", "BM.GPU4.8", "A100", "8", "a100-40-sxm"),
    ("nebius", "gpu-h200-sxm_8gpu-128vcpu-1600gb", "H200", "8", "h200-sxm"),
    ("lambda", "gpu_8x_h100_sxm5", "H100", "8", "h100-sxm"),
    ("lambda", "gpu_1x_h100_pcie", "H100", "1", "h100-pcie"),
    ("mithril", "h100-80gb.sxm.8x", "H100", "8", "h100-sxm"),
    ("hyperstack", "n3-H100-SXM5x8", "H100", "8", "h100-sxm"),
]


@pytest.mark.parametrize(("provider", "instance", "name", "count", "gpu"), MACHINES)
def test_the_machine_speaks_before_the_name(names, provider, instance, name, count, gpu):
    cards = Decimal(1) / 8 if count == "1/8" else Decimal(count)
    assert names.resolve(Sighting(name, provider, instance, count=cards)).gpu == gpu
