"""The club's own scenarios: written, uploaded, previewed, drawn to scale, used, removed, at the same time too."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask, get_template_attribute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.lists.own import Played, add_scenario, change_scenario, remove_scenario
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import change_settings, settings_of
from events.store.act import Act
from models.own import OwnScenario
from tests.kit.forces import SCENARIO_FILES, SYSTEM
from tests.kit.own_editions import BRIDGE, HOME, NEW, refused_at, write_scenario
from tests.kit.person import Page, Person
from tests.kit.person import words as text_of
from tests.kit.stage import BY, Round, Stage
from tests.kit.two_at_once import another_waits
from tests.validators.scenario_documents import EXAMPLE, documents
from validators import SYSTEMS
from validators.game_system import GameSystem
from validators.measures import MOST_NAMES, measured
from validators.scenario import Answers, Scenario, Score, UnreadableScenario
from validators.scenario_file import ScenarioFiles
from validators.strict_json import fingerprint


def test_scenario_is_written_changed_and_removed(olga: Person, stage: Stage) -> None:
    page = write_scenario(olga)
    assert (page.status, page.flashes, page.path) == (200, "Saved.", BRIDGE)
    stored = stage.one(OwnScenario)
    assert (stored.slug, stored.by) == ("own-hold-the-bridge", "organiser Olga")
    scenario = SCENARIO_FILES.read(stored.document)
    assert scenario.setup == ("A marker on the bridge.", "Two on the banks.")
    markers = [(m.x, m.y, m.label, m.owner) for m in scenario.markers]
    assert markers == [(18, 18, "Bridge", None), (7.5, 30, "Bank", "b")]
    assert (page.value("markers-1-x"), page.value("markers-1-owner"), page.value("markers-2-x")) == ("7.5", "b", "")
    assert page.value("together_asked_why") == "both banks were taken at once"
    empty = {f"markers-0-{field}": "" for field in ("x", "y", "label")}
    assert olga.press("Save", name="Hold the Old Bridge", **empty).flashes == "Saved."
    stored = stage.one(OwnScenario)
    assert (stored.slug, stored.document["name"]) == ("own-hold-the-bridge", "Hold the Old Bridge")
    assert [m["label"] for m in stored.document["markers"]] == ["Bank"]
    form = olga.open(BRIDGE)
    olga.press("Save", most="4")
    olga.page = form
    page = olga.press("Save", most="5")
    assert (page.status, page.value("most")) == (409, "5")
    assert "Another person changed this scenario" in page.errors
    assert olga.press("Save").flashes == "Saved."
    assert stage.one(OwnScenario).document["most"] == 5
    assert "Hold the Old Bridge" in olga.open(HOME).text
    assert olga.press("Remove").flashes == "Removed."
    assert stage.all(OwnScenario) == []


def test_form_keeps_every_field_of_a_scenario(olga: Person, stage: Stage) -> None:
    for scenario in SYSTEM.scenarios:
        olga.open(f"{NEW}?start={scenario.id}")
        name = f"Our {scenario.name}"
        assert olga.press("Save", name=name).flashes == "Saved."
        slug = f"own-our-{scenario.id}"
        assert stage.one(OwnScenario, slug=slug).document == scenario.document | {"id": slug, "name": name}
    with stage.unchanged():
        assert olga.press("Save").flashes == "Saved."


def test_invalid_field_is_refused_and_the_form_kept(olga: Person, stage: Stage) -> None:
    empty = {"markers-0-x": "", "markers-0-y": "", "markers-0-label": ""}
    cases: list[tuple[dict[str, str], str, str]] = [
        ({"name": "raiders"}, "name", "This name is taken"),
        ({"game_rounds": "0"}, "game_rounds", "Enter a number from 1 to 12."),
        ({"scoring_from": "6"}, "scoring_from", "It is game round 6, but the game ends after 5."),
        ({"setup": "One.\n" + "x" * 601}, "setup", "Line 2 is longer than 600 characters."),
        ({"together_refused": "2"}, "together_refused", "It is 2, but one player alone may score 3."),
        ({"objectives_each": "4"}, "objectives_each", "3 kinds, each 1 time at most, give 3"),
        ({"markers-1-x": "36.5"}, "markers-1-x", "It is 36.5, off the table of 36 inches."),
        (empty | {"markers-1-x": "99"}, "markers-1-x", "It is 99, at most 72 can be."),
    ]
    for changed, field, words in cases:
        page = write_scenario(olga, **changed)
        refused_at(page, field, words)
        assert page.value("summary") == "One bridge, two banks."
    assert stage.all(OwnScenario) == []


def test_preview_and_more_rows_keep_the_form_and_save_nothing(olga: Person, stage: Stage) -> None:
    write_scenario(olga, name="")
    page = olga.press("Preview", name="Hold the Bridge")
    look = page.part("#look")
    assert page.status == 200
    for shown in ("Nothing is saved yet", "Hold the Bridge", "the bridge to one player at most", "0–3", "Bank"):
        assert shown in look
    assert len(page.soup.select("#look svg .map-marker")) == 2
    assert len(page.soup.select("h1")) == 1
    assert page.rows("#look .vp-table") == [
        ["Game round 1", "–", "–"], ["Game rounds 2 to 5", "0–3", "0–3"], ["All objective markers", "0–3", "0–3"],
    ]  # fmt: skip
    assert stage.all(OwnScenario) == []
    for _ in range(9):
        page = olga.press("Add rows")
    assert page.value("markers-0-label") == "Bridge"
    assert len(page.soup.select(".marker-row")) == 24
    assert olga.press("Save").flashes == "Saved."


def files_of(game: str) -> ScenarioFiles:
    files = SYSTEMS[game].scenario_files
    assert files is not None, game
    return files


SNAFU: dict[str, Any] = {
    "points": {"model": 2, "leader": 3, "rout": 7}, "turns": 4,
    "scoring": ["2 VP for each model, 3 VP more for a leader.", "A rout: 7 VP."],
}  # fmt: skip
TWO_DOORS: dict[str, Any] = {
    "scored_by": "own edges", "objectives": [], "table_inches": 36,
    "markers": [{"x": 10, "y": 6, "label": "Near", "vp": 2}, {"x": 26, "y": 30, "label": "Far", "vp": 7, "owner": "b"}],
}  # fmt: skip
BOUT: dict[str, Any] = {
    "scored_by": "hit points", "points": {"standing": 20, "hp": 0}, "scoring": ["20 VP for a side that stands."],
}  # fmt: skip
BUNKERS: dict[str, Any] = {"goals": [{"label": "Bunkers held", "most": 3, "vp": 25}], "note": "bunkers count 25 each"}
OWN: dict[str, tuple[str, dict[str, Any], Answers, Score, str]] = {
    "new_vegas": (
        "open-battle", SNAFU,
        {"a.lost": 3, "a.leaders": 1, "a.rout": "Routed", "b.lost": 1, "b.rout": "Stood"},
        Score(a=2, b=3 * 2 + 3 + 7, decided="b"),
        "A rout: 7 VP. 4 game rounds; "
        "each enemy model lost is 2 VP; each with Charisma 3 VP more; an enemy rout 7 VP",
    ),
    "fallout_skirmish": (
        "objectives", TWO_DOORS, {"a.line1": 1, "b.line1": 1}, Score(2, 2), "Near of A is Far of B",
    ),
    "fallout_warfare": (
        "skirmish", BUNKERS,
        {"a.fielded": 200, "a.dead": 50, "a.goal1": 1, "b.fielded": 200, "b.dead": 40, "b.goal1": 2},
        Score(150 + 40 + 25, 160 + 50 + 2 * 25), "bunkers count 25 each",
    ),
    "skill_combat": (
        "bout", BOUT, {"a.end": "Standing", "a.hp": 9, "b.end": "Standing", "b.hp": 8}, Score(20, 20, "a"),
        "where both stand, more HP left win",
    ),
}  # fmt: skip
"""A scenario of each game: its original, its changes, a result with its score, texts of its page."""


def document(game: str = "new_vegas", **changed: Any) -> dict[str, Any]:
    shipped = SYSTEMS[game].scenario(OWN[game][0])
    return shipped.document | {"id": "ours", "name": "Ours"} | changed


def upload(olga: Person, parsed: Any) -> Page:
    return olga.press("Read the file", at="/desk/scenarios", file=("scenario.json", json.dumps(parsed).encode()))


def test_every_shipped_scenario_is_read_back_from_its_file() -> None:
    for game in ("battle_mode", *OWN):
        files = files_of(game)
        for scenario in SYSTEMS[game].scenarios:
            written = scenario.document
            assert files.import_(json.dumps(written).encode()) == scenario, scenario.id
            assert files.read({"queries": [], "summary": ""} | written) == scenario, "what is empty may be there"


def test_own_scenario_of_every_game_counts(olga: Person, stage: Stage) -> None:
    for number, (game, (_, changed, answers, score, words)) in enumerate(OWN.items()):
        address = f"/desk/scenarios/{game.replace('_', '-')}"
        ours = f"{address}/own-ours"
        parsed = document(game, **changed)
        page = upload(olga, parsed)
        assert (page.path, words in page.text) == (ours, True), page.text
        assert upload(olga, {"queries": []} | parsed).path == ours, "the same once more"
        row = stage.one(OwnScenario, system=game)
        system = SYSTEMS[game]
        assert system.scoring.score(files_of(game).read(row.document), answers) == score, game
        event = stage.event(f"Event {number}", game=game, rounds=1, scenarios=("own-ours",), players=("Ada", "Bo"))
        assert len(stage.publish(event, 1)) == 1
        assert f"it is used in round 1 of Event {number}" in olga.open(ours).text
        sent = olga.ask("get", f"{ours}.json")
        assert sent.json == row.document
        assert sent.headers["Content-Disposition"] == 'attachment; filename="own-ours.json"'
        assert olga.open(f"{address}/new").status == 404, "files alone"


NEAR, FAR = TWO_DOORS["markers"]
INVALID: list[tuple[str, dict[str, Any], str]] = [
    ("new_vegas", {"points": {"model": 0, "leader": 0, "rout": 0}}, "points: give nothing for anything"),
    ("new_vegas", {"points": {"model": 1, "leader": 2, "rout": 20}}, "is 20, but no line of the scoring says “20"),
    ("new_vegas", {"points": {"model": 0, "leader": 2, "rout": 1}, "scoring": ["11 VP, 2 VP"]},
     "points.rout: is 1, but no"),
    ("new_vegas", {"points": {"model": 1, "leader": 0}}, "points.rout: is missing"),
    ("new_vegas", {"points": {"model": -1, "leader": 0, "rout": 0}}, "points.model: is -1, at least 0 is needed"),
    ("new_vegas", {"turns": 7}, "turns: is 7, at most 6 can be"),
    ("new_vegas", {"deployment_inches": 25}, "deployment_inches: is 25, but half the table is 24 inches deep"),
    ("new_vegas", {"setup": []}, "setup: is empty"),
    ("new_vegas", {"id": "Ours"}, "id: is not small letters, digits and single hyphens"),
    ("new_vegas", {"markers": []}, "markers: is not a field of this file"),
    ("new_vegas", {"system": "golf"}, "system: is not"),
    ("fallout_skirmish", {"markers": []}, "markers: is empty"),
    ("fallout_skirmish", {"scored_by": "luck"}, "scored_by: is not 'one edge' or 'own edges'"),
    ("fallout_skirmish", {"markers": [NEAR | {"y": 49}]}, "markers[0].y: is 49, off the table of 48 inches"),
    ("fallout_skirmish", {"markers": [NEAR, NEAR | {"label": "Same"}]}, "there stands marker 1, Near"),
    ("fallout_skirmish", {"markers": [NEAR | {"vp": 0}]}, "markers[0].vp: is 0, at least 1 is needed"),
    ("fallout_skirmish", TWO_DOORS | {"markers": [NEAR, FAR | {"x": 25}]},
     "markers[0]: has no marker opposite, at 26, 30"),
    ("fallout_warfare", {"scored_by": "goals"}, "goals: are missing"),
    ("fallout_warfare", {"scored_by": "convoy"}, "roles: are 0; two are needed"),
    ("fallout_warfare", {"roles": [{"name": "Guards", "size": 100}]}, "roles: are 1; two or none are needed"),
    ("fallout_warfare", {"roles": [{"name": "Guards", "size": 100}] * 2}, "roles[1]: is Guards, which is already"),
    ("fallout_warfare", {"goals": [BUNKERS["goals"][0]] * 2}, "goals[1]: is Bunkers held, which is already listed"),
    ("fallout_warfare", {"goals": [BUNKERS["goals"][0] | {"vp": 0}]}, "goals[0].vp: is 0, at least 1"),
    ("fallout_warfare", {"edges": [{"side": "top", "label": "Cliff", "inches": 25}]}, "edges[0].inches: is 25, but"),
    ("skill_combat", {"points": {"standing": 0, "hp": 3}}, "points.hp: is 3, but no line of the scoring says “3"),
    ("skill_combat", {"markers": [{"x": 25, "y": 3, "label": "Start"}]}, "markers[0].x: is 25, off the table"),
]  # fmt: skip
"""Changes of each game's scenario, and the fault that they are."""


