"""Penalties and cards over the pages: given at the desk, read with their reasons by staff and by their player alone."""

from collections.abc import Callable

from events.pairing.certificate import read_pairings, redrawn
from models.award import Ruling
from models.event import Event
from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk/rulings"
CANARY = "was seen moving a marker twice"


def test_the_reason_is_the_player_s_and_the_staff_s_alone(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.play(event, 1)
    olga.open(DESK)
    page = olga.press("Give it", player="Ada", points="-2", reason=CANARY, round_number="1", card="yellow")
    assert page.flashes == "Stored for Ada, who reads it with its reason."
    assert page.rows("table")[0][1] == "Yellow card −2 tournament points, round 1"
    mine = ada.open("/e/iron-open/me").part("#rulings")
    assert CANARY in mine
    assert "−2 tournament points" in mine
    everybody = ("standings", "players/1", "hall", "")
    for person, pages in ((bo, ("me", "me/journal", *everybody)), (visitor, everybody)):
        for address in pages:
            assert CANARY not in person.open(f"/e/iron-open/{address}".rstrip("/")).text, address
    assert "−2 penalty = 1" in visitor.open("/e/iron-open/standings").text


def test_a_lost_game_and_a_disqualification_are_seen_by_everybody(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    olga.open(DESK)
    olga.press("Give it", player="Ada", card="red", follows="game_lost", round_number="1", reason="x")
    assert "lost by a card" in visitor.open("/e/iron-open/rounds/1").text
    assert visitor.open("/e/iron-open/standings").rows("table")[0][1].startswith("Bo")
    olga.open(DESK)
    olga.press("Give it", player="Bo", card="red", follows="disqualified", reason="x")
    rows = visitor.open("/e/iron-open/standings").rows("table")
    assert (rows[-1][0], rows[-1][1]) == ("–", "Bo Disqualified")


def test_what_was_typed_stays_and_one_is_taken_back(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    olga.open(DESK)
    page = olga.press("Give it", player="Bo", card="red", reason="shouts")
    assert (page.status, page.value("reason")) == (422, "shouts")
    assert "costs the game or the event" in page.error_at("follows")
    olga.press("Give it", follows="game_lost", round_number="1")
    olga.press("Take back")
    assert stage.one(Ruling).taken_back_by == "owner Olga"
    assert olga.page.rows("table")[0][-1] == "taken back by owner Olga"
    assert "Take back" not in [button.text for button in olga.page.soup.find_all("button")]


def test_a_round_drawn_after_a_penalty_is_drawn_again_from_its_file(
    visitor: Person, olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    olga.open(DESK)
    olga.press("Give it", player="Ada", points="-3", reason="x")
    stage.publish(event, 2)
    olga.open(DESK)
    olga.press("Give it", player="Bo", points="5", reason="x")
    file = read_pairings(visitor.ask("GET", "/e/iron-open/rounds/2/pairings.json").data)
    ada = str(stage.one(Player, name="Ada").id)
    assert next(seat.points for seat in file.inputs.seats if seat.id == ada) == 0, "won once, fined 3"
    assert redrawn(file).equal
