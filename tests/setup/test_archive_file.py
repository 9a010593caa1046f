"""An archive is read strictly: every fault is reported with its place; changed by hand or damaged it breaks no page."""

import copy
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import attach_database
from events.setup.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.store.errors import Refused
from events.store.journal import entry_words
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.words import sentences
from languages.words import speaking
from models.db import open_engine
from models.journal import JournalEntry
from service.settings import Settings
from tests.kit.archives import archived, taken_in, with_checksum
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import Elsewhere, Links, let_in
from tests.kit.person import IMPORT_EVENT, Person
from tests.kit.stage import Clock, Event, Player, Stage

Document = dict[str, Any]


@pytest.fixture
def whole(engine: Engine, clock: Clock) -> Iterator[Document]:
    """The archive of an event of two players and a round."""
    stage = Stage(engine, clock)
    event = stage.event(players=("Ada", "Bo"))
    stage.play(event, 1)
    yield json.loads(archived(engine, event, clock()))
    stage.s.close()


def faults(data: bytes) -> tuple[str, ...]:
    with pytest.raises(UnreadableArchive) as refused:
        read_archive(data)
    return refused.value.faults


def row(table: str, number: int, **values: Any) -> Callable[[Document], object]:
    return lambda document: document["tables"][table][number].update(values)


NO_ARCHIVES = (
    (b"", "the file: it is empty"),
    (b"PK\x03\x04 no text at all \xff", "the file: not UTF-8 text"),
    (b"[]", "the file: is not an archive of an event"),
    (b'{"format": "overseer-pairings/1"}', "the file: is not an archive of an event"),
    (b'{"format": "overseer-event/2"}', "format: “overseer-event/2” is of another version"),
    (b'{"format": "overseer-event/1", "revision": "20991231_later"}', "a newer Overseer made the archive"),
    (b'{"format": "overseer-event/1", "format": 1}', "the key “format” appears twice"),
    (b'{"format": "overseer-event/1", "at": NaN}', "NaN is not a JSON number"),
    (b'{"format": "overseer-event/1"}', "tables: is missing"),
    (b"[" * 100_000, "the file: nested too deeply"),
    (b" " * (MOST_BYTES + 1), f"at most {MOST_BYTES} are read"),
)
CHANGES: tuple[tuple[Callable[[Document], object], str], ...] = (
    (row("player", 1, shirt="XL"), "player[1].shirt: is not a field of this file"),
    (row("player", 1, name=7), "player[1].name: is not text"),
    (row("player", 1, name="x" * 81), "player[1].name: is longer than 80 characters"),
    (row("player", 1, name="a\0b"), "player[1].name: contains a control character"),
    (row("player", 1, state="asleep"), "player[1].state: is none of 'waiting', 'registered'"),
    (row("player", 1, painted=1), "player[1].painted: is neither true nor false"),
    (row("player", 1, registered_at="2026-11-21T09:00:00"), "player[1].registered_at: is not a time with a time zone"),
    (row("player", 1, entered_round=True), "player[1].entered_round: is not a whole number"),
    (row("player", 1, entered_round=2**31), "player[1].entered_round: is far too large, at most 2147483647 can be"),
    (row("player", 1, name=None), "player[1].name: is not text"),
    (row("player", 1, id=0), "player[1].id: is 0, at least 1 is needed"),
    (row("player", 1, team_id=4), "player[1].team_id: team 4 is missing"),
    (row("player", 1, asked_byes=["x"]), "player[1].asked_byes[0]: is not a whole number"),
    (row("player", 1, name="\u200b\u2060"), "player[1].name: is empty or invisible"),
    (row("player", 1, name="B\u202eo"), "player[1].name: contains a control character"),
    (row("player", 1, name=" Bo  Cy"), "player[1].name: is not one line of text with single spaces"),
    (row("player", 1, name="ADA"), "player[1].name: the name occurs twice"),
    (row("player", 1, name="Ada", name_key="bo"), "player[1].name: the name occurs twice"),
    (row("player", 1, club="Re\u202eds"), "player[1].club: contains a control character"),
    (row("player", 1, faction="\u2028"), "player[1].faction: contains a control character"),
    *((row("player", 1, **{it: "a\nb"}), f"player[1].{it}: is not one line") for it in ("club", "faction", "partner")),
    *((row("event", 0, **{it: "a\nb"}), f"event[0].{it}: is not one line") for it in ("fee", "series", "place")),
    (row("event", 0, name="\u00ad"), "event[0].name: is empty or invisible"),
    (row("event", 0, description="see \u202e below"), "event[0].description: contains a control character"),
    (row("event", 0, slug="../desk"), "event[0].slug: is not an address"),
    (row("event", 0, starts_on="Monday"), "event[0].starts_on: is not a date"),
    (row("event", 0, round_minutes=0), "event[0].round_minutes: is 0, at least 10 is needed"),
    (row("event", 0, round_minutes=2**31 - 1), "event[0].round_minutes: is far too large, at most 600 can be"),
    (row("event", 0, seed=-1), "event[0].seed: is -1, at least 0 is needed"),
    (row("game", 0, answers={"a": 2**70}), "game[0].answers: contains a number that is too large"),
    (row("game", 0, round_id=77), "game[0].round_id: round 77 is missing"),
    (row("round_draw", 0, inputs=[]), "round_draw[0].inputs: is not an object"),
    (lambda d: d["tables"].update(staff=[]), "tables.staff: is not a table of this version"),
    (lambda d: d["tables"].update(game={}), "tables.game: is not a list"),
    (lambda d: d["tables"]["event"].append(d["tables"]["event"][0]), "2 events; an archive contains one event"),
    (lambda d: d["tables"]["player"].append(d["tables"]["player"][0]), "tables.player: an id appears twice"),
    (lambda d: d["tables"]["player"][0].pop("name"), "player[0].name: is missing"),
    (lambda d: d["journal"][0].pop("actor"), "journal[0].actor: is missing"),
    (lambda d: d["journal"][0]["about"].update(token=1), "journal[0].about: has unknown keys"),
    (lambda d: d["journal"][0].update(text="Registered\n2026"), "journal[0].text: is not one line of text"),
    (lambda d: d["journal"][0].update(actor="Olga\r\nBo"), "journal[0].actor: is not one line of text"),
    (lambda d: d["journal"][0].update(actor="Olga\u202e(x)"), "journal[0].actor: contains a control character"),
    (lambda d: d["journal"][0].update(verb="register\t"), "journal[0].verb: is not one line of text"),
    (lambda d: d["scenarios"].append("x"), "scenarios[0]: is not an object"),
    (lambda d: d.update(more=1), "more: is not a field of this file"),
    (lambda d: d.update(at="now"), "at: is not a time with a time zone"),
    (lambda d: d.update(journal={}), "journal: is not a list"),
)


