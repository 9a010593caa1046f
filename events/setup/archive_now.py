"""The archive of an event as it is now."""

from flask import current_app
from sqlmodel import Session

from events.setup.archive import archive_bytes, archive_of, one_moment
from events.web.request import now
from models.event import Event


def archive_now(event: Event, *, persons: bool = True) -> bytes:
    """The archive's file, from one snapshot of the database. Raises Refused if it may not be made."""
    with Session(current_app.extensions["overseer_engine"]) as s:
        return archive_bytes(archive_of(one_moment(s), s.get_one(Event, event.id), now(), persons=persons))
