"""`size` and `score` from the command line, as people and programs call them."""

import json
from pathlib import Path

import pytest

from generator.__main__ import main
from generator.sizing.cases import COLUMNS
from tests.sizing.test_config import CONFIGS

ROOT = Path(__file__).parents[1]
ROW_KEYS = [
    "case_id", "category", "method", "profile", "predicted", "measured", "unit", "error", "low", "high", "reason",
]  # fmt: skip
KINDS = {
    "dense": "phi-2",
    "grouped queries": "llama-3.1-8b",
    "experts": "mixtral-8x7b",
    "latent attention": "deepseek-v3",
    "sliding window": "gemma-3-12b",
}


@pytest.fixture
def run(capsys):
    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main([*arguments, "--root", str(ROOT)])
        except SystemExit as stopped:  # argparse
            code = int(stopped.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_size_prints_parts_fitting_gpus_and_offers(run):
    code, out, _ = run("size", "llama-3.1-8b", "--method", "qlora", "--batch", "4", "--profile", "hf-trainer")
    assert code == 0
    assert all(words in out for words in ("pesos", "Onde cabe", "O que cada mudança pouparia", "por hora"))


def test_every_switch_moves_the_need_the_way_it_should(run):
    def need(*more: str, method: str = "ajuste-completo") -> float:
        code, out, err = run("size", "llama-3.1-8b", "--method", method, "--format", "json", *more)
        assert code == 0, err
        return json.loads(out)["need_bytes"]

    assert need("--optimizer", "adam8bit") < need()
    assert need("--checkpointing", "nenhum") > need("--checkpointing", "seletivo") > need()
    assert need("--loss", "cut-cross-entropy") < need()
    assert need("--offload", "otimizador", "--offload", "ativações") < need("--offload", "otimizador") < need()
    serving = need(method="inferencia-bf16")
    assert need("--kv-dtype", "fp8", method="inferencia-bf16") < serving
    assert need("--cache-policy", "uniforme", method="inferencia-bf16") == serving


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (("llama-3.1-8", "--method", "qlora"), "«llama-3.1-8b»"),
        (("llama-3.1-8b", "--method", "qloar"), "«qlora»"),
        (("llama-3.1-8b", "--method", "qlora", "--profile", "hf-trainr"), "«hf-trainer»"),
        (("llama-3.1-8b", "--method", "qlora", "--profile", "vllm"), "perfil de treino"),
        (("llama-3.1-8b", "--method", "qlora", "--optimizer", "adam8bits"), "«adam8bit»"),
        (("llama-3.1-8b", "--method", "qlora", "--loss", "fused"), "fused_ce"),
        (("llama-3.1-8b", "--method", "qlora", "--checkpointing", "completa"), "«completo»"),
        (("llama-3.1-8b", "--method", "qlora", "--offload", "otimizadr"), "«otimizador»"),
        (("llama-3.1-8b", "--method", "inferencia-fp8", "--kv-dtype", "fp9"), "«fp8»"),
        (("llama-3.1-8b", "--method", "qlora", "--kv-dtype", "fp8"), "--kv-dtype não muda nada"),
        (("llama-3.1-8b", "--method", "qlora", "--seq", "8k"), "“8k”"),
        (("llama-3.1-8b", "--method", "qlora", "--seq", "0"), "“0”"),
        (("llama-3.1-8b", "--method", "qlora", "--batch", "-1"), "-1"),
        (("llama-3.1-8b",), "--method"),
        (("--method", "qlora"), "--config"),
        (("--method", "qlora", "--config", "nada.json"), "“nada.json” não existe"),
        (("flux.1-dev", "--method", "qlora"), "componentes"),
    ],
)
def test_a_wrong_word_is_answered_with_what_would_be_right(run, arguments, suggestion):
    code, out, err = run("size", *arguments)
    assert (code, out) == (2, "")
    assert suggestion in err


@pytest.mark.parametrize("kind", KINDS)
def test_a_configuration_file_gives_the_need_of_the_model_of_the_table(run, tmp_path, kind):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIGS[KINDS[kind]]), encoding="utf-8")
    rest = ("--method", "inferencia-bf16", "--seq", "32768", "--batch", "4", "--format", "json")
    _, from_file, _ = run("size", "--config", str(file), *rest)
    _, from_table, _ = run("size", KINDS[kind], *rest)
    assert json.loads(from_file)["parts"] == json.loads(from_table)["parts"]


@pytest.mark.parametrize(
    ("text", "named"), [('{"model_type": "rwkv7"}', "rwkv7"), ("{", "JSON inválido"), ("[]", "objeto JSON")]
)
def test_a_configuration_that_is_not_supported_is_named_and_ends_in_1(run, tmp_path, text, named):
    file = tmp_path / "config.json"
    file.write_text(text, encoding="utf-8")
    code, out, err = run("size", "--config", str(file), "--method", "lora")
    assert (code, out) == (1, "")
    assert named in err


