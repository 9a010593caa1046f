"""Limits on guessing and floods, and passwords that attackers guess first; docs/operations.md has the figures.

All phones in a hall share one address. Private links, invitations, set-up links and links in mails hold 128 bits or a
signature, so they need no limit and a valid one always works. Sheet codes, sign-ins and sign-ups are counted by
browser, account and network address.
"""

import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
from collections.abc import Sequence
from functools import cache

from flask import after_this_request, current_app, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response

from events.accounts import actions, limits
from events.accounts.limits import CODES, Client, TooMany, Tried
from events.accounts.loading import visitor
from events.web.http import cookie_name
from events.web.monitoring import count
from events.web.parsing import name_key
from events.web.request import changing_club, db, now
from languages.words import gettext, noted
from models.people import Account
from service.settings import Settings

log = logging.getLogger("overseer.security")

A_YEAR = 365 * 24 * 60 * 60
WAIT = noted(
    "Too many failed attempts. Wait three minutes, or use a browser in which you have signed in before. To set a new "
    "password at once, ask the administrator for a link from `overseer password-link NAME`."
)


def account_with(name: str, password: str) -> Account | None:
    """The account with this name and password; None if they do not match. Raises TooMany."""
    attempt = begin_attempt(name)
    account = actions.sign_in(db(), name, password)
    if account is None:
        log_failure(name)
    else:
        with changing_club() as s:
            limits.succeeded(s, attempt)
    return account


def begin_attempt(name: str) -> Sequence[int]:
    """Count a sign-in before it is checked. ``limits.succeeded`` deletes the count. Raises TooMany."""
    tried = Tried(name, _known_browser(name), client_of_request())
    attempt = None
    if not limits.must_wait(db(), tried, now()):
        with changing_club() as s:
            attempt = limits.start_sign_in(s, tried, now())
    if attempt is None:
        raise TooMany(gettext(WAIT))
    return attempt


def log_failure(name: str) -> None:
    """Record a failed sign-in in the log and the metrics."""
    count("sign_in_failed")
    log.info("sign-in failed", extra={"facts": {"account": name}})


def count_wrong_code() -> bool:
    """Count a wrong sheet code from this address; returns whether the limit was reached.

    Signed-in browsers are not counted. Beyond the limit nothing is written, so a flood cannot delay reports.
    """
    if visitor().account is not None or visitor().players:
        return False
    counts = client_of_request().counts(CODES)
    if limits.reached(db(), counts, now()):
        return True
    with changing_club() as s:
        return limits.count_attempt(s, counts, now()) is not None


def browser_id() -> str:
    """The random id of this browser, stored in its session cookie."""
    if not session.get("browser"):
        session["browser"] = secrets.token_urlsafe(16)
    return str(session["browser"])


def client_of_request() -> Client:
    """Where this request comes from, for counting."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return Client(_client_digest("nowhere"))
    address = getattr(address, "ipv4_mapped", None) or address
    if address.version == 4:
        return Client(_client_digest(f"{address}/32"))
    own, wide = (ipaddress.ip_network((address, bits), strict=False) for bits in (64, 48))
    return Client(_client_digest(str(own)), _client_digest(str(wide)))


def _client_digest(network: str) -> str:
    settings: Settings = current_app.extensions["overseer_settings"]
    return hmac.new(settings.secret.encode(), f"client {network}".encode(), hashlib.sha256).hexdigest()


def know_browser(account: Account) -> bool:
    """Mark this browser as known for the account, by a cookie in the response. Returns whether it was not."""
    if _known_browser(account.name):
        return False
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

    return True


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


SWAPPED = str.maketrans("@013457$!", "aoleastsi")
"""Digits and signs that stand for letters, as in p@ssw0rd."""
RUNS = (
    "qwertzuiop", "qwertyuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn", "01234567890",
    "abcdefghijklmnopqrstuvwxyz", "qazwsxedcrfvtgb", "1qaz2wsx3edc4rfv", "q1w2e3r4t5y6u7i8", "1q2w3e4r5t6y7u8i",
    "a1b2c3d4e5f6", "1a2b3c4d5e6f", "a1s2d3f4g5h6", "adgjmptw",
)  # fmt: skip
"""Neighbouring keys in order; also matched in reverse."""
WORDS = [
    "password", "passwort", "passwords", "motdepasse", "contrasena", "parola", "secret", "letmein", "welcome",
    "willkommen", "hello", "hallo", "admin", "administrator", "iloveyou", "ihateyou", "iloveme", "loveyou",
    "lovely", "love", "forever", "princess", "prinzessin", "sunshine", "sunflower", "football", "fussball",
    "baseball", "basketball", "volleyball", "softball", "soccer", "hockey", "chocolate", "schokolade", "strawberry",
    "butterfly", "superman", "batman", "spiderman", "superstar", "starwars", "pokemon", "minecraft", "dragonball",
    "dragon", "harrypotter", "warhammer", "fallout", "overseer", "wasteland", "tournament", "liverpool",
    "barcelona", "realmadrid", "manchester", "chelsea", "arsenal", "elizabeth", "christian", "christina",
    "christopher", "alexander", "alexandra", "stephanie", "jonathan", "jennifer", "jessica", "michelle", "michael",
    "sebastian", "internet", "computer", "microsoft", "facebook", "google", "linkedin", "myspace", "whatever",
    "trustno", "changeme", "freedom", "summer", "winter", "spring", "autumn", "sommer", "monday", "friday",
    "babygirl", "angel", "jesus", "blink", "undertaker", "metallica", "linkinpark", "thunder", "shadow", "master",
    "killer", "monkey", "bestfriend", "cheese", "letmeinnow", "access", "test", "guest", "user", "friends",
    "friendster", "teddybear", "hellokitty", "spongebob", "tinkerbell", "twilight", "slipknot", "rockstar",
    "runescape", "hollywood", "california",
]  # fmt: skip
COMMON = re.compile(rf"(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})")
LEAST = 10
"""The least length of a password."""
FEWEST = 5
"""The least number of different characters."""
LEFT = 4
"""The least number of characters that remain without common words and runs of keys."""


def is_guessed(password: str, name: str = "") -> bool:
    """Whether attackers guess this password first; the account's ``name`` counts as a common word."""
    plain = password.casefold()
    if plain in leaked():
        return True
    if plain.isdigit() or len(set(plain)) < FEWEST or re.fullmatch(r"(.{1,9}?)\1+.{0,2}", plain):
        return True
    for text in (plain, plain.translate(SWAPPED)):
        left = text
        for part in re.findall(r"\w{3,}", name.casefold()):
            left = left.replace(part, "")
        left = _without_runs(COMMON.sub("", left))
        if len(re.sub(r"[\d\W_]", "", left)) < LEFT and len(left) < len(text):
            return True
    return False


@cache
def leaked() -> frozenset[str]:
    """The most frequently leaked passwords of an accepted length."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - megabytes, loaded when needed

    return frozenset(one.casefold() for one in FREQUENCY_LISTS["passwords"] if len(one) >= LEAST)


def _without_runs(text: str) -> str:
    """The text without runs of three or more neighbouring keys."""
    for run in RUNS:
        for keys in (run, run[::-1]):
            for size in range(len(keys), 2, -1):
                for start in range(len(keys) - size + 1):
                    text = text.replace(keys[start : start + size], "")
    return text
