"""YAML for tables that people edit: nothing is guessed, and every value knows its line.

Scalars follow the core schema of YAML 1.2, with one restriction: numbers and dates stay text until a field asks for
them, so that `12.10`, `0012`, `12:30` and `2025-02-03` arrive as they were typed. Keys are always text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from generator.problems import Problem
from generator.yaml_errors import explain

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DEFAULT_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A document as plain values (`None`, `bool`, `str`, `list`, `dict`), and where each of them was written."""

    path: str
    value: Any
    root: yaml.Node | None = None
    first_line: int = 1

    def at(self, *keys: str | int) -> tuple[int, int]:
        """Return line and column, from 1, of the value under `keys`, or of the closest parent that exists."""
        node = self.root
        for key in keys:
            pair = _child(node, key)
            if pair is None:
                break
            node = pair[1]
        return self._place(node)

    def at_key(self, *keys: str | int) -> tuple[int, int]:
        """Return line and column of the last key itself, instead of its value."""
        node = self.root
        for key in keys[:-1]:
            pair = _child(node, key)
            node = pair[1] if pair else None
        pair = _child(node, keys[-1])
        return self._place(pair[0]) if pair else self.at(*keys)

    def _place(self, node: yaml.Node | None) -> tuple[int, int]:
        if node is None:
            return self.first_line, 1
        return node.start_mark.line + self.first_line, node.start_mark.column + 1


def read_yaml(text: str, path: str, first_line: int = 1) -> tuple[YamlDocument, list[Problem]]:
    """Return the document and everything wrong with its form; after a syntax error the value is `None`.

    `first_line` is the line of the file where `text` begins, for the front matter of a page.
    """
    text = text.removeprefix("\ufeff")
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        return YamlDocument(path, None, None, first_line), [explain(error, text, path, first_line)]
    reader = _Reader(path, first_line)
    value = None if root is None else reader.value(root)
    return YamlDocument(path, value, root, first_line), reader.problems


def _child(node: yaml.Node | None, key: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next((pair for pair in node.value if pair[0].value == key), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and 0 <= key < len(node.value):
        return node.value[key], node.value[key]
    return None


class _Reader:
    """Turns nodes into values; a class only because the problems and the nodes already seen go along."""

    def __init__(self, path: str, first_line: int) -> None:
        self.path = path
        self.first_line = first_line
        self.problems: list[Problem] = []
        self._seen: set[int] = set()

    def value(self, node: yaml.Node) -> Any:
        if id(node) in self._seen:
            self._note(
                node, "âncora reutilizada com *", "cada valor escrito por extenso", "repita o valor no lugar do *"
            )
            return None
        self._seen.add(id(node))
        if node.tag not in _DEFAULT_TAGS:
            self._note(node, f"etiqueta de tipo «{node.tag}»", "valor sem etiqueta", "apague o que começa com !")
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else _PLAIN.get(node.value, node.value)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in node.value]
        return self._mapping(node)

    def _mapping(self, node: yaml.Node) -> dict[str, Any]:
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._note(key, "chave que é lista ou mapa", "chave de texto", "troque a chave por uma palavra")
            elif key.value in values:
                self._repeated(key, lines[key.value])
            else:
                lines[key.value] = key.start_mark.line + self.first_line
                values[key.value] = self.value(item)
        return values

    def _repeated(self, key: yaml.Node, first: int) -> None:
        line = key.start_mark.line + self.first_line
        self._note(
            key,
            f"chave «{key.value}» repetida nas linhas {first} e {line}",
            "cada chave uma única vez",
            "junte as duas ou apague a que sobra",
        )

    def _note(self, node: yaml.Node, found: str, expected: str, todo: str) -> None:
        mark = node.start_mark
        self.problems.append(Problem(self.path, mark.line + self.first_line, mark.column + 1, found, expected, todo))
