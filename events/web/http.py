"""Hooks around every page: hosts, the client's address, headers, cookies, URL converters, limits on expensive pages.

Of a proxy's headers, only the client's address is read (werkzeug's ProxyFix), and only from ``OVERSEER_PROXIES``.
"""

import ipaddress
import logging
import re
import socket
from collections import Counter
from collections.abc import Container, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any
from urllib.parse import SplitResult, urlsplit

from flask import Flask, abort, current_app, g, request
from flask.sessions import SecureCookieSessionInterface
from flask.templating import Environment
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from jinja2 import FileSystemLoader
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import TooManyRequests
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, IntegerConverter, Map
from werkzeug.wrappers import Response

from events.store.visitor import Visitor
from events.web.monitoring import count
from events.web.parsing import LARGEST
from languages.words import N_
from service.settings import LOOPBACK, UNIX, Proxies, Settings


class ShortNumber(IntegerConverter):
    """A number in an address that fits a column of both databases; larger ones give 404."""

    regex = "[0-9]{1,10}"

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=LARGEST)


class GameInAddress(BaseConverter):
    """The id of a game system, with hyphens in addresses."""

    regex = "[a-z0-9_-]{1,40}"

    def to_python(self, value: str) -> str:
        return value.replace("-", "_")

    def to_url(self, value: str) -> str:
        return value.replace("_", "-")


class Pages(Environment):
    """Flask's templates, with each one's globals in one plain dict.

    Jinja compares their names at every import of a macro; Flask's chain of dicts takes a tenth of a page's time there.
    """

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        return self.globals | dict(d or {})


log = logging.getLogger("overseer.security")

DENIED_FEATURES = (
    "accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
"""Browser features that no page uses. Pages copy links, so clipboard-write is allowed."""
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
"""Top-level names of local networks."""
WRONG = (
    "This service does not answer to that host name.\n"
    "Administrator: set OVERSEER_ADDRESS to its address, and OVERSEER_HOSTS to any other names.\n"
)
PORTS = {"http": 80, "https": 443}
"""The ports of addresses that name none."""


def configure(app: Flask, templates: Sequence[Path], largest: Mapping[str, int], sign_in_lasts: timedelta) -> None:
    """Set the configuration that does not depend on the settings.

    ``largest`` is the largest request in bytes by endpoint, where it is not MAX_CONTENT_LENGTH.
    """
    app.jinja_loader = FileSystemLoader(templates)
    app.jinja_environment = Pages
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config.update(
        MAX_CONTENT_LENGTH=2_500_000,
        MAX_FORM_MEMORY_SIZE=1_000_000,
        MAX_FORM_PARTS=20_000,
        CONTENT_LENGTHS=largest,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=sign_in_lasts,
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,  # a form may stay open for a whole round
        WTF_I18N_ENABLED=False,  # by Flask-Babel; our forms name their languages themselves
    )
    app.session_interface = Sessions()
    app.debug = False
    app.url_map.converters |= {"int": ShortNumber, "game": GameInAddress}
    set_client_and_scheme(app)


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
    """Wrap the application to take the client's address from a trusted proxy, and the scheme from the settings."""
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
    """Answer 400 to a request for a host name that is not this service's."""
    host = request.environ.get("HTTP_HOST", "localhost")
    if is_ours(name_of(host), current_app.extensions["overseer_settings"]):
        return None
    count("wrong_host")
    log.info("wrong host", extra={"facts": {"host": host}})
    return Response(WRONG, 400, mimetype="text/plain")


def refuse_other_sites() -> None:
    """Answer 403 to a post that comes from another site's page, as the browser says; the form token is checked too.

    Old browsers send only Origin, and programs neither.
    """
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    settings: Settings = current_app.extensions["overseer_settings"]
    foreign = origin is not None and not is_own_origin(origin, request.environ.get("HTTP_HOST", ""), settings)
    if site not in ("same-origin", "none") if site else foreign:
        log.info("post from another site", extra={"facts": {"site": site, "origin": origin}})
        abort(403)


def is_own_origin(origin: str, host: str, settings: Settings) -> bool:
    """Whether an origin is the request's host and port, or a name of the settings with the public address's port."""
    try:
        theirs, asked, public = urlsplit(origin), urlsplit(f"//{host}"), urlsplit(settings.public)
        return theirs.scheme in PORTS and any(
            theirs.hostname in names and _ports(theirs) <= _ports(url)
            for names, url in (({asked.hostname}, asked), (settings.hosts, public))
        )
    except ValueError:
        return False


def _ports(url: SplitResult) -> set[int]:
    """The port of an address: without a scheme and a port, that of either."""
    return {url.port or PORTS[url.scheme]} if url.port or url.scheme in PORTS else {*PORTS.values()}


def name_of(header: str) -> str:
    """The host name or address in a Host header, without port, in lower case; "" if it is invalid."""
    match = HOST.fullmatch(header)
    return match[1].strip("[]").rstrip(".").lower() if match else ""


def is_ours(host: str, settings: Settings) -> bool:
    """Whether this service answers to the host name.

    Without OVERSEER_ADDRESS it answers to addresses and local network names, but to no Internet name: a foreign site
    could point its own name here (DNS rebinding).
    """
    if not host or host in LOOPBACK or host in settings.hosts:
        return bool(host)
    return not settings.public and is_near(host, socket.gethostname().lower())


def is_near(host: str, machine: str) -> bool:
    return "." not in host.strip(".") or host.endswith(NEAR) or _address(host) is not None or host == machine


def is_trusted(peer: str, proxies: Proxies) -> bool:
    """Whether the peer of a connection is a trusted proxy; "" is the peer on a unix socket."""
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


def cookie_name(settings: Settings, name: str = "overseer") -> str:
    """The name of a cookie, with the prefix that browsers accept only over HTTPS and from this very host."""
    return f"__Host-{name}" if settings.https else name


class UndatedSigner(TimestampSigner):
    """Accepts future dates, which itsdangerous rejects: a clock slightly ahead would sign everyone out."""

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: Any = False) -> Any:
        return super().unsign(signed_value, None, return_timestamp)


