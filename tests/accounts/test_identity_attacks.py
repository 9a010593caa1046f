"""Nobody can become another player, by a repeated sign-up, a link or cookie from before a restore, or another's
link.
"""

import os
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from sqlalchemy import Engine
from sqlmodel import Session
from werkzeug.datastructures import MultiDict

from models.event import Event
from models.play import Player
from service.backups import back_up, folder_of, restore
from service.settings import Settings
from tests.conftest import PUBLIC, Clock
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
    """The fields of the sign-up form as this browser received it."""
    return dict(controls(person.open(address).soup.select("main form")[0]))


def send(person: Person, fields: dict[str, str] | list[tuple[str, str]], address: str = REGISTER) -> int:
    """Submit these fields in this order; returns the status."""
    return person.http.post(address, data=MultiDict(fields)).status_code


def signed_in_as(person: Person) -> str:
    """The player whose page the browser shows; "" if none."""
    page = person.open(ME)
    return page.part("h1") if page.status == 200 else ""


def register(app: Flask, name: str) -> Person:
    """A new browser that has registered a player."""
    person = Person(app)
    person.open(REGISTER)
    assert person.press("Register", name=name).path.endswith("/me/link")
    return person


# ---- a sign-up that is sent again


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_at_length
def test_repeated_name_field_signs_in_nobody(app: Flask, stage: Stage, event: Event) -> None:
    register(app, "Victoria")
    attacker = Person(app)
    rest = [(name, value) for name, value in sign_up_form(attacker).items() if name != "name"]
    for order in (("Mallory", "Victoria"), ("Victoria", "Mallory")):
        assert send(attacker, [*rest, *(("name", name) for name in order)]) == 400
    assert signed_in_as(attacker) == ""
    assert [player.name for player in stage.all(Player)] == ["Victoria"]


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_at_length
def test_key_of_another_event_or_browser_signs_in_nobody(app: Flask, stage: Stage, event: Event) -> None:
    stage.event("Rust Cup")
    victoria, attacker, copying = Person(app), Person(app), Person(app)
    first = sign_up_form(victoria) | {"name": "Victoria"}
    assert send(victoria, first) == 302
    form = sign_up_form(attacker, "/e/rust-cup/register") | {"name": "Victoria"}
    assert send(attacker, form, "/e/rust-cup/register") == 302
    assert send(attacker, form) == 422, "the name is taken in the first event"
    assert send(copying, first | {"csrf_token": sign_up_form(copying)["csrf_token"]}) == 422
    assert (signed_in_as(attacker), signed_in_as(copying), bool(signed_in_as(victoria))) == ("", "", True)


@pytest.mark.proves("attack 51")
@pytest.mark.both_databases
def test_key_sent_again_signs_in_only_the_player_it_entered(app: Flask, stage: Stage, event: Event) -> None:
    """The row decides instead of the name: after a rename, another player may have the submitted name."""
    register(app, "Victoria")
    attacker = Person(app)
    form = sign_up_form(attacker) | {"name": "Mallory"}

    def forget() -> None:
        with attacker.http.session_transaction() as cookie:
            cookie.pop("players", None)

    assert send(attacker, form) == 302
    forget()
    assert send(attacker, form | {"name": "Victoria"}) == 422
    assert signed_in_as(attacker) == ""
    mallory = stage.one(Player, name="Mallory")
    with stage.changing(event):
        mallory.name, mallory.name_key = "Mallory B", "mallory b"
    stage.enter(event, "Mallory")
    assert send(attacker, form) == 302
    with attacker.http.session_transaction() as cookie:
        assert cookie["players"][str(event.id)][0] == mallory.id


# ---- links and cookies from before a restore


@pytest.mark.proves("attack 53")
@pytest.mark.both_databases
def test_restore_ends_every_session_and_keeps_only_links_of_its_players(
    app: Flask, stage: Stage, event: Event, settings: Settings
) -> None:
    def link_of(person: Person) -> str:
        return person.open(LINK).part(".copy-text").removeprefix(PUBLIC)

    ada, lost_phone = register(app, "Ada"), Person(app)
    kept = link_of(ada)
    lost_phone.open(kept)
    stage.s.rollback()
    backup = back_up(stage.engine, folder_of(settings.data), "asked", stage.clock())
    with lost_phone.http.session_transaction() as cookie:
        copied = dict(cookie)
    token = str(lost_phone.open(ME).value("csrf_token"))
    assert lost_phone.ask("POST", f"{ME}/forget", {"csrf_token": token}).status_code == 302
    xavier = register(app, "Xavier")
    lost, row = link_of(xavier), stage.one(Player, name="Xavier").id

    stage.s.close()
    for engine in (stage.engine, app.extensions["overseer_engine"]):
        engine.dispose()
    stage.clock.advance(minutes=1)
    assert restore(settings, backup.path, stage.clock).broken == []
    stage.s = Session(stage.engine, expire_on_commit=False)

    register(app, "Yvonne")
    assert stage.one(Player, name="Yvonne").id == row, "the control: the row id is used again"
    assert Person(app).open(lost).status == 404
    with lost_phone.http.session_transaction() as cookie:
        cookie.update(copied)
    assert [signed_in_as(one) for one in (xavier, lost_phone, ada)] == ["", "", ""]
    assert Person(app).open(kept).path == ME, "a link on a printed badge still opens its page"


# ---- another player's link


@pytest.mark.proves("attack 63")
def test_another_players_link_asks_before_it_changes_who_is_signed_in(
    app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], link_of: Callable[[Player], str]
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    own, bo = (link_of(stage.one(Player, name=name)) for name in ("Ada", "Bo"))
    assert ada.open(own).path == ME, "her own link asks nothing"
    page = ada.open(bo)
    assert (page.status, page.path) == (200, "/switch-player"), "no token stays in the address bar"
    assert "Bo" in page.part("h1") and "Ada" in page.text
    assert "Ada" in ada.open(LINK).text, "nothing has changed yet"
    ada.open(bo)
    assert ada.press("Continue as Bo").path == ME
    assert "Bo" in ada.open(LINK).text
