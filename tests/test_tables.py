"""The curated tables: what their loaders refuse, and what the committed data promise."""

import csv
import re
from dataclasses import fields
from pathlib import Path

import pytest

from generator.model import Gpu
from generator.tables.gpus import parse_gpus
from generator.tables.providers import parse_provider_facts, parse_provider_fields, parse_providers
from generator.tables.terms import parse_terms
from generator.tables.vocabularies import parse_assumptions, parse_vocabularies

DATA = Path(__file__).parent.parent / "data"


def text_of(name):
    return (DATA / name).read_text(encoding="utf-8")


def good(parsed):
    value, problems = parsed
    assert [str(problem) for problem in problems] == []
    return value


VOCABULARIES = good(parse_vocabularies(text_of("vocabularies.yml"), "vocabularies.yml"))
ASSUMPTIONS = good(parse_assumptions(text_of("assumptions.yml"), "assumptions.yml"))
GPUS = good(parse_gpus(text_of("gpus.csv"), "gpus.csv", VOCABULARIES, ASSUMPTIONS))
FIELDS = good(parse_provider_fields(text_of("provider_fields.yml"), "provider_fields.yml"))
PROVIDERS = good(
    parse_provider_facts(
        text_of("provider_facts.csv"),
        "provider_facts.csv",
        good(parse_providers(text_of("providers.csv"), "providers.csv", VOCABULARIES)),
        FIELDS,
        VOCABULARIES,
    )
)
TERMS = good(parse_terms(text_of("terminologia.csv"), "terminologia.csv"))
FACTS = [(id_, name, fact) for id_, each in PROVIDERS.items() for name, fact in each.facts.items()]
VARIANTS = {
    "h100-80": ("h100-sxm", "h100-pcie"),
    "h200-141": ("h200-sxm", "h200-nvl"),
    "a100-80": ("a100-80-sxm", "a100-80-pcie"),
    "a100-40": ("a100-40-sxm", "a100-40-pcie"),
    "rtx-pro-6000": ("rtx-pro-6000-server", "rtx-pro-6000-ws"),
    "v100-16-unknown": ("v100-16",),
    "v100-32-unknown": ("v100-32", "v100s"),
    "b200-180": ("b200",),
}


def a_gpu_csv(**changes):
    row = {
        "id": "l4",
        "name": "NVIDIA L4 24 GB",
        "vendor": "NVIDIA",
        "accelerator_class": "gpu",
        "architecture": "Ada Lovelace",
        "form_factor": "PCIe",
        "memory_gb": "24",
        "confidence": "high",
        "source": "uma fonte",
        "check_at": "uma folha de dados",
    } | changes
    names = [field.name for field in fields(Gpu)]
    return ",".join(names) + "\n" + ",".join(f'"{row.get(name, "")}"' for name in names) + "\n"


def read_gpu(text):
    return parse_gpus(text, "data/gpus.csv", VOCABULARIES, ASSUMPTIONS)


def test_measured_memory_is_kept_and_unmeasured_memory_is_the_stated_assumption():
    share = ASSUMPTIONS["visible_memory_per_nominal_gb"].value
    measured = good(read_gpu(a_gpu_csv(visible_memory_gib="22.35", visible_memory_source="22.888 MiB")))["l4"]
    assumed = good(read_gpu(a_gpu_csv()))["l4"]
    assert measured.visible_memory_gib == 22.35
    assert (assumed.visible_memory_gib, assumed.visible_memory_source) == (24 * share, "")


def test_the_assumption_never_promises_more_than_a_decimal_gigabyte():
    assert 0.9 < ASSUMPTIONS["visible_memory_per_nominal_gb"].value <= 10**9 / 2**30


