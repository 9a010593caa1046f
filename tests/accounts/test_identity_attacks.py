"""Nobody becomes another player: by a resent sign-up, an old link or cookie after a restore, or a link opened."""

import os
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from sqlalchemy import Engine
from sqlmodel import Session
from werkzeug.datastructures import MultiDict

from models.event import Event
from models.play import Player
from service.backups import back_up, folder_of
from service.restoring import restore
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Person, controls
from tests.kit.postgres import client_programs
from tests.kit.stage import Stage

REGISTER = "/e/iron-open/register"
ME = "/e/iron-open/me"
LINK = "/e/iron-open/me/link"


@pytest.fixture
def stage(engine: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The test's database, with PostgreSQL's own programs for backups on the PATH."""
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    opened = Stage(engine, clock)
    yield opened
    opened.s.close()


def sign_up_form(person: Person, address: str = REGISTER) -> dict[str, str]:
    """The fields of the sign-up form as this browser got it."""
    return dict(controls(person.open(address).soup.select("main form")[0]))


def send(person: Person, fields: list[tuple[str, str]], address: str = REGISTER) -> int:
    """Post these fields in this order, as curl would; the status."""
    return person.http.post(address, data=MultiDict(fields)).status_code


def signed_in_as(person: Person, address: str = ME) -> str:
    """Whose page the browser gets; "" for nobody's."""
    page = person.open(address)
    return page.part("h1") if page.status == 200 else ""


def register(person: Person, name: str, address: str = REGISTER) -> None:
    person.open(address)
    assert person.press("Register", name=name).path.endswith("/me/link")


def private_address(person: Person) -> str:
    return person.open(LINK).part(".copy-text").removeprefix("http://localhost")


# ---- a sign-up that is sent again


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_databases
@pytest.mark.parametrize("names", [("Mallory", "Victoria"), ("Victoria", "Mallory")])
def test_repeated_name_field_signs_in_nobody(app: Flask, stage: Stage, event: Event, names: tuple[str, str]) -> None:
    register(Person(app), "Victoria")
    attacker = Person(app)
    form = sign_up_form(attacker)
    rest = [(name, value) for name, value in form.items() if name != "name"]
    for order in (names, names[::-1]):
        assert send(attacker, [*rest, *(("name", name) for name in order)]) == 400
    assert signed_in_as(attacker) == ""
    assert [player.name for player in stage.all(Player)] == ["Victoria"]


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_databases
def test_key_used_in_one_event_signs_in_nobody_in_another(app: Flask, stage: Stage, event: Event) -> None:
    stage.event("Rust Cup")
    register(Person(app), "Victoria")
    attacker = Person(app)
    form = sign_up_form(attacker, "/e/rust-cup/register") | {"name": "Victoria"}
    assert send(attacker, [*form.items()], "/e/rust-cup/register") == 302
    assert send(attacker, [*form.items()]) == 422, "the name is taken in the first event"
    assert signed_in_as(attacker) == ""


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_databases
def test_key_from_another_browser_signs_in_nobody(app: Flask, stage: Stage, event: Event) -> None:
    victoria, attacker = Person(app), Person(app)
    form = sign_up_form(victoria) | {"name": "Victoria"}
    assert send(victoria, [*form.items()]) == 302
    token = sign_up_form(attacker)["csrf_token"]
    assert send(attacker, [*(form | {"csrf_token": token}).items()]) == 422
    assert signed_in_as(attacker) == ""
    assert signed_in_as(victoria) != ""


@pytest.mark.proves("attack 51")
@pytest.mark.both_databases
def test_key_sent_again_with_another_name_signs_in_nobody_else(app: Flask, stage: Stage, event: Event) -> None:
    register(Person(app), "Victoria")
    attacker = Person(app)
    form = sign_up_form(attacker) | {"name": "Mallory"}
    assert send(attacker, [*form.items()]) == 302
    with attacker.http.session_transaction() as cookie:
        cookie.pop("players")  # the answer was lost, or the browser chose to forget it
    assert send(attacker, [*(form | {"name": "Victoria"}).items()]) == 422
    assert signed_in_as(attacker) == ""
    assert send(attacker, [*form.items()]) == 302
    assert "Mallory" in attacker.open(LINK).text


@pytest.mark.proves("attack 51")
def test_resent_sign_up_signs_in_the_player_it_entered_even_after_a_rename(
    app: Flask, stage: Stage, event: Event
) -> None:
    """The row decides, not the name: another player may be called what was typed by now."""
    person = Person(app)
    form = sign_up_form(person) | {"name": "Ada"}
    assert send(person, [*form.items()]) == 302
    ada = stage.one(Player)
    with stage.changing(event):
        ada.name, ada.name_key = "Ada Lovelace", "ada lovelace"
    stage.enter(event, "Ada")
    with person.http.session_transaction() as cookie:
        cookie.pop("players")
    assert send(person, [*form.items()]) == 302
    with person.http.session_transaction() as cookie:
        assert cookie["players"][str(event.id)][0] == ada.id


# ---- links and cookies from before a restore


@pytest.mark.proves("attack 53")
@pytest.mark.both_databases
def test_link_and_cookie_of_a_player_lost_by_a_restore_open_nobody_elses_page(
    app: Flask, stage: Stage, event: Event, settings: Settings, clock: Clock
) -> None:
    stage.s.rollback()
    backup = back_up(stage.engine, folder_of(settings.data), "asked", clock())
    xavier = Person(app)
    register(xavier, "Xavier")
    link = private_address(xavier)
    row = stage.one(Player).id
    go_back(app, stage, settings, backup.path, clock)

    register(Person(app), "Yvonne")
    assert stage.one(Player).id == row, "the row id is used again"
    assert signed_in_as(xavier) == ""
    assert Person(app).open(link).status == 404


@pytest.mark.proves("attack 53")
@pytest.mark.both_databases
def test_restore_ends_every_session_and_keeps_links(
    app: Flask, stage: Stage, event: Event, settings: Settings, clock: Clock
) -> None:
    ada = Person(app)
    register(ada, "Ada")
    link = private_address(ada)
    lost_phone = Person(app)
    lost_phone.open(link)
    stage.s.rollback()
    backup = back_up(stage.engine, folder_of(settings.data), "asked", clock())
    with lost_phone.http.session_transaction() as cookie:
        copied = dict(cookie)
    token = str(lost_phone.open(ME).value("csrf_token"))
    assert lost_phone.ask("POST", f"{ME}/forget", {"csrf_token": token}).status_code == 302
    go_back(app, stage, settings, backup.path, clock)

    with lost_phone.http.session_transaction() as cookie:
        cookie.update(copied)
    assert signed_in_as(lost_phone) == "", "a signed-out cookie stays signed out"
    assert signed_in_as(ada) == "", "a restore ends every session"
    assert Person(app).open(link).path == ME, "a link on a printed badge still opens its page"


def go_back(app: Flask, stage: Stage, settings: Settings, path: os.PathLike[str], clock: Clock) -> None:
    """Stop the service, restore, and start it again."""
    stage.s.close()
    for engine in (stage.engine, app.extensions["overseer_engine"]):
        engine.dispose()
    clock.advance(minutes=1)
    assert restore(settings, path, clock).broken == []  # type: ignore[arg-type]
    stage.s = Session(stage.engine, expire_on_commit=False)


# ---- another player's link


@pytest.mark.proves("attack 63")
def test_another_players_link_asks_before_it_changes_who_is_signed_in(
    app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], link_of: Callable[[Player], str]
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    bo = stage.one(Player, name="Bo")
    page = ada.open(link_of(bo))
    assert (page.status, page.path) == (200, "/switch-player"), "no token stays in the address bar"
    assert "Bo" in page.part("h1")
    assert "Ada" in page.text
    assert "Ada" in ada.open(f"{ME}/link").text, "nothing has changed yet"
    ada.open(link_of(bo))
    assert ada.press("Continue as Bo").path == ME
    assert "Bo" in ada.open(f"{ME}/link").text


@pytest.mark.proves("attack 63")
def test_own_link_opened_again_asks_nothing(
    app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], link_of: Callable[[Player], str]
) -> None:
    (ada,) = enter(event, "Ada")
    assert ada.open(link_of(stage.one(Player))).path == ME
