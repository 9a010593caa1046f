"""The player meeting as its row has it: whether it is drawn, and who sits where."""

from dataclasses import dataclass

from sqlmodel import Session, select

from models.event import Event
from models.meeting import Meeting


@dataclass(frozen=True)
class SeatedTable:
    """One table of the meeting and the ids of those who sit at it: two, at one of an odd field three."""

    number: int
    players: tuple[int, ...]
    note: str = ""


def meeting_of(s: Session, event: Event) -> Meeting | None:
    """The event's seating, drawn or published."""
    return s.exec(select(Meeting).where(Meeting.event_id == event.id)).first()


def published_meeting(s: Session, event: Event) -> Meeting | None:
    """The event's seating once everybody may see it."""
    meeting = meeting_of(s, event)
    return meeting if meeting is not None and meeting.published_at is not None else None


def seating(meeting: Meeting) -> list[SeatedTable]:
    """The tables by their numbers."""
    outcome = meeting.outcome
    rows = zip(outcome["pairs"], outcome["tables"], outcome["pair_notes"], strict=True)
    tables = [SeatedTable(table, (int(a), int(b)), "; ".join(notes)) for (a, b), table, notes in rows]
    tables.sort(key=lambda one: one.number)
    if outcome["bye"] is not None:
        last = tables.pop()
        tables.append(SeatedTable(last.number, (*last.players, int(outcome["bye"])), last.note))
    return tables


def table_of(meeting: Meeting, player_id: int) -> SeatedTable | None:
    """Where a player sits; None for who was not there when it was drawn."""
    return next((table for table in seating(meeting) if player_id in table.players), None)