def test_invalid_file_is_refused_with_field_and_line(olga: Person, stage: Stage) -> None:
    for game, changed, words in INVALID:
        with pytest.raises(UnreadableScenario) as faulty:
            files_of(game).import_(json.dumps(document(game, **changed)).encode())
        assert (words in str(faulty.value), "line 1" in str(faulty.value)) == (True, True), faulty.value
    page = upload(olga, document(game, **changed))
    assert (page.status, words in page.errors, "line 1" in page.errors) == (422, True, True), page.errors
    with pytest.raises(UnreadableScenario):
        files_of("new_vegas").import_(b"[]")
    refused_at(olga.press("Read the file", at=HOME), "file", "Please choose a file.")
    for data, words in ((b"\x00" * 300_000, "at most 200000 are read"), (b"", "it is empty")):
        refused_at(olga.press("Read the file", file=("x.json", data)), "file", words)
    too_few = json.dumps(EXAMPLE | {"most": 0}, indent=1)
    line = too_few[: too_few.index('"most": 0')].count("\n") + 1
    page = olga.press("Read the file", file=("x.json", too_few.encode()))
    refused_at(page, "file", f"line {line}, most: is 0, at least 1 is needed")
    assert stage.all(OwnScenario) == []


SLUG = "own-hold-the-bridge"


