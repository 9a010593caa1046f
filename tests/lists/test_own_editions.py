"""Editions of the club's own beneath the pages: two at once, what is in use, what is kept for good."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError

from events.lists.edition_files import Understood, quoted, understand
from events.lists.editions import add_edition, remove_edition
from events.play import editions
from events.play.errors import Refused
from events.setup.actions import change_settings, settings_of
from models.edition import OwnEdition
from tests.conftest import Clock
from tests.kit.own_editions import FILES, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.stage import BY, Stage
from validators.canonical import sha256_of
from validators.contract import UnreadableEdition
from validators.editions import EditionNote, EditionReport, EditionTitle


def club(**changed: object) -> Understood:
    """The club's edition, read."""
    return understand(FILES, [("club.json", data_of(club_document() | changed))], EditionTitle())


def add(stage: Stage, **changed: object) -> OwnEdition:
    with stage.changing() as s:
        return add_edition(s, SYSTEM.id, club(**changed), BY, stage.clock())


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_edition(s, SYSTEM.id, ID)


def beside(engine: Engine, clock: Clock, act: Callable[[Stage], object]) -> tuple[threading.Thread, list[object]]:
    """The same on a connection of its own, in a thread: what came of it stands in the list when it is done."""
    came: list[object] = []

    def run() -> None:
        other = Stage(engine, clock)
        try:
            came.append(act(other))
        except (Refused, IntegrityError) as fault:
            came.append(fault)
        finally:
            other.s.close()

    return threading.Thread(target=run), came


def test_what_is_stored_is_the_game_s_own_file_with_its_hash(stage: Stage) -> None:
    add(stage)
    row = stage.one(OwnEdition)
    assert row.text.encode() == FILES.write(FILES.read(data_of(club_document())))
    assert (row.sha256, row.by, row.at) == (sha256_of(row.text), BY, stage.clock())


@pytest.mark.both_databases
def test_one_is_not_removed_while_an_event_chooses_it(stage: Stage, engine: Engine, clock: Clock) -> None:
    add(stage)
    event = stage.event()
    thread, came = beside(engine, clock, remove)
    with stage.changing(event) as s:
        change_settings(s, event, replace(settings_of(s, event), edition=ID), BY, clock())
        thread.start()
        time.sleep(0.5)
        assert came == [], "it waits for the event's row"
    thread.join(30)
    assert [str(one) for one in came] == ["It cannot be removed: Iron Open uses it."]


@pytest.mark.both_databases
def test_an_event_does_not_choose_one_that_was_removed_meanwhile(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    wanted = replace(settings_of(stage.s, event), edition=ID)
    remove(stage)
    with pytest.raises(Refused, match="not known here"), stage.changing(event) as s:
        change_settings(s, event, wanted, BY, stage.clock())
    assert stage.now(event).edition == "2018-08"


@pytest.mark.both_databases
def test_of_two_who_add_the_same_id_at_once_one_is_kept(stage: Stage, engine: Engine, clock: Clock) -> None:
    thread, came = beside(engine, clock, lambda other: add(other, heroic_caps=61, name="Another"))
    with stage.changing() as s:
        add_edition(s, SYSTEM.id, club(), BY, clock())
        s.flush()  # holds the id in the database until the other is told
        thread.start()
        time.sleep(0.5)
        assert came == []
    thread.join(30)
    assert isinstance(came[0], Refused | IntegrityError)
    assert stage.one(OwnEdition).name == NAME


def test_no_more_are_kept_than_stay_read(stage: Stage) -> None:
    add(stage)
    values = stage.one(OwnEdition).model_dump(exclude={"id", "edition", "name"})
    with stage.changing() as s:
        for number in range(editions.MOST_KEPT - 1):
            s.add(OwnEdition(edition=f"more-{number}", name=f"More {number}", **values))
    with pytest.raises(Refused, match="50 editions are kept"):
        add(stage, id="one-more", name="One more")
    add(stage)
    assert len(stage.all(OwnEdition)) == editions.MOST_KEPT, "the same one again is no new one"


def test_one_without_a_faction_to_field_is_refused(stage: Stage) -> None:
    factions = [faction | {"fielded": False} for faction in club_document()["factions"]]
    with pytest.raises(Refused, match="No faction of this edition may be fielded"):
        add(stage, factions=factions)


def test_names_are_taken_whatever_their_case(stage: Stage) -> None:
    add(stage)
    for name in (NAME.upper(), SYSTEM.edition("2018-08").name.lower()):
        with pytest.raises(Refused, match="give yours another name") as refused:
            add(stage, id="other", name=name)
        assert refused.value.field == "name"


@pytest.mark.both_databases
def test_a_row_reads_as_the_same_edition_after_a_restart(stage: Stage) -> None:
    add(stage)
    editions._kept.cache_clear()
    info = editions.own_edition(stage.s, SYSTEM, ID)
    assert info is not None
    assert info.lists == FILES.read(data_of(club_document())).lists
    stage.s.connection().execute(text("UPDATE own_edition SET text = 'spoilt'"))
    assert editions.own_edition(stage.s, SYSTEM, ID) is info, "read once in a process"
    editions._kept.cache_clear()
    with pytest.raises(UnreadableEdition):
        editions.own_edition(stage.s, SYSTEM, ID)


def test_a_report_is_stored_and_read_again() -> None:
    report = EditionReport(("Read so.",), (EditionNote("A", "no cost", "x.cat", 3),), (EditionNote("B", "odd"),), 2)
    assert EditionReport.from_json(json.loads(json.dumps(report.as_json()))) == report
    assert [note.place for note in (*report.left_out, *report.doubts)] == ["x.cat, line 3", ""]


@pytest.mark.parametrize(
    ("fault", "data", "line"),
    [
        ("line 2, date: is no date", b'{\n  "date": 1\n}', '"date": 1'),
        ("the file: not JSON at line 3, column 1 (x)", b"{\n\n  oops", "oops"),
        ("line 9, x: is wrong", b"{}", ""),
        ("line 0, x: is wrong", b"{}", ""),
        ("the file: not UTF-8 text (byte 3)", b"\xff", ""),
        ("line 1, x: is wrong", b'"' + b"x" * 300 + b'"', '"' + "x" * 119 + "…"),
        ("not JSON at line 1, column 200 (x)", b"a" * 199 + b"!" + b"b" * 300, "…" + "a" * 59 + "!" + "b" * 60 + "…"),
        ("line 1, x: is wrong", b"a\x00\x1b[31mb\xe2\x80\xae\r\n", "a\ufffd\ufffd[31mb\ufffd"),
        ("line 1, x: is wrong", b"PK\x03\x04", ""),
    ],
)
def test_the_line_of_a_fault_is_quoted_as_far_as_one_can_read(fault: str, data: bytes, line: str) -> None:
    assert quoted(fault, [("x.json", data)]) == line


def test_of_several_files_the_named_one_is_quoted() -> None:
    sent = [("a.cat", b"one\ntwo"), ("b.cat", b"three\nfour")]
    assert quoted("b.cat: not well-formed XML at line 2", sent) == "four"
    assert quoted("c.cat: not well-formed XML at line 2", sent) == ""
