"""A draw is decided from its picture alone: without a statement, and without a change to a row."""

from collections.abc import Callable

import pytest

from events.rounds import actions as rounds_actions
from events.rounds.drawing import decide_draw, draw_round
from events.rounds.queries import picture_to_draw
from models.event import Event
from models.play import Player
from tests.kit.forces import read_force
from tests.kit.formats import NAMES, cut, cut_event, knockout_of, league
from tests.kit.lists import PIPER
from tests.kit.stage import Stage
from tests.kit.statements import sent
from tests.kit.team_events import enter_teams, team_event


def swiss(stage: Stage) -> tuple[Event, int]:
    event = stage.event(rounds=3, players=NAMES[:7])
    stage.play(event, 1)
    return event, 2


def teams(stage: Stage) -> tuple[Event, int]:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    return event, 1


def top_cut(stage: Stage) -> tuple[Event, int]:
    event = cut_event(stage, 4)
    cut(stage, event)
    return event, 2


BUILDERS = [swiss, teams, top_cut, lambda stage: (knockout_of(stage, 5), 1), lambda stage: (league(stage, 4), 1)]


@pytest.mark.slow
@pytest.mark.parametrize("build", BUILDERS)
def test_decision_needs_no_database(stage: Stage, build: Callable[[Stage], tuple[Event, int]]) -> None:
    event, number = build(stage)
    stage.s.rollback()
    picture = picture_to_draw(event, number)
    with sent(stage.engine) as seen:
        decision = decide_draw(picture, 1)
    assert decision.drawn.pairs
    assert (seen, [*stage.s.dirty], [*stage.s.new], [*stage.s.deleted]) == ([], [], [], [])


def test_draw_selects_each_table_once(stage: Stage) -> None:
    event, number = swiss(stage)
    stage.do(event, draw_round, number, 1)
    stage.do(event, rounds_actions.discard_draw, number)
    with sent(stage.engine) as seen:
        stage.do(event, draw_round, number, 2)
    selected = [line.split("FROM ")[1].split()[0] for line in seen if line.startswith("SELECT")]
    once = ["own_scenario", "round", "game", "ruling", "player", "kept_apart"]
    assert [table for table in selected if table in once] == once


def test_publishing_sends_no_query_for_each_list(stage: Stage) -> None:
    sizes = {}
    for count in (8, 24):
        event = stage.event(f"Open {count}", players=[f"Player {number}" for number in range(count)])
        for player in stage.all(Player, event_id=event.id):
            stage.force(event, player, read_force(PIPER))
        stage.draw(event, 1)
        with sent(stage.engine) as seen:
            stage.do(event, rounds_actions.publish_round, 1)
        sizes[count] = [statement.split()[0] for statement in seen]
    assert sizes[24].count("SELECT") == sizes[8].count("SELECT")
    assert len(sizes[24]) - len(sizes[8]) <= 24
