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
from validators.battle_mode.edition_file import EDITIONS, read_edition
from validators.battle_mode.edition_tables import Access, Change, Changed, EditionDiff, TableDiff, Value, difference

dice_of = st.integers(0, 2**32).map(Random)


def edition(document: Document) -> Edition:
    return read_edition(data_of(document))


def mirrored(diff: EditionDiff) -> EditionDiff:
    """The same differences in reverse, with entries in the order of their names."""
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
        table.title, tuple(sorted(table.removed)), tuple(sorted(table.added)),
        tuple(sorted(changed, key=lambda one: one.name)),
    )  # fmt: skip


def sorted_out(diff: EditionDiff) -> tuple[Any, ...]:
    """A difference without the order that the editions' own order gives it."""
    straight = mirrored(mirrored(diff))
    return straight.heroic_caps, straight.factions, {t.title: t for t in straight.models}, straight.tables


@settings(max_examples=60)
@given(dice_of)
def test_edition_does_not_differ_from_itself(dice: Random) -> None:
    document = random_edition(dice)
    diff = difference(edition(document), edition(document))
    assert diff.empty
    assert diff.summary() == ("Nothing differs.",)


@settings(max_examples=80)
@given(dice_of)
def test_reverse_difference_is_the_mirror(dice: Random) -> None:
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
Mutation = Callable[[Document, Random], Found | None]
"""Changes a document, and returns what the difference must show; None where the document does not allow the change."""
FoundInModel = Callable[[EditionDiff, str, str], bool]


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


def of_model(change: Callable[[Document, Document], FoundInModel | None]) -> Mutation:
    """A change of one model of the document."""

    def mutate(document: Document, dice: Random) -> Found | None:
        models = [(faction["name"], model) for faction in document["factions"] for model in faction["models"]]
        if not models:
            return None
        faction, model = dice.choice(models)
        found = change(document, model)
        return (lambda diff: found(diff, faction, model["name"])) if found else None

    return mutate


def model_property(field: str, what: str, value: Value, absent: Value) -> Mutation:
    def change(document: Document, model: Document) -> FoundInModel | None:
        packs = [pack for pack in document["packs"] if pack["name"] in model.get("packs", [])]
        if field == "heroic" and (model.get("heroic") or any(pack["heroic"] for pack in packs)):
            return None
        if field.endswith("unique"):
            model.pop("unique" if field == "perhaps_unique" else "perhaps_unique", None)
        expected = Change(what, model.get(field, absent), value)
        model[field] = value
        return lambda diff, faction, name: expected in changes(diff, faction, name)

    return of_model(change)


def gained(what: str) -> FoundInModel:
    """The model may have the novelty."""
    return lambda diff, faction, name: access(diff, faction, name)[what] == (("Novelty",), ())


def new_item(document: Document) -> None:
    document["items"].append({"category": "X", "kind": "New", "caps": {"Novelty": 1}})


def item_allowed(document: Document, model: Document) -> FoundInModel:
    new_item(document)
    model["may_carry"] = model.get("may_carry", {}) | {"New": ["Novelty"]}
    found = gained("items")
    return lambda diff, faction, name: found(diff, faction, name) and table(diff, "Items").added == ("Novelty",)


def pack_given(document: Document, model: Document) -> FoundInModel:
    others = {*document["perks"], *document["shares"]}
    document["perks"]["Novelty"] = 4
    document["packs"].append({"name": "New pack", "perks": ["Novelty"]})
    model["packs"] = [*model.get("packs", []), "New pack"]
    if model["packs"] != ["New pack"]:
        return gained("perks")

    def found(diff: EditionDiff, faction: str, name: str) -> bool:  # from everything to this one perk
        has, lost = access(diff, faction, name)["perks"]
        return has == ("Novelty",) and set(lost) == others

    return found


def pack_gains(sort: str, what: str) -> Mutation:
    def change(document: Document, model: Document) -> FoundInModel | None:
        if not model.get("packs"):
            return None
        if sort == "perhaps":
            new_item(document)
        else:
            document[sort]["Novelty"] = 2
        next(pack for pack in document["packs"] if pack["name"] == model["packs"][0])[sort].append("Novelty")
        return gained(what)

    return of_model(change)


