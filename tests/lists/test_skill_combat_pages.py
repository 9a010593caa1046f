"""A bout event on the pages: a character built without script, read from a file, put on paper, and a bout reported."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import FieldedForce, ForceList, Player
from tests.kit.lists import file
from tests.kit.person import Person, words
from tests.kit.skill_combatants import EDITION, JIM, SYSTEM, jim, side
from tests.kit.stage import Stage
from validators.contract import Document

Enter = Callable[..., list[Person]]
MINE = "/e/iron-open/me/force"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of skill combat."""
    return stage.event(game="skill_combat")


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player of it with an empty side."""
    (ada,) = enter(event, "Ada")
    page = ada.open(MINE)
    assert "My side" in page.text and "BattleScribe" not in page.text
    page = ada.press("Start", faction="Raiders")
    assert page.part(".tally-value") == "0 of 40 SPECIAL points"
    return ada


def stored(stage: Stage) -> Document:
    """The side as it is kept."""
    stage.s.expire_all()
    document: Document = stage.all(ForceList)[0].document
    return document


def figures(person: Person) -> dict[str, str]:
    """The derived figures on the open builder."""
    found = person.page.soup.select("#m0 .reckoned > div")
    return {words(one.dt): words(one.b) for one in found if one.dt and one.b}


def test_jim_is_built_by_hand_and_submitted(ada: Person, stage: Stage) -> None:
    ada.press("Add a character")
    assert ada.page.part(".tally-value") == "35 of 40 SPECIAL points"
    fields = {f"m0__{name}": str(value) for name, value in JIM["special"].items()}
    ada.press("Add weapon to Character (character 1)", m0__add_weapon="10mm Pistol", **fields)
    page = ada.press("Save", inside="#builder", m0__name="Jim the Raider", m0__armour="Leather Jacket")
    assert page.flashes == "Saved."
    assert stored(stage) == jim()
    shown = figures(ada)
    assert [shown[name] for name in ("Health Points", "Armor Class", "AP back, standing", "Small Guns")] == [
        "33", "14", "+12", "30 %"
    ]  # fmt: skip
    reckon = ada.page.soup.find("a", string=lambda text: text == "Reckon") or ada.page.soup.select_one(
        ".builder-reckon"
    )
    assert reckon is not None
    ada.press("Submit this side")
    assert "Submitted" in ada.page.flashes
    address = str(reckon["href"])
    ada.open(address)
    (main, *_) = [words(one) for one in ada.page.soup.select("#result .first b")]
    assert main == "44 %", "the character's own figures are those of the example"


def test_saving_what_stands_changes_nothing(ada: Person, stage: Stage) -> None:
    whole = jim(
        level=3,
        skills=[{"name": "Sneak", "points": 24}, {"name": "Big Guns", "points": 5}],
        weapons=[
            {"name": "10mm Pistol"},
            {"name": "No Such Gun"},
            {"name": "Rifle", "own": {"skill": "Juggling", "mode": "burst", "stat": "EN", "range": 9, "damage": 2,
                                      "bullets": 7, "ap": 5}},
        ],
        armour={"name": "Metal <b>", "own": {"ac": 8, "resistance": 30}},
        items=[{"name": "Stimpak", "count": 3}, {"name": "Rope", "count": 1}],
    )  # fmt: skip
    ada.press("Read the file", inside="details", file=file(whole))
    assert stored(stage) == whole
    ada.press("Save", inside="#builder")
    assert stored(stage) == whole
    ada.press("Read the file", inside="details", file=file(jim(armour={"name": "Old Coat"})))
    ada.press("Save", inside="#builder")
    assert stored(stage)["models"][0]["armour"] == {"name": "Old Coat", "own": None}


def test_own_gear_is_added_filled_in_and_taken_out(ada: Person, stage: Stage) -> None:
    ada.press("Add a character")
    who = "Character (character 1)"
    ada.press(f"Add weapon to {who}", m0__add_weapon="With figures of its own")
    ada.press("Save", inside="#builder", m0__w0__name="Laser", m0__w0__damage="9", m0__w0__stat="PE", m0__armour="own")
    assert stored(stage)["models"][0]["weapons"][0]["own"]["damage"] == 9
    ada.press("Save", inside="#builder", m0__armour__name="Plates", m0__armour__ac="7")
    assert stored(stage)["models"][0]["armour"] == {
        "name": "Plates",
        "own": {"ac": 7, "dc": 0, "jc": 0, "resistance": 0},
    }
    assert "Laser brings its own figures" in ada.page.part("#verdict")
    ada.press(f"Add skill to {who}", m0__add_skill="Sneak")
    ada.press(f"Add item to {who}", m0__add_item="Jet")
    for what in ("Laser", "Sneak", "Jet"):
        ada.press(f"Take out {what}")
    ada.press("Save", inside="#builder", m0__armour="")
    model = stored(stage)["models"][0]
    assert (model["weapons"], model["skills"], model["items"], model["armour"]) == ([], [], [], None)
    ada.press(f"Duplicate {who}")
    assert len(stored(stage)["models"]) == 2
    ada.press("Take out Character (character 2)")
    ada.press(f"Take out {who}")
    assert stored(stage)["models"] == []


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("m0__STR", "ten", "STR of a character: ten is no whole number"),
        ("m0__STR", "500", "models[0].special.STR: is 500"),
        ("m0__level", "0", "models[0].level: is 0"),
        ("m0__name", "x" * 90, "models[0].name: is longer than 80 characters"),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_is_saved(
    ada: Person, stage: Stage, field: str, typed: str, told: str
) -> None:
    ada.press("Add a character")
    before = stored(stage)
    page = ada.forge("Save", inside="#builder", **{field: typed})
    assert (page.status, stored(stage)) == (422, before)
    assert told in page.errors


def test_an_illegal_side_is_mended_by_a_press(ada: Person, stage: Stage) -> None:
    ada.press("Read the file", inside="details", file=file(jim(special=JIM["special"] | {"AG": 14})))
    assert "sc.special" in ada.page.part("#verdict")
    button = ada.page.soup.select_one("#mend button")
    assert button is not None
    ada.press(words(button))
    assert SYSTEM.summarise(stored(stage), EDITION).total <= 40
    assert "Nothing to mend" in ada.page.part("#verdict")


def test_a_side_is_put_on_paper(ada: Person, stage: Stage) -> None:
    ada.press("Read the file", inside="details", file=file(jim()))
    player = stage.one(Player, name="Ada")
    answer = ada.http.get(f"/e/iron-open/players/{player.id}/force.pdf")
    assert (answer.status_code, answer.data[:5]) == (200, b"%PDF-")
    text = ada.http.get(f"/e/iron-open/players/{player.id}/force.txt").text
    assert "Health Points: 33 (15 + 4 (STR) + 14 (EN × 2))" in text
    assert SYSTEM.edition("as-printed").lists is not None


def test_a_bout_is_reported_and_the_last_one_standing_wins(enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    game = stage.publish(event, 1)[0]
    names = {player.id: player.name for player in stage.all(Player)}
    first = ada if names[game.a_id] == "Ada" else bo
    other = bo if first is ada else ada
    first.open("/e/iron-open/me/game")
    page = first.press("Send the result", a__end="Standing", b__end="Fled", a__hp="0")
    assert page.status == 422
    assert "whoever stands has at least 1" in page.text
    first.press("Send the result", a__end="Standing", b__end="Fled", a__hp="12")
    other.open("/e/iron-open/me/game")
    other.press("Yes, that is right")
    page = first.open("/e/iron-open/standings")
    assert page.status == 200
    winner = names[game.a_id]
    assert winner in " ".join(page.rows("table")[0])
    scored = SYSTEM.score(SYSTEM.scenario("bout"), {"a.end": "Standing", "b.end": "Fled", "a.hp": 12})
    assert (scored.a, scored.b, scored.outcome) == (12, 0, "a")


def test_of_a_roster_of_two_one_character_is_fielded(enter: Enter, stage: Stage, event: Event, olga: Person) -> None:
    people = enter(event, "Ada", "Bo")
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", roster_size="80", choose_minutes="5")
    roster = side(JIM, JIM | {"name": "Jane"})
    for player in stage.all(Player):
        stage.force(event, player, roster)
    stage.publish(event, 1)
    for person, place in zip(people, ("0", "1"), strict=True):
        person.open("/e/iron-open/me/fielded")
        page = person.press("Field these", places=["0", "1"])
        assert page.status == 422 and "sc.characters" in page.text
        assert "Has chosen" in person.press("Field these", places=[place]).text
    fielded = {one.document["models"][0]["name"] for one in stage.all(FieldedForce)}
    assert fielded == {"Jim the Raider", "Jane"}
