"""What signs a browser in, and what its session remembers."""

import hashlib
import hmac
import ipaddress
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from flask import abort, after_this_request, current_app, g, request, session, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from sqlmodel import Session
from werkzeug.wrappers import Response

from events.accounts import actions, limits, passkeys
from events.accounts.limits import Client, TooMany, Tried
from events.accounts.passkeys import Party
from events.store.errors import Refused
from events.visitors.loading import visitor
from events.visitors.queries import account_in, link_token, new_sign_in, person_in
from events.web.forms import show_at_field
from events.web.http import cookie_name
from events.web.language import CHOSEN, keep_language
from events.web.monitoring import count
from events.web.parsing import name_key
from events.web.request import PAPERS_CHOSEN, changing_club, db, now, outside_url
from languages.words import N_, gettext
from models.people import Account
from models.person import Person
from service.settings import Settings

log = logging.getLogger("overseer.security")
HALF = "half_in"
"""Session key between the password and the code: the account's id, its key, and the time."""
STRONG = "both_factors"
"""Session key: whether the account's sign-in used a passkey, which counts as two factors."""
CHALLENGE = "passkey_challenge"
"""Session key for the passkey's challenge on the open page, and the time when it was made."""
A_YEAR = 365 * 24 * 60 * 60
WAIT = N_(
    "Too many failed attempts. Wait three minutes, or use a browser in which you have signed in before. To set a new "
    "password at once, ask the administrator for a link from `overseer password-link NAME`."
)
GUESSED = N_("This password is easy to guess. Use three words that mean something to you.")


BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
"""Words in what browsers say of themselves, the most telling first, and our words for them."""
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")


def browser_words() -> str:
    """The visitor's browser and system, as it says, such as "Firefox on Linux"."""
    agent = request.headers.get("User-Agent", "")
    browser = next((ours for word, ours in BROWSERS.items() if word in agent), gettext("Another browser"))
    system = next((text for text in SYSTEMS if text in agent), "")
    return gettext("%(browser)s on %(system)s", browser=browser, system=system) if system else browser


def end_own_sign_in() -> None:
    held, account = account_in(session), visitor().account
    session.pop("organiser", None)
    g.pop("visitor", None)
    if held is not None and account is not None:
        with changing_club() as s:
            actions.end_sign_in(s, held.number, now())


def end_page_sign_in() -> None:
    held = person_in(session)
    session.pop("person", None)
    g.pop("visitor", None)
    if held is not None:
        with changing_club() as s:
            actions.end_sign_in(s, held.number, now())


def remember_person(person: Person) -> None:
    """Open the person's own page in this browser."""
    session.permanent = True
    session["person"] = new_sign_in(person.id, person.session_key, now())
    keep_language(person)
    g.pop("visitor", None)


def own_person_or_403() -> Person:
    """The person whose own page this browser has opened; 403 without one."""
    person = visitor().person
    if person is None:
        abort(403)
    return person


def page_link(person: Person) -> str:
    """The private link of a person's page; "" if no other device could open it."""
    return outside_url("own_page.open_link", token=link_token(current_app.secret_key, person))


def page_path(person: Person) -> str:
    """The same without the server, for this computer."""
    return url_for("own_page.open_link", token=link_token(current_app.secret_key, person))


KEPT = ("_permanent", "csrf_token", "browser", "devices", "organiser", STRONG, "players", "person", PAPERS_CHOSEN)
"""Session keys that stay when somebody signs out: who else is signed in here, and what belongs to the browser."""


def forget_opened() -> None:
    for name in set(session) - set(KEPT):
        session.pop(name)


def party() -> Party | None:
    """The service as passkeys know it; None where this page cannot use them."""
    settings: Settings = current_app.extensions["overseer_settings"]
    return passkeys.party_at(settings.public, request.host)


def offers_passkeys() -> bool:
    """Whether pages for all visitors offer passkeys: those of a service with https."""
    settings: Settings = current_app.extensions["overseer_settings"]
    return settings.https


def asked_of_browser(ask: Callable[[Party, str], str]) -> dict[str, Any]:
    """For a page that uses passkeys: what ``ask`` makes of a new challenge; "" where browsers offer no passkeys."""
    here, settings = party(), current_app.extensions["overseer_settings"]
    if here is None:
        return {"asked": "", "passkeys_at": settings.public if settings.https else ""}
    session[CHALLENGE] = [passkeys.new_challenge(), int(now().timestamp())]
    return {"asked": ask(here, session[CHALLENGE][0]), "passkeys_at": ""}


def taken_challenge() -> tuple[Party, str]:
    """The service and the challenge that a browser answers; each is taken once. Raises Refused."""
    challenge, since = session.pop(CHALLENGE, ("", 0))
    here = party()
    if here is None or now().timestamp() - since > passkeys.LASTS.total_seconds():
        raise Refused(actions.USED)
    return here, challenge


def hold_account(s: Session, account: Account) -> None:
    """Lock the visitor's account until the change ends; 403 if the sign-in ended while the change waited for others."""
    s.refresh(account, with_for_update=True)
    g.pop("visitor", None)
    if visitor().account is None:
        abort(403)


def check_password(account: Account, form: Any) -> int:
    """Check that a form's ``old`` is the password of its account; returns the HTTP status if it gets an error.

    Tries are counted, so that nobody can guess the password on a signed-in browser.
    """
    try:
        if account_with(account.name, form.old.data) is None:
            form.old.errors = [gettext("The password is wrong.")]
    except TooMany as wait:
        return show_at_field(form, wait)
    return 422


def remember_account(organiser: Account, *, strong: bool = False) -> None:
    """Sign this browser in with a new number, log it, and end the browser's earlier sign-in.

    ``strong``: by a passkey.
    """
    end_own_sign_in()
    count("signed_in")
    log.info("signed in", extra={"facts": {"account": organiser.name}})
    kept = {name: session[name] for name in ("players", "person", CHOSEN, PAPERS_CHOSEN) if name in session}
    session.clear()  # keeps only the sign-ins of players and of a person, the language and the paper size
    session.permanent = True
    session.update(kept)
    session[STRONG] = strong
    is_new = know_browser(organiser)
    session["organiser"] = new_sign_in(organiser.id, organiser.session_key, now())
    keep_language(organiser)
    with changing_club() as s:
        actions.list_sign_in(s, organiser, session["organiser"][2], browser_words(), now(), is_new=is_new)
    g.pop("visitor", None)


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

        @after_this_request
        def say_how_long(response: Response) -> Response:
            response.headers["Retry-After"] = str(int(limits.PACE.total_seconds()))
            return response

        raise TooMany(gettext(WAIT))
    return attempt


def log_failure(name: str) -> None:
    count("sign_in_failed")
    log.info("sign-in failed", extra={"facts": {"account": name}})


def browser_id() -> str:
    """The random id of this browser, stored in its session cookie."""
    if not session.get("browser"):
        session["browser"] = secrets.token_urlsafe(16)
    return str(session["browser"])


def client_of_request() -> Client:
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return Client(_client_digest("nowhere"))
    address = getattr(address, "ipv4_mapped", None) or address
    if address.version == 4:
        return Client(_client_digest(f"{address}/32"))
    narrow, wide = (ipaddress.ip_network((address, bits), strict=False) for bits in (64, 48))
    return Client(_client_digest(str(narrow)), _client_digest(str(wide)))


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
            cookie_name(settings, "overseer-known"), mark, max_age=A_YEAR, secure=settings.https, httponly=True,
            samesite="Lax", path="/",
        )  # fmt: skip
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
