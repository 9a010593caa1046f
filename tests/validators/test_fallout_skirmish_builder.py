"""The builder of Fallout Skirmish: its view, its buttons, and a form that gives the document back."""

from typing import Any

import pytest

from tests.kit.builder_pages import after
from validators import SYSTEMS
from validators.contract import Document, Terms, UnreadableForce
from validators.fallout_skirmish.builder import BuilderView
from validators.restrictions import Restrictions

pytestmark = pytest.mark.usefixtures("builder_app")

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 500)


def view(document: Document, terms: Terms = TERMS) -> BuilderView:
    shown: BuilderView = SYSTEM.forces.builder(document, terms, {})
    return shown


def pressed(document: Document, do: str, **more: str) -> Document:
    return after(document, TERMS, do=do, **more)


def blank(faction: str) -> Document:
    return SYSTEM.forces.blank(EDITION, faction)


def wild() -> Document:
    """A group with everything wrong that a file can hold."""
    stimpaks, unknown = {"name": "Stimpak", "count": 9}, {"name": "No Such Thing", "count": 2}
    models: list[dict[str, Any]] = [
        {"rank": "Veteran", "called": "Ash", "leader": True, "perks": ["Ninja"], "items": [stimpaks]},
        {"rank": "Nobody", "leader": True, "items": [unknown, {"name": "Shishkebab"}]},
        {"rank": "Knight", "items": [{"name": "Power Armor"}]},
    ]
    head = {"system": SYSTEM.id, "edition": EDITION.id, "faction": "Raiders", "turfs": ["Bar", "Nowhere"]}
    return SYSTEM.forces.read(head | {"models": models}, EDITION)


def test_group_is_built_from_nothing() -> None:
    assert view(blank("Raiders")).page.factions == EDITION.factions
    document = pressed(blank("Raiders"), "add-model", add_model="Veteran", faction="Regulators")
    assert (document["faction"], view(document).page.factions) == ("Regulators", ()), "fixed with the first character"
    document = pressed(blank("Regulators"), "add-model", add_model="Sheriff")
    for item in ("Trench Coat", "Laser Rifle"):
        document = pressed(document, "add-item:0", m0__add_item=item)
    document = pressed(document, "duplicate-model:0")
    assert [model["leader"] for model in document["models"]] == [True, False]
    assert document["models"][0]["items"] == document["models"][1]["items"]
    shown = view(document)
    assert (shown.page.total, shown.page.left, shown.group.experience, shown.group.rating) == (220, 280, 100, 320)
    assert shown.page.verdict.legal


def test_buttons_move_copy_and_remove() -> None:
    veteran, nobody, knight = "Veteran", "Nobody", "Knight"
    for do, left in (
        ("remove-model:1", [veteran, knight]),
        ("move-up:1", [nobody, veteran, knight]),
        ("move-down:1", [veteran, knight, nobody]),
        ("duplicate-model:2", [veteran, nobody, knight, knight]),
        ("add-model", [veteran, nobody, knight]),  # no rank was chosen
    ):
        assert [model["rank"] for model in pressed(wild(), do)["models"]] == left, do
    assert pressed(wild(), "remove-item:1:0")["models"][1]["items"] == [{"name": "Shishkebab", "count": 1}]
    assert pressed(wild(), "remove-perk:0:0")["models"][0]["perks"] == []
    assert not pressed(wild(), "drop-leader:1")["models"][1]["leader"]
    assert pressed(wild(), "duplicate-model:0")["models"][1]["called"] == "", "a name is one person's"


def test_invalid_counts_are_refused() -> None:
    for count in ("0", "100", "two", "-1", "9" * 4000):
        with pytest.raises(UnreadableForce, match="Copies of Stimpak on Veteran"):
            pytest.fail(f"{count}: {pressed(wild(), '', m0__i0__count=count)}")


def offered(document: Document, place: int = 0, terms: Terms = TERMS) -> dict[str, list[str]]:
    """What a character may be given, by kind."""
    card = view(document, terms).characters[place]
    return {kind.title: [option.name for option in kind.options] for kind in card.add_items}


def test_rank_is_offered_what_it_may_have_and_nothing_banned() -> None:
    talon = pressed(blank("Talon Company"), "add-model", add_model="Commander")
    talon = pressed(talon, "add-model", add_model="Merc")
    assert offered(talon)["Armor"] == ["Combat Armor", "Metal Armor"]
    assert "Big Guns" not in offered(talon), "only Mercs carry them"
    assert offered(talon, 1)["Armor"] == ["Combat Armor"]
    assert offered(talon, 1)["Big Guns"] == ["Minigun", "Missile Launcher"]
    assert offered(talon, 1)["Items of the merchants"] == ["Stimpak"]
    assert "Armor" not in offered(pressed(blank("Super Mutants"), "add-model", add_model="Master"))
    document = pressed(blank("Raiders"), "add-model", add_model="Veteran")
    terms = Terms(EDITION, 500, Restrictions(banned=("Knife", "Green"), factions=("Raiders", "Enclave")))
    assert "Knife" not in offered(document, 0, terms)["Melee weapons"]
    assert [option.name for option in view(document, terms).add_characters] == ["Experienced", "Veteran"]
    assert view(blank("Raiders"), terms).page.factions == ("Raiders", "Enclave")


def test_every_option_can_be_bought_without_breaking_a_list() -> None:
    for faction in EDITION.factions:
        force = SYSTEM.forces.sample(TERMS, faction, 5)
        for place, model in enumerate(force["models"]):
            for name in (name for names in offered(force, place).values() for name in names):
                more = force | {"models": [dict(one) for one in force["models"]]}
                more["models"][place]["items"] = [*model["items"], {"name": name, "count": 1}]
                found = {one.rule for one in SYSTEM.checks.check(more, Terms(EDITION, 5000)).problems}
                assert not found & {"fs.list", "fs.cost", "fs.big-gun-carrier"}, (faction, name)
