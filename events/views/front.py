"""WSGI middleware before all pages: which host names are ours, the client's address, and the scheme.

Of a proxy's headers only the client's address is read (werkzeug's ProxyFix), and only if the request comes from one of
``OVERSEER_PROXIES``. The scheme is that of ``OVERSEER_ADDRESS``. The host is the request's own, if it is one of ours.
"""

import ipaddress
import logging
import re
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from events.public_address import UNIX, Proxies
from events.settings import Settings
from events.views.headers import HEADERS
from events.web.metrics import Metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = logging.getLogger("overseer.security")

HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}))(?::[0-9]{1,5})?")
HERE = ("localhost", "127.0.0.1", "::1")
NEAR = (".local", ".lan", ".internal", ".home.arpa")
"""Ends of names that no name server of the Internet gives out."""
WRONG = (
    "This service does not answer to that name.\n"
    "Whoever runs it: OVERSEER_ADDRESS says by which name people reach it, OVERSEER_HOSTS any others.\n"
)


def stand_before(app: Flask) -> None:
    """Wrap the application in the check of host names and in ProxyFix."""
    inner = app.wsgi_app

    def front(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        settings: Settings = app.extensions["overseer_settings"]
        typed = environ.get("HTTP_HOST")
        host = name_of(typed) if typed is not None else "localhost"
        if not is_ours(host, settings):
            metrics: Metrics = app.extensions["overseer_metrics"]
            metrics.counted("wrong_host")
            log.info("wrong host", extra={"facts": {"host": typed, "client": environ.get("REMOTE_ADDR", "")}})
            head = [("Content-Type", "text/plain; charset=utf-8"), *HEADERS.items(),
                    ("Cache-Control", "no-store"), ("Content-Length", str(len(WRONG)))]  # fmt: skip
            start_response("400 Bad Request", head)
            return [] if environ.get("REQUEST_METHOD") == "HEAD" else [WRONG.encode("ascii")]
        environ["wsgi.url_scheme"] = "https" if settings.https and host not in HERE else "http"
        return inner(environ, start_response)

    behind_proxy = ProxyFix(front, x_for=1, x_proto=0)

    def entry(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        settings: Settings = app.extensions["overseer_settings"]
        trusted = is_trusted(environ.get("REMOTE_ADDR", ""), settings.proxies)
        return (behind_proxy if trusted else front)(environ, start_response)

    app.wsgi_app = entry  # type: ignore[method-assign]  # Flask's own way of putting something before it


def name_of(typed: str) -> str:
    """The host name or address in a Host header, without its port, in small letters; "" for what is none."""
    found = HOST.fullmatch(typed)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def is_ours(host: str, settings: Settings) -> bool:
    """Whether this service answers to the name.

    Without OVERSEER_ADDRESS it does to every address, and to names of a hall's network; but to no name of the
    Internet, which a foreign page could let point here.
    """
    if host in HERE or host in settings.hosts:
        return bool(host)
    if settings.public:
        return False
    return bool(host) and is_near(host, socket.gethostname().lower())


def is_near(host: str, machine: str) -> bool:
    """Whether only the hall's network, or this machine by its own name, is called so."""
    return "." not in host.strip(".") or host.endswith(NEAR) or _is_address(host) or host == machine


def is_trusted(peer: str, proxies: Proxies) -> bool:
    """Whether the peer of a connection is one of our proxies; "" is the peer on a unix socket."""
    if not peer:
        return UNIX in proxies
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in proxies if not isinstance(network, str))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
