"""Reports are checked against the locked lists of both players."""

from random import Random

import pytest

from events.results.actions import Doubtful
from events.results.queries import bounds_of
from models.event import Event
from models.play import ForceList, Game, GameState, ReportSide
from service.commands.made_up import possible_answers
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.answers import beyond_bounds
from validators.contract import GameSystem, Terms


def played(stage: Stage, game: GameSystem, scenario: str) -> tuple[Event, Game]:
    """A new event with one published game, in which both players have the same sample force."""
    event = stage.event(f"{game.id} {scenario}", game=game.id, rounds=1, scenarios=(scenario,))
    document = game.forces.sample(Terms(game.editions[0], event.size), game.editions[0].factions[0], 1)
    for player in stage.enter(event, "Ada", "Bo"):
        stage.force(event, player, document)
    (one,) = stage.publish(event, 1)
    return event, one


def limits(stage: Stage, event: Event, game: Game, scenario: str) -> dict[str, int]:
    bounds = bounds_of(stage.s, event, game, SYSTEMS[event.system].scenario(scenario))
    return {key: bound.most for bound in bounds for key in bound.questions}


def test_each_figure_is_limited_to_what_the_list_holds(stage: Stage) -> None:
    for game in (one for one in SYSTEMS.values() if one.scoring.bounds):
        scenario = game.scenarios[0]
        event, one = played(stage, game, scenario.id)
        bounds = bounds_of(stage.s, event, one, scenario)
        most = limits(stage, event, one, scenario.id)
        assert {key[0] for key in most} == {"a", "b"}, game.id
        for key, figure in most.items():
            assert not [doubt for doubt in beyond_bounds(bounds, {key: figure}) if doubt.refused]
            (doubt,) = [doubt for doubt in beyond_bounds(bounds, {key: figure + 1}) if doubt.refused]
            assert key in doubt.keys
            assert str(figure) not in doubt.message, "the message does not reveal the list"
        for seed in range(10):
            made_up = possible_answers(event, scenario, Random(seed), bounds)
            assert list(beyond_bounds(bounds, made_up)) == [], (game.id, seed)
            asked = [doubt.message for doubt in game.scoring.check(scenario, made_up) if doubt.keys]
            assert not [one for one in asked if "routed" in one], (game.id, seed)


def test_report_beyond_the_list_is_refused_and_one_below_it_needs_confirming(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "skirmish")
    with pytest.raises(Doubtful, match="Player B, own points fielded: 900 is more than the list"):
        stage.report(event, one, ReportSide.A, {"b.fielded": 900})
    whole = limits(stage, event, one, "skirmish")
    fielded = {"a.fielded": 15, "b.fielded": whole["b.fielded"]}
    with pytest.raises(Doubtful, match="15 is not what the list says") as asked:
        stage.report(event, one, ReportSide.A, fielded, sure=False)
    assert [doubt.keys for doubt in asked.value.doubts] == [("a.fielded",)]
    assert stage.report(event, one, ReportSide.A, fielded) == GameState.REPORTED


def test_unused_unsubmitted_and_illegal_lists_set_no_limits(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "treasure-hunt")
    assert limits(stage, event, one, "treasure-hunt") == {}, "the scenario has forces of its own"
    event, one = played(stage, SYSTEMS["skill_combat"], "bout")
    assert set(limits(stage, event, one, "bout")) == {"a.hp", "b.hp"}
    of_a, of_b = (stage.one(ForceList, player_id=id_) for id_ in (one.a_id, one.b_id))
    with stage.changing(event):
        of_a.submitted_at = None
    assert set(limits(stage, event, one, "bout")) == {"b.hp"}
    with stage.changing(event):
        of_b.document = of_b.document | {"models": of_b.document["models"] * 9}
    assert limits(stage, event, one, "bout") == {}
