"""A Hugging Face `config.json` as a model, for models outside the table. What is not known is named, never guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from generator.language_model import Architecture, LanguageModel
from generator.problems import Problem, ProblemsError, did_you_mean
from generator.sizing import parameters
from generator.sizing.knowledge import Knowledge
from generator.sizing.rows import HfType
from generator.sizing.shape import stack

Config = Mapping[str, Any]


def model_from_config(text: str, path: str, knowledge: Knowledge) -> LanguageModel:
    """Return the model that a configuration describes, with its parameters counted.

    Raises:
        ProblemsError: the text is not JSON, its `model_type` is not supported, or a dimension is missing.
    """
    config = _language_part(_parsed(text, path))
    name = str(config.get("model_type", ""))
    kind = knowledge.hf_types.get(name)
    if kind is None:
        found = f"arquitetura «{name}»" if name else "nenhum campo model_type"
        raise _problem(path, found, "uma arquitetura que o guia conhece", did_you_mean(name, knowledge.hf_types))
    try:
        architecture = _architecture(config, kind)
    except KeyError as error:
        expected = f"o campo {error}, que a arquitetura {name} precisa"
        raise _problem(path, "campo ausente", expected, "use o config.json completo do modelo") from error
    return _described(config, architecture, name, path)


def _parsed(text: str, path: str) -> Config:
    try:
        config = json.loads(text)
    except ValueError as error:
        raise _problem(path, f"JSON inválido ({error})", "um objeto JSON", "baixe o config.json de novo") from error
    if not isinstance(config, dict):
        raise _problem(path, "JSON sem um objeto", "um objeto JSON", "aponte para o config.json do modelo")
    return config


def _language_part(config: Config) -> Config:
    """The text tower of a model that also sees images."""
    inner = config.get("text_config")
    return (
        {**inner, "tie_word_embeddings": inner.get("tie_word_embeddings", config.get("tie_word_embeddings"))}
        if (isinstance(inner, dict))
        else config
    )


def _problem(path: str, found: str, expected: str, todo: str) -> ProblemsError:
    return ProblemsError([Problem(path, 0, 0, found, expected, todo)])


def _architecture(config: Config, kind: HfType) -> Architecture:
    layers, hidden, heads = (int(config[key]) for key in ("num_hidden_layers", "hidden_size", "num_attention_heads"))
    latent = int(config.get("kv_lora_rank") or 0)
    nope, rope = int(config.get("qk_nope_head_dim") or 0), int(config.get("qk_rope_head_dim") or 0)
    head_dim = nope + rope if latent else int(config.get("head_dim") or hidden // heads)
    tied = config.get("tie_word_embeddings")
    return Architecture(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head_dim=head_dim,
        vocab=int(config["vocab_size"]),
        gated=kind.mlp == "gated",
        layer_norm=kind.norm == "ln",
        norm_bias=kind.norm == "ln",
        norms_per_layer=kind.norms_per_layer,
        tied_embeddings=bool(kind.tied_by_default if tied is None else tied),
        qkv_bias=_flag(kind.qkv_bias, config, "attention_bias"),
        output_bias=_flag(kind.output_bias, config, "attention_bias"),
        mlp_bias=_flag(kind.mlp_bias, config, "mlp_bias"),
        lm_head_bias=bool(kind.lm_head_bias),
        qk_norm=_qk_norm(config, kind),
        sinks=bool(kind.sinks),
        softcap=bool(kind.softcap),
        output_gate=bool(config.get("linear_num_value_heads")),
        q_lora_rank=int(config.get("q_lora_rank") or 0),
        kv_lora_rank=latent,
        qk_nope_head_dim=nope if latent else 0,
        qk_rope_head_dim=rope if latent else 0,
        v_head_dim=int(config.get("v_head_dim") or 0) if latent else 0,
        **_window(config, kind, layers),
        **_experts(config, kind, layers),
        **_linear_attention(config),
    )


def _flag(rule: str, config: Config, key: str) -> bool:
    return bool(config.get(key, False)) if rule == "config" else rule == "1"


def _qk_norm(config: Config, kind: HfType) -> str:
    if kind.qk_norm == "glm":
        return "head" if config.get("use_qk_norm") else ""
    return kind.qk_norm


def _window(config: Config, kind: HfType, layers: int) -> dict[str, Any]:
    """Window and number of layers that see everything; the list of layer types decides where the file has one."""
    window = int(config.get("sliding_window") or 0)
    types = config.get("layer_types")
    if isinstance(types, list):
        local = sum(each in {"sliding_attention", "chunked_attention"} for each in types)
        linear = sum(each == "linear_attention" for each in types)
        return {"sliding_window": window if local else 0, "full_attention_layers": layers - local - linear}
    if interval := config.get("full_attention_interval"):
        return {"sliding_window": 0, "full_attention_layers": layers // int(interval)}
    uses = kind.window != "none" and not (kind.window == "flag" and not config.get("use_sliding_window"))
    if not window or not uses:
        return {"sliding_window": 0, "full_attention_layers": layers}
    every = {"alternate": 2, "pattern": int(config.get("sliding_window_pattern") or 6)}.get(kind.window, 0)
    return {"sliding_window": window, "full_attention_layers": layers // every if every else 0}


def _experts(config: Config, kind: HfType, layers: int) -> dict[str, Any]:
    """Dense width and experts, by the three ways in which files name them."""
    if kind.experts == "local":
        width, count = int(config["intermediate_size"]), int(config["num_local_experts"])
        active = int(config.get("num_experts_per_tok") or config["experts_per_token"])
        flags = {"expert_bias": bool(kind.expert_bias), "router_bias": bool(kind.router_bias)}
        return flags | _moe(width, count, active, width, layers)
    if kind.experts == "sparse":
        step, dense = int(config.get("decoder_sparse_step") or 1), len(config.get("mlp_only_layers") or ())
        shared = int(config.get("shared_expert_intermediate_size") or 0)
        sizes = int(config.get("intermediate_size") or 0), int(config["num_experts"])
        active, width = int(config["num_experts_per_tok"]), int(config["moe_intermediate_size"])
        moe = _moe(*sizes, active, width, layers // step - dense)
        return moe | {"shared_experts": int(shared > 0), "shared_intermediate": shared, "shared_gate": shared > 0}
    if kind.experts == "deepseek":
        width, first = int(config["moe_intermediate_size"]), int(config.get("first_k_dense_replace") or 0)
        sizes = int(config["intermediate_size"]), int(config["n_routed_experts"])
        moe = _moe(*sizes, int(config["num_experts_per_tok"]), width, layers - first)
        shared = int(config.get("n_shared_experts") or 0)
        return moe | {"shared_experts": shared, "shared_intermediate": width, "router_bias": bool(kind.router_bias)}
    return {"intermediate": int(config["intermediate_size"])}


def _moe(dense: int, experts: int, active: int, width: int, layers: int) -> dict[str, int]:
    return {
        "intermediate": dense,
        "experts": experts,
        "experts_active": active,
        "moe_intermediate": width,
        "moe_layers": layers,
    }


def _linear_attention(config: Config) -> dict[str, Any]:
    keys = {
        "linear_key_heads": "linear_num_key_heads",
        "linear_value_heads": "linear_num_value_heads",
        "linear_key_dim": "linear_key_head_dim",
        "linear_value_dim": "linear_value_head_dim",
        "linear_conv": "linear_conv_kernel_dim",
    }
    return {name: int(config[key]) for name, key in keys.items() if config.get(key)}


def _described(config: Config, architecture: Architecture, kind: str, path: str) -> LanguageModel:
    shape = stack([architecture])
    name = str(config.get("_name_or_path") or path)
    return LanguageModel(
        id=name, name=name, family=kind, year=0, hf_repo="", licence="", modality="texto",
        native_dtype=str(config.get("torch_dtype") or config.get("dtype") or ""), role="catalogo",
        architecture=architecture, components={}, layers=architecture.layers, hidden=architecture.hidden,
        attention=kind, sliding_pattern="", max_context=_whole(config.get("max_position_embeddings")),
        params_total=int(parameters.total(shape)[0]), params_active=int(parameters.active(shape)[0]),
        params_published="", count_check="contado pelas dimensões do config.json", extra_params=None,
        notes="", source=path, unverified="",
    )  # fmt: skip


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None
