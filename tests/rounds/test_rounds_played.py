"""Rounds of whole events through the actions: no rematch, one bye each, no repeated scenario, late entries, drops."""

from collections import Counter
from itertools import chain

import pytest

from events.pairing.request import drawn_round, from_document
from events.play.errors import Refused
from events.rounds import actions as rounds_actions
from models.event import Event, EventState
from tests.kit.stage import Game, GameState, Player, Round, RoundState, Stage
from validators import SYSTEMS

EIGHT = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")


def met(stage: Stage, event: Event, number: int) -> list[frozenset[int]]:
    return [frozenset((game.a_id, game.b_id)) for game in stage.games(event, number) if game.b_id is not None]


def playing(stage: Stage, event: Event, number: int) -> set[int]:
    return set(chain.from_iterable(met(stage, event, number)))


@pytest.mark.slow
def test_odd_field_gives_one_bye_each_and_stores_every_request(stage: Stage) -> None:
    event = stage.event(rounds=5, tables=8, scenarios=("", "raiders", "", "", ""))
    stage.enter(event, *EIGHT[:7])
    byes = []
    for number in range(1, 6):
        stage.play(event, number, seed=2**47 + number)
        assert len(met(stage, event, number)) == 3
        byes += [game.a_id for game in stage.games(event, number) if game.b_id is None]
        (the_round,) = stage.all(Round, number=number)
        assert the_round.inputs is not None
        assert the_round.outcome is not None
        request = from_document(the_round.inputs)
        assert request.seed == the_round.seed == 2**47 + number
        assert [int(seat.id) for seat in request.seats] == [p.id for p in stage.all(Player)]
        again = drawn_round(request)
        assert [[p.a, p.b] for p in again.pairs] == the_round.outcome["pairs"]
        assert [p.table for p in again.pairs] == the_round.outcome["tables"]
        assert again.bye == the_round.outcome["bye"]
    with pytest.raises(Refused, match="5 rounds; more can be planned in the settings"):
        stage.draw(event, 6)
    assert len(byes) == len(set(byes)) == 5
    assert all(game.state == GameState.CONFIRMED for game in stage.all(Game, b_id=None))
    for row in stage.standings(event):
        assert row.byes == (int(row.id) in byes)
        assert row.points == 3 * row.wins + row.draws + 3 * row.byes
    rematches = Counter(pair for number in range(1, 6) for pair in met(stage, event, number))
    assert max(rematches.values()) == 1
    scenarios = [one.scenario for one in stage.all(Round)]
    assert (scenarios[1], len(set(scenarios))) == ("raiders", 5), "each is played once"
    sat = Counter((id_, one.table_number) for one in stage.all(Game) if one.b_id for id_ in (one.a_id, one.b_id))
    assert max(sat.values()) == 1, "nobody sits at a table twice"


def test_new_event_draws_scenarios_that_fit_its_list_size(stage: Stage) -> None:
    for game in SYSTEMS.values():
        pool = stage.event(f"Cup of {game.id}", game=game.id).scenario_pool
        assert pool == [one.id for one in game.scenarios if one.id not in ("convoy", "objectives-own-edge")]
    event = stage.event(game="fallout_warfare", scenarios=("convoy", "", ""))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert stage.one(Round, event_id=event.id, number=1).scenario == "convoy", "it can be chosen"


def test_replaced_or_discarded_draw_leaves_no_rows(stage: Stage) -> None:
    event = stage.event(scenarios=("", "raiders", "scrapyard"))
    stage.enter(event, *EIGHT)
    draws = {frozenset(met(stage, event, 1)) for seed in range(6) if stage.draw(event, 1, seed)}
    assert len(draws) > 1, "another seed is another draw"
    assert len(stage.all(Game)) == 4
    stage.do(event, rounds_actions.discard_draw, 1)
    assert stage.all(Game) == []
    (the_round,) = stage.all(Round, number=1)
    assert (the_round.state, the_round.scenario, the_round.scenario_drawn) == (RoundState.PLANNED, None, False)
    assert (the_round.seed, the_round.inputs, the_round.outcome) == (None, None, None)
    assert (stage.now(event).state, event.lists_locked_at) == (EventState.REGISTRATION, None)
