"""Papers take turns: guests who ask for a hundred at once neither stop the pages nor the desk's own printing."""

import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask

from events.lanes import AT_ONCE, KEPT, NO_LONGER, WAITING, FewAtOnce, Lane
from events.views.heavy import REPORTS, is_heavy
from models.event import Event
from models.play import Player
from tests.actions.stage import Stage
from tests.views.person import Person

PAPER = "/e/iron-open/rounds/1/pairings.pdf"


@pytest.fixture
def guests(app: Flask) -> Lane:
    """The lane in which guests wait."""
    lane = app.extensions["overseer_lanes"]["guests"]
    assert isinstance(lane, Lane)
    return lane


def test_every_paper_and_pack_takes_turns(app: Flask) -> None:
    """By the words of their addresses: one that gives a paper ends so."""
    rules = [rule.rule for rule in app.url_map.iter_rules()]
    assert len([rule for rule in rules if is_heavy(rule)]) > 15
    assert [rule for rule in rules if ("pdf" in rule or "zip" in rule) and not is_heavy(rule)] == []


@pytest.mark.proves("attack 46", "ASVS 15.2.2", "ASVS 2.4.1")
def test_a_hundred_papers_at_once_leave_the_pages_and_the_desk_alone(
    app: Flask, olga: Person, stage: Stage, event: Event, guests: Lane, link_of: Callable[[Player], str]
) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    player = Person(app)
    player.open(link_of(stage.all(Player)[0]))
    assert guests.enter(), "somebody's paper is being made"
    try:
        for _ in range(WAITING):
            assert guests.queue.acquire(blocking=False), "and as many wait as may"
        for _ in range(100):
            answer = Person(app).ask("GET", PAPER)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
            assert "try again in a few seconds" in answer.text
        assert Person(app).open("/e/iron-open/rounds/1").status == 200
        assert olga.ask("GET", PAPER).status_code == player.ask("GET", PAPER).status_code == 200
    finally:
        for _ in range(WAITING):
            guests.queue.release()
        guests.leave()
    assert Person(app).ask("GET", PAPER).status_code == 200


def test_the_turn_is_given_back_whatever_happens(app: Flask, stage: Stage, event: Event, guests: Lane) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for address in (PAPER, "/e/iron-open/rounds/9/pairings.pdf", "/e/nothing/pack.pdf", "/e/iron-open/desk/badges.pdf"):
        Person(app).ask("GET", address)
        assert guests.turn.acquire(blocking=False), address
        guests.turn.release()


@pytest.mark.proves("F22")
def test_a_turn_that_no_memory_is_left_for_is_given_back() -> None:
    class NoRoom(Lane):
        def __hash__(self) -> int:  # asked for by the list of those who have their turn
            raise MemoryError

    lane = NoRoom()
    for _ in range(2):
        with pytest.raises(MemoryError):
            lane.enter()
    assert lane.turn.acquire(blocking=False)


def test_one_at_a_time_and_the_rest_in_line() -> None:
    lane, together = Lane(), Barrier(WAITING + 1)
    inside: list[int] = []
    most: list[int] = []

    def one(number: int) -> bool:
        together.wait()
        if not lane.enter():
            return False
        inside.append(number)
        most.append(len(inside))
        inside.remove(number)
        lane.leave()
        return True

    with ThreadPoolExecutor(WAITING + 1) as pool:
        assert list(pool.map(one, range(WAITING + 1))) == [True] * (WAITING + 1)
    assert max(most) == 1


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
