"""Fallout Skirmish: the rulebook's example, findings, fixes, the builder (rules: test_recorded_forces.py)."""

from typing import Any

import pytest

from tests.kit.builder_pages import after
from tests.kit.skirmish_groups import EDITION, RAIDERS, SYSTEM, TERMS, Model, broken, character, check, group
from validators.contract import Document, Terms
from validators.fallout_skirmish.builder import BuilderView
from validators.fallout_skirmish.force import priced
from validators.fallout_skirmish.sheets import figures_of
from validators.restrictions import Restrictions

VETERAN = character("Veteran")


def with_copies(model: Model, item: str, count: int) -> Model:
    return model | {"items": [*model["items"], {"name": item, "count": count}]}


def test_rulebook_example_is_rated_at_815() -> None:
    document = group("Raiders", *RAIDERS, turfs=("Bar", "Casino", "Bar"))
    verdict = check(document, 500)
    assert (verdict.total, verdict.problems, verdict.queries) == (490, (), ())
    figures = {figure.label: (figure.value, figure.how) for figure in figures_of(priced(document, TERMS))}
    assert figures["Experience"] == ("175 XP", "4 × 0 + 3 × 25 + 2 × 50")
    assert figures["Rating"] == ("815", "cost 490 + experience 175 + turfs 3 × 50 = 815")
    assert figures["Left"] == ("10 Caps", "500 − 490")
    assert broken(group("Raiders", *RAIDERS), 490) == []
    (problem,) = check(group("Raiders", *RAIDERS), 489).problems
    assert (problem.rule, problem.message) == ("fs.size", "490 Caps, 1 over the size of 489")


def test_findings_carry_figures_and_suggestions() -> None:
    armoured, four = character("Commander", "Combat Armor", "Metal Armor"), {"used": 4, "allowed": 3}
    merc = character("Merc", "Combat Armor")
    gun = {"used": 1, "allowed": 0, "per": 5, "characters": 1}
    for document, rule, figures, words in (
        (group("Raiders", character("Experienced"), VETERAN), "charisma", {"charisma": 5, "highest": 6}, ""),
        (group("Raiders", with_copies(VETERAN, "Stimpak", 4)), "stimpak", four, ""),
        (group("Talon Company", armoured), "armour", {"used": 2, "allowed": 1}, ""),
        (group("Raiders", *[VETERAN] * 4), "allowance", four, "4 × Veteran, 3 allowed Take out 1 of them."),
        (group("Raiders", character("Veteran", "Flamer")), "big-guns", gun, "Take out 1 Big Gun."),
        (group("Regulators", character("Sheriff")), "must-wear", {}, "Give Sheriff Trench Coat."),
        (group("Talon Company", character("Commander"), merc), "must-wear", {}, "must buy"),
        (group("Raiders", VETERAN, turfs=("Bar",)), "turf", {"used": 1, "allowed": 3}, "Roll 2 turfs more."),
        (group("Raiders", VETERAN, turfs=("Bar",) * 4), "turf", four, "Take out 1."),
        (group("Raiders", character("Veteran", "Laser Rifl")), "cost", {}, "Did you mean Laser Rifle or "),
        (group("Raiders", VETERAN, character("Vetran")), "cost", {}, "Did you mean Veteran?"),
        (group("Raiders", character("Veteran", "Shishkebab")), "cost", {}, "no price: it is built, never bought"),
        (group("Raiders", character("Veteran", "Laser Rifle")), "list", {}, "is not on the list of Raiders"),
        (group("Super Mutants", character("Master", "Leather Armor")), "armour", {}, "Super Mutants have no armour"),
    ):
        (found,) = check(document).problems
        assert (found.rule, found.figures) == (f"fs.{rule}", figures)
        assert words in f"{found.message} {found.fix}"
    (unknown,) = check(group("Raidrs", VETERAN)).queries
    assert "depends on the force; did you mean Raiders?" in unknown.message


def test_stimpaks_and_repeated_grenades_are_asked_about() -> None:
    stimpaks = group("Raiders", with_copies(character("Veteran"), "Stimpak", 2), character("Green", "Stimpak"))
    assert check(stimpaks).total == 60 + 75
    for document, rule, figures in (
        (stimpaks, "fs.stimpak", {"used": 3, "caps": 75}),
        (group("Raiders", character("Veteran", "Frag Grenade"), character("Green", "Frag Grenade")), "", {}),
        (group("Raiders", character("Veteran", "Frag Grenade", "Frag Grenade")), "fs.grenade", {"used": 2}),
    ):
        assert [(q.rule, q.figures) for q in check(document).queries] == [(rule, figures)] * bool(rule)


def test_restrictions_of_an_event_bind_a_group() -> None:
    document, doped = group("Raiders", *RAIDERS), group("Raiders", with_copies(character("Veteran"), "Stimpak", 3))
    cases: list[tuple[Document, int, dict[str, Any], str]] = [
        (document, 5000, {"banned": ("Hunting Rifle",)}, "ban"),
        (document, 5000, {"same_model": 3}, "copies"),  # four Greens
        (doped, 5000, {"most_copies": (("Stimpak", 3),)}, ""),
        (doped, 5000, {"most_copies": (("Stimpak", 2),)}, "copies"),
        (document, 69, {"roster_size": 490}, "sideboard"),  # the leader alone costs 70
        (document, 70, {"roster_size": 490}, ""),
    ]
    for force, size, adds, expected in cases:
        assert broken(force, size, **adds) == ([f"event.{expected}"] if expected else []), adds
    part = SYSTEM.forces.part_of(group("Raiders", *RAIDERS, turfs=("Bar", "Bar", "Bar")), [0, 3])
    assert ([model["rank"] for model in part["models"]], len(part["turfs"])) == (["Veteran", "Experienced"], 3)


