"""The application put together: over which database it stands, and what belongs to that alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine, text

import migrations
from app import put_over
from events.accounts.loading import private_link
from events.web.request import LONGEST_ID
from migrations import WrongSchema, check_schema
from models.db import open_engine
from models.event import Event
from models.play import Game, Player, PlayerState
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import Stage


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_a_database_of_another_shape_is_not_served(
    app: Flask, engine: Engine, empty_url: str, settings: Settings, clock: Clock
) -> None:
    check_schema(engine)
    empty = open_engine(empty_url)
    try:
        with pytest.raises(WrongSchema, match="at no revision"):
            check_schema(empty)
        with pytest.raises(WrongSchema):
            put_over(app, settings, empty, clock)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '20991231_newer'"))
        with pytest.raises(WrongSchema, match=f"at 20991231_newer, this version needs {migrations.head()}"):
            check_schema(engine)
    finally:
        empty.dispose()


@pytest.mark.proves("F21")
def test_a_database_that_is_not_at_hand_at_the_start_is_told_in_the_log_and_to_whoever_asks(
    app: Flask, settings: Settings, clock: Clock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "none.sqlite3").write_bytes(b"no database at all " * 500)
    engine = open_engine(f"sqlite:///{tmp_path / 'none.sqlite3'}")
    put_over(app, settings, engine, clock)
    assert "the database does not answer at the start: file is not a database" in caplog.text
    assert Person(app).open("/").status == 503
    engine.dispose()


def test_nothing_is_left_of_the_database_that_the_pages_stood_over_before(
    app: Flask, engine: Engine, settings: Settings, clock: Clock
) -> None:
    kept = ("overseer_page_cache",)
    before = {name: app.extensions[name] for name in kept}
    app.extensions["overseer_full_at"] = clock()
    other = replace(settings, public="https://desk.example.org", secret="another secret of enough characters")
    put_over(app, other, engine, clock)
    assert [name for name in kept if app.extensions[name] is before[name]] == []
    assert "overseer_full_at" not in app.extensions
    assert (app.extensions["overseer_settings"], app.extensions["overseer_engine"]) == (other, engine)
    assert (app.extensions["overseer_clock"], app.extensions["overseer_mail"]) == (clock, other.mail)
    held = [app.config[f"SE{name}"] for name in ("CRET_KEY", "SSION_COOKIE_NAME", "SSION_COOKIE_SECURE")]
    assert held == [other.secret, "__Host-overseer", True]
    put_over(app, settings, engine, clock)
    held = [app.config[f"SE{name}"] for name in ("CRET_KEY", "SSION_COOKIE_NAME", "SSION_COOKIE_SECURE")]
    assert held == [settings.secret, "overseer", False]


@pytest.mark.proves("attack 40")
def test_the_largest_number_that_a_row_can_have_is_looked_for_and_one_more_is_nobody_s(
    olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    with stage.changing(event) as s:
        here = PlayerState.CHECKED_IN
        last = Player(
            id=LONGEST_ID, event_id=event.id, name="Ed", name_key="ed", state=here, registered_at=stage.clock()
        )
        one_before = Player(
            id=LONGEST_ID - 1, event_id=event.id, name="Di", name_key="di", state=here, registered_at=stage.clock()
        )
        s.add_all([last, one_before])
        s.flush()  # makes no id: the game names both
        s.add(Game(id=LONGEST_ID, round_id=game.round_id, a_id=last.id, b_id=one_before.id, table_number=2,
                   code="ABCDEFGH", notes=[]))  # fmt: skip
    for kept in ("players", "games"):
        asked = [olga.ask("GET", f"/e/iron-open/desk/{kept}/{id_}") for id_ in (LONGEST_ID, LONGEST_ID + 1)]
        assert [answer.status_code for answer in asked] == [200, 404], kept


def test_a_link_to_hand_out_is_a_whole_address_under_the_name_that_was_asked_for(
    app: Flask, stage: Stage, event: Event
) -> None:
    (ada,) = stage.enter(event, "Ada")
    with app.test_request_context("/", base_url="http://desk.local:8000"):
        assert private_link(ada).startswith("http://desk.local:8000/p/")


@pytest.mark.proves("attack 40", "attack 41")
@pytest.mark.parametrize("address", ["/e/a\x00b", "/?q=a%00b", "/games?code=%00", "/?a=1&b=%00"])
def test_an_address_with_a_nul_is_no_page_s(visitor: Person, address: str) -> None:
    assert visitor.ask("GET", address).status_code == 404
    assert visitor.ask("GET", "/?q=ab").status_code == 200
