"""Randomly damaged files are read or refused; exported files are read back as the same force."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import check_force, export_force, read_force, sample_force
from tests.validators.edition_documents import spots
from tests.validators.imports.rosters import (
    BATTLESCRIBE_TEXT,
    BUILDER_TEXT,
    EDITION,
    JSON_SAMPLE,
    NEW_RECRUIT_TEXT,
    SAMPLE,
    SYSTEM,
    read,
    rosz,
)
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Document, Terms, UnreadableForce

pytestmark = pytest.mark.slow

ADDRESS = "https://example.org/w/?f=srv;n=A;l=0,3;{!name!:!Piper!,!melee!:[!pipe_wrench!],!modelCount!:2};"
SAMPLES: dict[str, bytes] = {
    "ros": SAMPLE, "rosz": rosz(SAMPLE), "json": json.dumps(JSON_SAMPLE).encode(),
    "battlescribe text": BATTLESCRIBE_TEXT.encode(), "new recruit text": NEW_RECRUIT_TEXT.encode(),
    "builder text": BUILDER_TEXT.encode(), "address": ADDRESS.encode(),
    "own text": export_force(sample_force("Survivors", 750, 1), "txt"),
    "own ros": export_force(sample_force("Super Mutants", 750, 1), "ros"),
}  # fmt: skip
PIECES = [
    b"", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b"<?", b'"', b"!", b"{",
    b"}", b"[", b"]", b":", b", ", b"\n", b"\t-", b". ", b"++ ", b"+ ", b"3x ", b"-1", b"9" * 20, b"1e999",
    b"NaN", b"0", b"100", b"null", b"true", b"[]", b"{}", b"PK\x01\x02", b"\xe2\x80\xae", b"\xc3\xa9", b"caps",
]  # fmt: skip
UNPRINTABLE = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0xD800, 0xE000))}
ODD_VALUES: list[Any] = [
    *(None, True, 0, -1, 10**30, 1.5, 1e300, "", "x" * 100, "\ud800", "\0", [], {}, [[]], [{}], "Leader")
]


def check_reading(data: bytes) -> None:
    """Check that the file is refused or read as a canonical force that can be checked, shown and saved."""
    try:
        imported = read(data)
    except UnreadableForce as refusal:
        assert refusal.faults
        assert all(0 < len(fault) < 400 and not UNPRINTABLE & set(fault) for fault in refusal.faults)
        return
    assert read_force(imported.document) == imported.document
    assert check_force(imported.document, 500).total == imported.total
    assert all(export_force(imported.document, known.id) for known in SYSTEM.forces.files.formats)
    assert all(note.strip() and len(note) < 500 for note in imported.notes)


def test_unprintable_names_are_not_repeated() -> None:
    check_reading("https://example.org/w/?f=srv;n=A;l=0;{!name!:!Piper!,!\u202eid!:2};".encode())
    check_reading(b"++ Battle Mode (Survivors\x00) [450 Caps] ++\n\n+")
    check_reading(b"Survivors\x00 - Three of us - [300 Caps]\n\n+")


@given(st.sampled_from(list(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 6))
@settings(max_examples=100)
def test_damaged_files_are_read_or_refused(name: str, dice: Random, wounds: int) -> None:
    data = SAMPLES[name]
    for _ in range(wounds):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice([0, 0, 1, 2, 5, 40, 400]))
        copied = data[dice.randrange(len(data) + 1) :][: dice.choice([1, 20, 300])]
        data = data[:start] + dice.choice([*PIECES, copied]) + data[end:]
    check_reading(data)


@given(st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=60)
def test_json_with_odd_values_is_read_or_refused(dice: Random, wounds: int) -> None:
    tree = json.loads(json.dumps(JSON_SAMPLE))
    for _ in range(wounds):
        node, key = dice.choice(spots(tree) or [(tree, "roster")])
        # A copy: a later wound would else be made in the odd value itself, for all that follow.
        node[key] = deepcopy(dice.choice([*ODD_VALUES, *[n[k] for n, k in spots(JSON_SAMPLE)]]))
    check_reading(json.dumps(tree).encode())


KNOWN = ("Settler", "Minuteman", "Dogmeat Scout", "Combat Rifle", "Jet", "Dog Bite", "Long Barrel", "Sneak",
         "Commander", "Heroic", "Leader", "Leader card", "Boost Cards", "Weapons", "Widget", "Gunner")  # fmt: skip


@st.composite
def priced_trees(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:
    """A selection of any type and cost, with others below it."""
    below = st.lists(priced_trees(depth + 1), max_size=3) if depth < 4 else st.just([])
    return {
        "name": draw(st.sampled_from(KNOWN)), "type": draw(st.sampled_from(["model", "unit", "upgrade"])),
        "number": draw(st.sampled_from([1, 1, 1, 2, 3])), "selections": draw(below),
        "costs": [{"name": "Caps", "value": draw(st.sampled_from([0, 0, 10, 40, 60, -5, 321]))}],
    }  # fmt: skip


@given(st.lists(priced_trees(), min_size=1, max_size=4))
@settings(max_examples=50)
def test_each_selection_that_costs_caps_is_in_the_force(trees: list[dict[str, Any]]) -> None:
    """Where its costs differ from the edition's, the verdict has a query."""
    file = {"roster": {"forces": [{"name": "Battle Mode", "catalogueName": "Survivors", "selections": trees}]}}
    try:
        imported = read(json.dumps(file))
    except UnreadableForce as refusal:
        assert "too large" in str(refusal) or "models" in str(refusal), refusal
        return
    priced = [node for node in nodes_of(trees) if node["costs"][0]["value"]]
    added = sum(node["costs"][0]["value"] for node in priced)
    verdict = check_force(imported.document, 10**6)
    if added and added != imported.total:
        assert any("The file that this list was read from" in query.message for query in verdict.queries)
    models, cards = imported.document["models"], imported.document["cards"]
    held = Counter([model["name"] for model in models] + [perk for model in models for perk in model["perks"]])
    for item in (item for model in models for item in model["items"]):
        for name in (item["name"], *item["mods"]):
            held[name] += item["count"]
    held.update(Counter(filter(None, [model["leader_card"] for model in models])))
    held.update(Counter(name for card in cards for name in (card["name"], card["kind"])))
    wanted = Counter(dict.fromkeys(KNOWN, 0))
    for node in priced:
        wanted[node["name"]] += node["number"]
    for name in set(KNOWN) - {"Heroic", "Leader", "Boost Cards", "Dog Bite"}:  # the bite is never bought
        assert held[name] >= wanted[name], (name, imported.notes)


