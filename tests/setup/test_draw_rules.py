"""What the organiser chose of the draw reaches the request that a round is drawn from."""

from datetime import date

import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import LEVEL_WORDS, PLAIN, Rules, event_document, rules_of_event
from events.setup.pairing_actions import set_draw_rules
from models.event import AvoidClubs, Event, Round
from tests.kit.stage import BY, Stage

STANDING = Rules(method="standing", off=("repeat_floats",), banned=("kept_apart",))


def choose(stage: Stage, event: Event, rules: Rules) -> None:
    with stage.changing(event) as s:
        set_draw_rules(s, event, rules, AvoidClubs.NEVER, BY, stage.clock())


@pytest.mark.both_databases
def test_the_choice_is_stored_with_every_round(stage: Stage, database_url: str) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    choose(stage, event, STANDING)
    stage.play(event, 1)
    stage.draw(event, 2)
    first, second, _ = stage.all(Round)
    assert first.inputs and second.inputs
    plain = {"avoid_clubs": "never", "keep_apart": [], "locked": []}
    assert first.inputs["rules"] == second.inputs["rules"] == event_document(STANDING) | plain
    assert [seat["rank"] for seat in first.inputs["seats"]] == [0] * 4, "there is no standing before round 1"
    ranks = {int(seat["id"]): seat["rank"] for seat in second.inputs["seats"]}
    assert ranks == {int(row.id): row.rank for row in stage.standings(event, 1)}


def test_an_event_that_chose_nothing_asks_for_no_ranks(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs
    assert inputs
    assert [seat["rank"] for seat in inputs["seats"]] == [0, 0], "another order of tie-breaks makes no draw stale"


def test_the_stored_choice_reads_back_and_every_level_has_its_words() -> None:
    assert rules_of_event(event_document(STANDING)) == STANDING
    assert rules_of_event(None) == rules_of_event(event_document(PLAIN)) == PLAIN
    assert list(LEVEL_WORDS) == list(vars(count_levels(1, [], [], None)))
    with pytest.raises(ValueError, match="both off and banned: distance"):
        event_document(Rules(off=("distance",), banned=("distance",)))


def test_a_choice_that_is_the_old_one_is_not_noted(stage: Stage) -> None:
    event = stage.event(starts_on=date(2026, 12, 5))
    for _ in range(2):
        choose(stage, event, STANDING)
    assert len(stage.journal(event, "change-pairing")) == 1
