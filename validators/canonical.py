"""The canonical form of a document: equal documents have equal bytes and one SHA-256."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any


def canonical_text(document: Any) -> str:
    """JSON with sorted keys, no spaces between its parts, and no escaped characters.

    ``document`` comes from ``strict_json.read_json`` or from ``read_force``.
    """
    return json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def unordered_text(document: Any) -> str:
    """The canonical text of a document whose lists are sorted: equal for the same parts in another order."""
    return canonical_text(_sorted(document))


def _sorted(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _sorted(value) for key, value in part.items()}
    return sorted(map(_sorted, part), key=canonical_text) if isinstance(part, list) else part


def fingerprint(document: Any) -> str:
    """Sixteen hexadecimal digits that identify the document from which a page was made."""
    return sha256_of(canonical_text(document))[:16]


def keyed_digest(secret: bytes, about: Sequence[object]) -> str:
    """64 hexadecimal digits for what they are about, always the same, that nobody knows without the secret."""
    return hmac.new(secret, canonical_text(about).encode(), "sha256").hexdigest()


def sha256_of(text: str) -> str:
    """The SHA-256 of the text's UTF-8 bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
