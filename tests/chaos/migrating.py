"""F18: an upgrade is killed at every statement, and two begin one at once; all of it is done, once, or nothing.

The database is one of an event with a report, taken down to a revision of before. An upgrade as every start makes it is
done in a process forked for it, which kills itself before its n-th statement, before its commit, or after it. What is
there then must be what was there before, to the last value and the last rule of a table, or what a whole upgrade
makes; and the next start makes it that.
"""

import contextlib
import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from select import select as ready_to_read
from typing import Any

from alembic import command
from sqlalchemy import Connection, Engine, RowMapping, event, inspect, select, text
from sqlalchemy import table as table_named

import migrations
from events.commands.database import upgraded
from events.settings import Settings
from models.db import open_engine
from tests.chaos.acts import prepared
from tests.chaos.broken import build
from tests.chaos.failing import NEVER, in_a_process
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET

REVISIONS: dict[Size, Sequence[str]] = {
    "short": ("20261121_fee",),
    "full": ("20261121_fee", "20261120_sheet_readings", "20261120_formats", "20261120_fallen_lists"),
}
"""From where the upgrades begin."""
FEW = 1
"""In the short profile so many places amid the changes, and the commit and what comes after it."""
PATIENCE = 60.0
"""Seconds after which a step of another process that does not come is a fault."""
ASKS, CHANGES = b"?", b"!"
SHAPES = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master ORDER BY type, name",
    "postgresql": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint UNION ALL"
    " SELECT tablename::text, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL"
    " SELECT table_name::text, column_name, concat(data_type, is_nullable, column_default) FROM"
    " information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2, 3",
}
"""By the kind of database: everything that it says of its tables."""
DRAWN = {"player": ("secret", "session_key"), "team": ("code",)}
"""What an upgrade draws at random, so that no two upgrades make the same: only how long each is, is compared."""


@dataclass(frozen=True)
class Old:
    """A database of before, what it holds, and what it holds after an upgrade that nobody disturbed."""

    url: str
    before: Sequence[object]
    after: Sequence[object]
    points: int
    """At so many places an upgrade of it can be broken off."""