class Sessions(SecureCookieSessionInterface):
    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = UndatedSigner
        return serializer


def limit_uploads() -> None:
    """Set the request limit of pages that have their own, before the form is read."""
    if (limit := current_app.config["CONTENT_LENGTHS"].get(request.endpoint)) is not None:
        request.max_content_length = limit


def refuse_many_fields() -> None:
    """Answer 413 to a form with too many fields. Werkzeug counts only the fields of multipart forms."""
    is_form = request.endpoint and request.mimetype == "application/x-www-form-urlencoded"
    if is_form and request.get_data().count(b"&") >= current_app.config["MAX_FORM_PARTS"]:
        abort(413)


def refuse_nul() -> None:
    """Answer 404 to an address with a NUL, which PostgreSQL would report as an error."""
    if "\x00" in request.path or any("\x00" in value for value in request.args.values()):
        abort(404)


def close_session(_: BaseException | None) -> None:
    """Return the request's database connection. A lost connection does not affect the finished response."""
    session = g.pop("session", None)
    if session is None:
        return
    try:
        session.close()
    except DBAPIError as error:
        logging.getLogger("overseer").warning("a connection ended when its answer was ready: %s", error.orig)
        session.invalidate()


PAPERS = (".pdf", ".zip")
"""Addresses with these endings are expensive."""
EXPENSIVE = {
    "card.event_card": ("GET",),
    "card.player_card": ("GET",),
    "edition.edition_page": ("GET",),
    "export.event_workbook": ("GET",),
    "export.lists_sheet": ("GET",),
    "export.standings_file": ("GET",),
    "export.standings_sheet": ("GET",),
    "lists.own_list": ("GET", "POST"),
    "published.pairings_file": ("GET",),
    "public.event": ("GET",),
    "published.verify_page": ("GET", "POST"),
    "standings.standings_page": ("GET",),
    "statistics.club_statistics": ("GET",),
    "statistics.series_statistics": ("GET",),
    "write.write_list": ("POST",),
}
"""Other endpoints whose methods cost the processor time of several pages. What a whole hall opens at once is cached."""
ONLY_WITH = {"edition.edition_page": "against", "public.event": "figures", "standings.standings_page": "figures"}
"""Endpoints that are expensive only with this value in the address: a comparison, a file of a cached page."""
LIMITS = {"visitors": 2, "players": 4, "lists": 8, "staff": 2}
"""Concurrent requests in each process. Storing a list is counted separately, so that papers cannot block saving."""
OWN_PLACES = {"visitors": 1, "players": 1, "lists": 3}
"""Of each player, and of each address (IPv6: a /48) for other visitors.

The builder's page, its last change and the next one may overlap.
"""
STAFF_WAIT = 10.0
"""How long staff wait for a free place, in seconds. Others are rejected at once."""
RETRY_AFTER = 5
BUSY = N_("The server is busy with other papers and checks. Please try again in a few seconds.")


