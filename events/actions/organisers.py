"""Accounts: the one-time links that make an organiser or set a new password, and signing in."""

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
ENDED = "This link was used already, replaced by a newer one, or is more than an hour old."
LINK_LASTS = timedelta(hours=1)
"""How long an unused link is valid; the server makes another at any time."""


def make_set_up_link(s: Session, now: datetime) -> str:
    """A new one-time token that makes a new organiser; every unused one before it ends."""
    return _make_link(s, None, now)


def make_password_link(s: Session, account: Account, now: datetime) -> str:
    """A new one-time token that sets a new password for this account; every unused one before it ends."""
    return _make_link(s, account.id, now)


def _make_link(s: Session, account_id: int | None, now: datetime) -> str:
    unused = select(SetUpLink).where(col(SetUpLink.used_at).is_(None), SetUpLink.account_id == account_id)
    for link in s.exec(unused):
        s.delete(link)
    token = secrets.token_urlsafe(24)
    s.add(SetUpLink(token_hash=_hash(token), created_at=now, account_id=account_id))
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
    """Make a new organiser and use the link up. Raises Refused if there is an account of this name.

    Events made on the server, which nobody owns yet, become the organiser's.
    """
    link = find_set_up_link(s, token, now, lock=True)
    if link is None or link.account_id is not None:
        raise Refused(ENDED)
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        raise Refused(
            "There is an account of this name already. Choose another name. If the account is yours and you lost its "
            "password, ask for a link made by `overseer password-link` on the server.",
            "name",
        )
    link.used_at = now
    organiser = Account(
        name=name, name_key=name_key(name), created_at=now, runs_club=True, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(organiser)
    s.flush()  # makes the organiser's id for the session and the events
    own_the_ownerless(s, organiser, now)
    return organiser


def set_new_password(s: Session, token: str, password: str, now: datetime) -> Account:
    """Give the account of a password link a new password, end its sign-ins, and use the link up. Raises Refused."""
    link = find_set_up_link(s, token, now, lock=True)
    account = s.get(Account, link.account_id) if link is not None and link.account_id is not None else None
    if link is None or account is None:
        raise Refused(ENDED)
    link.used_at = now
    change_password(s, account, password)
    return account


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
