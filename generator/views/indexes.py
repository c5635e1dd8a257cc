"""The index of each kind of page from data: one row, or one sentence, for each page."""

from __future__ import annotations

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.model import Gpu, Provider
from generator.views import labels, model_words
from generator.views.atlas import Atlas
from generator.views.document import Bullets, Column, Entry, Table
from generator.views.fits import BATCH, CONTEXT
from generator.views.offer_rows import sort_key


def gpu_index(atlas: Atlas) -> Table:
    """Return the GPUs with a page, most memory first."""
    cards = sorted(atlas.catalogue.gpus.values(), key=lambda gpu: (-gpu.memory_gb, gpu.name))
    columns = (
        Column("GPU"),
        Column("VRAM", is_number=True),
        Column("Largura de banda", is_number=True),
        Column("BF16 ou FP16", is_number=True),
        Column("Sob demanda", is_number=True),
        Column("Spot", is_number=True),
        Column("Provedores", is_number=True),
    )
    caption = "O preço que se pode citar de cada GPU: o menor recente, ou o menor do dia mais novo, marcado antigo"
    return Table(caption, columns, tuple(_gpu(atlas, gpu) for gpu in cards))


def _gpu(atlas: Atlas, gpu: Gpu) -> tuple[Entry, ...]:
    speed, rate = gpu.bandwidth_gb_s, gpu.bf16_dense_tflops
    sellers = atlas.catalogue.sellers.get(gpu.id, 0)
    remark = "formato não informado" if gpu.is_variant_unknown else ""
    return (
        atlas.catalogue.gpu_entry(gpu.id, remark),
        Entry(fmt.quantity(gpu.memory_gb, "GB"), sort_key(gpu.memory_gb)),
        Entry(fmt.bandwidth(speed), sort_key(speed)) if speed else Entry("—"),
        Entry(fmt.quantity(rate, "TFLOPS"), sort_key(rate)) if rate else Entry("—"),
        atlas.catalogue.price_entry(gpu.id),
        atlas.catalogue.price_entry(gpu.id, "spot"),
        Entry(fmt.number(sellers), str(sellers)),
    )


def provider_index(atlas: Atlas) -> Table:
    """Return the providers with a page, in alphabetical order."""
    columns = (
        Column("Provedor"),
        Column("Ofertas", is_number=True),
        Column("GPUs", is_number=True),
        Column("Preço mais novo"),
        Column("Cobrança"),
    )
    chosen = sorted(atlas.catalogue.providers.values(), key=lambda provider: provider.name.casefold())
    return Table("Provedores com ofertas ou fatos na base", columns, tuple(_provider(atlas, each) for each in chosen))


def _provider(atlas: Atlas, provider: Provider) -> tuple[Entry, ...]:
    offers = atlas.catalogue.offers[atlas.catalogue.offers["provider"].eq(provider.id)]
    kind = atlas.catalogue.data.vocabularies["provider_kind"].get(provider.kind, "")
    billing = provider.facts.get("billing_granularity")
    newest = offers["collected_at"].max().date() if len(offers) else None
    gpus = int(offers["gpu"].nunique())
    return (
        atlas.catalogue.provider_entry(provider.id, kind),
        Entry(fmt.number(len(offers)), str(len(offers))),
        Entry(fmt.number(gpus), str(gpus)),
        Entry(fmt.day_short(newest), newest.isoformat()) if newest else Entry("sem preço na base"),
        Entry(billing.text if billing and billing.text else fmt.NOT_INFORMED),
    )


def model_index(atlas: Atlas) -> Table:
    """Return the models with a page, smallest first."""
    columns = (
        Column("Modelo"),
        Column("Parâmetros", is_number=True),
        Column("Servir em 4 bits", is_number=True),
        Column("QLoRA", is_number=True),
        Column("LoRA", is_number=True),
        Column("A instância mais barata para 4 bits"),
    )
    chosen = sorted(atlas.catalogue.models.values(), key=lambda model: (model.params_total, model.id))
    caption = f"Memória de uma GPU com {fmt.number(CONTEXT)} tokens e lote {BATCH}, e onde servir em 4 bits por menos"
    return Table(caption, columns, tuple(_model(atlas, model) for model in chosen))


def _model(atlas: Atlas, model: LanguageModel) -> tuple[Entry, ...]:
    needs = [atlas.fits.usual[model.id, method][1] for method in (atlas.fits.four_bits(model), "qlora", "lora")]
    return (
        Entry(model.name, href=f"~/modelos/{model.id}/", note=model.family),
        Entry(model_words.parameters(model.params_total), sort_key(model.params_total)),
        *(Entry(fmt.gibibytes(need), sort_key(need)) for need in needs),
        _cheapest(atlas, model),
    )


def _cheapest(atlas: Atlas, model: LanguageModel) -> Entry:
    method = atlas.fits.four_bits(model)
    fitting = atlas.fits.machines_for(atlas.fits.usual[model.id, method], method)
    if not fitting:
        return Entry("nenhuma alugada sob demanda")
    machine = min(fitting, key=lambda each: (each.price_usd_hour, each.gpu))
    return Entry(model_words.machine_label(atlas, machine), note=model_words.rent(atlas, machine))


def pair_index(atlas: Atlas) -> Bullets:
    """Return the pairs with a page, by the card with more memory."""
    found: dict[str, list[str]] = {}
    for one, other in atlas.rivals.pairs.values():
        link = f"[{labels.short_gpu(other)}](~/{atlas.rivals.pair_url(one, other)})"
        found.setdefault(one.id, []).append(link)
    return Bullets(
        tuple(
            f"**{labels.short_gpu(atlas.catalogue.gpus[id_])}** ou {', '.join(links)}" for id_, links in found.items()
        )
    )
