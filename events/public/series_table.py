"""The points table of a series, of its closed events: for its page, its file and programs."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from events.public.listed import finishing_places
from events.store.visitor import Visitor
from events.tournament.circuit import Circuit, CircuitRow, circuit_lines
from events.visitors import access
from events.web.parsing import series_slug
from models.event import Event, EventState


@dataclass(frozen=True)
class SeriesTable:
    """The table; without lines if the series has none."""

    circuit: Circuit | None
    counted: Sequence[Event]
    lines: Sequence[CircuitRow]


def series_events(s: Session, visitor: Visitor, slug: str) -> list[Event]:
    """The events of the series at this address that the visitor may find, oldest first."""
    query = select(Event).where(Event.series != "").order_by(col(Event.starts_on), col(Event.id))
    return [
        event for event in s.exec(query) if series_slug(event.series) == slug and access.is_listed_for(visitor, event)
    ]


def series_table(events: Sequence[Event]) -> SeriesTable:
    """The points table of these events of a series."""
    circuits = [circuit for event in events if (circuit := event.circuit)]
    if not circuits:
        return SeriesTable(None, (), ())
    over = [event for event in events if event.state == EventState.FINISHED]
    return SeriesTable(circuits[-1], over, circuit_lines(circuits[-1], [finishing_places(event) for event in over]))
