"""Copies of the whole database, on SQLite and PostgreSQL: made, checked, restored, and the old ones removed."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

import migrations
from app import create_app
from events.accounts import actions as accounts_actions
from events.journal.invariants import check_invariants
from models.db import sqlite_module
from models.people import Account, SetUpLink
from models.staff import Invitation, Role
from service.backups import (
    Backup,
    NoBackup,
    Restored,
    back_up,
    backups_in,
    clear_away,
    folder_of,
    refuse_running,
    refuse_unfinished,
    restore,
    write_copy,
)
from service.commands.maintain import check
from service.health import last_check
from service.lock import InUse
from service.settings import Settings
from tests.kit.postgres import client_programs
from tests.kit.stage import Clock, Event, Player, Stage
from tests.kit.statements import listening

DAY = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.fixture
def stage(engine: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The test's database, with PostgreSQL's own programs at hand."""
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    opened = Stage(engine, clock)
    yield opened
    opened.s.close()


@pytest.fixture
def copied(stage: Stage, settings: Settings, clock: Clock) -> Callable[[], Backup]:
    def make() -> Backup:
        stage.s.rollback()
        return back_up(stage.engine, folder_of(settings.data), "asked", clock())

    return make


def put_back(stage: Stage, settings: Settings, path: Path, clock: Clock) -> Restored:
    close(stage)
    done = restore(settings, path, clock)
    assert done.broken == []
    return done


def close(stage: Stage) -> None:
    """End the test's connections; the session makes a new one when it is used."""
    stage.s.close()
    stage.engine.dispose()


@pytest.mark.proves("G7", "F20")
@pytest.mark.both_databases
def test_restore_replaces_the_database_and_keeps_a_copy_of_it(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup], database_url: str
) -> None:
    event = stage.event(players=("Ada", "Bo"))
    backup = copied()
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    done = put_back(stage, settings, backup.path, clock)
    assert done.events == 1
    assert [one.name for one in stage.all(Player)] == ["Ada", "Bo"]
    assert stage.all(Event)[0].state.value == "registration"
    assert "The whole service went back to its copy of 2026-11-21 09:00 UTC" in stage.journal(stage.all(Event)[0])
    assert check_invariants(stage.s) == []

    assert done.before is not None
    put_back(stage, settings, done.before, clock)
    event = stage.one(Event)
    assert (event.state.value, stage.games(event, 1)[0].state.value) == ("in_progress", "confirmed")


@pytest.mark.proves("F20")
@pytest.mark.both_databases
def test_old_links_and_cookies_are_invalid_after_a_restore(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup], database_url: str
) -> None:
    olga = stage.set_up("Olga")
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.do(event, accounts_actions.invite, Role.JUDGE, olga)
    stage.set_up_link()
    backup, was, generation = copied(), olga.session_key, stage.now(ada).link_generation
    stage.set(event, ada, link_generation=generation + 3)  # a link that was lost, and ended
    put_back(stage, settings, backup.path, clock)
    assert stage.one(Account).session_key != was, "a browser signed in before is signed out"
    assert stage.one(SetUpLink).used_at is not None
    invitation = stage.one(Invitation)
    assert accounts_actions.why_ended(invitation, clock()) == "This invitation was withdrawn."
    generations = {one.name: one.link_generation for one in stage.all(Player)}
    assert generations == {"Ada": generation + 3, "Bo": generation}, "the link that was ended stays ended"


@pytest.mark.proves("F20")
@pytest.mark.both_databases
def test_restore_is_refused_while_the_service_runs(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup]
) -> None:
    event = stage.event()
    backup = copied()
    stage.set(event, name="Later")
    close(stage)
    service = create_app(settings, clock=clock, running=True)
    with pytest.raises(InUse, match=r"Overseer is running on this database. Stop it first"):
        restore(settings, backup.path, clock)
    with pytest.raises(InUse):
        refuse_running(settings)  # before the command asks for confirmation
    assert service.test_client().get("/e/iron-open").status_code == 200
    assert stage.one(Event).name == "Later"
    close(stage)
    service.extensions["overseer_engine"].dispose()
    assert restore(settings, backup.path, clock).events == 1, "the control: the same, with the service stopped"


@pytest.mark.proves("F20", "attack 53")
@pytest.mark.postgres
def test_service_does_not_start_after_an_interrupted_restore(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup]
) -> None:
    """The copy is in, and its old keys have not ended."""
    olga = stage.set_up("Olga")
    ada, _ = stage.enter(stage.event(), "Ada", "Bo")
    backup, was, generation = copied(), olga.session_key, stage.now(ada).link_generation
    with stage.changing():
        ada.link_generation += 3
    stage.s.close()

    def interrupt(connection: object, cursor: object, statement: str, *_: object) -> None:
        if "UPDATE organiser" in statement:
            raise KeyboardInterrupt

    with listening(Engine, "before_cursor_execute", interrupt), pytest.raises(KeyboardInterrupt):
        restore(settings, backup.path, clock)
    with pytest.raises(NoBackup, match="A restore was interrupted"):
        refuse_unfinished(settings.data)
    restore(settings, backup.path, clock)
    refuse_unfinished(settings.data)
    assert stage.one(Account).session_key != was
    assert stage.one(Player, name="Ada").link_generation == generation + 3


