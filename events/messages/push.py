"""Web Push: one encrypted, signed message to one browser (RFC 8030, 8188, 8291, 8292).

Push addresses come from browsers, so requests go only to public hosts, over https, to an IP address that was looked up
once and checked. They follow no redirects and have time limits. Only ``overseer maintain`` imports this.
"""

import http.client
import ipaddress
import json
import logging
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from enum import Enum
from urllib.parse import urlsplit

from py_vapid import Vapid
from pywebpush import WebPusher

from events.messages.devices import is_endpoint, server_key
from models.notice import Device

log = logging.getLogger("overseer.push")

SECONDS = 5.0
"""The time limit for one step of a connection."""
SHARE = 4
"""How many such limits the push services that are not known share in one pass."""
KNOWN = (".fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
"""The hosts of the push services of Chrome, Firefox, Safari and Edge, and of browsers made from them."""
SIGNATURE = timedelta(hours=12)
"""How long a signature is valid; RFC 8292 allows 24 hours."""


class Pushed(Enum):
    """The outcome of one push."""

    TAKEN = "taken"
    GONE = "gone"
    """The browser has unsubscribed: its address is deleted."""
    LATER = "later"
    """A failure of the network or the push service: try again."""
    NEVER = "never"
    """Trying again would not help."""


def is_public(address: str) -> bool:
    """Whether an IP address is public, not of a local or special network."""
    found = ipaddress.ip_address(address)
    if found.version == 6:
        mapped = found.ipv4_mapped
        if mapped is not None:
            return is_public(str(mapped))
        # Addresses that contain an IPv4 address (NAT64, 6to4, Teredo) could lead into a local network.
        if found not in ipaddress.ip_network("2000::/3") or found.sixtofour or found.teredo:
            return False
    return found.is_global and not found.is_multicast


def public_address(host: str, port: int) -> str:
    """The first IP address of a host whose addresses are all public. Raises OSError."""
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not found or not all(map(is_public, found)):
        raise PermissionError("the host is not public")
    return found[0]


def is_known(host: str, known: Sequence[str]) -> bool:
    """Whether a host is one of the known push services, or below it."""
    return f".{host}".endswith(tuple(known))


class Connection(http.client.HTTPSConnection):
    """A connection to the checked IP address. The name is not looked up again; its certificate is verified."""

    def __init__(self, host: str, port: int, address: str) -> None:
        """Prepare the connection without opening it."""
        super().__init__(host, port, timeout=SECONDS, context=ssl.create_default_context())
        self.address = address

    def connect(self) -> None:
        """Open the connection. Raises OSError."""
        plain = socket.create_connection((self.address, self.port), SECONDS)
        self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)


class Pusher:
    """Sends the pushes of one pass. Connections are kept for the next ones until ``close``."""

    def __init__(self, secret: str, subject: str, allowed: str = "", seconds: float = SECONDS) -> None:
        """``subject`` is the service's address, shown to push services. ``allowed`` is a test's push service."""
        self.secret, self.subject, self.allowed, self.seconds = secret, subject, allowed, seconds
        self.left = SHARE * seconds
        self.known: Sequence[str] = KNOWN
        self.open: dict[str, http.client.HTTPConnection] = {}

    def send(self, device: Device, message: Mapping[str, str], lifetime: timedelta, now: datetime) -> Pushed:
        """Push one message. The push service keeps it for ``lifetime`` if the phone is off. Never raises."""
        if not is_endpoint(device.endpoint, self.allowed):
            return Pushed.NEVER
        url = urlsplit(device.endpoint)
        origin, known = f"{url.scheme}://{url.netloc}", is_known(url.hostname or "", self.known)
        if not known and self.left <= 0:
            return Pushed.LATER
        keys = {"p256dh": device.p256dh, "auth": device.auth}
        try:
            body = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(
                json.dumps(message, ensure_ascii=False).encode()
            )["body"]
            headers = self._signed(origin, now) | {
                "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "Urgency": "high",
                "TTL": str(int(lifetime.total_seconds())),
            }  # fmt: skip
        except Exception as error:  # errors of libraries, such as for an invalid stored key
            log.warning("a push could not be encrypted: %s", type(error).__name__)
            return Pushed.NEVER
        began = time.monotonic()
        try:
            status = self._post(origin, url.path + (f"?{url.query}" if url.query else ""), body, headers)
        except (OSError, http.client.HTTPException) as error:
            self._close(origin)
            log.warning("a push service could not be reached: %s", type(error).__name__)
            return Pushed.NEVER if isinstance(error, PermissionError) else Pushed.LATER
        finally:
            self.left -= 0 if known else time.monotonic() - began
        if status in (404, 410):
            return Pushed.GONE
        if not 200 <= status < 300:
            log.warning("a push service answered %d", status)
        return Pushed.TAKEN if 200 <= status < 300 else Pushed.LATER if status >= 500 or status == 429 else Pushed.NEVER

    def close(self) -> None:
        """Close all connections."""
        for origin in tuple(self.open):
            self._close(origin)

    def _close(self, origin: str) -> None:
        if origin in self.open:
            self.open.pop(origin).close()

    def _signed(self, origin: str, now: datetime) -> dict[str, str]:
        claims = {"aud": origin, "sub": self.subject, "exp": int((now + SIGNATURE).timestamp())}
        return dict(Vapid(server_key(self.secret)).sign(claims))

    def _post(self, origin: str, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer. If the other side closed a kept connection, it is reopened once."""
        kept = origin in self.open
        try:
            return self._ask(origin, path, body, headers)
        except (http.client.RemoteDisconnected, ConnectionError):
            self._close(origin)
            if not kept:
                raise
            return self._ask(origin, path, body, headers)

    def _ask(self, origin: str, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        if origin not in self.open:
            url = urlsplit(origin)
            host, port = url.hostname or "", url.port or 443
            if origin == self.allowed:
                self.open[origin] = http.client.HTTPConnection(host, port, timeout=SECONDS)
            else:
                self.open[origin] = Connection(host, port, public_address(host, port))
        connection = self.open[origin]
        connection.request("POST", path or "/", body, dict(headers))
        with _within(connection.sock, self.seconds):
            answer = connection.getresponse()
            if len(answer.read(10_000)) == 10_000:
                self._close(origin)  # the rest of a long answer is ignored
        return answer.status


@contextmanager
def _within(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Shut the connection down, and raise TimeoutError, if the block takes longer.

    The time limit of a socket begins again with each byte: an answer of single bytes would take days.
    """
    began, timer = time.monotonic(), threading.Timer(seconds, _shut_down, (sock,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if time.monotonic() - began >= seconds:
        raise TimeoutError("the answer took too long")


def _shut_down(sock: socket.socket) -> None:
    with suppress(OSError):  # closed in the meantime
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