WRONG_GPUS = [
    ({"accelerator_class": "gpus"}, "«gpu»"),
    ({"accelerator_class": "npu"}, "gpu"),
    ({"form_factor": "SXM"}, "«SXM"),
    ({"memory_gb": ""}, "preencha"),
    ({"memory_gb": "24 GB"}, "ponto decimal"),
    ({"bandwidth_gb_s": "3,35"}, "vírgula por ponto"),
    ({"bandwidth_gb_s": "0"}, "maior que zero"),
    ({"source": ""}, "preencha"),
    ({"source_date": "24/05/2026"}, "AAAA-MM-DD"),
    ({"source_date": "2026-02-30"}, "não existe"),
    ({"release_year": "2023.5"}, "inteiro"),
    ({"id": "L4"}, "minúsculas"),
    ({"name": "NVIDIA L4 "}, "espaço"),
    ({"visible_memory_gib": "22.35"}, "sem a sua fonte"),
    ({"visible_memory_source": "medido"}, "sem a memória visível"),
    ({"visible_memory_gib": "22888", "visible_memory_source": "em MiB"}, "confira a unidade"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG_GPUS)
def test_a_wrong_gpu_row_is_one_problem_with_its_line_and_is_left_out(changes, words):
    gpus, problems = read_gpu(a_gpu_csv(**changes))
    assert gpus == {}
    assert [(problem.path, problem.line) for problem in problems] == [("data/gpus.csv", 2)]
    assert words in str(problems[0])


HEADER = "provider,field,value,text,source,source_date,evidence,notes\n"
WRONG_FACTS = [
    ("awz,egress,free,Grátis,fonte,,secondary,", "«aws»"),
    ("aws,egres,free,Grátis,fonte,,secondary,", "«egress»"),
    ("aws,billing_granularity,seconds,Por segundo,fonte,,secondary,", "«second»"),
    ('aws,egress,"0,09","US$ 0,09",fonte,,secondary,', "vírgula por ponto"),
    ("aws,egress,gratis,Grátis,fonte,,secondary,", "free"),
    ("aws,spot_notice,2 min,Dois minutos,fonte,,secondary,", "ponto decimal"),
    ("aws,spot_notice,-120,Dois minutos,fonte,,secondary,", "sinal"),
    ("aws,access,ssh;jupiter,SSH,fonte,,secondary,", "«jupyter»"),
    ("aws,egress,free,Grátis,,,secondary,", "sem «source»"),
    ("aws,egress,free,Grátis,fonte,,,", "sem «evidence»"),
    ("aws,egress,free,Grátis,fonte,2026,secondary,", "AAAA-MM-DD"),
    ("aws,egress,free,,,,,", "«value» sem «text»"),
    ("aws,egress,,,fonte,,,", "«source» sem «text»"),
    ("aws,egress,,,,,,", "sem fato e sem nota"),
    ("aws,egress,free,Grátis,fonte,,primario,", "primary_doc"),
    ("aws,egress,free,A,f,,secondary,\naws,egress,free,B,f,,secondary,", "repetido (já na linha 2)"),
]


@pytest.mark.parametrize(("rows", "words"), WRONG_FACTS)
def test_a_wrong_fact_is_reported_with_its_line(rows, words):
    _, problems = parse_provider_facts(HEADER + rows + "\n", "fatos.csv", PROVIDERS, FIELDS, VOCABULARIES)
    assert [problem.line for problem in problems] == [rows.count("\n") + 2]
    assert words in str(problems[0])


def test_a_fact_that_is_unknown_with_a_note_publishes_nothing():
    rows = "oci,persistent_storage,,,,,,Fontes em disputa.\n"
    providers = good(parse_provider_facts(HEADER + rows, "fatos.csv", PROVIDERS, FIELDS, VOCABULARIES))
    fact = providers["oci"].facts["persistent_storage"]
    assert (fact.value, fact.text, fact.source_date) == ("", "", None)


def test_terms_tell_preferred_and_avoided_forms_apart():
    text = (
        "en,pt_br,avoid,note\nbilling,cobrança; faturamento,faturação (pt-PT); billing,\ntraining,treinamento,,Nota.\n"
    )
    billing, training = good(parse_terms(text, "t.csv"))
    assert billing.preferred == ("cobrança", "faturamento")
    assert [(each.form, each.when) for each in billing.avoid] == [("faturação", "pt-PT"), ("billing", "")]
    assert (training.avoid, training.note) == ((), "Nota.")


@pytest.mark.parametrize("row", ["a,b;c,,", "a,b,c (d,", "a,b,(pt-PT),", "a,,c,", "a,b; ,,"])
def test_a_wrong_term_is_reported(row):
    assert [problem.line for problem in parse_terms(f"en,pt_br,avoid,note\n{row}\n", "t.csv")[1]] == [2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x: {label: a, kind: choise, values: {}, question: b}\n", "«choice»"),
        ("x: {label: a, kind: number, values: {}, question: b}\n", "«unit»"),
        ("x: {label: a, kind: choice, question: b}\n", "mapa"),
        ("x: {label: a, kind: choice, values: {sim: true}, question: b}\n", "entre aspas"),
        ("x: {label: a, kind: choice, values: {}, qestion: b, question: c}\n", "qestion"),
        ("x: texto\n", "mapa"),
    ],
)
def test_a_wrong_question_is_reported(text, words):
    _, problems = parse_provider_fields(text, "f.yml")
    assert len(problems) == 1
    assert words in str(problems[0])


