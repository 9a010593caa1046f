"""Scenarios of the club's own: written, looked at, sent as a file, as a person without script does it."""

import json
from typing import Any

import pytest

from models.scenario import OwnScenario
from tests.kit.forces import SCENARIO_FILES
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.validators.scenario_documents import EXAMPLE
from validators import SYSTEMS

SYSTEM = SYSTEMS["battle_mode"]
HOME, NEW = "/desk/scenarios", "/desk/scenarios/battle-mode/new"
BRIDGE = "/desk/scenarios/battle-mode/own-hold-the-bridge"


def write(olga: Person, **changed: Any) -> Page:
    """Write a scenario of three markers from nothing; the changes are fields of the form."""
    olga.open(NEW)
    values: dict[str, Any] = {
        "name": "Hold the Bridge",
        "summary": "One bridge, two banks.",
        "setup": "A marker on the bridge.\n\n  Two on the   banks.\n",
        "scoring": "From game round 2: bank 2 VP, bridge 1 VP.",
        "game_rounds": "5",
        "scoring_from": "2",
        "most": "3",
        "held_by_one": "the bridge",
        "together_asked": "4",
        "together_asked_why": "both banks were taken at once",
        "objectives_each": "3",
        "objective_kinds": "Safe\nItem\nConsole",
        "markers-0-x": "18",
        "markers-0-y": "18",
        "markers-0-label": "Bridge",
        "markers-1-x": "7,5",
        "markers-1-y": "30",
        "markers-1-label": "Bank",
        "markers-1-owner": "b",
        "readings": "Equal VP are a draw.",
        "source": "Olga",
    }
    return olga.press("Save", **values | changed)


def refused(page: Page, field: str, words: str) -> None:
    assert page.status == 422
    assert words in page.error_at(field), (page.error_at(field), page.errors)
    assert words in page.errors


def test_a_scenario_is_written_found_again_and_changed(olga: Person, stage: Stage) -> None:
    page = write(olga)
    assert (page.status, page.flashes, page.path) == (200, "Saved.", BRIDGE)
    stored = stage.one(OwnScenario)
    assert (stored.slug, stored.by) == ("own-hold-the-bridge", "organiser Olga")
    scenario = SCENARIO_FILES.read(stored.document)
    assert scenario.setup == ("A marker on the bridge.", "Two on the banks.")
    assert [(m.x, m.y, m.label, m.owner) for m in scenario.markers] == [
        (18, 18, "Bridge", None),
        (7.5, 30, "Bank", "b"),
    ]
    assert (page.value("markers-1-x"), page.value("markers-1-owner"), page.value("markers-2-x")) == ("7.5", "b", "")
    assert page.value("together_asked_why") == "both banks were taken at once"
    page = olga.press(
        "Save", name="Hold the Old Bridge", **{"markers-0-x": "", "markers-0-y": "", "markers-0-label": ""}
    )
    assert page.flashes == "Saved."
    stored = stage.one(OwnScenario)
    assert (stored.slug, stored.document["name"]) == ("own-hold-the-bridge", "Hold the Old Bridge")
    assert [m["label"] for m in stored.document["markers"]] == ["Bank"]
    page = olga.open(HOME)
    assert "Hold the Old Bridge" in page.text
    assert olga.press("Remove").flashes == "Removed."
    assert stage.all(OwnScenario) == []


def test_saved_as_it_stands_nothing_changes(olga: Person, stage: Stage) -> None:
    """Every field of every one of the five goes through the form and back."""
    for scenario in SYSTEM.scenarios:
        olga.open(f"{NEW}?start={scenario.id}")
        assert olga.press("Save", name=f"Our {scenario.name}").flashes == "Saved."
        stored = stage.one(OwnScenario, slug=f"own-our-{scenario.id}").document
        assert stored == SCENARIO_FILES.document(scenario) | {
            "id": f"own-our-{scenario.id}", "name": f"Our {scenario.name}"
        }  # fmt: skip
        before = stage.digest()
        assert olga.press("Save").flashes == "Saved."
        assert stage.digest() == before


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"name": " "}, "name", "Please fill in: name."),
        ({"name": "raiders"}, "name", "There is a scenario of this name already"),
        ({"game_rounds": "0"}, "game_rounds", "From 1 to 12."),
        ({"game_rounds": "five"}, "game_rounds", "Please type a whole number."),
        ({"scoring_from": "6"}, "scoring_from", "It is game round 6, but the game ends after 5."),
        ({"most": "100"}, "most", "From 1 to 99."),
        ({"setup": "\n \n"}, "setup", "Please fill in: set-up."),
        ({"setup": "One.\n" + "x" * 601}, "setup", "Line 2 is longer than 600 characters."),
        ({"setup": "One.\n" * 21}, "setup", "It holds more than 20 entries."),
        ({"setup": "One\u202e."}, "setup", "a character that cannot be printed"),
        ({"together_refused": "2"}, "together_refused", "It is 2, but one player alone may score 3."),
        ({"together_asked": "6"}, "together_asked", "It is 6, but both together score 6 at most anyway."),
        ({"one_asked": "3"}, "one_asked", "It is 3, but one player scores 3 at most anyway."),
        ({"choices": "Hackers"}, "choices", "nothing to choose"),
        ({"choices": "A\nB\nb"}, "choices", "Line 3 is b, which stands there already."),
        ({"objectives_each": "4"}, "objectives_each", "3 kinds, each 1 times at most, give 3"),
        ({"deployment_inches": "19"}, "deployment_inches", "half the table is 18 inches deep"),
        ({"markers-1-x": "36.5"}, "markers-1-x", "It is 36.5, off the table of 36 inches."),
        ({"markers-1-x": "-1"}, "markers-1-x", "It is not a number."),
        ({"markers-1-y": ""}, "markers-1-y", "It is not a number."),
        ({"markers-1-y": "1e9"}, "markers-1-y", "It is not a number."),
        ({"markers-1-label": ""}, "markers-1-label", "It is empty."),
        ({"markers-1-x": "18", "markers-1-y": "18.0"}, "markers-1-x", "there stands marker 1, Bridge."),
        (
            {"markers-0-x": "", "markers-0-y": "", "markers-0-label": "", "markers-1-x": "99"},
            "markers-1-x",
            "It is 99, at most 72 can be.",
        ),
    ],
)
def test_what_cannot_be_is_told_at_its_field_and_kept(
    olga: Person, stage: Stage, changed: dict[str, str], field: str, words: str
) -> None:
    page = write(olga, **changed)
    refused(page, field, words)
    assert page.value("summary") == "One bridge, two banks."
    assert stage.all(OwnScenario) == []