@pytest.mark.proves("attack 39")
def test_file_that_is_no_archive_is_refused() -> None:
    for data, words in NO_ARCHIVES:
        assert any(words in fault for fault in faults(data)), (data[:40], faults(data))


@pytest.mark.proves("attack 39", "attack 40", "attack 65", "attack 74", "F24", "ASVS 2.2.1")
def test_each_fault_is_reported_at_its_place(whole: Document) -> None:
    for change, words in CHANGES:
        changed = copy.deepcopy(whole)
        change(changed)
        found = faults(with_checksum(changed))
        assert any(words in fault for fault in found), (words, found)


@pytest.mark.proves("attack 39", "attack 41")
def test_checksum_recognises_damage_and_text_that_no_database_stores(whole: Document) -> None:
    assert read_archive(with_checksum(whole)).event["name"] == "Iron Open"
    whole["tables"]["player"][0]["club"] = "Elsewhere"
    assert faults(json.dumps(whole).encode())[0].startswith("sha256: does not match the rest of the file")
    whole["tables"]["player"][0]["name"] = "half \ud800 of a pair"  # written as an escape: valid JSON, and no text
    assert faults(json.dumps(whole).encode()) == (
        "the file: contains half of a surrogate pair, which is not valid text",
    )


@pytest.mark.proves("attack 39", "attack 40")
def test_depth_and_number_of_faults_are_limited(whole: Document) -> None:
    deep = copy.deepcopy(whole)
    nested: Any = {}
    for _ in range(60):
        nested = {"x": nested}
    deep["tables"]["game"][0]["answers"] = nested
    assert faults(with_checksum(deep)) == ("game[0].answers: is nested too deeply",)
    long = copy.deepcopy(whole)
    long["tables"]["player"][0]["asked_byes"] = ["x"] * 200_001
    assert faults(with_checksum(long)) == ("player[0].asked_byes: contains more than 200000 values",)
    whole["tables"]["player"] = [{} for _ in range(5000)]
    found = faults(with_checksum(whole))
    assert len(found) == 13
    assert int(found[-1].removeprefix("and ").removesuffix(" more")) < 200, "reading stopped"


