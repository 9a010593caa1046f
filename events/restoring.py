"""Restoring a copy of the whole database, with the service stopped.

The copy is checked first, and the present database is kept as a copy. Sessions, invitations and renewed private links
end, so that nothing from before the restore lets anybody in.
"""

import contextlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlmodel import Session, col, select

import migrations
from events.actions.restored import Link, end_old_keys, generations, note_restored
from events.backups import Backup, NoBackup, back_up, backups_in, check_mark, folder_of, on_disk, postgres
from events.invariants import Broken, check_invariants
from events.service_lock import InUse, alone
from events.settings import Settings
from models.copies import NotCopied, fold_log
from models.db import open_engine, write
from models.event import Event

Clock = Callable[[], datetime]
UNFINISHED = "restore-unfinished"
"""A file of this name in the data folder: a restore on PostgreSQL was interrupted. It names the copy of before."""
TAILS = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """What a restore did."""

    events: int
    marked: bool
    """The copy's SHA-256 was there, and it is right."""
    broken: Sequence[Broken]
    """What is wrong with the restored database; on SQLite empty unless that was accepted."""
    before: Backup | None
    """A copy of the database before the restore. None: it could not be read, and its files are in ``aside``."""
    aside: Path | None
    """The folder with the damaged files."""


class Unsound(NoBackup):
    """A copy that fails its checks; ``broken`` says why."""

    def __init__(self, broken: Sequence[Broken]) -> None:
        """With what is wrong."""
        super().__init__("The copy is not sound; nothing was changed.")
        self.broken = broken


def restore(settings: Settings, source: Path, clock: Clock, *, unsound: bool = False) -> Restored:
    """Replace the database by a copy. ``unsound``: even if its checks fail. Raises NoBackup and Unsound.

    Refused while the service runs.
    """
    if source.name != _unfinished(settings.data):
        refuse_unfinished(settings.data)
    marked = check_mark(source)
    engine = open_engine(settings.database_url)
    try:
        with alone(engine):
            if engine.dialect.name == "sqlite":
                return _restore_sqlite(engine, settings, source, clock, marked=marked, unsound=unsound)
            return _restore_postgres(engine, settings, source, clock, marked=marked)
    except InUse as running:
        raise NoBackup(str(running)) from running
    except DBAPIError as failed:
        raise NoBackup(f"The database does not answer: {failed.orig}. Nothing was changed.") from failed
    except OSError as failed:
        raise NoBackup(f"{settings.data} cannot be written: {failed.strerror}.") from failed
    finally:
        engine.dispose()


def refuse_unfinished(data: Path) -> None:
    """Raise NoBackup where a restore was interrupted: old links and cookies could let people in."""
    if before := _unfinished(data):
        raise NoBackup(
            f"A restore was interrupted. Run `overseer restore {before}` to go back to the database before it, then "
            "restore again."
        )


