"""The calculator says what the engine says, for every choice that makes sense."""

import json
import random

import numpy as np
import pytest

from generator import formatting as fmt
from generator.pages import machine
from generator.sizing.fit import FITS, NO, verdicts
from generator.sizing.grid import GPU_COUNTS, grid, headroom
from generator.sizing.rates import serving_rate, training_rate
from generator.sizing.resolve import CannotComputeError
from generator.sizing.suits import gpus_for
from generator.views.answers import DEFAULTS, answers, choices, first
from generator.views.atlas import Atlas
from generator.views.picks import NONE
from generator.views.site import Site
from tests.conftest import BUILD_DAY, ROOT


@pytest.fixture(scope="module")
def atlas(data):
    return Atlas.of(Site(data, BUILD_DAY, ROOT))


@pytest.fixture(scope="module")
def rows(atlas):
    """Rows of the calculator drawn at random, the same in every run."""
    frame = atlas.picks.frame
    return [(at, frame.iloc[at]) for at in random.Random(4).sample(range(len(frame)), 60)]


def needs(data, row) -> dict[int, float]:
    asked = [data.models[row["model"]]], [data.knowledge.methods[row["method"]]], [row["context"]], [row["batch"]]
    return dict(zip(GPU_COUNTS, grid(*asked, data.knowledge)["total_bytes"], strict=True))


def test_every_answer_published_is_the_engines(atlas, data, rows):
    files = {path: json.loads(payload) for path, payload in machine.answer_files(atlas)}
    assert len(files) == len(atlas.catalogue.models)
    for at, row in rows:
        file = files[f"calculadora/{row['model']}.json"]
        places = file["respostas"][row["method"]][str(row["context"])][str(row["batch"])]
        said = {label: text for label, text, _ in (file["linhas"][place] for place in places)}
        need = needs(data, row)
        assert said["Memória em uma GPU"] == fmt.gibibytes(need[1])
        smallest = atlas.picks.smallest[at]
        if smallest != NONE:
            assert fmt.gibibytes(need[atlas.picks.machines[smallest].count]) in said["Menor instância em que cabe"]


def test_a_machine_that_is_named_fits_and_no_cheaper_one_does(atlas, data, rows):
    for at, row in rows:
        need, method = needs(data, row), data.knowledge.methods[row["method"]]
        able = {gpu.id for gpu in gpus_for(method, data.gpus.values(), data.precisions)}
        band = headroom(method, data.knowledge)
        fitting = [
            machine
            for machine in atlas.picks.machines
            if machine.gpu in able and need[machine.count] * (1 + band) < machine.visible_bytes
        ]
        named = atlas.picks.cheapest[at]
        assert (named == NONE) == (not fitting)
        if fitting:
            assert atlas.picks.machines[named].price_usd_hour == min(machine.price_usd_hour for machine in fitting)
            assert atlas.picks.machines[atlas.picks.smallest[at]] == fitting[0]


def test_a_tight_machine_comes_before_the_one_that_fits_and_does_not_have_the_headroom(atlas):
    picks = atlas.picks
    tight = [(at, place) for at, place in enumerate(picks.tight.tolist()) if place != NONE]
    assert tight
    for at, place in tight:
        assert NO < picks.verdicts[at, place] < FITS
        assert picks.smallest[at] == NONE or place < picks.smallest[at]


def test_speeds_of_all_at_once_are_those_of_one_by_one(atlas, data, rows):
    for at, row in rows:
        if atlas.picks.cheapest[at] == NONE:
            continue
        chosen = atlas.picks.machines[atlas.picks.cheapest[at]]
        method, context = data.knowledge.methods[row["method"]], int(row["context"])
        run = data.models[row["model"]], method, data.gpus[chosen.gpu], chosen.count
        try:
            if method.task == "training":
                one = training_rate(*run, context, data.knowledge)
            else:
                one = serving_rate(*run, (context // 2, context - context // 2), data.knowledge)
        except CannotComputeError:
            assert atlas.picks.rates[at] is None
            continue
        assert atlas.picks.rates[at].likely == pytest.approx(one.likely)
        assert one.low <= one.likely <= one.high <= one.ceiling * (1 + 1e-9)


def test_more_context_or_batch_never_needs_less_in_anything_published(atlas):
    for keys, sizes in ((["model", "method", "batch"], "context"), (["model", "method", "context"], "batch")):
        ordered = atlas.picks.frame.sort_values([*keys, sizes])
        assert (ordered.groupby(keys)["total_bytes"].diff().dropna() >= -1).all()


def test_a_larger_card_never_turns_a_fit_into_a_refusal(atlas):
    picks = atlas.picks
    singles = [at for at, machine in enumerate(picks.machines) if machine.count == 1]
    visible = np.array([picks.machines[at].visible_bytes for at in singles])
    held = verdicts(picks.needs[:, singles], visible, 0.05)
    assert (held[:, 1:] >= held[:, :-1]).all()


def test_every_choice_of_the_lists_has_an_answer_or_a_reason(atlas):
    lists = {each.name: [value for value, _ in each.options] for each in choices(atlas)}
    assert all(DEFAULTS[name] in values for name, values in lists.items())
    for each in answers(atlas):
        assert each.model.id in lists["modelo"]
        assert set(each.answers) <= set(lists["metodo"])
        assert each.no_method
        assert each.no_context
        assert {batch for contexts in each.answers.values() for row in contexts.values() for batch in row} == set(
            lists["lote"]
        )


def test_the_page_shows_the_first_answer_without_script(atlas, data):
    title, lines = first(atlas)
    assert data.models[DEFAULTS["modelo"]].name in title
    assert [line for line in lines if line[0] == "Memória em uma GPU"]
    assert [line for line in lines if line[2].startswith("gpus/")]
