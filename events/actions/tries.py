"""Limits on attempts: sign-ins, wrong sheet codes and sign-ups, counted in the database so that all hosts share them.

A sign-in is counted before its password is checked, and its count is removed when the password was right: guesses sent
at the same moment cannot pass the limit together. A browser that has signed in with an account before is counted by
itself, so nobody locks an organiser out by guessing badly. All other browsers share the account's count and the count
of their address. From an address with many failures each account still gets a few tries.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.errors import Refused
from events.names import name_key
from models.people import SignInAttempt

ATTEMPTS = 0x4F56_5341
"""Of PostgreSQL's advisory locks the one for counting attempts: OVSA. SQLite has one writer anyway."""


@dataclass(frozen=True)
class Limit:
    """At most ``most`` attempts of one kind and key within the window."""

    kind: str
    most: int
    window: timedelta


BY_NAME = Limit("name", 10, timedelta(minutes=15))
BY_BROWSER = Limit("browser", 10, timedelta(minutes=15))
BY_ADDRESS = Limit("client", 60, timedelta(minutes=15))
BY_NAME_AND_ADDRESS = Limit("both", 3, timedelta(minutes=15))
"""Only applied when the address has reached its own limit."""
CODES = Limit("code", 60, timedelta(minutes=15))
"""Wrong sheet codes, by address."""
SIGN_UPS = Limit("sign-up", 90, timedelta(minutes=5))
"""Sign-ups for one event, by address: 60 phones in a hall register within five minutes."""
SIGN_UPS_BY_BROWSER = Limit("phone", 5, timedelta(minutes=10))
KEPT = timedelta(minutes=15)
"""The longest window: older attempts are deleted."""


class TooMany(Refused):
    """A limit is reached. The message says when to try again."""

    status = 429


@dataclass(frozen=True)
class Tried:
    """A sign-in: as whom, from which known browser ("" for any other), and from which address of the network."""

    name: str
    browser: str
    client: str

    @property
    def counts(self) -> dict[Limit, str]:
        """The keys that it is counted under, by limit."""
        if self.browser:
            return {BY_BROWSER: self.browser}
        name = name_key(self.name)
        both = hashlib.sha256(f"{self.client} {name}".encode()).hexdigest()
        return {BY_NAME: name, BY_ADDRESS: self.client, BY_NAME_AND_ADDRESS: both}


def must_wait(s: Session, tried: Tried, now: datetime) -> bool:
    """Whether too many sign-ins failed, so that even the right password has to wait."""
    reached = {limit for limit, key in tried.counts.items() if is_reached(s, limit, key, now)}
    return bool(reached & {BY_NAME, BY_BROWSER}) or {BY_ADDRESS, BY_NAME_AND_ADDRESS} <= reached


def start(s: Session, tried: Tried, now: datetime) -> Sequence[int] | None:
    """Count a sign-in before its password is checked; returns the rows' ids. None: it must wait, and is not counted."""
    _lock(s)
    if must_wait(s, tried, now):
        return None
    # An address at its limit gets no more rows of its own: a flood must not fill the table.
    counts = {
        limit: key for limit, key in tried.counts.items()
        if limit != BY_ADDRESS or not is_reached(s, limit, key, now)
    }  # fmt: skip
    return _add(s, counts, now)


def succeeded(s: Session, attempt: Sequence[int]) -> None:
    """Remove the count of a sign-in whose password or code was right."""
    _lock(s)
    for row in s.exec(select(SignInAttempt).where(col(SignInAttempt.id).in_(attempt))):
        s.delete(row)


def count(s: Session, counts: Mapping[Limit, str], now: datetime) -> Limit | None:
    """Count an attempt under these limits and keys. Returns a limit that is reached; then nothing is counted."""
    _lock(s)
    reached = next((limit for limit, key in counts.items() if is_reached(s, limit, key, now)), None)
    if reached is None:
        _add(s, counts, now)
    return reached


def is_reached(s: Session, limit: Limit, key: str, now: datetime) -> bool:
    """Whether as many attempts were counted as the limit allows."""
    query = select(func.count()).where(
        SignInAttempt.kind == limit.kind, SignInAttempt.name_key == key, col(SignInAttempt.at) > now - limit.window
    )
    return s.exec(query).one() >= limit.most


def _lock(s: Session) -> None:
    """Let attempts be counted one after the other, on all hosts."""
    if s.connection().dialect.name == "postgresql":
        s.connection().execute(select(func.pg_advisory_xact_lock(ATTEMPTS)))


def _add(s: Session, counts: Mapping[Limit, str], now: datetime) -> Sequence[int]:
    for old in s.exec(select(SignInAttempt).where(col(SignInAttempt.at) <= now - KEPT)):
        s.delete(old)
    rows = [SignInAttempt(kind=limit.kind, name_key=key, at=now) for limit, key in counts.items()]
    s.add_all(rows)
    s.flush()  # makes the ids by which a success removes them
    return [row.id for row in rows]
