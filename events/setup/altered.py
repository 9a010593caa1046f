"""Which settings of a section are not as in a new event. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import JSON, Boolean, Enum, Integer

from events.play.rulings import soft_rules_from
from events.play.setting_words import label_of
from events.setup.field_forms import COLUMNS
from events.setup.section import Section
from events.tournament.clock import rules_from
from events.tournament.pairing.seats import rules_of_event
from languages.words import capital, gettext
from models.event import Event
from models.play_settings import PlaySettings
from models.settings import EventSettings
from validators.restrictions import from_document

READ: Mapping[str, Callable[[Any], Any]] = {
    "clock_rules": rules_from,
    "draw_rules": rules_of_event,
    "restrictions": from_document,
    "soft_rules": lambda rules: soft_rules_from(rules or {}),
    "tables_out": lambda numbers: numbers or [],
    "questions": lambda questions: questions or [],
}
"""What a stored document means, for those with several forms of one meaning."""


def changed(section: Section, event: Event, usual: EventSettings) -> list[str]:
    """The labels of the section's choices, figures, ticks and documents that are not as in a new event (``usual``).

    Texts, days and hours are no choices: an event fills them in.
    """
    names = [name for name in section.columns if isinstance(COLUMNS[name].type, Boolean | Enum | Integer | JSON)]
    return [_head(name) for name in names if _worth(name, event) != _worth(name, usual)]


def _worth(name: str, settings: EventSettings) -> Any:
    value = getattr(settings, name) if hasattr(settings, name) else PlaySettings.model_fields[name].default
    return READ.get(name, lambda stored: stored)(value)


def _head(name: str) -> str:
    return capital(gettext(label_of(name)))
