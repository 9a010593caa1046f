"""An edition of a club's own: that of August 2018 with one cost more, one less, and a model that is gone."""

import json
from typing import Any

from validators import SYSTEMS

SYSTEM = SYSTEMS["battle_mode"]
assert SYSTEM.edition_files is not None
FILES = SYSTEM.edition_files
ID, NAME = "club-2027", "Our club's lists 2027"
GONE = "Dogmeat"


def club_document() -> dict[str, Any]:
    """The document of its file: Piper costs 7 Caps more, Sneak 9, Dogmeat is gone."""
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
    """A document as a file, one value a line."""
    return json.dumps(document, indent=1, ensure_ascii=False).encode()
