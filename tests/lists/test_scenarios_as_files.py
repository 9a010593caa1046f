"""Scenarios of the games that have no form for them: written as files, uploaded, shown, chosen, removed."""

import json
from typing import Any

import pytest

from models.scenario import OwnScenario
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import ScenarioFiles
from validators.scenario import Answers, Score, UnreadableScenario


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
        "each model lost is 2 VP to the enemy; each with Charisma 3 VP more; a rout 7 VP",
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
"""A scenario of each game: what it starts from, what it changes, a result with its score, words of its page."""


def document(game: str = "new_vegas", **changed: Any) -> dict[str, Any]:
    shipped = SYSTEMS[game].scenario(OWN[game][0])
    return files_of(game).document(shipped) | {"id": "ours", "name": "Ours"} | changed


def upload(olga: Person, parsed: Any) -> Page:
    olga.open("/desk/scenarios")
    return olga.press("Read the file", file=("scenario.json", json.dumps(parsed).encode()))


def test_every_shipped_scenario_is_read_back_from_its_file() -> None:
    for game in ("battle_mode", *OWN):
        files = files_of(game)
        for scenario in SYSTEMS[game].scenarios:
            written = files.document(scenario)
            assert files.import_(json.dumps(written).encode()) == scenario, scenario.id
            assert files.read({"queries": [], "summary": ""} | written) == scenario, "what is empty may be there"


def test_own_scenario_of_every_game_counts(olga: Person, stage: Stage) -> None:
    for number, (game, (_, changed, answers, score, words)) in enumerate(OWN.items()):
        address = f"/desk/scenarios/{game.replace('_', '-')}"
        ours = f"{address}/own-ours"
        upload(olga, document(game))
        assert "Removed." in olga.press("Remove").flashes, "no event uses it"
        parsed = document(game, **changed)
        page = upload(olga, parsed)
        assert (page.path, words in page.text) == (ours, True), page.text
        assert upload(olga, {"queries": []} | parsed).path == ours, "the same once more"
        row = stage.one(OwnScenario, system=game)
        system = SYSTEMS[game]
        assert system.scoring.score(files_of(game).read(row.document), answers) == score, game
        event = stage.event(f"Event {number}", game=game, rounds=1, scenarios=("own-ours",))
        stage.enter(event, "Ada", "Bo")
        assert len(stage.publish(event, 1)) == 1
        assert f"it is used in round 1 of Event {number}" in olga.open(ours).text
        assert olga.ask("get", f"{ours}.json").json == row.document
        assert olga.open(f"{address}/new").status == 404, "files alone"


def test_invalid_file_is_refused_with_field_and_line(olga: Person, stage: Stage) -> None:
    near, far = TWO_DOORS["markers"]
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("new_vegas", {"points": {"model": 0, "leader": 0, "rout": 0}}, "points: give nothing for anything"),
        ("new_vegas", {"points": {"model": 1, "leader": 2, "rout": 0, "tie": 1}}, "points.tie: is not a field"),
        ("new_vegas", {"points": {"model": 1, "leader": 2, "rout": 20}}, "is 20, but no line of the scoring says “20"),
        ("new_vegas", {"points": {"model": 0, "leader": 2, "rout": 1}, "scoring": ["11 VP, 2 VP"]},
         "points.rout: is 1, but no"),
        ("new_vegas", {"points": {"model": 1, "leader": 0}}, "points.rout: is missing"),
        ("new_vegas", {"points": {"model": -1, "leader": 0, "rout": 0}}, "points.model: is -1, at least 0 is needed"),
        ("new_vegas", {"turns": 7}, "turns: is 7, at most 6 can be"),
        ("new_vegas", {"deployment_inches": 25}, "deployment_inches: is 25, but half the table is 24 inches deep"),
        ("new_vegas", {"setup": []}, "setup: is empty"),
        ("new_vegas", {"markers": []}, "markers: is not a field of the scenario file"),
        ("new_vegas", {"system": "golf"}, "system: is not"),
        ("fallout_skirmish", {"markers": []}, "markers: is empty"),
        ("fallout_skirmish", {"scored_by": "luck"}, "scored_by: is not 'one edge' or 'own edges'"),
        ("fallout_skirmish", {"markers": [near | {"y": 49}]}, "markers[0].y: is 49, off the table of 48 inches"),
        ("fallout_skirmish", {"markers": [near, near | {"label": "Same"}]}, "there stands marker 1, Near"),
        ("fallout_skirmish", {"markers": [near | {"vp": 0}]}, "markers[0].vp: is 0, at least 1 is needed"),
        ("fallout_skirmish", TWO_DOORS | {"markers": [near, far | {"x": 25}]},
         "markers[0]: has no marker opposite, at 26, 30"),
        ("fallout_warfare", {"scored_by": "goals"}, "goals: are missing"),
        ("fallout_warfare", {"scored_by": "convoy"}, "roles: are 0; two are needed"),
        ("fallout_warfare", {"roles": [{"name": "Guards", "size": 100}]}, "roles: are 1; two are needed or none"),
        ("fallout_warfare", {"roles": [{"name": "Guards", "size": 100}] * 2}, "roles[1]: is Guards, which is already"),
        ("fallout_warfare", {"goals": [BUNKERS["goals"][0]] * 2}, "goals[1]: is Bunkers held, which is already listed"),
        ("fallout_warfare", {"goals": [BUNKERS["goals"][0] | {"vp": 0}]}, "goals[0].vp: is 0, at least 1"),
        ("skill_combat", {"points": {"standing": 0, "hp": 3}}, "points.hp: is 3, but no line of the scoring says “3"),
        ("skill_combat", {"scored_by": "draw"}, "scored_by: is not"),
        ("skill_combat", {"markers": [{"x": 25, "y": 3, "label": "Start"}]}, "markers[0].x: is 25, off the table"),
    ]  # fmt: skip
    for game, changed, words in cases:
        with pytest.raises(UnreadableScenario) as faulty:
            files_of(game).import_(json.dumps(document(game, **changed)).encode())
        assert (words in str(faulty.value), "line 1" in str(faulty.value)) == (True, True), faulty.value
    page = upload(olga, document(game, **changed))
    assert (page.status, words in page.errors, "line 1" in page.errors) == (422, True, True), page.errors
    assert stage.all(OwnScenario) == []
    with pytest.raises(UnreadableScenario):
        files_of("new_vegas").import_(b"[]")