def limit_expensive_requests(app: Flask) -> None:
    app.extensions["overseer_heavy"] = {kind: BoundedSemaphore(places) for kind, places in LIMITS.items()}
    app.extensions["overseer_heavy_own"] = OwnPlaces(Counter(), Lock())
    app.before_request(_enter)
    app.teardown_request(_leave)


@dataclass(frozen=True)
class OwnPlaces:
    """The expensive requests in this process of each player or address, so that none takes the places of all."""

    taken: Counter[str]
    lock: Lock

    def take(self, whose: set[str], most: int) -> bool:
        """Take a place for each of these; False if one has ``most`` already."""
        with self.lock:
            if any(self.taken[text] >= most for text in whose):
                return False
            self.taken.update(whose)
            return True

    def free(self, whose: set[str]) -> None:
        with self.lock:
            self.taken.subtract(whose)
            for text in whose:
                if not self.taken[text]:
                    del self.taken[text]


def is_expensive(endpoint: str, rule: str, method: str, asked: Container[str] = ()) -> bool:
    """Whether requests to a route are limited; ``asked`` are the names in the address's query."""
    if endpoint in ONLY_WITH and ONLY_WITH[endpoint] not in asked:
        return False
    return rule.endswith(PAPERS) or method.replace("HEAD", "GET") in EXPENSIVE.get(endpoint, ())


def kind_of_visitor(who: Visitor) -> str:
    """The visitor's key in LIMITS: with a sign-in that was ended, that of other visitors."""
    if who.account is not None or who.token:
        return "staff"
    if who.players:
        return "lists" if request.endpoint in ("lists.own_list", "write.write_list") else "players"
    return "visitors"


def _enter() -> None:
    route = request.url_rule
    if route is None or not is_expensive(route.endpoint, route.rule, request.method, request.args):
        return
    who: Visitor = current_app.extensions["overseer_signed_in"]()
    kind = kind_of_visitor(who)
    places: BoundedSemaphore = current_app.extensions["overseer_heavy"][kind]
    own: OwnPlaces = current_app.extensions["overseer_heavy_own"]
    whose = {f"{kind} {player.id}" for player in who.players.values()} if kind in OWN_PLACES else set()
    if kind == "visitors":
        client = current_app.extensions["overseer_client"]()
        whose = {f"{kind} {client.network or client.address}"}
    if not own.take(whose, OWN_PLACES.get(kind, 0)):
        raise TooManyRequests(BUSY, retry_after=RETRY_AFTER)
    g.heavy_own = whose
    if not places.acquire(timeout=STAFF_WAIT if kind == "staff" else 0):
        raise TooManyRequests(BUSY, retry_after=RETRY_AFTER)
    g.heavy_places = places


def _leave(_: BaseException | None) -> None:
    if "heavy_places" in g:
        g.pop("heavy_places").release()
    if "heavy_own" in g:
        current_app.extensions["overseer_heavy_own"].free(g.pop("heavy_own"))
