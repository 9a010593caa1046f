"""A played event keeps every invariant, and each broken one is named."""

import pytest
from sqlmodel import Session

from events.journal.invariants import check_invariants, in_lines
from models.event import Event
from models.kept_answer import KeptAnswer
from tests.kit.stage import Stage

TWICE = (
    "CREATE TABLE loose AS SELECT * FROM kept_answer; DROP TABLE kept_answer; "
    "ALTER TABLE loose RENAME TO kept_answer; "
    "INSERT INTO kept_answer SELECT id + 1, event_id, who, key, sha256, said, at, player_id FROM kept_answer"
)
"""Stores every kept answer a second time, in a table without constraints."""


@pytest.fixture
def played(stage: Stage) -> Event:
    """Four players: round 1 is played, round 2 is drawn."""
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.play(event, 1)
    stage.draw(event, 2)
    return event


def broken_by(stage: Stage, statement: str) -> list[str]:
    """The invariants that SQL statements break; the database is rolled back."""
    stage.s.rollback()
    with stage.engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        raw.cursor().execute("PRAGMA foreign_keys=OFF")
        for one in statement.split(";"):
            connection.exec_driver_sql(one)
        with Session(connection) as s:
            found = in_lines(check_invariants(s))
        connection.rollback()
        raw.cursor().execute("PRAGMA foreign_keys=ON")
    return found


@pytest.mark.both_databases
def test_played_event_keeps_every_invariant(stage: Stage, played: Event) -> None:
    with Session(stage.engine) as s:
        assert check_invariants(s) == []


@pytest.mark.proves("I2", "I4", "I5", "I7", "I8", "I9", "I11")
def test_broken_invariants_are_named(stage: Stage, played: Event) -> None:
    assert stage.enter(stage.event("Rust Cup"), "Eve")[0].id == 5
    with stage.changing(played) as s:
        s.add(KeptAnswer(event_id=played.id, who="player 1", key="k", sha256="x", said="Saved.", at=stage.clock()))
    cases = {
        "DELETE FROM game WHERE id = (SELECT max(id) FROM game)": "I4  iron-open: round 2: players",
        "UPDATE game SET a_id = 999 WHERE id = 1": "I9  game 1 points to a row of player that is not there",
        "UPDATE game SET state = 'disputed' WHERE id = 1": "I5  iron-open: round 1, table 1: it is disputed",
        "UPDATE game SET answers = '{}' WHERE id = 1": "I5  iron-open: round 1, table 1: other figures count",
        "UPDATE game SET ending = 'not_played' WHERE id = 1": "I5  iron-open: round 1, table 1: it ended otherwise",
        "UPDATE game SET state = 'confirmed' WHERE id = 4": "I5  iron-open: round 2, table 2: it is confirmed",
        "UPDATE round SET number = 7 WHERE number = 3": "I7  iron-open: the rounds are numbered 1, 2, 7",
        "UPDATE round SET state = 'published' WHERE number = 3": "I7  iron-open: a round is published before",
        "UPDATE round SET state = 'drawn' WHERE number = 3": "I7  iron-open: two rounds are drawn",
        "UPDATE event SET state = 'registration'": "I7  iron-open: a round is published while",
        "UPDATE player SET club = 'Reds' WHERE id = 1": "I8  iron-open: the journal does not account for player 1.club",
        "UPDATE event SET places = 3": "I11  iron-open: 4 players hold 3 places",
        "UPDATE game SET a_id = 5 WHERE id = 3": "I4  iron-open: round 2: player 5 is of another event",
        TWICE: "I2  a submission of player 1 is stored twice",
    }
    for statement, found in cases.items():
        broken = broken_by(stage, statement)
        assert any(line.startswith(found) for line in broken), (statement, broken)
    assert broken_by(stage, "SELECT 1") == [], "the control"
