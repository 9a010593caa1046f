"""The archive of an event as it is now."""

from flask import current_app
from sqlmodel import Session

from events.setup.archive import Level, archive_bytes, archive_of, one_moment
from events.setup.signing import fingerprint, public_text, signed_archive
from events.web.request import now
from models.event import Event
from service.settings import Settings


def club_fingerprint() -> str:
    settings: Settings = current_app.extensions["overseer_settings"]
    return fingerprint(public_text(settings.secret))


def archive_now(event: Event, level: Level = Level.WHOLE) -> bytes:
    """The archive's file, from one snapshot of the database. Raises Refused for a level that is not allowed."""
    with Session(current_app.extensions["overseer_engine"]) as s:
        made = archive_of(one_moment(s), s.get_one(Event, event.id), now(), level)
    settings: Settings = current_app.extensions["overseer_settings"]
    return archive_bytes(signed_archive(made, settings.secret, settings.public))
