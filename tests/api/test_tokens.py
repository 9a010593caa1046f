"""Tokens at the desk: shown once, stored as a hash, ended by hand, by time, and with their maker's rights."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from events.accounts import staff
from events.api.admission import MOST
from events.visitors.queries import link_token
from models.api_token import ApiToken
from models.journal import JournalEntry
from models.people import Account
from models.play import Player
from models.staff import Role, Staff
from tests.api.programs import ROOT, Program, made_token
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Event, Stage

DESK = "/e/iron-open/desk/tokens"


@pytest.fixture
def event(stage: Stage, olga: Person) -> Event:
    return stage.event(players=("Ada", "Bo"))


@pytest.mark.proves("ASVS 8.1.1")
def test_token_is_made_shown_once_and_stored_as_its_hash(app: Flask, stage: Stage, event: Event, olga: Person) -> None:
    page = olga.press("Make token", at=DESK, name="Ranking site", role="scorekeeper", days="7", old=PASSWORD)
    row = stage.one(ApiToken, name="Ranking site")
    shown = next(word for word in page.text.split() if hashlib.sha256(word.encode()).hexdigest() == row.token_hash)
    assert shown not in olga.open(f"{DESK}/{row.id}").text
    assert "Ranking site" in olga.open(DESK).text
    assert shown not in olga.page.text
    assert Program(app, shown).get(ROOT).status_code == 200
    assert "used" in olga.open(DESK).text


@pytest.mark.parametrize("how", ["ended", "expired", "demoted", "removed"])
@pytest.mark.proves("G3")
def test_token_ends(app: Flask, stage: Stage, event: Event, olga: Person, how: str) -> None:
    with stage.changing(event) as s:
        sue = Account(name="Sue", name_key="sue", password_hash="", session_key="k", created_at=stage.clock())
        s.add(sue)
        s.flush()  # assigns the id of the account
        s.add(Staff(event_id=event.id, account_id=sue.id, role=Role.ORGANISER, since=stage.clock()))
    program = Program(app, made_token(stage, event, Role.ORGANISER, by=sue))
    assert program.post(f"{ROOT}/players", name="Cy").status_code == 201
    helper = stage.one(Staff, account_id=sue.id)
    ways: dict[str, Callable[[], object]] = {
        "ended": lambda: olga.press("End", at=DESK),
        "expired": lambda: stage.clock.advance(days=30),
        "demoted": lambda: stage.do(event, staff.change_role, helper, Role.JUDGE),
        "removed": lambda: stage.do(event, staff.remove_staff, helper),
    }
    ways[how]()
    answer = program.post(f"{ROOT}/players", name="Di")
    assert (answer.status_code, answer.mimetype) == (401, "application/problem+json")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert program.get(ROOT).status_code == 401


@pytest.mark.parametrize("how", ["password", "others"])
@pytest.mark.parametrize("tokens", [True, False])
def test_token_ends_with_the_sign_ins_of_its_maker_unless_unticked(
    app: Flask, stage: Stage, event: Event, olga: Person, how: str, tokens: bool
) -> None:
    program = Program(app, made_token(stage, event, Role.ORGANISER, name="Club bot"))
    assert "Club bot" in olga.open("/account").text
    assert "1 token" in olga.open("/e/iron-open/desk/staff").text
    ticked: dict[str, Any] = {} if tokens else {"tokens": False}
    if how == "others":
        olga.press("Sign out everywhere else", at="/account", **ticked)
    else:
        new = "four words to be remembered"
        olga.press("Change password", at="/account", old=PASSWORD, password=new, again=new, **ticked)
    assert program.get(ROOT).status_code == (401 if tokens else 200)
    assert ("Club bot" in olga.open("/account").text) is not tokens


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER])
def test_token_stays_ended_when_its_maker_gets_back_the_right_to_make_tokens(
    app: Flask, stage: Stage, event: Event, olga: Person, role: Role
) -> None:
    sue = stage.hire(event, "Sue", role)
    program = Program(app, made_token(stage, event, Role.ORGANISER, by=sue))
    stage.do(event, staff.change_role, stage.one(Staff, account_id=sue.id), Role.SCOREKEEPER)
    stage.do(event, staff.change_role, stage.one(Staff, account_id=sue.id), role)
    assert program.get(ROOT).status_code == 401


def test_token_of_an_organiser_who_becomes_owner_goes_on(app: Flask, stage: Stage, event: Event, olga: Person) -> None:
    sue = stage.hire(event, "Sue", Role.ORGANISER)
    program = Program(app, made_token(stage, event, Role.ORGANISER, by=sue))
    stage.do(event, staff.change_role, stage.one(Staff, account_id=sue.id), Role.OWNER)
    assert program.get(ROOT).status_code == 200


@pytest.mark.proves("attack 90")
def test_token_is_made_only_with_the_password(app: Flask, stage: Stage, event: Event, olga: Person) -> None:
    for wrong in ("", "not the password"):
        page = olga.press("Make token", at=DESK, name="Bot", role="judge", days="7", old=wrong)
        assert page.status == 422 and page.error_at("old") and stage.all(ApiToken) == []


@pytest.mark.proves("attack 94")
def test_token_works_at_an_address_that_others_flood(app: Flask, stage: Stage, event: Event) -> None:
    (ada, *_) = stage.all(Player)
    programs = Program(app, made_token(stage, event, Role.ORGANISER)), Program(app, link_token(app.secret_key, ada))
    for token in ("", "wrong"):
        flood = [Program(app, token).post(f"{ROOT}/players", name="Di").status_code for _ in range(MOST["write"] + 9)]
        assert flood[-1] == 429
    assert programs[0].post(f"{ROOT}/players", name="Cy").status_code == 201
    assert programs[1].post(f"{ROOT}/players/{ada.id}/check-in").status_code == 200
    own = [programs[0].post(f"{ROOT}/rounds/9/draw").status_code for _ in range(MOST["write"])]
    assert (own[0], own[-1]) == (404, 429), "a token has a limit of its own"


def test_journal_names_the_token(app: Flask, stage: Stage, event: Event) -> None:
    program = Program(app, made_token(stage, event, Role.ORGANISER, name="Club bot"))
    program.post(f"{ROOT}/players", name="Cy", club="Sands")
    entry = stage.all(JournalEntry, event_id=event.id)[-1]
    assert (entry.actor, entry.verb) == ("organiser token Club bot", "register")


def test_visitor_cannot_make_tokens(app: Flask, event: Event) -> None:
    assert Person(app).open(DESK).status == 403


@pytest.mark.proves("ASVS 6.3.1")
def test_guessing_slows_down_and_valid_tokens_still_work(app: Flask, stage: Stage, event: Event) -> None:
    answers = [Program(app, f"guess-{number}").get(ROOT).status_code for number in range(32)]
    assert answers == [401] * 30 + [429] * 2
    assert Program(app, made_token(stage, event, Role.JUDGE)).get(ROOT).status_code == 200


@pytest.mark.parametrize("name", ["access_token", "token", "key"])
def test_token_in_the_address_is_refused(app: Flask, stage: Stage, event: Event, name: str) -> None:
    token = made_token(stage, event, Role.ORGANISER)
    answer = Program(app, "").http.get(f"{ROOT}?{name}={token}")
    assert answer.status_code == 400
    assert "header" in answer.get_json()["detail"]
    assert token not in answer.text
