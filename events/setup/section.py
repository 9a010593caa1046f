"""A section of an event's settings, and what its sentence is made from. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from languages.dates import dated
from languages.words import capital, gettext
from models.event import Event


@dataclass(frozen=True)
class Rows:
    """What the sentences say of rows that are no columns of the event."""

    kept_apart: int = 0
    """Pairs of players."""
    tokens: int = 0
    webhooks: int = 0


@dataclass(frozen=True)
class Section:
    """One entry of the list of settings."""

    id: str
    """The end of its address, and the name of its template."""
    title: str
    columns: tuple[str, ...]
    said: Callable[[Event, Rows], str]
    """Its present values; "" if the event does not use it."""
    endpoint: str = "settings.change_section"
    """Its page; of another room if that works with more than settings."""
    anchor: str | None = None


def join_clauses(*parts: str) -> str:
    """The parts that say something, as a sentence without its end."""
    return capital(", ".join(filter(None, parts)))


def said_day(day: date) -> str:
    return dated(day, "%a %-d %b %Y")


def said_moment(event: Event, moment: datetime | None) -> str:
    """A moment in words, in the event's time zone, with its year if that is not the event's."""
    year = "" if moment is None or moment.year == event.starts_on.year else " %Y"
    return dated(moment.astimezone(ZoneInfo(event.timezone)), f"%a %-d %b{year}, %H:%M") if moment else gettext("later")
