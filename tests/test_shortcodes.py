"""Shortcodes run outside code, never inside it, and every mistake is told with its line."""

import pytest
from markupsafe import Markup

from generator.pages.markdown import ShortcodeExtension, leftovers, renderer
from generator.pages.shortcodes import Evaluator, Shortcode, ShortcodeError, choice, whole_number


def _table(grupo: str) -> Markup:
    rows = choice(grupo, {"baratas": "a", "caras": "b"}, "grupo")
    return Markup(f'<table data-grupo="{rows}"><tr><td>1,20</td></tr></table>')


def _price(gpu: str, modalidade: str = "sob demanda") -> Markup:
    return Markup(f"<b>{gpu}</b> {modalidade}")


def _evaluator() -> Evaluator:
    return Evaluator([Shortcode("tabela", _table, is_block=True), Shortcode("preco", _price, is_block=False)])


def _render(text: str) -> tuple[str, list[str]]:
    extension = ShortcodeExtension(_evaluator())
    extension.start("content/x.md", text)
    html = renderer(extension).convert(text)
    return html, [str(problem) for problem in extension.problems]


@pytest.mark.parametrize(
    "text",
    [
        '{{ tabela("baratas") }}',
        'Texto antes.\n{{ tabela("baratas") }}\nTexto depois.',
        '!!! note "Nota"\n    {{ tabela("baratas") }}',
        '!!! note "Nota"\n    Texto.\n    {{ tabela("baratas") }}\n    Mais.',
        '- item\n\n    {{ tabela("baratas") }}',
        '??? note "Nota"\n    !!! tip "Dentro"\n        {{ tabela("baratas") }}',
    ],
)
def test_a_block_stays_whole_wherever_it_is_placed(text):
    html, problems = _render(text)
    assert problems == []
    assert '<table data-grupo="a"><tr><td>1,20</td></tr></table>' in html
    assert "<p><table" not in html
    assert "</table></p>" not in html


def test_an_inline_value_stays_inside_its_sentence():
    html, problems = _render('Custa {{ preco("H100", modalidade="spot") }} hoje, *muito*.')
    assert problems == []
    assert html == "<p>Custa <b>H100</b> spot hoje, <em>muito</em>.</p>"


@pytest.mark.parametrize(
    "text",
    [
        "```yaml\ntoken: ${{ secrets.X }}\n```",
        '    {{ tabela("baratas") }}',
        'Escreva `{{ tabela("baratas") }}` na página.',
        "Dentro de código, `{%` é só texto.",
        '~~~\n{{ tabela("nada") }}\n~~~',
    ],
)
def test_code_is_shown_as_written(text):
    html, problems = _render(text)
    assert problems == []
    assert "<table" not in html
    assert leftovers(html) == []
    assert "{{" in html or "{%" in html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\nb {{ tabela( }}", ["content/x.md:3:3", "erro de escrita", 'nome("argumento")']),
        ('{{ tabela("grupo-novo") }}', ["content/x.md:1:1", "grupo “grupo-novo” não existe", "“baratas”, “caras”"]),
        ('{{ tabela("barata") }}', ["quis dizer “baratas”?"]),
        ('linha\n\n{{ tabla("baratas") }}', ["content/x.md:3:1", "“{{ tabla", "preco, tabela", "quis dizer “tabela”?"]),
        ("{{ tabela }}", ["shortcode desconhecido"]),
        ("{{ gpu.vram_gb }}", ["shortcode desconhecido", "gpu"]),
        ("{{ tabela() }}", ["argumentos errados", "{{ tabela(grupo) }}"]),
        ('{{ preco("H100", moda="spot") }}', ["argumentos errados", '{{ preco(gpu, modalidade="sob demanda") }}']),
        ("{{ 1 + 1 }}", ["shortcode desconhecido"]),
        ("{{ 1/0 }}", ["shortcode desconhecido"]),
        ('{{ "<script>alert(1)</script>"|safe }}', ["shortcode desconhecido"]),
        ('{{ nada|default(preco("l4")) }}', ["shortcode desconhecido"]),
        ('{{ preco("H100") * 3 }}', ["shortcode desconhecido"]),
        ('{{ preco("H" ~ "100") }}', ["argumentos errados"]),
        ("{{ preco(*[1]) }}", ["argumentos errados"]),
        ('{{ preco.__class__("x") }}', ["shortcode desconhecido"]),
        ("Um {% solto no texto.", ["content/x.md:1:4", "“{%” solto"]),
        ("Abre {{ e não fecha.", ["“{{” solto"]),
    ],
)
def test_a_mistake_is_told_with_file_line_and_remedy(text, expected):
    _, problems = _render(text)
    assert len(problems) == 1
    for part in expected:
        assert part in problems[0]


def test_all_mistakes_of_a_page_are_told_at_once():
    _, problems = _render('{{ tabela("x") }}\n\n{{ y() }}\n\n{{ preco() }}')
    assert len(problems) == 3


def test_coverage_marks_do_not_reach_the_reader():
    html, problems = _render("<!-- pauta: T-01 T-02 -->\n\nTexto.\n\n```\n<!-- pauta: T-03 -->\n```")
    assert problems == []
    assert "T-01" not in html
    assert "T-03" in html


def test_what_is_left_outside_code_is_noticed():
    assert leftovers('<div>{{ tabela("x") }}</div><code>{{ a }}</code>') == ["{{", "}}"]


def test_dataset_text_never_becomes_markup():
    evaluator = Evaluator([Shortcode("nome", lambda: Markup("%s") % "<script>alert(1)</script>", is_block=False)])
    assert str(evaluator.evaluate(" nome() ")) == "&lt;script&gt;alert(1)&lt;/script&gt;"


def test_a_value_that_is_not_marked_safe_is_refused():
    evaluator = Evaluator([Shortcode("nome", lambda: "<b>", is_block=False)])
    with pytest.raises(ShortcodeError):
        evaluator.evaluate(" nome() ")


def test_braces_that_come_with_data_are_shown_and_never_taken_for_a_shortcode():
    extension = ShortcodeExtension(
        Evaluator([Shortcode("nome", lambda: Markup("%s") % "Alfa {{ 7*7 }} {% x %}", is_block=False)])
    )
    html = renderer(extension).convert("Provedor {{ nome() }}.")
    assert extension.problems == []
    assert leftovers(html) == []
    assert "&#123;&#123; 7*7 &#125;&#125;" in html


@pytest.mark.parametrize("value", ["2.49", "8k", True, 0, -1, 10**12, None])
def test_a_number_has_one_form_and_a_range(value):
    with pytest.raises(ShortcodeError, match="de 1 a 100"):
        whole_number(value, "contexto", 100)


def test_the_signature_can_be_copied_as_it_is_shown():
    def memory(modelo: str, contexto: int = 4096, metodo: str = "qlora") -> Markup:
        return Markup(f"{modelo} {contexto} {metodo}")

    assert Shortcode("memoria", memory, is_block=False).signature == (
        '{{ memoria(modelo, contexto=4096, metodo="qlora") }}'
    )
