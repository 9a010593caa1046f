"""Randomly damaged files are read or refused; exported files are read back as the same force."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import check_force, export_force, read_force, sample_force
from tests.validators.edition_documents import ODD_VALUES, spots
from tests.validators.imports import rosters
from validators.contract import Document, Terms, UnreadableForce

pytestmark = pytest.mark.slow

ADDRESS = "https://example.org/w/?f=srv;n=A;l=0,3;{!name!:!Piper!,!melee!:[!pipe_wrench!],!modelCount!:2};"
SAMPLES: dict[str, bytes] = {
    "ros": rosters.SAMPLE, "rosz": rosters.rosz(rosters.SAMPLE), "json": json.dumps(rosters.JSON_SAMPLE).encode(),
    "battlescribe text": rosters.BATTLESCRIBE_TEXT.encode(), "new recruit text": rosters.NEW_RECRUIT_TEXT.encode(),
    "builder text": rosters.BUILDER_TEXT.encode(), "address": ADDRESS.encode(),
    "own text": export_force(sample_force("Survivors", 750, 1), "txt"),
    "own ros": export_force(sample_force("Super Mutants", 750, 1), "ros"),
}  # fmt: skip
PIECES = [
    b"", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b"<?", b'"', b"!", b"{",
    b"}", b"[", b"]", b":", b", ", b"\n", b"\t-", b". ", b"++ ", b"+ ", b"3x ", b"-1", b"9" * 20, b"1e999",
    b"NaN", b"0", b"100", b"null", b"true", b"[]", b"{}", b"PK\x01\x02", b"\xe2\x80\xae", b"\xc3\xa9", b"caps",
]  # fmt: skip


def check_reading(data: bytes) -> None:
    try:
        imported = rosters.read(data)
    except UnreadableForce as refusal:
        assert refusal.faults
        assert all(0 < len(fault) < 400 and not rosters.UNPRINTABLE & set(fault) for fault in refusal.faults)
        return
    assert read_force(imported.document) == imported.document
    assert check_force(imported.document, 500).total == imported.total
    assert all(export_force(imported.document, known.id) for known in rosters.SYSTEM.forces.files.formats)
    assert all(note.strip() and len(note) < 500 for note in imported.notes)


def test_unprintable_names_are_not_repeated() -> None:
    check_reading("https://example.org/w/?f=srv;n=A;l=0;{!name!:!Piper!,!\u202eid!:2};".encode())
    check_reading(b"++ Battle Mode (Survivors\x00) [450 Caps] ++\n\n+")


@given(st.sampled_from(list(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 6))
def test_damaged_files_are_read_or_refused(name: str, dice: Random, wounds: int) -> None:
    data = SAMPLES[name]
    for _ in range(wounds):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice([0, 0, 1, 2, 5, 40, 400]))
        copied = data[dice.randrange(len(data) + 1) :][: dice.choice([1, 20, 300])]
        data = data[:start] + dice.choice([*PIECES, copied]) + data[end:]
    check_reading(data)


@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_json_with_odd_values_is_read_or_refused(dice: Random, wounds: int) -> None:
    tree = json.loads(json.dumps(rosters.JSON_SAMPLE))
    for _ in range(wounds):
        node, key = dice.choice(spots(tree) or [(tree, "roster")])
        # A copy: a later wound would else be made in the odd value itself, for all that follow.
        node[key] = deepcopy(
            dice.choice([*ODD_VALUES, 1e300, "\ud800", "\0", *[n[k] for n, k in spots(rosters.JSON_SAMPLE)]])
        )
    check_reading(json.dumps(tree).encode())


KNOWN = ("Settler", "Minuteman", "Dogmeat Scout", "Combat Rifle", "Jet", "Dog Bite", "Long Barrel", "Sneak",
         "Commander", "Heroic", "Leader", "Leader card", "Boost Cards", "Weapons", "Widget", "Gunner")  # fmt: skip


@st.composite
def priced_trees(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:
    below = st.lists(priced_trees(depth + 1), max_size=3) if depth < 4 else st.just([])
    return {
        "name": draw(st.sampled_from(KNOWN)), "type": draw(st.sampled_from(["model", "unit", "upgrade"])),
        "number": draw(st.sampled_from([1, 1, 1, 2, 3])), "selections": draw(below),
        "costs": [{"name": "Caps", "value": draw(st.sampled_from([0, 0, 10, 40, 60, -5, 321]))}],
    }  # fmt: skip


@given(st.lists(priced_trees(), min_size=1, max_size=4))
def test_each_selection_is_in_the_force_or_asked_about(trees: list[dict[str, Any]]) -> None:
    """Each is shown as a line; where costs differ from the edition's, something is open."""
    file = {"roster": {"forces": [{"name": "Battle Mode", "catalogueName": "Survivors", "selections": trees}]}}
    try:
        imported = rosters.read(json.dumps(file))
    except UnreadableForce as refusal:
        assert "too large" in str(refusal) or "model" in str(refusal), refusal
        return
    nodes = list(nodes_of(trees))
    assert [node["name"] in line.written for node, line in zip(nodes, imported.lines, strict=True)] == [True] * len(
        nodes
    )
    priced = [node for node in nodes if node["costs"][0]["value"]]
    if imported.open:
        return
    assert not priced or sum(node["costs"][0]["value"] for node in priced) == imported.total, imported.lines
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
        assert held[name] >= wanted[name], (name, imported.lines)