def _unfinished(data: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        return (data / UNFINISHED).read_text(encoding="utf-8")
    return ""


# ---- SQLite


def _restore_sqlite(
    engine: Engine, settings: Settings, source: Path, clock: Clock, *, marked: bool, unsound: bool
) -> Restored:
    live = Path(engine.url.database or "")
    fresh = live.with_name(f"{live.name}.restoring")
    _remove(fresh)
    try:
        fresh.touch(mode=0o600)
        shutil.copyfile(source, fresh)
        before = _kept_as_it_is(engine, settings.data, clock()) if live.exists() else None
        links = _links(engine) if live.exists() else {}
        engine.dispose()
        broken, events = _prepare(fresh, source, links, clock)
        if broken and not unsound:
            raise Unsound(broken)
        aside = _replace(live, fresh, settings.data, clock(), sound=before is not None)
        return Restored(events, marked, tuple(broken), before, aside)
    finally:
        _remove(fresh)


def _kept_as_it_is(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """A copy of the present database; None if it cannot be read. Raises NoBackup if there is no room for it."""
    try:
        return back_up(engine, folder_of(data), "before-restore", now)
    except NoBackup as failed:
        cause = failed.__cause__
        if isinstance(cause, OSError) or (isinstance(cause, NotCopied) and cause.full):
            raise
        return None


def _links(engine: Engine) -> Mapping[Link, int]:
    try:
        with Session(engine) as s:
            return generations(s)
    except DBAPIError as failed:
        if engine.dialect.name == "postgresql" and not isinstance(failed, ProgrammingError):
            raise  # the connection was lost: without the answer, links that were ended would open again
        return {}  # not our database, another version's, or damaged


def _prepare(fresh: Path, source: Path, links: Mapping[Link, int], clock: Clock) -> tuple[Sequence[Broken], int]:
    """Migrate the copy, end its old keys, and check it; returns what is wrong and how many events it has."""
    engine = open_engine(f"sqlite:///{fresh}")
    try:
        broken = _damage(engine)
        if broken:
            return broken, 0
        migrations.upgrade(engine)
        events = end_keys(engine, links, made_at(source), clock())
        with Session(engine) as s:
            broken = check_invariants(s)
        engine.dispose()
        fold_log(fresh)
        return broken, events
    except CommandError as other_version:
        raise NoBackup(f"{source} cannot be restored: {other_version}. Nothing was changed.") from other_version
    except DBAPIError as failed:
        return [Broken("I9", "", f"the copy cannot be read: {failed.orig}")], 0
    except NotCopied as failed:
        raise NoBackup(f"The copy could not be prepared: {failed}. Nothing was changed.") from failed
    finally:
        engine.dispose()


def _damage(engine: Engine) -> Sequence[Broken]:
    with engine.connect() as connection:
        said = [row[0] for row in connection.execute(text("PRAGMA integrity_check"))]
        if said == ["ok"] and not inspect(connection).has_table("alembic_version"):
            raise NoBackup("The file is a database, but not one of Overseer’s. Nothing was changed.")
    return [Broken("I9", "", f"the copy is damaged: {one}") for one in said if one != "ok"]


def _replace(live: Path, fresh: Path, data: Path, now: datetime, *, sound: bool) -> Path | None:
    """Put the prepared file in place of the database. A damaged database is kept in a folder of the backups."""
    on_disk(fresh)
    aside = None
    if live.exists() and not sound:
        aside = folder_of(data) / f"damaged-{now:%Y%m%dT%H%M%SZ}"
        aside.mkdir(parents=True, mode=0o700)
        for tail in ("", *TAILS):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy2(f"{live}{tail}", aside)
    for tail in TAILS:  # a log of another database must not be read into this one
        Path(f"{live}{tail}").unlink(missing_ok=True)
    fresh.replace(live)
    on_disk(live.parent)
    return aside


def _remove(path: Path) -> None:
    for tail in ("", *TAILS):
        Path(f"{path}{tail}").unlink(missing_ok=True)


# ---- PostgreSQL


def _restore_postgres(engine: Engine, settings: Settings, source: Path, clock: Clock, *, marked: bool) -> Restored:
    postgres(engine.url, "pg_restore", "--list", str(source), apart=True)
    before = back_up(engine, folder_of(settings.data), "before-restore", clock())
    links = _links(engine)
    mark, tables = settings.data / UNFINISHED, _tables(engine)
    mark.write_text(_unfinished(settings.data) or before.path.name, encoding="utf-8")
    on_disk(mark)
    try:
        postgres(
            engine.url, "pg_restore", "--clean", "--if-exists", "--single-transaction", "--no-owner",
            "--no-privileges", "--exit-on-error", str(source),
        )  # fmt: skip
    except NoBackup:
        if _tables(engine) == tables:  # nothing was replaced
            mark.unlink()
        raise
    try:
        migrations.upgrade(engine)
        events = end_keys(engine, links, made_at(source), clock())
        with Session(engine) as s:
            broken = check_invariants(s)
    except (CommandError, DBAPIError) as failed:
        raise NoBackup(
            f"{source} was restored, and cannot be used: {failed}. Run `overseer restore {before.path.name}`."
        ) from failed
    mark.unlink()
    return Restored(events, marked, tuple(broken), before, None)


def _tables(engine: Engine) -> int | None:
    """Which table of events the database has: another one once a copy has replaced it."""
    with engine.connect() as connection:
        found: int | None = connection.scalar(text("SELECT CAST(to_regclass('event') AS oid)"))
    return found


# ---- both


def end_keys(engine: Engine, links: Mapping[Link, int], made: datetime, now: datetime) -> int:
    """End what a copy made at ``made`` would let in again; returns how many events it has."""
    with Session(engine, expire_on_commit=False) as session:
        with write(session, now) as s:
            end_old_keys(s, now)
        events = session.exec(select(Event).order_by(col(Event.id))).all()
        for event in events:
            with write(session, now, event) as s:
                note_restored(s, event, links, made, now)
    return len(events)


def made_at(source: Path) -> datetime:
    """When a copy was made: by its name, else by its file."""
    known = next((one.at for one in backups_in(source.parent) if one.path.name == source.name), None)
    return known or datetime.fromtimestamp(source.stat().st_mtime, UTC)
