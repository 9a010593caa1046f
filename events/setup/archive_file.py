"""Reads an archive's file strictly and within limits, because anyone may have made it.

The values then fit the tables; ``archive_import`` checks whether they make sense as an event.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache, partial
from typing import Any, TypeVar

from alembic.script import ScriptDirectory
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import JSON, BigInteger, Boolean, Column, Date, Integer, String, Table
from sqlalchemy import Enum as ChoiceType
from sqlmodel import AutoString

import migrations
from events.setup.archive import ABOUT, FORMAT, checksum, columns, tables
from events.setup.archive_upgrade import NotUpgraded, upgraded
from events.web.parsing import forbidden_character, name_key, tidy, visible
from models.base import UTCDateTime
from models.captured import class_of
from models.facts import Text, fact_of
from validators.contract import UnreadableForce
from validators.strict_json import read_json

MOST_DEEP = 24
"""The deepest nesting of lists and objects in a JSON column."""
LARGEST = 2**31 - 1
LARGEST_SEED = 2**63 - 1
YEARS = range(1990, 2200)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\ud800-\udfff]|[\u2028-\u202e]")
"""Characters that no form accepts: control characters, lone surrogates, direction overrides."""


class Wrong(Exception):
    """An invalid value; the message follows its place: "is not a date"."""


def value_of(column: Column[Any], value: Any) -> Any:
    """The column's value from that of the archive. Raises Wrong."""
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
        return _as_by_a_form(column, text(value, kind.length))
    for known, reading in READINGS:
        if isinstance(kind, known):
            return reading(value)
    if isinstance(kind, JSON):
        return document(_shape(column), value)
    raise TypeError(f"{column}: archives do not know this type")


def whole(value: Any, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number. Raises Wrong."""
    if type(value) is not int or not least <= value <= most:
        raise Wrong(f"is not a whole number from {least} to {most}")
    return value


def text(value: Any, longest: int | None) -> str:
    """A text of at most ``longest`` characters. Raises Wrong."""
    if not isinstance(value, str):
        raise Wrong("is not text")
    if CONTROL.search(value):
        raise Wrong("contains a control character")
    if longest is not None and len(value) > longest:
        raise Wrong(f"is longer than {longest} characters")
    return value


def single_line(value: Any, longest: int) -> str:
    """A text without line breaks and tabs, as the journal's CSV has one line per entry. Raises Wrong."""
    found = text(value, longest)
    if forbidden_character(found) is not None:
        raise Wrong("is not one line of text")
    return found


def _as_by_a_form(column: Column[Any], value: str) -> str:
    """The text, if a form would accept it for this column. Raises Wrong."""
    cleaned = fact_of(column).text
    if cleaned == Text.NAME and not visible(value):
        raise Wrong("is empty or invisible")
    if cleaned in (Text.NAME, Text.LINE) and tidy(value) != value:
        raise Wrong("is not one line of text with single spaces")
    return value


def moment(value: Any) -> datetime:
    """A moment in ISO 8601 with a time zone. Raises Wrong."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is None or found.year not in YEARS:
        raise Wrong("is not a time with a time zone")
    return found.astimezone(UTC)


def day(value: Any) -> date:
    """A day in ISO 8601. Raises Wrong."""
    try:
        found = date.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.year not in YEARS:
        raise Wrong("is not a date")
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
    """A JSON value of this shape that both databases can store. Raises Wrong."""
    check_inside(value)
    try:
        return shape.validate_python(value, strict=True)
    except ValidationError as invalid:
        first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
        place = "".join(
            f"[{step}]" if isinstance(step, int) else f".{CONTROL.sub('?', step)[:40]}" for step in first["loc"]
        )
        raise Wrong(f"has the wrong form{f' at {place}' if place else ''}: {first['msg'].lower()}") from invalid


def check_inside(value: Any) -> None:
    """Check the texts, numbers and depth of a JSON value. Raises Wrong."""
    if (fault := next(_faults_inside(value, 0), None)) is not None:
        raise Wrong(fault)


def _faults_inside(value: Any, depth: int) -> Iterator[str]:
    if depth > MOST_DEEP:
        yield "is nested too deeply"
    elif isinstance(value, str):
        if CONTROL.search(value):
            yield "contains a control character"
    elif isinstance(value, int):
        if not -LARGEST_SEED <= value <= LARGEST_SEED:
            yield "contains a number that is too large"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield "contains an invalid number"
    elif isinstance(value, list):
        for one in value:
            yield from _faults_inside(one, depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _faults_inside(key, depth + 1)
            yield from _faults_inside(one, depth + 1)


@cache
def _shape(column: Column[Any]) -> TypeAdapter[Any]:
    """The shape of a JSON column, from its model's annotation."""
    shape: Any = class_of(column.table).model_fields[column.name].annotation
    return TypeAdapter(shape)


READINGS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (UTCDateTime, moment),
    (Date, day),
    (Boolean, yes_or_no),
    (Integer, whole),
)