def nodes_of(trees: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [node for tree in trees for node in (tree, *nodes_of(tree["selections"]))]


PACKED = rosters.SYSTEM.edition("2021-01")
ODD_WORDS = (
    "Heroic", "Leader", "Leader card", "++ A ++", "3x Jet", "A, B: C [5 Caps]", "zU Piper", "<b>&amp;\"'", ". Jet",
    "• Jet", "-Jet", "Ёж", "日本", "Dog Bite", "overseer::item", "x" * 80, "Settler", "Pipe Pistol", "(;)", "Zürich!",
)  # fmt: skip
"""Words with characters that formats use, and names with other meanings elsewhere."""
SPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
FORMATS = st.sampled_from([known.id for known in rosters.SYSTEM.forces.files.formats])


@given(FORMATS, st.sampled_from(PACKED.factions), st.sampled_from([250, 750, 1500]), st.integers(0, 10**6))
@settings(max_examples=15)
def test_sample_forces_with_packs_survive_export_and_import(format_id: str, faction: str, size: int, dice: int) -> None:
    """The edition of 2021 has names with colons ("Command: Heel"), and perks priced by percent."""
    terms = Terms(PACKED, size)
    document = rosters.SYSTEM.forces.sample(terms, faction, dice)
    for model in document["models"]:
        entry = PACKED.lists.model(model["name"], faction)
        model["perks"] += [
            perk
            for perk in ("Unpredictable", "Clunky", "Command: Heel")
            if entry.packs and perk in entry.offers["perk"]
        ]
    files = rosters.SYSTEM.forces.files
    imported = files.import_(f"force.{format_id}", files.export(document, PACKED, format_id), PACKED)
    assert imported.document["models"] == document["models"]
    total = rosters.SYSTEM.checks.check(document, terms).total
    assert (imported.total, imported.stated) in ((total, total), (total, None))
    assert imported.notes == ()


def random_document(dice: Random, odd: float) -> Document:
    """A force of any shape, legal or not, of a known faction: another one is guessed from the models."""
    edition = rosters.SYSTEM.edition(rosters.EDITION)
    names = dict(edition.names)
    models = [model.name for faction in edition.lists.factions.values() for model in faction.models.values()]

    def name(known: Sequence[str]) -> str:
        return dice.choice(ODD_WORDS if dice.random() < odd else known)

    def some(make: Callable[[], object], most: int) -> list[object]:
        return [make() for _ in range(dice.randint(0, most))]

    def item() -> dict[str, Any]:
        mods = some(lambda: name(names["Mods"]), 3)
        return {"name": name(names["Items"]), "mods": mods, "count": dice.randint(1, 99)}

    def model() -> dict[str, Any]:
        flags = {"heroic": dice.random() < 0.5, "leader": dice.random() < 0.5}
        card, perks = name(names["Leader cards"]), some(lambda: name(names["Perks"]), 3)
        parts = {"leader_card": dice.choice([None, card]), "perks": perks, "items": some(item, 4)}
        return {"name": name(models)} | flags | parts

    def card() -> dict[str, str]:
        kind = name(["Quest", "Boost", "Leader", "Danger"])
        return {"kind": kind, "name": dice.choice(["", name(names["Leader cards"])])}

    title = dice.choice(["", "My list", "Ёж & Söhne", "A: B, C [5]", "++ A ++"])
    head = {
        "system": "battle_mode",
        "edition": rosters.EDITION,
        "name": title,
        "faction": dice.choice(edition.factions),
    }
    return read_force(head | {"models": some(model, 5), "cards": some(card, 2)})


@given(st.randoms(use_true_random=False))
def test_any_force_survives_as_a_roster_and_with_known_names_as_text(dice: Random) -> None:
    for format_id, odd in (("ros", 0.3), ("txt", 0)):
        document = random_document(dice, odd)
        imported, expected = rosters.read(export_force(document, format_id)), check_force(document, 500).total
        assert imported.document == document
        assert imported.total == expected and imported.stated in (None, expected)


def test_exported_roster_has_the_shape_that_roster_programs_expect() -> None:
    document = sample_force("Survivors", 750, 3)
    root = ElementTree.fromstring(export_force(document, "ros"))
    assert (root.tag, root.get("gameSystemName")) == (f"{SPACE}roster", "Fallout: Wasteland Warfare")
    total = check_force(document, 750).total
    (stated,), (force,) = root.findall("{*}costs/{*}cost"), root.findall("{*}forces/{*}force")
    assert float(stated.get("value", "")) == total
    assert sum(float(cost.get("value", "")) for cost in force.iter(f"{SPACE}cost")) == total, "each costs its own Caps"
    ids = [node.get("id") for node in root.iter(f"{SPACE}selection")]
    assert len(ids) == len(set(ids)) > len(document["models"])
    assert {node.get("type") for node in root.iter(f"{SPACE}selection")} == {"model", "upgrade"}
