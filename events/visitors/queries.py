"""The sign-ins in a browser's cookie, the tokens of private links, the staff of events, and similar names.

The signed cookie has a number for each sign-in. The database stores the numbers of ended sign-ins, so that a copy of
the cookie cannot be used after signing out. Each sign-in also expires.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Executable, bindparam
from sqlalchemy import select as select_rows
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from events.store.rounds import newest_published
from events.store.team_queries import teams_of
from events.store.visitor import WORDS, Visitor
from events.web.parsing import LARGEST, first_name, look_alike_key, mixed_scripts, name_key
from languages.words import N_, gettext, listed
from models.event import Event, EventState
from models.people import Account, EndedSignIn, Passkey, StaffSignIn
from models.person import OwnEntry, Person
from models.play import Game, Player, PlayerState
from models.staff import Invitation, Role, Staff

TOKEN = re.compile(r"([1-9][0-9]{0,9})\.[A-Za-z0-9_-]{22}", re.ASCII)


def link_token(secret: str | bytes | None, owner: Player | Person) -> str:
    """The token of a player's or person's link, "<id>.<128 bits>", from the installation's ``secret`` and their own.

    Renewing the link changes the token. A later row with the same id has another secret and token.
    """
    if isinstance(owner, Player):
        about = f"player-link {owner.id} {owner.link_generation} {owner.secret}"
    else:
        about = f"person-link {owner.id} {owner.secret}"
    digest = hmac.new(_as_bytes(secret), about.encode(), hashlib.sha256).digest()
    return f"{owner.id}.{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"


def id_in_token(token: str) -> int | None:
    """The player's or person's id in a token, not verified; None if it is malformed."""
    match = TOKEN.fullmatch(token)
    return int(match[1]) if match and int(match[1]) <= LARGEST else None


def is_link_of(secret: str | bytes | None, token: str, owner: Player | Person) -> bool:
    return hmac.compare_digest(link_token(secret, owner).encode(), token.encode())


def _as_bytes(secret: str | bytes | None) -> bytes:
    return secret if isinstance(secret, bytes) else (secret or "").encode()


def account_role(s: Session, event: Event, account: Account) -> Role | None:
    row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
    return row.role if row is not None else None


@dataclass(frozen=True)
class Helper:
    staff: Staff
    account: Account
    last_owner: bool
    """Whether this is the only owner, who can neither leave nor change role."""


def staff_of(s: Session, event: Event) -> list[Helper]:
    query = select(Staff, Account).join(Account, col(Account.id) == Staff.account_id).where(Staff.event_id == event.id)
    rows = s.exec(query).all()
    owners = sum(staff.role == Role.OWNER for staff, _ in rows)
    order = list(Role)
    return sorted(
        (Helper(staff, account, staff.role == Role.OWNER and owners == 1) for staff, account in rows),
        key=lambda helper: (order.index(helper.staff.role), helper.account.name_key),
    )


def open_invitations(s: Session, event: Event, now: datetime) -> list[Invitation]:
    """The open invitations, oldest first."""
    query = select(Invitation).where(
        Invitation.event_id == event.id,
        col(Invitation.used_at).is_(None),
        col(Invitation.withdrawn_at).is_(None),
        Invitation.expires_at > now,
    )
    return list(s.exec(query.order_by(col(Invitation.id))))


STAFF_LASTS = timedelta(days=30)
"""How long an account stays signed in."""
PLAYER_LASTS = timedelta(days=180)
"""How long a player's device stays signed in: longer than from sign-up to the last round.

The private link signs in again.
"""
OF_ACCOUNT = (
    select_rows(Account, Staff, col(EndedSignIn.sign_in))
    .outerjoin(Staff, col(Staff.account_id) == col(Account.id))
    .outerjoin(EndedSignIn, col(EndedSignIn.sign_in) == bindparam("number"))
    .where(col(Account.id) == bindparam("id"))
    .execution_options(autoflush=False)
)
"""The account of a browser's sign-in, with its roles, and the sign-in's number if it was ended."""
OF_DEVICES = (
    select_rows(Player, Event, col(EndedSignIn.sign_in))
    .join(Event, col(Event.id) == Player.event_id)
    .outerjoin(EndedSignIn, col(EndedSignIn.sign_in).in_(bindparam("numbers", expanding=True)))
    .where(col(Player.id).in_(bindparam("ids", expanding=True)))
    .execution_options(autoflush=False)
)
"""The players of a browser's sign-ins, with their events, and the numbers of ended sign-ins."""