# What the committed data promise.


def test_every_gpu_says_where_it_was_read_and_where_to_check():
    assert len(GPUS) >= 57
    for gpu in GPUS.values():
        assert gpu.source
        assert gpu.check_at


def test_visible_memory_is_never_under_the_assumption_nor_above_nominal():
    share = ASSUMPTIONS["visible_memory_per_nominal_gb"].value
    shares = {gpu.id: gpu.visible_memory_gib / gpu.memory_gb for gpu in GPUS.values()}
    assert min(shares.values()) >= share - 1e-9
    assert max(shares.values()) <= 1


@pytest.mark.parametrize(("unknown", "variants"), VARIANTS.items())
def test_a_card_of_unknown_form_states_only_what_holds_for_every_variant(unknown, variants):
    gpu, cards = GPUS[unknown], [GPUS[id_] for id_ in variants]
    assert gpu.is_variant_unknown
    assert gpu.visible_memory_gib <= min(card.visible_memory_gib for card in cards)
    for name in ("memory_gb", "memory_type", "bandwidth_gb_s", "bf16_dense_tflops", "fp8_dense_tflops", "architecture"):
        values = {getattr(card, name) for card in cards}
        assert getattr(gpu, name) in ((values | {None, ""}) if len(values) == 1 else {None, ""}), name


def test_only_cards_of_unknown_form_have_no_form():
    assert {gpu.id for gpu in GPUS.values() if gpu.is_variant_unknown} == set(VARIANTS)


def test_cards_that_are_not_gpus_are_not_called_gpus():
    makers = {"tpu": {"Google"}, "asic": {"Intel", "AWS"}, "gpu": {"NVIDIA", "AMD"}}
    assert all(gpu.vendor in makers[gpu.accelerator_class] for gpu in GPUS.values())


def test_tensor_rates_are_dense():
    # NVIDIA H100 datasheet: 1,979 BF16 TFLOPS with sparsity, so 989 dense; A100: 624 with, 312 without
    assert GPUS["h100-sxm"].bf16_dense_tflops == 989
    assert GPUS["a100-80-sxm"].bf16_dense_tflops == 312


def test_every_provider_has_an_address_and_no_one_appears_twice():
    assert len(PROVIDERS) >= 36
    assert {"jarvislabs", "vast"} <= set(PROVIDERS)
    assert not {"jarvis-labs", "vast-ai"} & set(PROVIDERS)
    names = [re.sub(r"\W", "", each.name.casefold()) for each in PROVIDERS.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("fact", [fact for _, _, fact in FACTS], ids=[f"{id_}-{name}" for id_, name, _ in FACTS])
def test_a_fact_is_either_told_with_its_source_or_wholly_unknown(fact):
    assert bool(fact.text) == bool(fact.evidence) == bool(fact.source)
    assert fact.text or (not fact.value and fact.source_date is None and fact.notes)
    assert not fact.text.endswith(".")
    assert "\n" not in fact.text
    assert "unknown" not in f"{fact.value} {fact.text}"


def test_facts_whose_value_has_one_reading_carry_it():
    for provider, name, fact in FACTS:
        if fact.value.replace(".", "").isdigit():
            number = fact.value.rstrip("0").rstrip(".").replace(".", ",") if "." in fact.value else fact.value
            shown = {"spot_notice": {"120": "2 minutos"}.get(fact.value, fact.value)}.get(name, number)
            assert shown in fact.text, (provider, name)


def test_no_fact_is_without_a_question_and_no_question_without_a_known_fact():
    assert {name for _, name, _ in FACTS} == set(FIELDS)


def test_money_in_facts_never_breaks_from_its_sign():
    for _, _, fact in FACTS:
        assert not re.search(r"(US\$|R\$)(?!\u00a0)", fact.text), fact.text


def test_terms_are_consistent():
    preferred = {form for term in TERMS for form in term.preferred}
    for term in TERMS:
        for avoided in term.avoid:
            assert avoided.when or avoided.form not in preferred, avoided


@pytest.mark.parametrize("path", sorted(DATA.glob("*.csv")), ids=lambda path: path.name)
def test_a_table_is_written_in_one_way(path):
    payload = path.read_bytes()
    assert not payload.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in payload
    assert payload.endswith(b"\n")
    rows = list(csv.reader(payload.decode("utf-8").splitlines(keepends=True)))
    assert len({len(row) for row in rows}) == 1
