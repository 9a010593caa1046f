"""Writing the journal: each action tells what it did, in the same transaction."""

from datetime import datetime
from typing import Any

from sqlmodel import Session

from models.event import Event
from models.journal import JournalEntry


def note(s: Session, event: Event, actor: str, now: datetime, verb: str, text: str, **details: Any) -> None:
    """Add one line to the event's journal: who, when, a verb to filter by, a sentence, and the particulars."""
    s.add(JournalEntry(event_id=event.id, at=now, actor=actor[:120], verb=verb, text=text[:500], details=details))
