"""Looking after the database: checks find what is wrong, and copies are made when they are due."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from events.backups import NoBackup, backups_in, folder_of
from events.keeping import Keeper, check, copy_if_due, last_check
from models.capture import store_told
from models.event import Event
from tests.actions.stage import Stage
from tests.conftest import Clock


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Stage:
    """An event of two."""
    stage = Stage(engine, clock)
    stage.enter(stage.event(), "Ada", "Bo")
    stage.s.close()
    return stage


def rename(stage: Stage) -> None:
    """Change a row without anybody's having written it, as a damaged disk does."""
    stage.s.connection().execute(text("UPDATE player SET name = 'Oda' WHERE name = 'Ada'"))
    stage.s.commit()


def damage(stage: Stage, file: Path) -> None:
    stage.s.close()
    stage.engine.dispose()
    data = bytearray(file.read_bytes())
    data[-4096:] = b"\xff" * 4096
    data[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    file.write_bytes(data)


@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
def test_check_finds_a_changed_row_and_keeps_what_it_found(stage: Stage, tmp_path: Path, database_url: str) -> None:
    assert (check(stage.engine, tmp_path), last_check(tmp_path)) == ([], [])
    rename(stage)
    found = check(stage.engine, tmp_path)
    assert found == last_check(tmp_path) == ["I8  iron-open: the journal does not account for player 1.name"]
    stage.s.connection().execute(text("UPDATE player SET name = 'Ada' WHERE name = 'Oda'"))
    stage.s.commit()
    assert (check(stage.engine, tmp_path), last_check(tmp_path)) == ([], [])


@pytest.mark.proves("F21", "I9", "G6")
def test_check_finds_a_damaged_file(stage: Stage, tmp_path: Path, sqlite_file: Path) -> None:
    damage(stage, sqlite_file)
    assert check(stage.engine, tmp_path)[0].startswith("I9  the file")
    sqlite_file.write_bytes(b"no database at all " * 500)
    stage.engine.dispose()
    assert check(stage.engine, tmp_path) == ["I9  the file cannot be read: file is not a database"]


@pytest.mark.proves("F20")
def test_copies_are_made_when_there_is_something_new_and_after_steps_of_the_day(
    stage: Stage, tmp_path: Path, clock: Clock
) -> None:
    def due() -> str:
        stage.s.rollback()
        made = copy_if_due(stage.engine, tmp_path, clock())
        return made.why if made else ""

    event = stage.one(Event)
    clock.advance(seconds=5)
    assert due() == "hourly"
    clock.advance(hours=3)
    assert due() == "", "nothing is new"
    stage.enter(event, "Cy", "Dee")
    clock.advance(seconds=5)
    assert due() == "hourly"
    clock.advance(minutes=2)
    stage.enter(event, "Eve")
    assert due() == "", "an entry can wait for the hour"
    stage.publish(event, 1)
    assert due() == "step"
    assert due() == ""
    assert len(backups_in(folder_of(tmp_path))) == 3


@pytest.mark.proves("attack 65")
@pytest.mark.parametrize("later", [timedelta(days=9999), timedelta(minutes=1)])
def test_imported_journal_lines_ask_for_no_copy(stage: Stage, tmp_path: Path, clock: Clock, later: timedelta) -> None:
    event = stage.one(Event)
    clock.advance(seconds=5)
    assert copy_if_due(stage.engine, tmp_path, clock()) is not None
    line = {"at": clock() + later, "actor": "Olga", "verb": "cut", "text": "Cut", "details": {"imported": True}}
    clock.advance(minutes=2)
    stage.enter(event, "Cy")
    with stage.changing(event) as s:
        store_told(s.connection(), event.id, [line])
    stage.s.rollback()
    assert copy_if_due(stage.engine, tmp_path, clock()) is None, "an entry can wait for the hour"


def test_keeper_checks_daily_and_keeps_the_good_copies_of_a_damaged_database(
    stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path
) -> None:
    keeper = Keeper(stage.engine, tmp_path)
    clock.advance(minutes=1)
    keeper.pass_by(clock())
    assert (last_check(tmp_path), len(backups_in(folder_of(tmp_path)))) == ([], 1)
    rename(stage)
    keeper.pass_by(clock())
    assert last_check(tmp_path) == [], "a day has not gone by"
    clock.now += timedelta(days=1)
    keeper.pass_by(clock())
    assert len(last_check(tmp_path)) == 1
    stage.enter(stage.one(Event), "Cy")
    damage(stage, sqlite_file)
    clock.now += timedelta(days=1)
    keeper.pass_by(clock())
    assert len(backups_in(folder_of(tmp_path))) == 1


def test_a_copy_that_has_no_room_is_told(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "backups").touch()
    clock.advance(minutes=1)
    with pytest.raises(NoBackup):
        copy_if_due(stage.engine, tmp_path, clock())
    Keeper(stage.engine, tmp_path).pass_by(clock())
