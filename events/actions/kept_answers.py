"""Presses that may come twice: the answer is kept with the change, and given again instead of a second change."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from events.errors import Refused
from models.change_rows import store_answer
from models.event import Event
from models.kept_answer import KeptAnswer

BY_KEY = select(KeptAnswer.sha256, KeptAnswer.said).where(
    col(KeptAnswer.who) == bindparam("who"), col(KeptAnswer.key) == bindparam("key")
)


@dataclass(frozen=True)
class Press:
    """One press of a form: whose it is, the key that was made with the form, and the hash of what the form says."""

    who: str
    key: str
    """ "" for a form of an older version, which has none: then nothing is kept."""
    sha256: str


def answer_before(s: Session, press: Press) -> str | None:
    """What this press was answered when it was stored; None where it was not.

    Raises Refused where the key was used for another content: that is no repetition, and nothing of it is stored.
    """
    if not press.key:
        return None
    found = s.connection().execute(BY_KEY, {"who": press.who, "key": press.key}).first()
    if found is None:
        return None
    sha256, said = found
    if sha256 != press.sha256:
        raise Refused(
            "This form was sent before with other figures, and those were stored. Open the form again to change them."
        )
    return str(said)


def keep_answer(s: Session, event: Event, press: Press, said: str, now: datetime) -> None:
    """Keep what this press is answered, in the transaction of its change: both are stored, or neither.

    The database forbids a second row of one key, whatever locks were taken.
    """
    if press.key:
        store_answer(s.connection(), vars(press) | {"event_id": event.id, "said": said, "at": now, "player_id": None})