def test_a_look_shows_map_and_figures_and_saves_nothing(olga: Person, stage: Stage) -> None:
    write(olga, name="")
    page = olga.press("Look", name="Hold the Bridge")
    look = page.part("#look")
    assert page.status == 200
    for shown in ("Nothing is saved yet", "Hold the Bridge", "the bridge to one player at most", "0–3", "Bank"):
        assert shown in look
    assert len(page.soup.select("#look svg .map-marker")) == 2
    assert len(page.soup.select("h1")) == 1
    assert page.rows("#look .vp-table")[0] == ["1", "–", "–"]
    assert page.rows("#look .vp-table")[-2:] == [["5", "0–3", "0–3"], ["Objective markers", "0–3", "0–3"]]
    assert stage.all(OwnScenario) == []
    assert olga.press("Save").flashes == "Saved."


def test_more_rows_for_markers_up_to_the_most(olga: Person) -> None:
    olga.open(NEW)
    for _ in range(9):
        page = olga.press("More rows", name="", **{"markers-0-label": "Kept"})
    assert page.value("markers-0-label") == "Kept"
    assert len(page.soup.select(".marker-row")) == 24
    assert not page.errors


def test_pressed_twice_it_is_one_and_a_second_of_the_name_is_none(olga: Person, stage: Stage) -> None:
    write(olga)
    assert write(olga).path == BRIDGE
    assert len(stage.all(OwnScenario)) == 1
    refused(write(olga, most="5"), "name", "There is a scenario of this name already")
    write(olga, name="Ω")
    write(olga, name="Ψ")
    assert [row.slug for row in stage.all(OwnScenario)] == ["own-hold-the-bridge", "own-scenario", "own-scenario-2"]


def test_two_who_change_it_at_once(olga: Person, stage: Stage) -> None:
    write(olga)
    form = olga.open(BRIDGE)
    olga.press("Save", most="4")
    olga.page = form
    page = olga.press("Save", most="5")
    assert page.status == 409
    assert "Somebody else changed this scenario" in page.errors
    assert page.value("most") == "5"
    assert olga.press("Save").flashes == "Saved."
    assert stage.one(OwnScenario).document["most"] == 5


# ---- as a file


def test_a_file_goes_out_and_comes_in(olga: Person, stage: Stage) -> None:
    olga.open(HOME)
    page = olga.press("Read the file", file=("bridge.json", json.dumps(EXAMPLE).encode()))
    assert (page.path, page.flashes) == (BRIDGE, "The scenario was read and saved.")
    stored = stage.one(OwnScenario).document
    assert stored == EXAMPLE | {"id": "own-hold-the-bridge"}
    sent = olga.ask("GET", f"{BRIDGE}.json")
    assert json.loads(sent.text) == stored
    assert sent.headers["Content-Disposition"] == 'attachment; filename="own-hold-the-bridge.json"'
    olga.open(HOME)
    assert olga.press("Read the file", file=("again.json", sent.data)).path == BRIDGE
    assert len(stage.all(OwnScenario)) == 1
    raiders = olga.ask("GET", "/desk/scenarios/battle-mode/raiders.json")
    assert SCENARIO_FILES.import_(raiders.data) == SYSTEM.scenario("raiders")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (json.dumps(EXAMPLE | {"most": 0}, indent=1).encode(), "most: is 0, at least 1 is needed"),
        (json.dumps(EXAMPLE | {"name": "Raiders"}).encode(), "There is a scenario of this name already"),
        (b"{", "not JSON at line 1"),
        (b"PK\x03\x04", "cannot be read as a scenario"),
        (b"\x00" * 300_000, "at most 200000 are read"),
        (b"", "not JSON"),
    ],
    ids=["rounds", "name", "cut off", "zip", "large", "empty"],
)
def test_a_broken_file_is_refused_with_words(olga: Person, stage: Stage, data: bytes, words: str) -> None:
    olga.open(HOME)
    refused(olga.press("Read the file", file=("x.json", data)), "file", words)
    assert stage.all(OwnScenario) == []


def test_a_fault_of_a_file_says_its_line(olga: Person) -> None:
    text = json.dumps(EXAMPLE | {"most": 0}, indent=1)
    line = text[: text.index('"most": 0')].count("\n") + 1
    olga.open(HOME)
    assert f"line {line}, most:" in olga.press("Read the file", file=("x.json", text.encode())).errors


def test_no_file_at_all(olga: Person) -> None:
    olga.open(HOME)
    refused(olga.press("Read the file"), "file", "Please choose a file.")