OF_POLL: Executable = select_rows(
    col(Event.id), col(Event.public_stamp), col(Event.language), col(Player.id).label("player_id"),
    col(Player.link_generation), col(Player.session_key),
).join(Player, col(Player.event_id) == col(Event.id)).where(
    col(Event.slug) == bindparam("slug"), col(Event.state) != EventState.DRAFT,
    col(Player.id).in_(bindparam("ids", expanding=True)),
    ~select_rows(EndedSignIn).where(col(EndedSignIn.sign_in).in_(bindparam("numbers", expanding=True))).exists(),
)  # fmt: skip
"""The stamp of the event with this slug and the keys of a browser's player in it; nothing if a sign-in was ended."""


def main_id(page: type[Person]) -> ColumnElement[int]:
    """In a statement: the id of the page itself, or of the one that it was put together with."""
    return func.coalesce(col(page.merged_into), col(page.id))


MAIN = aliased(Person)
"""The page of ``main_id``."""
OWN = aliased(Person)
OF_PERSON = (
    select_rows(Person, MAIN, col(EndedSignIn.sign_in), Player, Event)
    .join(MAIN, col(MAIN.id) == main_id(Person))
    .outerjoin(EndedSignIn, col(EndedSignIn.sign_in) == bindparam("number"))
    .outerjoin(Event, col(Event.slug) == bindparam("slug"))
    .outerjoin(
        Player,
        (col(Player.event_id) == col(Event.id))
        & col(Player.id).in_(
            select_rows(col(OwnEntry.player_id)).join(OWN, col(OWN.id) == col(OwnEntry.person_id))
            .where(main_id(OWN) == col(MAIN.id))
            .correlate(MAIN)
        ),
    )
    .where(col(Person.id) == bindparam("id"))
    .order_by(col(Player.id))
    .execution_options(autoflush=False)
)  # fmt: skip
"""The person of a browser's sign-in, with their page, the sign-in's number if it was ended, and their entry in the
event of the address."""


@dataclass(frozen=True)
class SignIn:
    row_id: int
    """The id of the account, player or person."""
    key: str | int
    """The session key of the account or person, or ``player_key``. Changing the key ends all its sign-ins."""
    number: str
    since: int
    """The time of the sign-in, in seconds since 1970."""
    used: int = 0
    """The time of the last page that the person opened; 0: none since the sign-in."""

    def in_time(self, now: datetime, lasts: timedelta, idle: timedelta = timedelta.max) -> bool:
        """Whether the sign-in has neither expired nor been unused for ``idle``.

        A time in the future is valid, because the clock may have been set back.
        """
        at = now.timestamp()
        return at < self.since + lasts.total_seconds() and at < max(self.since, self.used) + idle.total_seconds()


def new_sign_in(row_id: int, key: str | int, now: datetime) -> list[str | int]:
    """A sign-in for the cookie, with a new random number of 192 bits."""
    return [row_id, key, secrets.token_urlsafe(24), int(now.timestamp())]


def player_key(player: Player) -> str:
    """The key of a player's sign-ins. Renewing the link or restoring a backup changes it."""
    return f"{player.link_generation}.{player.session_key}"


def account_in(cookie: Mapping[str, Any]) -> SignIn | None:
    return _sign_in(cookie.get("organiser"))


def players_in_cookie(cookie: Mapping[str, Any]) -> dict[int, SignIn]:
    """The players' sign-ins in the cookie, by event id."""
    held = {int(event_id): _sign_in(stored) for event_id, stored in cookie.get("players", {}).items()}
    return {event_id: session for event_id, session in held.items() if session is not None}


