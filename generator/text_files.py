"""Bytes of a file that a person edited, as text."""

from __future__ import annotations

import codecs

from generator.problems import Problem


def decode(payload: bytes, path: str) -> tuple[str, list[Problem]]:
    """Return the UTF-8 text without byte order mark; on another encoding, no text and the first bad byte."""
    body = payload.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8"), []
    except UnicodeDecodeError as error:
        before = body[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        return "", [
            Problem(
                path,
                before.count(b"\n") + 1,
                column,
                f"byte 0x{body[error.start]:02X}, que não é UTF-8",
                "arquivo de texto em UTF-8",
                "salve o arquivo de novo escolhendo a codificação UTF-8",
            )
        ]
