"""Reading the file of an event's archive: strictly, and within bounds, for anybody may have made it.

What comes out fits the tables: every row with every column, of its type, pointing to rows that are there. Whether it
makes sense as an event is told by ``events.archive_trial``, once the rows are in place.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from alembic.script import ScriptDirectory
from pydantic_core import PydanticUndefined
from sqlalchemy import Table

import migrations
from events.archive import ABOUT, FORMAT, checksum, columns, tables
from events.archive_values import CONTROL, LARGEST, Wrong, check_inside, moment, single_line, text, value_of, whole
from events.names import name_key
from migrations.last_old import LAST_OLD
from models.captured import class_of
from validators.contract import UnreadableForce
from validators.strict_json import read_json

MOST_BYTES = 30_000_000
"""Of one archive: an event of 500 players and 5 rounds has 4 million."""
MOST_ROWS = 200_000
MOST_FAULTS = 12
"""Faults that are told one by one."""
ENOUGH = 100
"""Faults after which nobody reads on."""
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
PARTS: Mapping[str, type] = {
    "format": str, "product": str, "revision": str, "at": str, "tables": dict, "journal": list, "editions": list,
    "scenarios": list, "sha256": str,
}  # fmt: skip
KINDS: Mapping[type, str] = {str: "text", dict: "an object", list: "a list"}
Read = TypeVar("Read")


class UnreadableArchive(Exception):
    """No archive that this version reads; one sentence for each fault, with its place in the file first."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Line:
    """An entry of the journal, in words."""

    at: datetime
    actor: str
    verb: str
    text: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Archive:
    """An event as its archive has it."""

    product: str
    at: datetime
    """When it was made."""
    rows: Mapping[str, Sequence[dict[str, Any]]]
    """By table, in the order of ``tables``: the rows as the table's columns hold them, with their ids."""
    journal: Sequence[Line]
    editions: Sequence[tuple[str, str]]
    """The id and the file of the club's own edition that it is played with."""
    scenarios: Sequence[tuple[str, Mapping[str, Any]]]
    """The id and the document of each scenario of the club's own."""

    @property
    def event(self) -> Mapping[str, Any]:
        """The row of the event itself."""
        return self.rows["event"][0]


def read_archive(data: bytes) -> Archive:
    """The file to the archive. Raises UnreadableArchive."""
    found = _parsed(data)
    reading = _Reading()
    reading.parts(found)
    reading.stop_if_faulty()
    if found["sha256"] != _checksum(found):
        raise UnreadableArchive(
            "sha256: what stands there is not that of the rest: the file was damaged on its way, or changed"
        )
    archive = reading.archive(found)
    reading.stop_if_faulty()
    reading.pointers(archive.rows)
    reading.names(archive.rows)
    reading.stop_if_faulty()
    return archive


def _parsed(data: bytes) -> dict[str, Any]:
    """The outermost object of an archive of this format and of a revision that is known."""
    try:
        found = read_json(data, MOST_BYTES)
    except UnreadableForce as unreadable:
        raise UnreadableArchive(*unreadable.faults) from unreadable
    stands = found.get("format") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(stands, str) or not stands.startswith("overseer-event/"):
        raise UnreadableArchive(f'the file: no archive of an event; one begins with "format": "{FORMAT}"')
    if stands != FORMAT:
        raise UnreadableArchive(f"format: {_shown(stands)!r} is of another version; this one reads {FORMAT!r}")
    revision = found.get("revision")
    if isinstance(revision, str) and revision not in _revisions():
        raise UnreadableArchive(
            f"revision: {_shown(revision)!r} is not known to this version: the archive was made by a newer Overseer; "
            "take it in with that one"
        )
    return found


def _checksum(found: Mapping[str, Any]) -> str:
    """Of an archive that may hold anything that JSON can say. Raises UnreadableArchive."""
    try:
        return checksum(found)
    except UnicodeEncodeError as broken:
        raise UnreadableArchive("the file: holds half of a surrogate pair, which is no text") from broken
    except RecursionError as deep:
        raise UnreadableArchive("the file: nested too deeply") from deep


@cache
def _revisions() -> frozenset[str]:
    """The revisions whose archives can be read: an older archive lacks only columns that have a default."""
    script = ScriptDirectory.from_config(migrations.alembic_config())
    return frozenset(one.revision for one in script.walk_revisions()) | {LAST_OLD}