@pytest.mark.proves("F20")
@pytest.mark.postgres
def test_failed_restore_changes_nothing(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup]
) -> None:
    stage.event()
    backup = copied()
    cut = backup.path.with_name("cut.pgdump")
    cut.write_bytes(backup.path.read_bytes()[:-200])
    with stage.unchanged():
        stage.s.rollback()
        with pytest.raises(NoBackup, match="pg_restore"):
            restore(settings, cut, clock)
        refuse_unfinished(settings.data)


def test_copy_is_private_and_complete_or_absent(
    stage: Stage, settings: Settings, copied: Callable[[], Backup], tmp_path: Path
) -> None:
    first, second = copied(), copied()
    assert first.path != second.path
    assert [one.path for one in backups_in(folder_of(settings.data))] == [second.path, first.path]
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    with pytest.raises(NoBackup, match="exists already"):
        write_copy(stage.engine, first.path)
    (tmp_path / "file").touch()
    with pytest.raises(NoBackup, match="cannot be written"):
        write_copy(stage.engine, tmp_path / "file" / "copy.sqlite3")
    assert sorted(folder_of(settings.data).iterdir()) == [first.path, second.path]


def test_damaged_or_foreign_copy_is_refused_and_changes_nothing(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup], tmp_path: Path
) -> None:
    stage.enter(stage.event(), "Ada", "Bo")
    sound = copied().path
    data = sound.read_bytes()
    with stage.unchanged():
        changed = tmp_path / "changed.sqlite3"
        changed.write_bytes(data)
        with closing(sqlite_module().connect(changed, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("UPDATE player SET name = 'Oda' WHERE name = 'Ada'")
        flipped = changed.read_bytes()
        newer = data.replace(migrations.head().encode(), b"29991231_newer".ljust(len(migrations.head()), b"x"))
        for name, content, said in (
            ("none", None, "There is no file"),
            ("text", b"no database at all " * 500, "cannot be read: file is not a database"),
            ("cut", data[: len(data) // 2], "damaged|cannot be read"),
            ("flipped", flipped, "the journal does not account for player"),
            ("newer", newer, "cannot be restored: Can't locate revision"),
            ("empty", b"", "not one of Overseer’s"),
        ):
            path = tmp_path / f"{name}.sqlite3"
            if content is not None:
                path.write_bytes(content)
            with pytest.raises(NoBackup) as refused:
                restore(settings, path, clock)
            assert re.search(said, str(refused.value)), (name, refused.value)
        stage.s.rollback()
    assert [one.name for one in settings.data.parent.glob("**/*.restoring*")] == []


@pytest.mark.proves("G6", "F21")
def test_damaged_database_is_kept_and_replaced_by_the_copy(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup], sqlite_file: Path
) -> None:
    stage.enter(stage.event(), "Ada", "Bo")
    backup = copied()
    close(stage)
    sqlite_file.write_bytes(b"no database at all " * 500)
    assert check(stage.engine, settings.data) == last_check(settings.data) != []
    done = put_back(stage, settings, backup.path, clock)
    assert last_check(settings.data) == []
    assert done.before is not None
    assert done.before.read_bytes().startswith(b"no database")
    assert len(stage.all(Player)) == 2


@pytest.mark.proves("F21", "F25")
def test_renewed_link_stays_renewed_if_the_damaged_database_is_readable(
    stage: Stage, settings: Settings, clock: Clock, copied: Callable[[], Backup], sqlite_file: Path
) -> None:
    ada, _ = stage.enter(stage.event(), "Ada", "Bo")
    backup, generation = copied(), stage.now(ada).link_generation
    with stage.changing():
        ada.link_generation += 3
    with stage.engine.connect() as opened:
        opened.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        root = opened.exec_driver_sql("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_entry'").scalar_one()
        size = opened.exec_driver_sql("PRAGMA page_size").scalar_one()
    close(stage)
    with sqlite_file.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"no page " * (size // 8))
    restore(settings, backup.path, clock)
    assert {one.name: one.link_generation for one in stage.all(Player)} == {"Ada": generation + 3, "Bo": generation}


def test_old_automatic_copies_are_deleted(tmp_path: Path) -> None:
    def make(days: float, why: str) -> str:
        path = tmp_path / f"overseer-{DAY - timedelta(days=days):%Y%m%dT%H%M%S}Z-{why}.sqlite3"
        path.touch()
        return path.name

    automatic = [make(tenths / 144, "automatic") for tenths in range(144 * 20)]
    others = {make(40, "before-upgrade"), make(300, "asked")}
    make(61, "before-upgrade")
    (tmp_path / "mine.sqlite3").touch()
    clear_away(tmp_path, DAY)
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {*automatic[:24], *others, "mine.sqlite3"}
    days = sorted({one.at.date() for one in backups_in(tmp_path) if one.why == "automatic"})
    assert days == [(DAY - timedelta(days=n)).date() for n in reversed(range(14))]
    assert len(left) == 24 + 13 + len(others) + 1
    assert clear_away(tmp_path / "none", DAY) == []
