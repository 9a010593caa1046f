"""Painting and sportsmanship: judged, voted, marked; where and from when they count."""

from dataclasses import replace
from typing import Any

import pytest

from events.play.errors import Refused
from events.play.queries import players_of
from events.play.rulings import USUAL_ITEMS, Counts, Item, Painting, SoftRules, Sports, from_document, to_document
from events.setup.actions import finish
from events.setup.pairing_actions import set_soft_rules
from events.standings import soft_scores as scores
from events.standings.soft_scores import soft_scores, sports_score, votes
from models.event import Event
from models.play import Player
from tests.kit.stage import Stage

OFF = SoftRules(
    painting=Painting.BOTH, items=(Item("i3", "x", 2),), sports=Sports.SCALE, painting_counts=Counts.POINTS,
    sports_counts=Counts.NOTHING, rulings_count=Counts.OVERALL, ruling_groups=False, second_yellow=False,
    faction_least=5, one_each=True, hold=True,
)  # fmt: skip


@pytest.fixture
def event(stage: Stage) -> Event:
    """One round is played by four; who entered first wins."""
    event = stage.event(tie_breaks=("painting", "sportsmanship", "vp"))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    return event


def rules(stage: Stage, event: Event, **chosen: Any) -> None:
    stage.do(event, set_soft_rules, replace(SoftRules(), **chosen))


def who(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def figures(stage: Stage, event: Event) -> dict[str, tuple[str, ...]]:
    return {row.name: tuple(figure.shown for figure in row.figures[:2]) for row in stage.standings(event)}


def test_rules_are_stored_as_chosen() -> None:
    assert from_document(to_document(OFF)) == OFF
    assert from_document({}) == SoftRules()


def test_check_list_gives_its_points_with_their_arithmetic(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.LIST)
    stage.do(event, scores.judge_painting, who(stage, "Di"), ["i1", "i4", "not on it"])
    (di,) = (row for row in stage.standings(event) if row.name == "Di")
    assert di.figures[0].shown == "5"
    assert di.figures[0].how == f"3 ({USUAL_ITEMS[0].text}) + 2 ({USUAL_ITEMS[3].text}) = 5"
    rules(stage, event, painting=Painting.LIST, items=(replace(USUAL_ITEMS[0], points=7),))
    assert figures(stage, event)["Di"][0] == "7", "a ticked item counts with its new points"


def test_painting_counts_where_the_event_sets(stage: Stage, event: Event) -> None:
    before = {row.name: row.points for row in stage.standings(event)}
    rules(stage, event, painting=Painting.LIST)
    stage.do(event, scores.judge_painting, who(stage, "Ada"), ["i1"])
    for where, points, figure in (
        (Counts.POINTS, 3, "0"), (Counts.TIE_BREAK, 0, "3"), (Counts.OVERALL, 0, "0"), (Counts.NOTHING, 0, "0"),
    ):  # fmt: skip
        rules(stage, event, painting=Painting.LIST, painting_counts=where)
        (ada,) = (row for row in stage.standings(event) if row.name == "Ada")
        assert (ada.points - before["Ada"], ada.figures[0].shown) == (points, figure), where
        assert ("3 painting" in ada.how["points"]) == bool(points), where


def test_figure_set_by_the_organiser_replaces_the_judged_one(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.LIST, sports=Sports.THUMBS)
    ada = who(stage, "Ada")
    stage.do(event, scores.judge_painting, ada, ["i1"])
    with stage.changing(event):
        ada.painting, ada.painting_by_hand = 0, True
        ada.sportsmanship, ada.sportsmanship_by_hand = 9, True
    assert figures(stage, event)["Ada"] == ("0", "9")


def test_votes_count_once_the_vote_is_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE)
    ada, bo, cy = (who(stage, name) for name in ("Ada", "Bo", "Cy"))
    with pytest.raises(Refused, match="not open"):
        stage.do(event, scores.vote, ada, bo.id)
    stage.do(event, scores.open_vote)
    stage.do(event, scores.vote, ada, bo.id)
    stage.do(event, scores.vote, cy, ada.id)
    stage.do(event, scores.vote, cy, bo.id)
    (far,) = stage.enter(stage.event("Rust Cup"), "Eve")
    (late,) = stage.enter(event, "Flo", here=False)
    for id_, why in ((bo.id, "own force"), (far.id, "a player who is here"), (late.id, "a player who is here")):
        with pytest.raises(Refused, match=why):
            stage.do(event, scores.vote, bo, id_)
    assert (votes(event), figures(stage, event)["Bo"][0]) == ({}, "0"), "nobody knows yet"
    stage.do(event, scores.close_vote)
    assert votes(event) == {bo.id: 2}
    assert figures(stage, event)["Bo"][0] == "2"
    with pytest.raises(Refused, match="not open"):
        stage.do(event, scores.vote, ada, cy.id)


def test_marks_from_1_to_5_are_averaged_and_others_counted() -> None:
    assert sports_score((5, 4, 4), Sports.SCALE).shown == "4.333"
    assert sports_score((1, 0, 1), Sports.THUMBS).shown == "2"
    assert sports_score((1, 1), Sports.FAVOURITE).shown == "2"


def test_marks_count_once_they_are_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.SCALE)
    game = stage.games(event, 1)[0]
    one, other = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))
    stage.do(event, scores.mark_opponent, one, 1, 2)
    stage.do(event, scores.mark_opponent, one, 1, 4)
    for number, mark in ((2, 3), (1, 0), (1, 6)):
        with pytest.raises(Refused):
            stage.do(event, scores.mark_opponent, other, number, mark)
    assert figures(stage, event)[other.name][1] == "0"
    with pytest.raises(Refused, match="marked opponents already"):
        rules(stage, event, sports=Sports.THUMBS)
    stage.do(event, scores.close_marks)
    assert figures(stage, event)[other.name][1] == "4"
    with pytest.raises(Refused, match="The staff has closed the marks"):
        stage.do(event, scores.mark_opponent, one, 1, 1)


def test_each_player_has_one_favourite_opponent(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.FAVOURITE)
    stage.play(event, 2)
    for number in (1, 2):
        stage.do(event, scores.mark_opponent, who(stage, "Ada"), number, 1)
    stage.do(event, scores.close_marks)
    (score,) = soft_scores(event, players_of(stage.s, event)).sports.values()
    assert (score.value, score.how) == (1, "favourite opponent of 1")


def test_closing_the_event_closes_votes_and_marks(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE, sports=Sports.THUMBS)
    stage.do(event, scores.open_vote)
    stage.do(event, finish)
    assert event.painting_vote_closed_at == event.sports_closed_at == stage.clock()
    with pytest.raises(Refused, match="final"):
        stage.do(event, scores.open_vote)
