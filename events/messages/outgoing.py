"""Requests to servers that others name: only to public hosts, with a limit for each request and each pass.

A host's address is looked up once and checked; redirects are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar
from urllib.parse import urlsplit

from events.web.parsing import is_host_name
from service.conversations import TOO_LONG, conversation, stopping

SECONDS = 5.0
"""The time limit for one step of a connection; a request has twice as long, with connecting."""
LONGEST_ANSWER = 10_000
LONGEST_PASS = 20.0
"""Seconds after which a pass over a queue begins nothing more; the next pass follows."""
Item = TypeVar("Item")


def in_one_pass(take: Callable[[], Item | None], seconds: float = LONGEST_PASS) -> Iterator[Item]:
    """What ``take`` returns, until it returns None, the time of a pass is over, or the service is stopped."""
    began = time.monotonic()
    while time.monotonic() - began < seconds and not stopping.is_set() and (item := take()) is not None:
        yield item


def is_public(address: str) -> bool:
    """Whether an IP address is public, not of a local or special network."""
    ip = ipaddress.ip_address(address)
    if ip.version == 6:
        mapped = ip.ipv4_mapped
        if mapped is not None:
            return is_public(str(mapped))
        # Addresses that contain an IPv4 address (NAT64, 6to4, Teredo) could lead into a local network.
        if ip not in ipaddress.ip_network("2000::/3") or ip.sixtofour or ip.teredo:
            return False
    return ip.is_global and not ip.is_multicast


def public_address(host: str, port: int) -> str:
    """The first IP address of a host whose addresses are all public. Raises OSError."""
    if not is_host_name(host):
        raise PermissionError("not the name of a host")
    texts = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not texts or not all(map(is_public, texts)):
        raise PermissionError("the host is not public")
    return texts[0]


class PublicConnection(http.client.HTTPSConnection):
    """A connection to the checked IP address. The name is not looked up again; its certificate is verified."""

    def __init__(self, host: str, port: int, address: str) -> None:
        super().__init__(host, port, timeout=SECONDS, context=ssl.create_default_context())
        self.address = address

    def connect(self) -> None:
        plain = socket.create_connection((self.address, self.port), SECONDS)
        self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)


def shut_down(sock: socket.socket | None) -> None:
    """End a connection from another thread. Does nothing before it is open."""
    if sock is not None:
        with suppress(OSError):  # closed in the meantime
            socket.socket.shutdown(sock, socket.SHUT_RDWR)


class Connections:
    """Requests of one pass: connections are kept for the next ones, and what could not be reached is asked no more."""

    def __init__(self, plain: Collection[str] = (), seconds: float = SECONDS) -> None:
        """``plain`` are a test's servers, such as http://127.0.0.1:8001."""
        self.plain, self.seconds = plain, seconds
        self.open: dict[str, http.client.HTTPConnection] = {}
        self.silent: set[str] = set()

    def ask(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
        """The status and the beginning of the answer. Raises what an odd address, network or answer raises."""
        url = urlsplit(address)
        origin, path = f"{url.scheme}://{url.netloc}", f"{url.path or '/'}{f'?{url.query}' if url.query else ''}"
        if origin in self.silent:
            raise TimeoutError("no answer in this pass")
        while True:
            was_open = origin in self.open
            try:
                return self._ask(origin, (method, path, body, dict(headers)))
            except Exception as error:
                self._close(origin)
                if not (was_open and isinstance(error, ConnectionError)):  # else the other side closed a kept one
                    self.silent.add(origin)
                    raise

    def _ask(self, origin: str, question: tuple[str, str, bytes, dict[str, str]]) -> tuple[int, str]:
        if origin not in self.open:
            url = urlsplit(origin)
            host, port = url.hostname or "", url.port or 443
            self.open[origin] = (
                http.client.HTTPConnection(host, port, timeout=self.seconds)
                if origin in self.plain and url.scheme == "http"
                else PublicConnection(host, port, public_address(host, port))
            )
        connection = self.open[origin]
        with conversation(lambda: shut_down(connection.sock), 2 * self.seconds) as is_late:
            connection.request(*question)
            answer = connection.getresponse()
            text = answer.read(LONGEST_ANSWER).decode("utf-8", "replace")
        if is_late():
            raise TimeoutError(TOO_LONG)
        if not answer.isclosed():
            self._close(origin)  # the rest of a long answer is ignored
        return answer.status, text

    def _close(self, origin: str) -> None:
        if origin in self.open:
            self.open.pop(origin).close()

    def close(self) -> None:
        for origin in tuple(self.open):
            self._close(origin)
