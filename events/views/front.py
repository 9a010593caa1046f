"""WSGI middleware before all pages: which host names are ours, the client's address, and the scheme.

Of a proxy's headers only the client's address is read (werkzeug's ProxyFix), and only if the request comes from one of
``OVERSEER_PROXIES``. The scheme is that of ``OVERSEER_ADDRESS``. The host is the request's own, if it is one of ours.
"""

import ipaddress
import logging
import re
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from events.public_address import LOOPBACK, UNIX, Proxies
from events.settings import Settings
from events.web.metrics import Metrics

DENIED_FEATURES = (
    "accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
"""Browser features that no page of ours uses. Copying a link to the clipboard (clipboard-write) stays allowed."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in DENIED_FEATURES),
}


def add_headers(response: Response) -> Response:
    """Set the headers of a response. Pages depend on the visitor, so no shared cache may keep them."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.scheme == "https":
        response.headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.vary.add("Cookie")
    return response


if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = logging.getLogger("overseer.security")

HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}))(?::[0-9]{1,5})?")
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
            metrics: Metrics | None = app.extensions["overseer_metrics"]
            if metrics is not None:
                metrics.counted("wrong_host")
            log.info("wrong host", extra={"facts": {"host": typed, "client": environ.get("REMOTE_ADDR", "")}})
            head = [("Content-Type", "text/plain; charset=utf-8"), *HEADERS.items(),
                    ("Cache-Control", "no-store"), ("Content-Length", str(len(WRONG)))]  # fmt: skip
            start_response("400 Bad Request", head)
            return [] if environ.get("REQUEST_METHOD") == "HEAD" else [WRONG.encode("ascii")]
        environ["wsgi.url_scheme"] = "https" if settings.https and host not in LOOPBACK else "http"
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
    if host in LOOPBACK or host in settings.hosts:
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


# ---- the session's cookie


class UndatedSigner(TimestampSigner):
    """Accepts a signature of any date: itsdangerous rejects one from the future as expired.

    Otherwise a clock that is set back, or that of another host a moment behind, would sign everybody out.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: Any = False) -> Any:
        """The value, if the signature is ours."""
        return super().unsign(signed_value, None, return_timestamp)


class Sessions(SecureCookieSessionInterface):
    """Flask's own sessions with that signer."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs and reads the cookie; None without a secret key."""
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = UndatedSigner
        return serializer
