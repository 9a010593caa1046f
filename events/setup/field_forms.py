"""Form fields of settings, made from their columns: label, help, length, bounds and choices stand there."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Boolean, Column, Date, Enum, Integer, String
from sqlmodel import AutoString
from wtforms import BooleanField, DateField, Field, SelectField
from wtforms.validators import InputRequired

from events.web.forms import (
    DayTimeField,
    LocalMomentField,
    choices_in,
    lines,
    link,
    moment,
    number,
    sensible_year,
    text,
)
from events.web.parsing import whole_number
from languages.words import lazy_gettext
from models.base import UTCDateTime
from models.event import Event
from models.facts import Text, fact_of

COLUMNS: dict[str, Column[Any]] = dict(Event.__table__.columns)  # type: ignore[attr-defined]
LONG = 1000
"""Characters. A longer text gets more lines on the page."""


YES_OR_NO = {"True": True, "False": False}
COERCED: dict[type, Callable[[Any], Any]] = {Integer: whole_number, Boolean: lambda value: YES_OR_NO.get(str(value))}
"""How the choice of a column that is no text is read."""


def setting_typed(field: Field) -> Any:
    """The value of a setting's field as its column holds it."""
    if isinstance(field, LocalMomentField):
        return field.moment
    if isinstance(field, DayTimeField):
        return field.clock
    kind = COLUMNS[field.short_name].type
    return kind.enum_class(field.data) if isinstance(kind, Enum) and kind.enum_class else field.data


def setting_field(name: str, **more: Any) -> Any:
    """The field of a setting; None if its section must say what it is: a document, or a choice of the game's.

    ``more`` are arguments of the field that differ here.
    """
    column = COLUMNS[name]
    kind, fact = column.type, fact_of(column)
    more = {"description": lazy_gettext(fact.help)} | more
    label = lazy_gettext(fact.label)
    if fact.choices:
        read = COERCED.get(type(kind), str)
        return SelectField(label, choices=choices_in(fact.choices), coerce=read, **more)
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
