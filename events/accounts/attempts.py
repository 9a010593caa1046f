"""Limits on guessing and floods, by browser, account and network address; docs/operations.md has the figures.

All phones in a hall share one address. Private links, invitations, set-up links and links in mails hold 128 bits or a
signature, so they need no limit and a valid one always works. Sheet codes, sign-ins and sign-ups are counted.
"""

import hashlib
import hmac
import ipaddress
import logging
import secrets
from collections.abc import Sequence

from flask import after_this_request, current_app, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response

from events.accounts import actions
from events.accounts.actions import CODES, TooMany, Tried
from events.accounts.loading import visitor
from events.play.parsing import name_key
from events.web.http import cookie_name
from events.web.monitoring import count
from events.web.request import changing, db, now
from models.people import Account
from service.settings import Settings

log = logging.getLogger("overseer.security")

A_YEAR = 365 * 24 * 60 * 60
WAIT = (
    "Too many failed attempts. Wait 15 minutes. "
    "A browser in which you have signed in before may work at once. "
    "In a hurry, `overseer password-link NAME` on the server makes a link that sets a new password at once."
)


# ---- passwords and codes of the second factor


def account_with(name: str, password: str) -> Account | None:
    """The account with this name and password; None if they do not match. Raises TooMany."""
    attempt = begin_attempt(name)
    account = actions.sign_in(db(), name, password)
    if account is None:
        log_failure(name)
    else:
        with changing() as s:
            actions.succeeded(s, attempt)
    return account


def begin_attempt(name: str) -> Sequence[int]:
    """Count a sign-in before it is checked. ``actions.succeeded`` deletes the count. Raises TooMany."""
    tried = Tried(name, _known_browser(name), client_key())
    if actions.must_wait(db(), tried, now()):
        raise TooMany(WAIT)
    with changing() as s:
        attempt = actions.start(s, tried, now())
    if attempt is None:
        raise TooMany(WAIT)
    return attempt


def log_failure(name: str) -> None:
    """Record a failed sign-in in the log and the metrics."""
    count("sign_in_failed")
    log.info("sign-in failed", extra={"facts": {"account": name}})


# ---- sheet codes and sign-ups


def count_wrong_code() -> bool:
    """Count a wrong sheet code from this address; returns whether the limit was reached.

    Signed-in browsers are not counted. Beyond the limit nothing is written, so a flood cannot delay reports.
    """
    if visitor().account is not None or visitor().players:
        return False
    if actions.is_reached(db(), CODES, client_key(), now()):
        return True
    with changing() as s:
        return actions.count(s, {CODES: client_key()}, now()) is not None


def browser_id() -> str:
    """The random id of this browser, stored in its session cookie."""
    if not session.get("browser"):
        session["browser"] = secrets.token_urlsafe(16)
    return str(session["browser"])


def client_key() -> str:
    """The client's key for counting: a keyed digest of its address, for IPv6 of its /64 network."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
        whole = str(ipaddress.ip_network(f"{address}/{32 if address.version == 4 else 64}", strict=False))
    except ValueError:
        whole = "nowhere"
    settings: Settings = current_app.extensions["overseer_settings"]
    return hmac.new(settings.secret.encode(), f"client {whole}".encode(), hashlib.sha256).hexdigest()


# ---- browsers on which an account has signed in before


def know_browser(account: Account) -> None:
    """Mark this browser as known for the account, by a cookie in the response."""
    if _known_browser(account.name):
        return
    settings: Settings = current_app.extensions["overseer_settings"]
    mark = str(_signer().dumps([account.id, secrets.token_urlsafe(18)]))

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            cookie_name(settings, "overseer-known"),
            mark,
            max_age=A_YEAR,
            secure=settings.https,
            httponly=True,
            samesite="Lax",
            path="/",
        )
        return response


def _known_browser(name: str) -> str:
    """The random id of this browser if the named account has signed in on it before; else ""."""
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        account_id, mark = _signer().loads(request.cookies.get(cookie_name(settings, "overseer-known"), ""))
    except (BadSignature, ValueError, TypeError):
        return ""
    account = db().get(Account, account_id)
    return str(mark) if account is not None and account.name_key == name_key(name) else ""


def _signer() -> URLSafeSerializer:
    settings: Settings = current_app.extensions["overseer_settings"]
    return URLSafeSerializer(settings.secret, salt="known-browser")
