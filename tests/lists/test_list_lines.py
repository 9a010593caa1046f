"""The page that shows what was read from a text, line by line, before it replaces a list."""

from dataclasses import replace

import pytest

from events.lists.reading import Reading, answers_of, text_in
from models.play import ForceList, Player
from tests.kit.lists import MINE, store_force
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Stage
from validators.contract import Imported, LineRead, ListQuestion

TEXT = "Late Shift\nPiper, Leader (76 caps)\nMystery Person (50 caps)\nSettler (40 caps)\n-<b>bold</b>\nTotal 116"
READ = (LineRead(1, "Piper 76", "read", "Piper", caps=76), LineRead(4, "Total 166", "total"))
ASKED = LineRead(2, "Settler with a gun", "check", "Settler", caps=40)
LEFT_OUT = LineRead(3, "Radstag 42", "left out", caps=42)
BARE = ListQuestion("bare", "Armed?", (5,), ())


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada Ωmega")
    ada.open(MINE)
    return ada


def reading(*lines: LineRead, stated: int | None = 166, questions: tuple[ListQuestion, ...] = ()) -> Reading:
    total = 76 + sum(line.caps or 0 for line in lines if line.state == "check")
    return Reading(Imported({}, "a text", stated, total, lines=(*READ, *lines), questions=questions))


def test_caps_of_a_text_are_read_asked_or_left_out() -> None:
    for view, sums, kinds in (
        (reading(ASKED, LEFT_OUT), (48, 42, True), ["read", "open", "out"]),
        (reading(ASKED), (90, 0, True), ["read", "open"]),
        (reading(LEFT_OUT), (0, 42, False), []),
        (reading(LEFT_OUT, stated=118), (0, 42, True), ["read", "out"]),
        (reading(stated=76), (0, 0, True), ["read"]),
        (reading(ASKED, stated=60), (0, 0, False), []),
        (reading(ASKED, LEFT_OUT, stated=None), (0, 42, False), []),
        (reading(stated=0), (0, 0, False), []),
    ):
        assert (view.to_answer, view.left_out, view.adds_up) == sums
        assert [part.kind for part in view.bar] == kinds
    first, second, last = reading(ASKED, LEFT_OUT).bar
    assert (first.at, round(second.at), round(last.at + last.width)) == (0, 275, 597)
    assert first.width < second.at and second.at + second.width < last.at, "the parts do not touch"


def test_page_returns_to_the_question_and_after_the_last_to_the_top() -> None:
    a_reading, both = reading(ASKED), reading(ASKED, questions=(BARE,))
    assert (a_reading.first_open, a_reading.place("2")) == ("line-2", "read")
    assert (both.first_open, both.place("2"), both.place("bare")) == ("question-bare", "line-2", "question-bare")
    assert reading(replace(ASKED, asked_above=True)).first_open == ""
    assert reading().first_open == ""


def test_last_answer_to_a_question_counts() -> None:
    assert answers_of(["3=rifle", "bare=armed", "3=a=b", "x"]) == {"3": "a=b", "bare": "armed", "x": ""}


def test_only_text_goes_into_the_box() -> None:
    assert text_in("2× Piper".encode()) == "2× Piper"
    for data in (b"PK\x03\x04\xff", b"a\0b", "2× Piper".encode("utf-16"), b"<?xml?><roster/>", b"a" * 100_001):
        assert text_in(data) == "", data[:9]


@pytest.mark.proves("attack 95")
def test_text_is_shown_line_by_line_and_kept_until_it_is_used(ada: Person, stage: Stage) -> None:
    before = stage.digest()
    page = ada.press("Read the list", text=TEXT)
    assert stage.digest() == before, "nothing is saved"
    assert page.part("h1") == "Is this your list?"
    rows = [row.get_text(" ", strip=True) for row in page.soup.select(".read-lines > li")]
    assert [row.split()[0] for row in rows] == [str(number) for number in range(1, 7)], "in the order of the text"
    assert "Mystery Person (50 caps) Please check" in rows[2]
    assert "<b>bold" not in page.response.text
    page = ada.press("Change the text")
    assert (page.path, str(page.value("text")).splitlines()) == (MINE, TEXT.splitlines())
    assert stage.digest() == before
    assert page.value("packed") == "", "the changed text is read, not the carried one"
    ada.press("Read the list", text=TEXT)
    page = ada.press("Keep it with 2 questions open")
    assert "The force was read and saved. Nothing is submitted until you press Submit." in page.flashes
    assert "Mystery Person (50 caps)" in page.part("#verdict")
    assert [model["name"] for model in stage.one(ForceList).document["models"]] == ["Piper", "Settler"]


def test_submitted_list_is_replaced_when_the_text_is_used(ada: Person, stage: Stage, olga: Person) -> None:
    kept = stage.now(store_force(stage, "Ada Ωmega"))
    before = stage.one(ForceList).document
    at = f"/e/iron-open/desk/players/{stage.one(Player).id}/force"
    for person, place in ((ada, MINE), (olga, at)):
        page = person.press("Read the list", at=place, text=TEXT)
        assert "It replaces the submitted list and counts at once." in page.text
        assert stage.one(ForceList).document == before
    assert "Ada Ωmega" in page.part("header.stack")
    page = olga.press("Keep it with 2 questions open")
    assert "It replaced your submitted one, and counts as it is now." in page.flashes
    assert stage.one(ForceList).submitted and stage.one(ForceList).document != before and kept


def test_uploaded_file_is_carried_and_no_other_text_takes_its_place(ada: Person, stage: Stage) -> None:
    page = ada.press("Read the list", file=("list.txt", TEXT.encode("utf-16")))
    assert page.part("h1") == "Is this your list?"
    shown, packed = ada.page, str(page.value("packed"))
    assert packed and "Mystery" not in packed
    assert ada.press("Choose another file").value("text") == "", "a file that is no plain text is not put into the box"
    for forged in (packed[:-1] + ("A" if packed[-1] != "A" else "B"), "x"):
        ada.page = shown
        page = ada.forge("Keep it with 2 questions open", packed=forged)
        assert (page.status, page.error_at("file")) == (422, "This page is out of date: choose the file again.")
    assert stage.all(ForceList) == []
    ada.page = shown
    ada.press("Keep it with 2 questions open")
    assert [model["name"] for model in stage.one(ForceList).document["models"]] == ["Piper", "Settler"]


def test_answer_for_all_holds_for_a_line_that_is_kept_later(enter: Enter, stage: Stage) -> None:
    (bo,) = enter(stage.event("Pasted", edition="2022-community"), "Bo")
    bo.press(
        "Read the list", at="/e/pasted/me/force", text="BoS\nPaladin (L) gatling laser\n[x] Knight\n[ ] Field Scribe"
    )
    bo.press("Unarmed 62")
    assert bo.press("As read 43").part("h1") == "This is your list", "the weapons of all were asked about once"
    bo.press("Use this list")
    names = [model["name"] for model in stage.one(ForceList).document["models"]]
    assert names == ["Paladin", "Knight", "Field Scribe"]