def run(
    size: Size, broken: str | None, *, old: Callable[[str], Old], copied: Callable[[str], str], data: Path, seed: int
) -> Outcome:
    """Break off an upgrade at its points, and begin it twice at once; a broken build until something is found.

    ``old`` gives the database of a revision, the same one each time.
    """
    outcome, dice = Outcome(), random.Random(seed)
    for revision in REVISIONS[size]:
        source = old(revision)
        wrong = list[str]()
        few = {source.points - 1, source.points, *dice.sample(range(source.points * 2 // 3, source.points - 1), FEW)}
        for point in range(1, source.points + 1) if size == "full" and broken is None else sorted(few):
            if broken is not None and wrong:
                break
            outcome.counts[f"from {revision}: points"] += 1
            wrong += _broken_off(copied(source.url), data, point, source, broken)
        if broken is None or not wrong:
            outcome.counts["two at once"] += 1
            wrong += _two_at_once(copied(source.url), data, source, broken)
        outcome.wrong += [f"from {revision}, {one}" for one in wrong]
    return outcome


def of_before(url: str, revision: str, copied: Callable[[str], str], data: Path) -> Old:
    """Bring an event with a report, in a migrated database without rows, down to this revision."""
    prepared(url, "reported")
    engine = open_engine(url)
    with engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), revision)
        connection.commit()
    engine.dispose()
    whole, before = copied(url), _held_by(url)
    points = _points(whole, data)
    assert points > 0, f"an upgrade from {revision} ends with {-points}"
    return Old(url, before, _held_by(whole), points)


def _held_by(url: str) -> Sequence[object]:
    """All that a database holds: its tables and their rules, and every row."""
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            held: list[object] = [tuple(row) for row in connection.execute(text(SHAPES[engine.dialect.name]))]
            for table in sorted(inspect(connection).get_table_names()):
                rows = connection.execute(select(text("*")).select_from(table_named(table))).mappings()
                held += sorted(repr((table, *_comparable(table, row))) for row in rows)
            return held
    finally:
        engine.dispose()


def _comparable(table: str, row: RowMapping) -> Iterator[object]:
    drawn = DRAWN.get(table, ())
    return (len(str(value)) if name in drawn else value for name, value in row.items())


def _upgrade(url: str, data: Path, broken: str | None, at: Callable[[str], None]) -> None:
    """Bring the database up to date as every start does; ``at`` is told each statement before it goes out."""
    with build(broken):
        engine = open_engine(url)
        _tell_statements(engine, at)
        upgraded(Settings(data, url, SECRET, "127.0.0.1", 8000), engine)
        at("the end")


def _tell_statements(engine: Engine, at: Callable[[str], None]) -> None:
    def before(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
        at(statement)

    def before_commit(_: Connection) -> None:
        at("COMMIT")

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "commit", before_commit)


# ---- one that is broken off


def _killed_at(point: int, tell: int | None = None) -> Callable[[str], None]:
    """Kills this process at the point; tells at the end how many there were."""
    passed = 0

    def at(statement: str) -> None:
        nonlocal passed
        passed += 1
        if passed == point:
            os.kill(os.getpid(), signal.SIGKILL)
        if tell is not None and statement == "the end":
            os.write(tell, str(passed).encode())

    return at


def _points(url: str, data: Path) -> int:
    """At how many places it can be broken off; it is done once for that. 0 or less: how it failed."""
    reader, writer = os.pipe()
    ended = in_a_process(lambda: _upgrade(url, data, None, _killed_at(NEVER, writer)))
    os.close(writer)
    with os.fdopen(reader) as told_points:
        said = told_points.read()
    return int(said) if ended == 0 and said else -ended


def _broken_off(url: str, data: Path, point: int, old: Old, broken: str | None) -> list[str]:
    where, wrong = f"point {point}", list[str]()
    ended = in_a_process(lambda: _upgrade(url, data, broken, _killed_at(point)))
    if ended != -signal.SIGKILL:
        wrong.append(f"{where}: it ended with {ended} instead of being killed")
    if _held_by(url) not in (old.before, old.after):
        wrong.append(f"{where}: some of it is stored, and not all")
    ended = in_a_process(lambda: _upgrade(url, data, broken, _killed_at(NEVER)))
    if ended or _held_by(url) != old.after:
        wrong.append(f"{where}: the next start does not bring it to its end ({ended})")
    return wrong


# ---- two at once


def _two_at_once(url: str, data: Path, old: Old, broken: str | None) -> list[str]:
    """One stands before its first change; another begins; the first goes on, and after it the other."""
    first, second = _Halting(url, data, broken), _Halting(url, data, broken)
    where, wrong = "two at once", list[str]()
    first.start()
    first.wait_for(CHANGES)
    second.start()
    stood_at = second.wait_for(ASKS + CHANGES)
    first.go()
    if stood_at == CHANGES:
        second.go()  # the first may wait for what it holds
    wrong += [f"{where}: the first ended with {ended}" for ended in (first.ended(),) if ended]
    second.go()
    wrong += [f"{where}: the second ended with {ended}" for ended in (second.ended(),) if ended]
    if CHANGES in stood_at + second.said():
        wrong.append(f"{where}: the second began to change what the first was at")
    if _held_by(url) != old.after:
        wrong.append(f"{where}: what is stored is not what one upgrade makes")
    return wrong


class _Halting:
    """An upgrade in a process of its own that tells when it asks for the lock, and halts before its first change."""

    def __init__(self, url: str, data: Path, broken: str | None) -> None:
        self._work = partial(_upgrade, url, data, broken, self._at)
        self._told, self._tell = os.pipe()
        self._wait, self._let = os.pipe()
        self._halted = False
        self._process = 0

    def _at(self, statement: str) -> None:
        if statement.startswith("BEGIN IMMEDIATE") or "pg_advisory_xact_lock" in statement:
            os.write(self._tell, ASKS)
        elif statement.startswith(("ALTER", "CREATE", "\nCREATE", "DROP", "INSERT", "UPDATE")) and not self._halted:
            self._halted = True
            os.write(self._tell, CHANGES)
            os.read(self._wait, 1)

    def start(self) -> None:
        self._process = os.fork()
        if self._process == 0:
            os.close(self._told)
            os.close(self._let)
            with contextlib.suppress(BaseException):
                self._work()
                os._exit(0)
            os._exit(70)
        os.close(self._tell)
        os.close(self._wait)

    def wait_for(self, signs: bytes) -> bytes:
        """Wait until it tells one of these, or has ended; what it told last."""
        while ready_to_read([self._told], [], [], PATIENCE)[0]:
            told = os.read(self._told, 1)
            if told in signs:
                return told
        raise AssertionError(f"it tells none of {signs!r}")

    def go(self) -> None:
        """Let it make its changes."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._let, b".")

    def ended(self) -> int:
        """Wait for its end; its exit status, negative for the signal that ended it."""
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def said(self) -> bytes:
        """What it told since, when it has ended."""
        said = os.read(self._told, 99)
        os.close(self._told)
        os.close(self._let)
        return said
