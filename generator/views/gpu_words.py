"""What the page of a GPU says in sentences: how much it holds, what it costs, when to choose it."""

from __future__ import annotations

from statistics import median

from generator import formatting as fmt
from generator.model import Gpu
from generator.sizing.fit import has_fast_link
from generator.views import labels, summary
from generator.views.catalogue import Catalogue
from generator.views.fits import Fits

NEAR = 6  # cards that are weighed against each other
WORTH = 0.10  # a smaller difference of price is no reason to choose
USES = (("inferencia-4bit", "servir em 4 bits"), ("qlora", "ajustar com QLoRA"), ("ajuste-completo", "treinar inteiro"))


def lead(catalogue: Catalogue, gpu: Gpu) -> tuple[str, ...]:
    """Return what the GPU is, who rents it and from how much, a sentence each."""
    return tuple(filter(None, (_nature(gpu), _market(catalogue, gpu), _spread(catalogue, gpu), _spot(catalogue, gpu))))


def _nature(gpu: Gpu) -> str:
    memory = f"**{fmt.quantity(gpu.memory_gb, 'GB')}**" + (f" de {gpu.memory_type}" if gpu.memory_type else "")
    speed = f", lidos a **{fmt.bandwidth(gpu.bandwidth_gb_s)}**" if gpu.bandwidth_gb_s else ""
    family = f" na arquitetura {gpu.architecture}" if gpu.architecture else ""
    birth = f", lançada em {gpu.release_year}{family}," if gpu.release_year else ""
    return f"A {labels.short_gpu(gpu)}{birth} tem {memory}{speed}."


def _market(catalogue: Catalogue, gpu: Gpu) -> str:
    offers = catalogue.offers_of.get(gpu.id)
    if offers is None:
        return "Nenhum provedor do conjunto de dados a aluga inteira; a ficha serve para comparar."
    sellers = fmt.count(catalogue.sellers[gpu.id], "provedor aluga", "provedores alugam")
    total = fmt.count(len(offers), "oferta", "ofertas")
    quote = catalogue.quotes.get((gpu.id, "on_demand"))
    if quote is None:
        return f"**{sellers}** esta GPU, em {total}, nenhuma sob demanda com preço que se possa citar."
    kind = "o menor preço recente é" if quote.is_recent else "não há preço recente; o menor do dia mais novo é"
    return (
        f"**{sellers}** esta GPU, em {total}. Sob demanda, {kind} **{summary.price_in_words(quote, catalogue.data)}**."
    )


def _spread(catalogue: Catalogue, gpu: Gpu) -> str:
    """Return median and range of the best price of each provider, from three providers on."""
    prices = catalogue.best_prices(gpu.id)
    if len(prices) < 3:
        return ""
    middle = median(prices)
    return (
        f"Entre os melhores preços sob demanda de {fmt.count(len(prices), 'provedor', 'provedores')}, qualquer que "
        f"seja a idade deles, a mediana é de {fmt.money(round(middle, 4))} por GPU-hora, e os preços vão de "
        f"{fmt.money(prices[0])} a {fmt.money(prices[-1])}."
    )


def _spot(catalogue: Catalogue, gpu: Gpu) -> str:
    quote = catalogue.quotes.get((gpu.id, "spot"))
    if quote is None:
        return ""
    return f"Como spot, que o provedor pode retomar, {summary.price_in_words(quote, catalogue.data)}."


def when_to_choose(catalogue: Catalogue, fits: Fits, gpu: Gpu) -> tuple[str, ...]:
    """Return computed reasons for and against, the ones that the data support."""
    reasons = (
        _for_models(fits, gpu),
        _links(gpu),
        _precisions(catalogue, gpu),
        _cheaper(catalogue, gpu),
        _roomier(catalogue, gpu),
        _value(catalogue, gpu),
    )
    return tuple(filter(None, reasons))


def _for_models(fits: Fits, gpu: Gpu) -> str:
    """Return the largest model that one GPU holds for each use."""
    found = [(words, fits.fitting(gpu, 1, method)) for method, words in USES]
    parts = [f"para {words}, até o {models[0].name}" for words, models in found if models]
    if not parts:
        return "Escolha outra para LLMs: nenhum modelo do catálogo cabe nela inteiro com folga."
    return f"Escolha-a quando o modelo couber em uma placa só: {'; '.join(parts)}."


