"""Idempotency keys: the answer to a form is stored with its change, and given again where the form is sent again."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from events.errors import Refused
from models.change_rows import store_answer
from models.event import Event
from models.kept_answer import KeptAnswer

BY_KEY = select(KeptAnswer.sha256, KeptAnswer.said, KeptAnswer.player_id).where(
    col(KeptAnswer.event_id) == bindparam("event_id"),
    col(KeptAnswer.who) == bindparam("who"),
    col(KeptAnswer.key) == bindparam("key"),
)


@dataclass(frozen=True)
class Press:
    """One submission of a form: its sender, its idempotency key, and the digest of its fields in their order."""

    who: str
    """The sender as the server knows it: a signed-in player, a sheet's code, a browser. Never a typed name."""
    key: str
    """ "" for a form without a key: then no answer is stored."""
    sha256: str


@dataclass(frozen=True)
class Answer:
    """What a form was answered when it was stored."""

    said: str
    player_id: int | None = None
    """The player whom a sign-up entered."""


def answer_before(s: Session, event: Event, press: Press) -> Answer | None:
    """The stored answer to this submission; None if there is none.

    Raises Refused if the key was used for other fields: nothing of them is stored.
    """
    if not press.key:
        return None
    found = s.connection().execute(BY_KEY, {"event_id": event.id, "who": press.who, "key": press.key}).first()
    if found is None:
        return None
    sha256, said, player_id = found
    if sha256 != press.sha256:
        raise Refused(
            "This form was sent before with other figures, and those were stored. Open the form again to change them."
        )
    return Answer(said, player_id)


def keep_answer(s: Session, event: Event, press: Press, answer: Answer, now: datetime) -> None:
    """Store the answer in the transaction of its change, so that both are stored or neither is.

    The database forbids a second row with the same event, sender and key, whatever locks were taken.
    """
    if press.key:
        store_answer(s.connection(), vars(press) | vars(answer) | {"event_id": event.id, "at": now})
