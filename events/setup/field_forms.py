"""Form fields of settings, made from their columns: label, help, length, bounds and choices stand there."""

from typing import Any

from sqlalchemy import Boolean, Column, Date, Integer, String
from sqlmodel import AutoString
from wtforms import BooleanField, DateField, SelectField
from wtforms.validators import InputRequired

from events.web.forms import choices_in, lines, link, moment, number, sensible_year, text
from languages.words import lazy_gettext
from models.base import UTCDateTime
from models.event import Event
from models.facts import Text, fact_of

COLUMNS: dict[str, Column[Any]] = dict(Event.__table__.columns)  # type: ignore[attr-defined]
LONG = 1000
"""Characters. A longer text gets more lines on the page."""


def setting_field(name: str, **more: Any) -> Any:
    """The field of a setting; None if its section must say what it is: a document, or a choice of the game's.

    ``more`` are arguments of the field that differ here.
    """
    column = COLUMNS[name]
    kind, fact = column.type, fact_of(column)
    more = {"description": lazy_gettext(fact.help)} | more
    label = lazy_gettext(fact.label)
    if fact.choices:
        return SelectField(label, choices=choices_in(fact.choices), **more)
    if isinstance(kind, String | AutoString) and fact.text in (Text.NAME, Text.LINE):
        return text(label, kind.length or LONG, required=Event.model_fields[name].is_required(), **more)
    if isinstance(kind, String | AutoString) and fact.text == Text.LINK:
        return text(label, kind.length or LONG, required=False, also=link, render_kw={"inputmode": "url"}, **more)
    if isinstance(kind, String | AutoString) and fact.text == Text.LINES:
        length = kind.length or LONG
        return lines(label, length, render_kw={"rows": 5 if length > LONG else 2}, **more)
    if isinstance(kind, Integer):
        return number(label, fact.least, fact.most, required=not column.nullable, **more)
    if isinstance(kind, Boolean):
        return BooleanField(label, **more)
    if isinstance(kind, UTCDateTime):
        return moment(label, **more)
    if isinstance(kind, Date):
        return DateField(label, [InputRequired(lazy_gettext("Enter a date.")), sensible_year], **more)
    return None
