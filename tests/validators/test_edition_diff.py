"""The difference of two editions: nothing with itself, its mirror the other way, and every change found."""

import copy
import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.own_editions import FILES, SYSTEM
from tests.validators.edition_documents import Document, data_of, random_edition
from validators.battle_mode.edition import DATA
from validators.contract import EditionInfo
from validators.editions import DifferenceRow, EditionDifference

dice_of = st.integers(0, 2**32).map(Random)
Value = int | str | bool | None
Change = tuple[str, str, str]
"""A property, and what it was and is in words."""
SHARE = "share of the model’s cost"


def edition(document: Document) -> EditionInfo:
    return FILES.read(data_of(document))


def difference(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    return FILES.compare(before, after)


def table(diff: EditionDifference, title: str) -> list[DifferenceRow]:
    """The rows on a faction's models, or on another list."""
    return [row for row in diff.rows if (row.faction or row.kind) == title]


def named(diff: EditionDifference, title: str, what: str) -> tuple[str, ...]:
    return tuple(row.name for row in table(diff, title) if row.what == what)


def change(what: str, before: Value, after: Value) -> Change:
    words = {None: "no", False: "no", True: "yes"}
    was, now = (words[v] if v is None or isinstance(v, bool) else str(v) for v in (before, after))
    return what, was, now


def changes(diff: EditionDifference, title: str, name: str) -> list[Change]:
    return [(row.what, row.before, row.after) for row in table(diff, title) if row.name == name]


def access(diff: EditionDifference, title: str, name: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """What a model may have now and might not before, and the other way round, by kind."""
    return {what: (names(now), names(was)) for what, was, now in changes(diff, title, name)}


def names(words: str) -> tuple[str, ...]:
    listed = words.removeprefix("no longer ").removeprefix("now ")
    return tuple(sorted(listed.split(", "))) if listed else ()


def mirrored(row: DifferenceRow) -> tuple[object, ...]:
    """A row in reverse, with names in order."""
    what = {"added": "removed", "removed": "added"}.get(row.what, row.what)
    return (*plain(row)[:3], what, names(row.after), names(row.before))


def plain(row: DifferenceRow) -> tuple[object, ...]:
    folded = (text.casefold() for text in (row.kind, row.faction, row.name))
    return (*folded, row.what, names(row.before), names(row.after))


@settings(max_examples=60)
@given(dice_of)
def test_edition_does_not_differ_from_itself(dice: Random) -> None:
    document = random_edition(dice)
    assert difference(edition(document), edition(document)) == EditionDifference(("Nothing differs.",), ())


@settings(max_examples=30)
@given(dice_of)
def test_reverse_difference_is_the_mirror(dice: Random) -> None:
    one, other = edition(random_edition(dice)), edition(random_edition(dice))
    there, back = difference(one, other), difference(other, one)
    assert sorted(map(str, map(plain, back.rows))) == sorted(map(str, map(mirrored, there.rows)))


Found = Callable[[EditionDifference], bool]
Mutation = Callable[[Document, Random], Found | None]
"""Changes a document, and returns what the difference must show; None where the document does not allow the change."""
FoundInModel = Callable[[EditionDifference, str, str], bool]


def cost_of_heroic(document: Document, dice: Random) -> Found | None:
    before = document["heroic_caps"]
    document["heroic_caps"] += 5
    return lambda diff: changes(diff, "Heroic", "Heroic") == [change("Caps", before, before + 5)]


def faction_added(document: Document, dice: Random) -> Found | None:
    document["factions"].append({"name": "Newcomers", "models": []})
    return lambda diff: named(diff, "Factions", "added") == ("Newcomers",)


def faction_removed(document: Document, dice: Random) -> Found | None:
    gone = document["factions"].pop()["name"]
    return (lambda diff: named(diff, "Factions", "removed") == (gone,)) if document["factions"] else None


def faction_fielded(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    faction["fielded"] = not faction["fielded"]
    expected = change("fielded", not faction["fielded"], faction["fielded"])
    return lambda diff: changes(diff, "Factions", faction["name"]) == [expected]


def model_added(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    faction["models"].append({"name": "Newcomer", "caps": 3})
    return lambda diff: named(diff, faction["name"], "added") == ("Newcomer",)


def model_removed(document: Document, dice: Random) -> Found | None:
    faction = dice.choice(document["factions"])
    if not faction["models"]:
        return None
    gone = faction["models"].pop()["name"]
    return lambda diff: named(diff, faction["name"], "removed") == (gone,)


def of_model(mutation: Callable[[Document, Document], FoundInModel | None]) -> Mutation:
    """A change of one model of the document."""

    def mutate(document: Document, dice: Random) -> Found | None:
        models = [(faction["name"], model) for faction in document["factions"] for model in faction["models"]]
        if not models:
            return None
        faction, model = dice.choice(models)
        found = mutation(document, model)
        return (lambda diff: found(diff, faction, model["name"])) if found else None

    return mutate


def model_property(field: str, what: str, value: Value, absent: Value) -> Mutation:
    def mutate(document: Document, model: Document) -> FoundInModel | None:
        packs = [pack for pack in document["packs"] if pack["name"] in model.get("packs", [])]
        if field == "heroic" and (model.get("heroic") or any(pack["heroic"] for pack in packs)):
            return None
        if field.endswith("unique"):
            model.pop("unique" if field == "perhaps_unique" else "perhaps_unique", None)
        expected = change(what, model.get(field, absent), value)
        model[field] = value
        return lambda diff, faction, name: expected in changes(diff, faction, name)

    return of_model(mutate)


def gained(what: str) -> FoundInModel:
    """The model may have the novelty."""
    return lambda diff, faction, name: access(diff, faction, name)[what] == (("Novelty",), ())


def new_item(document: Document) -> None:
    document["items"].append({"category": "X", "kind": "New", "caps": {"Novelty": 1}})


def item_allowed(document: Document, model: Document) -> FoundInModel:
    new_item(document)
    model["may_carry"] = model.get("may_carry", {}) | {"New": ["Novelty"]}
    found = gained("items")
    return lambda diff, faction, name: found(diff, faction, name) and named(diff, "Items", "added") == ("Novelty",)


def pack_given(document: Document, model: Document) -> FoundInModel:
    others = {*document["perks"], *document["shares"]}
    document["perks"]["Novelty"] = 4
    document["packs"].append({"name": "New pack", "perks": ["Novelty"]})
    model["packs"] = [*model.get("packs", []), "New pack"]
    if model["packs"] != ["New pack"]:
        return gained("perks")

    def found(diff: EditionDifference, faction: str, name: str) -> bool:  # from everything to this one perk
        has, lost = access(diff, faction, name)["perks"]
        return has == ("Novelty",) and set(lost) == others

    return found


def pack_gains(sort: str, what: str) -> Mutation:
    def mutate(document: Document, model: Document) -> FoundInModel | None:
        if not model.get("packs"):
            return None
        if sort == "perhaps":
            new_item(document)
        else:
            document[sort]["Novelty"] = 2
        next(pack for pack in document["packs"] if pack["name"] == model["packs"][0])[sort].append("Novelty")
        return gained(what)

    return of_model(mutate)


def built_in(document: Document, model: Document) -> FoundInModel:
    model["built_in"] = [*model.get("built_in", []), "Novelty"]
    return gained("built in")


def item_property(field: str, what: str) -> Mutation:
    def mutate(document: Document, dice: Random) -> Found | None:
        groups = [group for group in document["items"] if group["caps"]]
        if not groups:
            return None
        group = dice.choice(groups)
        name = next(iter(group["caps"]))
        document.pop("disputed", None)
        if field == "caps":
            group["caps"][name] += 1
            expected = change(what, group["caps"][name] - 1, group["caps"][name])
        else:
            before = group[field]
            group[field] = f"{before}, changed" if isinstance(before, str) else not before
            expected = change(what, before, group[field])
            properties = ("category", "kind", "heavy", "takes_mod")
            if len({tuple(g[p] for p in properties) for g in document["items"]}) < len(document["items"]):
                return None
        return lambda diff: expected in changes(diff, "Items", name)

    return mutate


def priced(sort: str, title: str, what: str) -> Mutation:
    def mutate(document: Document, dice: Random) -> Found | None:
        if not document[sort]:
            return None
        name = dice.choice(list(document[sort]))
        before = document[sort][name]
        document[sort][name] += 1
        return lambda diff: changes(diff, title, name) == [change(what, before, before + 1)]

    return mutate


def added(sort: str, title: str) -> Mutation:
    def mutate(document: Document, dice: Random) -> Found | None:
        document[sort]["Novelty"] = 5
        return lambda diff: named(diff, title, "added") == ("Novelty",)

    return mutate


def alias(document: Document, dice: Random) -> Found | None:
    if not document["aliases"]:
        return None
    name = next(iter(document["aliases"].values()))
    document["aliases"]["Novelty"] = name
    return lambda diff: named(diff, "Other spellings", "added") == (f"novelty for {name.casefold()}",)


def undisputed(document: Document, dice: Random) -> Found | None:
    if not document.pop("disputed", None):
        return None
    return lambda diff: len(named(diff, "Disputed facts", "removed")) == 1


MUTATIONS: list[Mutation] = [
    *(cost_of_heroic, faction_added, faction_removed, faction_fielded, model_added, model_removed, alias, undisputed),
    *(of_model(mutation) for mutation in (built_in, item_allowed, pack_given)),
    model_property("caps", "Caps", 123, None),
    model_property("unique", "unique", "Somebody", None),
    model_property("perhaps_unique", "perhaps unique", "Somebody", None),
    model_property("heroic", "Heroic", True, False),
    *(pack_gains(sort, what) for sort, what in (("perks", "perks"), ("mods", "mods"), ("perhaps", "perhaps items"))),
    pack_gains("leader_cards", "Leader cards"),
    item_property("caps", "Caps"),
    *(item_property(field, field) for field in ("category", "heavy")),
    item_property("takes_mod", "takes a mod"),
    priced("shares", "Perks", SHARE),
    *(priced(sort, sort.capitalize(), "Caps") for sort in ("perks", "mods")),
    priced("leader_cards", "Leader cards", "Caps"),
    *(added(sort, title) for sort, title in (("perks", "Perks"), ("shares", "Perks"), ("mods", "Mods"))),
    added("leader_cards", "Leader cards"),
]


@pytest.mark.slow
def test_every_change_is_found() -> None:
    for number, mutation in enumerate(MUTATIONS):
        found = 0
        for seed in range(40):
            dice = Random(f"{number}/{seed}")
            document = random_edition(dice)
            after = copy.deepcopy(document)
            expected = mutation(after, dice)
            if expected is not None:
                diff = difference(edition(document), edition(after))
                assert expected(diff), (mutation, number, diff)
                assert difference(edition(after), edition(document)).rows, (mutation, number)
                found += 1
        assert found >= 8, (mutation, number)


def test_titles_and_order_are_no_difference() -> None:
    document = random_edition(Random(5))
    after = copy.deepcopy(document)
    after.update(name="Another title", source="elsewhere", date="2031-01-01", notes=["Otherwise."], id="other")
    after["items"].reverse()
    after["mods"] = dict(reversed(after["mods"].items()))
    assert difference(edition(document), edition(after)).rows == ()


def test_difference_of_the_two_shipped_editions() -> None:
    diff = difference(SYSTEM.edition("2018-08"), SYSTEM.edition("2021-01"))
    assert diff.summary[:3] == (
        "Factions: 3 removed (Super Mutants, Robots, Wasteland Creatures).",
        "Survivors: 17 added, 17 with another cost, 4 with other changes.",
        "Brotherhood of Steel: 9 added, 7 with another cost, 3 with other changes.",
    )
    raw = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("edition_*.json"))]
    old, new = ({m["name"]: m["caps"] for m in document["factions"][0]["models"]} for document in raw)
    assert set(named(diff, "Survivors", "added")) == set(new) - set(old)
    assert set(named(diff, "Survivors", "Caps")) == {name for name in old if old[name] != new[name]}
    assert change("Caps", 137, 77) in changes(diff, "Survivors", "Cait")