OLDER = "20261213_campaign"
"""The revision before the columns ``event.contact`` and ``event.bring``."""

LATER = {"door_prize", "prize_draw", "join_code", "code_use", "payment", "round_draw"}
"""Tables that came after it."""


def as_older(document: Document) -> Document:
    """The archive as a version at the revision OLDER wrote it: without later columns, and with notes as sentences."""
    tables = {name: rows for name, rows in document["tables"].items() if name not in LATER}
    event = _without(tables["event"], "contact", "bring", "late_list_hours", "tables_vary", "pay_link", "language",
                     "fee_amount", "fee_currency", "sign_up_by", "everybody_from", "repeats", "opens_before",
                     "privacy_notice", "delete_after", "convention", "awards_published")  # fmt: skip
    players = [
        entry | {"paid_at": None} for entry in _without(tables["player"], "no_show_kept", "held", "language", "fee_set")
    ]
    worded_games = [game | {"notes": worded(game["notes"])} for game in tables["game"]]
    none = {"inputs": None, "outcome": None}
    draws = {entry["round_id"]: entry for entry in document["tables"]["round_draw"]}
    rounds = [entry | {name: draws.get(entry["id"], none)[name] for name in none} for entry in tables["round"]]
    rounds = [entry | {"outcome": entry["outcome"] and outcome_worded(entry["outcome"])} for entry in rounds]
    lists = _without(tables["force_list"], "submitted_edition", "kept_queries")
    older = {
        "event": event,
        "player": players,
        "force_list": lists,
        "game": _without(worded_games, "forfeited"),
        "round": rounds,
    }
    return document | {"revision": OLDER, "tables": tables | older}


def _without(rows: list[dict[str, Any]], *later: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in entry.items() if name not in later} for entry in rows]


def worded(notes: list[dict[str, Any]]) -> list[str]:
    return list(sentences(notes_in(notes)))


def outcome_worded(outcome: dict[str, Any]) -> dict[str, Any]:
    idle = [[id_, worded(notes)] for id_, notes in outcome.get("idle", ())]
    return outcome | {"notes": worded(outcome["notes"]), "idle": idle}


OLDER_CHANGES: tuple[tuple[Callable[[Document], object], str], ...] = (
    (row("event", 0, contact="Olga"), "event[0]: “contact” is not a column of its revision"),
    (row("player", 1, secret="x"), "player[1]: “secret” is not a column of its revision"),
    (row("player", 1, **{"x" * 100: 1}), "is not a column of its revision"),
    (lambda d: d["tables"].update(staff=[]), "tables: “staff” is not a table of its revision"),
    (lambda d: d["tables"].update(change_set=[]), "tables: “change_set” is not a table of its revision"),
    (lambda d: d["tables"].update(alembic_version=[]), "tables: “alembic_version” is not a table of its revision"),
    (lambda d: d["tables"]["player"][0].pop("name"), "player[0].name: is missing"),
    (lambda d: d["tables"]["player"][0].pop("id"), "player[0].id: is missing"),
    (row("player", 1, name=7), "player[1].name: is not text"),
    (row("player", 1, entered_round="1"), "player[1].entered_round: is not a number"),
    (row("player", 1, registered_at="x"), "player[1].registered_at: is not a time"),
    (row("player", 1, registered_at=7), "player[1].registered_at: is not a time"),
    (row("event", 0, seed=2**70), "the rows are not those of revision"),
    (row("player", 1, team_id=4), "the rows are not those of revision 20261213_campaign (IntegrityError)"),
    (row("player", 1, state="asleep"), "the rows are not those of revision"),
    (lambda d: d["tables"]["player"].append(d["tables"]["player"][0]), "the rows are not those of revision"),
    (lambda d: d["journal"][0].update(at="x"), "journal[0].at: is not a time"),
    # As in an archive of the present revision, which is read after the upgrade:
    (row("player", 1, name="x" * 81), "player[1].name: is longer than 80 characters"),
    (row("player", 1, asked_byes=["x"]), "player[1].asked_byes[0]: is not a whole number"),
    (row("round", 0, inputs=[]), "round_draw[0].inputs: is not an object"),
    (lambda d: d["journal"][0]["about"].update(token=1), "journal[0].about: has unknown keys"),
    (lambda d: d.update(at="now"), "at: is not a time with a time zone"),
)


