"""The journal: an event rebuilt from it equals the tables, every invariant holds; going back to before a step."""

import pytest
from sqlalchemy import text
from sqlmodel import Session

from events.journal.going_back import go_back, points_of
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import Difference, replay
from events.rounds.actions import publish_round
from events.store.act import Act
from events.store.errors import Stale
from events.store.games import reports_of
from events.store.journal import note
from languages.message import message
from models.event import Event, EventState
from models.journal import JournalEntry
from models.kept_answer import KeptAnswer
from models.play import Player, PlayerState, Report
from service.commands.backup import as_text
from tests.kit.person import Enter, Person
from tests.kit.stage import BY, Stage


@pytest.fixture
def two_rounds(stage: Stage) -> Event:
    two_rounds = stage.event(players=("Ada", "Bo", "Cy", "Di", "Eve"))
    stage.play(two_rounds, 1)
    stage.clock.advance(hours=2)
    stage.play(two_rounds, 2)
    return two_rounds


def difference(stage: Stage, event: Event) -> Difference | None:
    stage.s.expire_all()
    return replay(stage.s, event).difference


@pytest.mark.both_at_length
def test_change_or_row_without_a_journal_entry_is_named(stage: Stage, two_rounds: Event) -> None:
    version = str(stage.now(two_rounds).version)
    for statement, named in (
        ("UPDATE player SET club = 'Reds' WHERE name = 'Cy'", ("player", "club", "", "Reds")),
        (
            "UPDATE game SET answers = '{}' WHERE id = 1",
            ("game", "answers", '{"a.objectives":3,"b.objectives":1}', "{}"),
        ),
        ("DELETE FROM report WHERE id = 2", ("report", "", "a row", None)),
        ("UPDATE event SET version = 99", ("event", "version", version, "99")),
        ("UPDATE round SET seed = 5 WHERE number = 2", ("round", "seed", "1", "5")),
    ):
        stage.s.connection().execute(text(statement))
        found = difference(stage, two_rounds)
        assert found and (found.table, found.column, found.journal, found.stored) == named
        assert found.last and found.last.actor == BY
        stage.s.rollback()
    now, waits = stage.clock(), PlayerState.WAITING
    stage.s.add(Player(event_id=two_rounds.id, name="Zed", name_key="zed", state=waits, registered_at=now))
    stage.s.flush()  # the replay reads the tables
    found = replay(stage.s, two_rounds).difference
    assert found and (found.table, found.journal, found.stored, found.last) == ("player", None, "a row", None)
    stage.s.rollback()
    stage.s.connection().execute(text("UPDATE game SET state = 'open' WHERE id = 1"))
    words = as_text(two_rounds, replay(stage.s, two_rounds))
    assert words.splitlines()[1:] == [
        "game 1, state:", "    journal  confirmed", "    table    open",
        "It was last changed on 2026-11-21 10:00:00 CET by organiser Olga.",
    ]  # fmt: skip
    stage.s.rollback()


@pytest.mark.both_databases
def test_column_added_later_has_its_default(stage: Stage, two_rounds: Event) -> None:
    """As after an upgrade: the journal does not know the column, and every row has its default."""
    for table in ("change_set", "row_change"):
        guard = f"{table}_says" if stage.engine.dialect.name == "sqlite" else f"{table}_says ON {table}"
        stage.s.connection().execute(text(f"DROP TRIGGER {guard}"))
    remove = {
        "sqlite": "UPDATE row_change SET after = json_remove(after, '$.ringer') WHERE table_name = 'player'",
        "postgresql": "UPDATE row_change SET after = after::jsonb - 'ringer' WHERE table_name = 'player'",
    }
    stage.s.connection().execute(text(remove[stage.engine.dialect.name]))
    assert difference(stage, two_rounds) is None
    stage.s.connection().execute(text("UPDATE player SET ringer = true WHERE name = 'Bo'"))
    found = difference(stage, two_rounds)
    assert found is not None
    assert (found.column, found.journal, found.stored) == ("ringer", "False", "True")
    stage.s.rollback()


