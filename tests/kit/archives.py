"""Export events to archives and import them, for tests."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from events.setup.archive import archive_bytes, archive_of, checksum, columns, one_moment, tables
from events.setup.archive_file import read_archive
from events.setup.archive_import import import_event
from models.db import write
from models.event import Event
from models.people import Account

BY = "organiser Nora"


def archived(engine: Engine, event: Event, now: datetime) -> bytes:
    with Session(engine) as s:
        return archive_bytes(archive_of(one_moment(s), s.get_one(Event, event.id), now))


def taken_in(s: Session, data: bytes, now: datetime, owner: Account | None = None) -> Event:
    archive = read_archive(data)
    with write(s, now) as opened:
        return import_event(opened, archive, owner, BY, now)


def with_checksum(document: dict[str, Any]) -> bytes:
    """A changed archive with a new checksum, as anybody can make it."""
    return json.dumps(document | {"sha256": checksum(document)}).encode()


def without_moment(data: bytes) -> dict[str, Any]:
    """An archive without the parts that an import changes: time, checksum, and the journal's import entries."""
    document: dict[str, Any] = json.loads(data)
    journal = [line for line in document["journal"] if line["verb"] != "take-in"]
    return {key: value for key, value in document.items() if key not in ("at", "sha256")} | {"journal": journal}


def numbered_from_one(document: Mapping[str, Any]) -> dict[str, Any]:
    """The archive with the ids of each table renumbered from 1, and foreign keys to match."""
    places = {name: {row["id"]: n for n, row in enumerate(rows, 1)} for name, rows in document["tables"].items()}
    found: dict[str, Any] = {}
    for table in tables():
        keys = {c.name: key.column.table.name for c in columns(table) for key in c.foreign_keys}
        found[table.name] = [
            row
            | {"id": places[table.name][row["id"]]}
            | {name: places[to].get(row[name]) for name, to in keys.items() if row[name] is not None}
            for row in document["tables"][table.name]
        ]
    games = places["game"]
    lines = [line | {"about": dict(line["about"])} for line in document["journal"]]
    for line in lines:
        if "game" in line["about"]:
            line["about"]["game"] = games[line["about"]["game"]]
    return {**document, "tables": found, "journal": lines}
