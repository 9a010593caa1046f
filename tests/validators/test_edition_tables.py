"""Editions as tables: every price once, and every change between two editions."""

import copy
import json
from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.own_editions import FILES, GONE, SYSTEM, club_document
from tests.validators.edition_documents import Document, data_of, random_edition
from tests.validators.test_edition_file import SMALL, model
from validators.battle_mode.edition import DATA, Edition
from validators.contract import EditionInfo
from validators.editions import DifferenceRow, EditionDifference, PriceRow

Row = tuple[str, str, str, str, str]
"""Whose or of which list, the name, what differs, what it was and what it is."""


def edition(document: Document) -> EditionInfo:
    return FILES.read(data_of(document))


def listed(diff: EditionDifference) -> list[Row]:
    return [(row.faction or row.kind, row.name, row.what, row.before, row.after) for row in diff.rows]


def plain(row: DifferenceRow, was: str, now: str, what: str) -> str:
    """A row of what was and is, with names in order and in one spelling."""
    words = [sorted(one.removeprefix("no longer ").removeprefix("now ").split(", ")) for one in (was, now)]
    return str([*(text.casefold() for text in (row.kind, row.faction, row.name)), what, *words])


@settings(max_examples=30)
@given(st.integers(0, 2**32).map(Random))
def test_edition_does_not_differ_from_itself_and_the_reverse_is_the_mirror(dice: Random) -> None:
    document = random_edition(dice)
    assert FILES.compare(edition(document), edition(document)) == EditionDifference(("Nothing differs.",), ())
    one, other = edition(document), edition(random_edition(dice))
    there, back = FILES.compare(one, other).rows, FILES.compare(other, one).rows
    turned = {"added": "removed", "removed": "added"}
    assert sorted(plain(row, row.before, row.after, row.what) for row in back) == sorted(
        plain(row, row.after, row.before, turned.get(row.what, row.what)) for row in there
    )


def ash(document: Document, **fields: object) -> None:
    document["factions"][0]["models"][1].update(fields)


def basics(document: Document, **fields: object) -> None:
    document["packs"][0].update(fields)


CHANGES: list[tuple[Callable[[Document], object], list[Row]]] = [
    (lambda d: d.update(heroic_caps=65), [("Heroic", "Heroic", "Caps", "60", "65")]),
    (lambda d: d["factions"].append({"name": "New", "models": []}), [("Factions", "New", "added", "", "")]),
    (lambda d: d["factions"][0].update(fielded=False), [("Factions", "Wardens", "fielded", "yes", "no")]),
    (lambda d: d["factions"][0]["models"].append({"name": "New", "caps": 3}), [("Wardens", "New", "added", "", "3")]),
    (lambda d: d["factions"][0]["models"].pop(), [("Wardens", "Captain Ash", "removed", "90", "")]),
    (lambda d: model(d, caps=41), [("Wardens", "Warden", "Caps", "40", "41")]),
    (lambda d: model(d, unique="Bo"), [("Wardens", "Warden", "unique", "no", "Bo")]),
    (lambda d: model(d, perhaps_unique="Bo"), [("Wardens", "Warden", "perhaps unique", "no", "Bo")]),
    (lambda d: ash(d, heroic=True), [("Wardens", "Captain Ash", "Heroic", "no", "yes")]),
    (lambda d: model(d, built_in=["Bite"]), [("Wardens", "Warden", "built in", "", "now Bite")]),
    (lambda d: model(d, may_carry={"Pistols": ["Pistol"]}), [("Wardens", "Warden", "items", "", "now Pistol")]),
    (lambda d: ash(d, packs=["Basics"]), [
        ("Wardens", "Captain Ash", "Heroic", "no", "yes"), ("Wardens", "Captain Ash", "mods", "no longer Scope", ""),
        ("Wardens", "Captain Ash", "Leader cards", "no longer Commander", ""),
    ]),
    (lambda d: basics(d, perks=["Sneak"]), [("Wardens", "Warden", "perks", "no longer Feral", "")]),
    (lambda d: basics(d, mods=["Scope"]), [("Wardens", "Warden", "mods", "", "now Scope")]),
    (lambda d: basics(d, leader_cards=["Commander"]), [("Wardens", "Warden", "Leader cards", "", "now Commander")]),
    (lambda d: basics(d, perhaps=["Pistol"]), [("Wardens", "Warden", "perhaps items", "", "now Pistol")]),
    (lambda d: basics(d, items=[]), [("Wardens", "Warden", "items", "no longer Long Rifle", "")]),
    (lambda d: d["items"][1]["caps"].update(Pistol=2) or d.pop("disputed"), [
        ("Items", "Pistol", "Caps", "3", "2"), ("Disputed facts", "Pistol: caps 3 or 4", "removed", "", ""),
    ]),
    (lambda d: d["items"][0]["caps"].update(New=13), [("Items", "New", "added", "", "13")]),
    (lambda d: d["items"][0].update(category="Arms"), [("Items", "Long Rifle", "category", "Weapons", "Arms")]),
    (lambda d: d["items"][0].update(heavy=True), [("Items", "Long Rifle", "heavy", "no", "yes")]),
    (lambda d: d["items"][0].update(takes_mod=False), [("Items", "Long Rifle", "takes a mod", "yes", "no")]),
    (lambda d: d["items"][1].update(kind="Guns"), [("Items", "Pistol", "kind", "Pistols", "Guns")]),
    (lambda d: d["shares"].update(Feral=-21), [("Perks", "Feral", "share of the model’s cost", "-20", "-21")]),
    (lambda d: d["shares"].update(New=5), [("Perks", "New", "added", "", "+5 %")]),
    (lambda d: d["perks"].update(Sneak=6), [("Perks", "Sneak", "Caps", "5", "6")]),
    (lambda d: d["perks"].update(New=6), [("Perks", "New", "added", "", "6")]),
    (lambda d: d["mods"].update(Scope=6), [("Mods", "Scope", "Caps", "8", "6")]),
    (lambda d: d["mods"].update(New=6), [("Mods", "New", "added", "", "6")]),
    (lambda d: d["leader_cards"].update(Commander=6), [("Leader cards", "Commander", "Caps", "20", "6")]),
    (lambda d: d["leader_cards"].update(New=6), [("Leader cards", "New", "added", "", "6")]),
    (lambda d: d["aliases"].update(New="Scope"), [("Other spellings", "new for scope", "added", "", "")]),
    (lambda d: d.update(name="Other", source="elsewhere", date="2031-01-01", notes=["No."], id="other"), []),
    (lambda d: d["items"].reverse(), []),
]  # fmt: skip