def test_first_suggested_fix_is_the_smallest_and_the_search_is_bounded() -> None:
    for document, first in (
        (group("Raiders", character("Veteran", leader=False), character("Green", "Knife")), "Make Veteran the leader"),
        (group("Raiders", character("Veteran"), character("Green", "Minigun")), "Take a Minigun off Green"),
        (group("Raiders", character("Veteran"), character("Knight")), "Take Knight out"),
        (group("Regulators", character("Sheriff")), "Give Sheriff Trench Coat"),
    ):
        ways = SYSTEM.forces.fixes(document, TERMS)
        assert ways[0].changes == (first,)
        assert len({way.key for way in ways}) == len(ways)
    assert SYSTEM.forces.fixes(group("Regulators", character("Sheriff", "Trench Coat")), TERMS) == ()
    for knives, offered in ((39, True), (40, False)):  # 80 lines or more are not searched
        crowd = (character("Veteran", *["Knife"] * 39, perks=["Ninja"]), character("Veteran", *["Knife"] * knives))
        assert bool(SYSTEM.forces.fixes(group("Raiders", *crowd), Terms(EDITION, 5000))) == offered


pytestmark = pytest.mark.usefixtures("builder_app")


def view(document: Document, terms: Terms = TERMS) -> BuilderView:
    shown: BuilderView = SYSTEM.forces.builder(document, terms, {})
    return shown


def built(faction: str, *ranks: str) -> Document:
    document = SYSTEM.forces.blank(EDITION, faction)
    for rank in ranks:
        document = after(document, do="add-model", add_model=rank)
    return document


def illegal_group() -> Document:
    veteran = with_copies(character("Veteran", called="Ash", perks=["Ninja"]), "Stimpak", 9)
    nobody = character("Nobody", "No Such Thing", "Shishkebab", leader=True)
    return group("Raiders", veteran, nobody, character("Knight", "Power Armor"), turfs=("Bar", "Nowhere"))


def test_group_is_built_from_nothing() -> None:
    assert view(built("Raiders")).page.factions == EDITION.factions
    document = after(built("Raiders"), do="add-model", add_model="Veteran", faction="Regulators")
    assert (document["faction"], view(document).page.factions) == ("Regulators", ()), "fixed with the first character"
    document = built("Regulators", "Sheriff")
    for item in ("Trench Coat", "Laser Rifle"):
        document = after(document, do="add-item:0", m0__add_item=item)
    document = after(document, do="duplicate-model:0")
    assert [model["leader"] for model in document["models"]] == [True, False]
    assert document["models"][0]["items"] == document["models"][1]["items"]
    shown = view(document)
    assert (shown.page.total, shown.page.left, shown.group.experience, shown.group.rating) == (220, 280, 100, 320)
    assert shown.page.verdict.legal


def test_buttons_move_copy_and_remove() -> None:
    veteran, nobody, knight = "Veteran", "Nobody", "Knight"
    for do, left in (
        ("remove-model:1", [veteran, knight]), ("move-up:1", [nobody, veteran, knight]),
        ("duplicate-model:2", [veteran, nobody, knight, knight]),
        ("add-model", [veteran, nobody, knight]),  # no rank was chosen
    ):  # fmt: skip
        assert [model["rank"] for model in after(illegal_group(), do=do)["models"]] == left, do
    assert after(illegal_group(), do="remove-item:1:0")["models"][1]["items"] == [{"name": "Shishkebab", "count": 1}]
    assert after(illegal_group(), do="remove-perk:0:0")["models"][0]["perks"] == []
    assert not after(illegal_group(), do="drop-leader:1")["models"][1]["leader"]
    assert after(illegal_group(), do="duplicate-model:0")["models"][1]["called"] == "", "a copy has no name"


def offered_items(document: Document, place: int = 0, terms: Terms = TERMS) -> dict[str, list[str]]:
    """The names of the items that the page offers to a character, by kind."""
    shown = view(document, terms)
    return {
        kind.title: [option.name for option in kind.options] for kind in shown.to_add(shown.group.characters[place])
    }


def test_rank_is_offered_what_it_may_have_and_nothing_banned() -> None:
    talon = built("Talon Company", "Commander", "Merc")
    assert offered_items(talon)["Armor"] == ["Combat Armor", "Metal Armor"]
    assert "Big Guns" not in offered_items(talon), "only Mercs carry them"
    assert offered_items(talon, 1)["Armor"] == ["Combat Armor"]
    assert offered_items(talon, 1)["Big Guns"] == ["Minigun", "Missile Launcher"]
    assert offered_items(talon, 1)["Items of the merchants"] == ["Stimpak"]
    assert "Armor" not in offered_items(built("Super Mutants", "Master"))
    document = built("Raiders", "Veteran")
    terms = Terms(EDITION, 500, Restrictions(banned=("Knife", "Green"), factions=("Raiders", "Enclave")))
    assert "Knife" not in offered_items(document, 0, terms)["Melee weapons"]
    assert [option.name for option in view(document, terms).add_characters] == ["Experienced", "Veteran"]
    assert view(built("Raiders"), terms).page.factions == ("Raiders", "Enclave")