@pytest.mark.proves("attack 39")
def test_older_archive_is_upgraded_and_read_as_strictly(whole: Document) -> None:
    whole["tables"]["event"][0] |= {"contact": "", "bring": ""}
    found, wanted = read_archive(with_checksum(as_older(whole))), read_archive(with_checksum(whole))
    assert found == wanted
    marked = as_older(copy.deepcopy(whole))
    marked["tables"]["player"][0]["paid_at"] = at = "2026-11-20T09:00:00+00:00"
    (payment,) = read_archive(with_checksum(marked)).rows["payment"]
    player_id = marked["tables"]["player"][0]["id"]
    assert (payment["player_id"], payment["at"].isoformat(), payment["amount"]) == (player_id, at, None)
    for change, words in OLDER_CHANGES:
        document = copy.deepcopy(as_older(whole))
        change(document)
        told = faults(with_checksum(document))
        assert any(words in fault for fault in told), (words, told)


def test_signature_level_and_standings_of_older_archives_are_ignored(whole: Document) -> None:
    """As 0.3.0 to 0.5.0 wrote them, whole and for publication; the checksum is of all but the signature."""
    older = whole | {"level": "publication", "standings": [{"name": "Player 1", "rank": 1, "points": 3.0}]}
    signature = {"address": "https://club.example", "key": "k", "signature": "s"}
    assert read_archive(with_checksum(older | {"signature": signature})) == read_archive(with_checksum(whole))
    changed = json.loads(with_checksum(older)) | {"level": "whole"}
    assert faults(json.dumps(changed).encode())[0].startswith("sha256: does not match")


SAVE, TAKE_IN = "/e/iron-open/desk/archive.json", "/desk/archive-in"


@pytest.fixture
def document(olga: Person, stage: Stage, event: Event) -> Document:
    stage.enter(event, "Ada", "Bo", "Cy", club="Reds")
    return dict(json.loads(olga.ask("GET", SAVE).data))


def refused(person: Person, document: Document, words: str) -> None:
    page = person.press(IMPORT_EVENT, at=TAKE_IN, file=("x.json", with_checksum(document)))
    assert (page.status, words in page.part("#faults")) == (422, True), (words, page.part("#faults"))


@pytest.mark.both_at_length
@pytest.mark.proves("attack 39", "attack 65", "attack 74", "ASVS 1.5.2")
def test_faulty_file_is_refused_in_words_and_not_stored(olga: Person, stage: Stage, document: Document) -> None:
    with stage.unchanged():
        page = olga.press(IMPORT_EVENT, at=TAKE_IN, file=("<b>.json", b'{"format": "overseer-event/1", "<script>": 1}'))
        assert '["<script>"]: is not a field of this file' in page.part("#faults") and page.error_at("file")
        assert "Please choose a file." in olga.press(IMPORT_EVENT).error_at("file")
        document["journal"][0] |= {"at": "2099-11-20T10:00:00+00:00"}
        refused(olga, document, "journal[0].at: is in the future")


@pytest.mark.both_at_length
@pytest.mark.proves("attack 65")
def test_team_names_are_checked_and_compared(olga: Person, document: Document) -> None:
    event_id = document["tables"]["event"][0]["id"]
    team = {"id": 1, "event_id": event_id, "club": "", "entered_round": 1, "dropped_after": None, "name_key": "one"}
    for names, words in (
        (("Reds", "\u202bBlues"), "team[1].name: contains a control character"),
        (("Reds", "ＲＥＤＳ"), "team[1].name: the name occurs twice"),
    ):
        document["tables"]["team"] = [team | {"id": number, "name": name} for number, name in enumerate(names, 1)]
        refused(olga, document, words)


