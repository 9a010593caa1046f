"""One value of an archive's row to what the table's column holds; of anything else it is told what is wrong."""

import math
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import JSON, BigInteger, Boolean, Column, Date, Integer, String
from sqlalchemy import Enum as ChoiceType
from sqlmodel import AutoString

from events.names import forbidden_character, tidy, visible
from models.base import UTCDateTime
from models.captured import class_of

MOST_DEEP = 24
"""Lists and objects within each other in a document of a row."""
LARGEST = 2**31 - 1
LARGEST_SEED = 2**63 - 1
YEARS = range(1990, 2200)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\ud800-\udfff]|[\u2028-\u202e]")
"""What no text holds that came by a form: control characters, half characters, overrides of the direction."""
NAMES = frozenset({"event.name", "player.name", "team.name", "award.name"})
ONE_LINE = NAMES | {
    "event.place", "event.fee", "player.club", "player.faction", "player.partner", "team.club",
}  # fmt: skip
"""Columns that forms fill with one line, without spaces at its ends or two in a row."""


class Wrong(Exception):
    """What is wrong with a value, to stand behind its place: "is no day"."""


def value_of(column: Column[Any], value: Any) -> Any:
    """What the column holds by what the archive says. Raises Wrong."""
    if value is None:
        if not column.nullable:
            raise Wrong("is empty")
        return None
    kind = column.type
    if isinstance(kind, ChoiceType):
        return choice_of(kind, value)
    if isinstance(kind, BigInteger):
        return whole(value, 0, LARGEST_SEED)
    if isinstance(kind, String | AutoString):
        return _as_by_a_form(str(column), text(value, kind.length))
    for known, reading in READINGS:
        if isinstance(kind, known):
            return reading(value)
    if isinstance(kind, JSON):
        return document(_shape(column), value)
    raise TypeError(f"{column}: archives do not know this type")


def whole(value: Any, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number. Raises Wrong."""
    if type(value) is not int or not least <= value <= most:
        raise Wrong(f"is no whole number from {least} to {most}")
    return value


def text(value: Any, longest: int | None) -> str:
    """A text of at most so many characters. Raises Wrong."""
    if not isinstance(value, str):
        raise Wrong("is not text")
    if CONTROL.search(value):
        raise Wrong("holds a control character")
    if longest is not None and len(value) > longest:
        raise Wrong(f"is longer than {longest} characters")
    return value


def single_line(value: Any, longest: int) -> str:
    """A text without line breaks and tabs: the journal as a file has a line for each entry. Raises Wrong."""
    found = text(value, longest)
    if forbidden_character(found) is not None:
        raise Wrong("is not one line of text")
    return found


def _as_by_a_form(column: str, value: str) -> str:
    """The text, if a form would have taken it for this column. Raises Wrong."""
    if column in NAMES and not visible(value):
        raise Wrong("is empty or cannot be seen")
    if column in ONE_LINE and tidy(value) != value:
        raise Wrong("is not one line of text with single spaces")
    return value


def moment(value: Any) -> datetime:
    """A moment by ISO 8601, with its zone. Raises Wrong."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is None or found.year not in YEARS:
        raise Wrong("is no moment with its time zone")
    return found.astimezone(UTC)


def day(value: Any) -> date:
    """A day by ISO 8601. Raises Wrong."""
    try:
        found = date.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.year not in YEARS:
        raise Wrong("is no day")
    return found


def yes_or_no(value: Any) -> bool:
    """True or false. Raises Wrong."""
    if not isinstance(value, bool):
        raise Wrong("is neither true nor false")
    return value


def choice_of(kind: ChoiceType, value: Any) -> StrEnum:
    """One of the column's choices. Raises Wrong."""
    chosen: type[StrEnum] = kind.enum_class  # type: ignore[assignment]
    known = [one.value for one in chosen]
    if not isinstance(value, str) or value not in known:
        raise Wrong(f"is not one of {', '.join(known)}")
    return chosen(value)


def document(shape: TypeAdapter[Any], value: Any) -> Any:
    """A document of this shape, all of whose texts and numbers both databases can hold. Raises Wrong."""
    check_inside(value)
    try:
        return shape.validate_python(value, strict=True)
    except ValidationError as invalid:
        first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
        place = "".join(
            f"[{step}]" if isinstance(step, int) else f".{CONTROL.sub('?', step)[:40]}" for step in first["loc"]
        )
        raise Wrong(f"does not have its shape{f' at {place}' if place else ''}: {first['msg'].lower()}") from invalid


def check_inside(value: Any) -> None:
    """Refuse what no document may hold. Raises Wrong."""
    if (fault := next(_faults_inside(value, 0), None)) is not None:
        raise Wrong(fault)


def _faults_inside(value: Any, depth: int) -> Iterator[str]:
    if depth > MOST_DEEP:
        yield "is nested too deeply"
    elif isinstance(value, str):
        if CONTROL.search(value):
            yield "holds a control character"
    elif isinstance(value, int):
        if not -LARGEST_SEED <= value <= LARGEST_SEED:
            yield "holds a number that is too large"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield "holds a number that is none"
    elif isinstance(value, list):
        for one in value:
            yield from _faults_inside(one, depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _faults_inside(key, depth + 1)
            yield from _faults_inside(one, depth + 1)


@cache
def _shape(column: Column[Any]) -> TypeAdapter[Any]:
    """What the column's documents look like, as far as its table says it."""
    shape: Any = class_of(column.table).model_fields[column.name].annotation
    return TypeAdapter(shape)


READINGS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (UTCDateTime, moment),
    (Date, day),
    (Boolean, yes_or_no),
    (Integer, whole),
)
