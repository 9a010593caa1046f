"""The service lock: shared by what runs, held alone by a migration or a restore, on both databases."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

import migrations
from app import create_app
from models.db import open_engine
from service.lock import InUse, alone, share
from service.settings import Settings
from tests.conftest import Clock
from tests.service.conftest import Shell


def service(settings: Settings, clock: Clock) -> Engine:
    engine: Engine = create_app(settings, clock=clock, running=True).extensions["overseer_engine"]
    return engine


@pytest.mark.proves("F18", "F20")
@pytest.mark.both_databases
def test_running_services_share_the_lock_and_a_migration_needs_it_alone(
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


def test_lock_file_is_private(engine: Engine, settings: Settings, clock: Clock, sqlite_file: Path) -> None:
    service(settings, clock).dispose()
    assert Path(f"{sqlite_file}.lock").stat().st_mode & 0o077 == 0