@pytest.mark.both_at_length
@pytest.mark.proves("attack 65", "attack 74")
def test_imported_entries_are_marked_everywhere(olga: Person, stage: Stage, document: Document, link_of: Links) -> None:
    player = document["tables"]["player"][0]
    forged = {"actor": "organiser Olga", "text": "Forged by file", "about": {"player": player["id"]}}
    document["journal"].append(document["journal"][0] | forged)
    player["name_key"] = "made up"
    document["tables"]["event"][0]["slug"] = "taken-in"
    assert olga.press(IMPORT_EVENT, at=TAKE_IN, file=("x.json", with_checksum(document))).status == 200
    (line,) = stage.all(JournalEntry, text="Forged by file")
    assert line.details["imported"] is True
    marked = "organiser Olga (from the archive)"

    def entry(address: str, words: str) -> str:
        entries = [tag.get_text() for tag in olga.open(address).soup.select(".journal li")]
        (found,) = [text for text in entries if words in text]
        return found

    assert marked in entry("/e/taken-in/desk", "Forged by file")
    assert marked in entry("/e/taken-in/desk/journal", "Forged by file")
    assert "from the archive)" not in entry("/e/taken-in/desk/journal", "Imported the event"), "it was done here"
    assert f"{marked},," in olga.ask("GET", "/e/taken-in/desk/journal.csv").text
    here = stage.one(Event, slug="taken-in")
    ada = Person(olga.http.application)
    ada.open(link_of(stage.one(Player, name_key="ada", event_id=here.id)))
    assert marked in ada.open("/e/taken-in/me/journal").text


def test_imported_entry_is_worded_only_as_its_english_says(olga: Person, stage: Stage, document: Document) -> None:
    """Data of the file that say something else, or nothing, or ask for a gigabyte, are left out: the text stays."""
    deep: Any = "Ada"
    for _ in range(6):
        deep = ["%(a)s %(a)s", {"a": deep}]
    own = {
        "Registered %(x)s %s %(name)r": ["Registered %(name)s", {"name": "%(x)s %s %(name)r"}],
        "Published round 7": ["Published round %(number)s", {"number": 8}],
        "Opened registration": ["Cancelled the event", {}],
        "Everybody can read the lists": ["%(a)999999999s", {"a": "Everybody can read the lists"}],
        "Started the season": deep,
        "Locked 2 lists": ["Locked %(num)s list", "Locked %(num)s lists", {"num": [2]}],
        "Took the awards off the projector": {"parts": 7},
        "Published the awards": "Published the awards",
    }
    for text, said in own.items():
        document["journal"].append(document["journal"][0] | {"text": text, "about": {"said": said}})
    document["tables"]["event"][0]["slug"] = "taken-in"
    assert olga.press(IMPORT_EVENT, at=TAKE_IN, file=("x.json", with_checksum(document))).status == 200
    found = {
        journal_entry.text: journal_entry
        for journal_entry in stage.all(JournalEntry)
        if journal_entry.text in own and journal_entry.details.get("imported")
    }
    assert found.keys() == own.keys()
    with speaking("de"):
        worded = {
            text: entry_words(journal_entry)
            for text, journal_entry in found.items()
            if entry_words(journal_entry) != text
        }
        assert worded == {"Registered %(x)s %s %(name)r": "%(x)s %s %(name)r angemeldet"}
        imported = [
            journal_entry
            for journal_entry in stage.all(JournalEntry, verb="register")
            if journal_entry.details.get("imported")
        ]
        assert entry_words(imported[0]) == "Ada angemeldet und eingecheckt", "an honest entry is worded"
    assert "Registered %(x)s %s %(name)r" in olga.open("/e/taken-in/desk/journal").text


CONTRADICTIONS: tuple[tuple[str, Document, str], ...] = (
    ("game", {"state": "confirmed"}, "round 1, table 1: its state is confirmed, but its reports give open"),
    ("game", {"table_number": -5}, "round 1: -5 is not a table number"),
    ("game", {"table_number": 0}, "round 1: 0 is not a table number"),
    ("game", {"notes": [{"kind": "guessed"}]}, "the rows do not fit together (ValueError)"),
    ("game", {"notes": [{"kind": "same_club"}]}, "the rows do not fit together (KeyError)"),
    ("event", {"places": 2}, "4 players hold 2 places"),
    ("event", {"points_table": {"steps": [[5, 12, 8]], "draw": 10, "bye": 12}}, ""),
    ("event", {"points_table": {"steps": [[None, "20", 0]], "draw": 10, "bye": 12}}, ""),
    ("event", {"points_table": {"steps": [[None, 20, 0]], "draw": 10}}, ""),
    ("event", {"points_table": "x"}, ""),
)


