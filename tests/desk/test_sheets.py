"""Paper sheets: their codes leave the address, and each opens the form of one game on the browser that opened it."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from events.results.sheets import MOST, code_held, with_sheet
from models.event import Event
from models.play import Game, GameState, Report
from tests.conftest import Clock
from tests.kit.person import Person, controls
from tests.kit.stage import Stage

KEY = "a-key-that-this-phone-has-made"
OUTBOX = {"X-Outbox": "1", "X-Outbox-Key": KEY, "Accept": "application/json"}
Enter = Callable[..., list[Person]]


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(scenarios=("hold-the-line", "", ""))


@pytest.fixture
def ada(stage: Stage, event: Event, enter: Enter) -> Person:
    """Ada's phone. Two tables are played in round 1."""
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    return ada


@pytest.fixture
def holder(app: Flask) -> Person:
    """A phone beside the table, of nobody in particular."""
    return Person(app)


def games_of(stage: Stage, event: Event) -> list[Game]:
    return stage.games(event, 1)


def form_of(game: Game) -> str:
    """Where the form of a game is, for whoever opened its sheet."""
    return f"/e/iron-open/games/{game.id}/report"


def body_of(holder: Person, address: str) -> dict[str, str]:
    """The form as a phone's outbox sends it."""
    form = holder.open(address).soup.select_one("form.report")
    assert form is not None
    return {str(name): str(value) for name, value in controls(form)} | {"key": KEY, "a.objectives": "3"}


