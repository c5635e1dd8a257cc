"""Diffusion and audio pipelines: memory and time by component."""

from __future__ import annotations

import re
from math import prod

from generator.language_model import LanguageModel
from generator.sizing.cases import Case
from generator.sizing.knowledge import GIB, Knowledge, first_that_holds
from generator.sizing.resolve import DTYPE_BYTES, CannotComputeError
from generator.sizing.rows import Pipeline

QUANTISED_PARTS = {"transformer": ("transformer",), "transformer+T5": ("transformer", "t5_xxl")}
PATCH, TEXT_TOKENS, FRAMES_PER_LATENT = 16, 512, 4


def pipeline_tags(model: LanguageModel) -> set[str]:
    """Return the facts that the table of pipelines names."""
    family = model.family.lower().replace(" ", "-")
    sdxl = {"family:stable-diffusion-xl"} if model.id.startswith("sdxl") else set()
    modality = {"vídeo": "video", "áudio": "audio"}.get(model.modality, model.modality)
    return {f"family:{family}", f"modality:{modality}"} | sdxl


def loaded_bytes(model: LanguageModel, case: Case, knowledge: Knowledge) -> float:
    """Sum of parameters × bytes over all parts, each in its precision; quantisation names the parts it covers."""
    scheme, _, parts = case.run["quant_scheme"].partition(" (")
    if scheme and scheme not in knowledge.schemes:
        raise CannotComputeError(f"esquema de pesos {scheme!r} fora da tabela")
    covered = QUANTISED_PARTS.get(parts.rstrip(")"), ("transformer",)) if scheme else ()
    low = knowledge.schemes[scheme].bits / 8 if scheme else 2.0
    high = DTYPE_BYTES.get(case.run["weight_dtype"], 2.0)
    return sum(count * (low if _covered(name, covered) else high) for name, count in model.components.items())


def _covered(part: str, covered: tuple[str, ...]) -> bool:
    return any(part.startswith(name) for name in covered)


def peak_bytes(model: LanguageModel, case: Case, knowledge: Knowledge) -> float:
    """Loaded pipeline and working memory of a batch; a pipeline quantised at load peaks at its 16-bit copy at least."""
    kind = pipeline_of(model, knowledge)
    batch = case.number("micro_batch")
    if batch is None:
        raise CannotComputeError("a fonte não diz o lote")
    pixels = prod(_sizes(case)) if case.run["image_shape"] else kind.reference_pixels
    working = (kind.base_gib + kind.item_gib * _items(kind, batch) * pixels / kind.reference_pixels) * GIB
    at_load = 2.0 * sum(model.components.values()) if "(transformer)" in case.run["quant_scheme"] else 0.0
    return max(loaded_bytes(model, case, knowledge) + working, at_load)


def _items(kind: Pipeline, batch: float) -> float:
    return batch - 1 if kind.id == "audio" else batch


def pipeline_of(model: LanguageModel, knowledge: Knowledge) -> Pipeline:
    """Return the working memory and passes of a model.

    Raises:
        CannotComputeError: no row of the table covers it.
    """
    kind = first_that_holds(knowledge.pipelines, pipeline_tags(model))
    if kind is None:
        raise CannotComputeError(f"o modelo {model.id!r} não é um pipeline de imagem, vídeo ou áudio")
    return kind


def seconds_per_batch(model: LanguageModel, case: Case, knowledge: Knowledge, peak: float) -> float:
    """Time of a batch: steps × passes × (2·N·tokens + 4·L·h·tokens²) over the share of the 16-bit peak reached.

    Raises:
        CannotComputeError: the source does not tell steps or size, or the table does not know layers and width.
    """
    kind, batch, steps = pipeline_of(model, knowledge), case.number("micro_batch"), case.number("steps")
    transformer = sum(count for name, count in model.components.items() if name.startswith("transformer"))
    if not (batch and steps and case.run["image_shape"] and transformer and model.layers and model.hidden):
        raise CannotComputeError("faltam lote, passos, tamanho da imagem ou dimensões do transformer")
    tokens = _latent_tokens(_sizes(case)) + TEXT_TOKENS
    work = 2 * transformer * tokens + 4 * model.layers * model.hidden * tokens**2
    share = kind.compiled_efficiency if case.run["compiled"] == "sim" else kind.efficiency
    return batch * steps * kind.guidance_passes * work / (peak * share)


def _sizes(case: Case) -> list[int]:
    sizes = [int(text) for text in re.findall(r"\d+", case.run["image_shape"])]
    if len(sizes) < 2:
        raise CannotComputeError(f"tamanho da imagem {case.run['image_shape']!r}: faltam largura e altura")
    return sizes


def _latent_tokens(sizes: list[int]) -> int:
    frames = (sizes[2] - 1) // FRAMES_PER_LATENT + 1 if len(sizes) > 2 else 1
    return frames * (sizes[0] // PATCH) * (sizes[1] // PATCH)
