"""The door: a few letters and Enter check somebody in; the fee."""

import pytest

from events.registration import check_in
from models.event import Event
from models.play import Player, PlayerState
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage

pytestmark = pytest.mark.fast

DOOR = "/e/iron-open/desk/door"


def type_in(olga: Person, letters: str) -> Page:
    """What the field takes, and Enter."""
    return olga.press("Check in", inside="form.door", q=letters)


def states(stage: Stage) -> dict[str, str]:
    return {one.name: one.state.value for one in stage.all(Player)}


def test_two_letters_and_enter(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Søren Weiß", here=False)
    olga.open(DOOR)
    page = type_in(olga, "so")
    assert page.path == DOOR
    assert "Checked in Søren Weiß" in page.part(".done-bar")
    assert "1 here, 2 expected" in page.part(".lede")
    (field,) = page.soup.select("#door-q")
    assert field.has_attr("autofocus") and not field["value"], "ready for the next in the queue"
    page = type_in(olga, "ar")
    assert "Checked in Anouk Rossi" in page.part(".done-bar"), "by initials"
    page = olga.press("Undo", inside=".done-bar")
    assert page.path == DOOR
    assert states(stage) == {"Anna Bauer": "registered", "Anouk Rossi": "registered", "Søren Weiß": "checked_in"}


def test_whoever_could_be_meant_is_shown_and_nobody_guessed(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Bo", here=False)
    olga.open(DOOR)
    page = type_in(olga, "an")
    assert set(states(stage).values()) == {"registered"}
    assert page.soup.select("#door-q")[0]["value"] == "an"
    assert "Anna Bauer" in page.part("#matches") and "Anouk Rossi" in page.part("#matches")
    assert "Bo" not in page.part("#matches")
    page = olga.press("Check in : Anouk Rossi", inside="#matches")
    assert states(stage)["Anouk Rossi"] == "checked_in"
    assert page.path == DOOR
    page = type_in(olga, "an")
    assert states(stage)["Anna Bauer"] == "checked_in", "the only one still expected"
    page = type_in(olga, "an")
    assert page.part("#matches").count("Is here") == 2


def test_nobody_of_that_name(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", here=False)
    olga.open(DOOR)
    page = type_in(olga, "<b>zed")
    assert "Nobody of this event is called anything like <b>zed" in page.part("#matches")
    page = type_in(olga, "   ")
    assert page.part("#matches") == ""
    assert states(stage) == {"Ada": "registered"}


def test_who_has_not_paid_is_let_in_and_asked(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/players")
    olga.open("/e/iron-open/desk/fee")
    page = olga.press("Save", fee="15 €")
    assert "A place costs 15 €" in page.text
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(DOOR)
    page = type_in(olga, "ad")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "Ada has not paid: 15 €" in page.part(".owing")
    page = olga.press("Paid", inside=".owing")
    assert stage.now(ada).paid_at == stage.clock()
    assert "Ada has paid" in page.part(".done-bar")
    with stage.changing(event) as s:
        check_in.mark_one_paid(s, event, bo, BY, stage.clock())
    assert not type_in(olga, "bo").soup.select(".owing")


def test_a_force_is_looked_at_first_where_only_painted_ones_play(olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = stage.enter(event, "Ada", here=False)
    with stage.changing(event):
        event.restrictions = {"format": 1, "painted": True}
    olga.open(DOOR)
    page = type_in(olga, "ada")
    assert stage.now(ada).state == PlayerState.REGISTERED
    olga.press("Painted: check in : Ada", inside="#matches")
    assert (stage.now(ada).state, stage.now(ada).painted) == (PlayerState.CHECKED_IN, True)
    assert page.status == 200


def test_a_fee_that_is_too_long_is_kept_and_told(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/fee")
    page = olga.press("Save", fee="x" * 61)
    assert page.status == 422
    assert "At most 60 characters." in page.error_at("fee")
    assert page.value("fee") == "x" * 61
    assert stage.now(event).fee == ""


@pytest.mark.parametrize("typed", ["a" * 5000, "\u202e", "%00", "'; DROP TABLE player; --", "{{7*7}}", "\ud7ff"])
def test_hostile_letters_find_nobody(olga: Person, stage: Stage, event: Event, typed: str) -> None:
    stage.enter(event, "Bo", here=False)
    olga.open(DOOR)
    page = type_in(olga, typed)
    assert page.status == 200
    assert states(stage) == {"Bo": "registered"}