def _links(gpu: Gpu) -> str:
    link = gpu.interconnect
    if not link:
        return ""
    if link == "nenhuma":
        return (
            "As placas não se ligam diretamente: várias na mesma instância conversam pelo PCIe. Serve para tarefas que "
            "cabem em uma GPU ou que rodam uma cópia em cada."
        )
    if has_fast_link(gpu):
        return f"Com {link} entre as GPUs da instância, um modelo pode ser dividido entre quatro ou oito delas."
    return f"{link}: o modelo pode ser dividido entre duas; daí em diante a troca passa pelo PCIe."


def _precisions(catalogue: Catalogue, gpu: Gpu) -> str:
    have = catalogue.data.precisions.get(gpu.architecture)
    if not have:
        return ""
    if "BF16" not in have:
        return "Sem BF16 acelerado: para treinar, prefira uma geração mais nova."
    if "FP8" not in have:
        return "Acelera BF16, mas não FP8: a inferência em FP8 economiza memória sem ganhar velocidade."
    return "Acelera BF16 e FP8" + (" e também FP4" if "FP4" in have else "") + ", o que vale na inferência quantizada."


def _quotable(catalogue: Catalogue, gpu: Gpu) -> list[tuple[float, Gpu]]:
    """Return the other known cards with a price on demand of the same age band, cheapest first."""
    mine = catalogue.quotes.get((gpu.id, "on_demand"))
    if mine is None:
        return []
    found = [
        (float(quote.offer["price_usd_gpu_hour"]), catalogue.gpus[name])
        for (name, model), quote in catalogue.quotes.items()
        if model == "on_demand" and name != gpu.id and name in catalogue.gpus and quote.is_recent == mine.is_recent
    ]
    return sorted(
        ((price, card) for price, card in found if not card.is_variant_unknown), key=lambda p: (p[0], p[1].id)
    )


def _cheaper(catalogue: Catalogue, gpu: Gpu) -> str:
    """Return the cheapest card with at least as much memory, where it is clearly cheaper."""
    price = catalogue.price(gpu.id)
    rivals = [(cost, card) for cost, card in _quotable(catalogue, gpu) if card.memory_gb >= gpu.memory_gb]
    if price is None or not rivals:
        return ""
    cost, card = rivals[0]
    if cost > price * (1 - WORTH):
        return f"Com {fmt.quantity(gpu.memory_gb, 'GB')} ou mais, nenhuma outra custa bem menos nesta data."
    return (
        f"Se basta a memória, a {catalogue.gpu_link(card.id)} tem {fmt.quantity(card.memory_gb, 'GB')} e sai "
        f"{fmt.percent(1 - cost / price)} mais barata por hora ({fmt.money(cost)})."
    )


def _roomier(catalogue: Catalogue, gpu: Gpu) -> str:
    """Return the cheapest card with clearly more memory."""
    price = catalogue.price(gpu.id)
    larger = [(cost, card) for cost, card in _quotable(catalogue, gpu) if card.memory_gb >= gpu.memory_gb * 1.25]
    if price is None or not larger:
        return ""
    cost, card = larger[0]
    if cost <= price * (1 - WORTH):
        return ""  # said already: it is the cheaper one
    more = f"{fmt.percent(cost / price - 1)} a mais" if cost > price * (1 + WORTH) else "quase o mesmo preço"
    return (
        f"Se faltar memória, o passo seguinte é a {catalogue.gpu_link(card.id)}: "
        f"{fmt.quantity(card.memory_gb, 'GB')} por {more} ({fmt.money(cost)} por GPU-hora)."
    )


def _value(catalogue: Catalogue, gpu: Gpu) -> str:
    """Return the place of the card by bandwidth for a dollar among all cards quoted in the same age band."""
    price, speed = catalogue.price(gpu.id), gpu.bandwidth_gb_s
    if price is None or speed is None:
        return ""
    others = [(card.bandwidth_gb_s or 0) / cost for cost, card in _quotable(catalogue, gpu) if card.bandwidth_gb_s]
    place = 1 + sum(value > speed / price for value in others)
    total = len(others) + 1
    if total < NEAR:
        return ""
    ranked = "a primeira" if place == 1 else f"a {place}ª"
    return f"Em largura de banda por dólar, é {ranked} entre as {total} GPUs com preço da mesma época."
