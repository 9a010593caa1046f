"""What signs a browser in, and what its session remembers."""

import logging

from flask import g, session

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


def end_own_sign_in() -> None:
    """Sign this browser's account out."""
    held, account = account_in(session), visitor().account
    session.pop("organiser", None)
    g.pop("visitor", None)
    if held is not None and account is not None:
        with changing_club() as s:
            actions.end_sign_in(s, held, now())


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
    g.pop("visitor", None)
