"""Looking after the database: what is wrong is found and told, copies are made when they are due."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from events.backups import NoBackup, backups_in, folder_of
from events.keeping import Keeper, copy_if_due, look
from events.trouble import (
    ASKED,
    DAMAGED,
    FILE,
    RESTORING,
    Trouble,
    ask_for_a_look,
    closed_for_restoring,
    tell,
    trouble_in,
)
from models.change_rows import store_told
from models.event import Event
from tests.actions.stage import Stage
from tests.chaos.next_release import REVISION, become
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


@pytest.mark.proves("F21")
@pytest.mark.parametrize(("written", "closed"), [("'drown'", ""), ("CAST(x'ff41' AS TEXT)", DAMAGED)])
def test_what_no_words_can_be_made_of_is_found_all_the_same(
    stage: Stage, tmp_path: Path, clock: Clock, written: str, closed: str
) -> None:
    """A state that there is not, and letters that are none: SQLite passes both."""
    stage.s.connection().execute(text("PRAGMA ignore_check_constraints=ON"))
    stage.s.connection().execute(text(f"UPDATE player SET state = {written} WHERE name = 'Ada'"))  # noqa: S608
    stage.s.commit()
    known = look(stage.engine, tmp_path, clock())
    assert known is not None
    assert (known.closed, [*known.events]) == (closed, [] if closed else ["iron-open"])


@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
def test_a_row_that_nobody_wrote_is_told_of_its_event_and_of_no_other(
    stage: Stage, tmp_path: Path, clock: Clock, database_url: str
) -> None:
    assert look(stage.engine, tmp_path, clock()) is None
    assert trouble_in(tmp_path) is None
    stage.event("Rust Cup")
    rename(stage)
    known = look(stage.engine, tmp_path, clock())
    assert known is not None
    assert known.closed == ""
    assert known.events.keys() == {"iron-open"}
    assert known == trouble_in(tmp_path)
    stage.s.connection().execute(text("UPDATE player SET name = 'Ada' WHERE name = 'Oda'"))
    stage.s.commit()
    assert look(stage.engine, tmp_path, clock()) is None
    assert trouble_in(tmp_path) is None, "what was put right is told no more"


@pytest.mark.proves("F21", "I9", "G6")
def test_a_damaged_file_closes_the_service(stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path) -> None:
    damage(stage, sqlite_file)
    known = look(stage.engine, tmp_path, clock())
    assert known is not None
    assert known.closed == DAMAGED
    assert known.found
    sqlite_file.write_bytes(b"no database at all " * 500)
    stage.engine.dispose()
    again = look(stage.engine, tmp_path, clock())
    assert again is not None
    assert again.found == ["the file cannot be read: file is not a database"]


def test_who_does_not_answer_is_not_judged(stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path) -> None:
    known = Trouble("", "", [], {"iron-open": ["said before"]})
    tell(tmp_path, known)
    stage.s.close()
    with stage.engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    sqlite_file.rename(sqlite_file.with_suffix(".away"))
    assert look(stage.engine, tmp_path, clock()) == trouble_in(tmp_path) == known
    sqlite_file.with_suffix(".away").rename(sqlite_file)
    tell(tmp_path, closed_for_restoring(clock()))
    going_back = look(stage.engine, tmp_path, clock())
    assert going_back is not None
    assert going_back.closed == RESTORING


def test_with_little_time_the_newest_events_are_looked_at_and_nothing_is_taken_back(
    stage: Stage, tmp_path: Path, clock: Clock
) -> None:
    rename(stage)
    tell(tmp_path, Trouble("", "", [], {"iron-open": ["said before"]}))
    assert look(stage.engine, tmp_path, clock(), within=-1.0) == trouble_in(tmp_path)
    assert trouble_in(tmp_path) is not None


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


def test_the_keeper_looks_daily_and_when_asked_and_copies_nothing_damaged(
    stage: Stage, tmp_path: Path, clock: Clock, sqlite_file: Path
) -> None:
    keeper = Keeper(stage.engine, tmp_path)
    clock.advance(minutes=1)
    keeper.pass_by(clock())
    assert (trouble_in(tmp_path), len(backups_in(folder_of(tmp_path)))) == (None, 1)
    rename(stage)
    keeper.pass_by(clock())
    assert trouble_in(tmp_path) is None, "a day has not gone by"
    ask_for_a_look(tmp_path)
    keeper.pass_by(clock())
    assert trouble_in(tmp_path) is not None
    assert not (tmp_path / ASKED).exists()
    stage.s.connection().execute(text("UPDATE player SET name = 'Ada' WHERE name = 'Oda'"))
    stage.s.commit()
    clock.now += timedelta(days=1)
    keeper.pass_by(clock())
    assert trouble_in(tmp_path) is None
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


@pytest.mark.proves("F18")
def test_the_keeper_of_an_older_version_says_nothing_of_rows_that_a_newer_one_wrote(
    stage: Stage, tmp_path: Path, clock: Clock
) -> None:
    rename(stage)
    assert look(stage.engine, tmp_path, clock()) is not None
    (tmp_path / FILE).unlink()
    become(stage.engine, REVISION)
    assert look(stage.engine, tmp_path, clock()) is None
