"""The tables behind a cost in reais, read together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.cost_model import CostTables
from generator.folder import Folder
from generator.language_model import LanguageModel
from generator.model import Provider
from generator.tables.scenarios import parse_scenarios
from generator.tables.storage import parse_egress_prices, parse_storage_prices
from generator.tables.taxes import parse_company_taxes, parse_countries, parse_iof
from generator.tables.vocabularies import Vocabularies

RULES = "data/cost.yml"
VOCABULARIES, PROVIDERS = "data/vocabularies.yml", "data/providers.csv"
MODELS = "data/models.csv"


def read_cost_tables(
    folder: Folder,
    rules: Any,
    vocabularies: Vocabularies,
    providers: Mapping[str, Provider],
    work: tuple[Mapping[str, LanguageModel], Mapping[str, Any]],
) -> CostTables:
    """Return the tables; `work` is models and sizing methods. Problems stay in the folder."""
    sold, sold_needs = (providers, vocabularies, rules), (PROVIDERS, VOCABULARIES, RULES)
    kinds = vocabularies["provider_kind"] if vocabularies else {}
    return CostTables(
        rules=rules,
        iof=folder.parse(parse_iof, "data/iof.csv", rules, needs=[RULES]),
        countries=folder.parse(parse_countries, "data/countries.csv", vocabularies, needs=[VOCABULARIES]),
        company_taxes=folder.parse(parse_company_taxes, "data/company_taxes.csv"),
        storage=folder.parse(parse_storage_prices, "data/storage_prices.csv", *sold, needs=sold_needs),
        egress=folder.parse(parse_egress_prices, "data/egress_prices.csv", *sold, needs=sold_needs),
        scenarios=folder.parse(parse_scenarios, "data/scenarios.yml", *work, kinds, needs=[MODELS, VOCABULARIES]),
    )
