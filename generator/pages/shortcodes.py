"""Shortcodes: Jinja expressions that an editor writes in Markdown to place data.

An expression is evaluated in a sandbox that knows the shortcodes and nothing else. Whatever goes wrong becomes a
`ShortcodeError` that says in Portuguese what was found, what was expected and what to do.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from jinja2 import StrictUndefined, nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

T = TypeVar("T")
_NAME = re.compile(r"\s*([^\W\d]\w*)\s*\(")


class ShortcodeError(Exception):
    """A shortcode that cannot be shown: what was found, what was expected, what to do."""

    def __init__(self, found: str, expected: str, todo: str) -> None:
        self.found, self.expected, self.todo = found, expected, todo
        super().__init__(f"{found} — {expected} — {todo}")


@dataclass(frozen=True, slots=True)
class Shortcode:
    """A function an editor can call; a block stands on a line of its own, an inline one inside a sentence."""

    name: str
    call: Callable[..., Markup]
    is_block: bool

    @property
    def signature(self) -> str:
        """Return how to write it, such as `{{ menor_preco(gpu, modalidade="on_demand") }}`."""
        parameters = [
            p.name if p.default is p.empty else f"{p.name}={json.dumps(p.default, ensure_ascii=False)}"
            for p in inspect.signature(self.call).parameters.values()
        ]
        return f"{{{{ {self.name}({', '.join(parameters)}) }}}}"


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return `; quis dizer …?` with the closest valid names, or nothing when none is close."""
    close = difflib.get_close_matches(name, list(valid), n=3, cutoff=0.6)
    return f"; quis dizer {' ou '.join(f'“{each}”' for each in close)}?" if close else ""


def choice(value: object, valid: Mapping[str, T], what: str) -> T:
    """Return the entry of `valid` that an argument names.

    Raises:
        ShortcodeError: naming the valid values, when there is no such entry.
    """
    if isinstance(value, str) and value in valid:
        return valid[value]
    names = ", ".join(f"“{name}”" for name in valid)
    raise ShortcodeError(
        f"{what} “{value}” não existe", f"esperado um destes: {names}", f"corrija o nome{nearest(str(value), valid)}"
    )


def whole_number(value: object, what: str, most: int) -> int:
    """Return an argument that must be a whole number from 1 to `most`, written without quotes or separators.

    Raises:
        ShortcodeError: for text such as "2.49" or "8k", for booleans and for numbers outside the range.
    """
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value
    raise ShortcodeError(
        f"{what} “{value}” não serve",
        f"esperado um número inteiro de 1 a {most}, sem aspas e sem ponto de milhar",
        f"escreva por exemplo {what}=4096",
    )


def _wrong_arguments(shortcode: Shortcode) -> ShortcodeError:
    return ShortcodeError(
        f"argumentos errados em “{shortcode.name}”", f"esperado {shortcode.signature}", "confira nomes e quantidade"
    )


class Evaluator:
    """Evaluates expressions against a closed set of shortcodes."""

    def __init__(self, shortcodes: Iterable[Shortcode], memory: dict[str, str] | None = None) -> None:
        """Take the shortcodes, and their HTML by expression where it is already known."""
        self._memory = {} if memory is None else memory
        self.shortcodes = {shortcode.name: shortcode for shortcode in shortcodes}
        self._environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=True)
        self._environment.globals = {name: self._guarded(each) for name, each in self.shortcodes.items()}

    @staticmethod
    def _guarded(shortcode: Shortcode) -> Callable[..., Markup]:
        """Return the function with its arguments checked, so that a fault of ours never reads as an editor's."""

        def call(*values: object, **named: object) -> Markup:
            try:
                inspect.signature(shortcode.call).bind(*values, **named)
            except TypeError as error:
                raise _wrong_arguments(shortcode) from error
            try:
                return shortcode.call(*values, **named)
            except (UndefinedError, TemplateSyntaxError, SecurityError, TypeError) as error:
                raise RuntimeError(f"shortcode {shortcode.name} failed") from error

        return call

    def is_block(self, expression: str) -> bool:
        """Return whether the expression calls a block shortcode."""
        match = _NAME.match(expression)
        return bool(match and match[1] in self.shortcodes and self.shortcodes[match[1]].is_block)

    def evaluate(self, expression: str) -> Markup:
        """Return the HTML of one expression (the text between the braces).

        Raises:
            ShortcodeError: on a syntax error, an unknown name or argument, or a value that is not a shortcode's.
        """
        known = self._memory.get(expression)
        if known is not None:
            return Markup(known)  # noqa: S704 - written below, from markup
        self._check_form(expression)
        value = self._environment.compile_expression(expression, undefined_to_none=False)()
        if not isinstance(value, Markup):
            raise self._unknown(expression, type(value).__name__)
        self._memory[expression] = str(value)
        return value

    def _check_form(self, expression: str) -> None:
        """Let through one call of a known shortcode with plain values, and nothing else of the template language."""
        try:
            tree = self._environment.parse(f"{{{{{expression}}}}}")
        except TemplateSyntaxError as error:
            raise self._syntax_error(expression, error.message or "") from error
        output = tree.body[0] if len(tree.body) == 1 else None
        call = output.nodes[0] if isinstance(output, nodes.Output) and len(output.nodes) == 1 else None
        if not isinstance(call, nodes.Call) or not isinstance(call.node, nodes.Name):
            raise self._unknown(expression, "não é a chamada de um shortcode")
        if call.node.name not in self.shortcodes:
            raise self._unknown(expression, call.node.name)
        plain = all(isinstance(value, nodes.Const) for value in (*call.args, *(pair.value for pair in call.kwargs)))
        if not plain or call.dyn_args or call.dyn_kwargs:
            raise _wrong_arguments(self.shortcodes[call.node.name])

    def _names(self) -> str:
        return "um destes shortcodes: " + ", ".join(sorted(self.shortcodes))

    def _unknown(self, expression: str, what: str) -> ShortcodeError:
        match = _NAME.match(expression)
        name = match[1] if match else expression.strip()
        return ShortcodeError(
            f"shortcode desconhecido “{{{{ {expression.strip()} }}}}” ({what})",
            f"esperado {self._names()}",
            f"corrija o nome{nearest(name, self.shortcodes)}, ou ponha o texto entre crases se for só um exemplo",
        )

    def _syntax_error(self, expression: str, detail: str) -> ShortcodeError:
        return ShortcodeError(
            f"erro de escrita em “{{{{ {expression.strip()} }}}}” ({detail})",
            'esperado nome("argumento"), com aspas e parênteses fechados',
            "complete o shortcode, ou ponha o texto entre crases se for só um exemplo",
        )
