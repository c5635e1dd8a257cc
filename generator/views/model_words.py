"""What the page of a model says in sentences."""

from __future__ import annotations

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.views import labels
from generator.views.atlas import Atlas
from generator.views.fits import CONTEXT, Machine

BILLION = 1_000_000_000


def parameters(count: int) -> str:
    """Return a number of parameters: `70,6 bilhões`, `1 bilhão`, `162 milhões`."""
    if count >= BILLION:
        size = count / BILLION
        return f"{fmt.number(size, 1)}{fmt.NBSP}{'bilhão' if size < 2 else 'bilhões'}"
    return f"{fmt.number(count / 1_000_000)}{fmt.NBSP}milhões"


def lead(atlas: Atlas, model: LanguageModel) -> tuple[str, ...]:
    """Return what the model is and what it asks of memory, a sentence each."""
    leading = ((atlas.fits.four_bits(model), "Para servir em 4 bits"), ("qlora", "Para ajustar com QLoRA"))
    needs = (_need(atlas, model, method, opening) for method, opening in leading)
    return tuple(filter(None, (_nature(model), _experts(model), *needs)))


def _nature(model: LanguageModel) -> str:
    context = f" e aceita até {fmt.number(model.max_context)} tokens de contexto" if model.max_context else ""
    return f"O {model.name}, de {model.year}, tem **{parameters(model.params_total)} de parâmetros**{context}."


def _experts(model: LanguageModel) -> str:
    if not model.params_active or model.params_active == model.params_total:
        return ""
    return (
        f"É uma mistura de especialistas: cada token usa {parameters(model.params_active)}, mas a memória precisa "
        "guardar todos."
    )


def _need(atlas: Atlas, model: LanguageModel, method: str, opening: str) -> str:
    need = atlas.fits.usual[model.id, method]
    fitting = atlas.fits.machines_for(need, method)
    asks = f"{opening}, com {fmt.number(CONTEXT)} tokens, pede **{fmt.gibibytes(need[1])}**"
    if not fitting:
        return f"{asks}, mais do que qualquer instância alugada sob demanda na base comporta com folga."
    cheapest = min(fitting, key=lambda machine: (machine.price_usd_hour, machine.gpu))
    return (
        f"{asks}; a instância mais barata em que cabe é **{machine_label(atlas, cheapest)}**, {rent(atlas, cheapest)}."
    )


def machine_label(atlas: Atlas, machine: Machine) -> str:
    """Return a machine in words: `8 × H100 SXM5`."""
    name = labels.short_gpu(atlas.catalogue.data.gpus[machine.gpu])
    return f"{machine.count}{fmt.NBSP}×{fmt.NBSP}{name}"


def rent(atlas: Atlas, machine: Machine) -> str:
    """Return what a machine costs, who rents it and since when that is known."""
    data = atlas.catalogue.data
    seller, day = data.providers[machine.offer["provider"]].name, fmt.day_short(machine.offer["collected_at"].date())
    is_old = machine.offer["age_days"] > data.rules.highlight_days
    return f"{fmt.money(machine.price_usd_hour)} por hora ({seller}, {day}{', preço antigo' if is_old else ''})"


def choices(atlas: Atlas, model: LanguageModel) -> tuple[str, ...]:
    """Return how methods and context change the need, from the grid."""
    return tuple(filter(None, (_quantised(atlas, model), _context(atlas, model), _adapters(atlas, model))))


def _quantised(atlas: Atlas, model: LanguageModel) -> str:
    if "inferencia-bf16" not in atlas.fits.methods_of[model.id]:
        return "É publicado em 4 bits e servido assim: em mais bits seriam os mesmos números em mais memória."
    usual = atlas.fits.usual
    full, small = usual[model.id, "inferencia-bf16"][1], usual[model.id, "inferencia-4bit"][1]
    saved = fmt.percent(1 - small / full)
    return (
        f"De BF16 para 4 bits, servir cai de {fmt.gibibytes(full)} para {fmt.gibibytes(small)}, {saved} menos; "
        "meça a qualidade no seu caso antes de trocar."
    )


def _context(atlas: Atlas, model: LanguageModel) -> str:
    contexts = atlas.fits.contexts_of(model)
    short, long = contexts[0], contexts[-1]
    added = atlas.fits.cache_bytes[model.id, long] - atlas.fits.cache_bytes[model.id, short]
    if added < atlas.fits.usual[model.id, "inferencia-bf16"][1] / 100:
        return ""
    return (
        f"Passar de {fmt.number(short)} para {fmt.number(long)} tokens por pedido "
        f"acrescenta {fmt.gibibytes(added)} de cache KV, e cada pedido simultâneo tem o seu."
    )


def _adapters(atlas: Atlas, model: LanguageModel) -> str:
    usual = atlas.fits.usual
    full, lora, qlora = (usual[model.id, name][1] for name in ("ajuste-completo", "lora", "qlora"))
    return (
        f"Ajustar todos os pesos pede {fmt.gibibytes(full)}; com LoRA são {fmt.gibibytes(lora)}, e com QLoRA, "
        f"{fmt.gibibytes(qlora)}."
    )
