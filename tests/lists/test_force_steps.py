"""Undo and redo in the builder, without script: what is taken back, how far, and who may."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from events.lists.actions import MOST_STEPS
from models.event import Event
from models.play import ForceList, ForceStep, ListSeal
from tests.kit.lists import MINE, PIPER, file
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

Enter = Callable[..., list[Person]]


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player in the builder, with Piper in the force and a history of two documents."""
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Start", faction="Survivors")
    ada.press("Read the file", file=file(PIPER))
    return ada


def models(stage: Stage) -> list[str]:
    return [model["name"] for model in stage.one(ForceList).document["models"]]


def open_ways(page: Page) -> list[str]:
    """Which of the two buttons can be pressed."""
    buttons = page.soup.select("button[value=undo], button[value=redo]")
    return [str(button["value"]) for button in buttons if not button.has_attr("disabled")]


def test_changes_are_taken_back_and_brought_again_in_order(ada: Person, stage: Stage) -> None:
    ada.press("Add the model", add_model="Settler")
    ada.press("Add the model", add_model="Dog")
    assert open_ways(ada.open(MINE)) == ["undo"], "after a reload too"
    ada.press("Undo")
    assert models(stage) == ["Piper", "Settler"]
    ada.press("Undo")
    assert models(stage) == ["Piper"]
    assert open_ways(ada.open(MINE)) == ["undo", "redo"]
    ada.press("Redo")
    ada.press("Redo")
    assert models(stage) == ["Piper", "Settler", "Dog"]
    assert open_ways(ada.page) == ["undo"]
    for _ in range(3):
        ada.press("Undo")
    assert models(stage) == [], "the read file is taken back too"
    assert open_ways(ada.page) == ["redo"]


def test_a_new_change_ends_what_was_undone(ada: Person, stage: Stage) -> None:
    ada.press("Add the model", add_model="Settler")
    ada.press("Undo")
    page = ada.press("Add the model", add_model="Dog")
    assert open_ways(page) == ["undo"]
    ada.forge("Save", inside="#builder", do="redo")
    assert models(stage) == ["Piper", "Dog"]


def test_what_is_typed_and_not_saved_is_what_undo_takes_back(ada: Person, stage: Stage) -> None:
    page = ada.press("Undo", name="Typed just now")
    assert page.value("name") == ""
    assert models(stage) == ["Piper"]
    assert ada.press("Redo").value("name") == "Typed just now"


def test_typing_is_one_step_and_pauses_part_it(ada: Person, stage: Stage) -> None:
    stage.clock.advance(minutes=1)
    for typed in ("P", "Pr", "Press"):
        ada.press("Save", inside="#builder", name=typed)
        stage.clock.advance(seconds=1)
    ada.open(MINE)
    assert ada.press("Undo").value("name") == ""
    assert ada.press("Redo").value("name") == "Press"
    stage.clock.advance(minutes=1)
    ada.press("Save", inside="#builder", name="Press & Co")
    ada.open(MINE)
    assert ada.press("Undo").value("name") == "Press"
    before = stage.digest()
    ada.open(MINE)
    assert stage.digest() == before


def test_typed_and_taken_back_by_hand_leaves_no_step(ada: Person, stage: Stage) -> None:
    kept = len(stage.all(ForceStep))
    for typed in ("P", ""):
        ada.press("Save", inside="#builder", name=typed)
        ada.open(MINE)
    assert len(stage.all(ForceStep)) == kept


def test_two_counts_are_two_steps(ada: Person, stage: Stage) -> None:
    ada.press("Save", inside="#builder", m0__i0__count="2")
    ada.open(MINE)
    ada.press("Save", inside="#builder", m0__i1__count="2")
    ada.open(MINE)
    ada.press("Undo")
    counts = [item["count"] for item in stage.one(ForceList).document["models"][0]["items"]]
    assert counts == [2, 1, 3]


def test_the_history_is_bounded(ada: Person, stage: Stage) -> None:
    for number in range(MOST_STEPS):
        stage.clock.advance(minutes=1)  # a pause parts what is typed into steps
        ada.press("Save", inside="#builder", name=f"Name {number}")
    assert len(stage.all(ForceStep)) == MOST_STEPS
    while "undo" in open_ways(ada.page):
        ada.press("Undo")
    assert (models(stage), stage.one(ForceList).document["name"]) == (["Piper"], ""), "the oldest two are forgotten"
    assert len(stage.all(ForceStep)) == MOST_STEPS


