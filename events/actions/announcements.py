"""Announcements: one line for everybody, shown until it is taken back."""

from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.clock_reading import MOST_ANNOUNCEMENTS, announcements_of
from events.errors import Refused
from models.announcement import Announcement
from models.event import Event


def announce(s: Session, event: Event, text: str, actor: str, now: datetime) -> Announcement:
    """Show a line to everybody. The same line twice is one. Raises Refused where too many stand already."""
    standing = announcements_of(s, event)
    for one in standing:
        if one.text == text:
            return one
    if len(standing) >= MOST_ANNOUNCEMENTS:
        raise Refused(f"{len(standing)} announcements stand already: take one back first.", "text")
    made = Announcement(event_id=event.id, text=text, by=actor[:120], at=now)
    s.add(made)
    note(s, event, actor, now, "announce", f"Announced: {text}")
    return made


def take_back(s: Session, event: Event, announcement_id: int, actor: str, now: datetime) -> None:
    """Take a line back; one that is gone already stays gone. Raises Refused where it is none of this event's."""
    one = s.get(Announcement, announcement_id)
    if one is None or one.event_id != event.id:
        raise Refused("There is no such announcement.")
    if one.taken_back_at is None:
        one.taken_back_at = now
        note(s, event, actor, now, "take-back-announcement", f"Took back: {one.text}")
