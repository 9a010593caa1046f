"""The edition of 2022 agrees with its source's figures, typed off into ``lists_of_2022.tsv`` under the source's names.

A row of a model: cost, factions, packs, unique code, tags, built-in parts, usual equipment, free mod. A row of an item,
card, perk or mod: cost, packs, tags needed or barred ("!"), kinds of mods.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.kit.forces import SYSTEM, force, model, only
from validators.battle_mode.edition import Item, ModelEntry, Priced
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Terms, Verdict
from validators.names import loose

EDITION = EDITIONS["2022-community"]
INFO = SYSTEM.edition("2022-community")
ROWS = [line.split("\t") for line in Path(__file__).with_name("lists_of_2022.tsv").read_text().splitlines()]
MODELS = {row[1]: [*row[2:], *[""] * (10 - len(row))] for row in ROWS if row[0] == "model"}
OTHERS = {(row[0], row[1]): [*row[2:], *[""] * (6 - len(row))] for row in ROWS if row[0] != "model"}

FACTIONS = {
    "bos": "Brotherhood of Steel", "coa": "Children of Atom", "crt": "Creatures", "enc": "Enclave", "gun": "Gunners",
    "ins": "Institute", "lgn": "Legion", "mnm": "Minutemen", "mut": "Super Mutants", "ncr": "NCR", "rbt": "Robots",
    "rdr": "Raiders", "rlr": "Railroad", "srv": "Survivors",
}  # fmt: skip
KINDS = {"food_and_drink": "Food", "heavy_weapons": "Heavy"}
"""Kinds with another name than the source's category."""
WITHOUT_A_COST = {"swan_1", "swan_2"}
WITHOUT_CONTENTS = {"Securitron Items", "Mr Handy Items"}
"""Packs that the source names and does not hold."""
ADDED_BARS = {"ncr_salvaged_power_armor": "supermutant"}
"""The tag that bars a piece by the source's builder, not by its data."""
ADDED_TAGS = {
    **dict.fromkeys(("bloated_glowing_one", "alpha_mongrel", "glowing_yao_guai", "yao_guai", "mongrel"), "creature"),
    **dict.fromkeys(("mutant_hound", "mutant_hound_fiend"), "dog"),
    "suicider": "super_mutant",
}
STAGES = {"frank_horrigan": "Frank Horrigan", "deathclaw_matriarch": "Deathclaw Matriarch"}
ASKED = {
    *("tessa", "lieutenant_clint", "sergeant_baker", "desdemona", "dr_carrington", "drummer_boy", "mr_tims"),
    *("tinker_tom", "glory", "deacon", "pam", "curie", "grognak"),
}
"""Named persons without a unique code."""


def plain(key: str) -> str:
    return key.replace("_", " ")


def listed(key: str, code: str) -> ModelEntry:
    entry = EDITION.factions[FACTIONS[code].casefold()].models.find(plain(key))
    assert entry is not None, (key, code)
    return entry


def table_of(category: str) -> str:
    return {"leader": "leader_cards", "perks": "perks", "heroic": "perks", "mods": "mods"}.get(category, "items")


def found(category: str, key: str) -> Item | Priced:
    entry: Item | Priced | None = getattr(EDITION, table_of(category)).find(plain(key))
    assert entry is not None, (category, key)
    return entry


def part(reference: str) -> str:
    """A built-in part's name: "pistols.eyebot_laser", "gear.stealth_boy.1"."""
    category, key = reference.split(".")[:2]
    entry = getattr(EDITION, table_of(category)).find(plain(key))
    return entry.name if entry else key


def test_costs_factions_packs_and_persons_are_those_of_the_source() -> None:
    codes: dict[str, set[str]] = {}
    for key, (cost, factions, packs, code, tags, *_) in MODELS.items():
        if key in WITHOUT_A_COST:
            assert int(cost) == 0 and all(f.models.find(plain(key)) is None for f in EDITION.factions.values())
            continue
        for faction in factions.split():
            entry = listed(key, faction)
            assert entry.caps == int(cost), key
            own = {loose(pack) for pack in packs.split()} or {"nopurchase"}
            assert {loose(pack) for pack in entry.packs} == own, key
            kinds = {*tags.split(), *([ADDED_TAGS[key]] if key in ADDED_TAGS else [])}
            assert {loose(tag) for tag in entry.tags} == set(map(loose, kinds)), key
            person = STAGES.get(key[:-2]) or code
            assert (bool(entry.unique), entry.stage) == (bool(person), key[:-2] in STAGES), key
            assert (entry.perhaps_unique is not None) == (key in ASKED), key
            if entry.unique:
                codes.setdefault(person, set()).add(entry.unique)
    assert all(len(names) == 1 for names in codes.values()), codes
    assert len({name for names in codes.values() for name in names}) == len(codes)
    counts = Counter(code for row in MODELS.values() for code in row[1].split() if int(row[0]))
    assert {FACTIONS[code]: number for code, number in counts.items()} == {
        faction.name: len(faction.models) for faction in EDITION.factions.values()
    }
    assert (len(MODELS), sum(int(row[0]) for row in MODELS.values()), len(codes)) == (189, 17_626, 54)