MOST_BYTES = 30_000_000
"""The limit of a file. An event of 500 players and 5 rounds has 4 million bytes."""
MOST_ROWS = 200_000
MOST_FAULTS = 12
"""The most faults listed; the rest are counted."""
ENOUGH = 100
"""Reading stops after this many faults."""
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
PARTS: Mapping[str, type] = {
    "format": str, "product": str, "revision": str, "at": str, "tables": dict, "journal": list, "editions": list,
    "scenarios": list, "sha256": str,
}  # fmt: skip
ENTRY = {"at", "actor", "verb", "text", "about"}
KINDS: Mapping[type, str] = {str: "text", dict: "an object", list: "a list"}
Read = TypeVar("Read")


class UnreadableArchive(Exception):
    """A file that cannot be read as an archive; ``faults`` are a sentence each, starting with the place."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Line:
    """A journal entry of the archive."""

    at: datetime
    actor: str
    verb: str
    text: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Archive:
    """The content of an archive."""

    product: str
    at: datetime
    """When the archive was made."""
    rows: Mapping[str, Sequence[dict[str, Any]]]
    """By table, in the order of ``tables``: the rows with their ids."""
    journal: Sequence[Line]
    editions: Sequence[tuple[str, str]]
    """The id and the file of the club's own edition that the event uses."""
    scenarios: Sequence[tuple[str, Mapping[str, Any]]]
    """The id and the document of each of the club's own scenarios."""

    @property
    def event(self) -> Mapping[str, Any]:
        """The row of the event itself."""
        return self.rows["event"][0]


def read_archive(data: bytes) -> Archive:
    """Parse and check an archive's file. Raises UnreadableArchive."""
    found = _parsed(data)
    reading = _Reading()
    reading.parts(found)
    reading.stop_if_faulty()
    if found["sha256"] != _checksum(found):
        raise UnreadableArchive("sha256: does not match the rest of the file: it was damaged or changed")
    archive = reading.archive(_at_head(found))
    reading.stop_if_faulty()
    reading.pointers(archive.rows)
    reading.names(archive.rows)
    reading.stop_if_faulty()
    return archive


def _parsed(data: bytes) -> dict[str, Any]:
    """The document, if its format and revision are known. Raises UnreadableArchive."""
    try:
        found = read_json(data, MOST_BYTES)
    except UnreadableForce as unreadable:
        raise UnreadableArchive(*unreadable.faults) from unreadable
    stands = found.get("format") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(stands, str) or not stands.startswith("overseer-event/"):
        raise UnreadableArchive(f'the file: is not an archive of an event, which begins with "format": "{FORMAT}"')
    if stands != FORMAT:
        raise UnreadableArchive(f"format: {_shown(stands)!r} is of another version; this version reads {FORMAT!r}")
    revision = found.get("revision")
    if isinstance(revision, str) and revision not in _revisions():
        raise UnreadableArchive(
            f"revision: {_shown(revision)!r} is not known to this version: a newer Overseer made the archive; import "
            f"it with that version"
        )
    return found


