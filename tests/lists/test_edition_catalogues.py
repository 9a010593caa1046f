"""Catalogues of another program to an edition, through the pages: files or a zip, the report, what is refused."""

import time

import pytest

from models.edition import OwnEdition
from tests.kit.bounds import RUN_AWAY
from tests.kit.person import File, Page, Person, words
from tests.kit.stage import Stage
from tests.validators.catalogue_writer import zipped
from tests.validators.test_catalogue_faults import changed, files
from tests.validators.test_catalogue_hostile import DTD, bomb, doubling_groups, with_catalogue, zipped_up

NEW = "/desk/editions/battle-mode/new"


def read(olga: Person, sent: list[File], **typed: str) -> Page:
    """Send catalogues for a look."""
    olga.open(NEW)
    return olga.press("Read the files", files=sent, **{"date": "2027-01-15", "name": "Marshals' lists"} | typed)


def told(page: Page) -> dict[str, str]:
    """What the report says, and of which entries with their places."""
    return {words(says): words(says.find_next_sibling("dd") or says) for says in page.soup.select("dl.notes > dt")}


@pytest.mark.parametrize("sort", ["files", "zip"])
def test_catalogues_are_looked_at_with_their_report_and_stored_with_it(
    olga: Person, visitor: Person, stage: Stage, sort: str
) -> None:
    sent = changed('value="12.0"', 'value="12.5"')
    page = read(olga, sent if sort == "files" else [("lists.zip", zipped(*sent))], id="marshals-1")
    assert page.status == 200, page.errors + page.part("#faults")
    assert "From the catalogues" in page.text
    assert "Marshals, Drifters" in page.part("#look")
    assert "that may be fielded (Marshals, Drifters)" in page.part("#look")
    doubts = told(page)
    assert doubts
    assert stage.all(OwnEdition) == []
    page = olga.press("Store this edition")
    assert page.path == "/rules/battle-mode/editions/marshals-1"
    row = stage.one(OwnEdition)
    assert (row.name, row.date) == ("Marshals' lists", "2027-01-15")
    assert (
        row.report is not None
        and {note["says"] for sort in ("doubts", "left_out") for note in row.report[sort]} == doubts.keys()
    )
    page = visitor.open(page.path)
    assert told(page) == doubts
    assert next(row for row in page.rows("table.prices") if row[0].startswith("Deputy"))[1] == "40"


def test_what_was_left_out_and_what_is_in_doubt_is_told_with_its_place(olga: Person) -> None:
    page = read(olga, changed('value="12.0"', 'value="12.5"'))
    assert page.status == 200
    which = next(which for says, which in told(page).items() if "12.5" in says)
    assert which.startswith("Long Carbine Made-up.gst, line ")


def test_catalogues_need_the_day_that_they_do_not_say(olga: Person, stage: Stage) -> None:
    page = read(olga, files(), date="")
    assert page.status == 422
    assert "Which day are the lists of?" in page.error_at("date")
    assert page.value("name") == "Marshals' lists", "what was typed is kept"
    page = read(olga, files(), date="15.1.2027")
    assert page.status == 422
    assert page.error_at("date")
    assert stage.all(OwnEdition) == []


ROSTER = b"<?xml version='1.0'?><roster xmlns='http://www.battlescribe.net/schema/rosterSchema'/>"
HOPELESS = {
    "a roster": ([("list.ros", ROSTER)], "list.ros: a roster, no catalogue"),
    "a zipped roster": ([("list.rosz", zipped(("list.ros", ROSTER)))], "list.rosz: a roster, no catalogue"),
    "no game system": (files()[1:], "no game system file (.gst)"),
    "a picture": ([("cat.png", b"\x89PNG")], "cat.png: "),
}


@pytest.mark.parametrize("sort", HOPELESS)
def test_what_is_no_set_of_catalogues_is_refused_before_the_day_is_asked(olga: Person, sort: str) -> None:
    sent, says = HOPELESS[sort]
    page = read(olga, sent, date="")
    assert page.status == 422
    assert says in page.part("#faults")
    assert not page.error_at("date")
    named = [fault for fault in page.soup.select("#faults li") if fault.get_text().strip().startswith(sent[0][0])]
    assert all("as-written" in (fault.get("class") or ()) for fault in named), "a file's name keeps its small letter"


HOSTILE = {
    "zip bomb": ([("x.zip", bomb())], "unpacks to more than 8000000 bytes"),
    "entities": (with_catalogue(DTD), "declares a document type or entities"),
    "zip in zip in zip": ([("x.zip", zipped_up(3))], "an archive in an archive in an archive"),
    "entangled": (with_catalogue(doubling_groups()), ""),
    "cut zip": ([("x.zip", zipped(*files())[:-30])], "damaged"),
    "no game system": (files()[1:], "no game system file (.gst)"),
    "only a game system": (files()[:1], "no catalogue (.cat)"),
    "utf-16": (with_catalogue('<?xml version="1.0" encoding="UTF-16"?><catalogue/>'.encode("utf-16")), "not UTF-8"),
    "nul": (with_catalogue(b"<catalogue>\0</catalogue>"), "not UTF-8 text (it holds NUL)"),
    "not closed": (with_catalogue(b"<catalogue>\n<a>\n</catalogue>"), "x.cat: not well-formed XML at line 3"),
    "a picture": ([("x.png", b"\x89PNG\r\n\x1a\n" + bytes(100))], "x.png"),
    "empty": ([("x.cat", b"")], "x.cat"),
}


@pytest.mark.parametrize("sort", HOSTILE)
def test_broken_and_hostile_catalogues_are_refused_in_words_and_soon(olga: Person, stage: Stage, sort: str) -> None:
    sent, words = HOSTILE[sort]
    olga.open(NEW)
    before, started = stage.digest(), time.process_time()
    page = olga.press("Read the files", files=sent, date="2027-01-15")
    took = time.process_time() - started
    assert page.status == 422
    assert words in page.part("#faults")
    assert "cannot be read as an edition" in page.error_at("files")
    assert took < RUN_AWAY, f"{took:.1f} s"
    assert stage.digest() == before


def test_a_fault_in_a_catalogue_quotes_its_line(olga: Person) -> None:
    page = read(olga, with_catalogue(b"<catalogue>\n<a>\n</catalogue >"))
    assert page.part("#faults pre") == "</catalogue >"
