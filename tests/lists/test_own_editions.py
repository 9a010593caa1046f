"""The club's own editions behind the pages: concurrent changes, uses, limits, and the quoted lines of faults."""

import json
import time
from dataclasses import replace

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError

from events.lists.editions import Understood, add_edition, earlier_answers, quoted, remove_edition, understand
from events.play import queries
from events.play.errors import Refused
from events.setup.actions import change_settings, settings_of
from models.edition import OwnEdition
from tests.conftest import Clock
from tests.kit.own_editions import FILES, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.stage import BY, Stage
from tests.kit.two_at_once import PATIENCE, on_own_connection
from validators.canonical import sha256_of
from validators.contract import UnreadableEdition
from validators.editions import EditionNote, EditionQuestion, EditionReport, EditionTitle


def club(**changed: object) -> Understood:
    """The club's edition, read."""
    return understand(FILES, [("club.json", data_of(club_document() | changed))], EditionTitle())


def add(stage: Stage, **changed: object) -> OwnEdition:
    with stage.changing() as s:
        return add_edition(s, SYSTEM.id, club(**changed), BY, stage.clock())


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_edition(s, SYSTEM.id, ID)


@pytest.mark.both_databases
def test_edition_is_not_removed_while_an_event_chooses_it(stage: Stage, engine: Engine, clock: Clock) -> None:
    add(stage)
    event = stage.event()
    thread, results = on_own_connection(engine, clock, remove)
    with stage.changing(event) as s:
        change_settings(s, event, replace(settings_of(s, event), edition=ID), BY, clock())
        thread.start()
        time.sleep(0.5)
        assert results == [], "it waits for the event's row"
    thread.join(PATIENCE)
    assert [str(one) for one in results] == ["It cannot be removed: Iron Open uses it."]


@pytest.mark.both_databases
def test_event_cannot_choose_a_removed_edition(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    wanted = replace(settings_of(stage.s, event), edition=ID)
    remove(stage)
    with pytest.raises(Refused, match="not known here"), stage.changing(event) as s:
        change_settings(s, event, wanted, BY, stage.clock())
    assert stage.now(event).edition == "2018-08"


@pytest.mark.both_databases
def test_of_two_concurrent_editions_with_one_id_one_is_kept(stage: Stage, engine: Engine, clock: Clock) -> None:
    thread, results = on_own_connection(engine, clock, lambda other: add(other, heroic_caps=61, name="Another"))
    with stage.changing() as s:
        add_edition(s, SYSTEM.id, club(), BY, clock())
        s.flush()  # takes the id before the other thread asks for it
        thread.start()
        time.sleep(0.5)
        assert results == []
    thread.join(PATIENCE)
    assert isinstance(results[0], Refused | IntegrityError)
    assert stage.one(OwnEdition).name == NAME


def test_new_edition_needs_room_a_faction_and_a_new_name(stage: Stage) -> None:
    factions = [faction | {"fielded": False} for faction in club_document()["factions"]]
    with pytest.raises(Refused, match="No faction of this edition may be fielded"):
        add(stage, factions=factions)
    add(stage)
    for name in (NAME.upper(), SYSTEM.edition("2018-08").name.lower()):
        with pytest.raises(Refused, match="Enter another name") as refused:
            add(stage, id="other", name=name)
        assert refused.value.field == "name"
    values = stage.one(OwnEdition).model_dump(exclude={"id", "edition", "name"})
    with stage.changing() as s:
        for number in range(queries.MOST_KEPT - 1):
            s.add(OwnEdition(edition=f"more-{number}", name=f"More {number}", **values))
    with pytest.raises(Refused, match="already 50 editions"):
        add(stage, id="one-more", name="One more")
    add(stage)
    assert len(stage.all(OwnEdition)) == queries.MOST_KEPT, "the same one again is not added twice"


@pytest.mark.both_at_length
def test_stored_edition_is_read_again_after_a_restart(stage: Stage) -> None:
    add(stage)
    row = stage.one(OwnEdition)
    assert row.text.encode() == FILES.write(FILES.read(data_of(club_document())))
    assert (row.sha256, row.by, row.at) == (sha256_of(row.text), BY, stage.clock())
    queries._kept.cache_clear()
    info = queries.own_edition(stage.s, SYSTEM, ID)
    assert info is not None
    assert info.lists == FILES.read(data_of(club_document())).lists
    stage.s.connection().execute(text("UPDATE own_edition SET text = 'spoilt'"))
    assert queries.own_edition(stage.s, SYSTEM, ID) is info, "read once in a process"
    queries._kept.cache_clear()
    with pytest.raises(UnreadableEdition):
        queries.own_edition(stage.s, SYSTEM, ID)


def test_import_report_is_stored_and_read_again() -> None:
    report = EditionReport(("Read so.",), (EditionNote("A", "no cost", "x.cat", 3),), (EditionNote("B", "odd"),), 2)
    assert EditionReport.from_json(json.loads(json.dumps(report.as_json()))) == report
    assert [note.place for note in (*report.left_out, *report.doubts)] == ["x.cat, line 3", ""]


@pytest.mark.both_at_length
def test_answers_are_those_of_the_newest_edition_of_the_same_catalogues(stage: Stage) -> None:
    add(stage)
    for number, answer in enumerate(("drop", "allow")):
        found = replace(club(id=f"club-{number}", name=f"Club {number}"), report=EditionReport(
            origin="made-up", questions=(EditionQuestion("uncarried", "Which?", (("keep", "Keep"),)),),
            answers={"uncarried": answer},
        ))  # fmt: skip
        with stage.changing() as s:
            add_edition(s, SYSTEM.id, found, BY, stage.clock())
    assert earlier_answers(stage.s, SYSTEM.id, "made-up") == ("Club 1", {"uncarried": "allow"})
    assert earlier_answers(stage.s, SYSTEM.id, "another") == earlier_answers(stage.s, SYSTEM.id, "") == ("", {})
    report = stage.one(OwnEdition, edition="club-1").report
    assert report and EditionReport.from_json(report).as_json() == found.report.as_json()  # type: ignore[union-attr]


def test_fault_quotes_its_line() -> None:
    for fault, data, line in (
        ("line 2, date: is no date", b'{\n  "date": 1\n}', '"date": 1'),
        ("the file: not JSON at line 3, column 1 (x)", b"{\n\n  oops", "oops"),
        ("line 9, x: is wrong", b"{}", ""),
        ("line 0, x: is wrong", b"{}", ""),
        ("the file: not UTF-8 text (byte 3)", b"\xff", ""),
        ("line 1, x: is wrong", b'"' + b"x" * 300 + b'"', '"' + "x" * 119 + "…"),
        ("not JSON at line 1, column 200 (x)", b"a" * 199 + b"!" + b"b" * 300, "…" + "a" * 59 + "!" + "b" * 60 + "…"),
        ("line 1, x: is wrong", b"a\x00\x1b[31mb\xe2\x80\xae\r\n", "a\ufffd\ufffd[31mb\ufffd"),
        ("line 1, x: is wrong", b"PK\x03\x04", ""),
    ):
        assert quoted(fault, [("x.json", data)]) == line, fault
    two = [("a.cat", b"one\ntwo"), ("b.cat", b"three\nfour")]
    assert quoted("b.cat: not well-formed XML at line 2", two) == "four", "of the named file"
    assert quoted("c.cat: not well-formed XML at line 2", two) == ""
