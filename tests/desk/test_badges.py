"""Badges of players, staff and helpers."""

from flask import Flask

from models.play import Player
from tests.conftest import PUBLIC
from tests.kit.papers import codes, texts
from tests.kit.person import DROP_PLAYER, Enter, Person
from tests.kit.stage import Event, Stage

DESK = "/e/iron-open/desk"


def badges(olga: Person, query: str = "") -> list[str]:
    page = olga.open(f"{DESK}/badges.pdf{query}")
    assert page.response.headers["Cache-Control"] == "private, no-store"
    return [code.removeprefix(PUBLIC) for code in codes(page)]


def test_renewed_link_ends_the_badge_and_the_next_badge_opens(
    app: Flask, olga: Person, event: Event, stage: Stage, enter: Enter
) -> None:
    enter(event, "Ada", "Bo")
    ada = stage.one(Player, name="Ada")
    first = badges(olga)
    (old,) = badges(olga, f"?player={ada.id}")
    assert len(first) == 2 and old in first
    assert Person(app).open(old).path == "/e/iron-open/me"
    olga.press("Make a new link", at=f"/e/iron-open/desk/players/{ada.id}")
    assert olga.page.soup.select("a[href*='badges.pdf']")
    assert Person(app).open(old).status == 404
    (new,) = badges(olga, f"?player={ada.id}")
    scanned = Person(app).open(new)
    assert (scanned.path, "Ada" in scanned.text) == ("/e/iron-open/me", True)
    assert set(badges(olga)) - set(first) == {new}, "the other badge stays valid"


def test_badges_are_only_for_the_events_players_who_have_not_dropped(olga: Person, event: Event, stage: Stage) -> None:
    _, bo = stage.enter(event, "Ada", "Bo")
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    olga.press(DROP_PLAYER, at=f"/e/iron-open/desk/players/{bo.id}")
    assert len(badges(olga)) == 1
    for query in (f"player={cy.id}", "player=999999", "player=x", "paper=a3"):
        assert olga.ask("GET", f"{DESK}/badges.pdf?{query}").status_code == 404, query
    assert "Badges for all players" in olga.open(f"{DESK}/print").text


def test_staff_and_helpers_of_the_day_have_badges(olga: Person, event: Event, stage: Stage) -> None:
    stage.enter(event, "Ada")
    (staff,) = texts(olga.open(f"{DESK}/badges.pdf?for=staff"))
    assert "Olga" in staff and "Owner" in staff and "Ada" not in staff
    assert staff.count("Faction, club or task") == 7, "the page is filled for helpers without an account"
    (blank,) = texts(olga.open(f"{DESK}/badges.pdf?for=blank"))
    assert blank.count("Iron Open") >= 8 and blank.count("Faction, club or task") == 8
    assert olga.ask("GET", f"{DESK}/badges.pdf?for=nobody").status_code == 404
