import pytest

from generator.language_model import parse_models
from generator.problems import ProblemsError
from generator.sizing import parameters
from generator.sizing.shape import stack


def test_every_row_of_the_table_is_counted_exactly_from_its_dimensions(models):
    with_dimensions = [model for model in models.values() if model.architecture]
    counted = parameters.total(stack([model.architecture for model in with_dimensions]))
    wrong = {model.id: count - model.params_total for model, count in zip(with_dimensions, counted, strict=True)}
    assert {name: difference for name, difference in wrong.items() if difference} == {}


def test_every_pipeline_is_the_sum_of_its_components(models):
    pipelines = [model for model in models.values() if model.components]
    assert [m.id for m in pipelines if sum(m.components.values()) != m.params_total] == []


def test_active_parameters_leave_only_idle_experts_out(models):
    known = [model for model in models.values() if model.architecture]
    counted = parameters.active(stack([model.architecture for model in known]))
    assert [m.id for m, count in zip(known, counted, strict=True) if count != m.params_active] == []


def test_tied_embeddings_are_counted_once_and_the_vocabulary_never_forgotten(models):
    gemma = stack([models["gemma-2-9b"].architecture])
    assert parameters.embedding(gemma)[0] == 256_000 * 3584
    assert parameters.lm_head(gemma)[0] == 0


@pytest.mark.parametrize("change", [("32", "trinta e dois"), ("catalogo", "outro")])
def test_a_bad_row_is_reported_in_portuguese_with_its_line(change):
    header = (
        "id,name,family,year,hf_repo,licence,modality,native_dtype,role,components,attention,sliding_pattern,"
        "max_context,params_total,params_active,params_published,count_check,extra_params,notes,source,unverified"
    )
    row = "bert,BERT,BERT,2018,x,MIT,texto,fp32,catalogo,modelo=32,MHA,,,32,,32,,,,fonte,"
    with pytest.raises(ProblemsError) as raised:
        parse_models(f"{header}\n{row.replace(*change)}\n")
    assert raised.value.problems[0].line == 2
