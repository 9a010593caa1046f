"""Reads an archive's file strictly and within limits, because anyone may have made it.

The values then fit the tables; ``archive_import`` checks whether they make sense as an event.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from alembic.script import ScriptDirectory
from pydantic import ValidationError

import migrations
from events.setup.archive import FORMAT, OF_OLDER, checksum, columns, tables
from events.setup.archive_rows import ArchivedEntry, OwnEditionFile, OwnScenarioFile, Parts, row_model
from events.setup.archive_upgrade import NotUpgraded, upgraded
from events.web.parsing import name_key
from languages.words import N_, gettext, ngettext
from validators.contract import UnreadableForce
from validators.faults import at_place, of_file, place_of
from validators.kit.shapes import Part, step_of, wrong_with
from validators.strict_json import read_json

MOST_BYTES = 30_000_000
"""The limit of a file. An event of 500 players and 5 rounds has 4 million bytes."""
MOST_ROWS = 200_000
MOST_FAULTS = 12
"""The most faults listed; the rest are counted."""
ENOUGH = 100
"""Reading stops after this many faults."""
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
Model = TypeVar("Model", bound=Part)
Rows = Mapping[str, Sequence[dict[str, Any]]]
"""By table, in the order of ``tables``: the rows with their ids."""


class UnreadableArchive(Exception):
    """A file that cannot be read as an archive; ``faults`` are a sentence each, starting with the place."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Archive:
    product: str
    at: datetime
    """When the archive was made."""
    rows: Rows
    journal: Sequence[ArchivedEntry]
    editions: Sequence[OwnEditionFile]
    scenarios: Sequence[OwnScenarioFile]

    @property
    def event(self) -> Mapping[str, Any]:
        return self.rows["event"][0]


def read_archive(data: bytes) -> Archive:
    """Parse and check an archive's file. Raises UnreadableArchive."""
    entry = _parsed(data)
    faults: list[str] = []
    parts = _read(Parts, "", [{key: value for key, value in entry.items() if key not in OF_OLDER}], faults)
    _refuse(faults)
    _refuse([*_limits(entry["tables"])])
    if entry["sha256"] != _checksum(entry):
        raise UnreadableArchive(gettext("sha256: does not match the rest of the file: it was damaged or changed"))
    entry = _at_head(entry)
    _refuse([*_unknown_tables(entry["tables"])])
    rows = {
        table.name: [vars(row) for row in _read(row_model(table), table.name, entry["tables"][table.name], faults)]
        for table in tables()
    }
    journal = _read(ArchivedEntry, "journal", entry["journal"], faults)
    _refuse(faults)
    _refuse([*_pointers(rows), *_names(rows)])
    whole = parts[0]
    return Archive(whole.product, whole.at, rows, journal, whole.editions, whole.scenarios)


def _parsed(data: bytes) -> dict[str, Any]:
    """The document, if its format and revision are known. Raises UnreadableArchive."""
    try:
        document = read_json(data, MOST_BYTES)
    except UnreadableForce as unreadable:
        raise UnreadableArchive(*unreadable.faults) from unreadable
    stands = document.get("format") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(stands, str) or not stands.startswith("overseer-event/"):
        raise UnreadableArchive(
            gettext('the file: is not an archive of an event, which begins with "format": "%(format)s"', format=FORMAT)
        )
    if stands != FORMAT:
        text = N_("format: “%(format)s” is of another version; this version reads “%(read)s”")
        raise UnreadableArchive(gettext(text, format=step_of(stands), read=FORMAT))
    revision = document.get("revision")
    if isinstance(revision, str) and revision not in _revisions():
        raise UnreadableArchive(
            gettext(
                "revision: “%(revision)s” is not known to this version: a newer Overseer made the archive; import it "
                "with that version",
                revision=step_of(revision),
            )
        )
    return document


