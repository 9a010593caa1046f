"""Archives changed by hand: deceptive names, duplicates, and a forged journal."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from models.event import Event
from models.journal import JournalEntry
from models.play import Player
from tests.kit.archives import signed
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


def refused(person: Person, document: Document, words: str) -> None:
    """The page refuses the file with this fault."""
    page = take_in(person, document)
    assert (page.status, words in page.part("#faults")) == (422, True), (words, page.part("#faults"))


@pytest.mark.proves("attack 39", "attack 65", "attack 74", "ASVS 1.5.2")
def test_faulty_file_is_refused_in_words_and_not_stored(olga: Person, stage: Stage, document: Document) -> None:
    before = stage.digest()
    olga.open(TAKE_IN)
    page = olga.press("Import", file=("<b>.json", b'{"format": "overseer-event/1", "<script>": 1}'))
    assert "<script>: is no part of an archive" in page.part("#faults") and page.error_at("file")
    assert "Please choose a file." in olga.press("Import").error_at("file")
    document["journal"][0] |= {"at": "2099-11-20T10:00:00+00:00"}
    refused(olga, document, "journal[0].at: is in the future")
    assert stage.digest() == before


@pytest.mark.proves("attack 65")
def test_team_names_are_checked_and_compared(olga: Person, document: Document) -> None:
    event_id = document["tables"]["event"][0]["id"]
    team = {"id": 1, "event_id": event_id, "club": "", "entered_round": 1, "dropped_after": None, "name_key": "one"}
    for names, words in (
        (("Reds", "\u202bBlues"), "team[1].name: holds a control character"),
        (("Reds", "ＲＥＤＳ"), "team[1].name: is the name of another team too"),
    ):
        document["tables"]["team"] = [team | {"id": number, "name": name} for number, name in enumerate(names, 1)]
        refused(olga, document, words)


@pytest.mark.proves("attack 65", "attack 74")
def test_imported_journal_entries_are_marked_on_every_page(
    olga: Person, stage: Stage, document: Document, link_of: Callable[[Player], str]
) -> None:
    player = document["tables"]["player"][0]
    forged = {"actor": "organiser Olga", "text": "Forged by file", "about": {"player": player["id"]}}
    document["journal"].append(document["journal"][0] | forged)
    player["name_key"] = "made up"
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
    ada.open(link_of(stage.one(Player, name_key="ada", event_id=here.id)))
    assert marked in ada.open("/e/taken-in/me/journal").text


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
