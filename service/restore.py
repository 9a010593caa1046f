"""A copy of the whole database restored: its rows, in a database that is made anew.

The service is stopped, and the current database is kept as a copy. Sign-ins, invitations and renewed private links end,
so that no access from before the restore remains valid; each event's journal records this.
"""

import contextlib
import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel, col, select

import migrations
from events.journal.invariants import check_database, check_invariants, in_lines
from events.setup.archive_upgrade import ONE_AT_A_TIME, database_at, make_at
from models.copies import NotCopied, clear_postgres, fold_log, open_to_rows, parts_in_script, parts_of, take_rows
from models.db import open_engine, write
from models.event import Event
from models.journal import JOURNAL
from service.after_restore import Known, close_ended, known_before, note_restored, repeat_erasures
from service.backups import (
    NoBackup,
    NoProgram,
    back_up,
    backups_in,
    faults_of,
    folder_of,
    new_backup,
    on_disk,
    postgres,
    read_dump,
)
from service.health import keep_findings
from service.lock import alone
from service.private_files import write_private
from service.settings import Settings

Clock = Callable[[], datetime]
UNFINISHED = "restore-unfinished"
"""The file in the data folder while PostgreSQL is being restored: what the database knew before, as JSON.
"""
TAILS = ("-wal", "-shm")
KINDS = {b"SQLit": "SQLite", b"PGDMP": "PostgreSQL"}
"""The kinds of copies by their first bytes."""


@dataclass(frozen=True)
class Restored:
    events: int
    broken: Sequence[str]
    """The faults of the restored database, a line each; on SQLite empty unless they were accepted."""
    before: Path | None
    """The copy of the database before the restore; None if there was no database."""
    left: Sequence[str] = ()
    """The copy's tables, columns, views and triggers that were not taken, because its version has no such ones."""


def restore(settings: Settings, source: Path, clock: Clock, *, unsound: bool = False) -> Restored:
    """Replace the database by a copy; ``unsound`` accepts failed checks.

    Raises NoBackup, and InUse if the service runs.
    """
    if not source.is_file():
        raise NoBackup(f"There is no file {source}.")
    engine = open_engine(settings.database_url)
    try:
        with source.open("rb") as file:
            kind = KINDS.get(file.read(5), "")
        ours = KINDS[b"SQLit" if engine.dialect.name == "sqlite" else b"PGDMP"]
        if kind not in ("", ours):
            raise NoBackup(
                f"{source.name} is a copy of {kind}, and DATABASE_URL names {ours}. To move events from one to the "
                "other: `overseer archive`, `overseer archive-in`."
            )
        with alone(engine):
            if engine.dialect.name == "sqlite":
                done = _restore_sqlite(engine, settings, source, clock, unsound=unsound)
            else:
                done = _restore_postgres(engine, settings, source, clock, unsound=unsound)
            keep_findings(settings.data, done.broken)
            return done
    except DBAPIError as failed:
        raise NoBackup(f"The database does not answer: {failed.orig}. Nothing was changed.") from failed
    except OSError as failed:
        raise NoBackup(f"{settings.data} cannot be written: {failed.strerror}.") from failed
    finally:
        engine.dispose()


def replaces(settings: Settings) -> bool:
    """Whether there is a database that a restore would replace. Raises InUse if the service runs."""
    engine = open_engine(settings.database_url)
    try:
        with alone(engine):
            if engine.dialect.name == "sqlite":
                file = Path(engine.url.database or "")
                return file.exists() and file.stat().st_size > 0
            return bool(inspect(engine).get_table_names())
    finally:
        engine.dispose()


def refuse_unfinished(data: Path) -> None:
    """Raise NoBackup if a restore was interrupted, because old links and cookies could still be valid."""
    if (data / UNFINISHED).exists():
        raise NoBackup("A restore was interrupted. Run `overseer restore FILE` again before you start Overseer.")


def _restore_sqlite(engine: Engine, settings: Settings, source: Path, clock: Clock, *, unsound: bool) -> Restored:
    live = Path(engine.url.database or "")
    fresh, given = live.with_name(f"{live.name}.restoring"), live.with_name(f"{live.name}.restoring-from")
    made, copy = open_engine(f"sqlite:///{fresh}"), open_engine(f"sqlite:///{given}")
    try:
        _remove(fresh)
        _remove(given)
        _copy(source, given)
        known = known_before(engine) if live.exists() else Known()
        engine.dispose()
        with copy.connect() as connection:
            revision, parts = _checked(source, migrations.revision_of(connection)), parts_of(connection)
        damaged = faults_of(copy, check_database)
        copy.dispose()
        with ONE_AT_A_TIME:
            make_at(revision, made)
        take_rows(given, made)
        events, broken = _prepare(made, known, source, clock)
        broken = [*damaged, *broken]
        if broken and not unsound:
            raise NoBackup("\n".join(["The copy failed its checks. Nothing was changed.", *broken]))
        made.dispose()
        fold_log(fresh)
        on_disk(fresh)
        before = _keep(engine, live, settings.data, clock()) if live.exists() else None
        for tail in TAILS:  # another database's log must not be applied to this one
            Path(f"{live}{tail}").unlink(missing_ok=True)
        fresh.replace(live)
        on_disk(live.parent)
        return Restored(events, broken, before, others(parts, revision))
    except (DBAPIError, NotCopied) as failed:
        error = failed.orig if isinstance(failed, DBAPIError) else failed
        raise NoBackup(f"The copy cannot be read: {error}. Nothing was changed.") from failed
    finally:
        for opened, path in ((made, fresh), (copy, given)):
            opened.dispose()
            _remove(path)


