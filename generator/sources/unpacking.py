"""Bytes of an answer or archive unpacked within a limit, whole or not at all."""

from __future__ import annotations

import io
import zipfile
import zlib


class UnpackError(ValueError):
    """What is wrong with the packed bytes, in Portuguese; `too_large` where a limit was reached."""

    def __init__(self, problem: str, *, too_large: bool = False) -> None:
        super().__init__(problem)
        self.too_large = too_large


def gunzip(packed: bytes, limit: int) -> bytes:
    """Return the content of one or more gzip members in a row; never holds more than `limit` bytes of it."""
    whole = bytearray()
    rest = packed
    while rest:
        reader = zlib.decompressobj(wbits=31)
        try:
            whole += reader.decompress(rest, max(1, limit + 1 - len(whole)))
        except zlib.error:
            raise UnpackError("gzip estragado") from None
        if len(whole) > limit:
            raise UnpackError(f"conteúdo passa de {limit} bytes depois de descompactado", too_large=True)
        if not reader.eof:
            raise UnpackError("gzip cortado antes do fim")
        rest = reader.unused_data
    return bytes(whole)


def unzip(packed: bytes, name: str, limit: int) -> bytes:
    """Return one member of a zip archive, by name."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive, archive.open(name) as member:
            content = member.read(limit + 1)
    except KeyError:
        raise UnpackError(f"o zip não tem {name}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise UnpackError("zip estragado ou cortado") from None
    if len(content) > limit:
        raise UnpackError(f"{name} passa de {limit} bytes", too_large=True)
    return content
