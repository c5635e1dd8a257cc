"""Which methods make sense for a model, and which GPUs for a method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.sizing.rows import Method


def methods_for(model: LanguageModel, methods: Iterable[Method]) -> list[Method]:
    """Return the methods of a list that make sense for a model, in their order.

    A model published in 4 bits is served as it is: wider weights would be the same numbers in more memory. The way in
    which it is published makes sense for no other.
    """
    known = list(methods)
    own = [method for method in known if method.native and model.native_dtype.startswith(method.native)]
    if own:
        return [method for method in known if method in own or method.task == "training"]
    return [method for method in known if not method.native]


def gpus_for(method: Method, gpus: Iterable[Gpu], precisions: Mapping[str, Sequence[str]]) -> list[Gpu]:
    """Return the GPUs whose architecture accelerates what a method computes in.

    `precisions` are those of each architecture (`data/architectures.yml`); one that is not in it accelerates nothing
    that we know of.
    """
    return [gpu for gpu in gpus if not method.precision or method.precision in precisions.get(gpu.architecture, ())]
