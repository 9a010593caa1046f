"""The rules of Fallout Skirmish: the document's example, and every rule just kept and just broken."""

from typing import Any

import pytest

from validators import SYSTEMS
from validators.contract import Document, Terms, Verdict
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
Model = dict[str, Any]


def one(rank: str, *items: str, **fields: Any) -> Model:
    """A character with one of each of these items."""
    return {"rank": rank, "items": [{"name": item} for item in items], **fields}


def group(faction: str, *models: Model, turfs: tuple[str, ...] = ()) -> Document:
    """A group of which the first character leads."""
    raised = [models[0] | {"leader": models[0].get("leader", True)}, *models[1:]] if models else []
    return SYSTEM.read_force(
        {"system": SYSTEM.id, "edition": EDITION.id, "faction": faction, "turfs": list(turfs), "models": raised},
        EDITION,
    )


def checked(document: Document, size: int = 5000, **adds: Any) -> Verdict:
    """The verdict at a size that is large enough to stand aside."""
    return SYSTEM.check_force(document, Terms(EDITION, size, Restrictions(**adds)))


def broken(document: Document, size: int = 5000, **adds: Any) -> list[str]:
    """The ids of the rules that it breaks."""
    return [problem.rule for problem in checked(document, size, **adds).problems]


RAIDERS = (
    one("Veteran", "Nail Board"),
    one("Veteran", "Nail Board"),
    one("Experienced", "Hunting Rifle"),
    one("Experienced", "Combat Shotgun", count=2),
    one("Green", "Hunting Rifle", count=4),
)
"""Chapter 9.1.3: four Greens, three Experienced and two Veterans for 490 Caps with their weapons."""


def test_the_example_of_the_rulebook_is_rated_at_815() -> None:
    document = group("Raiders", *RAIDERS, turfs=("Bar", "Casino", "Bar"))
    verdict = checked(document, 500)
    assert (verdict.total, verdict.problems, verdict.queries) == (490, (), ())
    figures = {figure.label: (figure.value, figure.how) for figure in SYSTEM.derived(document, Terms(EDITION, 500))}
    assert figures["Experience"] == ("175 XP", "4 × 0 + 3 × 25 + 2 × 50")
    assert figures["Rating"] == ("815", "cost 490 + experience 175 + turfs 3 × 50 = 815")
    assert figures["Left"] == ("10 Caps", "500 - 490")


ARMED = {
    "Raiders": ("Veteran", "Experienced", "Green"),
    "Super Mutants": ("Master", "Brute", "Super Mutant"),
    "Wasteland Survivors": ("Legend", "Lone Wanderer", "Survivor"),
}
"""Forces without armor: from the highest rank to the lowest."""

DRESSED = {
    "Brotherhood of Steel": (one("Paladin", "Power Armor"), one("Knight", "Power Armor"), one("Initiate")),
    "Enclave": (one("Officer"), one("Hellfire Trooper", "Power Armor"), one("Trooper", "Power Armor")),
    "Talon Company": (
        one("Commander", "Metal Armor"),
        one("Veteran Merc", "Combat Armor"),
        one("Merc", "Combat Armor"),
    ),
    "Regulators": (one("Sheriff", "Trench Coat"), one("Deputy", "Trench Coat"), one("Officer", "Trench Coat")),
    "Vault Residents": (one("Overseer"), one("Security Officer", "Leather Armor"), one("Vault Dweller")),
}
RANKS = {name: tuple(one(rank) for rank in ranks) for name, ranks in ARMED.items()} | DRESSED
ALLOWED = {
    "Raiders": (3, 4, 6, 15),
    "Brotherhood of Steel": (3, 4, 6, 10),
    "Enclave": (2, 4, 5, 10),
    "Talon Company": (3, 5, 6, 12),
    "Super Mutants": (2, 3, 5, 8),
    "Regulators": (2, 5, 5, 10),
    "Vault Residents": (1, 6, 8, 12),
    "Wasteland Survivors": (2, 4, 8, 10),
}
"""Chapters 11.1.1 to 11.8.1: of each rank, the highest first, and of the whole group."""


def test_all_eight_forces_are_here() -> None:
    assert set(EDITION.factions) == set(ALLOWED) == set(RANKS)


