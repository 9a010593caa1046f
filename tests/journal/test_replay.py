"""A played event keeps every invariant and equals its journal; each broken invariant, each difference is named."""

import pytest
from sqlalchemy import text
from sqlmodel import Session

from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import Difference, replay
from events.play.journal import begun, changes_of, entries_of, note
from models.event import Event
from models.journal import ChangeSet, JournalEntry, RowChangeKind
from models.kept_answer import KeptAnswer
from models.play import Player, PlayerState
from service.commands.backup import as_text
from tests.kit.stage import BY, Stage


@pytest.fixture
def event(stage: Stage) -> Event:
    """Two rounds played by five."""
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    stage.play(event, 1)
    stage.clock.advance(hours=2)
    stage.play(event, 2)
    return event


def difference(stage: Stage, event: Event) -> Difference | None:
    stage.s.expire_all()
    return replay(stage.s, event).difference


@pytest.mark.both_databases
def test_journal_and_tables_are_equal(stage: Stage, event: Event) -> None:
    replayed = replay(stage.s, event)
    assert replayed.difference is None
    assert (replayed.since.actor, replayed.since.version) == (BY, 0)
    assert replayed.tables == 5, "event, rounds, players, games, reports"
    assert replayed.rows == 1 + 3 + 5 + 6 + 4
    assert replayed.changes > replayed.rows


@pytest.mark.both_databases
def test_change_without_a_journal_entry_is_named(stage: Stage, event: Event) -> None:
    for statement, named in (
        ("UPDATE player SET club = 'Reds' WHERE name = 'Cy'", ("player", "club", "", "Reds")),
        (
            "UPDATE game SET answers = '{}' WHERE id = 1",
            ("game", "answers", '{"a.objectives":3,"b.objectives":1}', "{}"),
        ),
        ("DELETE FROM report WHERE id = 2", ("report", "", "a row", None)),
        ("UPDATE event SET version = 99", ("event", "version", "14", "99")),
        ("UPDATE round SET seed = 5 WHERE number = 2", ("round", "seed", "1", "5")),
    ):
        stage.s.connection().execute(text(statement))
        found = difference(stage, event)
        assert found and (found.table, found.column, found.journal, found.stored) == named
        assert found.last and found.last.actor == BY
        stage.s.rollback()
    stage.s.connection().execute(text("UPDATE game SET state = 'open' WHERE id = 1"))
    words = as_text(event, replay(stage.s, event))
    assert words.splitlines()[1:] == [
        "game 1, state:",
        "    journal  confirmed",
        "    table    open",
        "It was last changed on 2026-11-21 10:00:00 CET by organiser Olga.",
    ]
    stage.s.rollback()


@pytest.mark.both_databases
def test_row_without_a_journal_entry_is_named(stage: Stage, event: Event) -> None:
    with Session(stage.engine) as past:
        at, waits = stage.clock(), PlayerState.WAITING
        past.add(Player(event_id=event.id, name="Zed", name_key="zed", state=waits, registered_at=at))
        past.flush()  # the replay reads the tables
        found = replay(past, past.get_one(Event, event.id)).difference
    assert found is not None
    assert (found.table, found.journal, found.stored, found.last) == ("player", None, "a row", None)


@pytest.mark.both_databases
def test_column_added_later_has_its_default(stage: Stage, event: Event) -> None:
    """As after an upgrade: the journal does not know the column, and every row has its default."""
    for table in ("change_set", "row_change"):
        guard = f"{table}_stays" if stage.engine.dialect.name == "sqlite" else f"{table}_stays ON {table}"
        stage.s.connection().execute(text(f"DROP TRIGGER {guard}"))
    remove = {
        "sqlite": "UPDATE row_change SET after = json_remove(after, '$.ringer') WHERE table_name = 'player'",
        "postgresql": "UPDATE row_change SET after = after::jsonb - 'ringer' WHERE table_name = 'player'",
    }
    stage.s.connection().execute(text(remove[stage.engine.dialect.name]))
    assert difference(stage, event) is None
    stage.s.connection().execute(text("UPDATE player SET ringer = true WHERE name = 'Bo'"))
    found = difference(stage, event)
    assert found is not None
    assert (found.column, found.journal, found.stored) == ("ringer", "False", "True")
    stage.s.rollback()


@pytest.mark.both_databases
def test_write_is_read_with_its_entries_and_rows(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    stage.decide(event, game, 2, 2)
    newest = stage.all(ChangeSet, event_id=event.id)[-1]
    first = begun(stage.s, event)
    assert first is not None and first.id < newest.id
    assert newest.version == event.version
    assert "the result is corrected" in entries_of(stage.s, [newest.id])[newest.id][0].text
    report, correction = changes_of(stage.s, event, [newest.id])[newest.id]
    assert (correction.table, correction.row_id, correction.kind) == ("game", game.id, RowChangeKind.CHANGED)
    assert correction.before["answers"] == {"a.objectives": 3, "b.objectives": 1}
    assert correction.after["answers"] == {"a.objectives": 2, "b.objectives": 2}
    assert correction.players == (game.a_id, game.b_id)
    assert (report.table, report.kind, report.after["at"]) == ("report", RowChangeKind.ADDED, stage.clock())
    made = changes_of(stage.s, event, [first.id])[first.id]
    assert {one.table for one in made} == {"event", "round"}


@pytest.mark.both_databases
def test_long_entry_is_cut_to_its_columns_and_one_outside_a_write_refused(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        note(s, event, "o" * 200, stage.clock(), "do", "t" * 900, said="d" * 900)
    entry = stage.one(JournalEntry, verb="do")
    assert (entry.actor, entry.text, entry.details) == ("o" * 120, "t" * 500, {"said": "d" * 900})
    with pytest.raises(KeyError):
        note(stage.s, event, BY, stage.clock(), "do", "Did it")


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
