"""Looking after the database: checks, copies when they are due, and the lock that services share."""

import resource
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

import migrations
from app import create_app
from models.db import open_engine
from service.backups import NoBackup, backups_in, folder_of
from service.commands.maintain import check, copy_if_due
from service.health import FILE, keep_findings, last_check
from service.lock import InUse, alone, share
from service.restore import replaces
from service.settings import Settings
from tests.kit.stage import Clock, Event, Stage
from tests.service.conftest import Shell


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Stage:
    stage = Stage(engine, clock)
    stage.enter(stage.event(), "Ada", "Bo")
    stage.s.close()
    return stage


def rename(stage: Stage, old: str = "Ada", new: str = "Oda") -> None:
    """Change a row without a write by the service, as a damaged disk does."""
    stage.s.connection().execute(text("UPDATE player SET name = :new WHERE name = :old"), {"old": old, "new": new})
    stage.s.commit()


def damage(stage: Stage, file: Path) -> None:
    """Damage rows, but not what the database says of its tables: it still opens."""
    query = text("SELECT rootpage FROM sqlite_schema WHERE name IN ('round', 'game')")
    pages = stage.s.connection().execute(query).scalars().all()
    stage.s.close()
    stage.engine.dispose()
    data = bytearray(file.read_bytes())
    for page in pages:
        data[4096 * (page - 1) : 4096 * page] = b"\xff" * 4096
    file.write_bytes(data)


@pytest.mark.proves("F21", "I8")
@pytest.mark.both_at_length
def test_check_finds_a_changed_row_and_stores_its_findings(stage: Stage, tmp_path: Path, database_url: str) -> None:
    def found() -> Sequence[str]:
        findings = check(stage.engine, tmp_path)
        assert findings == last_check(tmp_path)
        return findings

    assert found() == []
    rename(stage)
    assert found() == ["I8  iron-open: the journal does not account for player 1.name"]
    rename(stage, "Oda", "Ada")
    assert found() == []


@pytest.mark.proves("F21", "I9", "G6")
def test_check_finds_a_damaged_file(stage: Stage, tmp_path: Path, sqlite_file: Path) -> None:
    damage(stage, sqlite_file)
    assert check(stage.engine, tmp_path)[0].startswith("I9  the file")
    sqlite_file.write_bytes(b"no database at all " * 500)
    stage.engine.dispose()
    assert check(stage.engine, tmp_path) == ["I9  the file cannot be read: file is not a database"]


