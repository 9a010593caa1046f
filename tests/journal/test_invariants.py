"""What must be true of every database: a played event keeps it all, and each promise that is broken is named."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from events.journal.invariants import check_invariants, in_lines
from models.event import Event
from models.kept_answer import KeptAnswer
from tests.conftest import Clock
from tests.kit.stage import Stage

Spoil = Callable[[str], list[str]]
TWICE = (
    "CREATE TABLE loose AS SELECT * FROM kept_answer; DROP TABLE kept_answer; "
    "ALTER TABLE loose RENAME TO kept_answer; "
    "INSERT INTO kept_answer SELECT id + 1, event_id, who, key, sha256, said, at, player_id FROM kept_answer"
)
"""Every kept answer again, in a table that forbids nothing."""


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """A stage whose database may be spoilt."""
    made = Stage(engine, clock)
    yield made
    made.s.close()


@pytest.fixture
def played(stage: Stage) -> Event:
    """Four players: round 1 is played, round 2 is drawn."""
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.play(event, 1)
    stage.draw(event, 2)
    return event


@pytest.fixture
def spoil(stage: Stage, played: Event) -> Spoil:
    """Change rows behind the back of everything, and tell what is found broken."""

    def change(statement: str) -> list[str]:
        with stage.engine.connect() as connection:
            raw = connection.connection.dbapi_connection
            assert raw is not None
            cursor = raw.cursor()
            cursor.execute("PRAGMA foreign_keys=OFF")
            for one in statement.split(";"):
                cursor.execute(one)
            cursor.execute("PRAGMA foreign_keys=ON")
            raw.commit()
        with Session(stage.engine) as s:
            return in_lines(check_invariants(s))

    return change


@pytest.mark.both_databases
def test_a_played_event_keeps_every_promise(stage: Stage, played: Event) -> None:
    with Session(stage.engine) as s:
        assert check_invariants(s) == []


@pytest.mark.slow
@pytest.mark.proves("I4", "I5", "I7", "I8", "I9", "I11")
@pytest.mark.parametrize(("statement", "found"), [
    ("DELETE FROM game WHERE id = (SELECT max(id) FROM game)", "I4  iron-open: round 2: players"),
    ("UPDATE game SET a_id = 999 WHERE id = 1", "I9  game 1 points to a row of player that is not there"),
    ("UPDATE game SET state = 'disputed' WHERE id = 1", "I5  iron-open: round 1, table 1: it is disputed"),
    ("UPDATE game SET answers = '{}' WHERE id = 1", "I5  iron-open: round 1, table 1: other figures count"),
    ("UPDATE game SET ending = 'not_played' WHERE id = 1", "I5  iron-open: round 1, table 1: it ended otherwise"),
    ("UPDATE game SET state = 'confirmed' WHERE id = 4", "I5  iron-open: round 2, table 2: it is confirmed"),
    ("UPDATE round SET number = 7 WHERE number = 3", "I7  iron-open: the rounds are numbered 1, 2, 7"),
    ("UPDATE round SET state = 'published' WHERE number = 3", "I7  iron-open: a round is published before"),
    ("UPDATE round SET state = 'drawn' WHERE number = 3", "I7  iron-open: two rounds are drawn"),
    ("UPDATE event SET state = 'registration'", "I7  iron-open: a round is published while"),
    ("UPDATE player SET club = 'Reds' WHERE id = 1", "I8  iron-open: the journal does not account for player 1.club"),
    ("UPDATE event SET places = 3", "I11  iron-open: 4 players hold 3 places"),
])  # fmt: skip
def test_what_is_broken_is_named(spoil: Spoil, statement: str, found: str) -> None:
    broken = spoil(statement)
    assert any(line.startswith(found) for line in broken), broken


def test_somebody_of_another_event_is_found_in_a_round(stage: Stage, played: Event, spoil: Spoil) -> None:
    (stranger,) = stage.enter(stage.event("Rust Cup"), "Eve")
    assert stranger.id == 5
    assert any("is of another event" in line for line in spoil("UPDATE game SET a_id = 5 WHERE id = 3"))


@pytest.mark.proves("I2")
def test_a_press_that_is_stored_twice_is_found(stage: Stage, played: Event, spoil: Spoil) -> None:
    with stage.changing(played) as s:
        s.add(KeptAnswer(event_id=played.id, who="player 1", key="k", sha256="x", said="Saved.", at=stage.clock()))
    assert "I2  a press of player 1 is stored twice" in spoil(TWICE)
