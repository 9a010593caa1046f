"""Undo and redo in the builder, without script: what is undone, how many steps are kept, and who may undo."""

from datetime import timedelta

import pytest

from events.lists import actions as lists_actions
from events.lists.actions import MOST_STEPS
from models.event import Event
from models.play import ForceList, ForceStep, ListSeal, Player
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, file
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player in the builder, with Piper in the force and a history of two documents."""
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Start", faction="Survivors")
    ada.press("Read the list", file=file(PIPER))
    return ada


def models(stage: Stage) -> list[str]:
    return [model["name"] for model in stage.one(ForceList).document["models"]]


def enabled(page: Page) -> list[str]:
    """The enabled ones of the two buttons."""
    buttons = page.soup.select("button[value=undo], button[value=redo]")
    return [str(button["value"]) for button in buttons if not button.has_attr("disabled")]


def save(ada: Person, **fields: str) -> None:
    """Save these fields and open the builder anew."""
    ada.press("Save", inside="#builder", **fields)
    ada.open(MINE)


def test_changes_are_undone_and_redone_in_order(ada: Person, stage: Stage) -> None:
    ada.press("Add the model", add_model="Settler")
    ada.press("Add the model", add_model="Dog")
    assert enabled(ada.open(MINE)) == ["undo"], "after a reload too"
    ada.press("Undo")
    assert models(stage) == ["Piper", "Settler"]
    ada.press("Undo")
    assert models(stage) == ["Piper"]
    assert enabled(ada.open(MINE)) == ["undo", "redo"]
    ada.press("Redo")
    ada.press("Redo")
    assert models(stage) == ["Piper", "Settler", "Dog"]
    assert enabled(ada.page) == ["undo"]
    for _ in range(3):
        ada.press("Undo")
    assert (models(stage), enabled(ada.page)) == ([], ["redo"]), "an uploaded file is undone too"
    ada.press("Redo")
    ada.press("Add the model", add_model="Dog")
    assert enabled(ada.page) == ["undo"], "a new change ends what could be redone"
    ada.forge("Save", inside="#builder", do="redo")
    assert models(stage) == ["Piper", "Dog"]
    ada.press("Undo")
    assert ada.press("Undo", name="Typed just now").value("name") == "", "the unsaved name is the newest change"
    assert models(stage) == ["Piper"]
    assert ada.press("Redo").value("name") == "Typed just now"


def test_typing_is_one_step_until_a_pause(ada: Person, stage: Stage) -> None:
    kept = len(stage.all(ForceStep))
    stage.clock.advance(minutes=1)
    for typed in ("P", ""):
        save(ada, name=typed)
    assert len(stage.all(ForceStep)) == kept, "typed and deleted again leaves no step"
    for typed in ("P", "Pr", "Press"):
        save(ada, name=typed)
        stage.clock.advance(seconds=1)
    assert ada.press("Undo").value("name") == ""
    assert ada.press("Redo").value("name") == "Press"
    stage.clock.advance(minutes=1)
    save(ada, name="Press & Co")
    assert ada.press("Undo").value("name") == "Press"


def test_two_counts_are_two_steps(ada: Person, stage: Stage) -> None:
    save(ada, m0__i0__count="2")
    save(ada, m0__i1__count="2")
    ada.press("Undo")
    assert [item["count"] for item in stage.one(ForceList).document["models"][0]["items"]] == [2, 1, 3]


def test_history_is_bounded(ada: Person, stage: Stage, event: Event) -> None:
    player = stage.one(Player)
    for number in range(MOST_STEPS):
        with stage.changing(event) as s:
            document = PIPER | {"name": f"Name {number}"}
            lists_actions.save_force(
                s, event, player, read_force(document), BY, stage.clock(), by_organiser=False, own_step=True
            )
    assert len(stage.all(ForceStep)) == MOST_STEPS
    for _ in range(MOST_STEPS):
        with stage.changing(event) as s:
            lists_actions.step_force(s, event, player, BY, stage.clock(), by_organiser=False, undone=False)
    assert (models(stage), stage.one(ForceList).document["name"]) == (["Piper"], ""), "the oldest two are forgotten"
    assert len(stage.all(ForceStep)) == MOST_STEPS
    assert enabled(ada.open(MINE)) == ["redo"]


def test_suggested_fix_and_new_start_are_undone(ada: Person, stage: Stage) -> None:
    ada.press("Delete and start again", faction="Super Mutants")
    ada.open(MINE)
    ada.press("Undo")
    assert models(stage) == ["Piper"]
    save(ada, m0__i2__count="99")
    save(ada, m0__i0__count="40")
    too_large = stage.one(ForceList).document
    assert ada.page.part("#way-1").startswith("Lower "), "a change of one count, but a step of its own"
    ada.press(next(str(b.get_text(strip=True)) for b in ada.page.soup.select("#fixes button")))
    assert stage.one(ForceList).document != too_large
    ada.press("Undo")
    assert stage.one(ForceList).document == too_large


def test_submitted_force_that_undo_makes_illegal_is_a_draft(ada: Person, stage: Stage) -> None:
    ada.press("Submit this force")
    ada.open(MINE)
    ada.press("Undo")
    assert (models(stage), stage.one(ForceList).submitted_at) == ([], None)


def test_undo_restores_an_earlier_document_in_the_events_edition(ada: Person, stage: Stage, olga: Person) -> None:
    ada.press("Add the model", add_model="Settler")
    olga.open("/e/iron-open/desk/settings")
    assert "Ada" in olga.press("Save", edition="2021-01").part("#affected"), "its costs are others"
    olga.press("Save and change these lists")
    ada.open(MINE)
    ada.press("Undo")
    assert (stage.one(ForceList).document["edition"], models(stage)) == ("2021-01", ["Piper"])


def test_after_the_lock_only_the_organiser_undoes(ada: Person, stage: Stage, event: Event, olga: Person) -> None:
    ada.press("Add the model", add_model="Settler")
    ada.press("Submit this force")
    ada.open(MINE)
    stage.clock.now = DEADLINE + timedelta(minutes=1)
    before = models(stage)
    assert (ada.press("Undo").path != MINE, models(stage)) == (True, before)
    (sealed,) = stage.all(ListSeal)
    olga.open(f"/e/iron-open/desk/players/{stage.one(ForceList).player_id}/force")
    olga.press("Undo")
    assert models(stage) == ["Piper"]
    assert [seal.by for seal in stage.all(ListSeal)] == [sealed.by, "owner Olga"]
    assert stage.journal(event, "edit-force") == [
        "Changed the list of Ada after the lock: 206 to 166 Caps, removed Settler (40 Caps)"
    ]


def test_each_force_has_its_own_history(ada: Person, enter: Enter, event: Event, stage: Stage) -> None:
    (bo,) = enter(event, "Bo")
    bo.open(MINE)
    assert enabled(bo.press("Start", faction="Super Mutants")) == []
    bo.forge("Save", inside="#builder", do="undo")
    assert len(stage.all(ForceList)[0].document["models"]) == 1
    ada.open(MINE)
    ada.press("Undo")
    assert [force.document["faction"] for force in stage.all(ForceList)] == ["Survivors", "Super Mutants"]