@pytest.mark.both_at_length
@pytest.mark.proves("attack 65")
def test_contradictory_archive_is_refused(
    app: Flask, olga: Person, stage: Stage, event: Event, elsewhere: Elsewhere
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    document = dict(json.loads(olga.ask("GET", SAVE).data))
    there = elsewhere()
    nora = let_in(app, there.set_up("Nora"))
    for table, values, words in CONTRADICTIONS:
        changed = copy.deepcopy(document)
        changed["tables"][table][0] |= values
        refused(nora, changed, words)
    assert not there.all(Event)


TRIES = 6
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 99, 2**31 - 1, 2**40, 1.5, "", "x", "1", "<b>", "own-x", "a" * 300,
    "\u202eabc", [], {}, [None], [[1, 2]], {"x": 1}, "2026-11-21T09:00:00+00:00", "2026-11-21", "confirmed", "drawn",
    "planned", "published", "knockout", "finished",
)  # fmt: skip
PUBLIC = (
    "", "/rounds/1", "/rounds/2", "/standings", "/lists", "/hall", "/pack.pdf", "/rounds/1/pairings.pdf",
    "/rounds/1/pairings.json", "/standings.pdf", "/standings.trf", "/hall/clock", "/teams", "/bracket", "/awards",
)  # fmt: skip
DESK = (
    "", "/players", "/lists", "/rounds/1", "/rounds/2", "/rounds/3", "/rounds/1/results", "/journal", "/settings",
    "/settings/draw", "/messages", "/clock", "/rulings", "/awards", "/soft", "/kept-apart", "/restrictions", "/print",
    "/undo", "/archive.json", "/door",
)  # fmt: skip


def places(value: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if here:
        yield here
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*here, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, (*here, number))


def damaged(document: Document, dice: Random) -> Document:
    """A document with a few places changed, removed or doubled."""
    found = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        inner: Any = dice.choice([rows for rows in (*found["tables"].values(), found["journal"]) if rows])
        *way, end = dice.choice(list(places(inner)))
        last: Any = end
        for step in way:
            inner = inner[step]
        match dice.randrange(6):
            case 0:
                del inner[last]
            case 1 if isinstance(inner, list):
                inner.append(copy.deepcopy(inner[last]))
            case 2 if isinstance(inner[last], int) and not isinstance(inner[last], bool):
                inner[last] += dice.choice((-1, 1, 1000))
            case _:
                inner[last] = copy.deepcopy(dice.choice(ODD))
    return found


@pytest.mark.proves("attack 39", "F24", "ASVS 1.5.2")
def test_damaged_archive_is_refused_or_makes_an_event(
    app: Flask, settings: Settings, stage: Stage, tmp_path: Path, migrated_sqlite: Path
) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Dee", "Ed"))
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.play(event, 1)
    stage.publish(event, 2)
    stage.decide(event, stage.games(event, 2)[0], 2, 1)
    document = json.loads(archived(stage.engine, event, stage.clock()))
    came, broken = Counter[str](), list[str]()
    for seed in range(TRIES):
        path = tmp_path / f"{seed}.sqlite3"
        shutil.copy(migrated_sqlite, path)
        other = Stage(open_engine(f"sqlite:///{path}"), stage.clock)
        nora = other.set_up("Nora")
        before = other.digest()
        try:
            made = damaged(as_older(document) if seed % 2 else document, Random(seed))
            slug = taken_in(other.s, with_checksum(made), stage.clock(), nora).slug
        except (UnreadableArchive, Refused) as refused:
            came["refused"] += 1
            assert str(refused)
            assert other.digest() == before
        else:
            came["taken in"] += 1
            attach_database(app, replace(settings, database_url=str(other.engine.url)), other.engine, stage.clock)
            addresses = [(Person(app), f"/e/{slug}{way}") for way in PUBLIC]
            desk = let_in(app, nora)
            addresses += [(desk, f"/e/{slug}/desk{way}") for way in DESK]
            broken += [f"{seed} {text}" for person, text in addresses if person.ask("GET", text).status_code >= 500]
        other.s.close()
        other.engine.dispose()
    assert broken == [], came
    assert min(came["refused"], came["taken in"]) > 0, came