def test_built_in_usual_and_free_equipment_is_that_of_the_source() -> None:
    for key, row in MODELS.items():
        must, usual, free = row[5:8]
        if key in WITHOUT_A_COST:
            continue
        for faction in row[1].split():
            entry = listed(key, faction)
            built_in = {loose(part(reference)) for reference in must.split()}
            clint = {loose("Enrage (on Laser Rifle)")} if key == "lieutenant_clint" else set()
            assert {loose(name) for name in entry.built_in} == built_in | clint, key
            counts = {part(name): int(count or 1) for name, _, count in (u.partition("*") for u in usual.split())}
            assert entry.usual == {name: count for name, count in counts.items() if EDITION.items.find(name).caps}, key  # type: ignore[union-attr]
            assert all(entry.carries(name) for name in entry.usual), key
            if free and not clint:
                mod, where = free.split()
                assert [loose(name) for pair in entry.free_mods.items() for name in pair] == [
                    loose(found("mods", mod).name), loose(where),
                ], key  # fmt: skip


def test_items_cards_perks_and_mods_are_those_of_the_source() -> None:
    held = {table: {pack.name: set(getattr(pack, table)) for pack in EDITION.packs.values()} for table in
            ("items", "mods", "perks", "leader_cards")}  # fmt: skip
    expected: dict[str, dict[str, set[str]]] = {table: {} for table in held}
    heroic = set()
    for (category, key), (cost, packs, tags, kinds) in OTHERS.items():
        if (category, key) == ("heroic", "heroic"):
            heroic, caps = {loose(pack) for pack in packs.split()}, int(cost)
            assert caps == EDITION.file.heroic_caps
            continue
        entry, table = found(category, key), table_of(category)
        if isinstance(entry, Item):
            assert (entry.caps, entry.kind) == (int(cost), KINDS.get(category, plain(category).title())), key
            assert (entry.printed, entry.heavy) == (entry.caps == 0, category == "heavy_weapons"), key
        elif category == "heroic":
            assert (entry.caps, entry.percent) == (0, round(float(cost) * 100) - 100), key
        else:
            assert (entry.caps, entry.percent) == (int(cost), 0), key
            fitting = {loose(KINDS.get(kind, kind)) for kind in kinds.split()}
            assert {loose(kind) for kind in entry.kinds} == fitting, key
        for pack in packs.split():
            name = "Recon Sensors (Robots)" if (key, pack) == ("recon_sensors", "robot_items") else entry.name
            if not (isinstance(entry, Item) and entry.printed):
                expected[table].setdefault(loose(pack), set()).add(name)
        needed = {loose(tag) for tag in tags.split() if not tag.startswith("!")}
        barred = {loose(tag[1:]) for tag in tags.split() if tag.startswith("!")}
        barred |= {ADDED_BARS[key]} if key in ADDED_BARS else set()
        assert {loose(tag) for tag in EDITION.file.needs_tag.get(entry.name, [])} == needed, key
        assert {loose(tag) for tag in EDITION.file.bars_tag.get(entry.name, [])} == barred, key
    for table, packs_of in held.items():
        assert {loose(pack): names for pack, names in packs_of.items() if names} == expected[table], table
    assert heroic == {loose(pack.name) for pack in EDITION.packs.values() if pack.heroic}
    counts = [len(table) for table in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)]
    assert (len(OTHERS), counts) == (658, [417, 30, 95, 115]), "one more is Heroic itself"
    assert len(EDITION.packs) == 17, "the source's 14, two that it only names, one for models that may buy nothing"
    assert {p.name for p in EDITION.packs.values() if p.perhaps} == WITHOUT_CONTENTS


def judge(faction: str, *models: dict[str, object], size: int = 750) -> Verdict:
    document = force({**models[0], "leader": True}, *models[1:], edition=INFO, faction=faction)
    return SYSTEM.checks.check(document, Terms(INFO, size))


