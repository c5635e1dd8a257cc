from pathlib import Path

import pytest

from generator.language_model import Architecture, LanguageModel, parse_models
from generator.sizing.knowledge import FILES, Knowledge, parse_knowledge

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="session")
def models() -> dict[str, LanguageModel]:
    return parse_models((DATA / "models.csv").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return parse_knowledge({name: (DATA / "sizing" / name).read_text(encoding="utf-8") for name in FILES})


@pytest.fixture
def small() -> Architecture:
    """Llama 3.1 8B by its published dimensions, written here so that no table is needed."""
    return Architecture(
        layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, intermediate=14336, vocab=128256,
        full_attention_layers=32,
    )  # fmt: skip
