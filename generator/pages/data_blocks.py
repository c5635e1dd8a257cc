"""Block shortcodes of the index pages: what there is, with the way to each page from data."""

from __future__ import annotations

from markupsafe import Markup

from generator.pages.shortcodes import choice
from generator.pages.templating import render
from generator.views import answers, data_tables, indexes, maps
from generator.views.atlas import Atlas
from generator.views.document import Block


class DataBlocks:
    """The block shortcodes that lead to pages from data; editors write them, so names are Portuguese."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    def catalogo_de_gpus(self) -> Markup:
        """Show every GPU with a page, its memory, rates and lowest prices."""
        return _shown(indexes.gpu_index(self._atlas))

    def mapas_do_mercado(self) -> Markup:
        """Show price against memory and against bandwidth, drawn and as tables."""
        return _shown(maps.price_by_memory(self._atlas), maps.price_by_bandwidth(self._atlas))

    def catalogo_de_provedores(self) -> Markup:
        """Show every provider with a page, how many offers it has and how it bills."""
        return _shown(indexes.provider_index(self._atlas))

    def catalogo_de_modelos(self) -> Markup:
        """Show every model with a page and the memory it asks for."""
        return _shown(indexes.model_index(self._atlas))

    def catalogo_de_comparacoes(self) -> Markup:
        """Show every pair of GPUs with a page."""
        return _shown(indexes.pair_index(self._atlas))

    def calculadora(self) -> Markup:
        """Show the choices of the calculator with a first answer, and the way to every model without script."""
        title, lines = answers.first(self._atlas)
        return render("calculator.html", lists=answers.choices(self._atlas), title=title, lines=lines)

    def arquivos_de_dados(self) -> Markup:
        """Show the files to take away, and which edition of the data they hold."""
        return _shown(data_tables.data_name(self._atlas.catalogue.data), data_tables.downloads(self._atlas))

    def colunas(self, tabela: str) -> Markup:
        """Show what each column of a published table means."""
        columns = choice(tabela, self._atlas.catalogue.data.columns, "tabela")
        return _shown(data_tables.column_table(columns, f"As colunas de {tabela}"))

    def quarentena(self) -> Markup:
        """Show the rows that wait for a person, and why others were dropped."""
        data = self._atlas.catalogue.data
        return _shown(*data_tables.quarantine(data), *data_tables.dropped(data))

    def nomes_sem_cadastro(self) -> Markup:
        """Show the GPU names that no table knows, and those that the guide leaves out."""
        return _shown(*data_tables.names(self._atlas.catalogue.data))

    def valores_para_revisar(self) -> Markup:
        """Show the prices on which sources disagree."""
        return _shown(*data_tables.review(self._atlas.catalogue.data))

    def cobertura(self, por: str) -> Markup:
        """Show how many offers each provider, GPU or country has."""
        field = choice(por, {"provedor": "provider", "gpu": "gpu", "pais": "country"}, "cobertura")
        return _shown(data_tables.coverage(self._atlas, field))


def _shown(*blocks: Block) -> Markup:
    return render("block_list.html", found=blocks)
