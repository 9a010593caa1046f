"""One way to write a document as bytes, so that equal documents have equal bytes and one SHA-256."""

import hashlib
import json
from typing import Any


def canonical_text(document: Any) -> str:
    """JSON with sorted keys, no space between its parts, and every character as itself.

    ``document`` is what ``strict_json.read_json`` gives or what ``read_force`` made of it.
    """
    return json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def fingerprint(document: Any) -> str:
    """Sixteen hexadecimal digits by which a page knows the document that it was made from."""
    return sha256_of(canonical_text(document))[:16]


def sha256_of(text: str) -> str:
    """The SHA-256 of the text's UTF-8 bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
