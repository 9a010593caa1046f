"""Writing the journal: each action tells what it did, in the same transaction."""

from datetime import datetime
from typing import Any

from sqlmodel import Session

from models.db import current_write
from models.event import Event


def note(s: Session, event: Event, actor: str, now: datetime, verb: str, text: str, **details: Any) -> None:
    """Add one line to the event's journal: who, when, a verb to filter by, a sentence, and the particulars."""
    current_write(s).tell(event.id, now, actor[:120], verb, text[:500], details)
