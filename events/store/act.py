"""What every action gets: the session of the change, the event, who makes the change, and when."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from models.event import Event


@dataclass(frozen=True)
class Act:
    s: Session
    event: Event
    actor: str
    """The name in the journal: a person with their role, a sheet of paper, or the clock."""
    now: datetime
    """The moment of the change, in UTC; the same for all that belongs to it."""
