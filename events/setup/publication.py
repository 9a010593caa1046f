"""The archive of an event for publication: the same standings without the persons. Pure.

Names are replaced as an erasure does it. It can be imported like a whole archive.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlmodel import SQLModel

from events.registration.neutral import Neutral
from events.rounds.outcome import drawn_then
from events.tournament.pairing.certificate import discreet
from events.tournament.pairing.levels import club_key
from events.tournament.pairing.request import from_document, to_document
from events.web.parsing import first_name
from validators.canonical import canonical_text, sha256_of

LEFT_OUT = {
    "announcement": "written for the day",
    "campaign_step": "names of figures; campaigns have no such archive",
    "delivery": "messages to players",
    "force_step": "earlier states of lists",
    "kept_apart": "wishes; the draws have them as far as they can be seen",
    "message": "messages to players",
    "sheet_reading": "who entered a sheet again",
}
"""Tables that are empty for publication, and why."""
BY_STAFF = ("by", "taken_back_by")
REASONS = ("reason", "ending_reason", "sent_back_note")
DOCUMENTS = {"force_list", "fielded_force"}
OF_EVENT = {"contact": "", "pay_link": "", "fee": "", "questions": []}
TABLES = SQLModel.metadata.tables
Row = dict[str, Any]


def for_publication(archive: Mapping[str, Any]) -> dict[str, Any]:
    """A whole archive, without its checksum, as an archive for publication."""
    neutral = _neutral(archive["tables"])
    tables = {
        name: [] if name in LEFT_OUT else [_published(neutral, name, row) for row in rows]
        for name, rows in archive["tables"].items()
    }
    stated = [{**one, "name": neutral.words[one["name"]]} for one in archive["standings"]]
    return {**archive, "level": "publication", "tables": tables, "standings": stated, "journal": []}


def _neutral(tables: Mapping[str, list[Row]]) -> Neutral:
    """“Player 3” for the third player, “Club 2” for the second club."""
    names = {row["id"]: f"Player {number}" for number, row in enumerate(tables["player"], 1)}
    words: dict[str, str] = {}
    for row in tables["player"]:
        called = (row["name"], row["partner"], first_name(row["name"], row["partner"]))
        words |= {one: names[row["id"]] for one in called if one}
    written = [row["club"] for name in ("player", "team") for row in tables[name] if row["club"]]
    numbers: dict[str, str] = {}
    for club in sorted(written, key=club_key):
        numbers.setdefault(club_key(club), f"Club {len(numbers) + 1}")
    return Neutral(names, {club: numbers[club_key(club)] for club in written} | words, numbers)


def _published(neutral: Neutral, name: str, row: Row) -> Row:
    found = neutral.row(TABLES[name], row["id"], row)
    found |= {column: "" for column in (*BY_STAFF, *REASONS) if found.get(column)}
    if name == "event":
        found |= OF_EVENT
    if name == "team":
        found["club"] = ""
    if name == "game":
        found["code"] = ""  # it opens the form of the sheet
    if name == "round":
        _draw(found)
    if name in DOCUMENTS:
        found["document"] = _without_titles(found["document"])
    if name == "list_seal":
        sealed = json.loads(found["text"])
        found["text"] = canonical_text({key: _without_titles(value) for key, value in sealed.items()})
        found["sha256"] = sha256_of(found["text"])
    return found


def _draw(row: Row) -> None:
    """Wishes are hidden as in the round's public file; its digests were those of the names."""
    if row["inputs"] is None or row["outcome"] is None:
        return
    row["outcome"] = {key: value for key, value in row["outcome"].items() if key != "digests"}
    row["inputs"] = to_document(discreet(from_document(row["inputs"]), drawn_then(row["outcome"])))


def _without_titles(document: Any) -> Any:
    """A force without the names that the player gave to it and to its figures."""
    if not isinstance(document, dict):
        return document
    found = document | ({"name": ""} if "name" in document else {})
    if found.get("not_read"):
        found["not_read"] = ["(left out)"] * len(found["not_read"])
    if isinstance(found.get("models"), list):
        found["models"] = [one | {"called": ""} if "called" in one else one for one in found["models"]]
    return found
