"""Limits on guessing and on floods, as requests meet them: by browser, by account and by address of the network.

A hall's phones share one address. Private links, invitations, set-up links and links in mails hold 128 bits or a
signature, so a right one always works and wrong ones are not counted. Only sheet codes, sign-ins and sign-ups are.
docs/operations.md has the figures.
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
from events.play.names import name_key
from events.web.monitoring import count
from events.web.request import changing, db, now
from models.people import Account
from service.settings import Settings

log = logging.getLogger("overseer.security")

A_YEAR = 365 * 24 * 60 * 60
WAIT = (
    "Too many failed attempts. Please wait a quarter of an hour. "
    "A browser on which you have signed in before may not have to wait. "
    "In a hurry, `overseer password-link NAME` on the server makes a link that sets a new password at once."
)


# ---- passwords and codes of the second factor


def account_with(name: str, password: str) -> Account | None:
    """The account of this name and password; None where they do not belong together. Raises TooMany."""
    attempt = begin_attempt(name)
    account = actions.sign_in(db(), name, password)
    if account is None:
        log_failure(name)
    else:
        with changing() as s:
            actions.succeeded(s, attempt)
    return account


def begin_attempt(name: str) -> Sequence[int]:
    """Count a sign-in before anything of it is checked; ``tries.succeeded`` takes the count back. Raises TooMany."""
    tried = Tried(name, _known_as(name), client_key())
    if actions.must_wait(db(), tried, now()):
        raise TooMany(WAIT)
    with changing() as s:
        attempt = actions.start(s, tried, now())
    if attempt is None:
        raise TooMany(WAIT)
    return attempt


def log_failure(name: str) -> None:
    """Record in the log and the metrics that a sign-in failed."""
    count("sign_in_failed")
    log.info("sign-in failed", extra={"facts": {"account": name}})


# ---- sheet codes and sign-ups


def is_wrong_code_refused() -> bool:
    """Count a wrong sheet code for the address; whether there were too many of them.

    Signed-in browsers are not counted. Beyond the limit nothing is written: a flood of codes does not hold up reports.
    """
    if visitor().account is not None or visitor().players:
        return False
    if actions.is_reached(db(), CODES, client_key(), now()):
        return True
    with changing() as s:
        return actions.count(s, {CODES: client_key()}, now()) is not None


def browser_id() -> str:
    """A random id of this browser, kept in its signed session."""
    if not session.get("browser"):
        session["browser"] = secrets.token_urlsafe(16)
    return str(session["browser"])


def client_key() -> str:
    """The client's address as it is counted: a keyed digest; for IPv6 of the /64 network that one household has."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
        whole = str(ipaddress.ip_network(f"{address}/{32 if address.version == 4 else 64}", strict=False))
    except ValueError:
        whole = "nowhere"
    settings: Settings = current_app.extensions["overseer_settings"]
    return hmac.new(settings.secret.encode(), f"client {whole}".encode(), hashlib.sha256).hexdigest()


# ---- browsers on which an account has signed in


def know_browser(account: Account) -> None:
    """Remember, with the answer, that this account has signed in on this browser."""
    if _known_as(account.name):
        return
    settings: Settings = current_app.extensions["overseer_settings"]
    mark = str(_signer().dumps([account.id, secrets.token_urlsafe(18)]))

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            _cookie(settings), mark, max_age=A_YEAR, secure=settings.https, httponly=True, samesite="Lax", path="/"
        )
        return response


def _known_as(name: str) -> str:
    """The random id of a browser on which the account of this name has signed in; else ""."""
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
