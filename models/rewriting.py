"""Replacing words in the rows of an event and in their history alike, so that replay still finds them equal.

The database allows it only while an erasure of the event is open (``models.erasure``).
"""

import zlib
from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy import Connection, MetaData, Select, Table, delete, select, update
from sqlmodel import SQLModel

from models.captured import VALUES, followed, hashes_in, keep, lengthened, of_event, row_of, shortened, typed
from models.concerning import Concerning

TABLES = SQLModel.metadata.tables
SETS, ENTRIES, CHANGES = (TABLES[name] for name in ("change_set", "journal_entry", "row_change"))
NO_LONGER = Table("no_longer", MetaData())
"""In place of a table that an old journal names and this version does not have."""
AT_ONCE = 500
Values = Mapping[str, Any]


class Words(Protocol):
    """What replaces words; equal values always become equal values."""

    def actor(self, actor: str) -> str:
        """Who made a change."""

    def row(self, table: Table, row_id: int, values: Values, *, own: bool) -> dict[str, Any]:
        """Some or all values of a row, as the journal stores them; ``own``: it concerns whom the words are about."""

    def entry(self, entry: Values, *, own: bool) -> dict[str, Any]:
        """The text and the details of an entry of the journal; ``own``: it concerns whom the words are about."""


def rewrite(connection: Connection, event_id: int, words: Words, own: Concerning) -> None:
    """Replace words in what the journal follows, and alike in the journal."""
    for table in followed():
        _rewrite_rows(connection, table, event_id, words, own)
    for table in (SETS, ENTRIES):
        for row in _rows(connection, select(table).where(table.c.event_id == event_id)):
            more = words.entry(row, own=row["id"] in own.entries) if table is ENTRIES else {}
            _store(connection, table, row, {"actor": words.actor(row["actor"])} | more)
    _rewrite_changes(connection, event_id, words, own)


def _rows(connection: Connection, query: Select[Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _rewrite_rows(connection: Connection, table: Table, event_id: int, words: Words, own: Concerning) -> None:
    for row in _rows(connection, select(table).where(of_event(table, event_id))):
        values = row_of(table, row)
        new = words.row(table, row["id"], values, own=(table.name, row["id"]) in own.rows)
        changed = {name: typed(table.c[name], new[name]) for name in values if new[name] != values[name]}
        _store(connection, table, row, changed)


def _store(connection: Connection, table: Table, row: Values, new: Values) -> None:
    changed = {name: value for name, value in new.items() if value != row[name]}
    if changed:
        connection.execute(update(table).where(table.c.id == row["id"]).values(changed))


def _rewrite_changes(connection: Connection, event_id: int, words: Words, own: Concerning) -> None:
    sets = select(SETS.c.id).where(SETS.c.event_id == event_id)
    ids = list(connection.execute(select(CHANGES.c.id).where(CHANGES.c.change_set_id.in_(sets))).scalars())
    used: set[str] = set()
    for start in range(0, len(ids), AT_ONCE):
        some = _rows(connection, select(CHANGES).where(CHANGES.c.id.in_(ids[start : start + AT_ONCE])))
        marks = {mark for row in some for name in ("before", "after") for mark in hashes_in(row[name])}
        long, new_long = _long(connection, event_id, marks), dict[str, str]()
        for row in some:
            table = TABLES.get(row["table_name"], NO_LONGER)
            about, new = row["id"] in own.changes, dict[str, Any]()
            for name in ("before", "after"):
                values = words.row(table, row["row_id"], lengthened(row[name], long), own=about)
                new[name] = shortened(values, new_long)
            _store(connection, CHANGES, row, new)
        keep(connection, event_id, new_long)
        used |= new_long.keys()
    kept = connection.execute(select(VALUES.c.sha256).where(VALUES.c.event_id == event_id)).scalars()
    for mark in set(kept) - used:
        connection.execute(delete(VALUES).where(VALUES.c.event_id == event_id, VALUES.c.sha256 == mark))


def _long(connection: Connection, event_id: int, marks: set[str]) -> dict[str, str]:
    query = select(VALUES.c.sha256, VALUES.c.packed).where(VALUES.c.event_id == event_id, VALUES.c.sha256.in_(marks))
    return {mark: zlib.decompress(packed).decode() for mark, packed in connection.execute(query)}
