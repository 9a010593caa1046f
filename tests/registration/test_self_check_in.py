"""Players check themselves in within a time; a badge scanned at the door opens check-in for staff alone."""

from datetime import timedelta

from flask import Flask

from models.event import Event
from models.play import Player, PlayerState
from models.staff import Role
from tests.conftest import PUBLIC, Clock
from tests.kit.lists import Enter
from tests.kit.papers import codes
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Stage

SLUG = "/e/iron-open"


def buttons(page_of: Person, address: str) -> list[str]:
    return [one.get_text(" ", strip=True) for one in page_of.open(address).soup.select("main button")]


def test_player_says_i_am_here_in_the_window(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "staff check in, unless the organiser opens it"
    page = olga.open(f"{SLUG}/desk/self-check-in")
    assert olga.press("Save", ends="2026-11-21T12:00").error_at("ends") == "The end must come after the start."
    assert olga.press("Save", starts="2026-11-21T11:00", ends="2026-11-21T12:00").path == f"{SLUG}/desk/door"
    assert stage.journal(event, "check-in-window") == ["Players may check themselves in"]
    page = olga.open(f"{SLUG}/desk/self-check-in")
    assert (page.value("starts"), page.value("ends")) == ("2026-11-21T11:00", "2026-11-21T12:00")
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "too early"
    clock.now = stage.now(event).check_in_from or clock.now
    for address in ("/me", ""):
        assert "I am here" in buttons(ada, SLUG + address), "on the own page, and on the event's page by the poster"
    assert "I am here" not in buttons(Person(olga.http.application), SLUG)
    old = bo.open(f"{SLUG}/me")
    ada.open(f"{SLUG}/me")
    assert ada.press("I am here").flashes == "You are checked in."
    assert stage.one(Player, name="Ada").state == PlayerState.CHECKED_IN
    assert "I am here" not in buttons(ada, f"{SLUG}/me")
    assert stage.journal(event, "check-in") == ["Checked in Ada"]
    clock.now += timedelta(hours=2)
    bo.page = old
    assert "Tell the desk" in bo.press("I am here").flashes
    assert stage.one(Player, name="Bo").state == PlayerState.REGISTERED


def test_scanned_badge_checks_in_for_staff_and_shows_others_the_public_page(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    (code, _) = codes(olga.open(f"{SLUG}/desk/badges.pdf?code=desk"))
    address = code.removeprefix(PUBLIC)
    assert address == f"{SLUG}/badge/{stage.one(Player, name='Ada').id}", "no private link, nothing secret"
    assert Person(app).open(address).path == f"{SLUG}/players/1"
    assert bo.open(address).path == f"{SLUG}/players/1"
    assert ada.open(address).path == f"{SLUG}/me"
    judge = let_in(app, stage.hire(event, "Judy", Role.JUDGE))
    assert judge.open(address).path == f"{SLUG}/players/1"
    door = let_in(app, stage.hire(event, "Hal", Role.CHECK_IN))
    assert "Ada" in door.open(address).part("h1")
    page = door.press("Check in : Ada")
    assert (page.path, stage.one(Player, name="Ada").state) == (f"{SLUG}/desk/door", PlayerState.CHECKED_IN)