def nodes_of(trees: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [node for tree in trees for node in (tree, *nodes_of(tree["selections"]))]


LISTS = EDITIONS[EDITION]
PACKED = SYSTEM.edition("2021-01")
FACTIONS = SYSTEM.edition(EDITION).factions
MODELS = sorted({entry.name for faction in LISTS.factions.values() for entry in faction.models.values()})
NAMES = dict(SYSTEM.edition(EDITION).names)
# Words with characters that formats use, and names with other meanings elsewhere.
ODD_WORDS = st.sampled_from(
    [*MODELS[:5], *NAMES["Items"][:3], "Heroic", "Leader", "Leader card", "++ A ++", "3x Jet", "A, B: C [5 Caps]",
     "zU Piper", "<b>&amp;\"'", ". Jet", "• Jet", "-Jet", "Ёж", "日本", "Dog Bite", "overseer::item", "x" * 80]
)  # fmt: skip
PLAIN_WORDS = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)
UNKNOWN = ODD_WORDS | PLAIN_WORDS


def forces(names: dict[str, st.SearchStrategy[str]], kinds: st.SearchStrategy[str]) -> st.SearchStrategy[Document]:
    """Force documents of any shape, legal or not, with names from these strategies."""
    item = st.fixed_dictionaries({
        "name": names["item"], "mods": st.lists(names["mod"], max_size=3), "count": st.integers(1, 99),
    })  # fmt: skip
    model = st.fixed_dictionaries({
        "name": names["model"], "heroic": st.booleans(), "leader": st.booleans(),
        "leader_card": st.none() | names["card"], "perks": st.lists(names["perk"], max_size=3),
        "items": st.lists(item, max_size=4),
    })  # fmt: skip
    card = st.fixed_dictionaries({"kind": kinds, "name": names["card"] | st.just("")})
    force = st.fixed_dictionaries({
        "system": st.just("battle_mode"), "edition": st.just(EDITION), "name": names["name"] | st.just(""),
        "faction": names["faction"], "models": st.lists(model, max_size=5), "cards": st.lists(card, max_size=2),
    })  # fmt: skip
    return force.map(read_force)


