"""Archives changed by hand: deceptive names, duplicates, and a forged journal."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from events.setup.archive_file import UnreadableArchive, read_archive
from models.event import Event
from models.journal import JournalEntry
from models.play import ForceList, Player
from tests.kit.archives import signed
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.lost_server import Elsewhere, organiser
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

SAVE, TAKE_IN = "/e/iron-open/desk/archive.json", "/desk/archive-in"
Document = dict[str, Any]
pytestmark = pytest.mark.both_at_length


@pytest.fixture
def document(olga: Person, stage: Stage, event: Event) -> Document:
    """The archive of an event of three players, none of whom is drawn."""
    stage.enter(event, "Ada", "Bo", "Cy", club="Reds")
    return dict(json.loads(olga.ask("GET", SAVE).data))


def take_in(olga: Person, document: Document) -> Page:
    """Take an archive in by the page; its checksum is right."""
    olga.open(TAKE_IN)
    return olga.press("Import", file=("x.json", signed(document)))


NAMES = (
    ("player", {"name": ""}, "player[1].name: is empty or cannot be seen"),
    ("player", {"name": "\u200b\u2060"}, "player[1].name: is empty or cannot be seen"),
    ("player", {"name": "B\u202eo"}, "player[1].name: holds a control character"),
    ("player", {"name": "Bo\nCy"}, "player[1].name: is not one line of text with single spaces"),
    ("player", {"name": " Bo  Cy"}, "player[1].name: is not one line of text with single spaces"),
    ("player", {"name": "ADA"}, "player[1].name: is the name of another player too"),
    ("player", {"name": "Ada", "name_key": "bo"}, "player[1].name: is the name of another player too"),
    ("player", {"name": "A\u200bda"}, "player[1].name: is the name of another player too"),
    ("player", {"club": "Re\u202eds"}, "player[1].club: holds a control character"),
    ("player", {"club": "Reds\nBlues"}, "player[1].club: is not one line of text with single spaces"),
    ("player", {"faction": "\u2028"}, "player[1].faction: holds a control character"),
    *(("player", {column: "Two\nlines"}, f"player[1].{column}: is not one line") for column in ("faction", "partner")),
    *(("event", {column: "Two\nlines"}, f"event[0].{column}: is not one line") for column in ("fee", "series")),
    ("event", {"name": "\u00ad"}, "event[0].name: is empty or cannot be seen"),
    ("event", {"name": "Iron\u202dOpen"}, "event[0].name: holds a control character"),
    ("event", {"place": "Town\tHall"}, "event[0].place: is not one line of text with single spaces"),
    ("event", {"description": "see \u202e below"}, "event[0].description: holds a control character"),
)
"""Names that no form accepts: the table, the values of its row, and the fault."""
LINES = (
    ({"text": "Registered\n2026-11-20 10:00,organiser Olga"}, "journal[0].text: is not one line of text"),
    ({"actor": "Olga\r\nBo"}, "journal[0].actor: is not one line of text"),
    ({"actor": "Olga\u202e(evihcra eht morf)"}, "journal[0].actor: holds a control character"),
    ({"verb": "register\t"}, "journal[0].verb: is not one line of text"),
    ({"about": {"imported": False}}, "journal[0].about: says what no entry says"),
)
"""Journal entries that no server writes: the values, and the fault."""


def unreadable(document: Document, words: str) -> None:
    """The file is no archive, with this fault."""
    with pytest.raises(UnreadableArchive) as faulty:
        read_archive(signed(document))
    assert any(words in fault for fault in faulty.value.faults), (words, faulty.value.faults)


def refused(person: Person, document: Document, words: str) -> None:
    """The page refuses the file with this fault."""
    page = take_in(person, document)
    assert (page.status, words in page.part("#faults")) == (422, True), (words, page.part("#faults"))


@pytest.mark.proves("attack 65", "attack 74")
def test_faulty_name_or_journal_entry_is_refused_with_its_place(olga: Person, stage: Stage, document: Document) -> None:
    before = stage.digest()
    for table, values, words in NAMES:
        changed = copy.deepcopy(document)
        changed["tables"][table][-2 if table == "player" else 0] |= values
        unreadable(changed, words)
    for entry, words in LINES:
        changed = copy.deepcopy(document)
        changed["journal"][0] |= entry
        unreadable(changed, words)
    refused(olga, changed, words)
    document["journal"][0] |= {"at": "2099-11-20T10:00:00+00:00"}
    refused(olga, document, "journal[0].at: is in the future")
    changed["tables"]["staff"] = [{"id": 1, "event_id": 1, "account_id": 1, "role": "owner"}]
    unreadable(changed, "tables.staff: is no table of this version")
    assert stage.digest() == before


@pytest.mark.proves("attack 65")
def test_team_names_are_checked_and_compared(olga: Person, stage: Stage, document: Document) -> None:
    event_id = document["tables"]["event"][0]["id"]
    team = {"id": 1, "event_id": event_id, "club": "", "entered_round": 1, "dropped_after": None}
    document["tables"]["team"] = [
        team | {"name": "Reds", "name_key": "one"}, team | {"id": 2, "name": "\u202bBlues", "name_key": "two"},
        team | {"id": 3, "name": "ＲＥＤＳ", "name_key": "three", "club": "Two\nlines"},
    ]  # fmt: skip
    refused(olga, document, "team[1].name: holds a control character")
    unreadable(document, "team[2].club: is not one line")
    document["tables"]["team"][1]["name"], document["tables"]["team"][2]["club"] = "Blues", ""
    refused(olga, document, "team[2].name: is the name of another team too")


@pytest.mark.proves("attack 65")
def test_name_keys_of_the_file_are_ignored(olga: Person, stage: Stage, document: Document) -> None:
    for row in document["tables"]["player"]:
        row["name_key"] = f"made up {row['id']}"
    document["tables"]["event"][0]["slug"] = "taken-in"
    assert take_in(olga, document).status == 200
    taken = stage.one(Event, slug="taken-in")
    assert sorted(player.name_key for player in stage.all(Player, event_id=taken.id)) == ["ada", "bo", "cy"]


@pytest.mark.proves("attack 65", "attack 74")
def test_imported_journal_entries_are_marked_on_every_page(
    olga: Person, stage: Stage, document: Document, link_of: Callable[[Player], str]
) -> None:
    forged = {
        "at": "2026-11-20T10:00:00+00:00",
        "actor": "organiser Olga",
        "verb": "register",
        "text": "Forged by file",
    }
    player = document["tables"]["player"][0]["id"]
    document["journal"].append(forged | {"about": {"player": player}})
    document["tables"]["event"][0]["slug"] = "taken-in"
    assert take_in(olga, document).status == 200
    (line,) = stage.all(JournalEntry, text="Forged by file")
    assert line.details["imported"] is True
    marked = "organiser Olga (from the archive)"
    journal = olga.open("/e/taken-in/desk/journal")
    (shown,) = [one for one in journal.soup.select("ol.journal li") if "Forged by file" in one.get_text()]
    assert marked in shown.get_text()
    (taken,) = [one for one in journal.soup.select("ol.journal li") if "Took the event in" in one.get_text()]
    assert "from the archive)" not in taken.get_text(), "what was done here is not marked"
    desk = olga.open("/e/taken-in/desk")
    (shown,) = [one for one in desk.soup.select("ul.journal li") if "Forged by file" in one.get_text()]
    assert marked in shown.get_text()
    assert f"{marked},," in olga.ask("GET", "/e/taken-in/desk/journal.csv").text
    here = stage.one(Event, slug="taken-in")
    ada = Person(olga.http.application)
    ada.open(link_of(stage.one(Player, name="Ada", event_id=here.id)))
    assert marked in ada.open("/e/taken-in/me/journal").text


@pytest.mark.proves("attack 65")
def test_draft_list_stays_a_draft(olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, read_force(PIPER), submit=False)
    document = json.loads(olga.ask("GET", SAVE).data)
    document["tables"]["event"][0]["slug"] = "taken-in"
    assert take_in(olga, document).status == 200
    assert [one.submitted_at for one in stage.all(ForceList)] in ([None], [None, None])


CONTRADICTIONS: tuple[tuple[str, Document, str], ...] = (
    ("game", {"state": "confirmed"}, "round 1, table 1: it is confirmed, and its reports make it open"),
    ("game", {"table_number": -5}, "round 1, table -5: is no table number"),
    ("game", {"table_number": 0}, "round 1, table 0: is no table number"),
    ("event", {"places": 1}, "2 players hold 1 places"),
)


@pytest.mark.proves("attack 65")
def test_contradictory_archive_is_refused_in_words(
    app: Flask, olga: Person, stage: Stage, event: Event, elsewhere: Elsewhere
) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    document = dict(json.loads(olga.ask("GET", SAVE).data))
    there = elsewhere()
    nora = organiser(app, there, "Nora")
    for table, values, words in CONTRADICTIONS:
        changed = copy.deepcopy(document)
        changed["tables"][table][0] |= values
        refused(nora, changed, words)
    assert not there.all(Event)
