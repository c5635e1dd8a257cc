"""FLOPs and bytes per token, and the time they take: training, decoding of one stream, serving of many.

Peaks are dense, without structured sparsity. Ceilings are bounds that no run passes; efficiencies are measured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generator.model import Gpu
from generator.sizing import parameters
from generator.sizing.cache import sequence_bytes
from generator.sizing.knowledge import GIB
from generator.sizing.peak import kv_split
from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape
from generator.sizing.weights import adapter_parameters, stored_parts

TERA, GIGA = 1e12, 1e9


@dataclass(frozen=True, slots=True)
class Hardware:
    """What speed needs of a GPU: bytes and operations per second, and memory in bytes; unknown is None."""

    gpu: str
    memory: str  # hbm, gddr
    bandwidth: float | None
    peak_16_bit: float | None
    peak_8_bit: float | None
    peak_4_bit: float | None
    visible_bytes: float | None
    architecture: str

    def peak(self, bits: float) -> float | None:
        """Operations per second of matrix products in that many bits; the next wider ones where it has none."""
        narrower = {4: self.peak_4_bit, 8: self.peak_8_bit, 16: self.peak_16_bit}
        return next((peak for width, peak in narrower.items() if width >= bits and peak), None)


def hardware_of(gpu: Gpu) -> Hardware:
    """Return the speed facts of a GPU of the table."""

    def tera(value: float | None) -> float | None:
        return value * TERA if value else None

    return Hardware(
        gpu=gpu.id,
        memory="hbm" if gpu.memory_type.upper().startswith("HBM") else "gddr",
        bandwidth=gpu.bandwidth_gb_s * GIGA if gpu.bandwidth_gb_s else None,
        peak_16_bit=tera(gpu.bf16_dense_tflops),
        peak_8_bit=tera(gpu.fp8_dense_tflops),
        peak_4_bit=tera(gpu.fp4_dense_tflops),
        visible_bytes=gpu.visible_memory_gib * GIB,
        architecture=gpu.architecture,
    )


def matrix_flops_per_token(shape: Shape, plan: Plan) -> Array:
    """Training FLOPs of matrix products per token: 6·N full, 4·N + 6·N_adapter over a frozen base.

    N counts the parameters one token passes, without the input embedding where the head has its own matrix
    (Kaplan et al., 2020; PaLM, 2022, appendix B). Recomputation is not counted.
    """
    passed = parameters.active(shape) - np.where(shape.tied_embeddings > 0, 0.0, parameters.embedding(shape))
    frozen = 4 * passed + 6 * adapter_parameters(shape, plan)
    return np.where(plan.trains_base > 0, 6 * passed, frozen)


def attention_flops_per_token(shape: Shape, plan: Plan) -> Array:
    """Training FLOPs of causal attention per token: 6·L·a·d·s, with s bounded by the window in local layers."""
    window = np.where(shape.sliding_window > 0, np.minimum(plan.context, shape.sliding_window), plan.context)
    reach = (shape.attention_layers - shape.local_layers) * plan.context + shape.local_layers * window
    return 6 * shape.q_width * reach


def training_seconds_per_token(shape: Shape, plan: Plan, matrix_peak: Array, attention_peak: Array) -> Array:
    """Seconds of one GPU per token at full use of its peaks; divide by a utilisation. Attention stays in 16 bits."""
    matrices = matrix_flops_per_token(shape, plan) / matrix_peak
    return matrices + attention_flops_per_token(shape, plan) / attention_peak


def bytes_read_per_token(shape: Shape, plan: Plan) -> Array:
    """Bytes that one decoding step of one stream reads: active weights (not an untied input embedding) and cache."""
    return touched_weight_bytes(shape, plan, np.ones(1)) + sequence_bytes(shape, plan)


def touched_weight_bytes(shape: Shape, plan: Plan, batch: Array) -> Array:
    """Weight bytes a step of `batch` streams reads: of E experts, E·(1 − (1 − k/E)^B) are touched."""
    parts = stored_parts(shape, plan)
    share = np.where(shape.experts > 0, shape.experts_active / np.maximum(shape.experts, 1), 1.0)
    touched = 1 - (1 - share) ** batch
    embedding = np.where(shape.tied_embeddings > 0, parts.embedding, 0.0)
    return parts.dense + parts.vectors + parts.head + embedding + parts.experts * touched


def decode_ceiling(shape: Shape, plan: Plan, bandwidth: Array) -> Array:
    """Tokens per second of one stream that memory bandwidth (of all GPUs together) allows."""
    return bandwidth / bytes_read_per_token(shape, plan)


def decode_speed(shape: Shape, plan: Plan, bandwidth: Array, efficiency: Array, layer_seconds: Array) -> Array:
    """Tokens per second of one stream: bytes at the bandwidth a program reaches, and a fixed time per layer."""
    return 1 / (1 / (decode_ceiling(shape, plan, bandwidth) * efficiency) + shape.layers * layer_seconds)


def serving_batch(shape: Shape, plan: Plan, memory: Array) -> Array:
    """Requests that fit at the same time beside the weights, at half of their answer on average; at least one."""
    cache = sequence_bytes(shape, plan) / kv_split(shape, plan) * plan.tp
    free = memory - stored_parts(shape, plan).total
    return np.maximum(np.floor(free / cache), 1.0)


def serving_ceiling(shape: Shape, plan: Plan, batch: Array, answer: Array, bandwidth: Array, peak: Array) -> Array:
    """Generated tokens per second of all requests that bandwidth and peak (of all GPUs together) allow.

    Step ≥ max((weights touched + B·cache)/bandwidth, 2·N_active·B/peak); each request also pays 2·N_active·prompt/peak.
    """
    read = (touched_weight_bytes(shape, plan, batch) + batch * sequence_bytes(shape, plan)) / bandwidth
    compute = 2 * parameters.active(shape) / peak
    step = np.maximum(read, compute * batch)
    return batch * answer / (answer * step + batch * compute * plan.prompt)
