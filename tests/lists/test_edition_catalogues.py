"""Catalogues of another program to an edition, on the pages: files or a zip, the report, what is refused."""

import pytest

from models.edition import OwnEdition
from tests.kit.person import File, Page, Person, words
from tests.kit.stage import Stage
from tests.validators.catalogue_writer import SYSTEM_ID, zipped
from tests.validators.made_up_catalogues import changed, everywhere, files

NEW = "/desk/editions/battle-mode/new"
ROSTER = b"<?xml version='1.0'?><roster xmlns='http://www.battlescribe.net/schema/rosterSchema'/>"


def read(olga: Person, sent: list[File], **typed: str) -> Page:
    """Upload catalogues for a preview."""
    olga.open(NEW)
    return olga.press("Read the files", files=sent, **{"date": "2027-01-15", "name": "Marshals' lists"} | typed)


def report_on(page: Page) -> dict[str, str]:
    """The notes of the report, each with its entries and their places."""
    return {words(says): words(says.find_next_sibling("dd") or says) for says in page.soup.select("dl.notes > dt")}


@pytest.mark.parametrize("kind", ["files", "zip"])
def test_catalogues_are_previewed_and_stored_with_their_report(
    olga: Person, visitor: Person, stage: Stage, kind: str
) -> None:
    sent = changed('value="12.0"', 'value="12.5"')
    page = read(olga, sent if kind == "files" else [("lists.zip", zipped(*sent))], id="marshals-1")
    assert page.status == 200, page.errors + page.part("#faults")
    assert "From the catalogues" in page.text
    assert "Marshals, Drifters" in page.part("#look")
    assert "that may be fielded (Marshals, Drifters)" in page.part("#look")
    report = report_on(page)
    half = next(entries for note, entries in report.items() if "12.5" in note)
    assert half.startswith("Long Carbine Made-up.gst, line ")
    assert stage.all(OwnEdition) == []
    page = olga.press("Store this edition")
    assert page.path == "/rules/battle-mode/editions/marshals-1"
    row = stage.one(OwnEdition)
    assert (row.name, row.date) == ("Marshals' lists", "2027-01-15")
    assert row.report is not None
    assert {note["says"] for part in ("doubts", "left_out") for note in row.report[part]} == report.keys()
    page = visitor.open(page.path)
    assert report_on(page) == report
    assert next(row for row in page.rows("table.prices") if row[0].startswith("Deputy"))[1] == "40"


SAW, DROP = "answer-uncarried", "drop"


def test_answers_are_given_once_and_used_for_the_same_catalogues(olga: Person, visitor: Person, stage: Stage) -> None:
    page = read(olga, files(), id="marshals-1")
    assert [words(one) for one in page.soup.select("#look legend")] == ["No model may carry these items."]
    assert page.value(SAW) == "keep" and "answers are those of “" not in page.text
    page = olga.press("Apply the answers", **{SAW: DROP})
    assert page.value(SAW) == "drop" and "3 items" in page.part("#look"), "the preview is that of the answers"
    page = olga.press("Compare", **{SAW: "keep"})
    assert "4 items" in page.part("#look"), "no answer is final before it is stored"
    olga.press("Store this edition", **{SAW: DROP})
    row = stage.one(OwnEdition)
    assert row.report is not None
    assert (row.report["answers"], "Rusty Saw" in row.text) == ({"uncarried": "drop"}, False)
    page = visitor.open("/rules/battle-mode/editions/marshals-1")
    assert "No model may carry these items. Leave them out." in page.text and "Rusty Saw" in page.part("dl.notes")
    page = read(olga, changed('value="40.0"', 'value="41.0"'), id="marshals-2", name="Next")
    assert page.value(SAW) == "drop" and "answers are those of “Marshals' lists”" in page.text
    assert "3 items" in page.part("#look")
    olga.press("Store this edition")
    assert stage.one(OwnEdition, edition="marshals-2").report["answers"] == {"uncarried": "drop"}  # type: ignore[index]
    others = everywhere(SYSTEM_ID.encode(), b"bbbb-0000")
    assert read(olga, others, id="others", name="Others").value(SAW) == "keep", "another game system"
    page = olga.forge("Store this edition", **{SAW: "sell"})
    assert page.path.endswith("/others") and stage.one(OwnEdition, edition="others").report["answers"] == {}  # type: ignore[index]


def test_date_of_the_lists_is_required(olga: Person, stage: Stage) -> None:
    page = read(olga, files(), date="")
    assert (page.status, page.value("name")) == (422, "Marshals' lists")
    assert "Enter the date of the lists" in page.error_at("date")
    page = read(olga, files(), date="15.1.2027")
    assert (page.status, bool(page.error_at("date"))) == (422, True)
    for sent, fault in (
        ([("list.ros", ROSTER)], "list.ros: a roster, no catalogue"),
        ([("list.rosz", zipped(("list.ros", ROSTER)))], "list.rosz: a roster, no catalogue"),
        (files()[1:], "no game system file (.gst)"),
        ([("cat.png", b"\x89PNG")], "cat.png: "),
    ):
        page = read(olga, sent, date="")
        assert (page.status, page.error_at("date")) == (422, ""), "files without catalogues are refused before"
        assert fault in page.part("#faults")
        named = [li for li in page.soup.select("#faults li") if li.get_text().strip().startswith(sent[0][0])]
        assert all("as-written" in (li.get("class") or ()) for li in named), "a file's name keeps its small letter"
    assert stage.all(OwnEdition) == []
