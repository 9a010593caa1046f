"""Reads of the interface: what the pages show to everybody, no more, in pages, with marks and problems."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import jsonschema
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from events.messages.announcements import announce
from events.public.clock import start_round_clock
from events.tournament.endings import Ending
from models.play import Absent, GameState, Player
from models.settings import EventFormat
from tests.api.programs import Program
from tests.kit.forces import sample_force
from tests.kit.formats import NAMES, drop, formed
from tests.kit.person import Person
from tests.kit.stage import Event, Stage
from tests.kit.statements import sent

ROOT = "/api/v1/events/iron-open"


def got(app: Flask, address: str, **headers: str) -> TestResponse:
    return app.test_client().get(address, headers=headers)


def items(app: Flask, address: str) -> list[dict[str, Any]]:
    answer = got(app, f"{ROOT}/{address}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.get_json()["items"]
    return found


@pytest.fixture
def event(stage: Stage, olga: Person) -> Event:
    return stage.event(players=("Ada", "Bo", "Cy", "Di"))


def test_event_players_and_rounds_are_read(app: Flask, stage: Stage, event: Event) -> None:
    found = got(app, ROOT).get_json()
    assert (found["name"], found["state"], found["registration"]) == ("Iron Open", "registration", "open")
    assert [entry["slug"] for entry in got(app, "/api/v1/events").get_json()["items"]] == ["iron-open"]
    assert [(entry["name"], entry["place"]) for entry in items(app, "players")] == [
        (name, "yes") for name in ("Ada", "Bo", "Cy", "Di")
    ]
    assert [(entry["number"], entry["state"]) for entry in items(app, "rounds")] == [(n, "planned") for n in (1, 2, 3)]


@pytest.mark.parametrize(("form", "players", "rounds"), [("knockout", 7, 3), ("round_robin", 5, 5), ("swiss", 6, 4)])
def test_rounds_before_the_draw_are_those_of_the_players(
    app: Flask, stage: Stage, form: str, players: int, rounds: int
) -> None:
    event = formed(stage, *NAMES[:players], rounds=4, format=EventFormat(form))
    found = [(entry["number"], entry["kind"]) for entry in items(app, "rounds")]
    assert found == [(number, form) for number in range(1, rounds + 1)]
    (of_list,), shown = got(app, "/api/v1/events").get_json()["items"], got(app, ROOT).get_json()
    assert (of_list["rounds"], shown["rounds"]) == (rounds, rounds)
    stage.draw(event, 1)
    assert [(entry["number"], entry["kind"]) for entry in items(app, "rounds")] == found
    stage.publish(event, 1)
    assert [(entry["number"], entry["kind"]) for entry in items(app, "rounds")] == found


def test_games_results_and_standings_follow_the_round(app: Flask, stage: Stage, event: Event) -> None:
    first, second = stage.publish(event, 1)
    stage.decide(event, first, 3, 1)
    entry, other = items(app, "rounds/1/games")
    assert (entry["state"], entry["result"]["winner"], entry["table_number"]) == ("confirmed", "a", 1)
    assert (other["state"], other["result"]) == ("open", None)
    assert items(app, "standings") == []
    stage.decide(event, second, 3, 1)
    assert [row["rank"] for row in items(app, "standings")] == [1, 2, 3, 4]
    assert items(app, "results") == items(app, "rounds/1/games")
    asked = got(app, f"{ROOT}/games/{first.id}").get_json()["questions"]
    assert {"a.objectives", "b.objectives"} <= {question["key"] for question in asked}


def test_newest_standings_name_who_has_left_and_earlier_ones_who_had(app: Flask, stage: Stage, event: Event) -> None:
    stage.play(event, 1)
    games = stage.publish(event, 2)
    drop(stage, event, "Ada")
    assert {row["name"] for row in items(app, "standings") if row["dropped"]} == {"Ada"}
    for game in games:
        if stage.now(game).absent is None:
            stage.decide(event, game, 3, 1)
    assert {row["name"] for row in items(app, "standings") if row["dropped"]} == {"Ada"}
    assert not any(row["dropped"] for row in items(app, "standings?after=1"))


def test_no_opponent_is_a_walk_over_only_where_it_scores(app: Flask, stage: Stage) -> None:
    event = formed(stage, *NAMES[:4], format=EventFormat.ROUND_ROBIN)
    stage.play(event, 1)
    drop(stage, event, NAMES[0])
    stage.publish(event, 2)
    assert [game["no_opponent"] for game in items(app, "rounds/2/games")] == [None, "bye"]


def test_clocks_and_announcements_are_read(app: Flask, stage: Stage, event: Event) -> None:
    stage.publish(event, 1)
    first, later, _ = items(app, "rounds")
    assert first["clock"] == {"state": "waiting", "started": None, "ends": None, "left": 5400, "minutes": 90}
    assert later["clock"] is None
    stage.do(event, start_round_clock, 1)
    running = items(app, "rounds")[0]["clock"]
    length = datetime.fromisoformat(running["ends"]) - datetime.fromisoformat(running["started"])
    assert (running["state"], running["left"], length) == ("running", None, timedelta(minutes=90))
    stage.do(event, announce, "Soup is ready", until=stage.clock() + timedelta(minutes=5))
    assert [entry["text"] for entry in items(app, "announcements")] == ["Soup is ready"]
    stage.clock.advance(minutes=6)
    assert items(app, "announcements") == []


def test_games_that_nobody_played_have_no_winner(app: Flask, stage: Stage, event: Event) -> None:
    first, second = stage.publish(event, 1)
    stage.no_show(event, first, Absent.BOTH)
    stage.set(event, second, state=GameState.CONFIRMED, ending=Ending.NOT_PLAYED)
    found = [entry["result"] for entry in items(app, "results")]
    assert [(entry["winner"], entry["absent"], entry["ending"]) for entry in found] == [
        (None, "both", None), (None, None, "not_played"),
    ]  # fmt: skip


@pytest.mark.proves("G3", "attack 74")
def test_drafts_and_sealed_lists_are_not_in_it(app: Flask, stage: Stage, event: Event) -> None:
    stage.force(event, stage.all(Player)[0], sample_force("Survivors", 750, 4))
    stage.draw(event, 1)
    assert [entry["state"] for entry in items(app, "rounds")] == ["planned"] * 3
    assert got(app, f"{ROOT}/rounds/1/games").status_code == 404
    assert items(app, "results") == items(app, "lists") == []
    stage.event("Secret Cup", draft=True)
    assert got(app, "/api/v1/events/secret-cup").status_code == 404
    assert len(got(app, "/api/v1/events").get_json()["items"]) == 1


def test_shown_lists_are_read_with_their_verdict(app: Flask, stage: Stage, event: Event) -> None:
    stage.force(event, stage.all(Player)[0], sample_force("Survivors", 750, 4))
    stage.publish(event, 1)
    (entry,) = items(app, "lists")
    assert (entry["faction"], entry["legal"], entry["broken"]) == ("Survivors", True, [])
    assert entry["force"]["edition"] == "2018-08"


def test_awards_are_read_once_published(app: Flask, stage: Stage, event: Event) -> None:
    assert got(app, f"{ROOT}/awards").status_code == 404


def test_pages_follow_their_cursor_and_fields_choose(app: Flask, stage: Stage, event: Event) -> None:
    names, cursor = [], ""
    while True:
        page = got(app, f"{ROOT}/players?limit=3&fields=name{cursor}").get_json()
        names += page["items"]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert names == [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")]


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("players?limit=0", "limit"), ("players?fields=secret", "fields"), ("players?shown=all", "shown"),
        ("players?cursor=x", "cursor"), ("players?limit=1&limit=2", "limit"), ("standings?after=-1", "after"),
        ("standings?after=101", "after"), ("players?limit=1001", "limit"), ("players?limit=1_0", "limit"),
        ("players?limit=%2B1", "limit"), ("players?limit=%D9%A3", "limit"), ("players?cursor=1.0", "cursor"),
        ("players?cursor=" + "0" * 2000, "cursor"), ("players?fields=" + "name," * 50 + "name", "fields"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_problems_with_their_field(app: Flask, event: Event, address: str, field: str) -> None:
    answer = got(app, f"{ROOT}/{address}")
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert field in [entry["field"] for entry in answer.get_json()["errors"]]


@pytest.mark.parametrize(("address", "status"), [("nowhere", 404), ("players/999", 404), ("rounds/9/games", 404)])
def test_errors_are_problems(app: Flask, event: Event, address: str, status: int) -> None:
    answer = got(app, f"{ROOT}/{address}")
    assert (answer.status_code, answer.mimetype, answer.get_json()["status"]) == (
        status, "application/problem+json", status,
    )  # fmt: skip


def test_unchanged_answer_is_304(app: Flask, stage: Stage, event: Event) -> None:
    mark = got(app, f"{ROOT}/players").headers["ETag"]
    assert got(app, f"{ROOT}/players", **{"If-None-Match": mark}).status_code == 304
    stage.enter(event, "Eve")
    assert got(app, f"{ROOT}/players", **{"If-None-Match": mark}).status_code == 200


def test_signed_in_person_reads_no_more(app: Flask, stage: Stage, olga: Person) -> None:
    stage.event("Secret Cup", draft=True)
    assert olga.http.get("/api/v1/events/secret-cup").status_code == 404


def test_pages_of_other_sites_may_read_a_public_service_and_not_write(app: Flask, stage: Stage, event: Event) -> None:
    assert got(app, ROOT).headers["Access-Control-Allow-Origin"] == "*"
    written = app.test_client().post(f"{ROOT}/players", json={"name": "Cy"})
    asked = app.test_client().options(f"{ROOT}/players", headers={"Origin": "https://ranks.example"})
    app.extensions["overseer_settings"] = replace(app.extensions["overseer_settings"], public="")
    for answer in (written, asked, got(app, ROOT)):
        assert "Access-Control-Allow-Origin" not in answer.headers, "in a network, nor"


def test_limits_are_said_and_kept(app: Flask, stage: Stage, event: Event) -> None:
    answer = got(app, ROOT)
    limit, left = (int(answer.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining"))
    for _ in range(left):
        assert got(app, ROOT).status_code == 200
    refused = got(app, ROOT)
    assert (refused.status_code, refused.headers["RateLimit-Remaining"], limit) == (429, "0", 600)
    stage.clock.advance(seconds=int(refused.headers["Retry-After"]))
    assert got(app, ROOT).status_code == 200


OF_EVENTS = ("/api/v1/e", "/api/v1/ranking", "/api/v1/series")


def test_document_is_openapi_of_every_address(app: Flask) -> None:
    found = got(app, "/api/v1/openapi.json").get_json()
    assert found["openapi"] == "3.1.0"
    said = {path.replace("{", "<").replace("}", ">") for path in found["paths"]}
    rules = {rule.rule.replace("int:", "") for rule in app.url_map.iter_rules() if rule.rule.startswith(OF_EVENTS)}
    assert said == rules
    for schema in found["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    assert '"#/$defs' not in json.dumps(found)


def test_each_choice_of_the_published_forms_is_described(app: Flask) -> None:
    """Its words are the docstring of the class."""
    forms = got(app, "/api/v1/openapi.json").get_json()["components"]["schemas"]
    choices = {name: form.get("description", "") for name, form in forms.items() if "enum" in form}
    assert len(choices) > 5
    assert [name for name, words in choices.items() if not words] == []


def test_page_says_every_address(visitor: Person) -> None:
    page = visitor.open("/api/v1")
    assert page.status == 200
    for path in visitor.http.get("/api/v1/openapi.json").get_json()["paths"]:
        assert path.removeprefix("/api/v1") in page.text


@pytest.mark.parametrize(
    ("read", "shown"),
    [("", ""), ("/rounds/1/games", "/rounds/1"), ("/standings", "/standings"), ("/lists", "/lists")],
)
def test_read_costs_no_more_than_its_page(app: Flask, stage: Stage, event: Event, read: str, shown: str) -> None:
    stage.play(event, 1)
    got(app, "/e/iron-open/version")  # loads what all pages of this state share
    costs = []
    for address in (f"{ROOT}{read}", f"/e/iron-open{shown}"):
        with sent(app.extensions["overseer_engine"]) as seen:
            assert got(app, address).status_code == 200
        costs.append(len(seen))
    assert costs[0] <= costs[1]
    with sent(app.extensions["overseer_engine"]) as seen:
        assert got(app, f"{ROOT}{read}").status_code == 200
    assert len(seen) == 2, "BEGIN, and the state of the event"


def test_list_of_events_is_sent_again_only_when_it_changed(stage: Stage, event: Event, app: Flask) -> None:
    program = Program(app, "")
    first = program.get("/api/v1/events")
    same = program.http.get("/api/v1/events", headers={"If-None-Match": first.headers["ETag"]})
    assert (same.status_code, same.data) == (304, b"")
    stage.set(event, name="Rust Open")
    again = program.http.get("/api/v1/events", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_json()["items"][0]["name"]) == (200, "Rust Open")


def test_page_says_the_values_of_choices(visitor: Person) -> None:
    page = visitor.open("/api/v1")
    assert "“registration” or “in_progress”" in page.part("#model-EventItem")
