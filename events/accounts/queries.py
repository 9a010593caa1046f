"""Who a browser's cookie signs in, the tokens of private links, and who helps at which event.

The cookie is signed and gives each sign-in a number. A sign-in that was ended is named in the database, so a copy of
its cookie opens nothing; each also ends by itself.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from events.play.visitor import Visitor
from models.event import Event
from models.people import Account, EndedSignIn
from models.play import Player
from models.staff import Invitation, Role, Staff

TOKEN = re.compile(r"([1-9][0-9]{0,9})\.[A-Za-z0-9_-]{22}", re.ASCII)
LONGEST_ID = 2**31 - 1


def link_token(secret: str | bytes | None, player: Player) -> str:
    """The player's token, "<id>.<128 bits>", from the installation's ``secret`` and the player's own.

    It ends when the link is renewed. A later row with the same id has another secret, hence another token.
    """
    about = f"player-link {player.id} {player.link_generation} {player.secret}"
    digest = hmac.new(_as_bytes(secret), about.encode(), hashlib.sha256).digest()
    return f"{player.id}.{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"


def player_id_in(token: str) -> int | None:
    """The id of the player whom the token is for, not yet verified; None for text that is no token."""
    found = TOKEN.fullmatch(token)
    return int(found[1]) if found and int(found[1]) <= LONGEST_ID else None


def is_link_of(secret: str | bytes | None, token: str, player: Player) -> bool:
    """Whether this is the player's token now."""
    return hmac.compare_digest(link_token(secret, player).encode(), token.encode())


def _as_bytes(secret: str | bytes | None) -> bytes:
    return secret if isinstance(secret, bytes) else (secret or "").encode()


def roles_of(s: Session, account: Account) -> dict[int, Role]:
    """What the account is, by event id."""
    return {row.event_id: row.role for row in s.exec(select(Staff).where(Staff.account_id == account.id))}


def role_of(s: Session, event: Event, account: Account) -> Role | None:
    """What the account is at this event."""
    row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
    return row.role if row is not None else None


@dataclass(frozen=True)
class Helper:
    """One row of the staff."""

    staff: Staff
    account: Account
    last_owner: bool
    """Can neither leave nor become anything else."""


def staff_of(s: Session, event: Event) -> list[Helper]:
    """Everybody who helps at the event, by role, then by name."""
    query = select(Staff, Account).join(Account, col(Account.id) == Staff.account_id).where(Staff.event_id == event.id)
    rows = s.exec(query).all()
    owners = sum(staff.role == Role.OWNER for staff, _ in rows)
    order = list(Role)
    return sorted(
        (Helper(staff, account, staff.role == Role.OWNER and owners == 1) for staff, account in rows),
        key=lambda one: (order.index(one.staff.role), one.account.name_key),
    )


def open_invitations(s: Session, event: Event, now: datetime) -> list[Invitation]:
    """Invitations that can still be used, oldest first."""
    query = select(Invitation).where(
        Invitation.event_id == event.id,
        col(Invitation.used_at).is_(None),
        col(Invitation.withdrawn_at).is_(None),
        Invitation.expires_at > now,
    )
    return list(s.exec(query.order_by(col(Invitation.id))))


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
