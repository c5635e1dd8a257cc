"""The nouns of the domain. Unknown is `None`, never zero; every unit is in its name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Gpu:
    """One accelerator as the maker sells it (`data/gpus.csv`).

    Tensor rates are dense, without structured sparsity. `memory_gb` is the nominal number printed on the card;
    `visible_memory_gib` is what a program sees, measured where `visible_memory_source` says so and otherwise assumed.
    """

    id: str
    name: str
    vendor: str
    accelerator_class: str  # gpu, tpu, asic
    architecture: str
    form_factor: str  # empty: the seller did not say, see `is_variant_unknown`
    memory_gb: float
    visible_memory_gib: float
    visible_memory_source: str  # empty: the assumption of data/assumptions.yml, labelled as such
    memory_type: str
    bandwidth_gb_s: float | None
    bf16_dense_tflops: float | None
    fp8_dense_tflops: float | None
    int8_dense_tops: float | None
    fp4_dense_tflops: float | None
    interconnect: str  # between GPUs, for readers; "nenhuma" is known to be none, empty is unknown
    interconnect_gb_s: float | None  # per GPU, both directions added
    host_bus: str
    tdp_w: float | None
    release_year: int | None
    cuda_capability: str
    confidence: str  # high, medium, low; low is not published without a datasheet
    source: str
    source_date: date | None
    check_at: str  # the datasheet a person should open
    notes: str

    @property
    def is_variant_unknown(self) -> bool:
        """Return whether the seller did not say which form factor this is (such as a plain “H100”)."""
        return not self.form_factor

    def published(self) -> Gpu:
        """Return the card with what its confidence allows to publish: low confidence keeps the name and the memory."""
        if self.confidence != "low":
            return self
        return replace(
            self,
            bandwidth_gb_s=None,
            bf16_dense_tflops=None,
            fp8_dense_tflops=None,
            int8_dense_tops=None,
            fp4_dense_tflops=None,
            interconnect_gb_s=None,
        )


@dataclass(frozen=True, slots=True)
class Fact:
    """One operational fact of a provider, with where and when it was read (`data/provider_facts.csv`)."""

    value: str  # canonical, from a closed list where the field has one; empty when unknown
    text: str  # the sentence a reader sees, in Portuguese; empty when unknown
    source: str
    source_date: date | None
    evidence: str
    notes: str


@dataclass(frozen=True, slots=True)
class ProviderField:
    """One question that the guides send the reader to ask a provider (`data/provider_fields.yml`)."""

    id: str
    label: str  # column title
    kind: str  # choice, set, number or text: how `Fact.value` is written
    unit: str  # of the number, such as seconds; empty for the other kinds
    values: dict[str, str]  # canonical value → words for the reader
    question: str  # what the reader should ask, and why it matters


@dataclass(frozen=True, slots=True)
class Provider:
    """Who sells (`data/providers.csv`), with its facts by field name."""

    id: str
    name: str
    kind: str  # hyperscaler, neocloud, marketplace, serverless, ...
    url: str
    headquarters: str  # ISO 3166-1 alpha-2, empty when unknown
    source: str = ""  # who says what it is and where it is from
    source_date: date | None = None
    facts: dict[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many units of `quote` one unit of `base` buys on `day` (`data/exchange_rates.csv`)."""

    base: str
    quote: str
    day: date
    rate: Decimal
    kind: str  # sell, buy, mid; empty when the source does not say
    source: str


@dataclass(frozen=True, slots=True, eq=False)  # one object per workload and dataset, so that results can be kept
class Workload:
    """What makes an offer suitable for a guide, how offers are ranked and how many are shown (`data/workloads.yml`)."""

    id: str
    guide: str  # path of the guide below content/
    label: str  # in the menu
    title: str
    min_memory_gb: float  # per GPU
    min_bandwidth_gb_s: float  # per GPU
    precisions: tuple[str, ...]  # all must be accelerated
    rank_by: str  # the Gpu field whose amount per dollar orders the rows
    prefer: str  # between equal prices per GPU: many or few GPUs per machine
    rows: dict[str, int]  # most rows by pricing model, and in the table of Brazilian regions
    why: tuple[str, ...]  # sentences for the reader, Markdown bold allowed
    sizing: SizingChoice


@dataclass(frozen=True, slots=True)
class SizingChoice:
    """What the sizing table of a guide shows: models × methods at one context (tokens) and batch (sequences)."""

    models: tuple[str, ...]
    methods: tuple[str, ...]
    context: int
    batch: int


@dataclass(frozen=True, slots=True)
class Assumption:
    """A stated number, used where nothing better is known and shown as such (`data/assumptions.yml`)."""

    id: str
    value: float
    unit: str
    label: str
    text: str  # what it is and why it is safe, for the reader
    source: str


@dataclass(frozen=True, slots=True)
class AvoidedForm:
    """A form that the prose should not use, and the qualifier that limits when (`em prosa`, `pt-PT`)."""

    form: str
    when: str


@dataclass(frozen=True, slots=True)
class Term:
    """How a concept is said in Brazilian Portuguese (`data/terminologia.csv`)."""

    english: str
    preferred: tuple[str, ...]
    avoid: tuple[AvoidedForm, ...]
    note: str