def _sign_in(held: Any) -> SignIn | None:
    """One sign-in of the cookie; None if it is missing or has no number, because it could not be ended."""
    return SignIn(*held) if held and len(held) in (4, 5) else None


def person_in(cookie: Mapping[str, Any]) -> SignIn | None:
    return _sign_in(cookie.get("person"))


def visitor_of(s: Session, cookie: Mapping[str, Any], now: datetime, idle: timedelta, slug: str = "") -> Visitor:
    """The visitor, loaded from the database for each request, so that withdrawn rights end at once.

    An account that was not used for ``idle`` is signed out. A person is the player of their entry in the event with
    this ``slug``, unless the browser is signed in as another player of it.
    """
    players, events = _players_of(s, players_in_cookie(cookie), now)
    account, roles = _account_of(s, account_in(cookie), now, idle)
    person, entry, event = _person_of(s, person_in(cookie), now, slug)
    if entry is not None and event is not None:
        players, events = {event.id: entry} | players, {event.id: event} | events
    return Visitor(account, players, roles, events, person=person, own_entry=entry.id if entry is not None else 0)


def _person_of(
    s: Session, asked: SignIn | None, now: datetime, slug: str
) -> tuple[Person | None, Player | None, Event | None]:
    """The person of a valid sign-in, and their entry in the event with this slug, loaded by one statement."""
    if asked is None or not asked.in_time(now, PLAYER_LASTS):
        return None, None, None
    row = s.execute(OF_PERSON, {"id": asked.row_id, "number": asked.number, "slug": slug}).first()
    if row is None or row[0].session_key != asked.key or row[2] is not None:
        return None, None, None
    _, person, _, entry, event = row
    return person, entry, event


def _account_of(
    s: Session, asked: SignIn | None, now: datetime, idle: timedelta
) -> tuple[Account | None, dict[int, Role]]:
    """The account of a valid sign-in and its roles by event id, loaded by one statement."""
    if asked is None or not asked.in_time(now, STAFF_LASTS, idle):
        return None, {}
    rows = s.execute(OF_ACCOUNT, {"id": asked.row_id, "number": asked.number}).all()
    if not rows or rows[0][0].session_key != asked.key or rows[0][2] is not None:
        return None, {}
    return rows[0][0], {staff.event_id: staff.role for _, staff, _ in rows if staff is not None}


def sign_ins_of(s: Session, account: Account, now: datetime) -> list[StaffSignIn]:
    """The account's sign-ins that have neither expired nor been ended, newest first."""
    query = select(StaffSignIn).where(StaffSignIn.account_id == account.id, StaffSignIn.at > now - STAFF_LASTS)
    return list(s.exec(query.order_by(col(StaffSignIn.at).desc(), col(StaffSignIn.id).desc())))


def in_time_of(devices: Mapping[int, SignIn], now: datetime) -> dict[int, SignIn]:
    return {event_id: sign_in for event_id, sign_in in devices.items() if sign_in.in_time(now, PLAYER_LASTS)}


def asked_of(valid: Mapping[int, SignIn]) -> dict[str, list[Any]]:
    """The parameters of ``OF_DEVICES`` and ``OF_POLL``."""
    return {
        "ids": [sign_in.row_id for sign_in in valid.values()],
        "numbers": [sign_in.number for sign_in in valid.values()],
    }


def _players_of(s: Session, devices: Mapping[int, SignIn], now: datetime) -> tuple[dict[int, Player], dict[int, Event]]:
    """The players of valid sign-ins and their events, both by event id, loaded by one statement."""
    players: dict[int, Player] = {}
    events: dict[int, Event] = {}
    valid = in_time_of(devices, now)
    if not valid:
        return players, events
    asked = asked_of(valid)
    rows = s.execute(OF_DEVICES, asked).all()
    ended = {number for _, _, number in rows}
    for player, event, _ in rows:
        session = valid.get(event.id)
        if (
            session is not None
            and session.number not in ended
            and (session.row_id, session.key) == (player.id, player_key(player))
        ):
            players[event.id], events[event.id] = player, event
    return players, events


