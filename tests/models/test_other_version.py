"""A change and another version of the code: it is refused where that one has the database, and keeps it from coming."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

import migrations
from events.commands.database import _remedy
from models.db import OtherVersion, hold_to, open_engine
from tests.actions.stage import Stage
from tests.chaos.next_release import REVISION, become, laid_out, migrating, say
from tests.conftest import Clock

PATIENCE = 30.0


@pytest.fixture
def other_engine(database_url: str) -> Iterator[Engine]:
    """The newer server's."""
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def held(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """Changes of this version, and no other's."""
    hold_to(engine, migrations.head())
    stage = Stage(engine, clock)
    yield stage
    stage.s.close()


def upgrade(engine: Engine, folder: Path, patience: int = 10) -> None:
    """To the release after this one, by Alembic."""
    with engine.connect() as connection:
        config = migrations.alembic_config(connection)
        config.set_main_option("script_location", str(folder))
        config.attributes["patience"] = patience
        command.upgrade(config, "head")
        connection.commit()


def revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return migrations.revision_of(connection)


def started(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    """Do it in a thread; what it raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


def wait_until_one_waits(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        time.sleep(0.2)  # nobody can be asked
        return
    until = time.monotonic() + PATIENCE
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        while not connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one():
            assert time.monotonic() < until, "nobody waits"
            time.sleep(0.02)


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_nothing_is_stored_in_the_database_of_another_version(held: Stage, engine: Engine) -> None:
    event, ours = held.event(), migrations.head()
    before = held.digest()
    become(engine, REVISION)
    with pytest.raises(OtherVersion, match=REVISION), held.changing(event):
        raise AssertionError("it is refused before anything is done")
    with pytest.raises(OtherVersion), held.changing():
        raise AssertionError("it is refused before anything is done")
    held.s.rollback()
    become(engine, "")
    with pytest.raises(OtherVersion, match="at no revision"), held.changing(event):
        raise AssertionError("it is refused before anything is done")
    held.s.rollback()
    become(engine, ours)
    assert held.digest() == before
    with held.changing(event):
        pass


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_an_upgrade_waits_for_a_change_and_a_change_that_waited_for_it_is_refused(
    held: Stage, engine: Engine, other_engine: Engine, tmp_path: Path
) -> None:
    event, ours, folder = held.event(), migrations.head(), laid_out(tmp_path / "next")
    with held.changing(event):
        upgrading, failed = started(lambda: upgrade(other_engine, folder))
        wait_until_one_waits(engine)
        assert upgrading.is_alive()
    upgrading.join(PATIENCE)
    assert (failed, revision(engine)) == ([], REVISION)
    become(engine, ours)

    def change() -> None:
        with held.changing(event):
            raise AssertionError("it is refused before anything is done")

    with migrating(other_engine) as connection:
        say(connection, REVISION)
        changing, refused = started(change)
        wait_until_one_waits(engine)
        assert changing.is_alive()
    changing.join(PATIENCE)
    assert [type(one) for one in refused] == [OtherVersion]


@pytest.mark.proves("F18")
@pytest.mark.postgres
def test_an_upgrade_that_gets_a_table_of_somebody_else_not_in_time_changes_nothing_and_says_so(
    held: Stage, engine: Engine, other_engine: Engine, tmp_path: Path
) -> None:
    held.event()
    before, ours = held.digest(), migrations.head()
    with engine.connect() as reader:
        reader.execute(text("SELECT count(*) FROM report"))
        with pytest.raises(DBAPIError, match="lock timeout") as failed:
            upgrade(other_engine, laid_out(tmp_path / "next"), patience=1)
    assert "Another server works with it" in _remedy(failed.value)
    assert (held.digest(), revision(engine)) == (before, ours)
