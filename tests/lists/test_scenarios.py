"""The club's own scenarios on the pages, without script: written, previewed, uploaded, removed."""

import json

from models.scenario import OwnScenario
from tests.kit.forces import SCENARIO_FILES, SYSTEM
from tests.kit.own_scenarios import BRIDGE, HOME, NEW, refused_at, write_scenario
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.validators.scenario_documents import EXAMPLE


def test_scenario_is_written_changed_and_removed(olga: Person, stage: Stage) -> None:
    page = write_scenario(olga)
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
    empty = {f"markers-0-{field}": "" for field in ("x", "y", "label")}
    assert olga.press("Save", name="Hold the Old Bridge", **empty).flashes == "Saved."
    stored = stage.one(OwnScenario)
    assert (stored.slug, stored.document["name"]) == ("own-hold-the-bridge", "Hold the Old Bridge")
    assert [m["label"] for m in stored.document["markers"]] == ["Bank"]
    assert "Hold the Old Bridge" in olga.open(HOME).text
    assert olga.press("Remove").flashes == "Removed."
    assert stage.all(OwnScenario) == []


def test_form_keeps_every_field_of_a_scenario(olga: Person, stage: Stage) -> None:
    for scenario in SYSTEM.scenarios:
        olga.open(f"{NEW}?start={scenario.id}")
        name = f"Our {scenario.name}"
        assert olga.press("Save", name=name).flashes == "Saved."
        slug = f"own-our-{scenario.id}"
        assert stage.one(OwnScenario, slug=slug).document == SCENARIO_FILES.document(scenario) | {
            "id": slug,
            "name": name,
        }
        before = stage.digest()
        assert olga.press("Save").flashes == "Saved."
        assert stage.digest() == before


def test_invalid_field_is_refused_and_the_form_kept(olga: Person, stage: Stage) -> None:
    empty = {"markers-0-x": "", "markers-0-y": "", "markers-0-label": ""}
    cases: list[tuple[dict[str, str], str, str]] = [
        ({"name": "raiders"}, "name", "This name is taken"),
        ({"game_rounds": "0"}, "game_rounds", "Enter a number from 1 to 12."),
        ({"scoring_from": "6"}, "scoring_from", "It is game round 6, but the game ends after 5."),
        ({"setup": "One.\n" + "x" * 601}, "setup", "Line 2 is longer than 600 characters."),
        ({"together_refused": "2"}, "together_refused", "It is 2, but one player alone may score 3."),
        ({"objectives_each": "4"}, "objectives_each", "3 kinds, each 1 times at most, give 3"),
        ({"markers-1-x": "36.5"}, "markers-1-x", "It is 36.5, off the table of 36 inches."),
        (empty | {"markers-1-x": "99"}, "markers-1-x", "It is 99, at most 72 can be."),
    ]
    for changed, field, words in cases:
        page = write_scenario(olga, **changed)
        refused_at(page, field, words)
        assert page.value("summary") == "One bridge, two banks."
    assert stage.all(OwnScenario) == []


def test_preview_shows_map_and_figures_and_saves_nothing(olga: Person, stage: Stage) -> None:
    write_scenario(olga, name="")
    page = olga.press("Preview", name="Hold the Bridge")
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


def test_marker_rows_are_added_up_to_24(olga: Person) -> None:
    olga.open(NEW)
    for _ in range(9):
        page = olga.press("Add rows", name="", **{"markers-0-label": "Kept"})
    assert page.value("markers-0-label") == "Kept"
    assert len(page.soup.select(".marker-row")) == 24
    assert not page.errors


def test_change_from_a_stale_form_is_confirmed_first(olga: Person, stage: Stage) -> None:
    write_scenario(olga)
    form = olga.open(BRIDGE)
    olga.press("Save", most="4")
    olga.page = form
    page = olga.press("Save", most="5")
    assert (page.status, page.value("most")) == (409, "5")
    assert "Another person changed this scenario" in page.errors
    assert olga.press("Save").flashes == "Saved."
    assert stage.one(OwnScenario).document["most"] == 5


def test_scenario_is_uploaded_and_downloaded(olga: Person, stage: Stage) -> None:
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


def test_broken_file_is_refused_in_words(olga: Person, stage: Stage) -> None:
    olga.open(HOME)
    refused_at(olga.press("Read the file"), "file", "Please choose a file.")
    too_few = json.dumps(EXAMPLE | {"most": 0}, indent=1)
    line = too_few[: too_few.index('"most": 0')].count("\n") + 1
    for data, words in (
        (too_few.encode(), f"line {line}, most: is 0, at least 1 is needed"),
        (b"PK\x03\x04", "cannot be read as a scenario"),
        (b"\x00" * 300_000, "at most 200000 are read"),
        (b"", "it is empty"),
    ):
        refused_at(olga.press("Read the file", file=("x.json", data)), "file", words)
    assert stage.all(OwnScenario) == []
