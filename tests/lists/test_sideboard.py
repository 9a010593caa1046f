"""The sideboard: a legal part of the roster is chosen in secret against a clock, and shown when both have chosen."""

import pytest
from bs4 import Tag

from events.results.queries import bounds_of
from models.event import Event, ListsShown
from models.play import FieldedForce, Game, Player
from tests.kit.forces import read_force
from tests.kit.lists import EVERY_GAME, ROSTER, Enter, event_of_game
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.restrictions import Restrictions
from validators.scenario import Side

FIELDED = "/e/iron-open/me/fielded"


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


def ticked(page: Page) -> list[int]:
    return [int(str(box["value"])) for box in boxes(page) if box.has_attr("checked")]


def choose(person: Person, *places: int, press: str = "Field these models") -> Page:
    person.open(FIELDED)
    return person.press(press, places=[str(place) for place in places])


def test_choices_are_secret_until_both_have_chosen(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    page = ada.open("/e/iron-open/me")
    assert "Choose my force for this game" in page.text
    assert "894 of 1000 Caps" in page.text, "lists are checked against the roster's size"
    page = ada.open(FIELDED)
    assert len(boxes(page)) == 22
    assert "Roster of Bo" in page.text
    page = choose(ada, 0, 21)
    assert "Has chosen" in page.text
    assert ticked(page) == [0, 21]
    address = f"/e/iron-open/desk/games/{stage.one(Game).id}/fielded/{stage.one(Player, name='Ada').id}"
    assert not ticked(bo.open(FIELDED))
    for page in (bo.page, olga.open(address)):
        assert "The forces of this game" not in page.text
    assert "Minuteman" not in bo.open("/e/iron-open/me").text
    archive = "/e/iron-open/desk/archive.json"
    assert olga.ask("GET", archive).get_json()["tables"]["fielded_force"] == [], "not even the owner reads it"
    choose(bo, 0, 1)
    assert len(olga.ask("GET", archive).get_json()["tables"]["fielded_force"]) == 2
    for person in (ada, bo, olga):
        page = person.open(FIELDED if person is not olga else address)
        assert page.part("h1") == "The forces of this game"
        assert ["Minuteman", "54"] in page.rows("table.force")
    assert {one.document["models"][0]["leader"] for one in stage.all(FieldedForce)} == {True}


def test_illegal_choice_is_refused_and_a_check_stores_nothing(table: list[Person], stage: Stage) -> None:
    ada, _ = table
    before = stage.digest()
    for places, rule in (
        ((1, 2), "Settler leads the roster"),
        (tuple(range(19)), "760 Caps, 10 over"),
        ((), "choose the models"),
    ):
        page = choose(ada, *places)
        assert (page.status, rule in page.text, ticked(page)) == (422, True, list(places)), rule
    page = choose(ada, 0, 1, 2, press="Check only")
    assert (page.status, "120 of 750 Caps" in page.text) == (200, True)
    assert "Legal" in page.part(".verdict")
    assert "bm.leader" in choose(ada, 1, press="Check only").part(".verdict")
    assert stage.digest() == before


def test_late_choice_is_marked(table: list[Person], stage: Stage) -> None:
    ada, bo = table
    ada.open(FIELDED)
    page = ada.press("Start the clock")
    assert "Choose by" in page.text
    (shown,) = page.soup.select("time[data-clock]")
    assert str(shown["data-now"]) == stage.clock().isoformat()
    assert ada.open(FIELDED).response.headers.get("ETag") is None, "never cached while the clock runs"
    since = stage.one(Game).choosing_since
    stage.clock.advance(minutes=4, seconds=59)
    choose(ada, 0)
    assert stage.now(stage.one(Game)).choosing_since == since
    stage.clock.advance(seconds=2)
    assert "time is up" in bo.open(FIELDED).text
    choose(bo, 0)
    assert ada.open(FIELDED).text.count("too late") == 1, "Bo's alone"


def test_choice_can_be_changed_until_both_have_chosen(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    mine = stage.one(Player, name="Ada")
    choose(ada, 0)
    choose(ada, 0, 1)
    olga.open(f"/e/iron-open/desk/players/{mine.id}/force")
    olga.press("Save", name="New")  # a later change of the roster does not reach the table
    assert len(stage.one(FieldedForce).document["models"]) == 2
    old = ada.open(FIELDED)
    choose(bo, 0)
    ada.page = old
    page = ada.press("Field these models", places=["0"])
    assert (page.status, "Both players have chosen" in page.text) == (422, True)
    assert len(stage.one(FieldedForce, player_id=mine.id).document["models"]) == 2


def test_organiser_chooses_for_a_player_and_lets_both_choose_again(
    table: list[Person], stage: Stage, olga: Person
) -> None:
    ada, _ = table
    choose(ada, 0)
    game, bo = stage.one(Game), stage.one(Player, name="Bo")
    olga.open(f"/e/iron-open/desk/games/{game.id}")
    assert any("Bo" in link.get_text() for link in olga.page.soup.select("a.small"))
    address = f"/e/iron-open/desk/games/{game.id}/fielded/{bo.id}"
    olga.open(address)
    olga.press("Field these models", places=["0", "1"])
    assert len(stage.all(FieldedForce)) == 2
    olga.open(address)
    olga.press("Let both choose again")
    assert not stage.all(FieldedForce)
    assert stage.now(game).choosing_since is None
    assert "Ada and Bo choose their forces again" in olga.open("/e/iron-open/desk/journal").text


def test_no_choice_without_a_sideboard_or_after_the_game(
    table: list[Person], stage: Stage, event: Event, enter: Enter
) -> None:
    ada, _ = table
    ada.open(FIELDED)
    stage.decide(event, stage.one(Game), 3, 1)
    assert "This game is over" in ada.press("Field these models", places=["0"]).text or ada.page.status == 404
    other = stage.event("Rust Cup")
    cy, _ = enter(other, "Cy", "Di")
    stage.publish(other, 1)
    assert cy.open("/e/rust-cup/me/fielded").status == 404
    assert "Choose my force" not in cy.open("/e/rust-cup/me").text


def test_unlocked_or_illegal_roster_is_hidden_and_fields_nothing(
    table: list[Person], stage: Stage, olga: Person
) -> None:
    ada, bo = table
    olga.open(f"/e/iron-open/desk/lists/{stage.one(Player, name='Bo').id}")
    olga.press("Unlock this list")
    bo.open("/e/iron-open/me/force")
    bo.press("Save", name="CANARY")
    page = ada.open(FIELDED)
    assert "it is being changed" in page.text
    assert "Minuteman" not in page.text.partition("Roster of Bo")[2]
    page = choose(bo, 0)
    assert (page.status, "unlocked for a change" in page.text) == (422, True)
    olga.open(f"/e/iron-open/desk/players/{stage.one(Player, name='Ada').id}/force")
    for _ in range(3):
        olga.press("Duplicate")
    page = choose(ada, 0)
    assert (page.status, "The list itself is not legal (bm.size)" in page.text) == (422, True)
    for _ in range(3):
        olga.press("Undo")
    assert "never submitted" in choose(ada, 0).text, "legal again, and a draft"
    assert not stage.all(FieldedForce)


@pytest.mark.proves("G4", "attack 54")
def test_opponent_reads_no_roster_before_lists_are_shown(table: list[Person], stage: Stage, event: Event) -> None:
    ada, bo = table
    with stage.changing(event):
        event.lists_shown, event.lists_revealed_at = ListsShown.ON_PRESS, None
    page = bo.open(FIELDED)
    assert "Roster of Ada" in page.text
    assert page.text.count("Settler") == ada.open(FIELDED).text.count("Settler") > 0
    assert "Lists are secret until the organiser shows them." in page.text
    assert len(page.soup.select("table.force")) == 0, "the player's own roster is a form, the opponent's is hidden"


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
def test_every_game_fields_a_part_of_a_roster(game: GameSystem, enter: Enter, olga: Person, stage: Stage) -> None:
    event = event_of_game(stage, game)
    ada, _ = enter(event, "Ada", "Bo")
    larger = game.default_size * 2
    olga.open(f"{EVERY_GAME}/desk/restrictions")
    olga.press("Save", roster_size=str(larger), choose_minutes="5")
    terms = Terms(game.editions[0], game.default_size, Restrictions(roster_size=larger))
    roster = game.forces.sample(terms, game.editions[0].factions[0], 5)
    for player in stage.all(Player):
        stage.force(event, player, roster)
    stage.publish(event, 1)
    places = list(range(len(game.forces.summarise(roster, terms.edition).lines)))
    while not game.checks.check(game.forces.part_of(roster, places), terms.fielded).legal:
        places.pop()
        assert places, "no first part of the roster is legal"
    ada.open(f"{EVERY_GAME}/me/fielded")
    page = ada.press("Field these models", places=[str(place) for place in places])
    part = game.forces.part_of(roster, places)
    assert (page.status, ticked(page)) == (200, places)
    assert stage.one(FieldedForce).document == part
    if game.scoring.bounds is not None:
        (played,) = stage.games(event, 1)
        side: Side = "a" if stage.name(played.a_id) == "Ada" else "b"
        scenario = game.scenarios[0]
        bounds = bounds_of(stage.s, event, played, scenario)
        assert bounds == game.scoring.bounds(scenario, side, part, terms.edition), (
            "results are limited by the fielded force"
        )
        assert bounds != game.scoring.bounds(scenario, side, roster, terms.edition)