@dataclass(frozen=True)
class Holder:
    """One name in the event: a player's, a team's or a staff account's."""

    name: str
    player_id: int | None = None
    role: str = ""
    """"team" or the role of a staff account; "" for a player."""


def name_warnings(s: Session, event: Event, players: Sequence[Player]) -> dict[int, tuple[str, ...]]:
    """Warnings about players' names by player id; dropped players get none.

    A player may have the same name as a team or staff account, because organisers may play.
    """
    like: dict[str, list[Holder]] = {}
    for holder in _holders(s, event, players):
        like.setdefault(look_alike_key(holder.name), []).append(holder)
    present = [player for player in players if player.state != PlayerState.DROPPED]
    twins = {player.id: list(_twins(player, like)) for player in present}
    tables = _tables(s, event) if any(twins.values()) else {}
    warnings = {}
    for player in present:
        words = [gettext("Looks like %(name)s", name=_words(twin, tables)) for twin in twins[player.id]]
        for name in _names(player):
            if scripts := mixed_scripts(name):
                words.append(gettext("Mixes %(scripts)s", scripts=listed(scripts)))
        if words:
            warnings[player.id] = tuple(dict.fromkeys(words))
    return warnings


def staff_warnings(s: Session, event: Event) -> dict[int, tuple[str, ...]]:
    """Warnings about names of the event's staff by account id."""
    helpers = staff_of(s, event)
    warnings = {}
    for helper in helpers:
        name = helper.account.name
        twins = [other for other in helpers if other is not helper]
        twins = [other for other in twins if look_alike_key(other.account.name) == look_alike_key(name)]
        words = [
            gettext("Looks like %(name)s", name=f"{other.account.name} ({gettext(WORDS[other.staff.role])})")
            for other in twins
        ]
        if scripts := mixed_scripts(name):
            words.append(gettext("Mixes %(scripts)s", scripts=listed(scripts)))
        if words:
            warnings[helper.account.id] = tuple(words)
    return warnings


def _holders(s: Session, event: Event, players: Iterable[Player]) -> Iterator[Holder]:
    for player in players:
        yield from (Holder(name, player.id) for name in _names(player))
    yield from (Holder(team.name, role=N_("team")) for team in teams_of(event))
    yield from (Holder(helper.account.name, role=WORDS[helper.staff.role]) for helper in staff_of(s, event))


def _names(player: Player) -> list[str]:
    return [name for name in (first_name(player.name, player.partner), player.partner) if name]


def _twins(player: Player, like: Mapping[str, Sequence[Holder]]) -> Iterator[Holder]:
    for name in _names(player):
        for other in like[look_alike_key(name)]:
            if other.player_id != player.id and name_key(other.name) != name_key(name):
                yield other


def _tables(s: Session, event: Event) -> dict[int, int]:
    """Each player's table in the newest published round."""
    tables: dict[int, int] = {}
    for game in s.exec(select(Game).where(Game.round_id == newest_published(s, event))):
        if game.b_id is not None and game.table_number is not None:
            tables |= {game.a_id: game.table_number, game.b_id: game.table_number}
    return tables


def _words(twin: Holder, tables: Mapping[int, int]) -> str:
    table = tables.get(twin.player_id) if twin.player_id is not None else None
    where = gettext("table %(table)s", table=table) if not twin.role and table is not None else gettext(twin.role)
    return f"{twin.name} ({where})" if where else twin.name


def passkeys_of(s: Session, owner: Account | Player | Person) -> Sequence[Passkey]:
    """The owner's passkeys, oldest first; of a person also those of the pages put together with theirs."""
    if isinstance(owner, Person):
        pages = select(Person.id).where(or_(col(Person.id) == owner.id, col(Person.merged_into) == owner.id))
        query = select(Passkey).where(col(Passkey.person_id).in_(pages))
    else:
        column = Passkey.account_id if isinstance(owner, Account) else Passkey.player_id
        query = select(Passkey).where(column == owner.id)
    return s.exec(query.order_by(col(Passkey.id))).all()


def token_hash(token: str) -> str:
    """The stored form of a link's token: a link cannot be made from the database."""
    return hashlib.sha256(token.encode()).hexdigest()
