"""A club's own edition (that of August 2018 with two other costs and without one model) and its own scenario."""

import json
from typing import Any

from tests.kit.person import Page, Person
from validators import SYSTEMS

SYSTEM = SYSTEMS["battle_mode"]
assert SYSTEM.edition_files is not None
FILES = SYSTEM.edition_files
ID, NAME = "club-2027", "Our club's lists 2027"
GONE = "Dogmeat"


def club_document() -> dict[str, Any]:
    """The edition's document: Piper costs 7 Caps more, Sneak costs 9, Dogmeat is missing."""
    document: dict[str, Any] = json.loads(FILES.write(SYSTEM.edition("2018-08")))
    document |= {"id": ID, "name": NAME, "date": "2027-01-15", "source": "Our club"}
    survivors = document["factions"][0]["models"]
    document["factions"][0]["models"] = [model for model in survivors if model["name"] != GONE]
    for model in document["factions"][0]["models"]:
        model["caps"] += 7 * (model["name"] == "Piper")
    document["perks"]["Sneak"] = 9
    document["disputed"] = [fact for fact in document["disputed"] if fact.get("model") != GONE]
    return document


def data_of(document: object) -> bytes:
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


HOME, NEW = "/desk/scenarios", "/desk/scenarios/battle-mode/new"
BRIDGE = "/desk/scenarios/battle-mode/own-hold-the-bridge"


def write_scenario(olga: Person, **changed: Any) -> Page:
    """Save the scenario “Hold the Bridge” with two markers; ``changed`` are fields of the form."""
    olga.open(NEW)
    values: dict[str, Any] = {
        "name": "Hold the Bridge", "summary": "One bridge, two banks.",
        "setup": "A marker on the bridge.\n\n  Two on the   banks.\n",
        "scoring": "From game round 2: bank 2 VP, bridge 1 VP.", "game_rounds": "5", "scoring_from": "2", "most": "3",
        "held_by_one": "the bridge", "together_asked": "4", "together_asked_why": "both banks were taken at once",
        "objectives_each": "3", "objective_kinds": "Safe\nItem\nConsole",
        "markers-0-x": "18", "markers-0-y": "18", "markers-0-label": "Bridge",
        "markers-1-x": "7,5", "markers-1-y": "30", "markers-1-label": "Bank", "markers-1-owner": "b",
        "readings": "Equal VP are a draw.", "source": "Olga",
    }  # fmt: skip
    return olga.press("Save", **values | changed)


def refused_at(page: Page, field: str, words: str) -> None:
    assert page.status == 422
    assert words in page.error_at(field), (page.error_at(field), page.errors)
    assert words in page.errors
