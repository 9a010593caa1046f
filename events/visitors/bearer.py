"""Who has a token: a program with one of the desk, a player or a person with that of the private link."""

from datetime import datetime
from typing import TypeVar

from flask import current_app, request
from sqlmodel import Session, col, select
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from events.store.visitor import TABLE, Right, Visitor
from events.visitors.queries import id_in_token, is_link_of, token_hash
from events.web.request import db
from models.api_token import ApiToken
from models.event import Event
from models.person import Person
from models.play import Player
from models.staff import Staff

Owner = TypeVar("Owner", Player, Person)
CHALLENGE = WWWAuthenticate("bearer", {"realm": "event"})


def program(s: Session, at: datetime) -> Visitor:
    """The visitor of a request to the interface, by its token alone: cookies do not count there.

    Without a token it is a visitor without a sign-in. Raises Unauthorized for a token that does not work.
    """
    given = request.headers.get("Authorization")
    if given is None:
        return Visitor()
    scheme, _, token = given.partition(" ")
    token = token.strip()
    if scheme.lower() == "bearer" and (row := valid_token(s, token, at)) is not None:
        return Visitor(roles={row.event_id: row.role}, token=row.name, token_id=row.id)
    if scheme.lower() == "bearer" and (player := _owner_of(s, Player, token)) is not None:
        event = s.get_one(Event, player.event_id)
        return Visitor(players={event.id: player}, events={event.id: event})
    raise Unauthorized(
        "This token is not valid: it is mistyped, has ended, or its maker’s rights have.", www_authenticate=CHALLENGE
    )


def valid_token(s: Session, token: str, now: datetime) -> ApiToken | None:
    """The row of a token that works: neither ended nor expired, of a maker who may still make tokens."""
    row = s.exec(
        select(ApiToken, Staff)
        .join(Staff, (col(Staff.event_id) == ApiToken.event_id) & (col(Staff.account_id) == ApiToken.made_by))
        .where(ApiToken.token_hash == token_hash(token), col(Staff.role).in_(TABLE[Right.MAKE_TOKENS]))
    ).first()
    if row is None or row[0].ended_at is not None or now >= row[0].expires_at:
        return None
    return row[0]


def player_by_token(token: str) -> Player | None:
    return _owner_of(db(), Player, token)


def person_by_token(token: str) -> Person | None:
    return _owner_of(db(), Person, token)


def _owner_of(s: Session, table: type[Owner], token: str) -> Owner | None:
    id_ = id_in_token(token)
    owner = s.get(table, id_) if id_ is not None else None
    return owner if owner is not None and is_link_of(current_app.secret_key, token, owner) else None
