"""Limits on attempts: sign-ins, codes, public sign-ups, lost links and calls, counted in the database.

All phones in a hall share one address. Private links, invitations, set-up links and links in mails hold 128 bits or a
signature, so they need no limit and a valid one always works. docs/operations.md has the figures.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, func, or_, select

from events.store.errors import Refused
from events.web.parsing import name_key
from models.people import SignInAttempt

ATTEMPTS = 0x4F56_5341
"""PostgreSQL's advisory lock for counting attempts (OVSA). SQLite has only one writer."""


@dataclass(frozen=True)
class Limit:
    """At most ``most`` attempts of one kind and key within the window."""

    kind: str
    most: int
    window: timedelta


BY_NAME = Limit("name", 10, timedelta(minutes=15))
BY_BROWSER = Limit("browser", 10, timedelta(minutes=15))
BY_ADDRESS = Limit("client", 60, timedelta(minutes=15))
BY_NAME_AND_ADDRESS = Limit("both", 10, timedelta(minutes=15))
PACE = timedelta(minutes=3)
"""The time between two sign-ins with one name from one place, once a limit is reached: limits slow down, none stops."""
WIDER = 4
"""How many times an address's limit wrong guesses of its wider network have."""
CODES = Limit("code", 60, timedelta(minutes=15))
"""Wrong sheet codes, by address."""
TEAM_CODES = Limit("team", 20, timedelta(minutes=15))
"""Wrong codes for one team, by address."""
JOIN_CODES = Limit("join", 20, timedelta(minutes=15))
"""Wrong join codes of one event, by address."""
SIGN_UPS_AT_ONCE = Limit("burst", 30, timedelta(minutes=1))
"""Sign-ups for one event, by address; beyond any limit on sign-ups they are held until staff decide."""
SIGN_UPS = Limit("sign-up", 90, timedelta(minutes=5))
"""The same. In a hall, 60 phones register within five minutes."""
SIGN_UPS_BY_BROWSER = Limit("phone", 5, timedelta(minutes=10))
TOKENS = Limit("token", 30, timedelta(minutes=15))
"""Wrong tokens of programs, by address. A valid one always works."""
LOST_LINKS = Limit("lost link", 20, timedelta(minutes=15))
"""Requests for lost links, by address."""
ERASURES = Limit("erasure", 20, timedelta(minutes=15))
"""Erasures by players of their own data, by address: each rewrites an event's journal."""
PAGES = Limit("page", 5, timedelta(minutes=15))
"""Entries put on pages of people, by player."""
CALLS = Limit("call", 6, timedelta(minutes=15))
"""Calls for a judge, by player."""
KEPT = timedelta(minutes=15)
"""The longest window of attempts. Older ones are deleted."""
MAILS_KEPT = timedelta(days=30)
"""The longest window of mails, whose kinds begin with ``MAILS``."""
MAILS = "mail"


class TooMany(Refused):
    """A limit is reached. The message says when to try again."""

    status = 429


class WrongCode(Refused):
    """A typed code opens nothing. Whoever shows it counts it under ``counts``, after the write that it ended."""

    def __init__(self, message: str, field: str, counts: Mapping[Limit, str]) -> None:
        super().__init__(message, field)
        self.counts = counts


@dataclass(frozen=True)
class Client:
    """Where a request comes from, as keyed digests."""

    address: str
    """Of the address, for IPv6 of its /64 network."""
    network: str = ""
    """For IPv6 of its /48 network, the largest that one customer has; otherwise ""."""

    def counts(self, limit: Limit, about: str = "") -> dict[Limit, str]:
        """The counting keys of a limit on wrong guesses, ``about`` one thing."""
        keys = {limit: f"{about}{self.address}"}
        if not self.network:
            return keys
        return keys | {replace(limit, kind=f"{limit.kind}+", most=WIDER * limit.most): f"{about}{self.network}"}


