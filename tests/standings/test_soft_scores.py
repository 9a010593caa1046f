"""Painting and sportsmanship: judged, voted, marked; where they count, and from when."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from events.play.errors import Refused
from events.play.queries import players_of
from events.play.rulings import USUAL_ITEMS, Counts, Item, Painting, SoftRules, Sports, from_document, to_document
from events.setup.actions import finish
from events.setup.pairing_actions import set_soft_rules
from events.standings import soft_scores as standings_soft_scores
from events.standings.soft_scores import soft_scores, sports_score, votes
from models.event import Event
from models.play import Player
from tests.kit.stage import BY, Stage

OFF = SoftRules(
    painting=Painting.BOTH, items=(Item("i3", "x", 2),), sports=Sports.SCALE, painting_counts=Counts.POINTS,
    sports_counts=Counts.NOTHING, rulings_count=Counts.OVERALL, ruling_groups=False, second_yellow=False,
    faction_least=5, one_each=True,
)  # fmt: skip


@pytest.fixture
def event(stage: Stage) -> Event:
    """One round is played by four; who entered first wins."""
    event = stage.event(tie_breaks=("painting", "sportsmanship", "vp"))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    return event


def rules(stage: Stage, event: Event, **chosen: Any) -> None:
    with stage.changing(event) as s:
        set_soft_rules(s, event, replace(SoftRules(), **chosen), BY, stage.clock())


def do(stage: Stage, event: Event, action: Callable[..., Any], *what: Any) -> None:
    with stage.changing(event) as s:
        action(s, event, *what, BY, stage.clock())


def who(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def figures(stage: Stage, event: Event) -> dict[str, tuple[str, ...]]:
    return {row.name: tuple(figure.shown for figure in row.figures[:2]) for row in stage.standings(event)}


def test_rules_are_kept_as_they_were_chosen() -> None:
    assert from_document(to_document(OFF)) == OFF
    assert from_document({}) == SoftRules()


def test_a_check_list_gives_its_points_with_their_arithmetic(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.LIST)
    do(stage, event, standings_soft_scores.judge_painting, who(stage, "Di"), ["i1", "i4", "not on it"])
    (di,) = (row for row in stage.standings(event) if row.name == "Di")
    assert di.figures[0].shown == "5"
    assert di.figures[0].how == f"3 ({USUAL_ITEMS[0].text}) + 2 ({USUAL_ITEMS[3].text}) = 5"
    rules(stage, event, painting=Painting.LIST, items=(replace(USUAL_ITEMS[0], points=7),))
    assert figures(stage, event)["Di"][0] == "7", "what was ticked in a line counts on with its new points"


@pytest.mark.parametrize(("where", "points", "figure"), [
    (Counts.POINTS, 3, "0"), (Counts.TIE_BREAK, 0, "3"), (Counts.OVERALL, 0, "0"), (Counts.NOTHING, 0, "0"),
])  # fmt: skip
def test_it_counts_where_the_event_says(stage: Stage, event: Event, where: Counts, points: int, figure: str) -> None:
    before = {row.name: row.points for row in stage.standings(event)}
    rules(stage, event, painting=Painting.LIST, painting_counts=where)
    do(stage, event, standings_soft_scores.judge_painting, who(stage, "Ada"), ["i1"])
    (ada,) = (row for row in stage.standings(event) if row.name == "Ada")
    assert (ada.points - before["Ada"], ada.figures[0].shown) == (points, figure)
    assert ("3 painting" in ada.how["points"]) == bool(points)


def test_the_organiser_s_own_figure_goes_before_what_was_judged(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.LIST, sports=Sports.THUMBS)
    ada = who(stage, "Ada")
    do(stage, event, standings_soft_scores.judge_painting, ada, ["i1"])
    with stage.changing(event):
        ada.painting, ada.painting_by_hand = 0, True
        ada.sportsmanship, ada.sportsmanship_by_hand = 9, True
    assert figures(stage, event)["Ada"] == ("0", "9")


def test_votes_are_counted_once_the_vote_is_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE)
    ada, bo, cy = (who(stage, name) for name in ("Ada", "Bo", "Cy"))
    with pytest.raises(Refused, match="not open"):
        do(stage, event, standings_soft_scores.vote, ada, bo.id)
    do(stage, event, standings_soft_scores.open_vote)
    do(stage, event, standings_soft_scores.vote, ada, bo.id)
    do(stage, event, standings_soft_scores.vote, cy, ada.id)
    do(stage, event, standings_soft_scores.vote, cy, bo.id)
    with pytest.raises(Refused, match="own force"):
        do(stage, event, standings_soft_scores.vote, bo, bo.id)
    assert (votes(event), figures(stage, event)["Bo"][0]) == ({}, "0"), "nobody knows yet"
    do(stage, event, standings_soft_scores.close_vote)
    assert votes(event) == {bo.id: 2}
    assert figures(stage, event)["Bo"][0] == "2"
    with pytest.raises(Refused, match="not open"):
        do(stage, event, standings_soft_scores.vote, ada, cy.id)


def test_one_cannot_vote_for_who_is_not_here(stage: Stage, event: Event) -> None:
    other = stage.event("Rust Cup")
    (far,) = stage.enter(other, "Eve")
    (late,) = stage.enter(event, "Flo", here=False)
    rules(stage, event, painting=Painting.VOTE)
    do(stage, event, standings_soft_scores.open_vote)
    for id_ in (far.id, late.id, 2**31 - 1):
        with pytest.raises(Refused, match="somebody who is here"):
            do(stage, event, standings_soft_scores.vote, who(stage, "Ada"), id_)


@pytest.mark.parametrize(("way", "marks", "shown"), [
    (Sports.SCALE, (5, 4, 4), "4.333"), (Sports.THUMBS, (1, 0, 1), "2"), (Sports.FAVOURITE, (1, 1), "2"),
])  # fmt: skip
def test_marks_from_1_to_5_are_averaged_and_all_others_counted(way: Sports, marks: tuple[int, ...], shown: str) -> None:
    assert sports_score(marks, way).shown == shown


def test_opponents_marks_count_once_they_are_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.SCALE)
    game = stage.games(event, 1)[0]
    one, other = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))
    do(stage, event, standings_soft_scores.mark_opponent, one, 1, 2)
    do(stage, event, standings_soft_scores.mark_opponent, one, 1, 4)
    for number, mark in ((2, 3), (1, 0), (1, 6)):
        with pytest.raises(Refused):
            do(stage, event, standings_soft_scores.mark_opponent, other, number, mark)
    assert figures(stage, event)[other.name][1] == "0"
    with pytest.raises(Refused, match="marked opponents already"):
        rules(stage, event, sports=Sports.THUMBS)
    do(stage, event, standings_soft_scores.close_marks)
    assert figures(stage, event)[other.name][1] == "4"
    with pytest.raises(Refused, match="No marks are taken"):
        do(stage, event, standings_soft_scores.mark_opponent, one, 1, 1)


def test_there_is_one_favourite_of_all(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.FAVOURITE)
    stage.play(event, 2)
    ada = who(stage, "Ada")
    do(stage, event, standings_soft_scores.mark_opponent, ada, 1, 1)
    do(stage, event, standings_soft_scores.mark_opponent, ada, 2, 1)
    do(stage, event, standings_soft_scores.close_marks)
    (score,) = soft_scores(event, players_of(stage.s, event)).sports.values()
    assert (score.value, score.how) == (1, "favourite opponent of 1")


def test_closing_the_event_closes_what_is_collected(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE, sports=Sports.THUMBS)
    do(stage, event, standings_soft_scores.open_vote)
    do(stage, event, finish)
    assert event.painting_vote_closed_at == event.sports_closed_at == stage.clock()
    with pytest.raises(Refused, match="final"):
        do(stage, event, standings_soft_scores.open_vote)
