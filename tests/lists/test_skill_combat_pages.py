"""A bout event on the pages: a character built without script, uploaded, put on paper, and a bout reported."""

import pytest

from models.event import Event, ListsShown
from models.play import ForceList
from tests.kit.lists import MINE, Enter, file
from tests.kit.papers import texts
from tests.kit.person import Person, words
from tests.kit.skill_combatants import JIM, attributes, jim
from tests.kit.stage import Stage
from validators.contract import Document

CHARACTER = "Character (character 1)"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of skill combat."""
    return stage.event(game="skill_combat")


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player in the builder, with an empty side."""
    (ada,) = enter(event, "Ada")
    page = ada.open(MINE)
    assert "My side" in page.text and "BattleScribe" not in page.text
    page = ada.press("Start", faction="Raiders")
    assert page.part(".tally-value") == "0 of 40 SPECIAL points"
    return ada


def stored(stage: Stage) -> Document:
    stage.s.expire_all()
    document: Document = stage.all(ForceList)[0].document
    return document


def test_jim_is_built_by_hand_and_submitted(ada: Person, stage: Stage) -> None:
    ada.press("Add a character")
    assert ada.page.part(".tally-value") == "35 of 40 SPECIAL points"
    fields = {f"m0__{name}": str(value) for name, value in JIM["special"].items()}
    ada.press(f"Add weapon to {CHARACTER}", m0__add_weapon="10mm Pistol", **fields)
    page = ada.press("Save", inside="#builder", m0__name="Jim the Raider", m0__armour="Leather Jacket")
    assert page.flashes == "Saved."
    assert stored(stage) == jim()
    found = page.soup.select("#m0 .breakdown > div")
    shown = {words(one.dt): words(one.b) for one in found if one.dt and one.b}
    expected = {"Health Points": "33", "Armor Class": "14", "AP back, standing": "+12", "Small Guns": "30 %"}
    assert {name: shown[name] for name in expected} == expected
    calculator = page.soup.select_one(".builder-total")
    assert calculator is not None
    ada.press("Submit this side")
    assert "Submitted" in ada.page.flashes
    ada.open(str(calculator["href"]))
    (chance, *_) = [words(one) for one in ada.page.soup.select("#result .first b")]
    assert chance == "44 %", "the figures of the document's example"


def test_own_gear_is_added_and_removed(ada: Person, stage: Stage) -> None:
    ada.press("Add a character")
    ada.press(f"Add weapon to {CHARACTER}", m0__add_weapon="With its own figures")
    ada.press("Save", inside="#builder", m0__w0__name="Laser", m0__w0__damage="9", m0__w0__stat="PE", m0__armour="own")
    assert stored(stage)["models"][0]["weapons"][0]["own"]["damage"] == 9
    ada.press("Save", inside="#builder", m0__armour__name="Plates", m0__armour__ac="7")
    own = {"ac": 7, "dc": 0, "jc": 0, "resistance": 0}
    assert stored(stage)["models"][0]["armour"] == {"name": "Plates", "own": own}
    assert "Laser brings its own figures" in ada.page.part("#verdict")
    ada.press(f"Add item to {CHARACTER}", m0__add_item="Jet")
    for what in ("Laser", "Jet"):
        ada.press(f"Take out {what}")
    ada.press("Save", inside="#builder", m0__armour="")
    model = stored(stage)["models"][0]
    assert (model["weapons"], model["items"], model["armour"]) == ([], [], None)


def test_order_of_turns_is_on_the_players_page_and_the_scoresheet(
    enter: Enter, stage: Stage, event: Event, olga: Person
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    for person, name, perception in ((ada, "Ash", 8), (bo, "Bolt", 3)):
        person.open(MINE)
        special = attributes(PE=perception, CH=1)
        person.press("Read the list", inside="details", file=file(jim(name=name, special=special)))
        person.press("Submit this side")
    assert "Sequence" not in ada.open("/e/iron-open/me").text, "there is no game yet"
    game = stage.publish(event, 1)[0]
    ash, bolt = ("A", "B") if stage.name(game.a_id) == "Ada" else ("B", "A")
    order = f"The order by Sequence: Ash ({ash}) 16; Bolt ({bolt}) 6. Equal ones roll a d10"
    for person in (ada, bo):
        assert order in person.open("/e/iron-open/me").text
    (sheet,) = texts(olga.open("/e/iron-open/rounds/1/scoresheets.pdf"))
    assert order in sheet


def test_secret_lists_show_no_order_of_turns(enter: Enter, stage: Stage, olga: Person) -> None:
    event = stage.event("Secret", game="skill_combat", lists_shown=ListsShown.AFTER_EVENT)
    ada, bo = enter(event, "Ada", "Bo")
    for person in (ada, bo):
        person.open("/e/secret/me/force")
        person.press("Read the list", inside="details", file=file(jim()))
        person.press("Submit this side")
    stage.publish(event, 1)
    assert "by Sequence:" not in ada.open("/e/secret/me").text
    (sheet,) = texts(olga.open("/e/secret/rounds/1/scoresheets.pdf"))
    assert "by Sequence: A ____" in sheet and "Jim" not in sheet, "lines to write it on"
