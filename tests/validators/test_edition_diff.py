"""The difference of two editions: nothing with itself, its mirror the other way, and every change found."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.validators.edition_documents import Document, data_of, random_edition
from validators.battle_mode.edition import DATA, Edition
from validators.battle_mode.edition_diff import Access, Change, Changed, EditionDiff, TableDiff, Value, difference
from validators.battle_mode.edition_file import read_edition
from validators.battle_mode.shipped import EDITIONS

dice_of = st.integers(0, 2**32).map(Random)


def edition(document: Document) -> Edition:
    return read_edition(data_of(document))


def mirrored(diff: EditionDiff) -> EditionDiff:
    """The same differences, told the other way round; entries in the order of their names."""
    return EditionDiff(
        heroic_caps=turned(diff.heroic_caps) if diff.heroic_caps else None,
        factions=mirrored_table(diff.factions),
        models=tuple(mirrored_table(table) for table in diff.models),
        tables=tuple(mirrored_table(table) for table in diff.tables),
    )


def turned(change: Change) -> Change:
    return Change(change.what, change.after, change.before)


def mirrored_table(table: TableDiff) -> TableDiff:
    changed = [
        Changed(
            one.name,
            tuple(map(turned, one.changes)),
            tuple(Access(a.what, tuple(sorted(a.lost)), tuple(sorted(a.gained))) for a in one.access),
        )
        for one in table.changed
    ]
    return TableDiff(
        table.title,
        tuple(sorted(table.removed)),
        tuple(sorted(table.added)),
        tuple(sorted(changed, key=lambda one: one.name)),
    )


def sorted_out(diff: EditionDiff) -> tuple[Any, ...]:
    """A difference without the order that the editions' own order gives it."""
    straight = mirrored(mirrored(diff))
    return straight.heroic_caps, straight.factions, {t.title: t for t in straight.models}, straight.tables


@settings(max_examples=60)
@given(dice_of)
def test_an_edition_differs_from_itself_in_nothing(dice: Random) -> None:
    document = random_edition(dice)
    diff = difference(edition(document), edition(document))
    assert diff.empty
    assert diff.summary() == ("Nothing is otherwise.",)


@settings(max_examples=80)
@given(dice_of)
def test_the_difference_the_other_way_is_its_mirror(dice: Random) -> None:
    one, other = edition(random_edition(dice)), edition(random_edition(dice))
    assert sorted_out(difference(other, one)) == sorted_out(mirrored(difference(one, other)))


def table(diff: EditionDiff, title: str) -> TableDiff:
    return next((t for t in (diff.factions, *diff.models, *diff.tables) if t.title == title), TableDiff(title))


def changes(diff: EditionDiff, title: str, name: str) -> tuple[Change, ...]:
    return next((changed.changes for changed in table(diff, title).changed if changed.name == name), ())


