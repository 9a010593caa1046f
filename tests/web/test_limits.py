"""Limits as documented, and limits of expensive requests by kind of visitor, so that papers never delay the desk."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import BoundedSemaphore
from types import ModuleType

import pytest
from flask import Flask

from events import rooms
from events.accounts import actions as accounts_actions
from events.accounts import browser as accounts_browser
from events.accounts import limits as accounts_limits
from events.accounts import passwords, second_factor, staff
from events.accounts.limits import Limit
from events.lists import locks
from events.registration import places as waiting_list
from events.registration import sign_ups
from events.setup.archive_file import MOST_BYTES
from events.visitors import queries as accounts_queries
from events.web import forms as web_forms
from events.web import http, idempotency, parsing
from events.web.http import EXPENSIVE, LIMITS, OWN_PLACES, OwnPlaces, is_expensive
from models import db
from service import lock
from tests.kit.accounts import with_cookie_of
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Player, Stage

QUARTER = timedelta(minutes=15)
DOCUMENTED: dict[ModuleType, dict[str, object]] = {
    db: {
        "BUSY_SECONDS": 5, "POOL_SIZE": 20, "SOUND": (3, 51, 3), "LARGEST": 9_223_372_036_854_775_807,
        "TCP_TIMEOUTS": {"connect_timeout": 2, "tcp_user_timeout": 5_000, "keepalives_idle": 10,
                         "keepalives_interval": 2, "keepalives_count": 3},
    },
    lock: {"KEY": 1_331_057_478},  # the same in every version
    parsing: {"LARGEST": 2_147_483_647, "MOST_MARKS": 8},
    web_forms: {"FIRST_YEAR": 2000, "LAST_YEAR": 2200},
    accounts_queries: {"STAFF_LASTS": timedelta(days=30), "PLAYER_LASTS": timedelta(days=180)},
    locks: {"SITTING": QUARTER},
    accounts_actions: {"LINK_LASTS": timedelta(hours=1)},
    staff: {"LASTS": timedelta(days=7)},
    second_factor: {"STEP": 30, "DRIFT": 1, "SPARE_CODES": 8, "SPARE_LENGTH": 16},
    accounts_limits: {
        "ATTEMPTS": 1_331_057_473, "KEPT": QUARTER,
        "BY_NAME": Limit("name", 10, QUARTER), "BY_BROWSER": Limit("browser", 10, QUARTER),
        "BY_ADDRESS": Limit("client", 60, QUARTER), "BY_NAME_AND_ADDRESS": Limit("both", 10, QUARTER),
        "PACE": timedelta(minutes=3), "WIDER": 4,
        "CODES": Limit("code", 60, QUARTER), "TEAM_CODES": Limit("team", 20, QUARTER),
        "SIGN_UPS_AT_ONCE": Limit("burst", 30, timedelta(minutes=1)),
        "SIGN_UPS": Limit("sign-up", 90, timedelta(minutes=5)),
        "SIGN_UPS_BY_BROWSER": Limit("phone", 5, timedelta(minutes=10)),
        "CALLS": Limit("call", 6, QUARTER), "LOST_LINKS": Limit("lost link", 20, QUARTER),
    },
    waiting_list: {"LEAST_WAITING": 20},
    sign_ups: {"MOST_HELD": 300},
    accounts_browser: {"A_YEAR": 31_536_000},
    passwords: {"LONGEST": 72, "SAFE": 3},
    http: {"RETRY_AFTER": 5, "LIMITS": {"visitors": 2, "players": 4, "lists": 8, "staff": 2}, "STAFF_WAIT": 10.0},
    rooms: {"LARGEST_REQUESTS": {"setup.import_archive": MOST_BYTES + 100_000, "published.verify_page": 510_000}},
}  # fmt: skip


def test_limits_are_as_documented() -> None:
    found = {module: {name: getattr(module, name) for name in limits} for module, limits in DOCUMENTED.items()}
    assert found == DOCUMENTED
    assert set(idempotency.PERMANENT_ERRORS) == {404, 405, 413}


PAPER = "/e/iron-open/rounds/1/pairings.pdf"


@pytest.fixture
def places(app: Flask) -> dict[str, BoundedSemaphore]:
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
        assert is_expensive("lists.own_list", "/e/<slug>/me/force", method)
        assert is_expensive(
            "edition.edition_page", "/rules/<game:system_id>/editions/<edition_id>", method, ["against"]
        )
        assert not is_expensive("edition.edition_page", "/rules/<game:system_id>/editions/<edition_id>", method)
        assert is_expensive("standings.standings_page", "/e/<slug>/standings", method, ["figures"])
        assert not is_expensive("standings.standings_page", "/e/<slug>/standings", method, ["after"])
    assert is_expensive("lists.own_list", "/e/<slug>/me/force", "POST")


@pytest.mark.proves("attack 46", "attack 59", "ASVS 15.2.2", "ASVS 2.4.1")
def test_busy_visitors_and_players_get_429_at_once_and_the_others_are_served(
    app: Flask, olga: Person, stage: Stage, event: Event, places: dict[str, BoundedSemaphore],
    enter: Enter,
) -> None:  # fmt: skip
    player, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for _ in range(LIMITS["visitors"]):
        assert places["visitors"].acquire(blocking=False), "papers for visitors are being made"
    try:
        for address in (PAPER, "/verify?round=iron-open/1", "/e/iron-open/pack.pdf"):
            answer = Person(app).ask("GET", address)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
            assert "try again in a few seconds" in answer.text
        german = Person(app)
        german.post("/language", language="de", back="/")
        for address in ("/e/iron-open/pack.pdf", "/e/iron-open/rounds/1/pairings.json", "/e/iron-open/no.xlsx"):
            answer = german.ask("GET", address)
            assert answer.status_code in (404, 429) and '<html lang="de"' in answer.text, address
            assert "nicht gefunden" in answer.text or "Zu viele" in answer.text
        assert Person(app).ask("POST", "/verify").status_code == 429, "before the form is read"
        assert Person(app).open("/e/iron-open/rounds/1").status == 200
        assert olga.ask("GET", PAPER).status_code == player.ask("GET", PAPER).status_code == 200
    finally:
        places["visitors"].release(LIMITS["visitors"])
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


@pytest.mark.proves("attack 59")
def test_one_address_leaves_visitors_elsewhere_a_place(app: Flask, stage: Stage) -> None:
    stage.event()
    here, there = Person(app), Person(app)
    here.http.environ_base["REMOTE_ADDR"], there.http.environ_base["REMOTE_ADDR"] = "203.0.113.1", "203.0.113.2"
    own: OwnPlaces = app.extensions["overseer_heavy_own"]
    with app.test_request_context("/e/iron-open/pack.pdf", environ_base={"REMOTE_ADDR": "203.0.113.1"}):
        app.preprocess_request()
        assert [person.ask("GET", "/e/iron-open/pack.pdf").status_code for person in (here, there)] == [429, 200]
    assert not own.taken


@pytest.mark.proves("attack 82")
def test_one_player_has_one_place_and_leaves_the_others_to_others(app: Flask, stage: Stage, enter: Enter) -> None:
    event = stage.event()
    ada, bo = enter(event, "Ada", "Bo")
    own: OwnPlaces = app.extensions["overseer_heavy_own"]
    row = stage.one(Player, name="Ada")
    assert own.take({f"players {row.id}"}, 1), "a paper for Ada is being made"
    assert [person.ask("GET", "/e/iron-open/pack.pdf").status_code for person in (ada, bo)] == [429, 200]
    assert ada.ask("GET", "/e/iron-open/me/force").status_code == 200, "papers do not stop the list builder"
    for _ in range(OWN_PLACES["lists"]):
        assert own.take({f"lists {row.id}"}, OWN_PLACES["lists"])
    assert [person.ask("GET", "/e/iron-open/me/force").status_code for person in (ada, bo)] == [429, 200]
    for place in (f"players {row.id}", *[f"lists {row.id}"] * OWN_PLACES["lists"]):
        own.free({place})
    assert not own.taken
    assert [person.ask("GET", "/e/iron-open/pack.pdf").status_code for person in (ada, bo)] == [200, 200]


@pytest.mark.proves("attack 82")
def test_ended_sign_in_takes_no_place_of_staff(
    app: Flask, olga: Person, stage: Stage, event: Event, places: dict[str, BoundedSemaphore]
) -> None:
    stage.enter(event, "Ada", "Bo")
    copy = with_cookie_of(olga, app)
    olga.post("/sign-out")
    for _ in range(LIMITS["visitors"]):
        assert places["visitors"].acquire(blocking=False), "papers for visitors are being made"
    try:
        assert copy.ask("GET", "/e/iron-open/pack.pdf").status_code == 429
    finally:
        places["visitors"].release(LIMITS["visitors"])


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
