"""What players plan their day by, the event's days, start, place and list deadline: in words, and changed since when.

The old values come from the journal's entries about settings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session

from events.journal.setting_words import label_of
from events.store.journal import entries_of_kind
from languages.dates import dated
from languages.words import N_, gettext
from models.event import Event

CHANGED = "change-settings"
"""The verb of the journal's entries about settings; ``changed`` in their details has old and new values."""
PLANNED_BY = ("starts_on", "ends_on", "starts_at", "place", "list_deadline")
"""The settings of whose changes players are notified."""
NONE = N_("none")


@dataclass(frozen=True)
class Change:
    """A setting that players plan by, with its old and its new value in words."""

    label: str
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """Such as "First day: Sun 5 Dec 2027, now Sun 12 Dec 2027."."""
        return gettext("%(label)s: %(before)s, now %(after)s.", label=self.label, before=self.before, after=self.after)


def in_words(value: date | datetime | str | None, zone: str) -> str:
    """A day, a time in the zone, or a text; "none" for nothing."""
    if isinstance(value, datetime):
        return dated(value.astimezone(ZoneInfo(zone)), "%a %-d %b %Y, %H:%M")
    return dated(value, "%a %-d %b %Y") if isinstance(value, date) else value or gettext(NONE)


def entries_since(s: Session, event: Event, moment: datetime) -> Sequence[tuple[datetime, Mapping[str, Any]]]:
    """The changes of settings since then, oldest first: when, and old and new value by setting."""
    entries = (entry for entry in entries_of_kind(s, event, CHANGED) if entry.at >= moment)
    return [(entry.at, entry.details.get("changed", {})) for entry in entries]


def changes(event: Event, entries: Sequence[tuple[datetime, Mapping[str, Any]]], since: datetime) -> list[Change]:
    """What players plan by and is not as it was at that moment, by these entries; in the order of ``PLANNED_BY``."""
    then: dict[str, Any] = {}
    for at, changed in entries:
        for key in PLANNED_BY:
            if at >= since and key in changed:
                then.setdefault(key, _typed(key, changed[key][0]))
    settings = {
        key: Change(
            gettext(label_of(key)), in_words(then[key], event.timezone), in_words(getattr(event, key), event.timezone)
        )
        for key in PLANNED_BY
        if key in then
    }
    if {"starts_on", "ends_on"} <= settings.keys() and _same(settings["starts_on"], settings["ends_on"]):
        del settings["ends_on"]  # an event of one day
    return [change for change in settings.values() if change.before != change.after]


def _same(first: Change, last: Change) -> bool:
    return (first.before, first.after) == (last.before, last.after)


def _typed(key: str, stored: str | None) -> date | datetime | str | None:
    if not stored or key in ("starts_at", "place"):
        return stored
    return datetime.fromisoformat(stored) if key == "list_deadline" else date.fromisoformat(stored)
