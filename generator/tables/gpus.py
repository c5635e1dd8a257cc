"""`data/gpus.csv`: the accelerators, with what was read about each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from generator import cells
from generator.model import Assumption, Gpu
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records
from generator.tables.vocabularies import Vocabularies

VISIBLE_MEMORY = "visible_memory_per_nominal_gb"
COLUMNS = tuple(field.name for field in fields(Gpu))


def parse_gpus(
    text: str, path: str, vocabularies: Vocabularies, assumptions: Mapping[str, Assumption]
) -> tuple[dict[str, Gpu], list[Problem]]:
    """Return the accelerators by id; where the visible memory was not measured, it is nominal × the assumption."""
    records, problems = csv_records(text, path, COLUMNS)
    share = assumptions[VISIBLE_MEMORY].value
    gpus, more = build_keyed(records, lambda row: _gpu(row, vocabularies, share), lambda gpu: gpu.id)
    return gpus, problems + more


def _gpu(row: Record, vocabularies: Vocabularies, share: float) -> Gpu:
    memory_gb = row.need("memory_gb", cells.positive)
    return Gpu(
        id=row.need("id", cells.identifier),
        name=row.need("name", cells.text),
        vendor=row.need("vendor", cells.text),
        accelerator_class=row.need("accelerator_class", cells.one_of(vocabularies["accelerator_class"])),
        architecture=row.need("architecture", cells.text),
        form_factor=row.maybe("form_factor", cells.one_of(vocabularies["form_factor"]), ""),
        memory_gb=memory_gb,
        visible_memory_gib=_visible_memory_gib(row, memory_gb, share),
        visible_memory_source=row.maybe("visible_memory_source", cells.text, ""),
        memory_type=row.maybe("memory_type", cells.text, ""),
        bandwidth_gb_s=row.maybe("bandwidth_gb_s", cells.positive),
        bf16_dense_tflops=row.maybe("bf16_dense_tflops", cells.positive),
        fp8_dense_tflops=row.maybe("fp8_dense_tflops", cells.positive),
        int8_dense_tops=row.maybe("int8_dense_tops", cells.positive),
        fp4_dense_tflops=row.maybe("fp4_dense_tflops", cells.positive),
        interconnect=row.maybe("interconnect", cells.text, ""),
        interconnect_gb_s=row.maybe("interconnect_gb_s", cells.positive),
        host_bus=row.maybe("host_bus", cells.text, ""),
        tdp_w=row.maybe("tdp_w", cells.positive),
        release_year=row.maybe("release_year", cells.integer),
        cuda_capability=row.maybe("cuda_capability", cells.text, ""),
        confidence=row.need("confidence", cells.one_of(vocabularies["confidence"])),
        source=row.need("source", cells.text),
        source_date=row.maybe("source_date", cells.day),
        check_at=row.need("check_at", cells.text),
        notes=row.maybe("notes", cells.text, ""),
    )


def _visible_memory_gib(row: Record, memory_gb: float | None, share: float) -> float:
    """Return GiB that a program sees, and hold measured values and their source together."""
    measured = row.maybe("visible_memory_gib", cells.positive)
    source = row.maybe("visible_memory_source", cells.text)
    if (measured is None) != (source is None):
        row.note(
            "visible_memory_gib" if measured is None else "visible_memory_source",
            "memória visível sem a sua fonte" if source is None else "fonte sem a memória visível que ela mede",
            "os dois campos preenchidos, ou os dois vazios para usar a suposição declarada",
            "preencha o que falta, ou apague os dois",
        )
    if measured is not None and memory_gb is not None and not measured <= memory_gb:
        row.note(
            "visible_memory_gib",
            f"{measured} GiB visíveis",
            f"no máximo os {memory_gb} GB nominais",
            "confira a unidade",
        )
    return (memory_gb or 0.0) * share if measured is None else measured
