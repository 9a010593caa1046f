"""The club's signature on an archive: who made the file, and that nobody changed it since (Ed25519, RFC 8032).

The key is derived from the service's secret, as the key of pushes is, so that all hosts have the same.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from validators.canonical import canonical_text

KEY_BYTES = 32
FINGERPRINT = re.compile(r"[0-9a-f]{4}(-[0-9a-f]{4}){4}")


@lru_cache(maxsize=4)
def signing_key(secret: str) -> Ed25519PrivateKey:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=b"overseer archives").derive(secret.encode())
    return Ed25519PrivateKey.from_private_bytes(derived)


def public_text(secret: str) -> str:
    """The public key in base 64."""
    return base64.b64encode(signing_key(secret).public_key().public_bytes_raw()).decode()


def fingerprint(public: str) -> str:
    """The short form of a public key that people compare: 80 bits, "3f2a-91bc-..."."""
    digest = hashlib.sha256(public.encode()).hexdigest()[:20]
    return "-".join(digest[start : start + 4] for start in range(0, 20, 4))


def fingerprint_in(typed: str) -> str:
    """The fingerprint that a published key means: the whole page in JSON, the key, or its fingerprint; "" for "".

    Raises ValueError, KeyError or TypeError if it is none of them.
    """
    typed = typed.strip()
    if not typed or FINGERPRINT.fullmatch(typed.lower()):
        return typed.lower()
    key = json.loads(typed)["key"] if typed.startswith("{") else typed
    if len(base64.b64decode(key, validate=True)) != KEY_BYTES:
        raise ValueError("not a public key")
    return fingerprint(key)


def signed_archive(document: Mapping[str, Any], secret: str, address: str) -> dict[str, Any]:
    """An archive with its signature; ``address`` is the service's, "" if it has none."""
    about = {"address": address, "key": public_text(secret)}
    made = signing_key(secret).sign(_message(document, about))
    return {**document, "signature": about | {"signature": base64.b64encode(made).decode()}}


def signature_holds(document: Mapping[str, Any]) -> bool:
    """Whether the signature of an archive is that of its checksum by the key in it."""
    given = document["signature"]
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(given["key"], validate=True))
        key.verify(base64.b64decode(given["signature"], validate=True), _message(document, given))
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


def _message(document: Mapping[str, Any], about: Mapping[str, Any]) -> bytes:
    parts = {"sha256": document["sha256"], "address": about["address"], "key": about["key"]}
    return canonical_text(parts).encode()