def add(stage: Stage, **fields: object) -> str:
    with stage.changing() as s:
        return add_scenario(s, SYSTEM, SCENARIO_FILES.read(EXAMPLE | fields), BY, stage.clock()).slug


def change(stage: Stage, seen: str = "", **fields: object) -> None:
    """Change the example; ``seen`` is the fingerprint of the document that was opened, by default the stored one."""
    seen = seen or fingerprint(stage.one(OwnScenario, slug=SLUG).document)
    with stage.changing() as s:
        changed = SCENARIO_FILES.read(EXAMPLE | fields)
        change_scenario(s, SYSTEM, SLUG, changed, BY, stage.clock(), seen=seen)


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_scenario(s, SYSTEM.id, SLUG)


@pytest.mark.both_at_length
def test_change_waits_for_a_draw_and_is_then_refused(stage: Stage) -> None:
    add(stage)
    event = stage.event(scenarios=(SLUG, "", ""), players=("Ada", "Bo"))
    seen = fingerprint(stage.one(OwnScenario).document)
    stage.s.rollback()
    with another_waits(stage, event, lambda other: change(other, seen, most=5)) as (s, results):
        drawing.draw_round(Act(s, event, BY, stage.clock()), 1, 1)
    assert [type(one) for one in results] == [Played]
    assert "it is used in round 1 of Iron Open" in str(results[0])
    assert stage.one(OwnScenario).document["most"] == 3
    stage.do(event, rounds_actions.discard_draw, 1)
    change(stage, most=5)
    assert stage.one(OwnScenario).document["most"] == 5