def test_a_mending_and_a_new_start_are_taken_back(ada: Person, stage: Stage) -> None:
    ada.press("Throw away and start again", faction="Super Mutants")
    ada.open(MINE)
    ada.press("Undo")
    assert models(stage) == ["Piper"]
    ada.press("Save", inside="#builder", m0__i0__count="99")
    ada.open(MINE)
    ada.press("Save", inside="#builder", m0__i2__count="99")
    ada.open(MINE)
    over = stage.one(ForceList).document
    ada.press(next(str(b.get_text(strip=True)) for b in ada.page.soup.select("#mend button")))
    assert stage.one(ForceList).document != over
    ada.press("Undo")
    assert stage.one(ForceList).document == over


def test_a_mending_is_a_step_of_its_own(ada: Person, stage: Stage) -> None:
    ada.press("Save", inside="#builder", m0__i2__count="99")
    ada.open(MINE)
    ada.press("Save", inside="#builder", m0__i0__count="40")
    over = stage.one(ForceList).document
    ada.open(MINE)
    words = ada.page.part("#way-1")
    assert words.startswith("Lower "), words
    ada.press(next(str(b.get_text(strip=True)) for b in ada.page.soup.select("#mend button")))
    ada.press("Undo")
    assert stage.one(ForceList).document == over


def test_a_stale_page_undoes_nothing(ada: Person, stage: Stage) -> None:
    stale = ada.open(MINE)
    ada.press("Add the model", add_model="Settler")
    before = stage.digest()
    ada.page = stale
    assert ada.press("Undo", name="Else").status == 409
    assert stage.digest() == before


def test_a_submitted_force_that_undo_makes_illegal_is_a_draft(ada: Person, stage: Stage) -> None:
    ada.press("Submit this force")
    ada.open(MINE)
    ada.press("Undo")
    assert stage.one(ForceList).submitted_at is None
    assert models(stage) == []


def test_an_earlier_document_comes_back_in_the_events_edition(ada: Person, stage: Stage, olga: Person) -> None:
    ada.press("Add the model", add_model="Settler")
    olga.open("/e/iron-open/desk/settings")
    assert "Ada" in olga.press("Save", edition="2021-01").part("#affected"), "her list costs something else by it"
    olga.press("Save and change these lists")
    assert stage.one(Event).edition == "2021-01"
    ada.open(MINE)
    ada.press("Undo")
    document = stage.one(ForceList).document
    assert (document["edition"], models(stage)) == ("2021-01", ["Piper"])


def test_after_the_lock_only_the_organiser_steps_and_it_is_sealed_and_told(
    ada: Person, stage: Stage, event: Event, olga: Person
) -> None:
    ada.press("Add the model", add_model="Settler")
    ada.press("Submit this force")
    page = ada.open(MINE)
    stage.clock.now = datetime(2026, 12, 4, 19, 1, tzinfo=UTC)
    before = models(stage)
    ada.page = page
    assert ada.press("Undo").path != MINE
    assert models(stage) == before
    (sealed,) = stage.all(ListSeal)
    olga.open(f"/e/iron-open/desk/players/{stage.one(ForceList).player_id}/force")
    olga.press("Undo")
    assert models(stage) == ["Piper"]
    assert [seal.by for seal in stage.all(ListSeal)] == [sealed.by, "owner Olga"]
    assert stage.journal(event, "edit-force") == [
        "Changed the force of Ada after the lock: 206 to 166 Caps, removed Settler (40 Caps)"
    ]


def test_histories_do_not_mix(ada: Person, enter: Enter, event: Event, stage: Stage) -> None:
    (bo,) = enter(event, "Bo")
    bo.open(MINE)
    page = bo.press("Start", faction="Super Mutants")
    assert open_ways(page) == []
    bo.forge("Save", inside="#builder", do="undo")
    assert len(stage.all(ForceList)[0].document["models"]) == 1
    ada.open(MINE)
    ada.press("Undo")
    assert [force.document["faction"] for force in stage.all(ForceList)] == ["Survivors", "Super Mutants"]
