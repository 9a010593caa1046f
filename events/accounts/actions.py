"""Accounts: made by a link from the server, signed in, and given new passwords."""

import functools
import secrets
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlmodel import Session, col, select

from events.accounts.staff import adopt_orphaned_events, end_tokens
from events.store.errors import Refused
from events.visitors.queries import PLAYER_LASTS, STAFF_LASTS, passkeys_of, token_hash
from events.web.parsing import name_key
from languages.words import N_, gettext
from models.dispatch import DispatchKind, queued
from models.people import Account, AccountMail, EndedSignIn, SetUpLink, StaffSignIn
from models.person import Person
from models.play import Player


def end_sign_in(s: Session, number: str, now: datetime) -> None:
    """End one sign-in, list it no longer, and delete the stored numbers of expired ones."""
    for listed in s.exec(select(StaffSignIn).where(StaffSignIn.sign_in == number)):
        s.delete(listed)
    _forget_ended(s, now)
    ended = s.exec(select(EndedSignIn).where(EndedSignIn.sign_in == number)).first()
    if ended is None:
        s.add(EndedSignIn(sign_in=number, until=now + PLAYER_LASTS))


def use_once(s: Session, challenge: str, now: datetime, lasts: timedelta) -> None:
    """Accept a passkey's challenge, once within the time that it lasts. Raises Refused."""
    _forget_ended(s, now)
    if s.exec(select(EndedSignIn).where(EndedSignIn.sign_in == challenge)).first() is not None:
        raise Refused(gettext(USED))
    s.add(EndedSignIn(sign_in=challenge, until=now + lasts))


def _forget_ended(s: Session, now: datetime) -> None:
    for old in s.exec(select(EndedSignIn).where(col(EndedSignIn.until) <= now)):
        s.delete(old)


def list_sign_in(s: Session, account: Account, number: str, browser: str, now: datetime, *, is_new: bool) -> None:
    """List a sign-in on the account's page, and forget expired ones.

    ``is_new``: the account was not used with this browser before. A mail says so, if it may be sent to an address.
    """
    for old in s.exec(select(StaffSignIn).where(col(StaffSignIn.at) <= now - STAFF_LASTS)):
        s.delete(old)
    s.add(StaffSignIn(account_id=account.id, sign_in=number, browser=browser, at=now))
    address = s.exec(select(AccountMail).where(AccountMail.account_id == account.id)).first() if is_new else None
    if address is not None:
        s.add(queued(DispatchKind.ACCOUNT, now, account_id=account.id, about=browser))


def end_all(s: Session, account: Account) -> None:
    """End all sign-ins of an account; the caller signs its own browser in again."""
    for staff_sign_in in s.exec(select(StaffSignIn).where(StaffSignIn.account_id == account.id)):
        s.delete(staff_sign_in)
    account.session_key = secrets.token_urlsafe(24)
    s.add(account)


# OWASP's second choice for argon2id, 19 MiB and two passes, takes some 17 ms here; the library's default takes 132.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
USED = N_("This page was open for too long, or was already used. Try again.")
ENDED = N_("This link was already used, was replaced by a newer one, or has expired after an hour.")
LINK_LASTS = timedelta(hours=1)
"""How long an unused link is valid. The server can create another at any time."""


def make_set_up_link(s: Session, now: datetime) -> str:
    """A new one-time token for creating an organiser. Ends all earlier unused ones."""
    return _make_link(s, None, now)


def make_password_link(s: Session, account: Account, now: datetime) -> str:
    """A new one-time token for setting this account's password. Ends all earlier unused ones."""
    return _make_link(s, account.id, now)


def _make_link(s: Session, account_id: int | None, now: datetime) -> str:
    _end_links(s, account_id)
    token = secrets.token_urlsafe(24)
    s.add(SetUpLink(token_hash=token_hash(token), created_at=now, account_id=account_id))
    return token


def _end_links(s: Session, account_id: int | None) -> None:
    """Delete the unused links for this account's password, or those that create an organiser."""
    unused = select(SetUpLink).where(col(SetUpLink.used_at).is_(None), SetUpLink.account_id == account_id)
    for link in s.exec(unused):
        s.delete(link)


def find_set_up_link(s: Session, token: str, now: datetime, *, lock: bool = False) -> SetUpLink | None:
    """The valid link with this token, or None; ``lock`` locks its row until the transaction ends."""
    query = select(SetUpLink).where(SetUpLink.token_hash == token_hash(token))
    link = s.exec(query.with_for_update() if lock else query).first()
    good = link is not None and link.used_at is None and link.created_at <= now < link.created_at + LINK_LASTS
    return link if good else None


def any_organiser(s: Session) -> bool:
    """Whether anybody has an account, so the first set-up link has been used."""
    return s.exec(select(Account)).first() is not None


def set_up_organiser(s: Session, token: str, name: str, password: str, now: datetime) -> Account:
    """Create an organiser, who gets the events without an owner. Raises Refused if the name is taken."""
    link = find_set_up_link(s, token, now, lock=True)
    if link is None or link.account_id is not None:
        raise Refused(gettext(ENDED))
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        raise Refused(
            gettext(
                "This name is taken. Choose another. If it is your account and you lost the password, ask the "
                "administrator for a link from `overseer password-link`."
            ),
            "name",
        )
    link.used_at = now
    organiser = Account(
        name=name, name_key=name_key(name), created_at=now, runs_club=True, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(organiser)
    s.flush()  # assigns the id for the session and the events
    adopt_orphaned_events(s, organiser, now)
    return organiser


def set_new_password(s: Session, token: str, password: str, now: datetime) -> Account:
    """Set the password of a password link's account, end its sign-ins, passkeys and tokens, and use up the link.

    An owner who needs such a link may have lost a device, or the account to a thief who has added a passkey. Raises
    Refused.
    """
    link = find_set_up_link(s, token, now, lock=True)
    account = s.get(Account, link.account_id) if link is not None and link.account_id is not None else None
    if link is None or account is None:
        raise Refused(gettext(ENDED))
    link.used_at = now
    change_password(s, account, password)
    end_tokens(s, account.id, now)
    remove_passkeys(s, account)
    return account


def remove_passkeys(s: Session, owner: Account | Player | Person) -> int:
    """Remove all passkeys of an account, player or person; returns how many."""
    passkeys = passkeys_of(s, owner)
    for passkey in passkeys:
        s.delete(passkey)
    return len(passkeys)


def make_account(s: Session, name: str, password: str, now: datetime) -> Account:
    """Create an account for an invited person, who does not run the club. Raises Refused if the name is taken."""
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        text = gettext(
            "This name is taken. If it is yours, sign in with your password. Otherwise enter your full name."
        )
        raise Refused(text, "name")
    account = Account(
        name=name, name_key=name_key(name), created_at=now, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(account)
    s.flush()  # assigns the id for its role
    return account


def sign_in(s: Session, name: str, password: str) -> Account | None:
    organiser = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
    try:
        HASHER.verify(organiser.password_hash if organiser else _dummy_hash(), password)
    except VerifyMismatchError:
        return None
    return organiser


def change_password(s: Session, account: Account, password: str) -> None:
    """Set the password and end all sessions; the caller signs its own browser in again."""
    account.password_hash = HASHER.hash(password)
    _end_links(s, account.id)
    end_all(s, account)


@functools.cache
def _dummy_hash() -> str:
    """Verified for an unknown name, so that the answer takes as long as for a known one."""
    return HASHER.hash(secrets.token_urlsafe())
