"""Penalties, bonuses and cards: where they count, what a card costs, and that nothing changes without them."""

from dataclasses import replace
from typing import Any

import pytest

from events.play.errors import Refused
from events.play.rulings import Counts, SoftRules, to_document
from events.registration.actions import reinstate
from events.registration.rulings import Follows, Given, give_ruling, take_back_ruling
from events.standings.ranking import Row
from models.award import Card, Ruling
from models.event import Event, Round
from models.play import Player, PlayerState
from tests.kit.stage import BY, Stage

NAMES = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Two rounds are played; who entered first wins."""
    event = stage.event(rounds=4, tie_breaks=("vp", "conduct", "lots"))
    stage.enter(event, *NAMES)
    stage.play(event, 1)
    stage.play(event, 2)
    return event


def count(stage: Stage, event: Event, rulings: Counts, **changed: Any) -> None:
    with stage.changing(event):
        event.soft_rules = to_document(replace(SoftRules(rulings_count=rulings), **changed))


def give(stage: Stage, event: Event, name: str, **given: Any) -> Ruling:
    player = stage.one(Player, name=name)
    with stage.changing(event) as s:
        return give_ruling(
            s, event, player, Given(given.pop("reason", "late to the table"), **given), BY, stage.clock()
        )


def take_back(stage: Stage, event: Event, ruling: Ruling) -> None:
    with stage.changing(event) as s:
        take_back_ruling(s, event, ruling, BY, stage.clock())


def row(stage: Stage, event: Event, name: str, after: int | None = None) -> Row:
    return next(one for one in stage.standings(event, after) if one.name == name)


def test_a_penalty_counts_in_points_and_vp_with_its_arithmetic(stage: Stage, event: Event) -> None:
    before = row(stage, event, "Ada")
    give(stage, event, "Ada", points=-2, vp=-3)
    now = row(stage, event, "Ada")
    assert (now.points, now.vp, now.vp_difference) == (before.points - 2, before.vp - 3, before.vp_difference - 3)
    assert now.how["points"] == "2 wins × 3 + −2 penalty = 4"
    assert now.how["vp"].endswith(f"+ −3 (rulings) = {now.vp}")
    assert "late to the table" not in str(now)


def test_a_bonus_and_a_penalty_are_one_sum(stage: Stage, event: Event) -> None:
    give(stage, event, "Di", points=5)
    give(stage, event, "Di", points=-1)
    assert row(stage, event, "Di").how["points"].endswith("+ 4 bonus of the staff = 4")


def test_a_ruling_for_a_round_counts_from_that_round_on(stage: Stage, event: Event) -> None:
    before = [[row(stage, event, name, after).points for after in (1, 2)] for name in ("Ada", "Bo")]
    give(stage, event, "Ada", points=-1, round_number=1)
    give(stage, event, "Bo", points=-1)
    now = [[row(stage, event, name, after).points for after in (1, 2)] for name in ("Ada", "Bo")]
    assert [[b - a for a, b in zip(*pair, strict=True)] for pair in zip(before, now, strict=True)] == [
        [-1, -1],
        [0, -1],
    ]


@pytest.mark.parametrize("where", [Counts.TIE_BREAK, Counts.OVERALL, Counts.NOTHING])
def test_elsewhere_it_leaves_points_and_vp_alone(stage: Stage, event: Event, where: Counts) -> None:
    before = row(stage, event, "Ada")
    count(stage, event, where)
    give(stage, event, "Ada", points=-2, vp=-3)
    now = row(stage, event, "Ada")
    assert (now.points, now.vp) == (before.points, before.vp)
    assert now.figures[1].shown == ("−2" if where == Counts.TIE_BREAK else "0")


@pytest.mark.parametrize(("groups", "moved"), [(True, -3), (False, 0)])
def test_points_of_rulings_move_a_player_between_groups_where_the_event_says_so(
    stage: Stage, event: Event, groups: bool, moved: int
) -> None:
    count(stage, event, Counts.POINTS, ruling_groups=groups)
    stage.draw(event, 3)
    ada = str(stage.one(Player, name="Ada").id)
    seats = {seat["id"]: seat["points"] for seat in (stage.one(Round, number=3).inputs or {})["seats"]}
    give(stage, event, "Ada", points=-3)
    stage.draw(event, 3)
    again = {seat["id"]: seat["points"] for seat in (stage.one(Round, number=3).inputs or {})["seats"]}
    assert again[ada] - seats[ada] == moved
    assert {id_: p for id_, p in again.items() if id_ != ada} == {id_: p for id_, p in seats.items() if id_ != ada}


def test_a_red_card_takes_the_game_and_leaves_the_vp(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    winner, loser = stage.name(min(game.a_id, game.b_id or 0)), stage.name(max(game.a_id, game.b_id or 0))
    before = row(stage, event, winner), row(stage, event, loser)
    ruling = give(stage, event, winner, card=Card.RED, round_number=2, follows=Follows.GAME_LOST)
    after = row(stage, event, winner), row(stage, event, loser)
    assert [(b.wins - a.wins, b.losses - a.losses, a.vp - b.vp) for a, b in zip(before, after, strict=True)] == [
        (-1, 1, 0), (1, -1, 0),
    ]  # fmt: skip
    with pytest.raises(Refused, match="one of them must win it"):
        give(stage, event, loser, card=Card.RED, round_number=2, follows=Follows.GAME_LOST)
    take_back(stage, event, ruling)
    assert (row(stage, event, winner), row(stage, event, loser)) == before


def test_the_second_yellow_card_is_a_red_one_as_the_event_says(stage: Stage, event: Event) -> None:
    give(stage, event, "Bo", card=Card.YELLOW)
    with pytest.raises(Refused, match="second yellow card of Bo is a red one") as refused:
        give(stage, event, "Bo", card=Card.YELLOW)
    assert refused.value.field == "follows"
    give(stage, event, "Bo", card=Card.YELLOW, follows=Follows.DISQUALIFIED)
    count(stage, event, Counts.POINTS, second_yellow=False)
    give(stage, event, "Cy", card=Card.YELLOW)
    give(stage, event, "Cy", card=Card.YELLOW)
    assert stage.now(stage.one(Player, name="Cy")).state == PlayerState.CHECKED_IN


def test_who_is_disqualified_stands_last_and_comes_back_only_after_it_is_taken_back(stage: Stage, event: Event) -> None:
    points = {one.name: one.points for one in stage.standings(event)}
    ruling = give(stage, event, "Ada", card=Card.RED, follows=Follows.DISQUALIFIED)
    rows = stage.standings(event)
    assert [(one.name, one.disqualified) for one in rows][-1] == ("Ada", True)
    assert [one.rank for one in rows] == [1, 2, 3, 4]
    assert {one.name: one.points for one in rows} == points, "what was played against her counts"
    ada = stage.now(stage.one(Player, name="Ada"))
    assert ada.state == PlayerState.DROPPED
    with pytest.raises(Refused, match="disqualified"), stage.changing(event) as s:
        reinstate(s, event, ada, BY, stage.clock())
    take_back(stage, event, ruling)
    assert stage.standings(event)[0].name == "Ada"
    with stage.changing(event) as s:
        reinstate(s, event, ada, BY, stage.clock())
    assert stage.now(ada).state == PlayerState.CHECKED_IN


@pytest.mark.slow
@pytest.mark.parametrize(("given", "field"), [
    ({}, "points"),
    ({"points": 1, "round_number": 3}, "round_number"),
    ({"card": Card.RED}, "follows"),
    ({"points": -1, "follows": Follows.DISQUALIFIED}, "follows"),
    ({"card": Card.RED, "follows": Follows.GAME_LOST}, "round_number"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_at_its_field_and_stores_nothing(
    stage: Stage, event: Event, given: dict[str, Any], field: str
) -> None:
    before = stage.digest()
    with pytest.raises(Refused) as refused:
        give(stage, event, "Ada", **given)
    assert refused.value.field == field
    assert stage.digest() == before


def test_the_journal_has_the_reason_and_what_was_taken_back(stage: Stage, event: Event) -> None:
    ruling = give(stage, event, "Ada", points=-1, card=Card.YELLOW, round_number=2, reason="slow play")
    take_back(stage, event, ruling)
    take_back(stage, event, ruling)
    assert stage.journal(event)[-2:] == [
        "Ada: Yellow card, −1 tournament point, round 2. slow play",
        "Ada: took back Yellow card, −1 tournament point, round 2",
    ]