@pytest.mark.both_at_length
def test_long_entry_is_cut_to_its_columns_and_one_outside_a_write_refused(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        note(Act(s, event, "o" * 200, stage.clock()), "do", message("t" * 900), why="d" * 900)
    entry = stage.one(JournalEntry, verb="do")
    assert (entry.actor, entry.text, entry.details["why"]) == ("o" * 120, "t" * 500, "d" * 900)
    with pytest.raises(KeyError):
        note(Act(stage.s, event, BY, stage.clock()), "do", message("Did it"))


TWICE = (
    "CREATE TABLE loose AS SELECT * FROM kept_answer; DROP TABLE kept_answer; "
    "ALTER TABLE loose RENAME TO kept_answer; "
    "INSERT INTO kept_answer SELECT id + 1, event_id, who, key, sha256, said, at, player_id FROM kept_answer"
)
"""Stores every kept answer a second time, in a table without constraints."""


@pytest.fixture
def played(stage: Stage) -> Event:
    event = stage.event(players=("Ada", "Bo", "Cy", "Dee"))
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
        for name in statement.split(";"):
            connection.exec_driver_sql(name)
        with Session(connection) as s:
            found = in_lines(check_invariants(s))
        connection.rollback()
        raw.cursor().execute("PRAGMA foreign_keys=ON")
    return found


@pytest.mark.proves("I2", "I4", "I5", "I7", "I8", "I9", "I11")
def test_broken_invariants_are_named(stage: Stage, played: Event) -> None:
    assert stage.enter(stage.event("Rust Cup"), "Eve")[0].id == 5
    with stage.changing(played) as s:
        s.add(KeptAnswer(event_id=played.id, who="player 1", key="k", sha256="x", said="Saved.", at=stage.clock()))
    cases = {
        "DELETE FROM game WHERE id = (SELECT max(id) FROM game)": "I4  iron-open: round 2: players",
        "UPDATE game SET a_id = 999 WHERE id = 1": "I9  game 1 refers to a missing row of player",
        "UPDATE game SET state = 'disputed' WHERE id = 1": "I5  iron-open: round 1, table 1: its state is disputed",
        "UPDATE game SET answers = '{}' WHERE id = 1": "I5  iron-open: round 1, table 1: its figures differ",
        "UPDATE game SET ending = 'not_played' WHERE id = 1": "I5  iron-open: round 1, table 1: its ending differs",
        "UPDATE game SET state = 'confirmed' WHERE id = 4": "I5  iron-open: round 2, table 2: its state is confirmed",
        "UPDATE round SET number = 7 WHERE number = 3": "I7  iron-open: the rounds are numbered 1, 2, 7",
        "UPDATE round SET state = 'published' WHERE number = 3": "I7  iron-open: a round is published before",
        "UPDATE round SET state = 'drawn' WHERE number = 3": "I7  iron-open: two rounds are drawn",
        "UPDATE event SET state = 'registration'": "I7  iron-open: a round is published while",
        "UPDATE player SET club = 'Reds' WHERE id = 1": "I8  iron-open: the journal does not account for player 1.club",
        "UPDATE event SET places = 3": "I11  iron-open: 4 players hold 3 places",
        "UPDATE game SET a_id = 5 WHERE id = 3": "I4  iron-open: round 2: player 5 belongs to another event",
        TWICE: "I2  one submission of player 1 has two stored answers",
    }
    for statement, found in cases.items():
        broken = broken_by(stage, statement)
        assert any(line.startswith(found) for line in broken), (statement, broken)
    assert broken_by(stage, "SELECT 1") == [], "the control"


def back(stage: Stage, event: Event, words: str) -> None:
    """Go back to before the newest step whose sentence starts with these words."""
    stage.s.rollback()
    point = next(point for point in points_of(stage.s, event) if point.text.startswith(words))
    stage.do(event, go_back, point.id)


def results(stage: Stage, event: Event, number: int) -> list[tuple[int | None, str, object]]:
    return [(game.table_number, game.state.value, game.answers) for game in stage.games(event, number)]


@pytest.mark.proves("G6", "I8")
@pytest.mark.both_databases
def test_going_back_restores_the_rounds_and_can_be_undone(stage: Stage, database_url: str) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Dee"))
    stage.play(event, 1)
    first = results(stage, event, 1)
    stage.play(event, 2)
    second, pairs = results(stage, event, 2), stage.pairs(event, 2)
    back(stage, event, "Published round 2")
    assert [row[1:] for row in results(stage, event, 2)] == [("open", None)] * 2
    assert stage.pairs(event, 2) == pairs, "it is drawn, as it was"
    assert results(stage, event, 1) == first
    assert stage.now(event).state == EventState.IN_PROGRESS
    back(stage, event, "Went back to before: Published round 2")
    assert results(stage, event, 2) == second
    back(stage, event, "Published round 1")
    assert stage.now(event).state == EventState.REGISTRATION
    back(stage, event, "Went back to before: Published round 1")
    assert (results(stage, event, 1), results(stage, event, 2)) == (first, second)


@pytest.mark.both_at_length
def test_going_back_keeps_new_players_and_forgets_stored_answers(stage: Stage, database_url: str) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    with stage.changing(event) as s:
        s.add(KeptAnswer(event_id=event.id, who="player", key="k" * 20, sha256="", said="Saved", at=stage.clock()))
        ada.link_generation += 1
        ada.state = PlayerState.DROPPED
    stage.enter(event, "Late")
    back(stage, event, "Published round 1")
    names = {player.name: player.state for player in stage.all(Player)}
    assert names.keys() == {"Ada", "Bo", "Late"}
    assert names["Ada"] == PlayerState.CHECKED_IN
    assert stage.now(ada).link_generation == 2, "a link that ended stays ended"
    assert stage.all(KeptAnswer) == []
    assert stage.all(Report) == []
    assert [reports_of(stage.s, game) for game in stage.publish(event, 1)] == [[], []]


def test_games_return_to_their_former_seats(stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Dee", "Eve"))
    stage.draw(event, 1)
    stage.draw(event, 1, seed=8)
    second = stage.pairs(event, 1)
    stage.draw(event, 1, seed=9)
    third = stage.pairs(event, 1)
    assert second != third
    back(stage, event, "Drew round 1")
    assert stage.pairs(event, 1) == second
    back(stage, event, "Went back to before: Drew round 1")
    assert stage.pairs(event, 1) == third


def test_going_back_is_refused_to_an_unlisted_step_and_when_row_ids_are_taken(stage: Stage) -> None:
    event, other = stage.event(), stage.event("Rust Cup")
    stage.enter(event, "Ada", "Bo")
    stage.enter(other, "Cy", "Dee")
    stage.publish(event, 1)
    (point, *_) = points_of(stage.s, event)
    for where, id_ in ((event, point.id + 1), (other, point.id)):
        with pytest.raises(Stale), stage.changing(where) as s:
            go_back(Act(s, where, BY, stage.clock()), id_)
    back(stage, event, "Drew round 1")
    stage.s.connection().execute(text("DELETE FROM sqlite_sequence"))  # as versions before 0.5
    stage.s.commit()
    stage.publish(other, 1)  # reuses the id of the removed game
    stage.refuse_to("ids of its rows", back, stage, event, "Went back")


@pytest.mark.proves("G6")
def test_owner_goes_back_to_before_a_step_and_undoes_it(olga: Person, stage: Stage, event: Event, enter: Enter) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    empty = olga.open("/e/iron-open/desk/ways-back")
    assert "There is no step to go back to yet." in empty.text
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    assert olga.open("/e/iron-open/desk/ways-back").rows("table")[0][0].startswith("Published round 1")
    assert "Restore points" in olga.open("/e/iron-open/desk/journal").text
    back = olga.press("Go back to before", at="/e/iron-open/desk/ways-back", inside="tbody tr:nth-of-type(1)")
    assert "The event is back where it was." in back.flashes
    assert "Went back to before: Published round 1" in back.text
    assert ada.open("/e/iron-open/rounds/1").status == 404
    olga.press("Go back to before", inside="tbody tr:nth-of-type(1)")
    assert [tag.text for tag in ada.open("/e/iron-open/rounds/1").soup.select(".points")] == ["3", "1"]
    assert olga.forge("Go back to before", inside="tbody tr:nth-of-type(1)").status == 200


def test_step_that_a_restore_took_back_is_not_offered_until_it_stands_again(
    olga: Person, stage: Stage, event: Event, enter: Enter
) -> None:
    enter(event, "Ada", "Bo")
    undo, ways_back = "/e/iron-open/desk/undo", "/e/iron-open/desk/ways-back"
    stage.publish(event, 1)
    assert olga.open(undo).value("step"), "the control"
    olga.press("Go back to before", at=ways_back, inside="tbody tr:nth-of-type(1)")
    assert 'name="step"' not in olga.open(undo).response.text
    olga.press("Go back to before", at=ways_back, inside="tbody tr:nth-of-type(1)")
    assert len(stage.pairs(event, 1)) == 1, "the restore is taken back itself"
    olga.press("Undo this step", at=undo, typed="undo")
    assert "Undone: Published round 1" in olga.page.text


def test_step_names_its_actor_not_the_clock(olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    assert event.list_deadline is not None
    stage.clock.now = event.list_deadline
    stage.do(event, publish_round, 1)
    step, *_ = olga.open("/e/iron-open/desk/ways-back").rows("table")[0]
    assert step.startswith("Published round 1; Locked 0 lists")
    assert step.endswith(BY)
    assert stage.all(JournalEntry, verb="lock-lists")[-1].actor == "the clock", "the control"
