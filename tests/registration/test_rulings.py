"""Penalties, bonuses and cards: where they count, what a card costs, and that nothing changes without them."""

from dataclasses import replace
from typing import Any

import pytest

from events.play.errors import Refused
from events.play.rulings import Counts, SoftRules, to_document
from events.registration.actions import reinstate
from events.registration.ruling_views import Follows, Given, give_ruling, take_back_ruling
from events.standings.ranking import Row
from models.award import Card
from models.event import Event, Round
from models.play import Player, PlayerState
from tests.kit.stage import Stage

NAMES = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Two rounds are played; the player entered first wins."""
    event = stage.event(rounds=4, tie_breaks=("vp", "conduct", "lots"))
    stage.enter(event, *NAMES)
    stage.play(event, 1)
    stage.play(event, 2)
    return event


def count(stage: Stage, event: Event, rulings: Counts, **changed: Any) -> None:
    with stage.changing(event):
        event.soft_rules = to_document(replace(SoftRules(rulings_count=rulings), **changed))


def give(stage: Stage, event: Event, name: str, **given: Any) -> Any:
    return stage.do(event, give_ruling, stage.one(Player, name=name), Given("late to the table", **given))


def row(stage: Stage, event: Event, name: str, after: int | None = None) -> Row:
    return next(one for one in stage.standings(event, after) if one.name == name)


def points_drawn(stage: Stage, event: Event, number: int) -> dict[str, int]:
    """Each seat's points as the draw of a round saw them."""
    stage.draw(event, number)
    return {seat["id"]: seat["points"] for seat in (stage.one(Round, number=number).inputs or {})["seats"]}


def test_penalty_and_bonus_count_in_points_and_vp_with_their_arithmetic(stage: Stage, event: Event) -> None:
    before = row(stage, event, "Ada")
    ruling = give(stage, event, "Ada", points=-2, vp=-3, card=Card.YELLOW, round_number=2)
    now = row(stage, event, "Ada")
    assert (now.points, now.vp, now.vp_difference) == (before.points - 2, before.vp - 3, before.vp_difference - 3)
    assert now.how["points"] == "2 wins × 3 + −2 penalty = 4"
    assert now.how["vp"].endswith(f"+ −3 (rulings) = {now.vp}")
    assert "late to the table" not in str(now)
    for points in (5, -1):
        give(stage, event, "Di", points=points)
    assert row(stage, event, "Di").how["points"].endswith("+ 4 bonus of the staff = 4")
    for _ in range(2):
        stage.do(event, take_back_ruling, ruling)
    assert row(stage, event, "Ada") == before
    journal = [line for line in stage.journal(event) if line.startswith("Ada: ")]
    assert journal == [
        "Ada: Yellow card, −2 tournament points, −3 VP, round 2. late to the table",
        "Ada: took back Yellow card, −2 tournament points, −3 VP, round 2",
    ]


def test_ruling_for_a_round_counts_from_that_round_on(stage: Stage, event: Event) -> None:
    def points() -> list[int]:
        return [row(stage, event, name, after).points for name in ("Ada", "Bo") for after in (1, 2)]

    before = points()
    give(stage, event, "Ada", points=-1, round_number=1)
    give(stage, event, "Bo", points=-1)
    assert [now - then for now, then in zip(points(), before, strict=True)] == [-1, -1, 0, -1]


def test_ruling_leaves_points_and_vp_alone_where_it_counts_elsewhere(stage: Stage, event: Event) -> None:
    before = row(stage, event, "Ada")
    give(stage, event, "Ada", points=-2, vp=-3)
    for where in (Counts.TIE_BREAK, Counts.OVERALL, Counts.NOTHING):
        count(stage, event, where)
        now = row(stage, event, "Ada")
        assert (now.points, now.vp) == (before.points, before.vp), where
        assert now.figures[1].shown == ("−2" if where == Counts.TIE_BREAK else "0"), where


def test_ruling_moves_a_player_between_groups_only_by_setting(stage: Stage, event: Event) -> None:
    seats = points_drawn(stage, event, 3)
    give(stage, event, "Ada", points=-3)
    ada = str(stage.one(Player, name="Ada").id)
    for groups, moved in ((True, -3), (False, 0)):
        count(stage, event, Counts.POINTS, ruling_groups=groups)
        assert points_drawn(stage, event, 3) == seats | {ada: seats[ada] + moved}, groups


def test_red_card_loses_the_game_and_keeps_the_vp(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    winner, loser = stage.name(min(game.a_id, game.b_id or 0)), stage.name(max(game.a_id, game.b_id or 0))
    before = row(stage, event, winner), row(stage, event, loser)
    ruling = give(stage, event, winner, card=Card.RED, round_number=2, follows=Follows.GAME_LOST)
    after = row(stage, event, winner), row(stage, event, loser)
    assert [(b.wins - a.wins, b.losses - a.losses, a.vp - b.vp) for a, b in zip(before, after, strict=True)] == [
        (-1, 1, 0), (1, -1, 0),
    ]  # fmt: skip
    with pytest.raises(Refused, match="one player must win"):
        give(stage, event, loser, card=Card.RED, round_number=2, follows=Follows.GAME_LOST)
    stage.do(event, take_back_ruling, ruling)
    assert (row(stage, event, winner), row(stage, event, loser)) == before


def test_second_yellow_card_is_red_only_by_setting(stage: Stage, event: Event) -> None:
    give(stage, event, "Bo", card=Card.YELLOW)
    with pytest.raises(Refused, match="second yellow card of Bo is a red one") as refused:
        give(stage, event, "Bo", card=Card.YELLOW)
    assert refused.value.field == "follows"
    give(stage, event, "Bo", card=Card.YELLOW, follows=Follows.DISQUALIFIED)
    count(stage, event, Counts.POINTS, second_yellow=False)
    for _ in range(2):
        give(stage, event, "Cy", card=Card.YELLOW)
    assert stage.now(stage.one(Player, name="Cy")).state == PlayerState.CHECKED_IN


def test_disqualified_player_is_last_and_returns_only_after_it_is_taken_back(stage: Stage, event: Event) -> None:
    points = {one.name: one.points for one in stage.standings(event)}
    ruling = give(stage, event, "Ada", card=Card.RED, follows=Follows.DISQUALIFIED)
    rows = stage.standings(event)
    assert [(one.name, one.disqualified) for one in rows][-1] == ("Ada", True)
    assert [one.rank for one in rows] == [1, 2, 3, 4]
    assert {one.name: one.points for one in rows} == points, "games against her count"
    ada = stage.now(stage.one(Player, name="Ada"))
    assert ada.state == PlayerState.DROPPED
    with pytest.raises(Refused, match="disqualified"):
        stage.do(event, reinstate, ada)
    stage.do(event, take_back_ruling, ruling)
    assert stage.standings(event)[0].name == "Ada"
    stage.do(event, reinstate, ada)
    assert stage.now(ada).state == PlayerState.CHECKED_IN


def test_faulty_ruling_is_refused_at_its_field_and_not_stored(stage: Stage, event: Event) -> None:
    before = stage.digest()
    faulty: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "points"),
        ({"points": 1, "round_number": 3}, "round_number"),
        ({"card": Card.RED}, "follows"),
        ({"points": -1, "follows": Follows.DISQUALIFIED}, "follows"),
        ({"card": Card.RED, "follows": Follows.GAME_LOST}, "round_number"),
    )
    for given, field in faulty:
        with pytest.raises(Refused) as refused:
            give(stage, event, "Ada", **given)
        assert refused.value.field == field, given
    assert stage.digest() == before
