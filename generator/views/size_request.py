"""What somebody asks to size, by the names they typed, as a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.dataset import Dataset
from generator.language_model import LanguageModel
from generator.sizing import options
from generator.sizing.config import model_from_config
from generator.sizing.options import UnknownNameError
from generator.sizing.rows import Method
from generator.sizing.size import Request


@dataclass(frozen=True, slots=True)
class Asked:
    """Names as typed; empty ones keep what the method has. `config` is the text of a `config.json` and its path."""

    model: str
    method: str
    context: int
    batch: int
    profile: str = ""
    optimizer: str = ""
    checkpointing: str = ""
    loss: str = ""
    kv_dtype: str = ""
    cache_policy: str = ""
    offload: Sequence[str] = ()
    config: tuple[str, str] | None = None


def request_of(asked: Asked, data: Dataset) -> Request:
    """Return the request that the names mean.

    Raises:
        UnknownNameError: a name in no list, with the near ones, or a switch that the method does not have.
        ProblemsError: a configuration that cannot be read or whose architecture is not supported.
    """
    method = options.method_named(asked.method, data.knowledge)
    return Request(
        model=_model(asked, data),
        method=method,
        context=asked.context,
        batch=asked.batch,
        profile=options.profile_named(asked.profile, method.task, data.knowledge),
        changes=_changes(asked, method, data),
    )


def _model(asked: Asked, data: Dataset) -> LanguageModel:
    if asked.config:
        return model_from_config(*asked.config, data.knowledge)
    return options.model_named(asked.model, data.models)


def _changes(asked: Asked, method: Method, data: Dataset) -> dict[str, float]:
    training = {
        "--optimizer": asked.optimizer,
        "--checkpointing": asked.checkpointing,
        "--loss": asked.loss,
        "--offload": asked.offload,
    }
    serving = {"--kv-dtype": asked.kv_dtype, "--cache-policy": asked.cache_policy}
    foreign = serving if method.task == "training" else training
    if wrong := [name for name, value in foreign.items() if value]:
        raise UnknownNameError(f"{', '.join(wrong)} não muda nada no método «{method.id}»; tire a opção")
    if method.task == "inference":
        kept = {"kv_bytes": method.kv_bytes} if not asked.kv_dtype else {}
        return options.cache_switches(asked.kv_dtype or "bf16", asked.cache_policy or "ciente") | kept
    found: dict[str, float] = {}
    if asked.optimizer:
        found |= options.state_switches(asked.optimizer, data.knowledge)
    if asked.checkpointing:
        found |= options.checkpointing_switches(asked.checkpointing)
    if asked.loss:
        found |= options.loss_switches(asked.loss, data.knowledge)
    return found | options.offload_switches(asked.offload)