@pytest.mark.proves("attack 96")
def test_mod_on_what_it_does_not_fit_is_a_problem() -> None:
    minigun = {"name": "Minigun", "mods": ["Hot Rod Shark Paint"]}
    wrong = only(judge("Brotherhood of Steel", model("Knight", minigun)))
    assert (wrong.rule, "this mod is for Power Armor" in wrong.message) == ("bm.mod", True)
    muffled = [{"name": item, "mods": ["Muffled"]} for item in ("Military Fatigues", "Combat Armor")]
    assert judge("Brotherhood of Steel", model("Knight", *muffled)).problems == ()
    assert only(judge("Brotherhood of Steel", model("Knight", {"name": "T-45 Power Armor", "mods": ["Muffled"]})))


def test_mod_that_does_not_fit_by_later_lists_is_a_query_where_the_edition_is_silent() -> None:
    path = {"system": "battle_mode", "edition": "2018-08", "faction": "Brotherhood of Steel"}
    minigun = {"name": "Minigun", "mods": ["Hot Rod Shark Paint"]}
    document = SYSTEM.forces.read(path | {"models": [model("Knight", minigun, leader=True)]}, SYSTEM.edition("2018-08"))
    verdict = SYSTEM.checks.check(document, Terms(SYSTEM.edition("2018-08"), 750))
    assert (verdict.problems, [query.rule for query in verdict.queries]) == ((), ["bm.mod"])


def test_mods_for_a_kind_of_models_are_on_the_model_itself() -> None:
    verdict = judge("Enclave", model("Eyebot", "Hacking Module"))
    assert (verdict.total, verdict.problems, verdict.queries) == (50, (), ())
    two = judge("Enclave", model("Eyebot", "Hacking Module", "Welded Plate"))
    assert (two.problems, two.queries) == ((), ())
    three = only(judge("Enclave", model("Eyebot", {"name": "Hacking Module", "count": 2}, "Welded Plate")))
    assert (three.rule, three.figures) == ("bm.mod", {"used": 3, "allowed": 2})
    assert only(judge("Enclave", model("Enclave Trainee", "Hacking Module"))).rule == "bm.mod"
    assert only(judge("Creatures", model("Deathclaw", "Hacking Module"))).rule == "bm.mod"


@pytest.mark.parametrize(
    ("faction", "who", "item", "rule"),
    [
        ("Enclave", "Eyebot", "Bowler Hat", ""),
        ("Survivors", "The Mechanist", "Bowler Hat", "bm.carry"),
        ("Super Mutants", "Brute", "T-60 Power Armor", "bm.carry"),
        ("Super Mutants", "Brute", "Chains", ""),
        ("Super Mutants", "Mutant Hound", "Dog Bandana", ""),
    ],
)
def test_tags_limit_what_packs_hold(faction: str, who: str, item: str, rule: str) -> None:
    assert [problem.rule for problem in judge(faction, model(who, item)).problems] == ([rule] if rule else [])


def test_built_in_items_are_free_once_and_nobody_elses() -> None:
    pistol = {"name": "Kellogg's Pistol", "mods": ["Silenced"]}
    kellogg = judge("Institute", model("Conrad Kellogg", pistol))
    assert (kellogg.total, kellogg.problems) == (87 + 2, ())
    assert judge("Institute", model("Conrad Kellogg", pistol | {"count": 2})).total == 87 + 10 + 2 * 2
    sentry = judge("Enclave", model("Sentry Bot", "Minigun", "Missile Launcher"), size=500)
    assert (sentry.total, sentry.problems) == (253, ()), "built-in weapons count against no limit"
    assert judge("Creatures", model("Deathclaw", "Deathclaw Swipe")).problems == ()
    assert only(judge("Creatures", model("Deathclaw"), model("Mole Rat", "Deathclaw Swipe"))).rule == "bm.carry"


def test_cards_name_what_is_built_in_once() -> None:
    for items, said in (((), "built in: Kellogg's Pistol"), (("Kellogg's Pistol",), "Kellogg's Pistol")):
        (unit,) = SYSTEM.papers.card(force(model("Conrad Kellogg", *items), faction="Institute"), INFO)
        assert [(part.text, part.cost or 0) for part in unit.parts] == [(said, 0)], items


def test_free_mod_costs_nothing_once() -> None:
    painted = {"name": "T-60 Power Armor", "mods": ["Elder Paint"]}
    assert judge("Brotherhood of Steel", model("Elder Maxson", painted)).total == 120 + 70
    assert judge("Brotherhood of Steel", model("Elder Maxson", painted, painted)).total == 120 + 2 * 70 + 18
    assert judge("Brotherhood of Steel", model("Paladin Danse", painted)).total == 118 + 70 + 18