def access(diff: EditionDiff, title: str, name: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    found = next((changed for changed in table(diff, title).changed if changed.name == name), Changed(name))
    return {one.what: (one.gained, one.lost) for one in found.access}


Found = Callable[[EditionDiff], bool]


def cost_of_heroic(document: Document, dice: Random) -> Found | None:
    before = document["heroic_caps"]
    document["heroic_caps"] += 5
    return lambda diff: diff.heroic_caps == Change("caps", before, before + 5)


def faction_added(document: Document, dice: Random) -> Found | None:
    document["factions"].append({"name": "Newcomers", "models": []})
    return lambda diff: diff.factions.added == ("Newcomers",)


def faction_removed(document: Document, dice: Random) -> Found | None:
    gone = document["factions"].pop()["name"]
    return (lambda diff: diff.factions.removed == (gone,)) if document["factions"] else None


def faction_fielded(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    faction["fielded"] = not faction["fielded"]
    change = Change("fielded", not faction["fielded"], faction["fielded"])
    return lambda diff: changes(diff, "Factions", faction["name"]) == (change,)


def a_model(document: Document, dice: Random) -> tuple[str, Document] | None:
    models = [(faction["name"], model) for faction in document["factions"] for model in faction["models"]]
    return dice.choice(models) if models else None


def model_added(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    faction["models"].append({"name": "Newcomer", "caps": 3})
    return lambda diff: table(diff, faction["name"]).added == ("Newcomer",)


def model_removed(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    if not faction["models"]:
        return None
    gone = faction["models"].pop()["name"]
    return lambda diff: table(diff, faction["name"]).removed == (gone,)


def model_property(field: str, what: str, value: Value, absent: Value) -> Callable[[Document, Random], Found | None]:
    def change(document: Document, dice: Random) -> Found | None:
        chosen = a_model(document, dice)
        if chosen is None:
            return None
        faction, model = chosen
        packs = [pack for pack in document["packs"] if pack["name"] in model.get("packs", [])]
        if field == "heroic" and (model.get("heroic") or any(pack["heroic"] for pack in packs)):
            return None
        if field.endswith("unique"):
            model.pop("unique" if field == "perhaps_unique" else "perhaps_unique", None)
        before: Any = model.get(field, absent)
        model[field] = value
        expected = Change(what, before, value)
        return lambda diff: expected in changes(diff, faction, model["name"])

    return change


def item_allowed(document: Document, dice: Random) -> Found | None:
    chosen = a_model(document, dice)
    if chosen is None:
        return None
    faction, model = chosen
    document["items"].append({"category": "X", "kind": "New", "caps": {"Novelty": 1}})
    model["may_carry"] = model.get("may_carry", {}) | {"New": ["Novelty"]}
    gained = (("Novelty",), ())
    return lambda diff: (
        access(diff, faction, model["name"])["items"] == gained and table(diff, "Items").added == ("Novelty",)
    )


def pack_given(document: Document, dice: Random) -> Found | None:
    chosen = a_model(document, dice)
    if chosen is None:
        return None
    faction, model = chosen
    document["perks"]["New perk"] = 4
    document["packs"].append({"name": "New pack", "perks": ["New perk"]})
    model["packs"] = [*model.get("packs", []), "New pack"]
    if model["packs"] == ["New pack"]:  # from everything to this one perk
        others = {*document["perks"], *document["shares"]} - {"New perk"}
        gained: tuple[str, ...] = ("New perk",)
        return lambda diff: (
            access(diff, faction, model["name"])["perks"][0] == gained
            and set(access(diff, faction, model["name"])["perks"][1]) == others
        )
    return lambda diff: access(diff, faction, model["name"])["perks"] == (("New perk",), ())


def pack_gains(sort: str, what: str) -> Callable[[Document, Random], Found | None]:
    def change(document: Document, dice: Random) -> Found | None:
        chosen = a_model(document, dice)
        if chosen is None or not chosen[1].get("packs"):
            return None
        faction, model = chosen
        document[sort]["Novelty"] = 2
        next(pack for pack in document["packs"] if pack["name"] == model["packs"][0])[sort].append("Novelty")
        return lambda diff: access(diff, faction, model["name"])[what] == (("Novelty",), ())

    return change


def pack_perhaps(document: Document, dice: Random) -> Found | None:
    chosen = a_model(document, dice)
    if chosen is None or not chosen[1].get("packs"):
        return None
    faction, model = chosen
    document["items"].append({"category": "X", "kind": "New", "caps": {"Novelty": 1}})
    pack = next(pack for pack in document["packs"] if pack["name"] == model["packs"][0])
    pack["perhaps"] = [*pack["perhaps"], "Novelty"]
    return lambda diff: access(diff, faction, model["name"])["perhaps items"] == (("Novelty",), ())


def built_in(document: Document, dice: Random) -> Found | None:
    chosen = a_model(document, dice)
    if chosen is None:
        return None
    faction, model = chosen
    model["built_in"] = [*model.get("built_in", []), "Novelty"]
    return lambda diff: access(diff, faction, model["name"])["built in"] == (("Novelty",), ())


def item_property(field: str, what: str) -> Callable[[Document, Random], Found | None]:
    def change(document: Document, dice: Random) -> Found | None:
        groups = [group for group in document["items"] if group["caps"]]
        if not groups:
            return None
        group = dice.choice(groups)
        name = next(iter(group["caps"]))
        document.pop("disputed", None)
        if field == "caps":
            group["caps"][name] += 1
            expected = Change(what, group["caps"][name] - 1, group["caps"][name])
        else:
            before = group[field]
            group[field] = f"{before}, otherwise" if isinstance(before, str) else not before
            expected = Change(what, before, group[field])
            properties = ("category", "kind", "heavy", "takes_mod")
            if len({tuple(g[p] for p in properties) for g in document["items"]}) < len(document["items"]):
                return None
        return lambda diff: expected in changes(diff, "Items", name)

    return change


def priced(sort: str, title: str, what: str) -> Callable[[Document, Random], Found | None]:
    def change(document: Document, dice: Random) -> Found | None:
        if not document[sort]:
            return None
        name = dice.choice(list(document[sort]))
        before = document[sort][name]
        document[sort][name] += 1
        return lambda diff: changes(diff, title, name) == (Change(what, before, before + 1),)

    return change


def added(sort: str, title: str) -> Callable[[Document, Random], Found | None]:
    def change(document: Document, dice: Random) -> Found | None:
        document[sort]["Novelty"] = 5
        return lambda diff: table(diff, title).added == ("Novelty",)

    return change


def alias(document: Document, dice: Random) -> Found | None:
    if not document["aliases"]:
        return None
    name = next(iter(document["aliases"].values()))
    document["aliases"]["Novelty"] = name
    return lambda diff: table(diff, "Other spellings").added == (f"novelty for {name.casefold()}",)


def undisputed(document: Document, dice: Random) -> Found | None:
    if not document.pop("disputed", None):
        return None
    return lambda diff: len(table(diff, "Disputed facts").removed) == 1


MUTATIONS: dict[str, Callable[[Document, Random], Found | None]] = {
    "cost of Heroic": cost_of_heroic,
    "faction added": faction_added,
    "faction removed": faction_removed,
    "faction fielded": faction_fielded,
    "model added": model_added,
    "model removed": model_removed,
    "model cost": model_property("caps", "caps", 123, None),
    "model unique": model_property("unique", "unique", "Somebody", None),
    "model perhaps unique": model_property("perhaps_unique", "perhaps unique", "Somebody", None),
    "model Heroic": model_property("heroic", "Heroic", True, False),
    "built in": built_in,
    "item allowed": item_allowed,
    "pack given": pack_given,
    "pack gains a perk": pack_gains("perks", "perks"),
    "pack gains a mod": pack_gains("mods", "mods"),
    "pack gains a Leader card": pack_gains("leader_cards", "Leader cards"),
    "pack perhaps": pack_perhaps,
    "item cost": item_property("caps", "caps"),
    "item category": item_property("category", "category"),
    "item heavy": item_property("heavy", "heavy"),
    "item takes a mod": item_property("takes_mod", "takes a mod"),
    "perk cost": priced("perks", "Perks", "caps"),
    "share": priced("shares", "Perks", "percent"),
    "mod cost": priced("mods", "Mods", "caps"),
    "Leader card cost": priced("leader_cards", "Leader cards", "caps"),
    "perk added": added("perks", "Perks"),
    "share added": added("shares", "Perks"),
    "mod added": added("mods", "Mods"),
    "Leader card added": added("leader_cards", "Leader cards"),
    "alias": alias,
    "undisputed": undisputed,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_every_change_is_found(name: str) -> None:
    found = 0
    for seed in range(40):
        dice = Random(f"{name}/{seed}")
        document = random_edition(dice)
        after = copy.deepcopy(document)
        expected = MUTATIONS[name](after, dice)
        if expected is not None:
            diff = difference(edition(document), edition(after))
            assert not diff.empty
            assert expected(diff), diff
            assert difference(edition(after), edition(document)).summary() != ("Nothing is otherwise.",)
            found += 1
    assert found >= 8


def test_titles_and_order_make_no_difference() -> None:
    document = random_edition(Random(5))
    after = copy.deepcopy(document)
    after.update(name="Another title", source="elsewhere", date="2031-01-01", notes=["Otherwise."], id="other")
    after["items"].reverse()
    after["mods"] = dict(reversed(after["mods"].items()))
    assert difference(edition(document), edition(after)).empty


def test_the_two_editions_that_ship() -> None:
    diff = difference(EDITIONS["2018-08"], EDITIONS["2021-01"])
    assert diff.summary()[:3] == (
        "Factions: 3 removed (Super Mutants, Robots, Wasteland Creatures).",
        "Survivors: 17 added, 17 with another cost, 4 changed otherwise.",
        "Brotherhood of Steel: 9 added, 7 with another cost, 3 changed otherwise.",
    )
    raw = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("edition_*.json"))]
    old, new = ({m["name"]: m["caps"] for m in document["factions"][0]["models"]} for document in raw)
    survivors = table(diff, "Survivors")
    assert set(survivors.added) == set(new) - set(old)
    assert {changed.name for changed in survivors.repriced} == {name for name in old if old[name] != new[name]}
    assert changes(diff, "Survivors", "Cait") == (Change("caps", 137, 77),)
