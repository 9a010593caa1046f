"""Scenarios of the SNAFU game, which are written as files: uploaded, shown, chosen, removed."""

import json
from typing import Any

import pytest

from models.scenario import OwnScenario
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.scenario import Score, UnreadableScenario

SYSTEM = SYSTEMS["new_vegas"]
assert SYSTEM.scenario_files is not None
FILES = SYSTEM.scenario_files
OURS = "/desk/scenarios/new-vegas/own-ours"


def document(**changed: Any) -> dict[str, Any]:
    return FILES.document(SYSTEM.scenario("open-battle")) | {"id": "ours", "name": "Ours"} | changed


def upload(olga: Person, parsed: Any) -> Page:
    olga.open("/desk/scenarios")
    return olga.press("Read the file", file=("scenario.json", json.dumps(parsed).encode()))


def test_every_shipped_scenario_is_read_back_from_its_file() -> None:
    for scenario in SYSTEM.scenarios:
        assert FILES.import_(json.dumps(FILES.document(scenario)).encode()) == scenario


def test_own_table_of_points_counts(olga: Person, stage: Stage) -> None:
    upload(olga, document())
    assert "Removed." in olga.press("Remove").flashes, "no event uses it"
    scoring = ["2 VP for each model, 3 VP more for a leader.", "A rout: 7 VP."]
    page = upload(olga, document(points={"model": 2, "leader": 3, "rout": 7}, turns=4, scoring=scoring))
    assert page.path == OURS
    assert "each model lost is 2 VP to the enemy; each with Charisma 3 VP more; a rout 7 VP" in page.text
    row = stage.one(OwnScenario, slug="own-ours")
    answers: dict[str, int | str] = {"a.lost": 3, "a.leaders": 1, "a.rout": "Routed", "b.lost": 1, "b.rout": "Stood"}
    assert SYSTEM.scoring.score(FILES.read(row.document), answers) == Score(a=2, b=3 * 2 + 3 + 7, decided="b")
    event = stage.event(game="new_vegas", rounds=1, scenarios=("own-ours",))
    stage.enter(event, "Ada", "Bo")
    assert len(stage.publish(event, 1)) == 1
    assert "it is used in round 1 of Iron Open" in olga.open(OURS).text
    assert olga.ask("get", f"{OURS}.json").json == row.document


def test_files_alone_are_offered(olga: Person) -> None:
    assert olga.open("/desk/scenarios/new-vegas/new").status == 404
    page = olga.open("/desk/scenarios")
    assert "These are files" in page.text
    assert not page.soup.select('a[href^="/desk/scenarios/new-vegas/new"]')
    assert page.soup.select('a[href="/desk/scenarios/new-vegas/attrition.json"]')


def test_invalid_file_is_refused_with_field_and_line(olga: Person, stage: Stage) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"points": {"model": 0, "leader": 0, "rout": 0}}, "points: give nothing for anything"),
        ({"points": {"model": 1, "leader": 2, "rout": 0, "tie": 1}}, "points.tie: is not a field"),
        ({"points": {"model": 1, "leader": 2, "rout": 20}}, "points.rout: is 20, but no line of the scoring says “20"),
        ({"points": {"model": 0, "leader": 2, "rout": 1}, "scoring": ["11 VP, 2 VP"]}, "points.rout: is 1, but no"),
        ({"points": {"model": 1, "leader": 0}}, "points.rout: is missing"),
        ({"points": {"model": -1, "leader": 0, "rout": 0}}, "points.model: is -1, at least 0 is needed"),
        ({"turns": 7}, "turns: is 7, at most 6 can be"),
        ({"deployment_inches": 25}, "deployment_inches: is 25, but half the table is 24 inches deep"),
        ({"setup": []}, "setup: is empty"),
        ({"markers": []}, "markers: is not a field of the scenario file"),
        ({"system": "golf"}, "system: is not"),
    ]  # fmt: skip
    for changed, words in cases:
        page = upload(olga, document(**changed))
        assert (page.status, words in page.errors, "line 1" in page.errors) == (422, True, True), page.errors
    olga.open("/desk/scenarios")
    assert "not JSON at line 1" in olga.press("Read the file", file=("scenario.json", b"{")).errors
    assert stage.all(OwnScenario) == []
    with pytest.raises(UnreadableScenario):
        FILES.import_(b"[]")
