"""Scenarios of a game whose own table of points is written as a file: taken, shown, chosen, removed."""

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


def document(**changed: Any) -> dict[str, Any]:
    return FILES.document(SYSTEM.scenario("open-battle")) | {"id": "ours", "name": "Ours"} | changed


def send(olga: Person, parsed: Any) -> Page:
    olga.open("/desk/scenarios")
    return olga.press("Read the file", file=("scenario.json", json.dumps(parsed).encode()))


def test_every_shipped_scenario_is_read_back_from_its_file() -> None:
    for scenario in SYSTEM.scenarios:
        written = json.dumps(FILES.document(scenario)).encode()
        assert FILES.import_(written) == scenario


def test_an_organisers_own_table_counts(olga: Person, stage: Stage) -> None:
    scoring = ["2 VP for each model, 3 VP more for a leader.", "A rout: 7 VP."]
    page = send(olga, document(points={"model": 2, "leader": 3, "rout": 7}, turns=4, scoring=scoring))
    assert page.path == "/desk/scenarios/new-vegas/own-ours"
    assert "each model lost is 2 VP to the enemy; each with Charisma 3 VP more; a rout 7 VP" in page.text
    row = stage.one(OwnScenario, slug="own-ours")
    scenario = FILES.read(row.document)
    told: dict[str, int | str] = {"a.lost": 3, "a.leaders": 1, "a.rout": "Routed", "b.lost": 1, "b.rout": "Stood"}
    assert SYSTEM.score(scenario, told) == Score(a=2, b=3 * 2 + 3 + 7, decided="b")
    event = stage.event(game="new_vegas", rounds=1, scenarios=("own-ours",))
    game = stage.publish(event, 1) if stage.enter(event, "Ada", "Bo") else []
    assert len(game) == 1
    assert "stays as it is: round 1 of Iron Open" in olga.open("/desk/scenarios/new-vegas/own-ours").text
    assert olga.ask("get", "/desk/scenarios/new-vegas/own-ours.json").json == row.document


def test_one_that_no_event_uses_is_removed(olga: Person, stage: Stage) -> None:
    send(olga, document())
    assert "Removed." in olga.press("Remove").flashes
    assert stage.all(OwnScenario) == []


def test_there_is_no_form_for_it(olga: Person) -> None:
    assert olga.open("/desk/scenarios/new-vegas/new").status == 404
    page = olga.open("/desk/scenarios")
    assert "Written as files" in page.text
    assert not page.soup.select('a[href^="/desk/scenarios/new-vegas/new"]')
    assert page.soup.select('a[href="/desk/scenarios/new-vegas/attrition.json"]')


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"points": {"model": 0, "leader": 0, "rout": 0}}, "points: give nothing for anything"),
        ({"points": {"model": 1, "leader": 2, "rout": 0, "tie": 1}}, "points.tie: is not a field"),
        (
            {"points": {"model": 1, "leader": 2, "rout": 20}},
            "points.rout: is 20, but no line of the scoring says “20 VP”",
        ),
        (
            {"points": {"model": 0, "leader": 2, "rout": 1}, "scoring": ["11 VP, 2 VP"]},
            "points.rout: is 1, but no line",
        ),
        ({"points": {"model": 1, "leader": 0}}, "points.rout: is missing"),
        ({"points": {"model": -1, "leader": 0, "rout": 0}}, "points.model: is -1, at least 0 is needed"),
        ({"turns": 7}, "turns: is 7, at most 6 can be"),
        ({"deployment_inches": 25}, "deployment_inches: is 25, but half the table is 24 inches deep"),
        ({"setup": []}, "setup: is empty"),
        ({"markers": []}, "markers: is not a field of the scenario file"),
        ({"system": "golf"}, "system: is not"),
    ],
)
def test_a_file_that_cannot_be_played_is_told_by_field_and_line(
    olga: Person, stage: Stage, changed: dict[str, Any], told: str
) -> None:
    page = send(olga, document(**changed))
    assert page.status == 422
    assert told in page.errors, page.errors
    assert "line 1" in page.errors
    assert stage.all(OwnScenario) == []


def test_what_is_no_json_is_told(olga: Person) -> None:
    olga.open("/desk/scenarios")
    page = olga.press("Read the file", file=("scenario.json", b"{"))
    assert "not JSON at line 1" in page.errors
    with pytest.raises(UnreadableScenario):
        FILES.import_(b"[]")
