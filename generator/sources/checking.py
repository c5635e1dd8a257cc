"""Whether a body is what its source declares, before anything reads it: size, type, form and encoding."""

from __future__ import annotations

from generator.sources.unpacking import UnpackError, gunzip

LATER = "Tente mais tarde; até lá valem os últimos dados bons"
LOOK = "Abra o endereço, veja o que mudou e ajuste o leitor da fonte"
_OCTETS = ("application/octet-stream", "binary/octet-stream")
MEDIA = {
    "json": ("application/json", "text/json"),
    "csv": ("text/csv", "application/csv", "application/vnd.sdmx.data+csv", *_OCTETS),
    "zip": ("application/zip", "application/x-zip-compressed", *_OCTETS),
    "text": ("text/plain", *_OCTETS),
}
_STARTS = {"json": (b"{", b"[", b"/*"), "zip": (b"PK\x03\x04",)}


class BodyError(ValueError):
    """What is wrong with a body and what to do, in Portuguese; `passing` where another try may do."""

    def __init__(self, problem: str, todo: str, body: bytes = b"", *, passing: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.todo = todo
        self.body = body
        self.passing = passing


def unpacked(raw: bytes, coding: str, limit: int) -> bytes:
    """Return the body as it was before the `Content-Encoding`."""
    name = coding.strip().lower()
    if name in {"", "identity"}:
        return raw
    if name not in {"gzip", "x-gzip"}:
        raise BodyError(f"compactação não pedida: {coding}", LOOK)
    try:
        return gunzip(raw, limit)
    except UnpackError as error:
        raise BodyError(str(error), LOOK if error.too_large else LATER, passing=not error.too_large) from error


def checked(body: bytes, content_type: str, form: str, encoding: str) -> bytes:
    """Return the body as UTF-8 without a byte order mark; a zip as it is.

    The encoding is the one that the source declares in our configuration: what the server says of it is not believed.
    """
    media = content_type.partition(";")[0].strip().lower()
    if media == "text/html" or body.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise BodyError("veio uma página HTML no lugar dos dados", LATER, body)
    if media not in MEDIA[form] and not (form == "json" and media.endswith("+json")):
        raise BodyError(f"tipo de conteúdo inesperado: {media or 'nenhum'}", LOOK, body)
    if not body.strip():
        raise BodyError("resposta vazia", LATER, passing=True)
    text = body if form == "zip" else _utf8(body, encoding)
    if form in _STARTS and not text.lstrip().startswith(_STARTS[form]):
        raise BodyError(f"o conteúdo não é {form}", LOOK, body)
    return text


def _utf8(body: bytes, encoding: str) -> bytes:
    try:
        return body.decode("utf-8-sig" if encoding == "utf-8" else encoding).encode()
    except UnicodeDecodeError as error:
        raise BodyError(f"byte {error.start} não é {encoding}, a codificação declarada", LOOK, body) from error
