"""The sideboard at the table: a legal part of the roster, chosen in secret against a clock, shown when both have."""

from collections.abc import Callable
from typing import Any

import pytest
from bs4 import Tag

from models.event import Event, ListsShown
from models.play import FieldedForce, Game, Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

Enter = Callable[..., list[Person]]
MINE = "/e/iron-open/me/fielded"
SETTLERS = [{"name": "Settler", "leader": True}, *[{"name": "Settler"}] * 20, {"name": "Minuteman"}]
"""40 Caps each and 54: 894 of a roster of 1000, of which 750 are fielded."""
ROSTER: dict[str, Any] = {"system": "battle_mode", "edition": "2018-08", "faction": "Survivors", "models": SETTLERS}


@pytest.fixture
def table(enter: Enter, olga: Person, stage: Stage, event: Event) -> list[Person]:
    """Two players at their table, each with a roster."""
    people = enter(event, "Ada", "Bo")
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", roster_size="1000", choose_minutes="5")
    for player in stage.all(Player):
        stage.force(event, player, read_force(ROSTER))
    stage.publish(event, 1)
    return people


def boxes(page: Page) -> list[Tag]:
    return page.soup.select("input[name=places]")


def field(person: Person, *places: int, press: str = "Field these") -> Page:
    person.open(MINE)
    return person.press(press, places=[str(place) for place in places])


