"""When what readers must know of an event last changed, and what identifies the event: for calendars and feeds."""

import base64
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import current_app

from models.event import Event
from models.settings import SignUpBy
from service.settings import Settings


def news_of(event: Event, now: datetime) -> datetime:
    """When its day, time, place, registration, start, end or calling off last changed, or registration's time came.

    The time of the last change, or the version, would also follow hidden changes.
    """
    everybody_from = event.everybody_from if event.sign_up_by == SignUpBy.MEMBERS_FIRST else None
    turns = (event.created_at, event.news_at, event.registration_opens, everybody_from, event.registration_closes)
    return max(moment for moment in turns if moment and moment <= max(now, event.news_at or now))


def id_of(event: Event, part: str = "") -> str:
    """An id that no other club's event has; ``part`` ends the id of a part of the event."""
    return f"{event.slug}{part}@{club_id()}.overseer"


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
