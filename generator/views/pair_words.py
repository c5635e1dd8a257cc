"""What the page of two GPUs says in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from generator import formatting as fmt
from generator.model import Gpu
from generator.sizing.fit import has_fast_link
from generator.views import labels, summary
from generator.views.atlas import Atlas
from generator.views.gpu_words import USES, WORTH
from generator.views.ratios import SAME, more, than


def lead(atlas: Atlas, one: Gpu, other: Gpu) -> tuple[str, ...]:
    """Return the difference of memory, of speed and of price, a sentence each."""
    return tuple(filter(None, (_memory(one, other), _speed(one, other), _price(atlas, one, other))))


def _memory(one: Gpu, other: Gpu) -> str:
    """Return the difference of memory; the first card has at least as much."""
    a, b = labels.short_gpu(one), labels.short_gpu(other)
    size = fmt.quantity(one.memory_gb, "GB")
    if one.memory_gb == other.memory_gb:
        return f"A {a} e a {b} têm a mesma memória, **{size}**: o que cabe em uma cabe na outra."
    sizes = one.memory_gb, other.memory_gb
    rest = fmt.quantity(other.memory_gb, "GB")
    return f"A {a} tem **{more(*sizes, 'memória')}** {than(*sizes)} {b}: {size}, contra {rest}."


def _speed(one: Gpu, other: Gpu) -> str:
    """Return which card reads memory and multiplies faster, as far as both rates are known."""
    found: dict[str, list[str]] = {}
    rates = (
        (one.bandwidth_gb_s, other.bandwidth_gb_s, "largura de banda"),
        (one.bf16_dense_tflops, other.bf16_dense_tflops, "taxa em BF16"),
    )
    for mine, theirs, noun in rates:
        if mine and theirs and abs(mine / theirs - 1) >= SAME:
            winner = one if mine > theirs else other
            gain = more(max(mine, theirs), min(mine, theirs), noun)
            found.setdefault(labels.short_gpu(winner), []).append(f"**{gain}**")
        elif mine and theirs:
            found.setdefault("", []).append(noun)
    return " ".join(_advantage(name, gains) for name, gains in found.items())


def _advantage(name: str, gains: list[str]) -> str:
    if not name:
        return f"As duas têm praticamente a mesma {fmt.words(gains)}."
    return f"A {name} tem {fmt.words(gains)}."


def _price(atlas: Atlas, one: Gpu, other: Gpu) -> str:
    """Return both prices with their dates; a percentage only between prices of the same age band."""
    catalogue = atlas.catalogue
    mine, theirs = (catalogue.quotes[gpu.id, "on_demand"] for gpu in (one, other))
    words = [summary.price_in_words(quote, catalogue.data) for quote in (mine, theirs)]
    both = f"Sob demanda, a {labels.short_gpu(one)} sai por {words[0]} e a {labels.short_gpu(other)}, por {words[1]}"
    if mine.is_recent != theirs.is_recent:
        return f"{both}: um preço é antigo, e comparar os dois diz pouco."
    costs = {gpu.id: float(quote.offer["price_usd_gpu_hour"]) for gpu, quote in ((one, mine), (other, theirs))}
    cheap, dear = sorted((one, other), key=lambda gpu: costs[gpu.id])
    gap = 1 - costs[cheap.id] / costs[dear.id]
    if gap < SAME:
        return f"{both}: quase o mesmo."
    return f"{both}: a {labels.short_gpu(cheap)} custa **{fmt.percent(gap)} menos** por hora."


def verdict(atlas: Atlas, one: Gpu, other: Gpu) -> tuple[str, ...]:
    """Return when to choose each card, from what the data support."""
    return (*_by_models(atlas, one, other), *_by_value(atlas, one, other), *_by_links(one, other))


def _by_models(atlas: Atlas, one: Gpu, other: Gpu) -> Iterator[str]:
    """Yield, for each use, a model that fits the first card alone and not the second."""
    if one.memory_gb == other.memory_gb:
        return
    found = []
    for method, words in USES:
        roomy, tight = (atlas.fits.fitting(gpu, 1, method) for gpu in (one, other))
        names = {model.id for model in tight}
        only = [model for model in roomy if model.id not in names]
        if only:
            found.append(f"para {words}, o [{only[0].name}](~/modelos/{only[0].id}/)")
    if found:
        yield f"Só a {labels.short_gpu(one)} comporta, em uma placa e com folga: {'; '.join(found)}."


def _by_value(atlas: Atlas, one: Gpu, other: Gpu) -> Iterator[str]:
    """Yield which card gives more of each thing for a dollar, between prices of the same age band."""
    mine, theirs = (atlas.catalogue.quotes[gpu.id, "on_demand"] for gpu in (one, other))
    if mine.is_recent != theirs.is_recent:
        return
    costs = [float(quote.offer["price_usd_gpu_hour"]) for quote in (mine, theirs)]
    kinds = (
        ("memory_gb", "VRAM", "o modelo precisa de espaço e a velocidade importa menos"),
        ("bandwidth_gb_s", "largura de banda", "o trabalho é gerar texto, que lê todos os pesos a cada token"),
        ("bf16_dense_tflops", "cálculo em BF16", "o trabalho é treinar ou processar lotes grandes"),
    )
    for field, noun, use in kinds:
        amounts = [getattr(one, field), getattr(other, field)]
        if all(amounts):
            yield _value((one, other), [amount / cost for amount, cost in zip(amounts, costs, strict=True)], noun, use)


def _value(cards: tuple[Gpu, Gpu], rates: list[float], noun: str, use: str) -> str:
    winner = 0 if rates[0] >= rates[1] else 1
    gain = rates[winner] / rates[1 - winner] - 1
    if gain < WORTH:
        return f"Em {noun} por dólar, as duas se equivalem."
    return (
        f"Se {use}, a **{labels.short_gpu(cards[winner])}** rende mais: {fmt.percent(gain)} a mais de {noun} por dólar."
    )


def _by_links(one: Gpu, other: Gpu) -> Iterator[str]:
    fast = [gpu for gpu in (one, other) if has_fast_link(gpu)]
    if len(fast) == 1:
        yield (
            f"Para dividir um modelo entre quatro ou oito GPUs, fique com a {labels.short_gpu(fast[0])}, que tem "
            f"{fast[0].interconnect}."
        )
