"""What the page of a preview carries to the next request: packed and signed, so that only this can come back."""

from typing import Any

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from events.store.errors import Refused
from languages.words import N_, gettext

MOST_PACKED = 900_000
"""The most characters that a form's field carries; a form may hold a million bytes."""
OUT_OF_DATE = N_("This page is out of date: choose the file again.")


def pack_value(kind: str, content: Any, too_large: str) -> str:
    """The JSON value as text, compressed. Raises Refused with ``too_large``."""
    written = _signer(kind).dumps(content)
    text = written.decode() if isinstance(written, bytes) else written
    if len(text) > MOST_PACKED:
        raise Refused(too_large, "file")
    return text


def unpack_value(kind: str, text: str) -> Any:
    """The value that was packed. Raises Refused for any other text."""
    try:
        return _signer(kind).loads(text)
    except BadSignature as forged:
        raise Refused(gettext(OUT_OF_DATE), "file") from forged


def _signer(kind: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt=kind)
