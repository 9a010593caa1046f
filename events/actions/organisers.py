"""Organisers: the one-time set-up link, signing in, signing out everywhere."""

import functools
import hashlib
import secrets
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlmodel import Session, col, select

from events.actions.sign_ins import end_all
from events.actions.staff import own_the_ownerless
from events.errors import Refused
from events.names import name_key
from models.people import Account, SetUpLink

# OWASP's second choice for argon2id: 19 MiB and two passes take some 17 ms here; the library's default takes 132.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
LINK_LASTS = timedelta(hours=1)
"""So long a set-up link that nobody uses opens anything; the server prints another at any time."""


def make_set_up_link(s: Session, now: datetime) -> str:
    """A new one-time token; every unused one before it ends."""
    for unused in s.exec(select(SetUpLink).where(col(SetUpLink.used_at).is_(None))):
        s.delete(unused)
    token = secrets.token_urlsafe(24)
    s.add(SetUpLink(token_hash=_hash(token), created_at=now))
    return token


def find_set_up_link(s: Session, token: str, now: datetime, *, lock: bool = False) -> SetUpLink | None:
    """The link with this token that was not used, and is not too old; ``lock`` holds it until the end of the change."""
    query = select(SetUpLink).where(SetUpLink.token_hash == _hash(token))
    link = s.exec(query.with_for_update() if lock else query).first()
    good = link is not None and link.used_at is None and link.created_at <= now < link.created_at + LINK_LASTS
    return link if good else None


def any_organiser(s: Session) -> bool:
    """Whether somebody has used a set-up link yet."""
    return s.exec(select(Account)).first() is not None


def set_up_organiser(s: Session, token: str, name: str, password: str, now: datetime) -> Account:
    """Make an organiser, or give the one of this name a new password, and use the link up.

    Events made on the server, which nobody owns yet, become the organiser's.
    """
    link = find_set_up_link(s, token, now, lock=True)
    if link is None:
        raise Refused("This set-up link was used already, replaced by a newer one, or is more than an hour old.")
    link.used_at = now
    organiser = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
    if organiser is None:
        organiser = Account(name=name, name_key=name_key(name), created_at=now, password_hash="", session_key="")
        s.add(organiser)
    organiser.runs_club = True
    organiser.password_hash = HASHER.hash(password)
    organiser.session_key = secrets.token_urlsafe(24)
    s.flush()  # makes the organiser's id for the session and the events
    own_the_ownerless(s, organiser, now)
    return organiser


def make_account(s: Session, name: str, password: str, now: datetime) -> Account:
    """An account for somebody who was invited; it runs no club. Raises Refused where the name is taken."""
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        raise Refused(
            "Somebody has this name already. If it is you, sign in with your password; if not, write your name in full."
        )
    account = Account(
        name=name, name_key=name_key(name), created_at=now, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(account)
    s.flush()  # makes the account's id for its role
    return account


def sign_in(s: Session, name: str, password: str) -> Account | None:
    """The organiser with this name and password, or None."""
    organiser = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
    try:
        HASHER.verify(organiser.password_hash if organiser else _nobodys_hash(), password)
    except VerifyMismatchError:
        return None
    return organiser


def change_password(s: Session, account: Account, password: str) -> None:
    """Give the account a new password and end all its sessions; the caller signs its own browser in again."""
    account.password_hash = HASHER.hash(password)
    end_all(s, account)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@functools.cache
def _nobodys_hash() -> str:
    """Checked when the name is unknown, so that the answer takes as long."""
    return HASHER.hash(secrets.token_urlsafe())