def test_every_change_is_found_and_nothing_else() -> None:
    before = edition(SMALL)
    for number, (change, rows) in enumerate(CHANGES):
        document = copy.deepcopy(SMALL)
        change(document)
        assert listed(FILES.compare(before, edition(document))) == rows, number


def test_difference_of_the_two_shipped_editions() -> None:
    diff = FILES.compare(SYSTEM.edition("2018-08"), SYSTEM.edition("2021-01"))
    assert diff.summary[:3] == (
        "Factions: 3 removed (Super Mutants, Robots, Wasteland Creatures).",
        "Survivors: 17 added, 17 with another cost, 4 with other changes.",
        "Brotherhood of Steel: 9 added, 7 with another cost, 3 with other changes.",
    )
    raw = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("edition_*.json"))]
    old, new = ({m["name"]: m["caps"] for m in document["factions"][0]["models"]} for document in raw)
    rows = [row for row in listed(diff) if row[0] == "Survivors"]
    assert {name for _, name, what, *_ in rows if what == "added"} == set(new) - set(old)
    assert {name for _, name, what, *_ in rows if what == "Caps"} == {name for name in old if old[name] != new[name]}
    assert ("Survivors", "Cait", "Caps", "137", "77") in rows
    club = listed(FILES.compare(SYSTEM.edition("2018-08"), edition(club_document())))
    assert club[:2] == [("Survivors", GONE, "removed", "104", ""), ("Survivors", "Piper", "Caps", "76", "83")]


def shown(edition: EditionInfo) -> list[tuple[str, str, str]]:
    return [(one.title, row.name, row.cost) for one in FILES.price_lists(edition) for row in one.rows]


def test_price_lists_have_every_price_once() -> None:
    for seed in range(20):
        document = random_edition(Random(seed))
        expected = [(f["name"], m["name"], str(m["caps"])) for f in document["factions"] for m in f["models"]]
        expected += [("Packs", pack["name"], "") for pack in document["packs"]]
        expected += [
            (f"{group['category']}: {group['kind']}", name, str(caps))
            for group in document["items"]
            for name, caps in group["caps"].items()
        ]
        for title, key in (("Mods", "mods"), ("Perks", "perks"), ("Leader cards", "leader_cards")):
            expected += [(title, name, str(caps)) for name, caps in document[key].items()]
        expected += [("Perks", name, f"{share:+d} %".replace("-", "−")) for name, share in document["shares"].items()]
        expected.append(("Of every model that may be Heroic", "Heroic", str(document["heroic_caps"])))
        assert sorted(shown(edition(document))) == sorted(expected), seed


def test_price_lists_have_everything_that_a_model_may_have() -> None:
    """What is named for it, and what its packs hold, are together all that the check allows."""
    for edition in SYSTEM.editions:
        lists: Edition = edition.lists
        listed = {one.title: {row.name: row for row in one.rows} for one in FILES.price_lists(edition)}

        def names(row: PriceRow) -> set[str]:
            return {
                name for kind, found in row.may_have for name in found if kind not in ("Mods", "Perks", "Leader cards")
            }

        for faction in lists.factions.values():
            for entry in faction.models.values():
                row = listed[faction.name][entry.name]
                held = set().union(*(names(listed["Packs"][pack]) for pack in entry.packs))
                assert names(row) | held == {name for found in entry.may_carry.values() for name in found}, entry.name
                assert not names(row) & held, edition.id
                assert ("may be Heroic" in row.notes) == entry.heroic, edition.id
                assert any(note.startswith("unique") for note in row.notes) == (entry.unique is not None), edition.id
