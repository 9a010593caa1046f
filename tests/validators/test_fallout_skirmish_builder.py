"""The builder of Fallout Skirmish: its view, and a form that gives the document back."""

from typing import Any

import pytest

from validators import SYSTEMS
from validators.contract import Document, Terms, UnreadableForce
from validators.fallout_skirmish.builder import BuilderView
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 500)
Fields = dict[str, list[str]]


def view(document: Document, terms: Terms = TERMS) -> BuilderView:
    """What the page shows."""
    shown: BuilderView = SYSTEM.builder(document, terms, {})
    return shown


def fields_of(document: Document) -> Fields:
    """The form as a browser would send it."""
    fields: Fields = {"name": [document["name"]], "turf": [*document["turfs"], "", ""]}
    for i, model in enumerate(document["models"]):
        fields[f"m{i}.rank"], fields[f"m{i}.called"] = [model["rank"]], [model["called"]]
        fields[f"m{i}.perk"] = model["perks"]
        if model["leader"]:
            fields.setdefault("leader_too" if "leader" in fields else "leader", []).append(str(i))
        for j, item in enumerate(model["items"]):
            fields[f"m{i}.i{j}.name"], fields[f"m{i}.i{j}.count"] = [item["name"]], [str(item["count"])]
    return fields


def pressed(document: Document, do: str, **more: str) -> Document:
    """The document after a button."""
    fields = fields_of(document) | {key.replace("__", "."): [value] for key, value in more.items()}
    return SYSTEM.edit_force(document, fields | {"do": [do]}, EDITION)


def wild(**models: Any) -> Document:
    """A group with everything wrong that a file can hold."""
    characters = [
        {
            "rank": "Veteran",
            "called": "Ash",
            "leader": True,
            "perks": ["Ninja"],
            "items": [{"name": "Stimpak", "count": 9}],
        },
        {"rank": "Nobody", "leader": True, "items": [{"name": "No Such Thing", "count": 2}, {"name": "Shishkebab"}]},
        {"rank": "Knight", "items": [{"name": "Power Armor"}]},
    ]
    raw = {"system": SYSTEM.id, "edition": EDITION.id, "faction": "Raiders", "turfs": ["Bar", "Nowhere"]}
    return SYSTEM.read_force(raw | {"models": characters} | models, EDITION)


@pytest.mark.parametrize("faction", EDITION.factions)
@pytest.mark.parametrize("seed", range(3))
def test_a_form_as_it_stands_gives_the_document_back(faction: str, seed: int) -> None:
    document = SYSTEM.sample_force(TERMS, faction, seed)
    assert SYSTEM.edit_force(document, fields_of(document), EDITION) == document


def test_what_nothing_is_known_of_stays() -> None:
    document = wild()
    assert SYSTEM.edit_force(document, fields_of(document), EDITION) == document
    cards = view(document).characters
    assert [card.known for card in cards] == [True, False, True]
    assert [item.known for item in cards[1].items] == [False, True]
    assert cards[1].leader_too and not cards[0].leader_too
    assert view(document).turfs == ("Bar", "Nowhere", "")


def test_a_group_is_built_from_nothing() -> None:
    document = SYSTEM.blank_force(EDITION, "Raiders")
    assert view(document).factions == EDITION.factions
    document = pressed(document, "add-model", add_model="Veteran", faction="Regulators")
    document = SYSTEM.edit_force(document, fields_of(document) | {"turf": ["Bar", "Casino", "Bar"]}, EDITION)
    document = pressed(document, "add-item:0", m0__add_item="Trench Coat")
    assert view(document).factions == (), "with characters in, the force stands"
    assert document["faction"] == "Regulators"
    document = pressed(SYSTEM.blank_force(EDITION, "Regulators"), "add-model", add_model="Sheriff")
    document = pressed(document, "add-item:0", m0__add_item="Trench Coat")
    document = pressed(document, "add-item:0", m0__add_item="Laser Rifle")
    document = pressed(document, "duplicate-model:0")
    assert [model["leader"] for model in document["models"]] == [True, False]
    assert document["models"][0]["items"] == document["models"][1]["items"]
    shown = view(document)
    assert (shown.total, shown.left, shown.experience, shown.rating) == (220, 280, 100, 320)
    assert shown.verdict.legal


