"""Numbers of rows that are gone are given to no other row, and a form is of the pairing that it was opened for."""

import pytest
from alembic import command
from flask import Flask
from sqlalchemy import Engine, text

import migrations
from events.journal.replay import replay
from events.rounds import draft
from events.rounds.actions import discard_draw, publish_round, unpublish
from events.visitors.queries import link_token
from models.copies import parts_of
from models.event import Event
from models.play import GameState, Player
from tests.api.programs import ROOT, Program
from tests.kit.person import SEND_RESULT, Enter, Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, form_of, sent

BEFORE = "20270118_convention"
NAMES = ("Ada", "Bo", "Cy", "Di")


def numbers(stage: Stage, event: Event) -> set[int]:
    return {game.id for game in stage.games(event, 1)}


def discard(stage: Stage, event: Event) -> None:
    stage.do(event, unpublish, 1)
    stage.do(event, discard_draw, 1)


def forget_numbers(stage: Stage) -> None:
    """Make the database give numbers again, as versions before 0.5 did on SQLite."""
    stage.s.connection().execute(text("DELETE FROM sqlite_sequence"))
    stage.s.commit()


@pytest.mark.both_databases
def test_numbers_of_discarded_rows_are_given_to_no_others(stage: Stage) -> None:
    first, second = stage.event("First", players=NAMES), stage.event("Second", players=NAMES)
    stage.publish(first, 1)
    before = numbers(stage, first)
    discard(stage, first)
    stage.publish(second, 1)
    between = numbers(stage, second)
    stage.draw(first, 1)
    assert len(before) == len(between) == 2
    assert max(before) < min(between) <= max(between) < min(numbers(stage, first))


def test_migration_counts_numbers_that_only_the_journal_knows(engine: Engine, stage: Stage) -> None:
    """It makes each table anew: rows, indexes and triggers stay."""
    event = stage.event(players=NAMES)
    stage.publish(event, 1)
    before = numbers(stage, event)
    discard(stage, event)
    rows, luck = stage.digest(), stage.now(event).luck
    stage.s.rollback()
    with engine.connect() as connection:
        parts = parts_of(connection)
        command.downgrade(migrations.alembic_config(connection), BEFORE)
        connection.commit()
    migrations.upgrade(engine)
    with engine.connect() as connection:
        assert parts_of(connection) == parts
        connection.execute(text("UPDATE event SET luck = :luck"), {"luck": luck})  # a later migration makes another
        connection.commit()
    assert stage.digest() == rows
    stage.draw(event, 1)
    assert min(numbers(stage, event)) > max(before)
    assert replay(stage.s, event).difference is None


def test_pages_of_a_game_read_the_journal_of_its_event(stage: Stage, enter: Enter, olga: Person) -> None:
    """A version before gave the numbers of a discarded draft to the games of another event."""
    other = stage.event("Other", players=NAMES)
    one, two = stage.draw(other, 1)
    before = numbers(stage, other)
    stage.do(other, draft.swap, 1, one.a_id, two.a_id)
    stage.do(other, publish_round, 1)
    discard(stage, other)
    forget_numbers(stage)
    event = stage.event(scenarios=("hold-the-line", "", ""))
    enter(event, *NAMES)
    games = stage.publish(event, 1)
    assert {game.id for game in games} & before, "the control"
    stage.decide(event, games[0], 3, 1)
    for game in games:
        for address in (f"{HOME}/games/{game.id}", f"{HOME}/desk/games/{game.id}"):
            assert olga.http.get(address).status_code == 200, address
    versions = olga.open(f"{HOME}/games/{games[0].id}").soup.select(".versions > li")
    assert len(versions) == 1
    for address in (f"{HOME}/games/{games[0].id}/sheet.pdf", f"{HOME}/desk/rounds/1/records.pdf"):
        assert olga.http.get(address).status_code == 200, address


def test_report_of_another_pairing_is_out_of_date(app: Flask, stage: Stage, enter: Enter, olga: Person) -> None:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    people = dict(zip(NAMES, enter(event, *NAMES), strict=True))
    (old, *_) = stage.publish(event, 1)
    ada = people[stage.name(old.a_id)]
    body = form_of(ada, a__objectives="3", b__objectives="1")
    ada.open(MINE)
    discard(stage, event)
    stage.publish(event, 1, seed=2)
    (player,) = stage.all(Player, id=old.a_id)
    by_program = Program(app, link_token(str(app.secret_key), player))
    with stage.unchanged():
        assert ada.forge(SEND_RESULT, a__objectives="3", b__objectives="1").status == 409
        assert sent(ada, body)[0] == 409
        assert by_program.post(f"{ROOT}/games/{old.id}/report", answers={"a.objectives": 3}).status_code == 409
    assert {game.state for game in stage.games(event, 1)} == {GameState.OPEN}
