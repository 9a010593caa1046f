"""The builder's page: closed lines, choices, the bar of costs, and the state of the list in words."""

import pytest

from models.event import Event
from models.play import ForceList
from tests.kit.lists import MINE, PIPER, file
from tests.kit.person import SUBMIT_FORCE, Enter, Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Terms
from validators.kit.builder import USUAL


@pytest.fixture
def piper(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada")
    ada.press("Read the list", at=MINE, file=file(PIPER))
    return ada


def groups_of(page: Page, choice: str) -> dict[str, list[str]]:
    groups = page.soup.select(f"[name='{choice}'] optgroup")
    return {
        str(group["label"]): [" ".join(one.get_text().split()) for one in group.select("option")] for group in groups
    }


def test_item_is_added_without_scripts(piper: Person) -> None:
    page = piper.press("Choose equipment for Piper")
    assert page.soup.select("#m0[open]")
    page = piper.press("Add weapon or item to Piper", m0__add_item="Board")
    assert page.part("#m0 .model-carries").startswith("Heroic; Pipe Pistol, Pipe Wrench, 3 × Baseball Grenade, Board")
    page = piper.press("Save", inside="#builder", m0__i3__mod="Spiked")
    assert "Board with Spiked" in page.part("#m0 .model-carries")


def left(page: Page) -> int:
    return 750 - int(page.part(".tally-value").split()[0])


def test_choice_offers_first_what_others_of_the_name_carry_with_price_and_rest(piper: Person) -> None:
    pistol, board, grenade = ({"name": name} for name in ("Pipe Pistol", "Board", "Baseball Grenade"))
    others = [{"name": "Settler", "items": items} for items in ([board, pistol, grenade], [pistol], [])]
    page = piper.press("Read the list", file=file(PIPER | {"models": [*PIPER["models"], *others]}))
    assert not page.soup.select("[name$=add_item]"), "the lists of ten models are ten times a list"
    page = piper.press("Choose equipment for Settler (model\xa04)")
    groups, rest = groups_of(page, "m3.add_item"), left(page)
    assert next(iter(groups)) == USUAL
    assert groups[USUAL] == [f"Pipe Pistol, +5, leaves {rest - 5}", f"Board, +9, leaves {rest - 9}"], (
        "no Baseball Grenade"
    )
    assert all("leaves" in option for options in groups.values() for option in options)
    page = piper.press("Choose equipment for Piper", m0__i0__count="88")
    assert USUAL not in groups_of(page, "m0.add_item"), "there is only one Piper"
    page = piper.press("Choose equipment for Settler (model\xa04)")
    over = 9 - left(page)
    assert groups_of(page, "m3.add_item")[USUAL][1] == f"Board, +9, {over} over"


def test_what_the_edition_calls_usual_comes_first() -> None:
    battle = SYSTEMS["battle_mode"]
    edition = battle.editions[0]
    listed = [entry for faction in edition.lists.factions.values() for entry in faction.models.values()]
    model, faction = next((one, edition.lists.factions) for one in listed if len(one.usual) > 1)
    at = next(one.name for one in faction.values() if one.models.find(model.name))
    document = battle.forces.read(
        {"system": battle.id, "edition": edition.id, "faction": at, "models": [{"name": model.name}]}, edition
    )
    first = battle.forces.builder(document, Terms(edition, 750), {}).models[0].add_items[0]
    assert (first.title, [option.name for option in first.options]) == (USUAL, [*model.usual])


def test_model_is_offered_at_the_cost_of_what_a_tap_adds() -> None:
    battle = SYSTEMS["battle_mode"]
    edition = battle.editions[0]
    usual = {
        model.name: model.usual for a_faction in edition.lists.factions.values() for model in a_faction.models.values()
    }
    noted = 0
    for faction in edition.factions:
        blank = battle.forces.blank(edition, faction)
        for option in (o for g in battle.forces.builder(blank, Terms(edition, 750), {}).add_models for o in g.options):
            added = battle.forces.edit(blank, {"do": [f"add-model={option.name}"]}, edition)
            assert option.cost == battle.checks.check(added, Terms(edition, 750)).total, (faction, option)
            assert all(item in option.note for item in usual[option.name]), (faction, option)
            noted += bool(option.note)
    assert noted, "some model has usual equipment"


def state(page: Page) -> tuple[str, list[str]]:
    """The state in words, and the classes of the Submit button; none without a button."""
    button = page.soup.select_one("[data-part=state] button")
    return page.part(".builder-state"), [str(one) for one in button["class"]] if button else []


def test_state_says_what_is_submitted_and_offers_submit_only_then(piper: Person, stage: Stage, olga: Person) -> None:
    plain, primary = ["button"], ["button", "primary"]
    assert state(piper.open(MINE)) == ("Legal, not submitted", primary)
    page = piper.press("Save", inside="#builder", m0__i2__count="99")
    assert state(page) == ("Legal, not submitted", primary)
    page = piper.press("Save", inside="#builder", m0__i0__count="99")
    assert state(page) == ("1 thing to fix, not submitted", plain)
    piper.press("Read the list", file=file(PIPER))
    piper.press(SUBMIT_FORCE)
    assert state(piper.open(MINE)) == ("Submitted, unchanged", [])
    stage.clock.advance(minutes=1)
    page = piper.press("Save", inside="#builder", m0__i2__count="4")
    assert state(page) == ("Changed since you submitted it It counts as it is now.", [])
    desk = f"/e/iron-open/desk/players/{stage.one(ForceList).player_id}/force"
    assert state(olga.open(desk)) == ("Changed since it was submitted It counts as it is now.", [])
    assert state(piper.press("Save", inside="#builder", m0__i0__count="99", m0__i2__count="99"))[1] == plain
