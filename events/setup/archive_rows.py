"""The strict models of an archive's parts. Those of rows come from the tables: a new column needs no line here."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache, partial
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, FailFast, Field, Strict, create_model
from sqlalchemy import JSON, BigInteger, Boolean, Column, Date, Float, Integer, Table
from sqlalchemy import Enum as ChoiceType

from events.setup.archive import ABOUT, columns
from events.web.parsing import forbidden_character, is_link, tidy, visible
from languages.words import N_, gettext, ngettext
from models.base import Document, UTCDateTime
from models.captured import class_of
from models.facts import Text, fact_of
from validators.kit.shapes import UNREADABLE, Part

MOST_DEEP = 24
"""The deepest nesting of lists and objects in a value."""
MOST_PARTS = 200_000
"""The most values inside one value."""
LARGEST = 2**31 - 1
LARGEST_SEED = 2**63 - 1
YEARS = range(1990, 2200)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\ud800-\udfff]|[\u2028-\u202e]")
"""Characters that no form accepts: control characters, lone surrogates, direction overrides."""


def _storable(value: Any) -> Any:
    """The value, if both databases can store all texts and numbers in it. Raises ValueError."""
    inside, parts = [(value, 0)], 0
    while inside:
        text, depth = inside.pop()
        if isinstance(text, str):
            if CONTROL.search(text):
                raise ValueError(gettext("contains a control character"))
        elif isinstance(text, int | float):
            if not -LARGEST_SEED <= text <= LARGEST_SEED:
                raise ValueError(gettext("contains a number that is too large"))
        elif isinstance(text, list | dict):
            parts += len(text)
            if depth > MOST_DEEP:
                raise ValueError(gettext("is nested too deeply"))
            if parts > MOST_PARTS:
                raise ValueError(
                    ngettext("contains more than %(num)s value", "contains more than %(num)s values", MOST_PARTS)
                )
            inside += [(each, depth + 1) for each in (text if isinstance(text, list) else (*text, *text.values()))]
    return value


def _moment(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        moment = None
    if moment is None or moment.tzinfo is None or moment.year not in YEARS:
        raise ValueError(gettext("is not a time with a time zone"))
    return moment.astimezone(UTC)


def _day(value: Any) -> date:
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        day = None
    if day is None or day.year not in YEARS:
        raise ValueError(gettext("is not a date"))
    return day


def _value_of(kind: Document, document: Any) -> Any:
    try:
        return kind.read_strictly(document)
    except ValueError as invalid:
        raise ValueError(gettext(UNREADABLE)) from invalid


def _must(fits: Callable[[Any], bool], otherwise: str) -> AfterValidator:
    """A check of a value of the right type; ``otherwise`` says what is wrong with it."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(gettext(otherwise))
        return value

    return AfterValidator(check)


VISIBLE = _must(visible, N_("is empty or invisible"))
TIDY = _must(lambda value: tidy(value) == value, N_("is not one line of text with single spaces"))
HTTPS = _must(lambda value: not value or is_link(value), N_("is not an address that begins with https://"))
SINGLE = _must(lambda value: forbidden_character(value) is None, N_("is not one line of text"))
KNOWN = _must(lambda value: value.keys() <= {*ABOUT}, N_("has unknown keys"))
STORABLE = BeforeValidator(_storable)
StorableText = Annotated[str, STORABLE]
SingleLine = Annotated[StorableText, SINGLE]
Moment = Annotated[datetime, BeforeValidator(_moment)]
Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
TYPES: dict[type, Any] = {
    UTCDateTime: Moment, Date: Annotated[date, BeforeValidator(_day)], Boolean: bool, Integer: Whole,
    BigInteger: Annotated[int, Field(ge=0, le=LARGEST_SEED)],
    Float: Annotated[float, Field(ge=0, le=LARGEST, allow_inf_nan=False)],
}  # fmt: skip
"""By type of a column, the type of its values; texts, choices and documents depend on more."""
TEXTS: dict[Text | None, tuple[Any, ...]] = {Text.NAME: (VISIBLE, TIDY), Text.LINE: (TIDY,), Text.LINK: (HTTPS,)}
"""What a form asks of a text."""


class UncheckedEntry(Part):
    """A journal entry whose values nobody has checked."""

    at: Any
    actor: Any
    verb: Any
    text: Any
    about: Annotated[dict[str, Any], KNOWN, STORABLE]


class ArchivedEntry(UncheckedEntry):
    """A journal entry. The journal's CSV has one line for each."""

    at: Moment
    actor: Annotated[SingleLine, Field(max_length=120)]
    verb: Annotated[SingleLine, Field(max_length=40)]
    text: Annotated[SingleLine, Field(max_length=500)]


class OwnEditionFile(Part):
    """The id and the file of the club's own edition that the event uses."""

    edition: StorableText
    text: StorableText


class OwnScenarioFile(Part):
    """The id and the document of one of the club's own scenarios."""

    slug: StorableText
    document: Annotated[dict[str, Any], STORABLE]


class Parts(Part):
    """An archive whose rows and journal nobody has checked."""

    format: str
    product: Annotated[StorableText, Field(max_length=40)]
    revision: str
    at: Moment
    tables: dict[str, Annotated[list[dict[str, Any]], FailFast()]]
    journal: Annotated[list[UncheckedEntry], FailFast()]
    editions: Annotated[list[OwnEditionFile], FailFast()]
    scenarios: Annotated[list[OwnScenarioFile], FailFast()]
    sha256: str


BEYOND = ("rounds",)
"""Columns that the program sets beyond the bounds of their field: a season and all-play-all have more rounds."""


@cache
def row_model(table: Table) -> type[Part]:
    """The model of a table's rows: each column of the archive, and the id."""
    values: dict[str, Any] = {column.name: _type(column) for column in columns(table)}
    return create_model(table.name, __base__=Part, id=Annotated[int, Field(ge=1, le=LARGEST)], **values)


def _type(column: Column[Any]) -> Any:
    """The type of a column's values, with their checks."""
    kind: Any = column.type
    value: Any
    if isinstance(kind, Document):
        return Annotated[Any, STORABLE, AfterValidator(partial(_value_of, kind))]
    if isinstance(kind, JSON):
        value = class_of(column.table).model_fields[column.name].annotation
        return Annotated[value, STORABLE]
    if isinstance(kind, ChoiceType):
        value = kind.enum_class
        value = Annotated[value, Strict(False)]
    elif type(kind) in TYPES:
        value, fact = TYPES[type(kind)], fact_of(column)
        if fact.most and column.name not in BEYOND:
            value = Annotated[value, Field(ge=fact.least, le=fact.most)]
    else:
        value = Annotated[str, Field(max_length=kind.length), STORABLE, *TEXTS.get(fact_of(column).text, ())]
    return value | None if column.nullable else value