def _checksum(entry: Mapping[str, Any]) -> str:
    """The checksum of an untrusted document. Raises UnreadableArchive."""
    try:
        return checksum(entry)
    except UnicodeEncodeError as broken:
        raise UnreadableArchive(
            gettext("the file: contains half of a surrogate pair, which is not valid text")
        ) from broken
    except RecursionError as deep:
        raise UnreadableArchive(of_file(gettext("nested too deeply"))) from deep


def _at_head(entry: dict[str, Any]) -> dict[str, Any]:
    """The document with its rows in the form of this version. Raises UnreadableArchive."""
    if entry["revision"] == migrations.head():
        return entry
    try:
        return upgraded(entry)
    except NotUpgraded as broken:
        raise UnreadableArchive(str(broken)) from broken


@cache
def _revisions() -> frozenset[str]:
    """The revisions whose archives can be read."""
    script = ScriptDirectory.from_config(migrations.alembic_config())
    return frozenset(revision.revision for revision in script.walk_revisions())


def _read(model: type[Model], place: str, values: Sequence[Any], faults: list[str]) -> list[Model]:
    """The values that fit the model. Adds the faults of the others, until there are enough."""
    read: list[Model] = []
    for number, value in enumerate(values):
        if len(faults) >= ENOUGH:
            break
        try:
            read.append(model.model_validate(value))
        except ValidationError as invalid:
            here = (place, number) if place else ()
            faults += [at_place(place_of((*here, *error["loc"])), wrong_with(error)) for error in invalid.errors()]
    return read


def _refuse(faults: Sequence[str]) -> None:
    """Raises UnreadableArchive with the first of these faults, if there are any."""
    if faults:
        more = [gettext("and %(n)s more", n=len(faults) - MOST_FAULTS)] if len(faults) > MOST_FAULTS else []
        raise UnreadableArchive(*faults[:MOST_FAULTS], *more)


def _limits(rows: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    if sum(map(len, rows.values())) > MOST_ROWS:
        yield ngettext("tables: more than %(num)s row", "tables: more than %(num)s rows", MOST_ROWS)
    if (events := len(rows.get("event", ()))) != 1:
        yield ngettext(
            "tables.event: %(num)s event; an archive contains one event",
            "tables.event: %(num)s events; an archive contains one event",
            events,
        )


def _unknown_tables(rows: Mapping[str, Any]) -> Iterator[str]:
    names = {table.name for table in tables()}
    yield from (
        gettext("tables.%(name)s: is not a table of this version", name=step_of(name)) for name in rows.keys() - names
    )
    yield from (gettext("%(place)s: is missing", place=f"tables.{name}") for name in names - rows.keys())


def _pointers(rows: Rows) -> Iterator[str]:
    """Ids that occur twice, foreign keys to rows that are not in the archive, and an unusable address."""
    ids = {name: {row["id"] for row in here} for name, here in rows.items()}
    for table in tables():
        here = rows[table.name]
        if len(ids[table.name]) < len(here):
            yield gettext("tables.%(name)s: an id appears twice", name=table.name)
        for column, target in ((c, key.column.table.name) for c in columns(table) for key in c.foreign_keys):
            for number, row in enumerate(here):
                pointed = row[column.name]
                if pointed is not None and pointed not in ids[target]:
                    yield gettext(
                        "%(place)s: %(target)s %(id)s is missing",
                        place=f"{table.name}[{number}].{column.name}",
                        target=target,
                        id=pointed,
                    )
    if not SLUG.fullmatch(rows["event"][0]["slug"]):
        yield gettext("event[0].slug: is not an address of a to z, 0 to 9 and hyphens")


def _names(rows: Rows) -> Iterator[str]:
    """Names that occur twice. Sets the comparison keys of names, ignoring those in the file."""
    for table in ("player", "team"):
        seen = set[str]()
        for number, row in enumerate(rows[table]):
            row["name_key"] = name_key(row["name"])
            if row["name_key"] in seen:
                yield gettext("%(place)s: the name occurs twice", place=f"{table}[{number}].name")
            seen.add(row["name_key"])
