"""The rows of the tables in `data/sizing/`, typed; each number says where it comes from.

`basis` is `cited`, `measured` (on `rows` measurements of `sources` sources, named in `origins`) or `assumption`. `when`
lists tags that must all hold for a row to count.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """How weights are stored: bits per weight of the parts in `scope` (linears, experts, file or all).

    GGUF files mix types: averages for the down projection, the attention output, the values and the head.
    """

    id: str
    name: str
    bits: float
    down_bits: float | None
    out_bits: float | None
    value_bits: float | None
    head_bits: float | None
    scope: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class StatePolicy:
    """Bytes per trainable parameter, before sharding; `temporary` lives only during the optimizer step."""

    id: str
    name: str
    weights: float
    gradients: float
    optimizer: float
    temporary: float
    source: str


@dataclass(frozen=True, slots=True)
class Optimizer:
    """Bytes per trainable parameter of an optimizer as measurements name it."""

    optimizer: str
    name: str
    bytes: float
    temporary: float
    source: str


@dataclass(frozen=True, slots=True)
class Loss:
    """Bytes per logit and per hidden value that a loss kind needs at its peak, where the tags of `when` hold."""

    id: str
    name: str
    loss_impl: str
    when: tuple[str, ...]
    per_logit: float
    per_hidden: float
    split_by_tp: float
    basis: str
    source: str
    rows: int | None
    sources: int | None
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class Method:
    """A named way to train or serve, as the tables offer it."""

    id: str
    name: str
    task: str  # training, inference
    scheme: str
    precision: str  # that the GPU must accelerate; empty where any will do
    native: str  # start of the `native_dtype` of the models that are published so
    states: str
    kv_bytes: float
    lora_rank: int
    lora_targets: tuple[str, ...]
    checkpointing: str
    loss: str
    source: str


@dataclass(frozen=True, slots=True)
class Constant:
    """One number of a framework profile, where the tags of `when` hold, and where it comes from."""

    profile: str
    key: str
    when: tuple[str, ...]
    value: float
    basis: str
    source: str
    rows: int | None
    sources: int | None
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class Profile:
    """How a framework trains or serves; `reading` says what its measurements read."""

    id: str
    name: str
    task: str  # training, inference, pipeline; empty for what all share
    inherits: str
    reading: str
    description: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A fact that the text of a measurement tells: `tag` holds where `pattern` is found in `field`."""

    tag: str
    field: str
    pattern: str
    meaning: str


@dataclass(frozen=True, slots=True)
class FrameworkRule:
    """The profile of a framework as measurements name it, where the tags of `when` hold; the first rule wins."""

    framework: str
    when: tuple[str, ...]
    profile: str


@dataclass(frozen=True, slots=True)
class CaseModel:
    """A measurement whose model differs from its `model` as the source's own text says."""

    pattern: str
    model: str
    use_model: str
    source: str


@dataclass(frozen=True, slots=True)
class Utilisation:
    """Share of the peak that training reaches where the tags of `when` hold; the first row that holds wins."""

    id: str
    name: str
    when: tuple[str, ...]
    counts_recompute: float  # 1: of the operations done, recomputed ones included
    value: float
    low: float
    high: float
    rows: int | None
    sources: int | None
    basis: str
    source: str
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class DecodeClass:
    """Share of the bandwidth one stream reaches, and microseconds each layer takes besides."""

    id: str
    name: str
    when: tuple[str, ...]
    efficiency: float
    layer_us: float
    rows: int | None
    sources: int | None
    basis: str
    source: str
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class ServingClass:
    """Share of the serving ceiling that a server reaches."""

    id: str
    name: str
    when: tuple[str, ...]
    value: float
    low: float
    high: float
    rows: int | None
    sources: int | None
    basis: str
    source: str
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class CaseGpu:
    """The GPU that measurements call `name`: one of the GPU table, or only what its maker prints."""

    name: str
    gpu: str
    memory: str
    bandwidth_gb_s: float | None
    source: str


@dataclass(frozen=True, slots=True)
class CaseFact:
    """What a column of a measurement should say, by the source's own text or by physics, and why."""

    pattern: str
    column: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Rows that the engine cannot compute, and the fact about them that says why."""

    category: str
    column: str
    pattern: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Working memory and passes of a diffusion or audio pipeline, where the tags of `when` hold."""

    id: str
    when: tuple[str, ...]
    base_gib: float
    item_gib: float  # per item of the batch, at `reference_pixels`
    reference_pixels: float
    guidance_passes: float
    efficiency: float  # of the 16-bit peak
    compiled_efficiency: float
    basis: str
    source: str
    rows: int | None
    sources: int | None
    origins: tuple[str, ...]  # sources the number was measured on; empty when it was not


@dataclass(frozen=True, slots=True)
class Band:
    """Half-width of the error band of a profile in a category, and what it was computed from."""

    category: str
    profile: str
    half_width: float
    rows: int
    sources: int
    basis: str


@dataclass(frozen=True, slots=True)
class HfType:
    """What a class of the Transformers library has that its `config.json` does not say.

    Flags are 0, 1, or `config` (the file's `attention_bias` or `mlp_bias` decides). `window` tells which layers see
    only a window; `experts` how the file names its experts.
    """

    model_type: str
    mlp: str  # gated, plain
    norm: str  # rms, ln
    norms_per_layer: int
    qk_norm: str  # head, full, glm (use_qk_norm decides), or empty
    qkv_bias: str
    output_bias: str
    mlp_bias: str
    lm_head_bias: int
    window: str  # none, all, flag (use_sliding_window decides), alternate, pattern, types
    experts: str  # local, sparse, deepseek, or empty
    softcap: int
    sinks: int
    expert_bias: int
    router_bias: int
    shared_gate: int
    tied_by_default: int
    source: str


@dataclass(frozen=True, slots=True)
class MoneyConstant:
    """One number that turns hours into money."""

    id: str
    value: float
    unit: str
    basis: str
    source: str
    label: str
