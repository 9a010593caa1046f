"""What signs a browser in, and what its session remembers."""

import logging

from flask import g, request, session

from events.accounts import actions
from events.accounts.attempts import know_browser
from events.accounts.loading import visitor
from events.accounts.queries import account_in, new_sign_in
from events.web.monitoring import count
from events.web.request import changing_club, now
from models.people import Account

log = logging.getLogger("overseer.security")
HALF = "half_in"
"""Session key between the password and the code: the account's id, its key, and the time."""
GUESSED = "This password is easy to guess. Use three words that mean something to you."


BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
"""Words in what browsers say of themselves, the most telling first, and our words for them."""
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")


def browser_words() -> str:
    """The visitor's browser and system, as it says, such as "Firefox on Linux"."""
    said = request.headers.get("User-Agent", "")
    browser = next((ours for word, ours in BROWSERS.items() if word in said), "Another browser")
    system = next((f" on {one}" for one in SYSTEMS if one in said), "")
    return browser + system


def end_own_sign_in() -> None:
    """Sign this browser's account out."""
    held, account = account_in(session), visitor().account
    session.pop("organiser", None)
    g.pop("visitor", None)
    if held is not None and account is not None:
        with changing_club() as s:
            actions.end_sign_in(s, held.number, now())


def remember_account(organiser: Account) -> None:
    """Sign this browser in with a new number, log it, and end the browser's earlier sign-in."""
    end_own_sign_in()
    count("signed_in")
    log.info("signed in", extra={"facts": {"account": organiser.name}})
    players = session.get("players", {})
    session.clear()  # keeps only players' sign-ins
    session.permanent = True
    session["players"] = players
    know_browser(organiser)
    session["organiser"] = new_sign_in(organiser.id, organiser.session_key, now())
    with changing_club() as s:
        actions.list_sign_in(s, organiser, session["organiser"][2], browser_words(), now())
    g.pop("visitor", None)
