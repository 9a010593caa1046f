"""Expensive requests are limited for each kind of visitor: nobody's papers keep pages, reports or the desk waiting."""

import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask

from events.busy import OneEach, Slots, is_under_way
from events.lanes import AT_ONCE, KEPT, NO_LONGER, FewAtOnce
from events.views.heavy import EXPENSIVE, PLAYERS, REPORTS, STAFF, VISITORS, is_expensive
from models.event import Event
from models.play import Player
from tests.actions.stage import Stage
from tests.views.person import Person

PAPER = "/e/iron-open/rounds/1/pairings.pdf"


@pytest.fixture
def slots(app: Flask) -> dict[str, Slots]:
    """The slots of this process, by kind of visitor."""
    found: dict[str, Slots] = app.extensions["overseer_slots"]
    return found


def test_every_paper_pack_and_listed_page_is_limited(app: Flask) -> None:
    """By the words of their addresses: one that gives a paper or a pack ends so."""
    rules = [*app.url_map.iter_rules()]
    known = {(rule.endpoint, method) for rule in rules for method in rule.methods or ()}
    listed = {(endpoint, method) for endpoint, methods in EXPENSIVE.items() for method in methods}
    assert listed <= known, "a listed page is gone, or called otherwise"
    papers = [rule for rule in rules if "pdf" in rule.rule or "zip" in rule.rule]
    assert len(papers) > 15
    for method in ("GET", "HEAD"):
        assert [rule.rule for rule in papers if not is_expensive(rule.endpoint, rule.rule, method)] == []
        assert not is_expensive("public.round_page", "/e/<slug>/rounds/<int:number>", method)
        assert is_expensive("forces.mine", "/e/<slug>/me/force", method)
    assert is_expensive("forces.mine", "/e/<slug>/me/force", "POST")


@pytest.mark.proves("attack 46", "attack 59", "ASVS 15.2.2", "ASVS 2.4.1")
def test_busy_visitors_get_429_at_once_and_the_others_are_served(
    app: Flask, olga: Person, stage: Stage, event: Event, slots: dict[str, Slots], link_of: Callable[[Player], str]
) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    player = Person(app)
    player.open(link_of(stage.all(Player)[0]))
    assert slots["visitors"].enter(), "a visitor's paper is being made"
    try:
        for address in (PAPER, "/verify?round=iron-open/1", "/e/iron-open/pack.pdf"):
            answer = Person(app).ask("GET", address)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
            assert "try again in a few seconds" in answer.text
        assert Person(app).ask("POST", "/verify").status_code == 429, "before the form is read"
        assert Person(app).open("/e/iron-open/rounds/1").status == 200
        assert olga.ask("GET", PAPER).status_code == player.ask("GET", PAPER).status_code == 200
    finally:
        slots["visitors"].leave()
    assert Person(app).ask("GET", PAPER).status_code == 200


