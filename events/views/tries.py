"""What slows guessing down: failed sign-ins by name, browser and address; wrong links and codes by address.

A hall's phones share one address. Players come by private links and are never slowed down once they have opened theirs;
staff sign in on browsers that are known from before. docs/operations.md has the figures.
"""

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict, deque
from datetime import datetime
from threading import Lock

from flask import current_app, g, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from events.actions import tries
from events.actions.tries import Tried
from events.names import name_key
from events.settings import Settings
from events.sign_ins import account_in, players_in
from events.views.request import db
from models.people import Account

A_YEAR = 365 * 24 * 60 * 60
MISSES, WITHIN = 200, 900
"""Wrong links and codes from one address within so many seconds, in one process; further ones are answered 429."""
MOST_CLIENTS = 20_000
TOO_MANY = "Too many links or codes from your network were wrong. Open your private link, or wait a quarter of an hour."


class Misses:
    """When each address asked for links and codes that are none of ours. In memory: to look one up stores nothing."""

    def __init__(self, most: int = MISSES) -> None:
        """Nobody has missed yet; ``most`` may be wrong within the time."""
        self._most = most
        self._when: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def too_many(self, client: str) -> bool:
        """Whether this client has to wait."""
        with self._lock:
            when = self._when.get(client)
            return when is not None and len(when) >= self._most and time.monotonic() - when[0] < WITHIN

    def add(self, client: str) -> None:
        """Remember one more; the clients that missed the longest ago are forgotten where there are too many."""
        with self._lock:
            self._when.setdefault(client, deque(maxlen=self._most)).append(time.monotonic())
            self._when.move_to_end(client)
            while len(self._when) > MOST_CLIENTS:
                self._when.popitem(last=False)


def slow_guessing() -> None:
    """Before a link or a code is looked up: turn away whoever got too many wrong. Raises TooManyRequests."""
    misses: Misses = current_app.extensions["overseer_misses"]
    if misses.too_many(_who()):
        raise TooManyRequests(TOO_MANY, retry_after=WITHIN)


def missed() -> None:
    """Say that a link or a code was none of ours."""
    misses: Misses = current_app.extensions["overseer_misses"]
    misses.add(_who())


def _who() -> str:
    """Whom a miss is counted for: the player or the account whose signed cookie is sent, else the address."""
    held = [account_in(session), *players_in(session).values()]
    known = [one.whom for one in held if one is not None]
    return f"{'account' if held[0] else 'player'} {known[0]}" if known else client_key()


def client_key() -> str:
    """The client's address as it is counted: not readable, and of the newer kind the network that one household has."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
        whole = str(ipaddress.ip_network(f"{address}/{32 if address.version == 4 else 64}", strict=False))
    except ValueError:
        whole = "nowhere"
    settings: Settings = current_app.extensions["overseer_settings"]
    return hmac.new(settings.secret.encode(), f"client {whole}".encode(), hashlib.sha256).hexdigest()


def tried(name: str) -> Tried:
    """The sign-in that the request is, as it is counted."""
    return Tried(name, _known_as(name), client_key())


def must_wait(name: str, now: datetime) -> bool:
    """Whether sign-ins with this name have to wait for this browser."""
    return tries.must_wait(db(), tried(name), now)


def know_browser(account: Account) -> None:
    """Remember, with the answer, that this account has signed in on this browser."""
    g.knows = account


def keep_known(response: Response) -> Response:
    """Hand the browser its mark, where it just signed in and has none of this account."""
    account: Account | None = g.pop("knows", None)
    if account is not None and not _known_as(account.name):
        settings: Settings = current_app.extensions["overseer_settings"]
        mark = _signer().dumps([account.id, secrets.token_urlsafe(18)])
        response.set_cookie(
            _cookie(settings), str(mark), max_age=A_YEAR, secure=settings.https, httponly=True, samesite="Lax", path="/"
        )
    return response


def _known_as(name: str) -> str:
    """The browser's mark, where it is one of the account of this name; else ""."""
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        account_id, mark = _signer().loads(request.cookies.get(_cookie(settings), ""))
    except (BadSignature, ValueError, TypeError):
        return ""
    account = db().get(Account, account_id)
    return str(mark) if account is not None and account.name_key == name_key(name) else ""


def _signer() -> URLSafeSerializer:
    settings: Settings = current_app.extensions["overseer_settings"]
    return URLSafeSerializer(settings.secret, salt="known-browser")


def _cookie(settings: Settings) -> str:
    return "__Host-overseer-known" if settings.https else "overseer-known"
