"""Block shortcodes of the index pages: what there is, with the way to each page from data."""

from __future__ import annotations

from markupsafe import Markup

from generator.pages.templating import render
from generator.views import indexes
from generator.views.atlas import Atlas
from generator.views.document import Block


class DataBlocks:
    """The block shortcodes that lead to pages from data; editors write them, so names are Portuguese."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    def catalogo_de_gpus(self) -> Markup:
        """Show every GPU with a page, its memory, rates and lowest prices."""
        return _shown(indexes.gpu_index(self._atlas))

    def catalogo_de_provedores(self) -> Markup:
        """Show every provider with a page, how many offers it has and how it bills."""
        return _shown(indexes.provider_index(self._atlas))

    def catalogo_de_modelos(self) -> Markup:
        """Show every model with a page and the memory it asks for."""
        return _shown(indexes.model_index(self._atlas))

    def catalogo_de_comparacoes(self) -> Markup:
        """Show every pair of GPUs with a page."""
        return _shown(indexes.pair_index(self._atlas))


def _shown(*blocks: Block) -> Markup:
    return render("block_list.html", found=blocks)
