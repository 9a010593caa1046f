"""What search engines may read, and where reports of vulnerabilities go."""

from collections.abc import Iterable
from dataclasses import replace
from urllib.robotparser import RobotFileParser

import pytest
from flask import Flask

from events.setup.event_life import set_unlisted
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

SEEN = ["/", "/rules/battle_mode", "/static/style.css", "/e/iron-open", "/e/iron-open/standings"]
HIDDEN = ["/e/rust-cup", "/e/rust-cup/standings", "/e/planned-cup", "/p/1.secret", "/lists/1.secret", "/account"]


@pytest.fixture
def events(stage: Stage) -> Event:
    """One event on the front page, one off it, and a draft."""
    listed = stage.event()
    stage.do(stage.event("Rust Cup"), set_unlisted, True)
    stage.event("Planned Cup", draft=True)
    return listed


@pytest.mark.usefixtures("events")
def test_search_engines_may_read_only_what_the_front_page_shows(olga: Person, visitor: Person) -> None:
    for person in (visitor, olga):
        said = person.ask("GET", "/robots.txt")
        assert (said.status_code, said.mimetype, "rust" in said.text) == (200, "text/plain", False)
        assert _allowed(said.text, [*SEEN, *HIDDEN]) == SEEN


def test_unlisted_events_are_not_offered_for_checking_a_draw(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event("Rust Cup", players=("Ada", "Bo"))
    stage.publish(event, 1)
    assert "rust-cup/1" in visitor.open("/verify").response.text
    stage.do(event, set_unlisted, True)
    assert "rust-cup/1" not in visitor.open("/verify").response.text
    assert "rust-cup/1" in olga.open("/verify").response.text, "its staff find it"


def test_security_contact_is_published_only_if_it_is_set(app: Flask, visitor: Person) -> None:
    assert visitor.ask("GET", "/.well-known/security.txt").status_code == 404
    known = app.extensions["overseer_settings"]
    app.extensions["overseer_settings"] = replace(known, security_contact="mailto:desk@club.example")
    said = visitor.ask("GET", "/.well-known/security.txt")
    assert said.text.splitlines()[0] == "Contact: mailto:desk@club.example"
    assert said.text.splitlines()[1].startswith("Expires: 2027-") and said.mimetype == "text/plain"


def _allowed(robots: str, addresses: Iterable[str]) -> list[str]:
    """The addresses that a crawler which knows these rules may read."""
    # The parser of Python knows no "$": the front page stands for it here.
    read = RobotFileParser()
    read.parse(line for line in robots.splitlines() if not line.endswith("$"))
    ends = [line.removeprefix("Allow: ").removesuffix("$") for line in robots.splitlines() if line.endswith("$")]
    return [address for address in addresses if address in ends or read.can_fetch("search", address)]
