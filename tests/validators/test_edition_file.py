"""The edition file: its schema, what is read and written back, and the line and field of each fault."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from tests.validators.edition_documents import damaged, data_of, random_edition
from validators.battle_mode.edition import DATA, EditionFile
from validators.battle_mode.edition_file import EDITIONS, edition_document, read_edition
from validators.battle_mode.force import ForceFile
from validators.battle_mode.scenario_file import ScenarioFile
from validators.contract import UnreadableEdition
from validators.edition_file import MOST_FAULTS

DOCS = Path(__file__).parents[2] / "docs"

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


def changed(change: Callable[[Any], object]) -> bytes:
    """The small file after a change in place."""
    document = json.loads(data_of(SMALL))
    change(document)
    return data_of(document)


def faults(data: bytes) -> tuple[str, ...]:
    with pytest.raises(UnreadableEdition) as refused:
        read_edition(data)
    return refused.value.faults


def test_schemas_in_docs_are_current() -> None:
    for name, shape in (("edition", EditionFile), ("force", ForceFile), ("scenario", ScenarioFile)):
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | shape.model_json_schema()
        assert json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8")) == schema, name


def test_shipped_editions_and_the_guide_s_example_survive_their_own_file() -> None:
    example = (DOCS / "file_formats.md").read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    for data in (*(path.read_bytes() for path in sorted(DATA.glob("edition_*.json"))), example.encode()):
        edition = read_edition(data)
        assert edition == EDITIONS.get(edition.id, edition)
        written = edition_document(edition)
        assert read_edition(data_of(written)) == edition, edition.id
        assert edition_document(read_edition(data_of(written))) == written, edition.id
    assert len(EDITIONS) == 2


def test_names_are_spelt_as_in_their_own_table() -> None:
    edition = read_edition(data_of(SMALL))
    warden, ash = edition.factions["wardens"].models.values()
    assert (warden.heroic, warden.packs, warden.may_carry) == (True, ("Basics",), {"Rifles": ("Long Rifle",)})
    assert (warden.perks, warden.mods) == (frozenset(["Sneak", "Feral"]), frozenset())
    assert (ash.heroic, ash.may_carry, ash.perks) == (False, {"Rifles": ("Long Rifle",)}, None)
    assert read_edition(data_of(edition_document(edition))) == edition


MODEL, DISPUTED = "factions[0].models[0]", "disputed[0]"
FAULTS: list[tuple[str, str, Callable[[Any], object]]] = [
    # line, field, change of the small file
    ("2", "system", lambda d: d.update(system="chess")),
    ("1", "date", lambda d: d.pop("date")),
    ("5", "date", lambda d: d.update(date="2027-02-30")),
    ("3", "id", lambda d: d.update(id="Club 1")),
    ("4", "name", lambda d: d.update(name="x" * 81)),
    ("4", "name", lambda d: d.update(name=" x")),
    ("4", "name", lambda d: d.update(name="a\u202eb")),
    ("4", "name", lambda d: d.update(name="cafe\u0301")),
    ("85", "caps", lambda d: d.update(caps=3)),
    ("14", f"{MODEL}.caps", lambda d: model(d, caps="40")),
    ("14", f"{MODEL}.caps", lambda d: model(d, caps=10000)),
    ("52", 'items[0].caps["Short Rifle"]', lambda d: d["items"][0]["caps"].update({"Short Rifle": None})),
    ("73", 'mods[""]', lambda d: d["mods"].update({"": 1})),
    ("70", "shares.Wild", lambda d: d["shares"].update(Wild=-100)),
    # names
    ("32", "factions[1].name", lambda d: d["factions"].append({"name": "WARDENS", "models": []})),
    ("20", "factions[0].models[1].name", lambda d: model(d, name="captain  ash")),
    ("60", 'items[1].caps["p  i"]', lambda d: d["items"][1]["caps"].update({"P I": 1, "p  i": 1})),
    ("70", "shares.sneak", lambda d: d["shares"].update(sneak=3)),
    ("67", "perks.SNEAK", lambda d: d["perks"].update(SNEAK=3)),
    ("63", "items[2].kind", lambda d: d["items"].append(d["items"][1] | {"caps": {}})),
    ("37", "packs[0].items[0]", lambda d: d["packs"][0].update(items=["Long Rifel"])),
    ("44", "packs[0].mods[0]", lambda d: d["packs"][0].update(mods=["Sneak"])),
    ("16", f"{MODEL}.packs[0]", lambda d: model(d, packs=["Extras"])),
    ("17", f"{MODEL}.packs[1]", lambda d: model(d, packs=["Basics", "BASICS"])),
    ("20", f"{MODEL}.may_carry.Rifles[0]", lambda d: model(d, may_carry={"Rifles": ["Pistol"]})),
    ("19", f"{MODEL}.perhaps_unique", lambda d: model(d, unique="A", perhaps_unique="B")),
    ("76", "aliases.x", lambda d: d["aliases"].update(x="Nothing")),
    ("76", "aliases.sneak", lambda d: d["aliases"].update(sneak="Scope")),
    # disputed facts
    ("80", f"{DISPUTED}.item", lambda d: d["disputed"][0].update(item="Gun")),
    ("81", f"{DISPUTED}.here", lambda d: d["disputed"][0].update(here=5)),
    ("82", f"{DISPUTED}.there", lambda d: d["disputed"][0].update(there=3)),
    ("78", f"{DISPUTED}.model", lambda d: d["disputed"][0].update(fact="unique", here=False, there=True)),
    ("81", f"{DISPUTED}.here", lambda d: d["disputed"][0].update(fact="unique", here="no", there=True)),
]


def model(document: Any, **fields: object) -> None:
    document["factions"][0]["models"][0].update(fields)


def test_fault_names_its_line_and_field() -> None:
    for line, field, change in FAULTS:
        (fault,) = faults(changed(change))
        assert fault.startswith(f"line {line}, {field}: "), fault


def test_every_fault_is_reported_until_there_are_too_many() -> None:
    def thrice(document: Any) -> None:
        del document["name"]
        document["heroic_caps"] = "x"
        model(document, name=3)

    places = [fault.partition(":")[0] for fault in faults(changed(thrice))]
    assert places == ["line 1, name", "line 6, heroic_caps", "line 12, factions[0].models[0].name"]
    for change in (
        lambda d: d["mods"].update({f"Mod {n}": "x" for n in range(100)}),
        lambda d: d["packs"][0].update(mods=[f"Mod {n}" for n in range(100)]),
    ):
        many = faults(changed(change))
        assert (len(many), many[-1]) == (MOST_FAULTS + 1, "and more")


def test_broken_json_is_refused_with_its_place() -> None:
    for data, place, words in (
        (b'{"a": 1,\n}', "the file", "line 2, column 1"),
        (b"[]", "line 1, the file", ""), (b"\xff\xfe", "the file", "UTF-8"),
        (b'{"name": "x",\n "mods": {"A": 1,\n "A": 2}}', "line 3, mods.A", ""),
        (b'{"name": "x",\n "heroic_caps": NaN}', "line 2, heroic_caps", "NaN"),
        (b'{"name": "x",\n "heroic_caps": -Infinity}', "line 2, heroic_caps", "-Infinity"),
        (b"[" * 100_000, "the file", "nested too deeply"), (b" " * 2_000_001, "the file", "2000001"),
    ):  # fmt: skip
        fault = faults(data)[0]
        assert fault.startswith(f"{place}: ") and words in fault, fault


CHECKER = jsonschema.Draft202012Validator(
    EditionFile.model_json_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


def has_the_shape(document: object) -> bool:
    try:
        EditionFile.model_validate(document)
    except ValidationError:
        return False
    return True


@pytest.mark.slow
def test_schema_and_reader_refuse_the_same_shapes() -> None:
    """8 editions, each damaged 40 times; a schema cannot check names that lead nowhere."""
    dice = Random(2027)
    shaped, misshapen = 0, 0
    for _ in range(8):
        document = random_edition(dice)
        for _ in range(40):
            broken = damaged(document, dice)
            shape = has_the_shape(broken)
            assert CHECKER.is_valid(broken) == shape, broken
            shaped, misshapen = shaped + shape, misshapen + (not shape)
            try:
                read_edition(data_of(broken))
            except UnreadableEdition as refused:
                assert all(shown.startswith("line ") or shown == "and more" for shown in refused.faults), refused.faults
                assert all(len(shown) < 400 and shown.isprintable() for shown in refused.faults), refused.faults
            else:
                assert shape
    assert min(shaped, misshapen) > 50, "both kinds were met"


@pytest.mark.slow
def test_shipped_editions_fit_the_schema() -> None:
    for path in DATA.glob("edition_*.json"):
        CHECKER.validate(json.loads(path.read_text(encoding="utf-8")))
