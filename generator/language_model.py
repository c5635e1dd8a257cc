"""What the sizing needs to know about a model, and its table (`data/models.csv`) as typed rows."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from io import StringIO
from typing import Any

from generator.problems import Problem, ProblemsError

ROLES = ("catalogo", "casos")  # shown on the site; kept only so that reference measurements can be recomputed


@dataclass(frozen=True, slots=True)
class Architecture:
    """Dimensions of a decoder-only transformer. Here 0 (or False) means that the model has no such part."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int  # width of the dense MLP
    vocab: int
    gated: bool = True  # three MLP matrices instead of two
    layer_norm: bool = False  # LayerNorm instead of RMSNorm
    norm_bias: bool = False
    norms_per_layer: int = 2
    tied_embeddings: bool = False
    learned_positions: int = 0
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    lm_head_bias: bool = False
    qk_norm: str = ""  # head: one vector per head dimension; full: over the whole projection
    output_gate: bool = False
    sinks: bool = False
    softcap: bool = False  # attention scores bounded, which flash attention did not compute
    q_lora_rank: int = 0
    kv_lora_rank: int = 0  # above zero: multi-head latent attention
    qk_nope_head_dim: int = 0
    qk_rope_head_dim: int = 0
    v_head_dim: int = 0
    sliding_window: int = 0
    full_attention_layers: int = 0  # layers whose cache grows without limit
    global_head_dim: int = 0  # where full-attention layers have their own
    global_kv_heads: int = 0
    k_eq_v: bool = False  # full-attention layers without a value projection
    experts: int = 0
    experts_active: int = 0
    shared_experts: int = 0
    moe_intermediate: int = 0
    shared_intermediate: int = 0
    moe_layers: int = 0
    router_bias: bool = False
    router_scale: bool = False
    expert_bias: bool = False
    shared_gate: bool = False
    dense_beside_experts: bool = False
    indexer_heads: int = 0  # sparse attention chosen by an indexer
    indexer_dim: int = 0
    linear_key_heads: int = 0  # gated linear attention (constant state) in the layers without full attention
    linear_value_heads: int = 0
    linear_key_dim: int = 0
    linear_value_dim: int = 0
    linear_conv: int = 0


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """One row of `data/models.csv`: a language model (`architecture`) or a pipeline of parts (`components`)."""

    id: str
    name: str
    family: str
    year: int
    hf_repo: str
    licence: str
    modality: str
    native_dtype: str
    role: str
    architecture: Architecture | None
    components: dict[str, int]  # parameters by part
    layers: int | None
    hidden: int | None
    attention: str
    sliding_pattern: str
    max_context: int | None
    params_total: int  # counted outside this project, see `count_check`
    params_active: int | None
    params_published: str
    count_check: str
    extra_params: int | None  # vision tower or extra heads, not in `params_total`
    notes: str
    source: str
    unverified: str


def parse_models(text: str, path: str = "data/models.csv") -> dict[str, LanguageModel]:
    """Return the models by id.

    Raises:
        ProblemsError: a row is missing a number, has a text where a number belongs, or repeats an id.
    """
    models: dict[str, LanguageModel] = {}
    problems: list[Problem] = []
    for line, row in enumerate(csv.DictReader(StringIO(text.removeprefix("\ufeff"))), start=2):
        try:
            model = _model(row)
        except (ValueError, KeyError, TypeError) as error:
            problems.append(_problem(path, line, str(error)))
            continue
        if model.id in models:
            problems.append(_problem(path, line, f"o modelo {model.id!r} aparece duas vezes"))
        models[model.id] = model
    if problems:
        raise ProblemsError(problems)
    return models


def _problem(path: str, line: int, found: str) -> Problem:
    expected = "esperava uma linha com id único, papel conhecido e números inteiros"
    return Problem(path, line, 0, found, expected, "corrija a linha da tabela de modelos")


def _model(row: dict[str, str]) -> LanguageModel:
    if row["role"] not in ROLES:
        raise ValueError(f"papel {row['role']!r} desconhecido")
    components = _components(row["components"])
    return LanguageModel(
        **{name: row[name] for name in _TEXTS},
        year=int(row["year"]),
        architecture=None if components else _architecture(row),
        components=components,
        layers=_whole(row["layers"]),
        hidden=_whole(row["hidden"]),
        max_context=_whole(row["max_context"]),
        params_total=int(row["params_total"]),
        params_active=_whole(row["params_active"]),
        extra_params=_whole(row["extra_params"]),
    )


_TEXTS = (
    "id", "name", "family", "hf_repo", "licence", "modality", "native_dtype", "role", "attention", "sliding_pattern",
    "params_published", "count_check", "notes", "source", "unverified",
)  # fmt: skip


def _whole(text: str) -> int | None:
    return int(text) if text else None


def _components(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (part.split("=") for part in text.split("; ") if part)}


def _architecture(row: dict[str, str]) -> Architecture:
    numbers: dict[str, Any] = {
        f.name: int(row[f.name] or 0) for f in fields(Architecture) if f.name in row and f.type == "int"
    }
    flags: dict[str, Any] = {
        f.name: row[f.name] == "1" for f in fields(Architecture) if f.name in row and f.type == "bool"
    }
    numbers["norms_per_layer"] = numbers["norms_per_layer"] or 2
    if not row["full_attention_layers"]:
        numbers["full_attention_layers"] = numbers["layers"]
    return Architecture(
        **numbers,
        **flags,
        gated=row["mlp"] == "gated",
        layer_norm=row["norm"] in {"ln", "ln_nobias"},
        norm_bias=row["norm"] == "ln",
        qkv_bias=row["attention_bias"] in {"qkv", "qkvo"} or row["linear_bias"] == "1",
        output_bias=row["attention_bias"] == "qkvo" or row["linear_bias"] == "1",
        mlp_bias=row["linear_bias"] == "1",
        qk_norm=row["qk_norm"],
    )
