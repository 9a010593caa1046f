"""Votes and marks: given on a player's own page, and read by no other player at any address."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.play.rulings import Painting, SoftRules, Sports
from events.setup.pairing_actions import set_soft_rules
from models.award import PaintingMark, PaintingVote, SportsMark
from models.event import Event
from models.play import Player
from tests.kit.person import Person
from tests.kit.secrecy import addresses, read_by
from tests.kit.stage import BY, Stage

SOFT, VOTES = "/e/iron-open/desk/soft", "/e/iron-open/me/votes"


@pytest.fixture
def event(stage: Stage, event: Event) -> Event:
    """Painting by list and vote, opponents marked from 1 to 5."""
    with stage.changing(event) as s:
        rules = SoftRules(painting=Painting.BOTH, sports=Sports.SCALE)
        set_soft_rules(s, event, rules, BY, stage.clock())
    return event


def test_judge_ticks_the_check_list_player_by_player(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    olga.open(f"/e/iron-open/desk/painting/{stage.one(Player, name='Ada').id}")
    page = olga.press("Save, then Bo", items=["i1", "i5"])
    assert page.part("h1") == "Painting: Bo"
    page = olga.press("Save")
    of_ada, of_bo = page.rows("table")
    assert of_ada[1].startswith("4 Painting: 3 (Every model") and of_bo[1] == "0 Painting: nothing ticked = 0"
    assert {mark.by for mark in stage.all(PaintingMark)} == {"owner Olga"}
    assert "4 points , judged by owner Olga" in ada.open(VOTES).text


def test_check_list_is_changed_in_the_settings(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/pairing")
    page = olga.press("Save", inside="#soft", **{"soft-item_texts-6": "<b>A banner</b>"})
    assert page.status == 422
    assert "line 7" in page.text
    olga.press("Save", inside="#soft", **{"soft-item_points-6": "4", "soft-sports": "thumbs"})
    assert (stage.now(event).soft_rules or {})["items"][6] == {"id": "i7", "text": "<b>A banner</b>", "points": 4}


def test_vote_can_be_changed_until_it_is_counted(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, bo, cy = enter(event, "Ada", "Bo", "Cy")
    stage.play(event, 1)
    olga.open(SOFT)
    olga.press("Open the vote")
    for person, name in ((ada, "Bo"), (cy, "Ada"), (cy, "Bo")):
        person.open(VOTES)
        assert ("Ada" in person.page.part("#form-vote")) == (person is cy), "players cannot vote for their own force"
        person.press("Vote", **{"vote-for_id": str(stage.one(Player, name=name).id)})
    assert "2 of 3 have voted" in olga.open(SOFT).text
    assert len(stage.all(PaintingVote)) == 2
    olga.press("Close and count")
    assert "Most: Bo with 2" in olga.page.text
    assert bo.open(VOTES).soup.select("#form-vote") == []


def test_ballot_and_mark_change_no_page_of_anybody_else(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, bo, cy, di = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    olga.open(SOFT)
    olga.press("Open the vote")
    people = dict(zip((player.id for player in stage.all(Player)), (ada, bo, cy, di), strict=True))
    by_ada = stage.one(Player, name="Ada").id
    (game,) = (game for game in stage.games(event, 1) if by_ada in (game.a_id, game.b_id))
    (opponent,) = (people[id_] for id_ in (game.a_id, game.b_id) if id_ not in (None, by_ada))
    pages = addresses(app, stage, event, **{"<int:player_id>": str(game.b_id), "<view>": "standings"})
    assert len(pages) > 50

    def seen(reader: Person) -> list[object]:
        return [read_by(reader, address) for address in pages if reader is olga or "/desk" not in address]

    def ballot(name: str) -> None:
        ada.open(VOTES)
        ada.press("Vote", **{"vote-for_id": str(stage.one(Player, name=name).id)})

    def mark(value: str) -> None:
        ada.open(VOTES)
        ada.press("Store", **{"r1-mark": value})

    mark("3")
    mark("1")
    for name in ("Bo", "Cy") * 5:  # the desk shows the newest entries of the journal: make all of them votes
        ballot(name)
    ballot("Bo")
    by_player, by_staff = seen(opponent), seen(olga)
    ballot("Di")
    assert seen(olga) == by_staff, "the staff reads marks, but nobody's ballot"
    assert read_by(ada, VOTES) != read_by(bo, VOTES), "the control: the voter sees the ballot"
    mark("5")
    assert seen(opponent) == by_player
    assert "Ada marked the opponent of round 1" in olga.open("/e/iron-open/desk/journal").text


def test_marks_need_a_result_and_are_read_by_the_staff(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    assert "as soon as the result of your game is in" in ada.open(VOTES).text
    stage.decide(event, game, 2, 1)
    ada.open(VOTES)
    assert ada.press("Store").status == 422
    ada.press("Store", **{"r1-mark": "2"})
    assert ada.page.value("r1-mark") == "2"
    assert "round 1, Ada : 2" in olga.open(SOFT).text
    assert stage.one(SportsMark).mark == 2
    assert ada.forge("Store", **{"r1-mark": "9"}).status == 422
