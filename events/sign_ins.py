"""What a browser's cookie says of who is signed in, and whether that still holds.

The cookie is signed and names each sign-in by a number of its own. One that was ended is named in the database, so that
a copy of the cookie opens nothing; and each ends by itself, however often it is used.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy import select as select_rows
from sqlmodel import Session, col

from events.staff_reading import roles_of
from events.visitor import Visitor
from models.event import Event
from models.people import Account, EndedSignIn
from models.play import Player

STAFF_LASTS = timedelta(days=30)
"""So long an account stays signed in on a browser, however often it is used."""
PLAYER_LASTS = timedelta(days=180)
"""The same of a player's device: from signing up to the last round, and the private link signs in again."""
ENDED = select_rows(col(EndedSignIn.sign_in)).where(col(EndedSignIn.sign_in).in_(bindparam("asked", expanding=True)))
OF_DEVICES = (
    select_rows(Player, Event, col(EndedSignIn.sign_in))
    .join(Event, col(Event.id) == Player.event_id)
    .outerjoin(EndedSignIn, col(EndedSignIn.sign_in).in_(bindparam("numbers", expanding=True)))
    .where(col(Player.id).in_(bindparam("ids", expanding=True)))
    .execution_options(autoflush=False)
)
"""The players of a browser's sign-ins with their events, and which of the sign-ins were ended."""


@dataclass(frozen=True)
class SignIn:
    """One entry of the cookie: whom it signs in, by which key, under which number, and since when."""

    whom: int
    key: str | int
    """The account's session key, or ``player_key``: a new one ends all sign-ins at once."""
    number: str
    since: int
    """Seconds since 1970."""

    def in_time(self, now: datetime, lasts: timedelta) -> bool:
        """Whether it has not yet ended by itself; one from the future was made before the clock was set back."""
        return now.timestamp() < self.since + lasts.total_seconds()


def new_sign_in(whom: int, key: str | int, now: datetime) -> list[str | int]:
    """A sign-in as the cookie holds it, under a new number that nobody guesses (192 bits)."""
    return [whom, key, secrets.token_urlsafe(24), int(now.timestamp())]


def player_key(player: Player) -> str:
    """What each sign-in of a player depends on: it ends with a renewed link, and with a restored backup."""
    return f"{player.link_generation}.{player.session_key}"


def account_in(cookie: Mapping[str, Any]) -> SignIn | None:
    """Which account the cookie says is signed in."""
    return _sign_in(cookie.get("organiser"))


def players_in(cookie: Mapping[str, Any]) -> dict[int, SignIn]:
    """Which players it says are, by event id."""
    held = {int(event_id): _sign_in(one) for event_id, one in cookie.get("players", {}).items()}
    return {event_id: one for event_id, one in held.items() if one is not None}


def _sign_in(held: Any) -> SignIn | None:
    """One entry of the cookie; None where there is none, or one without a number, which nothing could end."""
    return SignIn(*held) if held and len(held) == 4 else None


def visitor_of(s: Session, cookie: Mapping[str, Any], now: datetime) -> Visitor:
    """Who asks, read afresh from the database: rights end the moment that they are taken."""
    players, events = _players_of(s, players_in(cookie), now)
    account = _account_of(s, account_in(cookie), now)
    return Visitor(account, players, roles_of(s, account) if account else {}, events)


def _account_of(s: Session, asked: SignIn | None, now: datetime) -> Account | None:
    if asked is None or not asked.in_time(now, STAFF_LASTS):
        return None
    if s.connection().execute(ENDED, {"asked": [asked.number]}).first() is not None:
        return None
    found = s.get(Account, asked.whom)
    return found if found is not None and found.session_key == asked.key else None


def _players_of(s: Session, devices: Mapping[int, SignIn], now: datetime) -> tuple[dict[int, Player], dict[int, Event]]:
    """Whom these sign-ins still sign in, and their events, both by event id: one statement for all of them."""
    players: dict[int, Player] = {}
    events: dict[int, Event] = {}
    valid = {event_id: one for event_id, one in devices.items() if one.in_time(now, PLAYER_LASTS)}
    if not valid:
        return players, events
    asked = {"ids": [one.whom for one in valid.values()], "numbers": [one.number for one in valid.values()]}
    rows = s.execute(OF_DEVICES, asked).all()
    ended = {number for _, _, number in rows}
    for player, event, _ in rows:
        one = valid.get(event.id)
        if one is not None and one.number not in ended and (one.whom, one.key) == (player.id, player_key(player)):
            players[event.id], events[event.id] = player, event
    return players, events
