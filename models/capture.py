"""Recording what a write changes: each row that the session adds, changes or removes, before and after.

``models.db.write`` opens a ``Capture`` on its session. The listeners at the end fill it with each flush, and ``finish``
stores it in the same transaction. Statements that change rows without the session raise RuntimeError.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, event, insert, inspect, select, update
from sqlalchemy.orm import InstanceState, Mapper, ORMExecuteState, UOWTransaction
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel

from models.base import new_stamp
from models.captured import (
    Concerned,
    about,
    cascading_from,
    columns_of,
    followed,
    keep,
    key_of,
    of_event,
    parent_of,
    plain,
    row_of,
    shortened,
    table_of,
    way_to_event,
)
from models.event import Event
from models.facts import facts_of
from models.journal import NOBODY, Actor, RowChangeKind
from models.parts import left, wrong_lists

SETS, CHANGES, ENTRIES, ANSWERS = (
    SQLModel.metadata.tables[name] for name in ("change_set", "row_change", "journal_entry", "kept_answer")
)


@dataclass
class Change:
    """The change of one row in this write. Its values are in the journal's form."""

    table: Table
    row_id: int
    event_id: int
    kind: RowChangeKind
    before: dict[str, Any]
    after: dict[str, Any]
    concerned: Concerned = field(default_factory=Concerned)

    @property
    def is_one(self) -> bool:
        return self.kind != RowChangeKind.CHANGED or self.before != self.after


def rows_found(connection: Connection, event_id: int) -> Iterator[Change]:
    for table in followed():
        # Locked: on PostgreSQL, a concurrent write's change is then either included or recorded afterwards.
        query = select(table).where(of_event(table, event_id)).order_by(table.c.id).with_for_update(of=table)
        for row in connection.execute(query).mappings():
            yield Change(table, row["id"], event_id, RowChangeKind.FOUND, {}, row_of(table, dict(row)))


def rows_cascaded(connection: Connection, removed: Sequence[Change]) -> list[Change]:
    """The rows that the database removes together with these: its foreign keys cascade."""
    changes: list[Change] = []
    by_table: dict[Table, dict[int, Change]] = {}
    for change in removed:
        by_table.setdefault(change.table, {})[change.row_id] = change
    for parent, rows in by_table.items():
        for column in cascading_from(parent):
            table = column.table
            for row in connection.execute(select(table).where(column.in_(rows))).mappings():
                above = rows[row[column.name]]
                values = row_of(table, dict(row))
                changes.append(
                    Change(table, row["id"], above.event_id, RowChangeKind.REMOVED, values, {}, above.concerned)
                )
    return changes + rows_cascaded(connection, changes) if changes else changes


def store_set(
    connection: Connection, event_id: int, now: datetime, by: Actor, version: int | None, *, baseline: bool = False
) -> int:
    values: dict[str, Any] = {
        "event_id": event_id, "at": now, "actor": by.name[:120], "role": by.role, "version": version,
        "baseline": baseline,
    }  # fmt: skip
    key = connection.execute(insert(SETS), values).inserted_primary_key
    assert key is not None  # noqa: S101 - one row was inserted
    return int(key[0])


def store_entry(connection: Connection, values: Mapping[str, Any]) -> None:
    """Store an entry of the journal: all columns except its id."""
    connection.execute(insert(ENTRIES), [values])


def store_changes(connection: Connection, change_set_id: int, event_id: int, changes: Sequence[Change]) -> None:
    long: dict[str, str] = {}
    rows = [
        {
            "change_set_id": change_set_id,
            "table_name": change.table.name,
            "row_id": change.row_id,
            "kind": change.kind,
            "before": shortened(change.before, long),
            "after": shortened(change.after, long),
        }
        | change.concerned.columns()
        for change in changes
    ]
    if rows:
        keep(connection, event_id, long)
        connection.execute(insert(CHANGES), rows)


def store_imported_entries(connection: Connection, event_id: int, entries: Sequence[dict[str, Any]]) -> None:
    """Store the entries of another server's journal for an imported event. They have no row changes here."""
    if entries:
        connection.execute(
            insert(ENTRIES), [entry | {"event_id": event_id, "change_set_id": None} for entry in entries]
        )


def store_answer(connection: Connection, values: Mapping[str, Any]) -> None:
    """Store the answer to a submission (``models.kept_answer``): all columns except its id."""
    connection.execute(insert(ANSWERS), [values])