@pytest.mark.proves("attack 59")
def test_each_player_has_one_expensive_request_at_a_time(
    app: Flask, olga: Person, stage: Stage, event: Event, slots: dict[str, Slots], enter: Callable[..., list[Person]]
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    ids = [player.id for player in stage.all(Player)]
    assert slots["players"].enter(ids[0])
    try:
        assert ada.ask("GET", PAPER).status_code == 429
        assert bo.ask("GET", PAPER).status_code == olga.ask("GET", PAPER).status_code == 200
        assert Person(app).ask("GET", PAPER).status_code == 200
    finally:
        slots["players"].leave(ids[0])
    assert ada.ask("GET", PAPER).status_code == 200


@pytest.mark.proves("attack 59")
def test_players_who_fetch_papers_keep_nobody_from_saving_a_list(
    app: Flask, stage: Stage, event: Event, slots: dict[str, Slots], enter: Callable[..., list[Person]]
) -> None:
    (ada,) = enter(event, "Ada")
    for person in range(PLAYERS):
        assert slots["players"].enter(1000 + person)
    try:
        assert ada.ask("GET", "/e/iron-open/pack.pdf").status_code == 429
        ada.open("/e/iron-open/me/force")
        token = str(ada.page.value("csrf_token"))
        assert ada.ask("POST", "/e/iron-open/me/force", {"csrf_token": token}).status_code != 429
    finally:
        for person in range(PLAYERS):
            slots["players"].leave(1000 + person)


@pytest.mark.proves("attack 59")
def test_staff_wait_a_moment_instead_of_being_refused(
    app: Flask, olga: Person, stage: Stage, event: Event, slots: dict[str, Slots]
) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for _ in range(STAFF):
        assert slots["staff"].enter()
    with ThreadPoolExecutor(1) as pool:
        printed = pool.submit(olga.ask, "GET", PAPER)
        assert Person(app).ask("GET", PAPER).status_code == 200
        for _ in range(STAFF):
            slots["staff"].leave()
        assert printed.result().status_code == 200


def test_slots_are_given_back_whatever_is_answered(
    app: Flask, olga: Person, stage: Stage, event: Event, slots: dict[str, Slots]
) -> None:
    stage.enter(event, "Ada", "Bo")
    for address in (PAPER, "/e/iron-open/rounds/9/pairings.pdf", "/e/nothing/pack.pdf", "/e/iron-open/desk/badges.pdf"):
        for _ in range(STAFF + VISITORS):
            Person(app).ask("GET", address)
            olga.ask("GET", address)
        assert not is_under_way(), address
        assert slots["visitors"].enter()
        slots["visitors"].leave()


def test_player_has_at_most_one_slot_and_all_together_so_many() -> None:
    slots = OneEach(2)
    assert slots.enter("Ada") and slots.enter("Bo")
    assert not slots.enter("Ada") and not slots.enter("Cy"), "refused at once"
    slots.leave("Ada")
    assert not slots.enter("Bo") and slots.enter("Cy")
    slots.leave("Bo")
    slots.leave("Cy")
    assert not is_under_way()


@pytest.mark.proves("F22")
def test_slot_is_given_back_when_memory_runs_out() -> None:
    class Person:
        hashes = 0

        def __hash__(self) -> int:  # asked for once to look it up, and once to remember it
            self.hashes += 1
            if self.hashes == 2:
                raise MemoryError
            return 1

    slots = OneEach(1)
    with pytest.raises(MemoryError):
        slots.enter(Person())
    assert not is_under_way()
    assert slots.enter("Ada")
    slots.leave("Ada")


def test_slots_refuse_the_surplus_of_simultaneous_requests() -> None:
    slots, together = Slots(2), Barrier(8)

    def one(_: int) -> bool:
        together.wait()
        got = slots.enter()
        together.wait()
        if got:
            slots.leave()
        return got

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(one, range(8))) == [False] * 6 + [True] * 2
    assert slots.enter() and slots.enter() and not slots.enter()
    slots.leave()
    slots.leave()


def test_only_what_is_sent_waits_for_its_turn(app: Flask, stage: Stage, event: Event) -> None:
    class Counted(FewAtOnce):
        taken = 0

        def enter(self) -> bool:
            self.taken += 1
            return super().enter()

        def leave(self) -> None:
            self.taken += 10
            super().leave()

    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    app.extensions["overseer_reports"] = reports = Counted(1)
    phone = Person(app)
    page = phone.open(f"/g/{game.code}")
    assert (page.status, reports.taken) == (200, 0), "who only looks waits for nobody"
    phone.ask("POST", page.path, {"csrf_token": str(phone.open("/sign-in").value("csrf_token"))})
    assert reports.taken == 11, "taken once, and given back"
    phone.ask("POST", page.path, {"csrf_token": "x" * KEPT})
    assert reports.taken == 11, "what may still be on its way holds up nobody"
    in_pieces = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    app.test_client().post(page.path, input_stream=io.BytesIO(b"do=report"), environ_overrides=in_pieces)
    assert reports.taken == 11, "nor what does not say how long it is"
    assert app.view_functions.keys() >= REPORTS


@pytest.mark.parametrize("at_once", sorted(AT_ONCE.values()))
def test_reports_are_taken_few_at_a_time_and_nobody_waits_for_long(at_once: int) -> None:
    reports, inside, most = FewAtOnce(at_once), list[int](), list[int]()
    start = Barrier(8)

    def report(_: int) -> None:
        start.wait()
        assert reports.enter()
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        reports.leave()

    with ThreadPoolExecutor(8) as phones:
        list(phones.map(report, range(8)))
    assert (max(most), len(most)) == (at_once, 8)
    assert all(reports.enter() for _ in range(at_once))
    began = time.monotonic()
    assert not reports.enter(), "it goes on without its turn"
    assert NO_LONGER <= time.monotonic() - began < NO_LONGER + 5
    reports.leave()
    assert reports.enter(), "every turn was given back"
