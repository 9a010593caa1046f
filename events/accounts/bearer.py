"""Who has a token: a program with one of the desk, a player or a person with that of the private link."""

from datetime import datetime
from typing import TypeVar

from flask import current_app, request
from sqlmodel import Session
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from events.accounts.queries import id_in_token, is_link_of
from events.accounts.tokens import valid_token
from events.store.visitor import Visitor
from events.web.request import db
from models.event import Event
from models.person import Person
from models.play import Player

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


def player_by_token(token: str) -> Player | None:
    return _owner_of(db(), Player, token)


def person_by_token(token: str) -> Person | None:
    return _owner_of(db(), Person, token)


def _owner_of(s: Session, table: type[Owner], token: str) -> Owner | None:
    id_ = id_in_token(token)
    owner = s.get(table, id_) if id_ is not None else None
    return owner if owner is not None and is_link_of(current_app.secret_key, token, owner) else None