KEY = "overseer_capture"
"""The key in a session's ``info`` for the capture of the current write."""
EVENTS = SQLModel.metadata.tables["event"]
OF_A_DRAFT = {"round", "round_draw", "game", "team_match"}
"""The tables of a round's draft. Any other write is public, even if called with ``public=False``."""
PLANNED_BY_DRAFT = {"event": {"rounds"}, "player": {"seed_number", "entered_round"}, "team": {"entered_round"}}
"""Columns that a draft sets too: how many rounds it plans, who is seeded in its cut, from when a late entry plays."""
STAMPS = ("public_stamp", "players_stamp")
"""The stamps of an event that a write may leave unchanged."""
ADDED, CHANGED, REMOVED = RowChangeKind.ADDED, RowChangeKind.CHANGED, RowChangeKind.REMOVED


def _is_of_a_draft(change: Change) -> bool:
    planned = PLANNED_BY_DRAFT.get(change.table.name, set())
    return change.table.name in OF_A_DRAFT or (change.kind == CHANGED and change.after.keys() <= planned)


def _is_news(change: Change) -> bool:
    """Whether players must know of it."""
    news = [name for name, fact in facts_of(change.table).items() if fact.news]
    return any(change.before.get(name) != change.after.get(name) for name in news)


@dataclass
class Capture:
    session: Session
    now: datetime
    event: Event | None
    by: Actor
    public: bool = True
    """Whether the change shows on public pages."""
    other: Event | None = None
    """A second event that the write changes."""
    changes: list[Change] = field(default_factory=list)
    newest: dict[tuple[str, int], Change] = field(default_factory=dict)
    """The last change of each row."""
    removed: list[Change] = field(default_factory=list)
    """Rows that the current flush removes."""
    stale: list[tuple[SQLModel, str]] = field(default_factory=list)
    """Rows with the name of their list of parts that the current flush makes wrong."""
    sets: dict[int, int] = field(default_factory=dict)
    """The id of each event's change set, by event id."""
    new_versions: dict[int, dict[str, Any]] = field(default_factory=dict)
    """The new version and stamps of events that existed before, by event id."""
    made: dict[int, Event] = field(default_factory=dict)
    """New events: their journal begins with this write."""
    in_play: set[int] = field(default_factory=set)
    """Games whose results change in a round that stays incomplete. Other players' pages do not show them."""
    stamps_before: dict[str, str] = field(default_factory=dict)
    """The event's stamps before the write."""
    has_flushed: bool = False
    at_the_end: list[Callable[[], None]] = field(default_factory=list)
    """What is run after the journal of this write is stored: an erasure, which rewrites it too."""
    erases: bool = False
    """Whether this write deletes personal data, which must not stay in SQLite's log either."""

    def begin(self, row: Event) -> None:
        """Before the first change: record every row of an event whose journal has not begun yet."""
        if row is self.event:
            self.stamps_before = {name: getattr(row, name) for name in STAMPS}
        if row.journal_from is not None:
            return
        connection = self.session.connection()
        changes = list(rows_found(connection, row.id))
        begun = store_set(connection, row.id, self.now, NOBODY, row.version, baseline=True)
        store_changes(connection, begun, row.id, changes)
        row.journal_from = begun

    def raise_version(self, row: Event) -> None:
        """Give the event, whose row is locked, a new version and new stamps; ``finish`` stores them."""
        stamp = new_stamp()
        values = {"version": row.version + 1, "stamp": stamp, "changed_at": self.now} | dict.fromkeys(STAMPS, stamp)
        self.new_versions[row.id] = values
        for name, value in values.items():
            set_committed_value(row, name, value)

    def add_entry(self, event_id: int, at: datetime, actor: str, verb: str, text: str, details: dict[str, Any]) -> None:
        """Add an entry to an event's journal, as part of this write. It is stored at once."""
        number = self._set_of(event_id, Actor(actor, self.by.role if actor == self.by.name else ""))
        values = {"event_id": event_id, "at": at, "actor": actor, "verb": verb, "text": text, "details": details}
        store_entry(self.session.connection(), values | {"change_set_id": number})

    def before_flush(self) -> None:
        """Read the rows that the flush will remove, and those that the database removes with them."""
        for part in left(self.session.dirty):
            self.session.delete(part)  # SQLAlchemy itself finds them too late for the journal
        going = _by_table((row for row in self.session.deleted if table_of(row) in followed()), last_first=True)
        if going:
            removed = [self._change(row, REMOVED, before=_stored(row)) for row in going]
            named = {(change.table, change.row_id) for change in removed}
            cascaded = rows_cascaded(self.session.connection(), removed)
            self.removed = removed + [change for change in cascaded if (change.table, change.row_id) not in named]

    def after_flush(self) -> None:
        """Record what the flush has stored: ids are known now, and so are the former values."""
        changed = any(map(self.session.is_modified, self.session.dirty))
        self.has_flushed |= changed or bool(self.session.new or self.session.deleted)
        for row in _by_table(row for row in self.session.new if table_of(row) in followed()):
            self._added(row)
        for row in _by_table(row for row in self.session.dirty if table_of(row) in followed()):
            self._changed(row)
        for change in self.removed:
            self._take(change)
        self.removed = []
        self.stale = wrong_lists(self.session, self.session.new, there=False)
        self.stale += wrong_lists(self.session, self.session.deleted, there=True)

    def after_flush_postexec(self) -> None:
        """Forget the loaded lists of parts that rows entered or left by their key alone."""
        for owner, name in self.stale:
            self.session.expire(owner, [name])
        self.stale = []

    def _added(self, row: SQLModel) -> None:
        table = table_of(row)
        if isinstance(row, Event):
            self.made[row.id] = row
        self._take(self._change(row, ADDED, after=row_of(table, _values(row))))

    def _changed(self, row: SQLModel) -> None:
        table = table_of(row)
        state: InstanceState[Any] = inspect(row)
        before: dict[str, Any] = {}
        after: dict[str, Any] = {}
        for column in columns_of(table):
            if column.name not in state.committed_state:
                continue  # it was never set
            history = state.attrs[column.name].history
            if history.added:
                before[column.name] = plain(column, history.deleted[0] if history.deleted else None)
                after[column.name] = plain(column, history.added[0])
        if after:
            self._take(self._change(row, CHANGED, before=before, after=after))

    def _take(self, change: Change) -> None:
        """Keep a change, joined with an earlier change of the same row in this write."""
        key = (change.table.name, change.row_id)
        last = self.newest.get(key)
        if last is None or last.kind == REMOVED:
            self.newest[key] = change
            self.changes.append(change)
        elif change.kind == CHANGED:
            last.before = last.before if last.kind == ADDED else change.before | last.before
            last.after, last.concerned = last.after | change.after, change.concerned
        elif last.kind == ADDED:  # added and removed in the same write
            del self.newest[key]
            self.changes = [kept_change for kept_change in self.changes if kept_change is not last]
        else:
            last.kind, last.before, last.after = REMOVED, change.before | last.before, {}

    def _event_of(self, row: SQLModel) -> int:
        if isinstance(row, Event):
            return row.id
        way = way_to_event(table_of(row))
        assert way is not None  # noqa: S101 - only the event itself has none
        column, parent = way
        value: int = getattr(row, column.name)
        if parent.name == "event":
            return value
        if self.event is not None and self.other is None:
            return self.event.id
        return self._event_of(parent_of(self.session, parent, value))

    def _change(
        self,
        row: SQLModel,
        kind: RowChangeKind,
        before: dict[str, Any] | None = None,
        after: dict[str, Any] | None = None,
    ) -> Change:
        where = about(self.session, row)
        return Change(table_of(row), key_of(row), self._event_of(row), kind, before or {}, after or {}, where)

    def finish(self) -> None:
        """Store the changes after everything else: on PostgreSQL, change sets are then numbered in commit order."""
        self.session.flush()  # so that pending changes are recorded too
        if not (self.has_flushed or self.sets or self.at_the_end):
            return  # nothing changed: no change set, and the events keep their versions and stamps
        for row in (self.event, self.other):
            if row is not None and not inspect(row).was_deleted:
                self._set_of(row.id, self.by)
        by_event: dict[int, list[Change]] = {}
        for change in self.changes:
            if change.is_one:
                by_event.setdefault(change.event_id, []).append(change)
        for event_id, changes in by_event.items():
            if event_id not in self.made and any(map(_is_news, changes)):
                self._give_news(self.session.get(Event, event_id))
            if self._has_begun(event_id):
                store_changes(self.session.connection(), self._set_of(event_id, self.by), event_id, changes)
        for event_id, made in self.made.items():
            begun = self._set_of(event_id, self.by)
            # Columns that the journal leaves out are set last.
            self._set_event(event_id, {"journal_from": begun})
            set_committed_value(made, "journal_from", begun)
        if self.event is not None:
            for name in self._stamps_kept():
                self.new_versions[self.event.id][name] = self.stamps_before[name]
                set_committed_value(self.event, name, self.stamps_before[name])
        for event_id, values in self.new_versions.items():
            self._set_event(event_id, values)
        for function in self.at_the_end:
            function()

    def _give_news(self, row: Event | None) -> None:
        if row is not None:  # otherwise the event was deleted
            moment = max(self.now, (row.news_at or row.created_at) + timedelta(seconds=1))
            self._set_event(row.id, {"news_at": moment})
            set_committed_value(row, "news_at", moment)

    def _stamps_kept(self) -> Sequence[str]:
        """The stamps to leave unchanged: those of pages that show nothing of this write."""
        if not self.public and all(map(_is_of_a_draft, self.changes)):
            return STAMPS
        of_games = all(_game_of(change) in self.in_play for change in self.changes)
        return ("players_stamp",) if of_games and self.in_play else ()

    def _set_event(self, event_id: int, values: dict[str, Any]) -> None:
        self.session.connection().execute(update(EVENTS).where(EVENTS.c.id == event_id).values(values))

    def _has_begun(self, event_id: int) -> bool:
        """Whether the event has a journal: a write without an event's lock begins none."""
        if event_id in self.made or (self.event is not None and event_id == self.event.id):
            return True
        begun = select(EVENTS.c.journal_from).where(EVENTS.c.id == event_id)
        return self.session.connection().execute(begun).scalar() is not None

    def _set_of(self, event_id: int, by: Actor) -> int:
        if event_id not in self.sets:
            connection = self.session.connection()
            self.sets[event_id] = store_set(connection, event_id, self.now, by, self._version_of(event_id))
        return self.sets[event_id]

    def _version_of(self, event_id: int) -> int | None:
        """The event's version after this write; None if this write does not raise it."""
        if event_id in self.made:
            return self.made[event_id].version
        return self.new_versions[event_id]["version"] if event_id in self.new_versions else None


