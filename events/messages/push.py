"""Web Push: one encrypted, signed message to one browser (RFC 8030, 8188, 8291, 8292).

Push addresses come from browsers, so requests go only to public hosts, over https, to an IP address that was looked up
once and checked. They follow no redirects and have time limits. Only ``overseer maintain`` imports this.
"""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from events.messages.devices import is_endpoint, server_key
from events.messages.outgoing import SECONDS, Connections
from models.dispatch import Device

log = logging.getLogger("overseer.push")

SHARE = 4
"""How many such limits the push services that are not known share in one pass."""
KNOWN = (".fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
"""The hosts of the push services of Chrome, Firefox, Safari and Edge, and of browsers made from them."""
SIGNATURE = timedelta(hours=12)
"""How long a signature is valid; RFC 8292 allows 24 hours."""


class Pushed(Enum):
    TAKEN = "taken"
    GONE = "gone"
    """The browser has unsubscribed: its address is deleted."""
    LATER = "later"
    """A failure of the network or the push service: try again."""
    NEVER = "never"
    """Trying again would not help."""


def is_known(host: str, known: Sequence[str]) -> bool:
    """Whether a host is one of the known push services, or below it."""
    return f".{host}".endswith(tuple(known))


class Pusher:
    """Sends the pushes of one pass. Connections are kept for the next ones until ``close``."""

    def __init__(self, secret: str, subject: str, allowed: str = "", seconds: float = SECONDS) -> None:
        """``subject`` is the service's address, shown to push services. ``allowed`` is a test's push service."""
        self.secret, self.subject, self.allowed = secret, subject, allowed
        self.connections = Connections((allowed,), seconds)
        self.left = SHARE * seconds
        self.known: Sequence[str] = KNOWN

    def send(self, device: Device, message: Mapping[str, str], lifetime: timedelta, now: datetime) -> Pushed:
        """Push one message. The push service keeps it for ``lifetime`` if the phone is off. Never raises."""
        if not is_endpoint(device.endpoint, self.allowed):
            return Pushed.NEVER
        url = urlsplit(device.endpoint)
        origin, is_allowed = f"{url.scheme}://{url.netloc}", is_known(url.hostname or "", self.known)
        if not is_allowed and self.left <= 0:
            return Pushed.LATER
        content = json.dumps(message, ensure_ascii=False).encode()
        claims = {"aud": origin, "sub": self.subject, "exp": int((now + SIGNATURE).timestamp())}
        try:
            theirs, auth = (b64urldecode(text.encode()) for text in (device.p256dh, device.auth))
            key = ec.generate_private_key(ec.SECP256R1())
            body = http_ece.encrypt(content, private_key=key, dh=theirs, auth_secret=auth)
            headers = Vapid02(server_key(self.secret), {"no-strict": True}).sign(claims) | {
                "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "Urgency": "high",
                "TTL": str(int(lifetime.total_seconds())),
            }  # fmt: skip
        except Exception as error:  # errors of cryptography, such as for an invalid stored key
            log.warning("a push could not be encrypted: %s", type(error).__name__)
            return Pushed.NEVER
        began = time.monotonic()
        try:
            status, _ = self.connections.ask("POST", device.endpoint, body, headers)
        except Exception as error:  # of the network, or what an odd address or answer raises: it ends no pass
            log.warning("a push service could not be reached: %s", type(error).__name__)
            return Pushed.NEVER if isinstance(error, PermissionError) else Pushed.LATER
        finally:
            self.left -= 0 if is_allowed else time.monotonic() - began
        if status in (404, 410):
            return Pushed.GONE
        if not 200 <= status < 300:
            log.warning("a push service answered %d", status)
        return Pushed.TAKEN if 200 <= status < 300 else Pushed.LATER if status >= 500 or status == 429 else Pushed.NEVER

    def close(self) -> None:
        self.connections.close()
