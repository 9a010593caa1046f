"""The application as a whole; attacks in addresses, searches and files; unknown form fields."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, text
from sqlmodel import SQLModel
from werkzeug.datastructures import MultiDict

import migrations
from app import put_over
from events.accounts.loading import private_link
from events.accounts.queries import link_token
from events.web.request import LONGEST_ID
from migrations import WrongSchema, check_schema
from models.db import open_engine
from models.event import Event
from models.play import Game, Player, PlayerState
from models.staff import Role
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.forces import sample_force
from tests.kit.people import let_in
from tests.kit.person import Person, controls, post_forms
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_database_at_another_revision_is_refused(
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
def test_missing_database_at_the_start_is_logged_and_answered_with_503(
    app: Flask, settings: Settings, clock: Clock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "none.sqlite3").write_bytes(b"no database at all " * 500)
    engine = open_engine(f"sqlite:///{tmp_path / 'none.sqlite3'}")
    put_over(app, settings, engine, clock)
    assert "the database does not answer at the start: file is not a database" in caplog.text
    assert Person(app).open("/").status == 503
    engine.dispose()


@pytest.mark.proves("attack 40")
def test_ids_are_found_up_to_the_largest_of_a_row(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    with stage.changing(event) as s:
        last, one_before = (
            Player(id=LONGEST_ID - less, event_id=event.id, name=name, name_key=name, state=PlayerState.CHECKED_IN,
                   registered_at=stage.clock()) for less, name in enumerate(("ed", "di"))
        )  # fmt: skip
        s.add_all([last, one_before])
        s.flush()  # makes no id: the game names both
        s.add(Game(id=LONGEST_ID, round_id=game.round_id, a_id=last.id, b_id=one_before.id, table_number=2,
                   code="ABCDEFGH", notes=[]))  # fmt: skip
    for kept in ("players", "games"):
        asked = [olga.ask("GET", f"/e/iron-open/desk/{kept}/{id_}") for id_ in (LONGEST_ID, LONGEST_ID + 1)]
        assert [answer.status_code for answer in asked] == [200, 404], kept


def test_private_links_use_the_host_name_of_the_request(
    app: Flask, stage: Stage, event: Event, settings: Settings
) -> None:
    (ada,) = stage.enter(event, "Ada")
    app.extensions["overseer_settings"] = settings  # without a public address
    with app.test_request_context("/", base_url="http://desk.local:8000"):
        assert private_link(ada).startswith("http://desk.local:8000/p/")


DESK = "/e/iron-open/desk"
NAMED = re.compile(r'(attachment|inline); filename="[A-Za-z0-9][A-Za-z0-9._-]{0,120}"')


@pytest.mark.proves("attack 30")
@pytest.mark.both_databases
def test_search_and_sort_input_is_never_executed(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Bo", "Ada", "Cy", "Di")
    stage.publish(event, 1)
    for wanted in ("%", "_", "' OR 1=1 --", "%' OR '1'='1", "*", "\\", "a%", ".*", "[a-z]+", "ada"):
        page = olga.http.get(f"{DESK}/search", query_string={"q": wanted})
        assert (page.status_code, "Ada</" in page.text) == (200, wanted == "ada"), wanted
    usual = visitor.open("/e/iron-open/rounds/1").rows("table.pairings")
    for order in ("name; DROP TABLE player", "(SELECT 1)", "id DESC", "name,1", "'", "NAME"):
        page = visitor.http.get("/e/iron-open/rounds/1", query_string={"order": order}, buffered=True)
        assert page.status_code == 200
        assert visitor.open(f"/e/iron-open/rounds/1?order={order}").rows("table.pairings") == usual
    assert usual


@pytest.mark.proves("attack 35", "ASVS 5.4.2", "ASVS 4.1.1", "ASVS 3.2.1")
def test_served_files_have_plain_names(olga: Person, stage: Stage) -> None:
    for name in ('a"b; filename=x.exe', "Zoë 李小龍", "../../etc/passwd", "x" * 80, "%0d%0aX-A: b"):
        event = stage.event(name)
        player, _ = stage.enter(event, name, f"{name[:70]} 2")
        stage.force(event, player, sample_force("Survivors", 750, 4))
        stage.publish(event, 1)
        files = ["desk/archive.json", "desk/journal.csv", "desk/badges.pdf", "players.csv", "rounds/1/pairings.json",
                 "rounds/1/pairings.pdf", "rounds/1/round.csv", "pack.pdf"]  # fmt: skip
        files += [f"players/{player.id}/force.{kind}" for kind in ("json", "ros", "txt")]
        named = 0
        for file in files:
            answer = olga.http.get(f"/e/{event.slug}/{file}", buffered=True)
            disposition = answer.headers.get("Content-Disposition")
            if answer.status_code != 200 or disposition is None:
                continue
            named += 1
            assert NAMED.fullmatch(disposition), disposition
            assert answer.mimetype != "text/html"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            is_binary = answer.mimetype in ("application/pdf", "application/json", "application/xml")
            assert is_binary or "charset" in answer.headers["Content-Type"]
        assert named >= 6, name


@pytest.mark.proves("attack 50")
def test_nothing_outside_the_service_is_served(app: Flask, visitor: Person) -> None:
    for address in ("/console", "/.git/config", "/.env", "/debug", "/static/../app.py", "/static/%2e%2e/app.py",
                    "/static/..%2fapp.py", "/static//etc/passwd", "/overseer.sqlite3", "/static/overseer.css/..",
                    "/__debugger__", "/?__debugger__=yes&cmd=resource&f=style.css"):  # fmt: skip
        answer = visitor.http.get(address, buffered=True)
        is_page = address.startswith("/?") and "text/html" in answer.content_type
        assert answer.status_code in (404, 308) or is_page, address
        assert "SECRET" not in answer.text and "import " not in answer.text, address
    assert not app.debug


WORDS, NUMBER = "Qzmass", "76543"
ALSO = ("is_admin", "admin", "vp_override", "user_id", "locked_at", "owner", "_method", "is_staff", "confirmed",
        "score")  # fmt: skip
PAGES = {
    "player": ("me", "me/game", "me/mail", "me/force", "me/votes", "me/link", "me/journal"),
    "visitor": ("register", ""),
    "scorekeeper": ("desk/rounds/1/entry", "desk/rounds/1/results", "desk/games/1", "desk/players"),
}
LEGITIMATE = {"event.version", "event.stamp", "event.public_stamp", "event.players_stamp", "event.changed_at",
              "game.state", "game.version", "game.answers", "game.confirmed_at", "game.entered_at"}  # fmt: skip
"""Columns that these forms may change in the guarded tables."""
GUARDED = {"organiser", "staff", "event", "player", "round", "game"}


def fields() -> dict[str, str]:
    """The name of every column in every table, and some that attackers try, each with a test value."""
    found = {column.name: column for table in SQLModel.metadata.tables.values() for column in table.columns}
    numbers = {name: NUMBER for name, column in found.items() if column.type.python_type in (int, bool)}
    named = dict.fromkeys((*found, *ALSO), WORDS) | numbers
    del named["faction"]  # the builder asks for it in a new list, which is its player's to fill
    return named


def kept(stage: Stage) -> dict[tuple[str, int, str], Any]:
    """All values in the guarded tables: rights and the state of the event."""
    found: dict[tuple[str, int, str], Any] = {}
    stage.s.rollback()
    for table in (one for one in SQLModel.metadata.sorted_tables if one.name in GUARDED):
        for row in stage.s.connection().execute(table.select()).mappings():
            found |= {(table.name, row["id"], name): value for name, value in row.items()}
    return {key: value for key, value in found.items() if f"{key[0]}.{key[2]}" not in LEGITIMATE}


@pytest.mark.proves("attack 10", "ASVS 8.2.3", "ASVS 15.3.3")
def test_unknown_form_fields_are_ignored(app: Flask, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event)
    write_to(stage, event)
    stage.force(event, ada, sample_force("Survivors", 750, 4), submit=False)
    people = {"player": Person(app), "visitor": Person(app)}
    people["player"].open(f"/p/{link_token(app.secret_key, ada)}")
    people["scorekeeper"] = let_in(app, stage.hire(event, "The scorekeeper", Role.SCOREKEEPER))
    more, sent = fields(), []
    assert len(more) > 150
    for phase in ("registration", "playing"):
        before = kept(stage)
        for name, person in people.items():
            for page in PAGES[name]:
                for form, action in post_forms(person, f"/e/iron-open/{page}".rstrip("/")):
                    own = controls(form)
                    known = {key for key, _ in own} | {str(one["name"]) for one in form.select("[name]")}
                    for button in form.select("button"):
                        target = str(button.get("formaction") or action)
                        if target.endswith(("/leave", "/forget", "/sign-out")):
                            continue
                        press = [(str(button["name"]), str(button.get("value", "")))] if button.get("name") else []
                        extra = [(key, value) for key, value in more.items() if key not in known]
                        data = MultiDict([*own, *press, *extra])
                        answer = person.http.post(target, data=data, query_string=dict(extra[:40]))
                        assert answer.status_code < 500, target
                        sent.append(target)
        changed = {key: value for key, value in kept(stage).items() if before.get(key, value) != value}
        assert changed == {}, phase
        if phase == "registration":
            stage.publish(event, 1)
    assert len(set(sent)) > 6, set(sent)
    assert [line for line in stage.stored_rows() if WORDS in line or NUMBER in line] == []
    assert people["visitor"].open("/desk").path == "/sign-in"
    stage.enter(stage.event("Rust Cup"), WORDS)
    assert [line for line in stage.stored_rows() if WORDS in line] != [], "the control"