def _by_table(rows: Iterable[SQLModel], *, last_first: bool = False) -> list[SQLModel]:
    """Rows in the order of their tables, each after those that it refers to, or before them, and of their ids."""
    way = -1 if last_first else 1
    return sorted(rows, key=lambda row: (way * followed().index(table_of(row)), key_of(row)))


def _game_of(change: Change) -> int | None:
    """The id of the game whose result this changes; None for any other change."""
    if change.table.name == "game":
        return change.row_id if change.kind == CHANGED else None
    game: int | None = change.after.get("game_id") if change.table.name == "report" else None
    return game


def _values(row: SQLModel) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in columns_of(table_of(row))}


def _stored(row: SQLModel) -> dict[str, Any]:
    table, state = table_of(row), inspect(row)
    values = _values(row)
    return row_of(table, values | {name: was[0] for name in values if (was := state.attrs[name].history.deleted)})


def _of(session: Any) -> Capture | None:
    capture: Capture | None = session.info.get(KEY)
    return capture


@event.listens_for(Session, "before_flush")
def _before_flush(session: Any, context: UOWTransaction, instances: Any) -> None:
    if (capture := _of(session)) is not None:
        capture.before_flush()


@event.listens_for(Session, "after_flush")
def _after_flush(session: Any, context: UOWTransaction) -> None:
    if (capture := _of(session)) is not None:
        capture.after_flush()


@event.listens_for(Session, "after_flush_postexec")
def _after_flush_postexec(session: Any, context: UOWTransaction) -> None:
    if (capture := _of(session)) is not None:
        capture.after_flush_postexec()


@event.listens_for(Session, "do_orm_execute")
def _execute(state: ORMExecuteState) -> None:
    if _of(state.session) is not None and (state.is_insert or state.is_update or state.is_delete):
        raise RuntimeError("change rows through the session: the journal does not see statements")


@event.listens_for(Mapper, "after_configured")
def _keep_what_was() -> None:
    """Let SQLAlchemy load a column's former value before it is set: the journal records it."""
    for mapper in list(SQLModel._sa_registry.mappers):
        for attribute in mapper.column_attrs:
            event.listen(getattr(mapper.class_, attribute.key), "set", _was_read, active_history=True)


def _was_read(row: Any, value: Any, was: Any, initiator: Any) -> None:
    """Empty: registering a listener is what loads the former value."""
