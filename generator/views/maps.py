"""The market as maps: what a GPU costs against what it holds and how fast it reads."""

from __future__ import annotations

from statistics import median

from generator import formatting as fmt
from generator.model import Gpu
from generator.views import labels
from generator.views.atlas import Atlas
from generator.views.document import Column, Dot, Dots, Entry, Table
from generator.views.offer_rows import sort_key


def price_by_memory(atlas: Atlas) -> Dots:
    """Return the map of price and memory."""
    sizes = [(gpu, gpu.memory_gb, fmt.quantity(gpu.memory_gb, "GB")) for gpu in atlas.rivals.known]
    return _map(atlas, "VRAM, em GB", "memória", _dots(atlas, sizes), "Preço e memória das GPUs")


def price_by_bandwidth(atlas: Atlas) -> Dots:
    """Return the map of price and memory bandwidth."""
    speeds = [(gpu, speed, fmt.bandwidth(speed)) for gpu in atlas.rivals.known if (speed := gpu.bandwidth_gb_s)]
    return _map(atlas, "Largura de banda, em GB/s", "banda", _dots(atlas, speeds), "Preço e largura de banda das GPUs")


def _price(atlas: Atlas, gpu: Gpu) -> float:
    """Return the median of the best prices of providers, whatever their age: one old bargain does not move it far."""
    return median(atlas.catalogue.best_prices(gpu.id))


def _dots(atlas: Atlas, measured: list[tuple[Gpu, float, str]]) -> list[tuple[Gpu, Dot]]:
    found = []
    for gpu, amount, words in measured:
        price, name = _price(atlas, gpu), labels.short_gpu(gpu)
        text = f"{name}: {words}, {fmt.money(round(price, 2))} por GPU-hora"
        found.append((gpu, Dot(name, amount, price, text)))
    return sorted(found, key=lambda each: (-atlas.catalogue.sellers[each[0].id], each[1].name))


def _map(atlas: Atlas, x_label: str, noun: str, dots: list[tuple[Gpu, Dot]], title: str) -> Dots:
    ranked = sorted(dots, key=lambda each: (-each[1].x / each[1].y, each[1].name))
    summary = (
        "Cada ponto é uma GPU; o preço é a mediana dos melhores preços sob demanda dos provedores, de qualquer data. "
        f"Quanto mais à direita e mais embaixo, mais {noun} por dólar: numa ponta está a **{ranked[0][1].name}**, e na "
        f"outra, a **{ranked[-1][1].name}**. As escalas são logarítmicas."
    )
    columns = (
        Column("GPU"),
        Column(x_label, is_number=True),
        Column("Mediana por GPU-hora", is_number=True),
        Column("Por dólar", is_number=True),
    )
    table = Table(f"{title}: os números", columns, tuple(_row(atlas, gpu, dot) for gpu, dot in ranked))
    return Dots(title, summary, x_label, "US$ por GPU-hora", tuple(dot for _, dot in dots), table)


def _row(atlas: Atlas, gpu: Gpu, dot: Dot) -> tuple[Entry, ...]:
    rate = dot.x / dot.y
    return (
        atlas.catalogue.gpu_entry(gpu.id),
        Entry(fmt.number(dot.x), sort_key(dot.x)),
        Entry(fmt.money(round(dot.y, 2)), sort_key(dot.y)),
        Entry(fmt.number(rate, 1 if rate < 10 else 0), sort_key(rate)),
    )
