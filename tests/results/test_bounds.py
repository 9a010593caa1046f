"""Results are held against the locked lists of both players: nobody loses, kills or keeps more than was brought."""

from collections.abc import Mapping
from random import Random

import pytest

from events.results import actions as results_actions
from events.results.actions import bounds_of
from models.event import Event
from models.play import ForceList, Game, GameState, Report, ReportSide
from service.commands.demo import possible_answers
from tests.kit.stage import BY, Stage
from validators import SYSTEMS
from validators.bounds import outside
from validators.contract import GameSystem, Terms
from validators.scenario import Answers

BOUND = [game for game in SYSTEMS.values() if game.bounds]
KEPT: Mapping[str, Answers] = {"new_vegas": {"a.rout": "Stood", "b.rout": "Stood"}}
"""What is asked about otherwise."""


def played(stage: Stage, game: GameSystem, scenario: str, *, submit: bool = True) -> tuple[Event, Game]:
    """An event with one published game, both players having the same sample force."""
    event = stage.event(game=game.id, rounds=1, scenarios=(scenario,))
    document = game.sample_force(Terms(game.editions[0], event.size), game.editions[0].factions[0], 1)
    for player in stage.enter(event, "Ada", "Bo"):
        stage.force(event, player, document, submit=submit)
    (one,) = stage.publish(event, 1)
    return event, one


def send(stage: Stage, event: Event, game: Game, answers: Answers, *, sure: bool = False) -> GameState:
    """Player A's report."""
    with stage.changing(event) as s:
        return results_actions.report(
            s, event, game, ReportSide.A, answers, version=game.version, sure=sure, by=BY, now=stage.clock()
        )  # fmt: skip


def held(stage: Stage, event: Event, game: Game, scenario: str) -> dict[str, int]:
    """The most that each figure can be."""
    bounds = bounds_of(stage.s, event, game, SYSTEMS[event.system].scenario(scenario))
    return {key: bound.most for bound in bounds for key in bound.questions}


@pytest.mark.parametrize("game", BOUND, ids=lambda game: game.id)
def test_one_more_than_the_list_holds_is_refused_and_the_whole_list_is_not(stage: Stage, game: GameSystem) -> None:
    scenario = game.scenarios[0]
    event, one = played(stage, game, scenario.id)
    most = held(stage, event, one, scenario.id)
    assert {key[0] for key in most} == {"a", "b"}
    for key, figure in most.items():
        bounds = bounds_of(stage.s, event, one, scenario)
        assert not [doubt for doubt in outside(bounds, {key: figure}) if doubt.refused]
        (doubt,) = [doubt for doubt in outside(bounds, {key: figure + 1}) if doubt.refused]
        assert key in doubt.keys
        assert str(figure) not in doubt.message, "the list stays its player's"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "scenario", "answers", "says"),
    [
        ("fallout_warfare", "skirmish", {"b.fielded": 900}, "player B, own points fielded: 900 is more than the list"),
        ("fallout_warfare", "wild-america", {"a.dead": 201}, "player A, own points lost: 201 is more than the list"),
        ("new_vegas", "open-battle", {"a.lost": 50, "a.leaders": 20}, "player A, models lost: 50 is more than"),
        ("skill_combat", "bout", {"a.end": "Standing", "a.hp": 500, "b.end": "Down"}, "player A, HP left: 500 is more"),
    ],
)
def test_a_report_beyond_the_lists_is_not_stored(
    stage: Stage, system: str, scenario: str, answers: Answers, says: str
) -> None:
    event, one = played(stage, SYSTEMS[system], scenario)
    with pytest.raises(results_actions.Doubtful, match=says):
        send(stage, event, one, {**KEPT.get(system, {}), **answers}, sure=True)
    assert stage.all(Report) == []


def test_an_army_fielded_in_part_is_asked_about_and_can_be_confirmed(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "skirmish")
    whole = held(stage, event, one, "skirmish")
    fielded = {"a.fielded": 15, "b.fielded": whole["b.fielded"]}
    with pytest.raises(results_actions.Doubtful, match="15 is not what the list says") as asked:
        send(stage, event, one, fielded)
    assert [doubt.keys for doubt in asked.value.doubts] == [("a.fielded",)]
    assert send(stage, event, one, fielded, sure=True) == GameState.REPORTED


def test_scenarios_with_forces_of_their_own_are_not_held_against_the_lists(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "treasure-hunt")
    assert held(stage, event, one, "treasure-hunt") == {}


def test_a_list_that_was_not_handed_in_and_an_illegal_one_bind_nothing(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["skill_combat"], "bout")
    assert set(held(stage, event, one, "bout")) == {"a.hp", "b.hp"}
    of_a, of_b = (stage.one(ForceList, player_id=id_) for id_ in (one.a_id, one.b_id))
    with stage.changing(event):
        of_a.submitted_at = None
    assert set(held(stage, event, one, "bout")) == {"b.hp"}
    with stage.changing(event):
        of_b.document = of_b.document | {"models": of_b.document["models"] * 9}
    assert held(stage, event, one, "bout") == {}


@pytest.mark.parametrize("game", BOUND, ids=lambda game: game.id)
def test_made_up_results_keep_the_bounds(stage: Stage, game: GameSystem) -> None:
    scenario = game.scenarios[0]
    event, one = played(stage, game, scenario.id)
    bounds = bounds_of(stage.s, event, one, scenario)
    for seed in range(30):
        assert list(outside(bounds, possible_answers(event, scenario, Random(seed), bounds))) == []
