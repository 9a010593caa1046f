"""The edition file: what is read, what is refused with its line and field, and what is written back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validators.battle_mode.edition import DATA
from validators.battle_mode.edition_file import edition_document, edition_schema, read_edition
from validators.battle_mode.shipped import EDITIONS
from validators.contract import UnreadableEdition
from validators.edition_file import MOST_FAULTS

SCHEMA = Path(__file__).parents[2] / "docs" / "edition.schema.json"
GUIDE = Path(__file__).parents[2] / "docs" / "editions.md"
SHIPPED = {path.stem: path.read_bytes() for path in sorted(DATA.glob("edition_*.json"))}

SMALL: dict[str, Any] = {
    "system": "battle_mode",
    "id": "club-2027",
    "name": "Our club's lists",
    "date": "2027-01-15",
    "source": "Our own",
    "heroic_caps": 60,
    "factions": [
        {
            "name": "Wardens",
            "models": [
                {"name": "Warden", "caps": 40, "packs": ["basics"]},
                {"name": "Captain Ash", "caps": 90, "unique": "Ash", "may_carry": {"Rifles": ["long rifle"]}},
            ],
        }
    ],
    "packs": [{"name": "Basics", "heroic": True, "items": ["Long  Rifle"], "perks": ["SNEAK", "Feral"]}],
    "items": [
        {"category": "Weapons", "kind": "Rifles", "takes_mod": True, "caps": {"Long Rifle": 12}},
        {"category": "Weapons", "kind": "Pistols", "caps": {"Pistol": 3}},
    ],
    "leader_cards": {"Commander": 20},
    "perks": {"Sneak": 5},
    "shares": {"Feral": -20},
    "mods": {"Scope": 8},
    "aliases": {"Longrifle": "Long Rifle"},
    "disputed": [{"fact": "caps", "item": "Pistol", "here": 3, "there": 4}],
}


def data_of(document: object) -> bytes:
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def changed(change: Callable[[Any], object]) -> bytes:
    """The small file after a change in place."""
    document = json.loads(data_of(SMALL))
    change(document)
    return data_of(document)


def faults(data: bytes) -> tuple[str, ...]:
    with pytest.raises(UnreadableEdition) as refused:
        read_edition(data)
    return refused.value.faults


def fault(change: Callable[[Any], object]) -> str:
    """The one fault of the small file after a change."""
    told = faults(changed(change))
    assert len(told) == 1, told
    return told[0]


def test_the_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == edition_schema()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_editions_come_back_from_their_own_file(name: str) -> None:
    edition = read_edition(SHIPPED[name])
    assert edition == EDITIONS[edition.id]
    written = edition_document(edition)
    assert read_edition(data_of(written)) == edition
    assert edition_document(read_edition(data_of(written))) == written


def test_names_are_spelt_as_in_their_own_table() -> None:
    edition = read_edition(data_of(SMALL))
    warden, ash = edition.factions["wardens"].models.values()
    assert (warden.heroic, warden.packs, warden.may_carry) == (True, ("Basics",), {"Rifles": ("Long Rifle",)})
    assert warden.perks == frozenset(["Sneak", "Feral"])
    assert warden.mods == frozenset()
    assert (ash.heroic, ash.may_carry, ash.perks) == (False, {"Rifles": ("Long Rifle",)}, None)
    assert read_edition(data_of(edition_document(edition))) == edition


def test_the_example_of_the_guide_is_read() -> None:
    example = GUIDE.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    edition = read_edition(example.encode())
    assert read_edition(data_of(edition_document(edition))) == edition


def model(document: Any, **fields: object) -> None:
    document["factions"][0]["models"][0].update(fields)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.update(system="chess"), "line 2, system: is not 'battle_mode'"),
        (lambda d: d.pop("date"), "line 1, date: is missing"),
        (lambda d: d.update(date="15.1.2027"), 'line 5, date: is no date like "2018-08-20"'),
        (lambda d: d.update(date="2027-02-30"), 'line 5, date: is no date like "2018-08-20"'),
        (lambda d: d.update(id="Club 1"), "line 3, id: may hold only a to z, 0 to 9, dots, dashes and underscores, "),
        (lambda d: d.update(name=""), "line 4, name: is empty"),
        (lambda d: d.update(name="x" * 81), "line 4, name: is longer than 80 characters"),
        (lambda d: d.update(name=" x"), "line 4, name: begins or ends with a space"),
        (lambda d: d.update(name="a\u202eb"), "line 4, name: holds a character that does not print"),
        (lambda d: d.update(name="cafe\u0301"), "line 4, name: is not in composed form (Unicode NFC)"),
        (lambda d: d.update(factions=[]), "line 8, factions: is empty"),
        (lambda d: d.update(caps=3), "line 85, caps: is not a field of the edition file"),
        (lambda d: model(d, caps="40"), "line 14, factions[0].models[0].caps: is not a whole number"),
        (lambda d: model(d, caps=40.0), "line 14, factions[0].models[0].caps: is not a whole number"),
        (lambda d: model(d, caps=True), "line 14, factions[0].models[0].caps: is not a whole number"),
        (lambda d: model(d, caps=-1), "line 14, factions[0].models[0].caps: is less than 0"),
        (lambda d: model(d, caps=10000), "line 14, factions[0].models[0].caps: is more than 9999"),
        (lambda d: model(d, heroic=1), "line 18, factions[0].models[0].heroic: is neither true nor false"),
        (lambda d: model(d, packs="Basics"), "line 15, factions[0].models[0].packs: is not a list"),
        (
            lambda d: d["items"][0]["caps"].update({"Short Rifle": None}),
            'line 52, items[0].caps["Short Rifle"]: is not a whole number',
        ),
        (lambda d: d["mods"].update({"": 1}), 'line 73, mods[""]: is empty'),
        (lambda d: d["shares"].update(Wild=-100), "line 70, shares.Wild: is less than -99"),
        (lambda d: d.update(disputed=[3]), "line 78, disputed[0]: is not an object"),
        # names
        (
            lambda d: d["factions"].append({"name": "WARDENS", "models": []}),
            "line 32, factions[1].name: WARDENS stands twice (the other is Wardens; ",
        ),
        (lambda d: model(d, name="captain  ash"), "line 20, factions[0].models[1].name: Captain Ash stands twice"),
        (
            lambda d: d["items"][1]["caps"].update({"P I": 1, "p  i": 1}),
            'line 60, items[1].caps["p  i"]: p  i stands twice (the other is P I; case and spacing make no difference)',
        ),
        (lambda d: d["shares"].update(sneak=3), "line 70, shares.sneak: sneak stands twice (the other is Sneak; "),
        (lambda d: d["perks"].update(SNEAK=3), "line 67, perks.SNEAK: SNEAK stands twice (the other is Sneak; "),
        (
            lambda d: d["items"].append(d["items"][1] | {"caps": {}}),
            "line 63, items[2].kind: is a second group of Pistols with the same properties",
        ),
        (
            lambda d: d["packs"][0].update(items=["Long Rifel"]),
            "line 37, packs[0].items[0]: Long Rifel is no item of this file; near to it is Long Rifle",
        ),
        (lambda d: d["packs"][0].update(mods=["Sneak"]), "line 44, packs[0].mods[0]: Sneak is no mod of this file"),
        (lambda d: model(d, packs=["Extras"]), "line 16, factions[0].models[0].packs[0]: Extras is no pack of this"),
        (
            lambda d: model(d, packs=["Basics", "BASICS"]),
            "line 17, factions[0].models[0].packs[1]: BASICS stands twice (the other is Basics; ",
        ),
        (
            lambda d: model(d, may_carry={"Rifles": ["Pistol"]}),
            "line 20, factions[0].models[0].may_carry.Rifles[0]: Pistol is of the kind Pistols, not Rifles",
        ),
        (
            lambda d: model(d, unique="A", perhaps_unique="B"),
            "line 19, factions[0].models[0].perhaps_unique: stands beside unique, which settles it",
        ),
        (lambda d: d["aliases"].update(x="Nothing"), "line 76, aliases.x: Nothing is no name of this file"),
        (
            lambda d: d["aliases"].update(sneak="Scope"),
            "line 76, aliases.sneak: is itself a name in this file, so it can stand for no other",
        ),
        # disputed facts
        (lambda d: d["disputed"][0].update(item="Gun"), "line 80, disputed[0].item: Gun is no item of this file"),
        (lambda d: d["disputed"][0].update(here=5), "line 81, disputed[0].here: is 5, the lists say 3"),
        (
            lambda d: d["disputed"][0].update(there=3),
            "line 82, disputed[0].there: is 3, no other answer of the kind that the lists give",
        ),
        (
            lambda d: d["disputed"][0].update(fact="unique", here=False, there=True),
            "line 78, disputed[0].model: nothing is no model of nobody",
        ),
        (
            lambda d: d["disputed"][0].update(fact="unique", here="no", there=True),
            "line 81, disputed[0].here: is neither true, false nor a whole number of Caps",
        ),
    ],
)
def test_a_fault_names_its_line_and_field(change: Callable[[Any], object], told: str) -> None:
    assert fault(change).startswith(told), fault(change)


def test_every_fault_is_told_until_there_are_too_many() -> None:

    def thrice(document: Any) -> None:
        del document["name"]
        document["heroic_caps"] = "x"
        model(document, name=3)

    three = faults(changed(thrice))
    assert [told.split(":")[0] for told in three] == [
        "line 1, name",
        "line 6, heroic_caps",
        "line 12, factions[0].models[0].name",
    ]
    many = faults(changed(lambda d: d["mods"].update({f"Mod {n}": "x" for n in range(100)})))
    assert len(many) == MOST_FAULTS + 1
    assert many[-1] == "and more"
    unknown = faults(changed(lambda d: d["packs"][0].update(mods=[f"Mod {n}" for n in range(100)])))
    assert (len(unknown), unknown[-1]) == (MOST_FAULTS + 1, "and more")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file: not JSON at line 1, column 1 (Expecting value)"),
        (b'{"a": 1,\n}', "the file: not JSON at line 2, column 1 (Expecting property name enclosed in double quotes)"),
        (b"[]", "line 1, the file: an edition is a JSON object"),
        (b"\xff\xfe", "the file: not UTF-8 text (byte 0)"),
        (b'{"name": "x",\n "mods": {"A": 1,\n "A": 2}}', "line 3, mods.A: stands twice in one object"),
        (b'{"name": "x",\n "heroic_caps": NaN}', "line 2, heroic_caps: NaN is no JSON number"),
        (b'{"name": "x",\n "heroic_caps": -Infinity}', "line 2, heroic_caps: -Infinity is no JSON number"),
        (b"[" * 100_000, "the file: nested too deeply"),
        (b" " * 2_000_001, "the file: 2000001 bytes, at most 2000000 are read"),
        (b'{"heroic_caps": ' + b"9" * 5000 + b"}", "the file: a number in it is too long"),
    ],
)
def test_what_is_no_json(data: bytes, told: str) -> None:
    first = faults(data)[0]
    assert first.startswith(told), first
