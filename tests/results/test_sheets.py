"""Paper sheets: each code opens one game's form in one browser; the outbox's answer when the game is gone."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask, abort

from events.results.sheets import MOST, code_from_cookie, with_sheet
from events.rounds.actions import unpublish
from models.event import EventState
from models.play import Game, Player, Report
from tests.kit.people import Links
from tests.kit.person import SEND_RESULT, Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, OUTBOX, Table, form_of

KEY = OUTBOX["X-Outbox-Key"]


@pytest.fixture
def games(tables: list[Table]) -> list[Game]:
    return [table.game for table in tables]


def address_of(game: Game) -> str:
    return f"/e/iron-open/games/{game.id}/report"


def filled(person: Person, address: str = MINE) -> dict[str, str]:
    return form_of(person, address, a__objectives="3") | {"key": KEY}


@pytest.mark.proves("ASVS 14.2.1", "ASVS 16.2.5", "attack 23")
def test_code_leaves_address(
    visitor: Person, stage: Stage, games: list[Game], caplog: pytest.LogCaptureFixture
) -> None:
    """No page has the code or links to it: so no address bar, history, Referer or log has it."""
    caplog.set_level(logging.DEBUG)
    game = games[0]
    answer = visitor.ask("GET", f"/g/{game.code}")
    assert (answer.status_code, answer.location) == (302, address_of(game))
    assert answer.headers["Cache-Control"] == "private, no-store"
    shown = [visitor.open(address_of(game)), visitor.open(f"{address_of(game)}?side=a")]
    shown.append(visitor.press(SEND_RESULT, a__r2="2", b__r2="1", a__objectives="5", b__objectives="5"))
    shown.append(visitor.press(SEND_RESULT, a__r2="0", b__r2="0", a__objectives="3", b__objectives="1"))
    shown.append(visitor.open(address_of(game)))
    assert [page.status for page in shown] == [200, 200, 422, 200, 200]
    typed = visitor.press("Continue", at="/g", code=game.code)
    assert [response.location for response in typed.response.history] == [address_of(game)], "nor has a typed code"
    for page in (*shown, typed):
        assert game.code not in page.response.text + page.response.request.url
    assert stage.one(Report).by == "the paper sheet"
    assert caplog.messages and game.code not in caplog.text
    assert visitor.ask("GET", f"/g/{game.code}?side=b").location == f"{address_of(game)}?side=b"
    assert visitor.ask("GET", f"/g/{game.code}?side=//evil").location == address_of(game)


@pytest.mark.proves("ASVS 14.2.1", "attack 23")
def test_sheet_opens_only_its_own_game(visitor: Person, stage: Stage, games: list[Game]) -> None:
    mine, other = games
    stage.event("Rust Cup")
    visitor.open(f"/g/{mine.code}")
    assert visitor.open(address_of(mine)).status == 200
    with stage.unchanged():
        pages = set()
        for address in (address_of(other), "/e/iron-open/games/4711/report", f"/e/rust-cup/games/{other.id}/report"):
            page = visitor.open(address)
            assert page.status == 404, address
            pages.add(page.part("main"))
            token = str(page.value("csrf_token"))
            body = {"csrf_token": token, "key": KEY, "side": "a", "version": "0", "a.objectives": "3"}
            assert visitor.http.post(f"{address}?side=a", data=body).status_code == 404
            answer = visitor.http.post(f"{address}?side=a", data=body, headers=OUTBOX)
            assert (answer.status_code, answer.get_json()["state"]) == (403, "signed-out")
        (words,) = pages
        assert "Scan the QR code on the sheet again, or type its code." in words
        assert visitor.open(f"/e/rust-cup/games/{mine.id}/report").status == 404, "nor in the other event"
    visitor.open(f"/g/{other.code}")
    assert [visitor.open(address_of(game)).status for game in games] == [200, 200], "one phone holds several sheets"


def test_player_with_the_own_sheet_is_led_to_the_own_form(
    visitor: Person, stage: Stage, tables: list[Table], link_of: Links
) -> None:
    (own, other), ada = (table.game for table in tables), tables[0].a
    for address in (f"/g/{own.code}", address_of(own)):
        assert ada.open(address).path == MINE
    with ada.http.session_transaction() as session:
        assert "sheets" not in session
    assert "who are you?" in ada.open(f"/g/{other.code}").part("h1"), "a neighbour's sheet opens its form"
    assert ada.open("/e/iron-open/me").status == 200
    body = filled(visitor, f"/g/{own.code}?side=a") | {"b.objectives": "1"}
    visitor.open(link_of(stage.one(Player, id=own.a_id)))
    body["csrf_token"] = str(visitor.open("/sign-in").value("csrf_token"))
    answer = visitor.http.post(f"{address_of(own)}?side=a", data=body, headers=OUTBOX)
    assert (answer.status_code, answer.get_json()["said"]) == (409, "Your own page has the form for you.")
    assert not stage.all(Report), "a sheet opened before signing in reports nothing for the player"


@pytest.mark.proves("ASVS 14.2.1")
def test_opened_sheet_ends_after_a_day_or_with_a_new_code(visitor: Person, stage: Stage, table: Table) -> None:
    game = table.game
    address = f"{address_of(game)}?side=a"
    body = filled(visitor, f"/g/{game.code}?side=a") | {"b.objectives": "1"}
    stage.clock.advance(hours=23, minutes=59)
    assert visitor.open(address).status == 200
    stage.clock.advance(minutes=1)
    assert visitor.open(address).status == 404
    answer = visitor.http.post(address, data=body, headers=OUTBOX).get_json()
    assert (answer["state"], answer["key"]) == ("signed-out", KEY)
    assert answer["said"] == "Open the code of the sheet again: your report is then sent."
    visitor.press("Continue", at="/g", code=game.code)
    assert visitor.http.post(address, data=body, headers=OUTBOX).get_json()["state"] == "saved"
    stage.set(table.event, game, code="ANEWCODE")
    assert visitor.open(address_of(game)).status == 404
    assert visitor.open("/g/ANEWCODE").status == 200


def test_browser_holds_a_dozen_sheets() -> None:
    def game(n: int) -> Game:
        return Game(id=n, round_id=1, a_id=1, code=f"CODE{n:04}", notes=[])

    now = datetime(2026, 11, 21, 10, tzinfo=UTC)
    cookie: dict[str, object] = {}
    for n in range(1, MOST + 3):
        held = with_sheet(cookie, game(n), now + timedelta(minutes=n))
        cookie["sheets"] = json.loads(json.dumps(held, sort_keys=True))  # as the browser returns the cookie
    later = now + timedelta(hours=1)
    assert [n for n in range(1, MOST + 4) if code_from_cookie(cookie, n, later)] == list(range(3, MOST + 3))
    for n in (3, 99):
        cookie["sheets"] = with_sheet(cookie, game(n), later)
    assert code_from_cookie(cookie, 3, later) == "CODE0003", "opened again it is the newest"
    assert not code_from_cookie(cookie, 4, later)
    assert len(str(cookie["sheets"])) <= 600, "it fits into a cookie"


def refused(person: Person, address: str, body: dict[str, str], status: int) -> str:
    answer = person.http.post(address, data=body, headers=OUTBOX)
    assert (answer.status_code, answer.mimetype) == (status, "application/json"), answer.text
    found = answer.get_json()
    assert (found["state"], found["key"], found["page"]) == ("refused", KEY, "")
    return str(found["said"])


def test_sheet_report_of_an_unpublished_round_is_refused(app: Flask, table: Table) -> None:
    code = table.game.code
    visitor, address = Person(app), f"{HOME}/games/{table.game_id}/report?side=a"
    body = filled(visitor, f"/g/{code}?side=a")
    table.stage.do(table.event, unpublish, 1)
    said = refused(visitor, address, body, 404)
    assert "This game can no longer be reported: its round may have been unpublished. Ask at the desk." in said
    for old in (f"/g/{code}?side=a", "/g/AAAAAAAA?side=a"):
        assert refused(visitor, old, body, 404) == said, "a guessed code reveals no draft"
    assert not table.stage.all(Report)
    assert visitor.http.post(address, data=body).mimetype == "text/html", "without script it is a page"
    assert visitor.http.get(f"/g/{code}", headers=OUTBOX).mimetype == "text/html", "a page that is opened is a page"


@pytest.mark.proves("F12")
def test_players_report_of_an_unpublished_later_round_is_refused(stage: Stage, table: Table) -> None:
    stage.decide(table.event, table.game, 3, 1)
    stage.publish(table.event, 2)
    body = filled(table.a)
    stage.do(table.event, unpublish, 2)
    assert "This game is already decided, or cannot be reported now." in refused(table.a, MINE, body, 409)
    page = table.a.http.post(MINE, data=body, follow_redirects=True)
    assert "This game is already decided, or cannot be reported now." in page.text and "Round 2" not in page.text
    assert len(stage.all(Report, withdrawn_at=None)) == 1, "the result of round 1"


def test_report_without_a_side_event_or_form_is_refused(app: Flask, stage: Stage, table: Table) -> None:
    visitor, code = Person(app), table.game.code
    body = filled(visitor, f"/g/{code}?side=a")
    for address in (f"{HOME}/games/{table.game_id}/report", f"/g/{code}"):
        assert "open the code of the sheet again" in refused(visitor, f"{address}?side=x", body, 422)
    body = filled(table.a)
    assert "The form is too large." in refused(table.a, MINE, body | {"a.r1": "9" * 2_600_000}, 413)
    stage.set(table.event, state=EventState.DRAFT)
    refused(table.a, MINE, body, 404)


@pytest.mark.proves("F11", "F12")
def test_transient_failure_is_never_answered_as_refused(app: Flask, table: Table) -> None:
    """A phone ignores any page: it shows "not confirmed yet" and sends the report again."""
    body = filled(table.a)
    wanted = iter((400, 403, 408, 429, 500, 503))

    def fails() -> None:
        status = next(wanted, None)
        if status == 500:
            raise RuntimeError("a fault of ours")
        if status:
            abort(status)

    app.before_request_funcs.setdefault(None, []).append(fails)
    try:
        answers = [table.a.http.post(MINE, data=body, headers=OUTBOX) for _ in range(7)]
    finally:
        app.before_request_funcs[None].remove(fails)
    *failed, saved = answers
    assert [(response.status_code, response.is_json) for response in failed] == [
        (n, False) for n in (400, 403, 408, 429, 500, 503)
    ]
    assert saved.get_json()["state"] == "saved"
