"""What tells this club from others in the ids of calendars and feeds."""

import base64
from functools import lru_cache
from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import current_app

from service.settings import Settings


def club_id() -> str:
    """Such as "3f2a-91bc-0d4e-77aa-51c2"."""
    settings: Settings = current_app.extensions["overseer_settings"]
    return _made_of(settings.secret)


@lru_cache(maxsize=4)
def _made_of(secret: str) -> str:
    """As 0.4.0 made it, whose entries are in people's calendars: from the public part of a key of the secret."""
    seed = HKDF(hashes.SHA256(), 32, salt=None, info=b"overseer archives").derive(secret.encode())
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    digest = sha256(base64.b64encode(public)).hexdigest()
    return "-".join(digest[start : start + 4] for start in range(0, 20, 4))