@pytest.mark.both_databases
def test_scenario_is_not_removed_while_an_event_adds_it_to_its_pool(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    with another_waits(stage, event, remove) as (s, results):
        wanted = settings_of(event)
        more = {"scenario_pool": [*wanted.scenario_pool, SLUG]}
        change_settings(Act(s, event, BY, stage.clock()), wanted.model_copy(update=more))
    assert [str(one) for one in results] == ["It cannot be removed: Iron Open uses it."]


@pytest.mark.both_at_length
def test_removed_scenario_is_neither_changed_nor_chosen(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    seen = fingerprint(stage.one(OwnScenario).document)
    remove(stage)
    stage.refuse_to("scenario was removed", change, stage, seen, most=5)
    wanted = settings_of(event).model_copy(update={"scenarios": (SLUG, "", "")})
    stage.refuse("removed in the meantime", event, change_settings, wanted)
    assert {r.scenario for r in stage.all(Round)} == {None}


def test_ids_are_unique_short_and_never_those_of_the_game(stage: Stage) -> None:
    slugs = [add(stage, name=name) for name in ("Raiders Again", "Raiders again!", "x" * 60, "Own Goal", "太郎")]
    assert slugs == ["own-raiders-again", "own-raiders-again-2", "own-" + "x" * 32, "own-goal", "own-scenario"]
    assert not any(known.id.startswith("own-") for game in SYSTEMS.values() for known in game.scenarios)


@st.composite
def crowds(draw: st.DrawFn) -> dict[str, Any]:
    document = draw(documents())
    table = document["table_inches"]
    inches = st.integers(0, table) | st.sampled_from([0, 6, table / 2, table]) | st.just(0.25)
    places = draw(st.lists(st.tuples(inches, inches), unique=True, max_size=24))
    owners, labels = st.sampled_from([None, "a", "b"]), st.text("ab ÄЖ<&", min_size=1, max_size=24).filter(str.strip)
    markers = [{"x": x, "y": y, "label": draw(labels), "owner": draw(owners)} for x, y in places]
    return document | {"markers": markers}


def number(part: Tag, name: str) -> float:
    return float(str(part[name]))


def drawn(app: Flask, scenario: Scenario, game: GameSystem, *players: str) -> BeautifulSoup:
    """The map of a scenario, with every marker in its place and in the description."""
    with app.app_context():
        scenario_map = get_template_attribute("lists/_map.html", "scenario_map")
        found = BeautifulSoup(scenario_map(scenario, measured(scenario, game.rulers), *players), "html.parser")
    unit, shapes = 36 / scenario.table_inches, found.select(".map-marker")
    assert len(shapes) == len(scenario.markers)
    for shape, marker in zip(shapes, scenario.markers, strict=True):
        half = number(shape, "width") / 2 if shape.name == "rect" else 0
        x = number(shape, "x") + half if half else number(shape, "cx")
        y = number(shape, "y") + half if half else number(shape, "cy")
        assert (round(x, 6), round(y, 6)) == (round(marker.x * unit, 6), round(36 - marker.y * unit, 6)), scenario.id
        assert (shape.name == "rect") == (marker.owner is not None), scenario.id
    (svg,) = found.select("svg[role=img]")
    title, description = (text_of(found.select(f"[id='{id_}']")[0]) for id_ in str(svg["aria-labelledby"]).split())
    assert scenario.name in title, scenario.id
    assert all(f"{m.x:g}, {m.y:g}" in description for m in scenario.markers), scenario.id
    return found


@pytest.mark.slow
def test_map_of_every_shipped_scenario_is_to_scale(app: Flask) -> None:
    for game in SYSTEMS.values():
        for scenario in game.scenarios:
            found = drawn(app, scenario, game, "Ann <b>", "Бо")
            inches = [str(one) for one in range(0, scenario.table_inches + 1, 6)]
            below_and_left = [
                [number.get_text() for number in row.select("text")] for row in found.select(".map-numbers")
            ]
            assert below_and_left == [inches, inches], scenario.id
            assert not found.select("b"), scenario.id


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowds())
def test_map_of_any_scenario_names_every_marker_inside_the_drawing(app: Flask, document: dict[str, Any]) -> None:
    scenario = SCENARIO_FILES.read(document)
    found = drawn(app, scenario, SYSTEM)
    left, top, width, height = map(float, str(found.select("svg")[0]["viewbox"]).split())
    shown = [text_of(label) for label in found.select(".map-label")]
    names = [" ".join(marker.label.split()) for marker in scenario.markers]
    numbers = [str(at) for at in range(1, len(names) + 1)]
    assert shown == (numbers if len(names) > MOST_NAMES else names)
    for part in found.select(".map-label tspan"):
        assert left <= number(part, "x") <= left + width
        assert top <= number(part, "y") <= top + height
    measures = measured(scenario, SYSTEM.rulers)
    labels = [measure.label for measure in (*measures.across, *measures.up)]
    assert [part.get_text() for part in found.select(".map-measure")] == labels


def test_name_of_an_edge_is_no_html_and_no_text_with_figures(visitor: Person, stage: Stage) -> None:
    game = SYSTEMS["fallout_warfare"]
    name = "<b>Cliff %(x)s"
    assert game.scenario_files
    typed = game.scenario_files.read(
        game.scenarios[0].document
        | {"id": "ours", "name": "Ours", "edges": [{"side": "top", "label": name, "inches": 6}]}
    )
    with stage.changing() as s:
        slug = add_scenario(s, game, typed, BY, stage.clock()).slug
    stage.event(game=game.id, rounds=1, scenarios=(slug,))
    page = visitor.open(f"/e/iron-open/scenarios/{slug}")
    assert (page.status, name in page.response.text, name in page.soup.get_text()) == (200, False, True)
