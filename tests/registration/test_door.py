"""The check-in queue: a few letters and Enter check a player in; the entry fee."""

import pytest

from events.registration import check_in
from models.event import Event
from models.play import Player, PlayerState
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

pytestmark = pytest.mark.fast

DOOR = "/e/iron-open/desk/door"


@pytest.fixture
def desk(olga: Person, event: Event) -> Person:
    """The organiser at the check-in queue."""
    olga.open(DOOR)
    return olga


def enter(desk: Person, letters: str) -> Page:
    """Type letters and press Enter."""
    return desk.press("Check in", inside="form.door", q=letters)


def states(stage: Stage) -> dict[str, str]:
    return {one.name: one.state.value for one in stage.all(Player)}


def test_two_letters_or_initials_check_the_only_match_in(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Søren Weiß", here=False)
    page = enter(desk, "so")
    assert page.path == DOOR
    assert "Checked in Søren Weiß" in page.part(".done-bar")
    assert "1 here, 2 expected" in page.part(".lede")
    (field,) = page.soup.select("#door-q")
    assert field.has_attr("autofocus") and not field["value"], "ready for the next in the queue"
    page = enter(desk, "ar")
    assert "Checked in Anouk Rossi" in page.part(".done-bar"), "by initials"
    assert desk.press("Undo", inside=".done-bar").path == DOOR
    assert states(stage) == {"Anna Bauer": "registered", "Anouk Rossi": "registered", "Søren Weiß": "checked_in"}


def test_several_matches_are_listed_and_none_is_guessed(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Bo", here=False)
    page = enter(desk, "an")
    assert set(states(stage).values()) == {"registered"}
    assert page.soup.select("#door-q")[0]["value"] == "an"
    listed = page.part("#matches")
    assert [name in listed for name in ("Anna Bauer", "Anouk Rossi", "Bo")] == [True, True, False]
    assert desk.press("Check in : Anouk Rossi", inside="#matches").path == DOOR
    assert states(stage)["Anouk Rossi"] == "checked_in"
    enter(desk, "an")
    assert states(stage)["Anna Bauer"] == "checked_in", "the only one still expected"
    assert enter(desk, "an").part("#matches").count("Is here") == 2


def test_text_without_a_match_checks_nobody_in(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Bo", here=False)
    assert "No player of this event matches <b>zed" in enter(desk, "<b>zed").part("#matches")
    assert enter(desk, "   ").part("#matches") == ""
    for typed in ("a" * 5000, "\u202e", "%00", "'; DROP TABLE player; --", "{{7*7}}", "\ud7ff"):
        assert enter(desk, typed).status == 200, typed
    assert states(stage) == {"Bo": "registered"}


def test_unpaid_player_is_let_in_and_asked_for_the_fee(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings")
    page = olga.press("Save", fee="x" * 61)
    assert (page.status, page.value("fee"), stage.now(event).fee) == (422, "x" * 61, "")
    assert "At most 60 characters." in page.error_at("fee")
    assert olga.press("Save", fee="15 €").value("fee") == "15 €"
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(DOOR)
    page = enter(olga, "ad")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "Ada has not paid: 15 €" in page.part(".owing")
    page = olga.press("Paid", inside=".owing")
    assert stage.now(ada).paid_at == stage.clock()
    assert "Ada has paid" in page.part(".done-bar")
    stage.do(event, check_in.mark_one_paid, bo)
    assert not enter(olga, "bo").soup.select(".owing")