def _checksum(found: Mapping[str, Any]) -> str:
    """The checksum of an untrusted document. Raises UnreadableArchive."""
    try:
        return checksum(found)
    except UnicodeEncodeError as broken:
        raise UnreadableArchive("the file: contains half of a surrogate pair, which is not valid text") from broken
    except RecursionError as deep:
        raise UnreadableArchive("the file: nested too deeply") from deep


def _at_head(found: dict[str, Any]) -> dict[str, Any]:
    """The document with its rows in the form of this version. Raises UnreadableArchive."""
    if found["revision"] == migrations.head():
        return found
    try:
        return upgraded(found)
    except NotUpgraded as broken:
        raise UnreadableArchive(str(broken)) from broken


@cache
def _revisions() -> frozenset[str]:
    """The revisions whose archives can be read."""
    script = ScriptDirectory.from_config(migrations.alembic_config())
    return frozenset(one.revision for one in script.walk_revisions())


class _Reading:
    """One pass over an archive that collects its faults."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def stop_if_faulty(self) -> None:
        """Raises UnreadableArchive with the faults found so far, if any."""
        if self.faults:
            more = [f"and {len(self.faults) - MOST_FAULTS} more"] if len(self.faults) > MOST_FAULTS else []
            raise UnreadableArchive(*self.faults[:MOST_FAULTS], *more)

    def parts(self, found: Mapping[str, Any]) -> None:
        """Check that all parts are there, and nothing else."""
        self.faults += [f"{part}: is missing" for part in PARTS if part not in found]
        self.faults += [f"{_shown(part)}: is not a part of an archive" for part in found.keys() - PARTS.keys()]
        for part, kind in PARTS.items():
            if part in found and not isinstance(found[part], kind):
                self.faults.append(f"{part}: is not {KINDS[kind]}")
        if not self.faults:
            self._lists(found["tables"])
            self._entries(found["journal"])

    def _lists(self, found: Mapping[str, Any]) -> None:
        """Check that tables are lists of objects within the limits, and that there is one event."""
        for name, here in found.items():
            if not isinstance(here, list):
                self.faults.append(f"tables.{_shown(name)}: is not a list")
                continue
            wrong = (number for number, row in enumerate(here) if not isinstance(row, dict))
            self.faults += [f"{_shown(name)}[{number}]: is not an object" for number in wrong]
        if not self.faults and sum(map(len, found.values())) > MOST_ROWS:
            self.faults.append(f"tables: more than {MOST_ROWS} rows")
        if not self.faults and len(found.get("event", ())) != 1:
            self.faults.append(f"tables.event: {len(found.get('event', ()))} events; an archive contains one event")

    def _entries(self, found: Sequence[Any]) -> None:
        for number, line in enumerate(found):
            if not isinstance(line, dict) or line.keys() != ENTRY:
                self.faults.append(f"journal[{number}]: is not an entry of a journal")
            elif not isinstance(line["about"], dict) or line["about"].keys() - {*ABOUT}:
                self.faults.append(f"journal[{number}].about: has unknown keys")

    def archive(self, found: Mapping[str, Any]) -> Archive:
        """The archive; incomplete if there are faults."""
        return Archive(
            product=self._of("product", lambda: text(found["product"], 40)) or "",
            at=self._of("at", lambda: moment(found["at"])) or datetime.now(UTC),
            rows=self._tables(found["tables"]),
            journal=[line for n, one in enumerate(found["journal"]) if (line := self._line(f"journal[{n}]", one))],
            editions=self._pairs("editions", found["editions"], "edition", "text", str),
            scenarios=self._pairs("scenarios", found["scenarios"], "slug", "document", dict),
        )

    def pointers(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Check that ids are unique and that foreign keys point to rows of the archive."""
        ids = {name: {row["id"] for row in here} for name, here in rows.items()}
        for table in tables():
            here = rows[table.name]
            if len(ids[table.name]) < len(here):
                self.faults.append(f"tables.{table.name}: an id appears twice")
            for column, target in ((c, key.column.table.name) for c in columns(table) for key in c.foreign_keys):
                for number, row in enumerate(here):
                    pointed = row[column.name]
                    if pointed is not None and pointed not in ids[target]:
                        self.faults.append(f"{table.name}[{number}].{column.name}: {target} {pointed} is missing")
        if not SLUG.fullmatch(rows["event"][0]["slug"]):
            self.faults.append("event[0].slug: is not an address of a to z, 0 to 9 and hyphens")

    def names(self, rows: Mapping[str, Sequence[dict[str, Any]]]) -> None:
        """Set the comparison keys of names, ignoring those in the file, and find duplicates."""
        for table in ("player", "team"):
            seen = set[str]()
            for number, row in enumerate(rows[table]):
                row["name_key"] = name_key(row["name"])
                if row["name_key"] in seen:
                    self.faults.append(f"{table}[{number}].name: is also the name of another {table}")
                seen.add(row["name_key"])

    def _of(self, place: str, reading: Callable[[], Read]) -> Read | None:
        try:
            return reading()
        except Wrong as wrong:
            self.faults.append(f"{place}: {wrong}")
            return None

    def _tables(self, found: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
        known = {table.name: table for table in tables()}
        self.faults += [
            f"tables.{_shown(name)}: is not a table of this version" for name in found.keys() - known.keys()
        ]
        self.faults += [f"tables.{name}: is missing" for name in known.keys() - found.keys()]
        if self.faults:
            return {}
        return {
            name: [self._row(table, f"{name}[{n}]", row) for n, row in enumerate(found[name])]
            for name, table in known.items()
            if len(self.faults) < ENOUGH
        }

    def _row(self, table: Table, place: str, found: Mapping[str, Any]) -> dict[str, Any]:
        own = {column.name: column for column in columns(table)}
        self.faults += [
            f"{place}.{_shown(name)}: is not a column of this version" for name in found.keys() - {"id", *own}
        ]
        values: dict[str, Any] = {"id": self._of(f"{place}.id", lambda: whole(found.get("id"), 1, LARGEST))}
        for name, column in own.items():
            if name in found:
                values[name] = self._of(f"{place}.{name}", partial(value_of, column, found[name]))
            else:
                self.faults.append(f"{place}.{name}: is missing")
        return values

    def _line(self, place: str, found: Mapping[str, Any]) -> Line | None:
        about = found["about"]
        self._of(f"{place}.about", lambda: check_inside(about))
        lengths = {"actor": 120, "verb": 40, "text": 500}
        actor, verb, text = (
            self._of(f"{place}.{name}", partial(single_line, found[name], longest)) or ""
            for name, longest in lengths.items()
        )
        at = self._of(f"{place}.at", lambda: moment(found["at"]))
        return Line(at, actor, verb, text, about) if at is not None else None

    def _pairs(self, part: str, found: Sequence[Any], key: str, value: str, kind: type) -> list[tuple[str, Any]]:
        right = [isinstance(x, dict) and x.keys() == {key, value} and isinstance(x[key], str) for x in found]
        right = [ok and isinstance(one[value], kind) for ok, one in zip(right, found, strict=True)]
        self.faults += [f"{part}[{number}]: is not {key} and {value}" for number, ok in enumerate(right) if not ok]
        self._of(part, lambda: check_inside(found))
        return [(one[key], one[value]) for one, ok in zip(found, right, strict=True) if ok]


def _shown(name: str) -> str:
    return CONTROL.sub("?", name)[:40]