@pytest.mark.proves("F20")
def test_changes_are_copied_every_ten_minutes(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    def copied(**later: float) -> bool:
        clock.advance(**later)
        stage.s.rollback()
        return copy_if_due(stage.engine, tmp_path, clock()) is not None

    assert copied(seconds=5)
    assert not copied(hours=3), "nothing has changed"
    stage.enter(stage.one(Event), "Cy", "Dee")
    assert copied(seconds=5)
    stage.publish(stage.one(Event), 1)
    assert not copied(minutes=9), "the newest copy is too new"
    assert copied(minutes=1)
    assert len(backups_in(folder_of(tmp_path))) == 3


def test_good_copies_of_a_damaged_database_are_kept(
    stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path
) -> None:
    clock.advance(minutes=1)
    folder_of(tmp_path).touch()
    with pytest.raises(NoBackup):
        copy_if_due(stage.engine, tmp_path, clock())
    folder_of(tmp_path).unlink()
    assert copy_if_due(stage.engine, tmp_path, clock()) is not None
    stage.enter(stage.one(Event), "Cy")
    damage(stage, sqlite_file)
    clock.advance(hours=1)
    check(stage.engine, tmp_path)
    assert copy_if_due(stage.engine, tmp_path, clock()) is None
    assert len(backups_in(folder_of(tmp_path))) == 1


def test_failed_copy_has_the_database_checked(stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path) -> None:
    clock.advance(minutes=1)
    damage(stage, sqlite_file)
    with pytest.raises(NoBackup):
        copy_if_due(stage.engine, tmp_path, clock())
    assert last_check(tmp_path)[0].startswith("I9")


def test_copies_from_before_the_damage_stay_for_60_days(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    clock.advance(minutes=1)
    for sound, days in ((True, 20), (False, 60)):
        if not sound:
            rename(stage)
            assert check(stage.engine, tmp_path) != []
        for _ in range(80):
            clock.advance(days=1)
            path = folder_of(tmp_path) / f"overseer-{clock():%Y%m%dT%H%M%S}Z-automatic.sqlite3"
            path.parent.mkdir(exist_ok=True)
            path.touch()
        clock.advance(days=1)
        stage.enter(stage.one(Event), f"Newcomer {days}")
        copy_if_due(stage.engine, tmp_path, clock())
        assert len(backups_in(folder_of(tmp_path))) == max(days, 24), sound


def test_findings_are_kept_when_the_disk_is_full(tmp_path: Path) -> None:
    keep_findings(tmp_path, ["I9  the file is damaged"])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
    try:
        with pytest.raises(OSError, match="large"):
            keep_findings(tmp_path, ["I9  the file is damaged still"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert last_check(tmp_path) == ["I9  the file is damaged"]
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_copies_go_on_after_the_clock_was_a_day_ahead(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    names = iter(f"Player {number}" for number in range(100))

    def copied(**later: float) -> Path | None:
        clock.advance(**later)
        stage.s.rollback()
        stage.enter(stage.one(Event), next(names))
        made = copy_if_due(stage.engine, tmp_path, clock())
        return made.path if made else None

    first, ahead = copied(minutes=1), [copied(days=1), *(copied(minutes=10) for _ in range(30))]
    assert first and all(ahead), "the control"
    newest = copied(days=-1, minutes=-290)
    assert newest is not None
    assert newest.exists(), "it is not deleted in favour of copies that are older"
    assert copied(minutes=9) is None
    newest = copied(minutes=1)
    assert newest is not None
    assert backups_in(folder_of(tmp_path), clock())[0].path == newest
    assert {*ahead[-20:], first} <= {*folder_of(tmp_path).iterdir()}, "the others stay until there are newer ones"


def service(settings: Settings, clock: Clock) -> Engine:
    engine: Engine = create_app(settings, clock=clock, running=True).extensions["overseer_engine"]
    return engine


@pytest.mark.proves("F18", "F20")
@pytest.mark.both_databases
def test_services_share_the_lock_and_a_migration_holds_it_exclusively(
    engine: Engine, settings: Settings, clock: Clock
) -> None:
    first, second = service(settings, clock), service(settings, clock)
    for running in (first, second):
        with pytest.raises(InUse, match="Stop it first"), alone(engine):
            pass
        running.dispose()
    with alone(engine), pytest.raises(InUse), alone(engine):
        pass
    with alone(engine):
        pass


@pytest.mark.postgres
def test_migration_waits_for_a_closing_connection(engine: Engine, settings: Settings, clock: Clock) -> None:
    running = service(settings, clock)
    running.connect().close()
    closing = Timer(0.3, running.dispose)
    closing.start()
    with alone(engine):
        closing.join()


@pytest.mark.both_databases
def test_service_cannot_start_during_a_migration(engine: Engine, settings: Settings) -> None:
    starting = open_engine(settings.database_url)
    with alone(engine), pytest.raises((InUse, OperationalError)):
        share(starting)
        starting.connect()
    starting.dispose()
    share(starting)
    starting.connect().close()
    starting.dispose()


@pytest.mark.proves("F18")
@pytest.mark.postgres
def test_service_takes_the_lock_again_after_losing_its_connections(
    engine: Engine, settings: Settings, clock: Clock
) -> None:
    running = service(settings, clock)
    others = text(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with engine.connect() as connection:
        assert connection.execute(others).scalars().all() == [True]
    with alone(engine):
        pass  # the control: the lock went with the connection
    with running.connect() as connection:
        connection.execute(text("SELECT 1"))
    with pytest.raises(InUse), alone(engine):
        pass
    running.dispose()


@pytest.mark.proves("F18", "F19")
@pytest.mark.both_databases
def test_migrate_command_refuses_while_the_service_runs(
    shell: Shell, engine: Engine, settings: Settings, clock: Clock, empty_url: str
) -> None:
    migrations.upgrade(other := open_engine(empty_url))
    running = service(Settings(settings.data, empty_url, settings.secret, settings.host, settings.port), clock)
    words = {"DATABASE_URL": empty_url, "OVERSEER_DATA": str(settings.data), "OVERSEER_SECRET": settings.secret}
    assert shell("migrate", **words).exit_code == 0, "nothing is to be done"
    with other.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '20261130_tables'"))
    refused = shell("migrate", **words)
    assert (refused.exit_code, "Overseer is running on this database. Stop it first" in refused.output) == (1, True)
    running.dispose()
    other.dispose()


@pytest.mark.both_databases
def test_restore_replaces_a_database_with_tables_only(settings: Settings, database_url: str, empty_url: str) -> None:
    databases = (replace(settings, database_url=url) for url in (database_url, empty_url))
    assert [replaces(each) for each in databases] == [True, False]


def test_lock_file_is_private(engine: Engine, settings: Settings, clock: Clock, sqlite_file: Path) -> None:
    service(settings, clock).dispose()
    assert Path(f"{sqlite_file}.lock").stat().st_mode & 0o077 == 0
