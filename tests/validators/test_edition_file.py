"""Edition files: their schema, the line and field of each fault, price lists, and the differences of two editions."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Annotated, Any

import jsonschema
import pytest
from pydantic import Field, TypeAdapter, ValidationError

from tests.kit.own_editions import FILES, SYSTEM, data_of
from tests.validators.edition_documents import Document, damaged, random_edition
from validators import SYSTEMS
from validators.battle_mode.edition import DATA, Edition, EditionFile
from validators.battle_mode.edition_file import EDITIONS, read_edition
from validators.battle_mode.force import ForceFile
from validators.battle_mode.scenario_file import ScenarioFile
from validators.contract import EditionInfo, Terms, UnreadableEdition
from validators.edition_file import MOST_FAULTS, written_out
from validators.editions import EditionDifference, PriceRow
from validators.fallout_skirmish.scenarios import ScenarioFile as Skirmish
from validators.fallout_warfare.scenario_file import ScenarioFile as Warfare
from validators.game_system import EditionFiles
from validators.kit.suggestions import replaced
from validators.new_vegas.scenarios import ScenarioFile as NewVegas
from validators.skill_combat.scenarios import ScenarioFile as SkillCombat

DOCS = Path(__file__).parents[2] / "docs"

SMALL: dict[str, Any] = {
    "system": "battle_mode", "id": "club-2027", "name": "Our club's lists", "date": "2027-01-15", "source": "Our own",
    "heroic_caps": 60,
    "factions": [{"name": "Wardens", "models": [
        {"name": "Warden", "caps": 40, "packs": ["basics"]},
        {"name": "Captain Ash", "caps": 90, "unique": "Ash", "may_carry": {"Rifles": ["long rifle"]}},
    ]}],
    "packs": [{"name": "Basics", "heroic": True, "items": ["Long  Rifle"], "perks": ["SNEAK", "Feral"]}],
    "items": [
        {"category": "Weapons", "kind": "Rifles", "takes_mod": True, "caps": {"Long Rifle": 12}},
        {"category": "Weapons", "kind": "Pistols", "caps": {"Pistol": 3}},
    ],
    "leader_cards": {"Commander": 20}, "perks": {"Sneak": 5}, "shares": {"Feral": -20}, "mods": {"Scope": 8},
    "aliases": {"Longrifle": "Long Rifle"},
    "disputed": [{"fact": "caps", "item": "Pistol", "here": 3, "there": 4}],
}  # fmt: skip


def changed(change: Callable[[Any], object]) -> bytes:
    document = json.loads(data_of(SMALL))
    change(document)
    return data_of(document)


def faults(data: bytes) -> tuple[str, ...]:
    with pytest.raises(UnreadableEdition) as refused:
        read_edition(data)
    return tuple(map(str, refused.value.faults))


def test_schemas_in_docs_are_current() -> None:
    scenario = Annotated[ScenarioFile | Warfare | Skirmish | NewVegas | SkillCombat, Field(discriminator="system")]
    shapes: dict[str, Any] = {"edition": EditionFile, "force": ForceFile, "scenario": scenario}
    for name, shape in shapes.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | TypeAdapter(shape).json_schema()
        assert json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8")) == schema, name


def test_shipped_editions_and_the_example_in_docs_survive_their_own_file() -> None:
    example = (DOCS / "file_formats.md").read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    for data in (*(path.read_bytes() for path in sorted(DATA.glob("edition_*.json"))), example.encode()):
        CHECKER.validate(json.loads(data))
        edition = read_edition(data)
        assert edition == EDITIONS.get(edition.file.id, edition)
        written = written_out(edition.file)
        assert read_edition(written).file == edition.file, edition.file.id
        assert written_out(read_edition(written).file) == written, edition.file.id
    assert len(EDITIONS) == 4


def test_names_are_spelt_as_in_their_own_table() -> None:
    edition = read_edition(data_of(SMALL))
    warden, ash = edition.factions["wardens"].models.values()
    offers = {"item": {"Long Rifle": True}, "mod": {}, "perk": {"Sneak": True, "Feral": True}, "Leader card": {}}
    assert (warden.heroic, warden.packs, warden.offers) == (True, ("Basics",), offers)
    anything = {"mod": {"Scope": True}, "Leader card": {"Commander": True}}
    assert (ash.heroic, ash.offers) == (False, offers | anything), "a model without packs"


MODEL, DISPUTED = "factions[0].models[0]", "disputed[0]"
FAULTS: list[tuple[str, str, Callable[[Any], object]]] = [
    ("2", "system", lambda d: d.update(system="chess")),
    ("1", "date", lambda d: d.pop("date")),
    ("5", "date", lambda d: d.update(date="2027-02-30")),
    ("4", "name", lambda d: d.update(name=" x")),
    ("4", "name", lambda d: d.update(name="a\u202eb")),
    ("4", "name", lambda d: d.update(name="cafe\u0301")),
    ("85", "caps", lambda d: d.update(caps=3)),
    ("14", f"{MODEL}.caps", lambda d: model(d, caps="40")),
    ("52", 'items[0].caps["Short Rifle"]', lambda d: d["items"][0]["caps"].update({"Short Rifle": None})),
    ("73", 'mods[""]', lambda d: d["mods"].update({"": 1})),
    ("70", "shares.Wild", lambda d: d["shares"].update(Wild=-100)),
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
    ("80", f"{DISPUTED}.item", lambda d: d["disputed"][0].update(item="Gun")),
    ("81", f"{DISPUTED}.here", lambda d: d["disputed"][0].update(here=5)),
    ("82", f"{DISPUTED}.there", lambda d: d["disputed"][0].update(there=3)),
    ("78", f"{DISPUTED}.model", lambda d: d["disputed"][0].update(fact="unique", here=False, there=True)),
    ("81", f"{DISPUTED}.here", lambda d: d["disputed"][0].update(fact="unique", here="no", there=True)),
]


def model(document: Any, **fields: object) -> None:
    document["factions"][0]["models"][0].update(fields)


def test_faults_of_a_battle_mode_edition_name_their_line_and_field_up_to_a_limit() -> None:
    for line, field, change in FAULTS:
        (fault,) = faults(changed(change))
        assert fault.startswith(f"line {line}, {field}: "), fault
    for change in (
        lambda d: d["mods"].update({f"Mod {n}": "x" for n in range(100)}),
        lambda d: d["packs"][0].update(mods=[f"Mod {n}" for n in range(100)]),
    ):
        many = faults(changed(change))
        assert (len(many), many[-1]) == (MOST_FAULTS + 1, "and more")


def test_broken_json_is_refused_with_its_place() -> None:
    for data, place, words in (
        (b'{"a": 1,\n"b" 2}', "line 2, column 5", "not JSON"), (b"[]", "line 1", ""),
        (b'{"name": "x",\n "mods": {"A": 1,\n "A": 2}}', "line 3, mods.A", ""),
        (b'{"name": "x",\n "heroic_caps": NaN}', "line 2, heroic_caps", "NaN"),
    ):  # fmt: skip
        fault = faults(data)[0]
        assert fault.startswith(f"{place}: ") and words in fault, fault


CHECKER = jsonschema.Draft202012Validator(
    EditionFile.model_json_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


@pytest.mark.slow
def test_schema_and_reader_refuse_the_same_shapes() -> None:
    """5 editions, each damaged 40 times; a schema cannot check names that lead nowhere."""
    dice = Random(2027)
    shaped, misshapen = 0, 0
    for _ in range(5):
        document = SMALL | {"notes": ["A note."], "partial": True} | random_edition(dice)
        for _ in range(40):
            broken = damaged(document, dice)
            try:
                shape = bool(EditionFile.model_validate(broken))
            except ValidationError:
                shape = False
            assert CHECKER.is_valid(broken) == shape, broken
            shaped, misshapen = shaped + shape, misshapen + (not shape)
            try:
                read_edition(data_of(broken))
            except UnreadableEdition as refused:
                for shown in map(str, refused.faults):
                    assert shown.startswith("line ") or shown == "and more", shown
                    assert len(shown) < 400 and shown.isprintable(), shown
            else:
                assert shape
    assert min(shaped, misshapen) > 30, "both kinds were met"


Row = tuple[str, str, str, str, str]
"""The faction or list, the name, the field, its value before and after."""


def edition(document: Document) -> EditionInfo:
    return FILES.read(data_of(document))


def listed(diff: EditionDifference) -> list[Row]:
    return [(row.faction or row.kind, row.name, row.what, row.before, row.after) for row in diff.rows]


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
    (lambda d: model(d, built_in=["Bite"]), [("Wardens", "Warden", "built in", "", "now Bite")]),
    (lambda d: ash(d, packs=["Basics"]), [
        ("Wardens", "Captain Ash", "Heroic", "no", "yes"), ("Wardens", "Captain Ash", "mods", "no longer Scope", ""),
        ("Wardens", "Captain Ash", "Leader cards", "no longer Commander", ""),
    ]),
    (lambda d: basics(d, perks=["Sneak"]), [("Wardens", "Warden", "perks", "no longer Feral", "")]),
    (lambda d: basics(d, mods=["Scope"]), [("Wardens", "Warden", "mods", "", "now Scope")]),
    (lambda d: basics(d, items=[]), [("Wardens", "Warden", "items", "no longer Long Rifle", "")]),
    (lambda d: d["items"][1]["caps"].update(Pistol=2) or d.pop("disputed"), [
        ("Items", "Pistol", "Caps", "3", "2"), ("Disputed facts", "Pistol: Caps 3 or 4", "removed", "", ""),
    ]),
    (lambda d: d["items"][0]["caps"].update(New=13), [("Items", "New", "added", "", "13")]),
    (lambda d: d["items"][0].update(takes_mod=False), [("Items", "Long Rifle", "takes a mod", "yes", "no")]),
    (lambda d: d["shares"].update(Feral=-21), [("Perks", "Feral", "share of the model’s cost", "-20", "-21")]),
    (lambda d: d["shares"].update(New=5), [("Perks", "New", "added", "", "+5 %")]),
    (lambda d: d["leader_cards"].update(Commander=6), [("Leader cards", "Commander", "Caps", "20", "6")]),
    (lambda d: d["aliases"].update(New="Scope"), [("Other spellings", "new for scope", "added", "", "")]),
    (lambda d: d.update(name="Other", source="elsewhere", date="2031-01-01", notes=["No."], id="other"), []),
    (lambda d: d["items"].reverse(), []),
]  # fmt: skip


def test_comparison_lists_each_change_and_nothing_else() -> None:
    before = edition(SMALL)
    assert FILES.compare(before, edition(SMALL)) == EditionDifference(("Nothing differs.",), ())
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
    assert ("Survivors", "Cait", "Caps", "137", "77") in listed(diff)


def test_price_lists_have_every_price_once() -> None:
    shipped = [json.loads(path.read_bytes()) for path in DATA.glob("edition_*.json")]
    for document in ({"packs": [], "shares": {}} | part for part in (*shipped, SMALL)):
        expected = [(f["name"], m["name"], str(m["caps"])) for f in document["factions"] for m in f["models"]]
        expected += [("Packs", pack["name"], "") for pack in document["packs"]]
        tables = [
            (": ".join(dict.fromkeys((entry["category"], entry["kind"]))), entry["caps"]) for entry in document["items"]
        ]
        tables += [("Mods", document["mods"]), ("Perks", document["perks"]), ("Leader cards", document["leader_cards"])]
        expected += [(title, name, str(caps)) for title, table in tables for name, caps in table.items()]
        expected += [("Perks", name, f"{share:+d} %".replace("-", "−")) for name, share in document["shares"].items()]
        expected.append(("Of every model that may be Heroic", "Heroic", str(document["heroic_caps"])))
        gaps = {*document.get("no_cost", ())}
        expected = [(t, name, "not stated" if name in gaps and cost == "0" else cost) for t, name, cost in expected]
        lists = FILES.price_lists(edition(document))
        assert sorted(
            (price_list.title, row.name, row.cost) for price_list in lists for row in price_list.rows
        ) == sorted(expected), document["id"]


@pytest.mark.proves("attack 96")
def test_price_lists_name_all_items_that_a_model_may_carry() -> None:
    for edition in SYSTEM.editions:
        lists: Edition = edition.lists
        listed = {
            price_list.title: {row.name: row for row in price_list.rows} for price_list in FILES.price_lists(edition)
        }

        def names(row: PriceRow) -> set[str]:
            cards = ("Mods", "Perks", "Leader cards", "Perhaps: the edition does not say")
            return {name for kind, found in row.may_have for name in found if kind not in cards}

        for faction in lists.factions.values():
            for entry in faction.models.values():
                row = listed[faction.name][entry.name]
                held = set().union(*(names(listed["Packs"][pack]) for pack in entry.packs))
                carried = {name for name, may in entry.offers["item"].items() if may}
                assert names(row) <= carried <= names(row) | held, entry.name
                assert not names(row) & held, edition.id
                assert ("may be Heroic" in row.notes) == (entry.heroic and not entry.options_unknown), edition.id
                assert any(note.startswith("unique") for note in row.notes) == (entry.unique is not None), edition.id


GAUSS = {"name": "Gauss Rifle", "range": 24}
NEW_WEAPONS: dict[str, dict[str, Any]] = {
    "new_vegas": GAUSS | {"kind": "ranged", "attacks": 1, "armour_penetration": 3, "fire_power": 3},
    "skill_combat": GAUSS | {"skill": "Small Guns", "mode": "quick", "stat": "PE", "damage": 12},
}


def files_of(game: str) -> EditionFiles:
    files = SYSTEMS[game].edition_files
    assert files is not None
    return files


def document_of(game: str) -> dict[str, Any]:
    """The document of the shipped edition as a club's own, with one weapon more."""
    document: dict[str, Any] = json.loads(files_of(game).write(SYSTEMS[game].editions[0]))
    document |= {"id": "club", "name": "Our armoury", "date": "2027-01-15"}
    document["weapons"].append(NEW_WEAPONS[game])
    return document