@dataclass(frozen=True)
class Tried:
    """A sign-in attempt: account name, known browser ("" if unknown), and where it comes from."""

    name: str
    browser: str
    client: Client

    @property
    def counts(self) -> dict[Limit, str]:
        if self.browser:
            return {BY_BROWSER: self.browser}
        name = name_key(self.name)
        both = hashlib.sha256(f"{self.client.network or self.client.address} {name}".encode()).hexdigest()
        return {BY_NAME: name, BY_NAME_AND_ADDRESS: both} | self.client.counts(BY_ADDRESS)

    @property
    def paced(self) -> Limit:
        """The limit of this name from this place."""
        return BY_BROWSER if self.browser else BY_NAME_AND_ADDRESS


def must_wait(s: Session, tried: Tried, now: datetime) -> bool:
    """Whether a limit is reached and the last attempt is recent, so that even the right password must wait."""
    return bool(reached(s, tried.counts, now)) and _was_just_tried(s, tried, now)


def _was_just_tried(s: Session, tried: Tried, now: datetime) -> bool:
    last = replace(tried.paced, most=1, window=PACE)
    return bool(reached(s, {last: tried.counts[tried.paced]}, now))


def start_sign_in(s: Session, tried: Tried, now: datetime) -> Sequence[int] | None:
    """Count a sign-in before its password is checked. Returns the rows' ids, or None if it must wait."""
    _lock(s)
    full = reached(s, tried.counts, now)
    if full and _was_just_tried(s, tried, now):
        return None
    # A name or an address at its limit adds no more rows, so that a flood cannot fill the table.
    counts = {limit: key for limit, key in tried.counts.items() if limit not in full or limit == tried.paced}
    return _add(s, counts, now)


def succeeded(s: Session, attempt: Sequence[int]) -> None:
    _lock(s)
    for row in s.exec(select(SignInAttempt).where(col(SignInAttempt.id).in_(attempt))):
        s.delete(row)


def count_attempt(s: Session, counts: Mapping[Limit, str], now: datetime) -> Limit | None:
    """Count an attempt under these limits and keys. If a limit is reached, returns it without counting."""
    _lock(s)
    full = reached(s, counts, now)
    if not full:
        _add(s, counts, now)
    return next(iter(full), None)


def reached(s: Session, counts: Mapping[Limit, str], now: datetime) -> list[Limit]:
    """Those of these limits that are reached, in their order."""

    def count(limit: Limit, key: str) -> int:
        at = col(SignInAttempt.at)  # the clock may have been ahead
        query = select(func.count()).where(_counted(limit, key), at > now - limit.window, at <= now)
        return s.exec(query).one()

    return [limit for limit, key in counts.items() if count(limit, key) >= limit.most]


def forget_attempts(s: Session, limit: Limit, key: str) -> None:
    for row in s.exec(select(SignInAttempt).where(_counted(limit, key))):
        s.delete(row)


def take_back(s: Session, counts: Mapping[Limit, str]) -> None:
    for limit, key in counts.items():
        of_key = select(SignInAttempt).where(_counted(limit, key))
        newest = s.exec(of_key.order_by(col(SignInAttempt.at).desc(), col(SignInAttempt.id).desc())).first()
        if newest is not None:
            s.delete(newest)


def _counted(limit: Limit, key: str) -> ColumnElement[bool]:
    return and_(col(SignInAttempt.kind) == limit.kind, col(SignInAttempt.name_key) == key)


def _lock(s: Session) -> None:
    """Let one host at a time count attempts."""
    if s.connection().dialect.name == "postgresql":
        s.connection().execute(select(func.pg_advisory_xact_lock(ATTEMPTS)))


def _add(s: Session, counts: Mapping[Limit, str], now: datetime) -> Sequence[int]:
    attempts = ~col(SignInAttempt.kind).startswith(MAILS)
    due = or_(col(SignInAttempt.at) <= now - MAILS_KEPT, and_(attempts, col(SignInAttempt.at) <= now - KEPT))
    for old in s.exec(select(SignInAttempt).where(due)):
        s.delete(old)
    rows = [SignInAttempt(kind=limit.kind, name_key=key, at=now) for limit, key in counts.items()]
    s.add_all(rows)
    s.flush()  # assigns the ids that a success deletes
    return [row.id for row in rows]