@pytest.mark.parametrize(
    ("do", "left"),
    [
        ("remove-model:1", ["Veteran", "Knight"]),
        ("move-up:1", ["Nobody", "Veteran", "Knight"]),
        ("move-down:1", ["Veteran", "Knight", "Nobody"]),
        ("duplicate-model:2", ["Veteran", "Nobody", "Knight", "Knight"]),
        ("add-model", ["Veteran", "Nobody", "Knight"]),
        ("no-such-button:1", ["Veteran", "Nobody", "Knight"]),
    ],
)
def test_buttons_move_and_take_out(do: str, left: list[str]) -> None:
    assert [model["rank"] for model in pressed(wild(), do)["models"]] == left


def test_parts_of_a_character_are_taken_out() -> None:
    assert pressed(wild(), "remove-item:1:0")["models"][1]["items"] == [{"name": "Shishkebab", "count": 1}]
    assert pressed(wild(), "remove-perk:0:0")["models"][0]["perks"] == []
    assert not pressed(wild(), "drop-leader:1")["models"][1]["leader"]
    assert pressed(wild(), "duplicate-model:0")["models"][1]["called"] == "", "a name is one person's"


@pytest.mark.parametrize(
    "do", ["remove-model:9", "remove-item:0:9", "move-up:0", "move-up", "remove-model:x", "add-item:1:2:3"]
)
def test_a_button_of_an_old_page_is_refused(do: str) -> None:
    with pytest.raises(UnreadableForce, match="at an unknown place"):
        pressed(wild(), do)


@pytest.mark.parametrize("count", ["0", "100", "two", "-1", "9" * 4000])
def test_a_count_that_is_none_is_refused_at_its_item(count: str) -> None:
    with pytest.raises(UnreadableForce, match="Copies of Stimpak on Veteran"):
        pressed(wild(), "", m0__i0__count=count)


def offered(document: Document, place: int = 0, terms: Terms = TERMS) -> dict[str, list[str]]:
    """What a character may be given, by kind."""
    card = view(document, terms).characters[place]
    return {kind.title: [option.name for option in kind.options] for kind in card.add_items}


def test_only_what_a_rank_may_have_is_offered() -> None:
    talon = pressed(SYSTEM.blank_force(EDITION, "Talon Company"), "add-model", add_model="Commander")
    talon = pressed(talon, "add-model", add_model="Merc")
    assert offered(talon)["Armor"] == ["Combat Armor", "Metal Armor"]
    assert "Big Guns" not in offered(talon), "Mercs alone carry them"
    assert offered(talon, 1)["Armor"] == ["Combat Armor"]
    assert offered(talon, 1)["Big Guns"] == ["Minigun", "Missile Launcher"]
    assert offered(talon, 1)["Items of the merchants"] == ["Stimpak"]
    mutants = pressed(SYSTEM.blank_force(EDITION, "Super Mutants"), "add-model", add_model="Master")
    assert "Armor" not in offered(mutants)


def test_what_the_event_bans_is_not_offered() -> None:
    document = pressed(SYSTEM.blank_force(EDITION, "Raiders"), "add-model", add_model="Veteran")
    terms = Terms(EDITION, 500, Restrictions(banned=("Knife", "Green"), factions=("Raiders", "Enclave")))
    assert "Knife" not in offered(document, 0, terms)["Melee weapons"]
    assert [option.name for option in view(document, terms).add_characters] == ["Experienced", "Veteran"]
    assert view(SYSTEM.blank_force(EDITION, "Raiders"), terms).factions == ("Raiders", "Enclave")


def test_everything_offered_can_be_bought_without_breaking_a_list() -> None:
    for faction in EDITION.factions:
        force = SYSTEM.sample_force(TERMS, faction, 5)
        for place, model in enumerate(force["models"]):
            for names in offered(force, place).values():
                for name in names:
                    more = force | {"models": [dict(one) for one in force["models"]]}
                    more["models"][place]["items"] = [*model["items"], {"name": name, "count": 1}]
                    found = {one.rule for one in SYSTEM.check_force(more, Terms(EDITION, 5000)).problems}
                    assert not found & {"fs.list", "fs.cost", "fs.big-gun-carrier"}, (faction, name)
