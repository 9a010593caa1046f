"""A push as its service takes it: encrypted for one browser (RFC 8188, 8291), and signed by this service (RFC 8292)."""

import json
import os
import struct
from collections.abc import Mapping

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from events.messages.devices import as_letters, from_letters, point, public_key, server_key

LONGEST = 4096 - 17
"""Bytes of text that fit in one record, which ends with a mark (1) and a tag (16)."""


def encrypted(text: bytes, p256dh: str, auth: str) -> bytes:
    """The text for the browser with these keys. Raises ValueError for an invalid key or a text that is too long."""
    if len(text) > LONGEST:
        raise ValueError("the text is too long for a push")
    theirs, ours, salt = from_letters(p256dh), ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    shared = ours.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    mine = point(ours.public_key())
    both = _derived(shared, from_letters(auth), b"WebPush: info\0" + theirs + mine, 32)
    key = _derived(both, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(both, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack(">IB", 4096, len(mine)) + mine
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


def _derived(key: bytes, salt: bytes, about: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, about).derive(key)


def authorization(secret: str, claims: Mapping[str, str | int]) -> str:
    """The header that proves who sends a push: the claims signed with this service's key (a JSON Web Token, ES256)."""
    token = ".".join(as_letters(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, dict(claims)))
    signed = server_key(secret).sign(token.encode(), ec.ECDSA(hashes.SHA256()))
    r, s = utils.decode_dss_signature(signed)
    return f"vapid t={token}.{as_letters(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))},k={public_key(secret)}"
