"""What surrounds every page: host names, the client's address, the scheme, headers, session cookie, address converters.

Of a proxy's headers only the client's address is read (werkzeug's ProxyFix), and only from ``OVERSEER_PROXIES``.
"""

import ipaddress
import logging
import re
import socket
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from flask import Flask, abort, current_app, g, request
from flask.sessions import SecureCookieSessionInterface
from flask.templating import Environment
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from sqlalchemy.exc import DBAPIError
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, IntegerConverter, ValidationError
from werkzeug.wrappers import Response

from events.web.monitoring import count
from service.settings import LOOPBACK, UNIX, Proxies, Settings
from validators import SYSTEMS


class ShortNumber(IntegerConverter):
    """A number in an address that both databases can look for; a longer one is no page's."""

    regex = "[0-9]{1,10}"


class GameInAddress(BaseConverter):
    """A game's id in an address, where its words are joined by hyphens."""

    regex = "[a-z_-]{1,40}"

    def to_python(self, value: str) -> str:
        """The id of a known game. Raises ValidationError for any other."""
        game = value.replace("-", "_")
        if game not in SYSTEMS:
            raise ValidationError
        return game

    def to_url(self, value: str) -> str:
        """The id as an address spells it."""
        return value.replace("_", "-")


class Pages(Environment):
    """Flask's templates, with the globals of each in one plain dict.

    Jinja compares their names at every import of a macro, which over its own chain of dicts is a tenth of a page.
    """

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template: all that are registered by now, and ``d``."""
        return self.globals | dict(d or {})


log = logging.getLogger("overseer.security")

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
HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}))(?::[0-9]{1,5})?")
NEAR = (".local", ".lan", ".internal", ".home.arpa")
"""Endings of names that no name server of the Internet gives out."""
WRONG = (
    "This service does not answer to that name.\n"
    "Administrator: set OVERSEER_ADDRESS to its address, and OVERSEER_HOSTS to any other names.\n"
)


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


def set_client_and_scheme(app: Flask) -> None:
    """Wrap the application: a trusted proxy names the client, and the settings the scheme."""
    inner = app.wsgi_app
    behind_proxy = ProxyFix(inner, x_for=1, x_proto=0)

    def entry(environ: Any, start_response: Any) -> Iterable[bytes]:
        settings: Settings = app.extensions["overseer_settings"]
        near = name_of(environ.get("HTTP_HOST", "localhost")) in LOOPBACK
        environ["wsgi.url_scheme"] = "https" if settings.https and not near else "http"
        trusted = is_trusted(environ.get("REMOTE_ADDR", ""), settings.proxies)
        return (behind_proxy if trusted else inner)(environ, start_response)

    app.wsgi_app = entry  # type: ignore[method-assign]  # as Flask documents it


def refuse_other_hosts() -> Response | None:
    """Answer 400 to a request for a host name that is not ours."""
    typed = request.environ.get("HTTP_HOST", "localhost")
    if is_ours(name_of(typed), current_app.extensions["overseer_settings"]):
        return None
    count("wrong_host")
    log.info("wrong host", extra={"facts": {"host": typed}})
    return Response(WRONG, 400, mimetype="text/plain")


def name_of(typed: str) -> str:
    """The host name or address in a Host header, without its port, in small letters; "" if it is invalid."""
    found = HOST.fullmatch(typed)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def is_ours(host: str, settings: Settings) -> bool:
    """Whether this service answers to the name.

    Without OVERSEER_ADDRESS it answers to addresses and to names of a local network, but to no name of the Internet:
    a foreign page could let such a name point here.
    """
    if not host or host in LOOPBACK or host in settings.hosts:
        return bool(host)
    return not settings.public and is_near(host, socket.gethostname().lower())


def is_near(host: str, machine: str) -> bool:
    """Whether the name belongs to a local network, or is this machine's."""
    return "." not in host.strip(".") or host.endswith(NEAR) or _address(host) is not None or host == machine


def is_trusted(peer: str, proxies: Proxies) -> bool:
    """Whether the peer of a connection is one of our proxies; "" is the peer on a unix socket."""
    if not peer:
        return UNIX in proxies
    address = _address(peer)
    address = getattr(address, "ipv4_mapped", None) or address
    return address is not None and any(address in network for network in proxies if not isinstance(network, str))


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


class UndatedSigner(TimestampSigner):
    """Accepts a signature of any date.

    itsdangerous rejects one from the future, so another host's clock a moment ahead would sign everybody out.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: Any = False) -> Any:
        """The value, if the signature is ours."""
        return super().unsign(signed_value, None, return_timestamp)


class Sessions(SecureCookieSessionInterface):
    """Flask's own sessions with that signer."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The serializer of the cookie; None without a secret key."""
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = UndatedSigner
        return serializer


def limit_uploads() -> None:
    """Set the size of a request on pages with a limit of their own; it is checked before the form is read."""
    own = current_app.config["CONTENT_LENGTHS"].get(request.endpoint)
    if own is not None:
        request.max_content_length = own


def refuse_many_fields() -> None:
    """Answer 413 to a form of too many fields. Werkzeug counts those of multipart forms only, and is slow at others."""
    typed = request.endpoint and request.mimetype == "application/x-www-form-urlencoded"
    if typed and request.get_data().count(b"&") >= current_app.config["MAX_FORM_PARTS"]:
        abort(413)


def refuse_nul() -> None:
    """Answer 404 to an address with a NUL in it: no row is found by one, and PostgreSQL takes it for a fault."""
    if "\x00" in request.path or any("\x00" in value for value in request.args.values()):
        abort(404)


def close_session(_: BaseException | None) -> None:
    """Give the request's database connection back. One that ended by now takes no answer with it that is ready."""
    session = g.pop("session", None)
    if session is None:
        return
    try:
        session.close()
    except DBAPIError as error:
        logging.getLogger("overseer").warning("a connection ended when its answer was ready: %s", error.orig)
        session.invalidate()