@pytest.mark.parametrize("force", ALLOWED)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_rank_is_taken_as_often_as_its_allowance_and_no_more(force: str, place: int) -> None:
    rank, most = RANKS[force][place], ALLOWED[force][place]
    others = [] if place == 0 else [RANKS[force][0]]
    assert broken(group(force, *others, *[rank] * most)) == []
    verdict = checked(group(force, *others, *[rank] * (most + 1)))
    assert [(p.rule, p.figures) for p in verdict.problems] == [("fs.allowance", {"used": most + 1, "allowed": most})]
    assert len(verdict.problems[0].places) == most + 1


@pytest.mark.parametrize("force", ALLOWED)
def test_a_group_has_no_more_characters_than_its_force_allows(force: str) -> None:
    most = ALLOWED[force][3]
    everybody = [rank for rank, allowed in zip(RANKS[force], ALLOWED[force], strict=False) for _ in range(allowed)]
    if len(everybody) > most:
        assert broken(group(force, *everybody[:most])) == []
        assert broken(group(force, *everybody[: most + 1])) == ["fs.group"]
    else:
        assert broken(group(force, *everybody)) == []
        extra = [RANKS[force][2]] * (most + 1 - len(everybody))
        assert sorted(broken(group(force, *everybody, *extra))) == ["fs.allowance", "fs.group"]


@pytest.mark.parametrize("force", ALLOWED)
def test_somebody_of_the_highest_rank_leads(force: str) -> None:
    top, middle, low = RANKS[force]
    assert broken(group(force, top)) == []
    assert broken(group(force, middle, low)) == ["fs.leader"]


def test_the_size_is_kept_to_the_cap() -> None:
    document = group("Raiders", *RAIDERS)
    assert broken(document, 490) == []
    (problem,) = checked(document, 489).problems
    assert (problem.rule, problem.message, problem.mend) == (
        "fs.size",
        "490 Caps, 1 over the size of 489",
        "Take out at least 1 Cap.",
    )


def test_a_group_is_of_one_force() -> None:
    assert broken(group("Raiders", one("Veteran"), one("Knight"))) == ["fs.force"]
    verdict = checked(group("Raiders", one("Veteran"), one("Knight", "Ripper")))
    assert verdict.total == 50 + 25 + 40, "what is wrong is paid all the same"
    assert [p.rule for p in verdict.problems] == ["fs.force", "fs.list"]
    (unknown,) = [p for p in checked(group("Raider", one("Veteran"))).problems if p.rule == "fs.force"]
    assert unknown.mend == "Choose Raiders."


def test_what_has_no_price_cannot_be_taken() -> None:
    verdict = checked(group("Raiders", one("Veteran", "Combat Shotgn"), one("Vetran")))
    assert [(p.rule, p.mend) for p in verdict.problems] == [
        ("fs.cost", "Did you mean Combat Shotgun?"),
        ("fs.cost", "Did you mean Veteran?"),
    ]
    (built,) = checked(group("Raiders", one("Veteran", "Shishkebab"))).problems
    assert (built.rule, built.message) == ("fs.cost", "Shishkebab on Veteran has no price: it is built, never bought")


def test_the_leader_is_marked_and_nobody_has_a_higher_charisma() -> None:
    assert broken(group("Raiders", one("Veteran"), one("Veteran"))) == [], "among equals the lot decides"
    assert broken(group("Raiders", one("Veteran", leader=False))) == ["fs.charisma"]
    assert broken(group("Raiders", one("Veteran"), one("Veteran", leader=True))) == ["fs.charisma"]
    (problem,) = checked(group("Raiders", one("Experienced"), one("Veteran"))).problems
    assert (problem.rule, problem.figures) == ("fs.charisma", {"charisma": 5, "highest": 6})
    assert broken(SYSTEM.blank_force(EDITION, "Raiders")) == ["fs.leader", "fs.charisma"]


def test_weapons_come_from_the_forces_own_list() -> None:
    assert broken(group("Regulators", one("Sheriff", "Trench Coat", "Laser Rifle"))) == []
    (problem,) = checked(group("Raiders", one("Veteran", "Laser Rifle"))).problems
    assert (problem.rule, problem.message) == ("fs.list", "Laser Rifle on Veteran is not on the list of Raiders")
    assert broken(group("Raiders", one("Veteran", "Jet"))) == ["fs.list"]


def test_armor_is_open_to_the_rank_and_worn_once() -> None:
    assert broken(group("Brotherhood of Steel", one("Paladin", "Power Armor"), one("Initiate", "Recon Armor"))) == []
    assert broken(group("Brotherhood of Steel", one("Paladin", "Power Armor"), one("Initiate", "Power Armor"))) == [
        "fs.armour"
    ]
    assert broken(group("Talon Company", one("Commander", "Combat Armor", "Metal Armor"))) == ["fs.armour"]
    (mutant,) = checked(group("Super Mutants", one("Master", "Leather Armor"))).problems
    assert mutant.message == "Leather Armor on Master: Super Mutants have no armor"
    assert broken(group("Enclave", one("Officer", "Trench Coat"))) == []
    assert broken(group("Vault Residents", one("Overseer", "Leather Armor"))) == []


