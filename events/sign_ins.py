"""What a browser's cookie says of who is signed in, and whether that still holds.

The cookie is signed and names each sign-in by a number of its own. One that was ended is named in the database, so that
a copy of the cookie opens nothing; and each ends by itself, however often it is used.
"""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from events.staff_reading import roles_of
from events.visitor import Visitor
from models.people import Account, EndedSignIn
from models.play import Player

STAFF_LASTS = timedelta(days=30)
"""So long an account stays signed in on a browser, however often it is used."""
PLAYER_LASTS = timedelta(days=180)
"""The same of a player's device: from signing up to the last round, and the private link signs in again."""
ENDED = select(EndedSignIn.sign_in).where(col(EndedSignIn.sign_in).in_(bindparam("asked", expanding=True)))

PLAYERS = (
    select(Player, EndedSignIn.sign_in)
    .join(EndedSignIn, col(EndedSignIn.sign_in).in_(bindparam("asked", expanding=True)), isouter=True)
    .where(col(Player.id).in_(bindparam("ids", expanding=True)))
    .execution_options(autoflush=False)
)
"""Each player, once for every ended sign-in among those asked for, or with None."""


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
    asked, devices = account_in(cookie), players_in(cookie)
    numbers = [one.number for one in (*devices.values(), asked) if one is not None]
    known, over = _players(s, [one.whom for one in devices.values()], numbers) if devices else ({}, _ended(s, numbers))
    account = None
    if asked is not None and asked.number not in over and asked.in_time(now, STAFF_LASTS):
        found = s.get(Account, asked.whom)
        account = found if found is not None and found.session_key == asked.key else None
    players: dict[int, Player] = {}
    for event_id, one in devices.items():
        player = known.get(one.whom) if one.number not in over and one.in_time(now, PLAYER_LASTS) else None
        if player is not None and player_key(player) == one.key and player.event_id == event_id:
            players[event_id] = player
    return Visitor(account, players, roles_of(s, account) if account else {})


def _players(s: Session, ids: list[int], numbers: list[str]) -> tuple[dict[int, Player], set[str]]:
    """The players with these ids, and which of these sign-ins were ended, in one statement."""
    rows = s.exec(PLAYERS, params={"ids": ids, "asked": numbers}).all()
    return {player.id: player for player, _ in rows}, {ended for _, ended in rows if ended is not None}


def _ended(s: Session, numbers: Iterable[str]) -> set[str]:
    asked = [*numbers]
    return set(s.connection().execute(ENDED, {"asked": asked}).scalars()) if asked else set()
