"""The words of `argparse` in Portuguese: the library has no translation, and help is for people."""

from __future__ import annotations

import argparse

_WORDS = {
    "usage: ": "uso: ",
    "positional arguments": "argumentos",
    "options": "opções",
    "show this help message and exit": "mostra esta ajuda e sai",
    "the following arguments are required: %s": "faltam estes argumentos: %s",
    "unrecognized arguments: %s": "argumentos desconhecidos: %s",
    "expected one argument": "esperado um valor",
    "expected at least one argument": "esperado ao menos um valor",
    "invalid %(type)s value: %(value)r": "valor inválido: %(value)r",
    "invalid choice: %(value)r (choose from %(choices)s)": "opção inválida: %(value)r (escolha entre %(choices)s)",
    "argument %(argument_name)s: %(message)s": "argumento %(argument_name)s: %(message)s",
    "%(prog)s: error: %(message)s\n": "%(prog)s: erro: %(message)s\n",
    "ambiguous option: %(option)s could match %(matches)s": "opção ambígua: %(option)s pode ser %(matches)s",
    "ignored explicit argument %r": "valor a mais: %r",
}


def speak() -> None:
    """Make `argparse` speak Portuguese: it looks its texts up through a module-level `_`, as gettext expects."""
    argparse._ = lambda text: _WORDS.get(text, text)  # type: ignore[attr-defined]
