"""Every link and every button on every page leads to a page that exists."""

from collections.abc import Callable
from urllib.parse import parse_qs, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from events.setup.actions import finish
from models.event import Event
from models.play import Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage


def crawl(
    person: Person, start: str, app: Flask, within: tuple[str, ...], drawn: set[tuple[str, ...]] | None = None
) -> dict[str, str]:
    """Follow every link from here; the faults by address. Anchors must be on the page that they name.

    No links are followed from pages whose addresses do not begin with one of ``within``; they are opened all the same.
    Of one kind of paper the first is drawn, if it is not among those ``drawn`` for others: they cost most of the time.
    """
    wrong: dict[str, str] = {}
    drawn = set() if drawn is None else drawn
    pages: dict[str, BeautifulSoup | None] = {}
    anchors: set[tuple[str, str]] = set()
    waiting = [start]
    routes = app.url_map.bind("localhost")
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        if urlsplit(address).path.endswith((".pdf", ".zip")):
            paper = (routes.match(urlsplit(address).path)[0], *sorted(parse_qs(urlsplit(address).query)))
            if paper in drawn:
                continue
            drawn.add(paper)
        answer = person.ask("GET", address)
        if answer.status_code in (301, 302):
            pages[address] = None
            waiting.append(answer.location)
            continue
        if answer.status_code != 200:
            wrong[address] = answer.status
        soup = BeautifulSoup(answer.text, "html.parser") if answer.mimetype == "text/html" else None
        pages[address] = soup
        if soup and address != start and not address.startswith(within):
            continue
        for link in soup.find_all(["a", "link", "script"]) if soup else []:
            target, anchor = urldefrag(str(link.get("href") or link.get("src") or ""))
            if link.find_parent(class_="letter"):
                continue  # a letter shows the player's own link
            if anchor:
                anchors.add((target or address, anchor))
            if target and not urlsplit(target).scheme:
                waiting.append(target)
        for form in soup.find_all("form") if soup else []:
            for press in form.find_all("button"):  # a form without a button is never sent
                action = urldefrag(str(press.get("formaction") or form.get("action") or "")).url or address
                assert routes.test(urlsplit(action).path, method=str(form.get("method", "get")).upper()), action
    for address, anchor in anchors:
        page = pages.get(address)
        if page is not None and not page.find(id=anchor):
            wrong[f"{address}#{anchor}"] = "no such place on the page"
    assert len(pages) > 5, pages.keys()
    return wrong


@pytest.fixture
def far(stage: Stage, event: Event, enter: Callable[..., list[Person]]) -> list[Person]:
    """An event in its second round, with forces legal and illegal, a dispute, a bye, one who left and one who waits."""
    people = enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    ada, bo, *_ = stage.all(Player)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER | {"cards": [{"kind": "Quest", "name": "X"}]}), submit=False)
    stage.play(event, 1)
    stage.enter(event, "Absent", here=False)
    stage.publish(event, 2)
    return people


def test_no_link_is_dead_for_visitors_players_and_organisers(app: Flask, far: list[Person], olga: Person) -> None:
    drawn: set[tuple[str, ...]] = set()
    assert crawl(Person(app), "/e/iron-open", app, ("/",), drawn) == {}
    assert crawl(far[0], "/e/iron-open", app, ("/e/iron-open/me",), drawn) == {}
    assert crawl(olga, "/desk", app, ("/desk", "/e/iron-open/desk"), drawn) == {}


@pytest.mark.parametrize("state", ["draft", "registration", "drawn", "finished"])
def test_no_link_is_dead_in_any_state_of_the_event(app: Flask, olga: Person, stage: Stage, state: str) -> None:
    """Of the first pages; of others only where they depend on the state."""
    event = stage.event(rounds=1, draft=state == "draft")
    if state in ("drawn", "finished"):
        stage.enter(event, "Ada", "Bo", "Cy")
        stage.draw(event, 1)
    within = ("/e/iron-open/desk/rounds",)
    if state == "finished":
        stage.play(event, 1)
        stage.do(event, finish)
        within = ("/e/iron-open/desk",)
        assert crawl(Person(app), "/e/iron-open", app, ("no others",)) == {}
    assert crawl(olga, "/e/iron-open/desk", app, within) == {}
