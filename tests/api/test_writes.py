"""Writes of the interface: the desk's and players' actions by token, once for each key, within its area."""

from typing import Any

import pytest
from flask import Flask

from events.registration import check_in
from events.visitors.queries import link_token
from events.web.http import LIMITS, OWN_PLACES
from models.journal import JournalEntry
from models.play import ForceList, Game, GameState, Player, PlayerState
from models.staff import Role
from tests.api.programs import ROOT, Program, made_token
from tests.kit.forces import sample_force
from tests.kit.formats import cut_event
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

KEY = "a-key-of-my-own-choice"
WON = {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture
def event(stage: Stage, olga: Person) -> Event:
    return stage.event(players=("Ada", "Bo"))


@pytest.fixture
def organiser(app: Flask, stage: Stage, event: Event) -> Program:
    return Program(app, made_token(stage, event, Role.ORGANISER))


def of_player(app: Flask, player: Player) -> Program:
    return Program(app, link_token(str(app.secret_key), player))


def test_register_once_for_a_key(stage: Stage, event: Event, organiser: Program) -> None:
    first = organiser.post(f"{ROOT}/players", KEY, name="  Cy  ", club="Sands")
    assert (first.status_code, first.get_json()["player"]["name"]) == (201, "Cy")
    again = organiser.post(f"{ROOT}/players", KEY, name="  Cy  ", club="Sands")
    assert again.get_json() == first.get_json()
    assert len(stage.all(Player)) == 3
    other = organiser.post(f"{ROOT}/players", KEY, name="Di")
    assert (other.status_code, len(stage.all(Player))) == (409, 3)
    assert other.get_json()["errors"][0]["field"] == "Idempotency-Key"
    refused = organiser.post(f"{ROOT}/players", name="cy").get_json()
    assert refused["errors"][0]["field"] == "name"


def test_day_of_an_event_by_token(stage: Stage, event: Event, organiser: Program) -> None:
    ada, bo = stage.all(Player)
    assert organiser.post(f"{ROOT}/players/{ada.id}/check-in").status_code == 200
    force = sample_force("Survivors", 750, 4)
    assert organiser.post(f"{ROOT}/players/{ada.id}/list", force=force, submit=True).status_code == 200
    assert stage.one(ForceList, player_id=ada.id).submitted
    assert organiser.post(f"{ROOT}/rounds/1/draw").status_code == 200
    assert organiser.get(f"{ROOT}/rounds/1/games").status_code == 404
    assert organiser.post(f"{ROOT}/rounds/1/publish").status_code == 200
    (game,) = organiser.get(f"{ROOT}/rounds/1/games").get_json()["items"]
    report = organiser.post(f"{ROOT}/games/{game['id']}/report", KEY, answers=WON).get_json()
    assert (report["state"], report["version"]) == ("confirmed", 1)
    lost = {"a.objectives": 1, "b.objectives": 3}
    without = organiser.post(f"{ROOT}/games/{game['id']}/report", answers=lost, version=1)
    assert (without.status_code, without.get_json()["errors"][0]["field"]) == (409, "reason")
    stale = organiser.post(f"{ROOT}/games/{game['id']}/report", answers=lost, reason="Typed wrong")
    assert (stale.status_code, stale.get_json()["errors"][0]["message"]) == (409, "The game’s version is 1.")
    corrected = organiser.post(f"{ROOT}/games/{game['id']}/report", answers=lost, version=1, reason="Typed wrong")
    assert corrected.get_json()["version"] == 2
    assert organiser.post(f"{ROOT}/players/{bo.id}/drop").status_code == 200
    stage.s.expire_all()
    assert stage.one(Player, id=bo.id).state == PlayerState.DROPPED
    assert {journal_entry.actor for journal_entry in stage.all(JournalEntry)[-7:]} == {"organiser token Bot"}


def test_token_makes_the_cut(app: Flask, stage: Stage, olga: Person) -> None:
    event = cut_event(stage, 2, entered=4)
    organiser = Program(app, made_token(stage, event, Role.ORGANISER))
    assert organiser.post(f"{ROOT}/cut").status_code == 200
    assert organiser.post(f"{ROOT}/rounds/2/publish").status_code == 200
    assert [entry["kind"] for entry in organiser.get(f"{ROOT}/rounds").get_json()["items"]] == ["swiss", "knockout"]
    again = organiser.post(f"{ROOT}/cut")
    assert (again.status_code, again.get_json()["detail"]) == (409, "The cut is made already.")


def test_illegal_list_names_its_rules_and_is_not_stored(stage: Stage, event: Event, organiser: Program) -> None:
    ada = stage.all(Player)[0]
    force = sample_force("Survivors", 750, 4)
    force["models"] = force["models"] * 9
    answer = organiser.post(f"{ROOT}/players/{ada.id}/list", force=force, submit=True)
    assert answer.status_code == 409
    assert all(entry["rule"].startswith("bm.") for entry in answer.get_json()["rules"])
    assert answer.get_json()["rules"]
    assert stage.all(ForceList) == []
    assert organiser.post(f"{ROOT}/players/{ada.id}/list", force={"x": 1}).get_json()["errors"][0]["field"] == "force"


def test_players_report_and_confirm_with_their_own_tokens(app: Flask, stage: Stage, event: Event) -> None:
    (game,) = stage.publish(event, 1)
    ada, bo = (of_player(app, stage.one(Player, id=id_)) for id_ in (game.a_id, game.b_id))
    first = ada.post(f"{ROOT}/games/{game.id}/report", answers=WON).get_json()
    assert first["state"] == "reported"
    for whose in ({}, {"report_of": "a"}):
        own = ada.post(f"{ROOT}/games/{game.id}/confirm", version=first["version"], **whose)
        assert (own.status_code, own.get_json()["detail"]) == (
            409, "This is your own report. Your opponent or the desk confirms it."
        )  # fmt: skip
    assert bo.post(f"{ROOT}/games/{game.id}/confirm", version=first["version"]).get_json()["state"] == "confirmed"
    assert ada.post(f"{ROOT}/games/{game.id}/report", answers=WON, version=2).status_code == 409
    assert ada.post(f"{ROOT}/players/{game.b_id}/drop").status_code == 403
    assert ada.post(f"{ROOT}/players", name="Cy").status_code == 403
    first = ada.post(f"{ROOT}/players/{game.a_id}/drop", KEY)
    again = ada.post(f"{ROOT}/players/{game.a_id}/drop", KEY)
    assert (first.status_code, again.status_code, again.get_json()) == (200, 200, first.get_json())
    assert ada.post(f"{ROOT}/players/{game.a_id}/drop").status_code == 403, "who left cannot leave again"


def test_sure_is_asked_for_only_where_it_helps(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event("Iron Open", game="fallout_warfare", rounds=1, scenarios=("skirmish",), players=("Ada", "Bo"))
    (game,), program = stage.publish(event, 1), Program(app, made_token(stage, event, Role.ORGANISER))
    both: dict[str, Any] = {"a.fielded": 200, "b.fielded": 200}
    for answers, sure, helps in (
        (both | {"a.dead": 150, "a.retreated": 60}, False, False),
        (both | {"a.dead": 150, "a.retreated": 60}, True, False),
        ({"a.fielded": 200}, False, True),
        ({"a.fielded": 200, "a.dead": 201}, False, False),
    ):
        said = program.post(f"{ROOT}/games/{game.id}/report", answers=answers, sure=sure)
        assert (said.status_code, "send “sure”" in said.get_json()["detail"]) == (409, helps), answers
    assert program.post(f"{ROOT}/games/{game.id}/report", answers={"a.fielded": 200}, sure=True).status_code == 200


def test_what_the_rules_ask_about_a_list_is_answered(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event("Iron Open", game="fallout_skirmish", rounds=1, players=("Ada", "Bo"))
    program, ada = Program(app, made_token(stage, event, Role.ORGANISER)), stage.all(Player)[0]
    models = [{"rank": "Veteran", "leader": True, "items": [{"name": "Stimpak"}]}]
    force = {"system": "fallout_skirmish", "edition": "rulebook", "faction": "Raiders", "models": models}
    answer = program.post(f"{ROOT}/players/{ada.id}/list", force=force).get_json()
    assert any("Stimpak" in question for question in answer["questions"]), answer


def test_staff_confirm_the_waiting_report(app: Flask, stage: Stage, event: Event) -> None:
    (game,) = stage.publish(event, 1)
    keeper = Program(app, made_token(stage, event, Role.SCOREKEEPER))
    assert keeper.post(f"{ROOT}/games/{game.id}/confirm", version=0).status_code == 409
    of_player(app, stage.one(Player, id=game.a_id)).post(f"{ROOT}/games/{game.id}/report", answers=WON)
    assert keeper.post(f"{ROOT}/games/{game.id}/confirm", version=1).get_json()["state"] == "confirmed"
    again = keeper.post(f"{ROOT}/games/{game.id}/report", answers=WON, version=2, reason="Mine")
    assert again.status_code == 403, "a scorekeeper changes no confirmed result"


def test_repeated_report_gets_its_first_answer_although_it_could_not_be_sent_now(
    app: Flask, stage: Stage, event: Event
) -> None:
    (game,) = stage.publish(event, 1)
    keeper = Program(app, made_token(stage, event, Role.SCOREKEEPER))
    first = keeper.post(f"{ROOT}/games/{game.id}/report", KEY, answers=WON)
    again = keeper.post(f"{ROOT}/games/{game.id}/report", KEY, answers=WON)
    assert (again.status_code, again.get_json()) == (200, first.get_json())
    other = Program(app, made_token(stage, event, Role.SCOREKEEPER)).post(
        f"{ROOT}/games/{game.id}/report", KEY, answers=WON
    )
    assert other.status_code == 403, "the key belongs to its token"


def test_lines_of_a_list_that_were_not_read_are_named(stage: Stage, event: Event, organiser: Program) -> None:
    ada = stage.all(Player)[0]
    force = "\n".join(
        ["Survivors", *(entry["name"] for entry in sample_force("Survivors", 750, 4)["models"]), "3 Unicorns"]
    )
    answer = organiser.post(f"{ROOT}/players/{ada.id}/list", force=force).get_json()
    number = force.count("\n") + 1
    assert f"Please check, line {number}: 3 Unicorns" in answer["questions"], answer
    assert [line["number"] for line in answer["lines"]] == [*range(1, number + 1)]
    assert (answer["lines"][-1]["written"], answer["lines"][-1]["state"]) == ("3 Unicorns", "check")
    assert (answer["faction"], answer["total"] > 0) == ("Survivors", True)


@pytest.mark.proves("attack 59")
def test_list_sent_by_a_program_takes_a_place_of_the_list_builder(app: Flask, stage: Stage, event: Event) -> None:
    row, (places, own) = stage.all(Player)[0], (app.extensions[f"overseer_heavy{kind}"] for kind in ("", "_own"))
    ada, organiser = of_player(app, row), Program(app, made_token(stage, event, Role.ORGANISER))
    for _ in range(OWN_PLACES["lists"]):
        assert own.take({f"lists {row.id}"}, OWN_PLACES["lists"])
    answers = [program.post(f"{ROOT}/players/{row.id}/list", force="Settler") for program in (ada, organiser)]
    assert [answer.status_code for answer in answers] == [429, 200]
    assert answers[0].headers["Retry-After"] == "5"
    for _ in range(OWN_PLACES["lists"]):
        own.free({f"lists {row.id}"})
    for _ in range(LIMITS["lists"]):
        assert places["lists"].acquire(blocking=False)
    assert ada.post(f"{ROOT}/players/{row.id}/list", force="Settler").status_code == 429
    places["lists"].release(LIMITS["lists"])
    assert ada.post(f"{ROOT}/players/{row.id}/list", force="Settler").status_code == 200


def test_player_who_drops_plays_the_open_game_unless_asked_otherwise(
    stage: Stage, event: Event, organiser: Program
) -> None:
    (game,) = stage.publish(event, 1)
    organiser.post(f"{ROOT}/players/{game.a_id}/drop")
    assert stage.now(game).state == GameState.OPEN
    organiser.post(f"{ROOT}/players/{game.b_id}/drop", at_once=True)
    assert stage.now(game).state == GameState.CONFIRMED


def test_body_that_is_no_json_is_named(app: Flask, stage: Stage, event: Event, organiser: Program) -> None:
    ada = stage.all(Player)[0]
    there = f"{ROOT}/players/{ada.id}/check-in"
    for body, kind, words in (("no", "application/json", "not JSON"), ("{}", "text/plain", "Content-Type")):
        answer = organiser.http.post(there, data=body, content_type=kind, headers=organiser.headers)
        assert words in answer.get_json()["detail"], body
    answer = organiser.http.post(there, headers=organiser.headers)
    assert answer.status_code == 200, "an action without fields needs no body"
    paths = organiser.get("/api/v1/openapi.json").get_json()["paths"]
    needs = {
        path.rpartition("/")[2]: entry["post"]["requestBody"]["required"]
        for path, entry in paths.items()
        if "post" in entry
    }
    assert (needs["check-in"], needs["players"], needs["confirm"]) == (False, True, True)


@pytest.mark.parametrize(
    ("answers", "field"),
    [({"a.nothing": 1}, "answers.a.nothing"), ({"a.objectives": "many"}, "answers.a.objectives"),
     ({"a.objectives": 99}, "answers.a.objectives")],
)  # fmt: skip
def test_wrong_answers_are_named(
    stage: Stage, event: Event, organiser: Program, answers: dict[str, Any], field: str
) -> None:
    (game,) = stage.publish(event, 1)
    answer = organiser.post(f"{ROOT}/games/{game.id}/report", answers=answers)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (409, field)
    assert stage.one(Game, id=game.id).state == GameState.OPEN


WRITES: dict[str, dict[str, Any]] = {
    "players": {"name": "Cy"}, "players/1/check-in": {}, "players/1/drop": {}, "players/1/list": {"force": "x"},
    "players/1/payment": {}, "players/1/given-back": {},
    "rounds/2/draw": {}, "cut": {}, "rounds/1/publish": {},
    "games/1/confirm": {"version": 0}, "games/1/report": {"answers": WON},
}  # fmt: skip
AREAS = {
    Role.ORGANISER: set(WRITES), Role.JUDGE: {"games/1/report", "games/1/confirm"},
    Role.SCOREKEEPER: {"games/1/report", "games/1/confirm"}, Role.LIST_CHECKER: set[str](),
    Role.CHECK_IN: {"players/1/check-in", "players/1/payment"},
    Role.TREASURER: {"players/1/payment", "players/1/given-back"},
}  # fmt: skip


@pytest.mark.parametrize("role", AREAS)
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
def test_area_allows_its_writes_only(app: Flask, stage: Stage, event: Event, role: Role) -> None:
    stage.publish(event, 1)
    program = Program(app, made_token(stage, event, role))
    allowed = {path for path, sent in WRITES.items() if program.post(f"{ROOT}/{path}", **sent).status_code != 403}
    assert allowed == AREAS[role]


@pytest.mark.parametrize("whose", ["nobody", "another event", "a cookie", "a player of another event"])
@pytest.mark.proves("ASVS 8.2.1", "attack 26")
def test_others_change_nothing(app: Flask, stage: Stage, event: Event, olga: Person, whose: str) -> None:
    stage.publish(event, 1)
    rust = stage.event("Rust Cup", players=("Ada", "Bo"))
    programs = {
        "nobody": Program(app, ""),
        "another event": Program(app, made_token(stage, rust, Role.ORGANISER)),
        "a cookie": Program(app, ""),
        "a player of another event": of_player(app, stage.all(Player, event_id=rust.id)[0]),
    }
    program = programs[whose]
    if whose == "a cookie":
        program.http = olga.http
    program.get(ROOT)  # notes that the token is used
    with stage.unchanged():
        for path, sent in WRITES.items():
            assert program.post(f"{ROOT}/{path}", **sent).status_code in (401, 403), path


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [(b"{", "application/json", 400), (b"[]", "application/json", 400), (b"name=Cy", "text/plain", 415),
     (b"name=Cy", "application/x-www-form-urlencoded", 415), (b'{"name": "Cy", "more": 1}', "application/json", 422),
     (b'{"name": 7}', "application/json", 422), (b'{"name": "\\u0000"}', "application/json", 409),
     (b'{"name": "' + b"x" * 3_000_000 + b'"}', "application/json", 413)],
)  # fmt: skip
@pytest.mark.proves("G2")
def test_bodies_that_are_no_such_object_are_problems(
    stage: Stage, event: Event, organiser: Program, data: bytes, kind: str, status: int
) -> None:
    answer = organiser.http.post(f"{ROOT}/players", data=data, content_type=kind, headers=organiser.headers)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert len(stage.all(Player)) == 2


def test_browser_of_another_site_is_refused(stage: Stage, event: Event, organiser: Program) -> None:
    headers = organiser.headers | {"Sec-Fetch-Site": "cross-site"}
    assert organiser.http.post(f"{ROOT}/players", json={"name": "Cy"}, headers=headers).status_code == 403


@pytest.mark.proves("attack 6", "ASVS 8.2.2")
def test_rows_of_another_event_are_not_found(stage: Stage, event: Event, organiser: Program) -> None:
    rust = stage.event("Rust Cup", players=("Cy", "Di"))
    (game,) = stage.publish(rust, 1)
    stage.publish(event, 1)
    organiser.get(ROOT)
    with stage.unchanged():
        for path, sent in WRITES.items():
            if "/1/" in path and not path.startswith("rounds"):
                other = path.replace("/1/", f"/{game.id if path.startswith('games') else game.a_id}/")
                assert organiser.post(f"{ROOT}/{other}", **sent).status_code == 404, other
        assert organiser.get(f"{ROOT}/players/{game.a_id}").status_code == 404
        assert organiser.get(f"{ROOT}/games/{game.id}").status_code == 404


def test_a_report_is_confirmed_only_as_it_was_seen(app: Flask, stage: Stage, event: Event, organiser: Program) -> None:
    ada, bo = (of_player(app, player) for player in stage.all(Player))
    stage.do(event, check_in.check_in_many, stage.all(Player))
    (game,) = stage.publish(event, 1)
    program, other = (ada, bo) if stage.name(game.a_id) == "Ada" else (bo, ada)
    address = f"{ROOT}/games/{game.id}"
    assert program.post(f"{address}/report", answers=WON).get_json()["version"] == 1
    assert program.post(f"{address}/report", answers=WON | {"a.objectives": 2}, version=1).get_json()["version"] == 2
    for version in (0, 1):
        seen = other.post(f"{address}/confirm", version=version)
        assert (seen.status_code, seen.get_json()["errors"][0]["message"]) == (409, "The game’s version is 2.")
    assert other.get(address).get_json()["version"] == 2
    assert other.post(f"{address}/confirm", version=2).get_json()["state"] == "confirmed"
    late = program.post(f"{address}/report", answers=WON, version=3)
    assert (late.status_code, "ask the desk" in late.get_json()["detail"]) == (409, True)


def test_a_submitted_list_is_replaced_only_by_a_legal_one_that_is_submitted(
    stage: Stage, event: Event, organiser: Program
) -> None:
    ada, _ = stage.all(Player)
    address, force = f"{ROOT}/players/{ada.id}/list", sample_force("Survivors", 750, 4)
    assert organiser.post(address, force=force, submit=True).status_code == 200
    before = stage.one(ForceList, player_id=ada.id).document
    draft = organiser.post(address, force=sample_force("Survivors", 750, 5))
    assert (draft.status_code, draft.get_json()["errors"][0]["field"]) == (409, "submit")
    assert stage.one(ForceList, player_id=ada.id).document == before
    assert organiser.post(address, force=sample_force("Survivors", 750, 5), submit=True).status_code == 200


def test_what_cannot_be_meant_is_refused(app: Flask, stage: Stage, event: Event, organiser: Program) -> None:
    partner = organiser.post(f"{ROOT}/players", name="Q", partner="Z")
    assert (partner.status_code, partner.get_json()["errors"][0]["field"]) == (409, "partner")
    stage.do(event, check_in.check_in_many, stage.all(Player))
    (game,) = stage.publish(event, 1)
    nobody = organiser.post(f"{ROOT}/games/{game.id}/report", ending="decided", reason="x")
    assert (nobody.status_code, nobody.get_json()["errors"][0]["field"]) == (409, "awarded")
    assert stage.now(game).state == GameState.OPEN


@pytest.mark.parametrize(
    ("body", "words"),
    [('{"name": "Cy", "name": "Di"}', "The body: the key “name” appears twice in one object"),
     ('{"name": ' + "9" * 6_000 + "}", "The body: a number in it is too long"),
     ('{"name": NaN}', "The body: NaN is not a JSON number")],
)  # fmt: skip
def test_body_is_read_as_strictly_as_files_are(stage: Stage, organiser: Program, body: str, words: str) -> None:
    headers = organiser.headers | {"Content-Type": "application/json"}
    answer = organiser.http.post(f"{ROOT}/players", data=body, headers=headers)
    assert (answer.status_code, answer.get_json()["detail"]) == (400, words)
    assert len(stage.all(Player)) == 2


NOT_WHOLE, NOT_TEXT, NO_OBJECT = "is not a whole number", "is not text", "is not an object"


@pytest.mark.parametrize(
    ("path", "sent", "errors"),
    [("games/1/report", {"answers": {"a.r2": []}}, [("answers.a.r2", NOT_WHOLE), ("answers.a.r2", NOT_TEXT)]),
     ("games/1/report", {"answers": {"a.r2": {}}}, [("answers.a.r2", NOT_WHOLE), ("answers.a.r2", NOT_TEXT)]),
     ("games/1/report", {"answers": 5}, [("answers", NO_OBJECT)]),
     ("games/1/confirm", {"version": "0"}, [("version", NOT_WHOLE)]),
     ("games/1/confirm", {}, [("version", "is missing")]),
     ("players/1/list", {"force": [1]}, [("force", NO_OBJECT), ("force", NOT_TEXT)])],
)  # fmt: skip
def test_wrong_fields_are_named_in_plain_words(
    organiser: Program, path: str, sent: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    answer = organiser.post(f"{ROOT}/{path}", **sent)
    assert answer.status_code == 422
    assert [(entry["field"], entry["message"]) for entry in answer.get_json()["errors"]] == errors


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 50_000])
def test_json_nested_too_deeply_is_refused(organiser: Program, body: str) -> None:
    headers = organiser.headers | {"Content-Type": "application/json"}
    answer = organiser.http.post(f"{ROOT}/players", data=body, headers=headers)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
