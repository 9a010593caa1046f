"""The badge sheet: its codes are private links, and a renewed link ends the old code."""

from collections.abc import Callable

import pypdfium2 as pdfium
import zxingcpp
from flask import Flask

from models.event import Event
from models.play import Player
from tests.conftest import PUBLIC
from tests.kit.person import Person
from tests.kit.stage import Stage

SHEET = "/e/iron-open/desk/badges.pdf"


def codes(person: Person, address: str) -> list[str]:
    """The addresses on the first page of a sheet."""
    answer = person.ask("GET", address)
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert answer.headers["Cache-Control"] == "private, no-store"
    document = pdfium.PdfDocument(answer.data)
    page = document[0]
    found = [code.text for code in zxingcpp.read_barcodes(page.render(scale=3.0).to_pil())]
    page.close()
    document.close()
    return [one.removeprefix(PUBLIC) for one in found]


def test_renewed_link_ends_the_badge_and_the_next_badge_opens(
    app: Flask, olga: Person, event: Event, stage: Stage, enter: Callable[..., list[Person]]
) -> None:
    enter(event, "Ada", "Bo")
    ada = stage.one(Player, name="Ada")
    first = codes(olga, SHEET)
    assert len(first) == 2
    (old,) = codes(olga, f"{SHEET}?player={ada.id}")
    assert old in first
    assert Person(app).open(old).path == "/e/iron-open/me"
    olga.open(f"/e/iron-open/desk/players/{ada.id}")
    olga.press("Make a new link")
    assert olga.page.soup.select("a[href*='badges.pdf']")
    assert Person(app).open(old).status == 404
    (new,) = codes(olga, f"{SHEET}?player={ada.id}")
    scanned = Person(app).open(new)
    assert (scanned.path, "Ada" in scanned.text) == ("/e/iron-open/me", True)
    assert set(codes(olga, SHEET)) - set(first) == {new}, "the other badge stays valid"


def test_badges_are_only_for_players_of_the_event_who_have_not_dropped(
    olga: Person, event: Event, stage: Stage
) -> None:
    _, bo = stage.enter(event, "Ada", "Bo")
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    olga.open(f"/e/iron-open/desk/players/{bo.id}")
    olga.press("Drop")
    assert len(codes(olga, SHEET)) == 1
    for query in (f"player={cy.id}", "player=0", "player=999999", "player=x", "player=", "paper=a3"):
        assert olga.ask("GET", f"{SHEET}?{query}").status_code == 404, query
    assert "Badges for all players" in olga.open("/e/iron-open/desk/print").text
