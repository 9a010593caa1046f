"""Rounds at the desk and on the players' phones: check in, draw, swap, publish."""

from collections.abc import Callable

import pytest

from models.event import Event, EventState
from models.play import Game, Player, PlayerState
from tests.kit.person import Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"
ROUND = f"{DESK}/rounds/1"
Enter = Callable[..., list[Person]]


@pytest.fixture
def five(olga: Person, enter: Enter, event: Event) -> list[Person]:
    """Five checked-in players; the organiser has opened round 1."""
    people = enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    olga.open(ROUND)
    return people


def test_from_check_in_to_the_table_on_everybodys_phone(
    olga: Person, enter: Enter, stage: Stage, event: Event, visitor: Person
) -> None:
    people = dict(zip(("Ada", "Bo", "Cy"), enter(event, "Ada", "Bo", "Cy", here=False), strict=True))
    assert "3 players registered. The event starts on Saturday 5 December." in olga.open(DESK).part(".next")
    for player in stage.all(Player):
        olga.open(f"{DESK}/players")
        olga.press("Check in", inside=f"#player-{player.id}")
        if player.name == "Ada":
            assert "2 registered players not checked in; 1 here." in olga.page.part(".next-text")
            assert "1 player is checked in. The scenario" in olga.open(ROUND).text
    players_page = olga.open(f"{DESK}/players")
    assert "3 players here: draw round 1." in olga.open(DESK).part(".next-text")
    page = olga.open(ROUND)
    assert "3 players are checked in: one of them will have the bye." in page.text
    drawn = olga.press("Draw round 1")
    assert "Drawn. Nobody else sees it until you publish it." in drawn.flashes
    scenario = drawn.part("h1").removeprefix("Round 1: ")
    assert "Round 1 is drawn." in olga.open(DESK).part(".next-text")
    olga.page, ada = players_page, stage.one(Player, name="Ada")
    assert "drop Ada instead" in olga.press("Undo", inside=f"#player-{ada.id}").flashes
    assert stage.now(ada).state == "checked_in"
    assert people["Ada"].open("/e/iron-open/rounds/1").status == 404
    assert "scenario drawn with the round" in visitor.open("/e/iron-open").part(".timeline")
    assert "Your table is shown here when round 1 is published." in people["Ada"].open("/e/iron-open/me").text
    assert olga.open("/e/iron-open/rounds/1").status == 200
    olga.open(ROUND)
    assert "Round 1 is published." in olga.press("Publish round 1").flashes
    assert stage.now(event).state == EventState.IN_PROGRESS
    (game, bye) = stage.games(event, 1)
    for name, person in people.items():
        today = person.open("/e/iron-open/me")
        if name == stage.name(bye.a_id):
            assert "You have the bye: it counts as a win. It goes to one of the players with the fewest" in today.text
        else:
            assert today.part(".your-table") == "Round 1 Table 1"
            assert scenario in today.text
            assert "Report the result" in today.text
    page = visitor.open("/e/iron-open/rounds/1")
    assert page.rows(".pairings")[0][0] == "1"
    for shown in (stage.name(game.a_id), stage.name(game.b_id), scenario):
        assert shown in page.text
    assert visitor.open("/e/iron-open/rounds/1?order=name").rows(".pairings")[0][0] == "Ada"


@pytest.mark.proves("G2", "F3")
def test_repeated_draw_or_publication_changes_nothing(
    olga: Person, five: list[Person], stage: Stage, event: Event
) -> None:
    planned = olga.page
    drawn = olga.press("Draw round 1")
    first = stage.digest()
    olga.page = planned
    assert "was drawn a moment ago, and this is that draw" in olga.press("Draw round 1").flashes
    assert (olga.page.path, stage.digest(), len(stage.all(Game))) == (ROUND, first, 3)
    olga.page = drawn
    olga.press("Draw again")
    second = stage.digest()
    olga.page = drawn
    assert "was drawn a moment ago" in olga.press("Draw again").flashes, "the page shows an older draw"
    assert (stage.digest(), second == first) == (second, False)
    olga.page = drawn
    olga.press("Publish round 1")
    pairs = stage.pairs(event, 1)
    before = stage.digest()
    for page, button in (
        (drawn, "Publish round 1"),
        (planned, "Draw round 1"),
        (drawn, "Discard"),
        (drawn, "Draw again"),
    ):
        olga.page = page
        answer = olga.press(button)
        assert answer.path == ROUND
        assert "not a draw that waits" in answer.flashes or "published already" in answer.flashes
    olga.page = drawn
    answer = olga.press("Swap", one=f"{pairs[0][0]} (", other=f"{pairs[1][0]} (")
    assert (answer.path, "not a draw that waits" in answer.flashes) == (ROUND, True)
    assert stage.digest() == before
    assert stage.journal(event, "publish-round") == ["Published round 1"]


def test_impossible_draw_changes_nothing(olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo")
    offered = olga.open(ROUND)
    with stage.changing(event):
        stage.all(Player)[1].state = PlayerState.DROPPED
    before = stage.digest()
    assert "At least two players must be checked in" in olga.open(ROUND).text
    assert not olga.page.soup.select("form[action$='/rounds/2/draw']")
    olga.page = offered
    assert "At least two players must be checked in" in olga.press("Draw round 1").flashes
    assert stage.digest() == before


def test_round_2_waits_for_round_1(
    olga: Person, five: list[Person], stage: Stage, event: Event, visitor: Person
) -> None:
    def why_not() -> str:
        page = olga.open(f"{DESK}/rounds/2")
        assert not page.soup.select("form[action$='/rounds/2/draw']")
        return page.text

    assert "Round 1 is not drawn yet." in why_not()
    stage.draw(event, 1)
    assert "Round 1 is drawn but not published yet." in why_not()
    games = stage.publish(event, 1)
    assert "Round 1 is not complete yet: 2 games have no result." in why_not()
    for game in games[:2]:
        stage.decide(event, game, 2, 1)
    olga.open(f"{DESK}/players")
    olga.press("Add", inside="#walk-in", **{"w-name": "Late"})
    five[0].open("/e/iron-open/me")
    assert "You have left this event" in five[0].press("Drop from the event").text
    assert "5 players here: draw round 2." in olga.open(DESK).text
    olga.open(f"{DESK}/rounds/2")
    assert "Drawn." in olga.press("Draw round 2").flashes
    assert {name for pair in stage.pairs(event, 2) for name in pair} == {"Bo", "Cy", "Di", "Ed", "Late", ""}
    assert visitor.open("/e/iron-open/rounds/2").status == 404
    assert "Round 2" not in visitor.open("/e/iron-open/rounds/1").part("nav[aria-label='Round and order']")
    assert visitor.open("/e/iron-open/rounds/1").status == 200