def test_stages_are_a_query_in_each_way_of_fielding_them() -> None:
    alone, *more = [model(f"Frank Horrigan (Stage {stage})") for stage in (1, 2, 3)]
    for stages in ((alone,), (alone, more[0]), (alone, *more)):
        verdict = judge("Enclave", *stages)
        assert (verdict.problems, [query.rule for query in verdict.queries]) == ((), ["bm.unique"])
    assert only(judge("Enclave", alone, alone)).rule == "bm.unique"
    bought = judge("Enclave", model("Frank Horrigan (Stage 1)", "Laser Rifle", perks=["Sneak"], heroic=True))
    assert {problem.rule for problem in bought.problems} == {"bm.carry", "bm.perk", "bm.heroic"}


def test_models_without_a_unique_code_are_not_asked_about() -> None:
    twice = [model("Vault Dweller"), model("Vault Dweller")]
    assert judge("Survivors", *twice).queries == ()
    partial = SYSTEM.edition("2021-01")
    twice[0]["leader"] = True
    assert SYSTEM.checks.check(force(*twice, edition=partial), Terms(partial, 750)).queries == ()
    assert [query.rule for query in judge("Railroad", model("Deacon"), model("Deacon")).queries] == ["bm.unique"]


def test_builder_adds_a_model_with_its_usual_equipment_and_offers_only_mods_that_fit() -> None:
    empty = SYSTEM.forces.blank(INFO, "Legion")
    lanius = SYSTEM.forces.edit(empty, {"do": ["add-model=Legate Lanius"], "faction": ["Legion"]}, INFO)
    items = [(item["name"], item["count"]) for item in lanius["models"][0]["items"]]
    assert items == [("Blade of the East", 1), ("Incendiary Grenade", 4)]
    (card,) = SYSTEM.forces.builder(lanius, Terms(INFO, 750), {}).models
    assert {option.name for option in card.mods[0]} == {
        mod.name for mod in EDITION.mods.values() if "Melee" in mod.kinds
    }
    robot = force(model("Eyebot", leader=True), edition=INFO, faction="Robots")
    (card,) = SYSTEM.forces.builder(robot, Terms(INFO, 750), {}).models
    assert "Hacking Module" in {option.name for option in card.add_items[-1].options}


def test_comparison_shows_changes_of_every_field_about_kinds_tags_and_built_in_parts() -> None:
    files = SYSTEM.edition_files
    assert files is not None
    row: dict[str, object] = {
        "name": "Ash",
        "caps": 40,
        "tags": ["Robot"],
        "usual": {"Saw": 1},
        "free_mods": {"Edge": "Melee"},
    }
    row |= {"built_in": ["Claw"], "packs": ["All"]}
    saw = {"category": "Weapons", "kind": "Melee", "takes_mod": True, "caps": {"Saw": 6}}
    hat = {"category": "Armor", "kind": "Clothing", "caps": {"Hat": 3}}
    claw = {"category": "Weapons", "kind": "Melee", "caps": {"Claw": 0}}
    small: dict[str, object] = {
        "system": "battle_mode", "id": "small", "name": "Small", "date": "2027-01-01", "source": "Us",
        "heroic_caps": 60,
        "factions": [{"name": "Ashes", "models": [row]}],
        "packs": [{"name": "All", "items": ["Saw", "Hat"], "mods": ["Edge"]}],
        "items": [saw, hat, claw | {"printed": True}],
        "mods": {"Edge": 4}, "mod_kinds": {"Edge": ["Melee"]}, "needs_tag": {"Hat": ["Robot"]},
        "bars_tag": {"Saw": ["Dog"]}, "names_built_in": True,
    }  # fmt: skip
    before = files.read(json.dumps(small).encode())
    changes: tuple[Any, ...] = (
        {"mod_kinds": {}}, {"mod_kinds": {"Edge": ["Robot"]}}, {"bars_tag": {"Hat": ["Robot"]}},
        {"needs_tag": {"Hat": ["Dog"]}}, {"names_built_in": False}, {"items": [saw, hat, claw]},
        *({"factions": [{"name": "Ashes", "models": [{k: v for k, v in row.items() if k != key}]}]}
          for key in ("tags", "usual", "free_mods", "built_in")),
    )  # fmt: skip
    for change in changes:
        after = files.read(json.dumps(small | change).encode())
        assert files.compare(before, after).rows and files.compare(after, before).rows, change
