"""The text of a file in any encoding that programs on a player's computer write: UTF-8, UTF-16, Windows-1252."""

import codecs
import re

_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]{0,100}\?>")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,300}\?>")
_WINDOWS = ("windows-1252", "cp1252", "iso-8859-1", "latin-1", "latin1", "iso-8859-15")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def as_utf8(data: bytes) -> bytes:
    """The file as UTF-8, without the declaration of another encoding; unchanged if it is UTF-8 or no text.

    A file that declares no encoding and is not UTF-8 is read as Windows-1252 if it holds no control characters.
    """
    text = _decoded(data)
    if text is None:
        start = data.removeprefix(codecs.BOM_UTF8)
        return start.lstrip() if start.lstrip()[:1] == b"<" else data
    return _DECLARATION.sub("", text, count=1).lstrip("\ufeff").encode(errors="surrogatepass")


def _decoded(data: bytes) -> str | None:
    encoding = _encoding(data)
    try:
        return data.decode(encoding) if encoding else None
    except UnicodeDecodeError:
        return None


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for start, encoding in ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if data.startswith(start):
            return encoding
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8)[:600])
    name = declared[1].decode().casefold() if declared else ""
    if name in _WINDOWS:
        return "cp1252"
    if name:
        return ""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "" if _CONTROL.search(data) else "cp1252"
    return ""