def _checked(source: Path, revision: str | None) -> str:
    """The revision of a copy. Raises NoBackup if the copy is not ours or newer than this version."""
    if revision is None:
        raise NoBackup("The file is a database, but not one of Overseer’s.")
    try:
        migrations.refuse_unknown(revision)
    except CommandError as other_version:
        raise NoBackup(f"{source} cannot be restored: {other_version}.") from other_version
    return revision


def _keep(engine: Engine, live: Path, data: Path, now: datetime) -> Path:
    """Copy the current database with its log, damaged or not; nobody writes to it now."""
    kept = new_backup(engine, folder_of(data), "before-restore", now).path
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    part = kept.with_name(f"{kept.name}.part")
    try:
        with contextlib.suppress(NotCopied):  # a damaged file keeps its log
            fold_log(live)
        _copy(live, part)
        on_disk(part)
        for tail in ("-wal", ""):
            if Path(f"{part}{tail}").exists():
                Path(f"{part}{tail}").replace(f"{kept}{tail}")
        return kept
    finally:
        _remove(part)


def _copy(source: Path, target: Path) -> None:
    for tail in ("", "-wal"):
        if Path(f"{source}{tail}").exists():
            Path(f"{target}{tail}").touch(mode=0o600)
            shutil.copyfile(f"{source}{tail}", f"{target}{tail}")


def _remove(path: Path) -> None:
    for tail in ("", *TAILS):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def _restore_postgres(engine: Engine, settings: Settings, source: Path, clock: Clock, *, unsound: bool) -> Restored:
    read_dump(source)
    parts = parts_in_script(postgres(None, "pg_restore", "--schema-only", "--file=-", str(source)))
    stored = postgres(None, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source))
    line = re.search(r"^COPY public\.alembic_version .*\n(\w+)$", stored, re.MULTILINE)
    revision = _checked(source, line and line[1])
    left = others(parts, revision)
    with ONE_AT_A_TIME, database_at(revision) as (_, schema):
        ours = {*schema.tables, *SQLModel.metadata.tables}
    before = _dumped(engine, settings, clock(), unsound=unsound)
    mark = settings.data / UNFINISHED
    if mark.exists():  # what was known before the interrupted restore
        stored = json.loads(mark.read_bytes())
        stored.pop("claims", None)  # of versions up to 0.5.0
        known = Known(**stored)
    else:
        known = known_before(engine)
        write_private(mark, json.dumps(asdict(known)).encode())
    try:
        clear_postgres(engine, ours)
        migrations.upgrade(engine, revision)
        with engine.connect() as connection:
            sequences = inspect(connection).get_sequence_names()
        columns = [text.removeprefix("column ") for text in left if text.startswith("column ")]
        with open_to_rows(engine, columns) as schema:
            names = [f"--table={table}" for table in (*schema.tables, *sequences) if table != "alembic_version"]
            postgres(
                engine.url, "pg_restore", "--data-only", "--schema=public", "--single-transaction", "--exit-on-error",
                *names, str(source),
            )  # fmt: skip
        events, broken = _prepare(engine, known, source, clock)
    except (NoBackup, DBAPIError) as failed:
        way = f"Restore the copy of the database from before: {before.name}" if before else "Restore a copy again."
        raise NoBackup(f"{failed} {way}") from failed
    mark.unlink()
    return Restored(events, broken, before, left)


def _dumped(engine: Engine, settings: Settings, now: datetime, *, unsound: bool) -> Path | None:
    """Copy the current database; None if it is damaged, and ``unsound`` accepts that it is not kept."""
    try:
        return back_up(engine, folder_of(settings.data), "before-restore", now).path
    except NoBackup as failed:
        if isinstance(failed, NoProgram) or not faults_of(engine):
            raise
        if unsound:
            return None
        raise NoBackup(
            f"The current database is damaged and cannot be copied ({failed}). Keep a copy of PostgreSQL’s own files, "
            "then run this again with --unsound."
        ) from failed


def _prepare(engine: Engine, known: Known, source: Path, clock: Clock) -> tuple[int, list[str]]:
    """Migrate a restored database, end old links and sign-ins, and check it. Returns its number of events and its
    faults.
    """
    migrations.upgrade(engine)
    made, now = made_at(source), clock()
    with Session(engine, expire_on_commit=False) as session:
        with write(session, now) as s:
            close_ended(s, None, known, now)
        events = session.exec(select(Event).order_by(col(Event.id))).all()
        for event in events:
            with write(session, now, event) as s:
                note_restored(s, event, known, made, now)
            if any(event_id == event.id for event_id, _, _ in known.erased):
                with write(session, now, event) as s:
                    repeat_erasures(s, event, known, now)
    with Session(engine) as session:
        return len(events), in_lines(check_invariants(session))


def made_at(source: Path) -> datetime:
    """When a copy was made, by its name, or by its file's time."""
    named_time = next((backup.at for backup in backups_in(source.parent) if backup.path.name == source.name), None)
    return named_time or datetime.fromtimestamp(source.stat().st_mtime, UTC)


def others_in(connection: Connection) -> list[str]:
    """The parts of a database of this version that this version does not have."""
    return others(parts_of(connection), migrations.head())


def others(parts: set[str], revision: str) -> list[str]:
    """The parts that a database at this revision does not have, sorted; of another table not its columns."""
    with ONE_AT_A_TIME, database_at(revision) as (engine, _), engine.connect() as made:
        own = parts_of(made)
    # Of PostgreSQL, because SQLite has no TRUNCATE.
    own |= {f"trigger {function.__tablename__}_is_not_emptied on {function.__tablename__}" for function in JOURNAL}
    strange = sorted(parts - own)
    tables = tuple(f"column {text[6:]}." for text in strange if text.startswith("table "))
    return [text for text in strange if not text.startswith(tables)]
