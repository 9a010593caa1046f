"""The events of a convention, and those of them that a visitor may see."""

from sqlmodel import Session, col, select

from events.store.visitor import Visitor
from events.visitors import access
from events.web.parsing import series_slug
from models.event import Event


def convention_events(s: Session, slug: str) -> list[Event]:
    """All events of the convention at this address, by their start; also drafts, which few may see."""
    query = select(Event).where(Event.convention != "")
    query = query.order_by(col(Event.starts_on), col(Event.starts_at), col(Event.id))
    return [event for event in s.exec(query) if series_slug(event.convention) == slug]


def seen_events(s: Session, visitor: Visitor, slug: str) -> list[Event]:
    """The events of the convention that are listed for this visitor."""
    return [event for event in convention_events(s, slug) if access.is_listed_for(visitor, event)]


def others_of(s: Session, visitor: Visitor, event: Event) -> list[Event]:
    """The other events of the event's convention that are listed for this visitor."""
    events = seen_events(s, visitor, series_slug(event.convention)) if event.convention else []
    return [other for other in events if other.id != event.id]
