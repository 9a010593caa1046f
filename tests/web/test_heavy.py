"""Expensive requests are limited by kind of visitor, so that papers never delay pages, reports or the desk."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

import pytest
from flask import Flask

from events.web.http import EXPENSIVE, LIMITS, is_expensive
from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Stage

PAPER = "/e/iron-open/rounds/1/pairings.pdf"


@pytest.fixture
def places(app: Flask) -> dict[str, BoundedSemaphore]:
    """This process's free places by kind of visitor."""
    found: dict[str, BoundedSemaphore] = app.extensions["overseer_heavy"]
    return found


def test_every_paper_and_pack_is_limited(app: Flask) -> None:
    rules = [*app.url_map.iter_rules()]
    known = {(rule.endpoint, method) for rule in rules for method in rule.methods or ()}
    listed = {(endpoint, method) for endpoint, methods in EXPENSIVE.items() for method in methods}
    assert listed <= known, "a listed page is gone or renamed"
    papers = [rule for rule in rules if "pdf" in rule.rule or "zip" in rule.rule]
    assert len(papers) > 15
    for method in ("GET", "HEAD"):
        assert [rule.rule for rule in papers if not is_expensive(rule.endpoint, rule.rule, method)] == []
        assert not is_expensive("rounds.round_page", "/e/<slug>/rounds/<int:number>", method)
        assert is_expensive("lists.mine", "/e/<slug>/me/force", method)
    assert is_expensive("lists.mine", "/e/<slug>/me/force", "POST")


@pytest.mark.proves("attack 46", "attack 59", "ASVS 15.2.2", "ASVS 2.4.1")
def test_busy_visitors_and_players_get_429_at_once_and_the_others_are_served(
    app: Flask, olga: Person, stage: Stage, event: Event, places: dict[str, BoundedSemaphore],
    enter: Callable[..., list[Person]],
) -> None:  # fmt: skip
    player, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert places["visitors"].acquire(blocking=False), "a visitor's paper is being made"
    try:
        for address in (PAPER, "/verify?round=iron-open/1", "/e/iron-open/pack.pdf"):
            answer = Person(app).ask("GET", address)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
            assert "try again in a few seconds" in answer.text
        assert Person(app).ask("POST", "/verify").status_code == 429, "before the form is read"
        assert Person(app).open("/e/iron-open/rounds/1").status == 200
        assert olga.ask("GET", PAPER).status_code == player.ask("GET", PAPER).status_code == 200
    finally:
        places["visitors"].release()
    assert Person(app).ask("GET", PAPER).status_code == 200
    for _ in range(LIMITS["players"]):
        assert places["players"].acquire(blocking=False)
    try:
        assert player.ask("GET", PAPER).status_code == player.ask("GET", "/e/iron-open/pack.pdf").status_code == 429
        assert olga.ask("GET", PAPER).status_code == Person(app).ask("GET", PAPER).status_code == 200
        assert player.ask("POST", "/e/iron-open/me/force").status_code == 400, "the missing form token, and not 429"
    finally:
        places["players"].release(LIMITS["players"])
    for _ in range(LIMITS["staff"]):
        assert places["staff"].acquire(blocking=False)
    with ThreadPoolExecutor(1) as pool:
        printed = pool.submit(olga.ask, "GET", PAPER)
        assert Person(app).ask("GET", PAPER).status_code == 200
        places["staff"].release(LIMITS["staff"])
        assert printed.result().status_code == 200, "staff wait for a place instead of being refused"


def test_places_are_freed_after_every_answer(
    app: Flask, olga: Person, stage: Stage, event: Event, places: dict[str, BoundedSemaphore]
) -> None:
    stage.enter(event, "Ada", "Bo")
    for address in (PAPER, "/e/iron-open/rounds/9/pairings.pdf", "/e/nothing/pack.pdf", "/e/iron-open/desk/badges.pdf"):
        for _ in range(LIMITS["staff"] + LIMITS["visitors"]):
            Person(app).ask("GET", address)
            olga.ask("GET", address)
        for kind, limit in LIMITS.items():
            assert all(places[kind].acquire(blocking=False) for _ in range(limit)), (kind, address)
            assert not places[kind].acquire(blocking=False), (kind, address)
            places[kind].release(limit)