def built_in(document: Document, model: Document) -> FoundInModel:
    model["built_in"] = [*model.get("built_in", []), "Novelty"]
    return gained("built in")


def item_property(field: str, what: str) -> Mutation:
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
            group[field] = f"{before}, changed" if isinstance(before, str) else not before
            expected = Change(what, before, group[field])
            properties = ("category", "kind", "heavy", "takes_mod")
            if len({tuple(g[p] for p in properties) for g in document["items"]}) < len(document["items"]):
                return None
        return lambda diff: expected in changes(diff, "Items", name)

    return change


def priced(sort: str, title: str, what: str) -> Mutation:
    def change(document: Document, dice: Random) -> Found | None:
        if not document[sort]:
            return None
        name = dice.choice(list(document[sort]))
        before = document[sort][name]
        document[sort][name] += 1
        return lambda diff: changes(diff, title, name) == (Change(what, before, before + 1),)

    return change


def added(sort: str, title: str) -> Mutation:
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


MUTATIONS: list[Mutation] = [
    *(cost_of_heroic, faction_added, faction_removed, faction_fielded, model_added, model_removed, alias, undisputed),
    *(of_model(change) for change in (built_in, item_allowed, pack_given)),
    model_property("caps", "caps", 123, None),
    model_property("unique", "unique", "Somebody", None),
    model_property("perhaps_unique", "perhaps unique", "Somebody", None),
    model_property("heroic", "Heroic", True, False),
    *(pack_gains(sort, what) for sort, what in (("perks", "perks"), ("mods", "mods"), ("perhaps", "perhaps items"))),
    pack_gains("leader_cards", "Leader cards"),
    *(item_property(field, field) for field in ("caps", "category", "heavy")),
    item_property("takes_mod", "takes a mod"),
    priced("shares", "Perks", "percent"),
    *(priced(sort, sort.capitalize(), "caps") for sort in ("perks", "mods")),
    priced("leader_cards", "Leader cards", "caps"),
    *(added(sort, title) for sort, title in (("perks", "Perks"), ("shares", "Perks"), ("mods", "Mods"))),
    added("leader_cards", "Leader cards"),
]


@pytest.mark.slow
def test_every_change_is_found() -> None:
    for number, change in enumerate(MUTATIONS):
        found = 0
        for seed in range(40):
            dice = Random(f"{number}/{seed}")
            document = random_edition(dice)
            after = copy.deepcopy(document)
            expected = change(after, dice)
            if expected is not None:
                diff = difference(edition(document), edition(after))
                assert not diff.empty, (change, number)
                assert expected(diff), (change, number, diff)
                assert difference(edition(after), edition(document)).summary() != ("Nothing differs.",), (
                    change,
                    number,
                )
                found += 1
        assert found >= 8, (change, number)


def test_titles_and_order_are_no_difference() -> None:
    document = random_edition(Random(5))
    after = copy.deepcopy(document)
    after.update(name="Another title", source="elsewhere", date="2031-01-01", notes=["Otherwise."], id="other")
    after["items"].reverse()
    after["mods"] = dict(reversed(after["mods"].items()))
    assert difference(edition(document), edition(after)).empty


def test_difference_of_the_two_shipped_editions() -> None:
    diff = difference(EDITIONS["2018-08"], EDITIONS["2021-01"])
    assert diff.summary()[:3] == (
        "Factions: 3 removed (Super Mutants, Robots, Wasteland Creatures).",
        "Survivors: 17 added, 17 with another cost, 4 with other changes.",
        "Brotherhood of Steel: 9 added, 7 with another cost, 3 with other changes.",
    )
    raw = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("edition_*.json"))]
    old, new = ({m["name"]: m["caps"] for m in document["factions"][0]["models"]} for document in raw)
    survivors = table(diff, "Survivors")
    assert set(survivors.added) == set(new) - set(old)
    assert {changed.name for changed in survivors.repriced} == {name for name in old if old[name] != new[name]}
    assert changes(diff, "Survivors", "Cait") == (Change("caps", 137, 77),)