def scored(run, tmp_path, payload: bytes):
    file = tmp_path / "casos.csv"
    file.write_bytes(payload)
    code, out, err = run("score", str(file), "--format", "json")
    assert (code, err) == (0, "")

    def refused(constant: str) -> float:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(out, parse_constant=refused)


def a_case(**cells: str) -> bytes:
    row = dict.fromkeys(COLUMNS, "") | {
        "case_id": "X1", "category": "weights_memory", "value": "14.96", "unit": "GiB", "quality": "A",
        "model_id": "llama-3.1-8b", "framework": "vllm", "metric": "weights",
    } | cells  # fmt: skip
    return ",".join(COLUMNS).encode() + b"\n" + ",".join(f'"{cell}"' for cell in row.values()).encode() + b"\n"


def test_score_gives_one_entry_per_line_with_the_published_keys(run, tmp_path):
    lines = (ROOT / "data/sizing/reference_cases.csv").read_bytes().splitlines(keepends=True)
    found = scored(run, tmp_path, b"".join(lines[:40]))
    assert set(found) == {"rows", "summary"}
    assert [list(row) for row in found["rows"]] == [ROW_KEYS] * 39
    done = [row for row in found["rows"] if row["predicted"] is not None]
    assert done
    assert all(row["low"] <= row["predicted"] <= row["high"] and row["reason"] == "" for row in done)
    assert all(row["error"] == pytest.approx(row["predicted"] / row["measured"] - 1) for row in done)


def test_score_reads_files_of_any_editor(run, tmp_path):
    plain = scored(run, tmp_path, a_case())
    assert plain["rows"][0]["predicted"] == pytest.approx(14.96, abs=0.01)
    assert scored(run, tmp_path, b"\xef\xbb\xbf" + a_case().replace(b"\n", b"\r\n")) == plain
    assert scored(run, tmp_path, a_case().replace(b"\n", b",more,cells\n"))["rows"] == plain["rows"]
    assert scored(run, tmp_path, ",".join(COLUMNS).encode()) == {"rows": [], "summary": []}
    assert scored(run, tmp_path, b"") == {"rows": [], "summary": []}


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"model_id": ""}, "modelo"),
        ({"model_id": "gpt-9"}, "'gpt-9'"),
        ({"framework": "motor novo", "category": "kv_capacity"}, "'motor novo'"),
        ({"category": ""}, "categoria"),
        ({"category": "train_memory", "method": "full", "framework": ""}, "framework"),
        ({"quant_scheme": "int3"}, "'int3'"),
        ({"pp": "0"}, "pp = 0"),
        ({"tp": "-2"}, "tp = -2"),
        (dict.fromkeys(COLUMNS, ""), ""),
    ],
)
def test_a_line_that_cannot_be_computed_is_null_with_its_reason(run, tmp_path, cells, reason):
    (row,) = scored(run, tmp_path, a_case(**cells))["rows"]
    assert row["predicted"] is None
    assert row["reason"]
    assert reason in row["reason"]


def test_the_measured_value_is_never_read_to_predict(run, tmp_path):
    for cells in ({"value": "99"}, {"value": ""}, {"value": "abc", "value_gib": "1"}):
        (row,) = scored(run, tmp_path, a_case(**cells))["rows"]
        assert row["predicted"] == pytest.approx(14.96, abs=0.01)


def test_a_file_that_is_no_text_is_reported(run, tmp_path):
    file = tmp_path / "casos.csv"
    file.write_bytes(b"case_id\n\xff\xfe")
    assert run("score", str(file))[0] == 1
    assert run("score", str(tmp_path / "nada.csv"))[0] == 2


def test_a_whole_run_costs_its_hours_and_spot_repeats_more_of_them(run):
    asked = ("size", "llama-3.1-8b", "--method", "qlora", "--format", "json")
    code, out, _ = run(*asked, "--tokens", "100000000")
    assert code == 0
    offers = [each for each in json.loads(out)["offers"] if each["run"]]
    assert offers
    for each in offers:
        price, done = each["offer"]["price_usd_hour"], each["run"]
        assert done["usd"] == pytest.approx(done["hours"] * price * (1 + done["repeated_share"]))
        assert done["usd_low"] <= done["usd"] <= done["usd_high"]
    shares = {each["offer"]["pricing_model"]: each["run"]["repeated_share"] for each in offers}
    assert set(shares) == {"on_demand", "spot"}
    assert shares["spot"] > shares["on_demand"]
    assert all(each["run"] is None for each in json.loads(run(*asked)[1])["offers"])
    assert run("size", "llama-3.1-8b", "--method", "inferencia-fp8", "--tokens", "1000")[0] == 2