@pytest.mark.parametrize(
    ("force", "place", "armour"),
    [
        ("Brotherhood of Steel", 0, "Power Armor"),
        ("Brotherhood of Steel", 1, "Power Armor"),
        ("Enclave", 1, "Power Armor"),
        ("Enclave", 2, "Power Armor"),
        ("Talon Company", 0, "Combat Armor or Metal Armor"),
        ("Talon Company", 1, "Combat Armor"),
        ("Talon Company", 2, "Combat Armor"),
        ("Regulators", 0, "Trench Coat"),
        ("Regulators", 1, "Trench Coat"),
        ("Regulators", 2, "Trench Coat"),
        ("Vault Residents", 1, "Leather Armor"),
    ],
)
def test_who_must_wear_armor_has_it(force: str, place: int, armour: str) -> None:
    bare = one(RANKS[force][place]["rank"])
    found = checked(group(force, *([] if place == 0 else [RANKS[force][0]]), bare)).problems
    assert [(p.rule, p.mend.partition(" ")[0]) for p in found] == [("fs.must-wear", "Give")]
    assert found[0].mend.endswith(f"{armour}.")


BIG_GUN = {
    "Raiders": (5, "Flamer"),
    "Brotherhood of Steel": (3, "Gatling Laser"),
    "Enclave": (4, "Heavy Incinerator"),
    "Talon Company": (4, "Minigun"),
    "Super Mutants": (3, "Missile Launcher"),
    "Regulators": (5, "Minigun"),
    "Vault Residents": (6, "Flamer"),
    "Wasteland Survivors": (5, "Missile Launcher"),
}


@pytest.mark.parametrize("force", BIG_GUN)
def test_one_big_gun_for_each_full_complement(force: str) -> None:
    per, gun = BIG_GUN[force]
    ranks = RANKS[force]
    carrier = {"Talon Company": 2, "Enclave": 2}.get(force, 1)
    armed = ranks[carrier] | {"items": [*ranks[carrier]["items"], {"name": gun}]}
    everybody = [ranks[0], armed, *[rank for rank in ranks[1:] for _ in range(4)]]
    assert broken(group(force, *everybody[:per])) == []
    (problem,) = checked(group(force, *everybody[: per - 1])).problems
    assert (problem.rule, problem.figures) == (
        "fs.big-guns",
        {"used": 1, "allowed": 0, "per": per, "characters": per - 1},
    )
    twice = armed | {"items": [*ranks[carrier]["items"], {"name": gun, "count": 2}]}
    assert broken(group(force, ranks[0], twice, *everybody[2:per])) == ["fs.big-guns"]


@pytest.mark.parametrize(
    ("force", "place", "gun"),
    [
        ("Brotherhood of Steel", 2, "Minigun"),
        ("Enclave", 0, "Minigun"),
        ("Talon Company", 0, "Minigun"),
        ("Talon Company", 1, "Minigun"),
    ],
)
def test_big_guns_are_for_some_ranks(force: str, place: int, gun: str) -> None:
    ranks = RANKS[force]
    armed = ranks[place] | {"items": [*ranks[place]["items"], {"name": gun}]}
    others = [ranks[2] if place != 2 else ranks[1]] * 3
    first = [armed] if place == 0 else [ranks[0], armed]
    assert broken(group(force, *first, *others)) == ["fs.big-gun-carrier"]


def test_three_stimpaks_in_a_group_and_the_organiser_is_asked() -> None:
    two = one("Veteran") | {"items": [{"name": "Stimpak", "count": 2}]}
    verdict = checked(group("Raiders", two, one("Green", "Stimpak")))
    assert (verdict.total, verdict.problems) == (60 + 75, ())
    assert [(q.rule, q.figures) for q in verdict.queries] == [("fs.stimpak", {"used": 3, "caps": 75})]
    verdict = checked(group("Raiders", two, one("Green", "Stimpak", "stimpak")))
    assert [(p.rule, p.figures) for p in verdict.problems] == [("fs.stimpak", {"used": 4, "allowed": 3})]


