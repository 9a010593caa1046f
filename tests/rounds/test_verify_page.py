"""The public file of a published round and the page that checks it; drafts have none."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from events.rounds import actions as rounds_actions
from events.rounds import byes, draft
from events.setup.pairing_actions import set_room
from service.commands.verify import verify
from tests.kit.person import Page, Person
from tests.kit.stage import Event, Round, Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")
FILE = "/e/iron-open/rounds/{}/pairings.json"


def refusal(person: Person, address: str) -> str:
    answer = person.ask("GET", address)
    assert answer.status_code == 404
    return answer.text


@pytest.fixture
def two_rounds(stage: Stage, event: Event) -> Event:
    """Round 1 played, round 2 published."""
    stage.enter(event, *SEVEN, club="Reds")
    stage.play(event, 1)
    stage.publish(event, 2, seed=5)
    return event


def file_of(person: Person, number: int) -> dict[str, Any]:
    answer = person.ask("GET", FILE.format(number))
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    document: dict[str, Any] = json.loads(answer.data)
    return document


def command(document: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(verify, ["-", "--json"], input=json.dumps(document))
    return done.exit_code, json.loads(done.stdout)


def send(person: Person, document: dict[str, Any] | bytes, press: str = "Check the file") -> Page:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return person.press(press, at="/verify", file=("pairings.json", data))


def test_only_published_rounds_have_a_file(stage: Stage, event: Event, visitor: Person, olga: Person) -> None:
    stage.enter(event, *SEVEN)
    stage.play(event, 1)
    stage.draw(event, 2)
    for person in (visitor, olga):
        drawn, never = (refusal(person, FILE.format(number)) for number in (2, 3))
        assert drawn.replace("rounds/2/", "rounds/3/") == never
    drawn, never = (refusal(visitor, f"/verify?round=iron-open%2F{number}") for number in (2, 3))
    assert drawn.replace("iron-open/2", "iron-open/3").replace("open%2F2", "open%2F3") == never
    assert "round 2" not in visitor.open("/verify").text
    stage.event("Secret Cup", draft=True)
    for slug in ("secret-cup", "no-such-event"):
        assert visitor.ask("GET", f"/e/{slug}/rounds/1/pairings.json").status_code == 404
        assert visitor.ask("GET", f"/verify?round={slug}%2F1").status_code == 404
    for chosen in ("x", "iron-open/", "iron-open/0", "iron-open/9999999999", "/1"):
        assert visitor.ask("GET", f"/verify?round={chosen}").status_code == 404


def test_manual_changes_and_locks_are_shown_next_to_the_draw(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, *SEVEN)
    stage.play(event, 1)
    games = [game for game in stage.draw(event, 2, seed=5) if game.b_id is not None]
    stage.do(event, draft.swap, 2, games[0].a_id, games[2].a_id)
    stage.do(event, rounds_actions.publish_round, 2)
    document = file_of(visitor, 2)
    shown = {frozenset((p["a"], p["b"])) for p in document["published"]["pairs"]}
    assert shown == {frozenset((str(g.a_id), str(g.b_id))) for g in stage.games(event, 2) if g.b_id is not None}
    assert document["published"]["levels"] == (stage.one(Round, number=2).outcome or {})["hand_levels"]
    page = visitor.open("/verify?round=iron-open%2F2")
    assert page.part(".verdict.good h2") == "Equal"
    assert "only as drawn" in page.part(".verdict.wait")
    stage.do(event, rounds_actions.unpublish, 2)
    stage.do(event, draft.lock, 2, games[1].a_id, games[1].b_id, locked=True)
    stage.publish(event, 2, seed=5)
    document = file_of(visitor, 2)
    assert (len(document["inputs"]["rules"]["locked"]), document["published"]) == (1, None)
    (chosen,) = command(document)[1]["chosen"]
    page = visitor.open("/verify?round=iron-open%2F2")
    assert chosen in page.part("[aria-labelledby=chosen]")
    assert "Proven best for the rest only" in page.part("[aria-labelledby=drawn]")
    assert "locked by hand" in page.part(".pairings")


def test_stand_ins_game_is_redrawn(stage: Stage, visitor: Person) -> None:
    event = stage.event(rounds=5)
    *_, rin = stage.enter(event, "Ada", "Bo", "Cy", "Rin")
    stage.do(event, byes.set_ringer, rin)
    stage.do(event, set_room, scenario_per_table=True)
    stage.publish(event, 1)
    document = file_of(visitor, 1)
    stand_in = document["output"]["stand_in"]
    assert (stand_in["b"], document["scenario"], document["published"]) == (str(rin.id), "", None)
    assert command(document)[1]["differences"] == []
    rows = visitor.open("/verify?round=iron-open%2F1").rows(".pairings")
    assert ([row[2] for row in rows if "Rin" in row], len(rows)) == (["Rin"], 2), "no bye next to it"
    for name, value in (("scenario", "elsewhere"), ("table", 9)):
        document["output"]["stand_in"] = stand_in | {name: value}
        status, answer = command(document)
        assert (status, [one.split(" of ")[0] for one in answer["differences"]]) == (1, [name])
    document["output"]["stand_in"] = None
    assert any(one.endswith("only drawn again") for one in command(document)[1]["differences"])


def test_page_checks_an_own_round_and_an_uploaded_file(two_rounds: Event, visitor: Person) -> None:
    links = [str(a["href"]) for a in visitor.open("/e/iron-open/rounds/2").soup.find_all("a", href=True)]
    assert FILE.format(2) in links
    page = visitor.open(next(link for link in links if link.startswith("/verify?round=")))
    assert (page.status, page.part(".verdict.good h2")) == (200, "Equal")
    assert page.part(".verdict strong") == "Iron Open , round 2."
    assert (len(page.rows(".pairings")), page.value("round")) == (4, "iron-open/2")
    assert "compare them with the rounds' pages" in page.text
    assert "Limits of this check" in visitor.open("/verify?round=iron-open/1").text
    document = file_of(visitor, 1)
    assert send(visitor, document).part(".verdict.good h2") == "Equal"
    document["output"]["pairs"][0]["table"] = 77
    page = send(visitor, document)
    assert (page.status, page.part(".verdict.bad h2")) == (200, "Not equal")
    assert ": 77 in the file, " in page.part(".problem-list")


def test_invalid_files_are_rejected_and_names_are_escaped(two_rounds: Event, visitor: Person) -> None:
    document = file_of(visitor, 1)
    many = document | {"inputs": document["inputs"] | {"seats": [{"id": str(n)} for n in range(257)]}}
    for data, words in (
        (b"\x00\xff", "is not JSON"),
        (b"{}", "format: is missing"),
        (b" " * 501_000, "The file is larger than 500 KB"),
        (json.dumps(many).encode(), "257 players, and at most 256 are drawn here"),
        (b"", "Please choose a file."),
    ):
        visitor.open("/verify")
        page = send(visitor, data) if data else visitor.press("Check the file")
        assert (page.status, page.soup.select_one(".verdict")) == (422, None)
        assert words in page.error_at("file")
    document["players"][0]["name"] = "<script>alert(1)</script>"
    document["output"]["pairs"][0]["table"] = 77
    assert "<script>alert(1)" not in send(visitor, document).response.text