def test_club_edition_with_a_weapon_more_or_few_entries_is_listed_compared_and_played() -> None:
    for game, system in ((game, SYSTEMS[game]) for game in NEW_WEAPONS):
        document = document_of(game)
        more = files_of(game).read(data_of(document))
        (row,) = files_of(game).compare(system.editions[0], more).rows
        assert (row.name, row.what, row.before) == ("Gauss Rifle", "added", ""), game
        assert "Gauss Rifle" in dict(more.names)["Weapons"], game
        assert [price_row.name for price_row in files_of(game).price_lists(more)[0].rows][-1] == "Gauss Rifle", game
        document["weapons"], document["aliases"] = [NEW_WEAPONS[game]], {}
        if game == "new_vegas":
            document["classes"] = [{"name": "Cavalry", "markers": 2, "marker_detects": 8}]
            document["profiles"] = [{"name": "Rider", "special": [1, 1, 1, 0, 0, 2, 0], "weapons": ["Gauss Rifle"]}]
        else:
            document["items"] = []
        terms = Terms(files_of(game).read(data_of(document)), system.default_size)
        for seed in range(5):
            sample = system.forces.sample(terms, terms.edition.factions[0], seed)
            assert system.checks.check(sample, terms).legal, game


def test_fault_of_other_games_editions_names_its_line_and_field() -> None:
    cases: list[tuple[str, tuple[str | int, ...], object, str]] = [
        ("new_vegas", ("weapons", 0, "attacks"), 0, "weapons[0].attacks: "),
        ("new_vegas", ("weapons", 3, "name"), "unarmed", "weapons[3]: "),
        ("new_vegas", ("weapons", 0, "strength"), 6, "weapons[0].strength: "),
        ("new_vegas", ("profiles", 0, "special", 0), 6, "profiles[0].special[0]: "),
        ("new_vegas", ("profiles", 0, "weapons", 0), "Bow", "profiles[0].weapons[0]: "),
        ("new_vegas", ("profiles", 0, "weapons", 0), "Minigun", "profiles[0].weapons[0]: "),
        ("new_vegas", ("classes",), [], "classes: "),
        ("skill_combat", ("weapons", 0, "skill"), "Golf", "weapons[0].skill: "),
        ("skill_combat", ("weapons", 1, "bullets"), 0, "weapons[1].bullets: "),
        ("skill_combat", ("weapons", 0, "stat"), "XX", "weapons[0].stat: "),
        ("skill_combat", ("aliases", "Stealth"), "Sneek", "aliases.Stealth: Sneek is not a name of this file; near"),
        ("new_vegas", ("aliases",), {"heavy": "Regular"}, "aliases.heavy: "),
        ("skill_combat", ("items", 1), "stimpak", "items[1]: "),
        ("skill_combat", ("attribute", "least"), 11, "attribute.least: "),
    ]
    for game, path, value, words in cases:
        with pytest.raises(UnreadableEdition) as caught:
            files_of(game).read(json.dumps(replaced(document_of(game), value, *path), indent=1).encode())
        (fault, *more) = map(str, caught.value.faults)
        assert fault.startswith("line ") and words in fault and not more, (fault, more)