def test_grenades_bought_twice_are_asked_about() -> None:
    assert checked(group("Raiders", one("Veteran", "Frag Grenade"), one("Green", "Frag Grenade"))).queries == ()
    verdict = checked(group("Raiders", one("Veteran", "Frag Grenade", "Frag Grenade")))
    assert [(q.rule, q.figures) for q in verdict.queries] == [("fs.grenade", {"used": 2})]


def test_nobody_starts_with_a_perk_but_the_leader() -> None:
    assert broken(group("Raiders", one("Veteran", perks=["leader"]))) == []
    assert broken(group("Raiders", one("Veteran", perks=["Ninja"]))) == ["fs.perk"]
    assert broken(group("Raiders", one("Veteran"), one("Green", perks=["Leader"]))) == ["fs.perk"]


def test_three_turfs_or_none() -> None:
    for number, found in ((0, []), (1, ["fs.turf"]), (2, ["fs.turf"]), (3, []), (4, ["fs.turf"])):
        assert broken(group("Raiders", one("Veteran"), turfs=("bar",) * number)) == found
    assert broken(group("Raiders", one("Veteran"), turfs=("Bar", "Bar", "Palace"))) == ["fs.turf"]


def test_what_an_event_adds_binds_a_group() -> None:
    document = group("Raiders", *RAIDERS)
    assert broken(document, banned=("Hunting Rifle",)) == ["fs.event.ban"]
    assert broken(document, most_copies=(("Nail Board", 1),)) == ["fs.event.copies"]
    assert broken(document, same_model=3) == ["fs.event.copies"], "four Greens"
    doped = group("Raiders", one("Veteran") | {"items": [{"name": "Stimpak", "count": 3}]})
    assert broken(doped, most_copies=(("Stimpak", 3),)) == []
    assert broken(doped, most_copies=(("Stimpak", 2),)) == ["fs.event.copies"], "every copy counts"
    assert broken(document, factions=("Enclave",)) == ["fs.event.factions"]
    assert broken(document, 69, roster_size=490) == ["fs.event.sideboard"], "the leader alone costs 70"
    assert broken(document, 70, roster_size=490) == []


def test_a_part_of_a_roster_keeps_its_turfs() -> None:
    document = group("Raiders", *RAIDERS, turfs=("Bar", "Bar", "Bar"))
    part = SYSTEM.part_of(document, [0, 3])
    assert [model["rank"] for model in part["models"]] == ["Veteran", "Experienced"]
    assert len(part["turfs"]) == 3


def test_ranks_are_found_by_the_other_names_of_the_lists() -> None:
    document = group("Enclave", one("security officer"))
    assert document["models"][0]["rank"] == "Officer", "the allowance calls the Officer so"
    assert group("Vault Residents", one("Security Officer"))["models"][0]["rank"] == "Security Officer"
    assert group("Regulators", one("Master"))["models"][0]["rank"] == "Sheriff"


@pytest.mark.parametrize(
    ("spoilt", "cheapest"),
    [
        ((one("Veteran", leader=False), one("Green", "Knife")), ("Make Veteran the leader",)),
        ((one("Veteran"), one("Green", "Minigun")), ("Take a Minigun off Green",)),
        ((one("Veteran"), one("Knight")), ("Take Knight out",)),
    ],
)
def test_a_few_changes_mend_a_group(spoilt: tuple[Model, ...], cheapest: tuple[str, ...]) -> None:
    document, terms = group("Raiders", *spoilt), Terms(EDITION, 500)
    ways = SYSTEM.mendings(document, terms)
    assert ways[0].changes == cheapest
    for way in ways:
        verdict = SYSTEM.check_force(way.document, terms)
        assert verdict.legal and verdict.total == way.total
    assert len({way.key for way in ways}) == len(ways)


def test_of_a_crowd_nothing_is_offered() -> None:
    """The search is bounded by what it looks at, not by a clock."""
    terms = Terms(EDITION, 5000)
    for knives, offered in ((39, True), (40, False)):
        crowd = (one("Veteran", *["Knife"] * 39, perks=["Ninja"]), one("Veteran", *["Knife"] * knives))
        assert bool(SYSTEM.mendings(group("Raiders", *crowd), terms)) == offered, "80 lines or more"


def test_armor_that_is_missing_is_offered() -> None:
    ways = SYSTEM.mendings(group("Regulators", one("Sheriff")), Terms(EDITION, 500))
    assert ways[0].changes == ("Give Sheriff Trench Coat",)
    assert SYSTEM.mendings(group("Regulators", one("Sheriff", "Trench Coat")), Terms(EDITION, 500)) == ()