def test_both_choose_in_secret_and_then_both_see_it(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    assert "Choose my force for this game" in ada.open("/e/iron-open/me").text
    page = ada.open(MINE)
    assert len(boxes(page)) == 22
    assert "Roster of Bo" in page.text
    page = field(ada, 0, 21)
    assert "Has chosen" in page.text
    assert [box.get("value") for box in boxes(page) if box.has_attr("checked")] == ["0", "21"], "the own choice stays"
    game = stage.one(Game)
    address = f"/e/iron-open/desk/games/{game.id}/fielded/{stage.one(Player, name='Ada').id}"
    for other in (bo.open(MINE), olga.open(address)):
        assert "The forces of this game" not in other.text
        assert not [box for box in boxes(other) if box.has_attr("checked")] or other.path == address
    assert "Minuteman" not in bo.open("/e/iron-open/me").text
    archive = "/e/iron-open/desk/archive.json"
    assert olga.ask("GET", archive).get_json()["tables"]["fielded_force"] == [], "not even the owner reads it"
    field(bo, 0, 1)
    assert len(olga.ask("GET", archive).get_json()["tables"]["fielded_force"]) == 2
    for person in (ada, bo, olga):
        page = person.open(MINE if person is not olga else address)
        assert page.part("h1") == "The forces of this game"
        assert ["Minuteman", "54"] in page.rows("table.force")
    assert {one.document["models"][0]["leader"] for one in stage.all(FieldedForce)} == {True}


@pytest.mark.parametrize(
    ("places", "rule"),
    [((1, 2), "Settler leads the roster"), (tuple(range(19)), "760 Caps, 10 over"), ((), "choose the models")],
)
def test_a_part_that_is_not_legal_is_not_chosen(
    table: list[Person], stage: Stage, places: tuple[int, ...], rule: str
) -> None:
    ada, _ = table
    ada.open(MINE)
    before = stage.digest()
    page = field(ada, *places)
    assert page.status == 422
    assert rule in page.text
    assert [int(str(box["value"])) for box in boxes(page) if box.has_attr("checked")] == list(places), "kept"
    assert stage.digest() == before


def test_looking_stores_nothing(table: list[Person], stage: Stage) -> None:
    ada, _ = table
    before = stage.digest()
    page = field(ada, 0, 1, 2, press="Check only")
    assert page.status == 200
    assert "120 of 750 Caps" in page.text
    assert "Legal" in page.part(".verdict")
    assert "bm.leader" in field(ada, 1, press="Check only").part(".verdict")
    assert stage.digest() == before


def test_the_clock_runs_from_the_first_press_and_a_late_choice_says_so(
    table: list[Person], stage: Stage, clock: Clock
) -> None:
    ada, bo = table
    ada.open(MINE)
    page = ada.press("Start the clock")
    assert "Choose by" in page.text
    since = stage.one(Game).choosing_since
    clock.advance(minutes=4, seconds=59)
    field(ada, 0)
    assert stage.now(stage.one(Game)).choosing_since == since
    clock.advance(seconds=2)
    assert "the time is over" in bo.open(MINE).text
    field(bo, 0)
    page = ada.open(MINE)
    assert page.text.count("after the time") == 1, "of Bo alone"


def test_until_both_have_chosen_it_can_be_changed_and_then_no_more(table: list[Person], stage: Stage) -> None:
    ada, bo = table
    field(ada, 0)
    field(ada, 0, 1)
    assert len(stage.one(FieldedForce).document["models"]) == 2
    ada.open(MINE)
    old = ada.page
    field(bo, 0)
    ada.page = old
    page = ada.press("Field these", places=["0"])
    assert page.status == 422
    assert "Both players have chosen" in page.text
    assert len(stage.one(FieldedForce, player_id=stage.one(Player, name="Ada").id).document["models"]) == 2


def test_the_organiser_chooses_for_a_player_and_lets_both_choose_again(
    table: list[Person], stage: Stage, olga: Person
) -> None:
    ada, _ = table
    field(ada, 0)
    game, bo = stage.one(Game), stage.one(Player, name="Bo")
    olga.open(f"/e/iron-open/desk/games/{game.id}")
    assert any("Bo" in link.get_text() for link in olga.page.soup.select("a.small"))
    olga.open(f"/e/iron-open/desk/games/{game.id}/fielded/{bo.id}")
    olga.press("Field these", places=["0", "1"])
    assert len(stage.all(FieldedForce)) == 2
    olga.open(f"/e/iron-open/desk/games/{game.id}/fielded/{bo.id}")
    olga.press("Let both choose again")
    assert not stage.all(FieldedForce)
    assert stage.now(game).choosing_since is None
    assert "Ada and Bo choose their forces again" in olga.open("/e/iron-open/desk/journal").text


def test_a_later_change_of_the_roster_does_not_reach_the_table(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    field(ada, 0, 1)
    olga.open(f"/e/iron-open/desk/players/{stage.one(Player, name='Ada').id}/force")
    olga.press("Save", name="New")
    field(bo, 0)
    assert len(stage.all(FieldedForce)[0].document["models"]) == 2


def test_where_there_is_no_sideboard_there_is_nothing_to_choose(enter: Enter, stage: Stage, event: Event) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert ada.open(MINE).status == 404
    assert "Choose my force" not in ada.open("/e/iron-open/me").text


def test_a_decided_game_takes_no_choice(table: list[Person], stage: Stage, event: Event) -> None:
    ada, _ = table
    ada.open(MINE)
    stage.decide(event, stage.one(Game), 3, 1)
    assert "This game is over" in ada.press("Field these", places=["0"]).text or ada.page.status == 404


def test_the_roster_is_what_lists_are_measured_by(table: list[Person]) -> None:
    ada, _ = table
    assert "894 of 1000 Caps" in ada.open("/e/iron-open/me").text


def test_a_roster_that_is_being_changed_is_shown_to_nobody_and_chosen_from_by_nobody(
    table: list[Person], stage: Stage, olga: Person
) -> None:
    ada, bo = table
    player = stage.one(Player, name="Bo")
    olga.open(f"/e/iron-open/desk/lists/{player.id}")
    olga.press("Unlock this list")
    bo.open("/e/iron-open/me/force")
    bo.press("Save", name="CANARY")
    page = ada.open(MINE)
    assert "it is being changed" in page.text
    assert "Minuteman" not in page.text.partition("Roster of Bo")[2]
    page = field(bo, 0)
    assert (page.status, "unlocked for a change" in page.text) == (422, True)


def test_of_an_illegal_roster_nothing_is_fielded(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, _ = table
    ann = stage.one(Player, name="Ada")
    olga.open(f"/e/iron-open/desk/players/{ann.id}/force")
    for _ in range(3):
        olga.press("Duplicate")
    page = field(ada, 0)
    assert page.status == 422
    assert "The roster itself is not legal (bm.size)" in page.text
    assert not stage.all(FieldedForce)


def test_the_minutes_left_are_the_servers(table: list[Person], clock: Clock) -> None:
    ada, _ = table
    ada.open(MINE)
    page = ada.press("Start the clock")
    (shown,) = page.soup.select("time[data-clock]")
    assert str(shown["data-now"]) == clock().isoformat()
    assert ada.open(MINE).response.headers.get("ETag") is None, "never taken from a cache while it runs"


@pytest.mark.proves("G4", "attack 54")
def test_opponent_reads_no_roster_before_lists_are_shown(table: list[Person], stage: Stage, event: Event) -> None:
    ada, bo = table
    with stage.changing(event):
        event.lists_shown, event.lists_revealed_at = ListsShown.ON_PRESS, None
    page = bo.open(MINE)
    assert "Roster of Ada" in page.text
    assert page.text.count("Settler") == ada.open(MINE).text.count("Settler") > 0
    assert "Lists are secret until the organiser shows them." in page.text
    assert len(page.soup.select("table.force")) == 0, "the own roster is a form, the opponent's is not shown"