@pytest.mark.proves("ASVS 14.2.1", "ASVS 16.2.5", "attack 23")
def test_the_code_leaves_the_address_as_the_sheet_is_opened(
    holder: Person, stage: Stage, event: Event, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """No page has the code or leads to it: so no address bar, history, Referer or log has it."""
    caplog.set_level(logging.DEBUG)
    game = games_of(stage, event)[0]
    answer = holder.ask("GET", f"/g/{game.code}")
    assert (answer.status_code, answer.location) == (302, form_of(game))
    assert answer.headers["Cache-Control"] == "private, no-store"
    shown = [holder.open(form_of(game)), holder.open(f"{form_of(game)}?side=a")]
    shown.append(holder.press("Send the result", a__r2="2", b__r2="1", a__objectives="5", b__objectives="5"))
    shown.append(holder.press("Send the result", a__r2="0", b__r2="0", a__objectives="3", b__objectives="1"))
    shown.append(holder.open(form_of(game)))
    assert [page.status for page in shown] == [200, 200, 422, 200, 200]
    holder.open("/g")
    typed = holder.press("Go on", code=game.code)
    assert [one.location for one in typed.response.history] == [form_of(game)], "typed, it is in no address either"
    for page in (*shown, typed):
        assert game.code not in page.response.text + page.response.request.url
    assert stage.one(Report).by == "the paper sheet"
    assert caplog.messages and game.code not in caplog.text


def test_what_was_printed_or_kept_with_a_side_still_leads_there(
    holder: Person, stage: Stage, event: Event, ada: Person
) -> None:
    game = games_of(stage, event)[0]
    assert holder.ask("GET", f"/g/{game.code}?side=b").location == f"{form_of(game)}?side=b"
    assert holder.ask("GET", f"/g/{game.code}?side=//evil").location == form_of(game)


@pytest.mark.proves("ASVS 14.2.1", "attack 23")
def test_a_sheet_opens_its_own_game_and_no_other(holder: Person, stage: Stage, event: Event, ada: Person) -> None:
    mine, other = games_of(stage, event)
    stage.event("Rust Cup")
    holder.open(f"/g/{mine.code}")
    assert holder.open(form_of(mine)).status == 200
    addresses = (form_of(other), "/e/iron-open/games/4711/report",
                 f"/e/rust-cup/games/{other.id}/report")  # fmt: skip
    before = stage.digest()
    said = set()
    for address in addresses:
        page = holder.open(address)
        assert page.status == 404, address
        said.add(page.part("main"))
        token = str(page.value("csrf_token"))
        body = {"csrf_token": token, "key": KEY, "side": "a", "version": "0", "a.objectives": "3"}
        assert holder.http.post(f"{address}?side=a", data=body).status_code == 404
        told = holder.http.post(f"{address}?side=a", data=body, headers=OUTBOX)
        assert (told.status_code, told.get_json()["state"]) == (403, "signed-out")
    (words,) = said
    assert "Scan the QR code on the sheet again, or type its code." in words
    assert holder.open(f"/e/rust-cup/games/{mine.id}/report").status == 404, "nor in the other event"
    assert stage.digest() == before


def test_two_sheets_one_after_the_other_on_one_phone(holder: Person, stage: Stage, event: Event, ada: Person) -> None:
    first, second = games_of(stage, event)
    waiting = body_of(holder, f"/g/{first.code}?side=a")
    holder.open(f"/g/{second.code}?side=b")
    assert holder.press("Send the result", a__objectives="3", b__objectives="1").path == "/e/iron-open/rounds/1"
    # What the first form left in the phone is sent while the second one is looked at, and stored as the first one's.
    told = holder.http.post(f"{form_of(first)}?side=a", data=waiting | {"b.objectives": "1"}, headers=OUTBOX).get_json()
    assert told["state"] == "saved"
    assert [game.state for game in games_of(stage, event)] == [GameState.REPORTED] * 2
    assert {(one.game_id, one.side.value) for one in stage.all(Report)} == {(first.id, "a"), (second.id, "b")}


def test_a_player_who_scans_the_own_sheet_keeps_none(app: Flask, stage: Stage, event: Event, ada: Person) -> None:
    own = next(game for game in games_of(stage, event) if "Ada" in (stage.name(game.a_id), stage.name(game.b_id)))
    assert ada.open(f"/g/{own.code}").path == "/e/iron-open/me/game"
    assert ada.open(form_of(own)).path == "/e/iron-open/me/game"
    with ada.http.session_transaction() as session:
        assert "sheets" not in session
    # A neighbour's sheet is nobody's own: its form opens, and Ada stays who she is.
    other = next(game for game in games_of(stage, event) if game.id != own.id)
    assert "who are you?" in ada.open(f"/g/{other.code}").part("h1")
    assert ada.open("/e/iron-open/me").status == 200


def test_a_sheet_of_before_signing_in_sends_nothing_in_the_player_s_place(
    holder: Person, stage: Stage, event: Event, ada: Person, link_of: Callable[..., str]
) -> None:
    game = games_of(stage, event)[0]
    body = body_of(holder, f"/g/{game.code}?side=a") | {"b.objectives": "1"}
    holder.open(link_of(stage.one(type(stage.enter(event, "Late")[0]), id=game.a_id)))
    body["csrf_token"] = str(holder.open("/sign-in").value("csrf_token"))
    told = holder.http.post(f"{form_of(game)}?side=a", data=body, headers=OUTBOX)
    assert (told.status_code, told.get_json()["said"]) == (409, "Your own page has the form for you.")
    assert not stage.all(Report)


@pytest.mark.proves("ASVS 14.2.1")
def test_an_opened_sheet_ends_after_a_day_and_what_waits_is_sent_when_it_is_opened_again(
    holder: Person, stage: Stage, event: Event, ada: Person, clock: Clock
) -> None:
    game = games_of(stage, event)[0]
    address = f"{form_of(game)}?side=a"
    body = body_of(holder, f"/g/{game.code}?side=a") | {"b.objectives": "1"}
    clock.advance(hours=23, minutes=59)
    assert holder.open(address).status == 200
    clock.advance(minutes=1)
    assert holder.open(address).status == 404
    told = holder.http.post(address, data=body, headers=OUTBOX).get_json()
    assert (told["state"], told["key"]) == ("signed-out", KEY)
    assert told["said"] == "Open the code of the sheet again; it is sent then."
    holder.open("/g")
    holder.press("Go on", code=game.code)
    assert holder.http.post(address, data=body, headers=OUTBOX).get_json()["state"] == "saved"


def test_a_sheet_that_was_printed_anew_ends_the_old_one(
    holder: Person, stage: Stage, event: Event, ada: Person
) -> None:
    game = games_of(stage, event)[0]
    holder.open(f"/g/{game.code}")
    with stage.changing(event) as s:
        s.get_one(Game, game.id).code = "ANEWCODE"
    assert holder.open(form_of(game)).status == 404
    assert holder.open("/g/ANEWCODE").status == 200


def test_the_round_is_over_in_the_words_of_before(holder: Person, stage: Stage, event: Event, ada: Person) -> None:
    game = games_of(stage, event)[0]
    holder.open(f"/g/{game.code}?side=a")
    stage.decide(event, game, 2, 1)
    page = holder.press("Send the result", a__objectives="3", b__objectives="1")
    assert (page.status, page.path) == (403, form_of(game))
    assert "This result is confirmed. If it is wrong, tell the organiser." in page.text
    assert "This result is confirmed." in holder.open(f"/g/{game.code}").text
    assert holder.open("/g/AAAAAAAA").part("h1") == "Nothing here"


def test_a_browser_holds_a_dozen_sheets() -> None:
    def game(n: int) -> Game:
        return Game(id=n, round_id=1, a_id=1, code=f"CODE{n:04}", notes=[])

    now = datetime(2026, 11, 21, 10, tzinfo=UTC)
    cookie: dict[str, object] = {}
    for n in range(1, MOST + 3):
        held = with_sheet(cookie, game(n), now + timedelta(minutes=n))
        cookie["sheets"] = json.loads(json.dumps(held, sort_keys=True))  # as the cookie comes back
    later = now + timedelta(hours=1)
    assert [n for n in range(1, MOST + 4) if code_held(cookie, n, later)] == list(range(3, MOST + 3))
    cookie["sheets"] = with_sheet(cookie, game(3), later)
    cookie["sheets"] = with_sheet(cookie, game(99), later)
    assert code_held(cookie, 3, later) == "CODE0003", "opened again it is the newest"
    assert not code_held(cookie, 4, later)
    assert re.fullmatch(r"[\w\[\]{}\":, ]{,600}", str(cookie["sheets"]).replace("'", '"')), "it fits into a cookie"