class _Reading:
    """One pass over an archive, gathering its faults."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def stop_if_faulty(self) -> None:
        """Raises UnreadableArchive with what was found so far, if that is anything."""
        if self.faults:
            more = [f"and {len(self.faults) - MOST_FAULTS} more"] if len(self.faults) > MOST_FAULTS else []
            raise UnreadableArchive(*self.faults[:MOST_FAULTS], *more)

    def parts(self, found: Mapping[str, Any]) -> None:
        """Whether its parts are there, and nothing else."""
        self.faults += [f"{part}: is missing" for part in PARTS if part not in found]
        self.faults += [f"{_shown(part)}: is no part of an archive" for part in found.keys() - PARTS.keys()]
        for part, kind in PARTS.items():
            if part in found and not isinstance(found[part], kind):
                self.faults.append(f"{part}: is not {KINDS[kind]}")

    def archive(self, found: Mapping[str, Any]) -> Archive:
        """The archive; of no use where there are faults."""
        return Archive(
            product=self._of("product", lambda: text(found["product"], 40)) or "",
            at=self._of("at", lambda: moment(found["at"])) or datetime.now(UTC),
            rows=self._tables(found["tables"]),
            journal=[line for n, one in enumerate(found["journal"]) if (line := self._line(f"journal[{n}]", one))],
            editions=self._pairs("editions", found["editions"], "edition", "text", str),
            scenarios=self._pairs("scenarios", found["scenarios"], "slug", "document", dict),
        )

    def pointers(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Whether every row is there once, and points to rows of the archive alone."""
        ids = {name: {row["id"] for row in here} for name, here in rows.items()}
        for table in tables():
            here = rows[table.name]
            if len(ids[table.name]) < len(here):
                self.faults.append(f"tables.{table.name}: an id stands twice")
            for column, target in ((c, key.column.table.name) for c in columns(table) for key in c.foreign_keys):
                for number, row in enumerate(here):
                    pointed = row[column.name]
                    if pointed is not None and pointed not in ids[target]:
                        self.faults.append(f"{table.name}[{number}].{column.name}: {target} {pointed} is not there")
        if not SLUG.fullmatch(rows["event"][0]["slug"]):
            self.faults.append("event[0].slug: is no address: a to z, 0 to 9 and hyphens")

    def names(self, rows: Mapping[str, Sequence[dict[str, Any]]]) -> None:
        """Set what names are compared by, whatever the file says of it, and look for two that are the same."""
        for table in ("player", "team"):
            seen = set[str]()
            for number, row in enumerate(rows[table]):
                row["name_key"] = name_key(row["name"])
                if row["name_key"] in seen:
                    self.faults.append(f"{table}[{number}].name: is the name of another {table} too")
                seen.add(row["name_key"])

    def _of(self, place: str, reading: Callable[[], Read]) -> Read | None:
        try:
            return reading()
        except Wrong as wrong:
            self.faults.append(f"{place}: {wrong}")
            return None

    def _tables(self, found: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
        known = {table.name: table for table in tables()}
        self.faults += [f"tables.{_shown(name)}: is no table of this version" for name in found.keys() - known.keys()]
        held = {name: found.get(name, []) for name in known}  # a table that came later is empty in an older archive
        self.faults += [f"tables.{name}: is not a list" for name, here in held.items() if not isinstance(here, list)]
        if not self.faults and sum(map(len, held.values())) > MOST_ROWS:
            self.faults.append(f"tables: more than {MOST_ROWS} rows")
        if not self.faults and len(held["event"]) != 1:
            self.faults.append(f"tables.event: {len(held['event'])} events, and an archive is of one")
        if self.faults:
            return {}
        return {
            name: [self._row(known[name], f"{name}[{n}]", row) for n, row in enumerate(here)]
            for name, here in held.items()
            if len(self.faults) < ENOUGH
        }

    def _row(self, table: Table, place: str, found: Any) -> dict[str, Any]:
        if not isinstance(found, dict):
            self.faults.append(f"{place}: is not an object")
            return {}
        own = {column.name: column for column in columns(table)}
        self.faults += [f"{place}.{_shown(name)}: is no column of this version" for name in found.keys() - {"id", *own}]
        values: dict[str, Any] = {"id": self._of(f"{place}.id", lambda: whole(found.get("id"), 1, LARGEST))}
        for name, column in own.items():
            if name in found:
                values[name] = self._value(f"{place}.{name}", column, found[name])
                continue
            values[name] = class_of(table).model_fields[name].default
            if values[name] is PydanticUndefined:
                self.faults.append(f"{place}.{name}: is missing")
        return values

    def _value(self, place: str, column: Any, value: Any) -> Any:
        return self._of(place, lambda: value_of(column, value))

    def _line(self, place: str, found: Any) -> Line | None:
        if not isinstance(found, dict) or found.keys() != {"at", "actor", "verb", "text", "about"}:
            self.faults.append(f"{place}: is no entry of a journal")
            return None
        about = found["about"]
        if not isinstance(about, dict) or about.keys() - {*ABOUT}:
            self.faults.append(f"{place}.about: says what no entry says")
            return None
        self._of(f"{place}.about", lambda: check_inside(about))
        lengths = {"actor": 120, "verb": 40, "text": 500}
        actor, verb, said = (self._words(place, found, name, longest) for name, longest in lengths.items())
        at = self._of(f"{place}.at", lambda: moment(found["at"]))
        return Line(at, actor, verb, said, about) if at is not None else None

    def _words(self, place: str, found: Mapping[str, Any], name: str, longest: int) -> str:
        return self._of(f"{place}.{name}", lambda: single_line(found[name], longest)) or ""

    def _pairs(self, part: str, found: Sequence[Any], key: str, value: str, kind: type) -> list[tuple[str, Any]]:
        right = [isinstance(x, dict) and x.keys() == {key, value} and isinstance(x[key], str) for x in found]
        right = [ok and isinstance(one[value], kind) for ok, one in zip(right, found, strict=True)]
        self.faults += [f"{part}[{number}]: is not {key} and {value}" for number, ok in enumerate(right) if not ok]
        self._of(part, lambda: check_inside(found))
        return [(one[key], one[value]) for one, ok in zip(found, right, strict=True) if ok]


def _shown(name: str) -> str:
    return CONTROL.sub("?", name)[:40]
