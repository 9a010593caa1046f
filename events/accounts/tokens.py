"""Tokens of programs: made and ended at the desk, shown once, stored as a hash."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from events.store.act import Act
from events.store.journal import note
from events.store.visitor import TABLE, WORDS, Right
from events.visitors.queries import token_hash
from languages.message import counted_message, message
from models.api_token import ApiToken
from models.event import Event
from models.people import Account
from models.staff import Role, Staff

AREAS = (Role.ORGANISER, Role.JUDGE, Role.SCOREKEEPER, Role.CHECK_IN, Role.TREASURER)
"""The areas of tokens: the roles of staff that the interface has something to do for, without that of owners."""
NOTED_EVERY = timedelta(minutes=5)
"""How often the use of a token is noted."""


def make_token(act: Act, name: str, role: Role, days: int, by: Account) -> tuple[ApiToken, str]:
    """A new token for the event, which ends after so many days, and its text, which is stored nowhere."""
    token = secrets.token_urlsafe(24)
    row = ApiToken(
        event_id=act.event.id,
        made_by=by.id,
        name=name,
        role=role,
        token_hash=token_hash(token),
        made_at=act.now,
        expires_at=act.now + timedelta(days=days),
    )
    act.s.add(row)
    act.s.flush()  # assigns the id for the page
    text = counted_message(
        "Made the token %(name)s: %(role)s, for %(num)s day",
        "Made the token %(name)s: %(role)s, for %(num)s days",
        days,
        name=name,
        role=message(WORDS[role]),
    )
    note(act, "make-token", text, token=row.id, role=role.value)
    return row, token


def end_token(act: Act, row: ApiToken) -> None:
    """End a token; does nothing if it has ended."""
    if row.ended_at is None:
        row.ended_at = act.now
        note(act, "end-token", message("Ended the token %(name)s", name=row.name), token=row.id)


def note_use(s: Session, row: ApiToken, now: datetime) -> None:
    s.get_one(ApiToken, row.id).used_at = now


def tokens_by(s: Session, account: Account, now: datetime) -> Sequence[tuple[ApiToken, Event]]:
    """The tokens of an account that work, with their events, by event and then newest first."""
    query = (
        select(ApiToken, Event)
        .join(Event, col(Event.id) == ApiToken.event_id)
        .where(ApiToken.made_by == account.id, col(ApiToken.ended_at).is_(None), ApiToken.expires_at > now)
        .order_by(col(Event.id), col(ApiToken.id).desc())
    )
    return s.exec(query).all()


def tokens_of(s: Session, event: Event) -> Sequence[tuple[ApiToken, str, bool]]:
    """The event's tokens that were not ended, newest first, with their makers' names and whether those may still make
    tokens.
    """
    may = col(Staff.role).in_(TABLE[Right.MAKE_TOKENS])
    same = (col(Staff.event_id) == ApiToken.event_id) & (col(Staff.account_id) == ApiToken.made_by)
    query = (
        select(ApiToken, Account.name, Staff.id)
        .join(Account, col(Account.id) == ApiToken.made_by)
        .outerjoin(Staff, same & may)
        .where(ApiToken.event_id == event.id, col(ApiToken.ended_at).is_(None))
        .order_by(col(ApiToken.id).desc())
    )
    return [(row, name, staff is not None) for row, name, staff in s.exec(query)]
