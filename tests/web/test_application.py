"""The application as a whole: attacks in addresses, searches, files and fields; headers; two hosts on one database."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from sqlalchemy import Engine, text
from sqlmodel import SQLModel
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

import migrations
from app import attach_database, build_pages
from events.accounts import actions as accounts_actions
from events.accounts import second_factor, staff
from events.accounts.limits import BY_NAME, SIGN_UPS
from events.rounds.actions import unpublish
from events.store.act import Act
from events.visitors.queries import link_token
from events.web.parsing import LARGEST
from migrations import WrongSchema, check_schema
from models.db import open_engine
from models.people import SignInAttempt
from service.settings import Settings
from tests.kit.accounts import sign_in, with_cookie_of
from tests.kit.forces import sample_force
from tests.kit.people import let_in
from tests.kit.person import SIGN_IN, SIGN_UP, Enter, Person, controls, post_forms
from tests.kit.profiles import every_nth
from tests.kit.routes import addresses, rules
from tests.kit.stage import BY, Clock, Event, Game, Player, PlayerState, Role, Stage
from tests.kit.statements import rendered
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
            attach_database(app, settings, empty, clock)
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
    attach_database(app, settings, engine, clock)
    assert "the database does not answer at the start: file is not a database" in caplog.text
    assert Person(app).open("/").status == 503
    engine.dispose()


@pytest.mark.proves("attack 40")
def test_ids_are_found_up_to_the_largest_of_a_row(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    with stage.changing(event) as s:
        last, one_before = (
            Player(id=LARGEST - less, event_id=event.id, name=name, name_key=name, state=PlayerState.CHECKED_IN,
                   registered_at=stage.clock()) for less, name in enumerate(("ed", "di"))
        )  # fmt: skip
        s.add_all([last, one_before])
        s.flush()  # makes no id: the game names both
        s.add(Game(id=LARGEST, round_id=game.round_id, a_id=last.id, b_id=one_before.id, table_number=2,
                   code="ABCDEFGH", notes=[]))  # fmt: skip
    for kept in ("players", "games"):
        asked = [olga.ask("GET", f"/e/iron-open/desk/{kept}/{id_}") for id_ in (LARGEST, LARGEST + 1)]
        assert [answer.status_code for answer in asked] == [200, 404], kept
    assert olga.ask("POST", f"/e/iron-open/me/devices/{LARGEST + 1}/remove").status_code == 404


DESK = "/e/iron-open/desk"
NAMED = re.compile(
    r"""(attachment|inline); filename="[A-Za-z0-9][A-Za-z0-9._-]{0,120}"(; filename\*=UTF-8''[A-Za-z0-9._%-]+)?"""
)


def test_files_of_a_player_keep_the_letters_of_the_name(olga: Person, stage: Stage, event: Event) -> None:
    for name, plain, letters in (("Ada O’Neill", "ada-o-neill", ""), ("Юлия Nowak", "nowak", "юлия-nowak"),
                                 ("Søren Łęcki", "soren-lecki", "søren-łęcki"), ("山田", "", "山田")):  # fmt: skip
        player, _ = stage.enter(event, name, f"{name} 2")
        stage.force(event, player, sample_force("Survivors", 750, 4))
        for kind in ("pdf", "json"):
            answer = olga.http.get(f"/e/iron-open/players/{player.id}/force.{kind}", buffered=True)
            named = str(answer.headers["Content-Disposition"])
            before = "iron-open-" if kind == "pdf" else ""
            file = f'filename="{before}{plain}{"-" if plain else ""}force.{kind}"'
            assert file in named, name
            others = f"; filename*=UTF-8''{quote(f'{before}{letters}-force.{kind}')}" if letters else ""
            assert named.endswith(f"{file}{others}"), name


@pytest.mark.proves("attack 30")
@pytest.mark.both_databases
def test_search_and_sort_input_is_never_executed(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Bo", "Ada", "Cy", "Di")
    stage.publish(event, 1)
    for wanted in ("%", "_", "' OR 1=1 --", "%' OR '1'='1", "*", "\\", "a%", ".*", "[a-z]+", "ada"):
        page = olga.http.get(f"{DESK}/search", query_string={"q": wanted, "show": "list"})
        assert (page.status_code, "Ada</" in page.text) == (200, wanted == "ada"), wanted
    usual = visitor.open("/e/iron-open/rounds/1").rows("table.pairings")
    for order in ("name; DROP TABLE player", "(SELECT 1)", "id DESC", "name,1", "'", "NAME"):
        page = visitor.http.get("/e/iron-open/rounds/1", query_string={"order": order}, buffered=True)
        assert (page.status_code, page.location) == (302, "/e/iron-open/rounds/1")
        assert visitor.open(f"/e/iron-open/rounds/1?order={order}").rows("table.pairings") == usual
    assert usual


@pytest.mark.proves("attack 35", "ASVS 5.4.2", "ASVS 4.1.1", "ASVS 3.2.1")
def test_served_files_have_plain_names(olga: Person, stage: Stage) -> None:
    for name in ('a"b; filename=x.exe%0d%0aX-A: b', "Zoë 李小龍", f"../../etc/{'x' * 70}"):
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
    found: dict[tuple[str, int, str], Any] = {}
    stage.s.rollback()
    for table in (sorted_table for sorted_table in SQLModel.metadata.sorted_tables if sorted_table.name in GUARDED):
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
                    known = {key for key, _ in own} | {str(tag["name"]) for tag in form.select("[name]")}
                    for button in form.select("button"):
                        target = str(button.get("formaction") or action)
                        if target.endswith(("/leave", "/forget", "/sign-out", "/language")):
                            continue
                        if str(button.get("value", "")).startswith("conceded_"):
                            continue  # one press stores it
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


POLICY = {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
NOT_TEXT = ("application/pdf", "application/zip", "image/svg+xml", "image/png", "image/jpeg",
            "application/json", "application/problem+json", "application/manifest+json",
            "application/vnd.openxmlformats")  # fmt: skip
ELSEWHERE = "?next=//evil.example&url=https://evil.example&return_to=%5C%5Cevil.example&go=%09//evil.example"
UNUSED = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "hid", "midi", "display-capture")


def wrong_headers(answer: TestResponse) -> list[str]:
    head, data = answer.headers, answer.data
    policy = {part.strip() for part in head.get("Content-Security-Policy", "").split(";")}
    features = {part.strip() for part in head.get("Permissions-Policy", "").split(",")}
    kind, location = head.get("Content-Type", ""), head.get("Location", "/")
    faults = {
        f"policy {policy}": not policy >= POLICY or any("unsafe" in part or "*" in part for part in policy),
        "nosniff": head.get("X-Content-Type-Options") != "nosniff",
        "referrer": head.get("Referrer-Policy") != "same-origin",
        "opener": head.get("Cross-Origin-Opener-Policy") != "same-origin",
        f"features {features}": not {f"{feature}=()" for feature in UNUSED} <= features,
        "clipboard": any(part.startswith("clipboard-write") for part in features),  # the pages copy links
        f"type {kind!r}": data and "charset=utf-8" not in kind and not kind.startswith(NOT_TEXT),
        f"mark-up as {kind!r}": data.lstrip()[:1] == b"<"
        and not kind.startswith(("text/html", "image/svg+xml", "application/xml", "application/atom+xml")),
        "no page, but HTML": data and kind.startswith("text/html") and not data.lstrip().startswith(b"<"),
        f"leads to {location}": "evil" in location
        or not location.startswith("/")
        or location.startswith(("//", "/\\")),
    }
    return [fault for fault, found in faults.items() if found]


@pytest.mark.proves(
    "ASVS 3.2.1", "ASVS 3.4.3", "ASVS 3.4.4", "ASVS 3.4.5", "ASVS 3.4.6", "ASVS 3.7.2", "ASVS 4.1.1", "attack 25",
    "attack 73", "ASVS 16.5.3",
)  # fmt: skip
@every_nth(12, 4)
def test_every_response_has_the_security_headers(
    app: Flask, four_people: list[Person], stage: Stage, step: int
) -> None:
    visitor, ada, _, olga = four_people
    found = addresses(rules(app, "GET")[::step], stage)
    answers = {("visitor", rule): visitor.ask("GET", address + ELSEWHERE) for rule, address in found.items()}
    closed = [rule for (_, rule), answer in answers.items() if answer.status_code != 200]
    for who, person in (("player", ada), ("organiser", olga)):
        answers |= {(who, rule): person.ask("GET", found[rule] + ELSEWHERE) for rule in closed}
    assert {answer.status_code for answer in answers.values()} >= {200, 302, 403, 404}
    odd = [("GET", "/nothing"), ("PUT", "/"), ("POST", "/sign-in"), ("GET", "/static/nothing"), ("GET", "/e/%00"),
           ("OPTIONS", "/"), ("HEAD", "/sign-in"), ("TRACE", "/sign-in")]  # fmt: skip
    answers |= {(method, address): visitor.ask(method, address) for method, address in odd}
    answers["host", "/"] = visitor.http.get("/", headers={"Host": "evil.example"}, buffered=True)
    stage.s.connection().execute(text("ALTER TABLE event RENAME TO gone"))
    stage.s.commit()
    answers["fault", "/"] = visitor.ask("GET", "/")
    assert (answers["host", "/"].status_code, answers["fault", "/"].status_code) == (400, 500)
    assert {where: wrong for where, answer in answers.items() if (wrong := wrong_headers(answer))} == {}


@pytest.mark.proves("ASVS 16.5.3")
def test_lost_accounts_table_denies_all_access(olga: Person, stage: Stage, event: Event) -> None:
    """Accounts and roles are read in each request; if that fails, access is denied."""
    sent = {"csrf_token": str(olga.open("/sign-in").value("csrf_token")), "name": "Mine"}
    pages, posts = ("/desk", "/e/iron-open/desk", "/e/iron-open/desk/players"), ("settings", "finish", "cancel")
    assert olga.ask("GET", pages[1]).status_code == 200, "the control"
    with stage.unchanged():
        for table in ("staff", "organiser", "ended_sign_in"):
            stage.s.connection().execute(text(f"ALTER TABLE {table} RENAME TO gone"))
            stage.s.commit()
            answers = [olga.ask("GET", address) for address in pages]
            answers += [olga.ask("POST", f"/e/iron-open/desk/{address}", sent) for address in posts]
            assert {answer.status_code for answer in answers} <= {302, 403, 404, 500, 503}, table
            stage.s.connection().execute(text(f"ALTER TABLE gone RENAME TO {table}"))
            stage.s.commit()


@pytest.mark.proves("ASVS 11.4.2")
def test_passwords_are_stored_by_argon2id(stage: Stage) -> None:
    """19 MiB and two passes: the second choice of OWASP's sheet on storing passwords."""
    with stage.changing() as s:
        made = [accounts_actions.make_account(s, name, "three old lamps", stage.clock()) for name in ("Olga", "Petra")]
    assert all(account.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$") for account in made)
    assert made[0].password_hash != made[1].password_hash, "each has its own salt"


GUESSES = 16


@pytest.fixture(scope="module")
def more_pages() -> Flask:
    made = build_pages()
    made.testing = True
    return made


@pytest.fixture
def hosts(app: Flask, more_pages: Flask, settings: Settings, clock: Clock) -> Iterator[tuple[Flask, Flask]]:
    engine: Engine = open_engine(settings.database_url)
    attach_database(more_pages, settings, engine, clock)
    yield app, more_pages
    engine.dispose()


Hosts = tuple[Flask, Flask]


def round_page(host: Flask) -> str:
    page = Person(host).open("/e/iron-open/rounds/1")
    return " : ".join(figure.text for figure in page.soup.select(".points")) or page.text


@pytest.mark.both_at_length
@pytest.mark.proves("F14", "attack 75")
def test_cached_pages_of_both_hosts_show_each_change(hosts: Hosts, stage: Stage, event: Event, enter: Enter) -> None:
    """Control: until the change, both hosts show the old result, and neither renders again."""
    ada, *_ = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    own = (ada, with_cookie_of(ada, hosts[1]))
    results = ["Not started", *(f"{markers} : 0" for markers in (1, 2))]
    for markers, (old, new) in enumerate(pairwise(results), 1):
        for host in hosts:
            assert [result in round_page(host) for result in (old, new)] == [True, False]
        stage.decide(event, stage.now(game), markers, 0)
        for host, browser in zip(hosts, own, strict=True):
            with rendered(host) as names:
                assert [result in round_page(host) for result in (old, new)] == [False, True]
                assert new in browser.open("/e/iron-open/me").part(".path")
                rendered_once = len(names)
                assert rendered_once > 0
                assert new in round_page(host)
            assert len(names) == rendered_once
    stage.do(event, unpublish, 1, with_results=True)
    assert [Person(host).open("/e/iron-open/rounds/1").status for host in hosts] == [404, 404]


@pytest.mark.both_at_length
@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_guesses_are_limited(hosts: Hosts, stage: Stage, event: Event, settings: Settings) -> None:
    """For a password, a code, a password at an invitation and an old password, only ten guesses are checked."""
    names = ("Olga", "Petra", "Quin", "Rita")
    olga, petra, quin, rita = (stage.hire(event, name, Role.OWNER) for name in names)
    with stage.changing(event) as s:
        second_factor.turn_on(s, petra, second_factor.new_secret(), 1, second_factor.key_from(settings.secret))
        _, token = staff.invite(Act(s, event, BY, stage.clock()), Role.JUDGE, olga)
    visitor, half_in, invited, signed_in = Person(hosts[0]), Person(hosts[0]), Person(hosts[0]), let_in(hosts[0], rita)
    visitor.open("/sign-in")
    assert sign_in(half_in, "Petra").path == "/sign-in/code"
    invited.open(f"/i/{token}")
    new = {"password": "another three words", "again": "another three words"}
    for person, page, button, field, others in (
        (visitor, "/sign-in", SIGN_IN, "password", {"name": "Olga"}),
        (half_in, "/sign-in/code", "Sign in", "code", {}),
        (invited, "/invitation", "Sign in and accept", "k-password", {"k-name": quin.name}),
        (signed_in, "/account", "Change password", "old", new),
    ):
        browsers, start = [with_cookie_of(person, hosts[n % 2]) for n in range(GUESSES)], Barrier(GUESSES)
        for browser in browsers:
            browser.open(page)
        guess = partial(guess_at_once, browsers, start, button, field, others)
        with ThreadPoolExecutor(GUESSES) as pool:
            answers = sorted(pool.map(guess, range(GUESSES)))
        assert answers == [422] * BY_NAME.most + [429] * (GUESSES - BY_NAME.most), page


def guess_at_once(
    browsers: list[Person], start: Barrier, button: str, field: str, others: dict[str, str], n: int
) -> int:
    start.wait()
    return browsers[n].press(button, **others, **{field: f"guess {n}"}).status


@pytest.mark.both_at_length
@pytest.mark.proves("attack 75", "attack 60", "attack 51")
def test_sign_ups_are_counted_and_resent_forms_found_across_hosts(hosts: Hosts, event: Event, stage: Stage) -> None:
    person = Person(hosts[0])
    page = person.open("/e/iron-open/register")
    form = {name: str(page.value(name)) for name in ("csrf_token", "key", "club", "faction")} | {"name": "Ada"}
    for a_person in (person, with_cookie_of(person, hosts[1])):
        answer = a_person.ask("POST", "/e/iron-open/register", form)
        assert (answer.status_code, answer.location) == (302, "/e/iron-open/me/link")
    assert [player.name for player in stage.all(Player)] == ["Ada"]
    (key,) = [attempt.name_key for attempt in stage.all(SignInAttempt) if attempt.kind == "sign-up"]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="sign-up", name_key=key, at=stage.clock()) for _ in range(SIGN_UPS.most - 5))
    for n in range(1, 7):
        person = Person(hosts[n % 2])
        person.open("/e/iron-open/register")
        page = person.press(SIGN_UP, name=f"Player {n}")
        assert page.part("h1").startswith("You are registered" if n < 5 else "Waiting"), n