KNOWN_NAMES = {
    "model": st.sampled_from(MODELS), "item": st.sampled_from(NAMES["Items"]), "mod": st.sampled_from(NAMES["Mods"]),
    "perk": st.sampled_from(NAMES["Perks"]), "card": st.sampled_from(NAMES["Leader cards"]),
    "faction": st.sampled_from(FACTIONS), "name": st.sampled_from(["My list", "Ёж & Söhne", "A: B, C [5]", "++ A ++"]),
}  # fmt: skip
# A faction that is not known is guessed from the models, so that one name is always a known one.
ANY_NAMES = {key: known if key == "faction" else known | UNKNOWN for key, known in KNOWN_NAMES.items()}
SPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
FORMATS = st.sampled_from([known.id for known in SYSTEM.forces.files.formats])
KINDS = st.sampled_from(["Quest", "Boost", "Leader", "Danger"])


def exported_and_imported(document: Document, format_id: str) -> Document:
    imported = read(export_force(document, format_id))
    expected = check_force(document, 500).total
    assert imported.total == expected
    assert imported.stated in (None, expected)
    return imported.document


@given(FORMATS, st.sampled_from(PACKED.factions), st.sampled_from([250, 750, 1500]), st.integers(0, 10**6))
@settings(max_examples=25)
def test_sample_forces_with_packs_survive_export_and_import(format_id: str, faction: str, size: int, dice: int) -> None:
    """The edition of 2021 has names with colons ("Command: Heel"), and perks priced by percent."""
    terms = Terms(PACKED, size)
    document = SYSTEM.forces.sample(terms, faction, dice)
    for model in document["models"]:
        entry = PACKED.lists.model(model["name"], faction)
        model["perks"] += [perk for perk in ("Unpredictable", "Clunky", "Command: Heel") if perk in entry.perks]
    files = SYSTEM.forces.files
    imported = files.import_(f"force.{format_id}", files.export(document, PACKED, format_id), PACKED)
    assert imported.document["models"] == document["models"]
    total = SYSTEM.checks.check(document, terms).total
    assert (imported.total, imported.stated) in ((total, total), (total, None))
    assert imported.notes == ()


@given(forces(KNOWN_NAMES, KINDS))
@settings(max_examples=50)
def test_any_force_of_known_names_survives_as_text(document: Document) -> None:
    assert exported_and_imported(document, "txt") == document


@given(forces(ANY_NAMES, KINDS | UNKNOWN))
@settings(max_examples=50)
def test_any_force_survives_as_a_roster(document: Document) -> None:
    assert exported_and_imported(document, "ros") == document


def test_exported_roster_has_the_shape_that_roster_programs_expect() -> None:
    document = sample_force("Survivors", 750, 3)
    root = ElementTree.fromstring(export_force(document, "ros"))
    assert (root.tag, root.get("gameSystemName")) == (f"{SPACE}roster", "Fallout: Wasteland Warfare")
    total = check_force(document, 750).total
    (stated,), (force,) = root.findall("{*}costs/{*}cost"), root.findall("{*}forces/{*}force")
    assert float(stated.get("value", "")) == total
    costs = [float(cost.get("value", "")) for cost in force.iter(f"{SPACE}cost")]
    assert sum(costs) == total, "the sum of all selections' own costs is the total"
    ids = [node.get("id") for node in root.iter(f"{SPACE}selection")]
    assert len(ids) == len(set(ids)) > len(document["models"])
    assert {node.get("type") for node in root.iter(f"{SPACE}selection")} == {"model", "upgrade"}
