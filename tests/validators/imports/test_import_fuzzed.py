"""Samples of every format, damaged at random: whatever comes in, an importer answers with a force or a refusal."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import check_force, export_force, read_force, sample_force
from tests.validators.edition_documents import spots
from tests.validators.imports.rosters import (
    BATTLESCRIBE_TEXT,
    BUILDER_TEXT,
    JSON_SAMPLE,
    NEW_RECRUIT_TEXT,
    SAMPLE,
    SYSTEM,
    read,
    rosz,
)
from validators.contract import UnreadableForce

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


def judged(data: bytes) -> None:
    """Read it; what comes out is a canonical force that can be checked, shown and saved."""
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
    judged("https://example.org/w/?f=srv;n=A;l=0;{!name!:!Piper!,!\u202eid!:2};".encode())
    judged(b"++ Battle Mode (Survivors\x00) [450 Caps] ++\n\n+")
    judged(b"Survivors\x00 - Three of us - [300 Caps]\n\n+")


@given(st.sampled_from(list(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 6))
@settings(max_examples=100)
def test_damaged_files(name: str, dice: Random, wounds: int) -> None:
    data = SAMPLES[name]
    for _ in range(wounds):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice([0, 0, 1, 2, 5, 40, 400]))
        copied = data[dice.randrange(len(data) + 1) :][: dice.choice([1, 20, 300])]
        data = data[:start] + dice.choice([*PIECES, copied]) + data[end:]
    judged(data)


@given(st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=60)
def test_trees_with_odd_values(dice: Random, wounds: int) -> None:
    tree = json.loads(json.dumps(JSON_SAMPLE))
    for _ in range(wounds):
        node, key = dice.choice(spots(tree) or [(tree, "roster")])
        # A copy: a later wound would else be made in the odd value itself, for all that follow.
        node[key] = deepcopy(dice.choice([*ODD_VALUES, *[n[k] for n, k in spots(JSON_SAMPLE)]]))
    judged(json.dumps(tree).encode())


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
def test_whatever_costs_caps_is_in_the_force_or_named(trees: list[dict[str, Any]]) -> None:
    """And where the costs differ from the edition's, the verdict is not plainly legal."""
    file = {"roster": {"forces": [{"name": "Battle Mode", "catalogueName": "Survivors", "selections": trees}]}}
    try:
        imported = read(json.dumps(file))
    except UnreadableForce as refusal:
        assert "too large" in str(refusal) or "models" in str(refusal), refusal
        return
    priced = [node for node in below_all(trees) if node["costs"][0]["value"]]
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


def below_all(trees: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [node for tree in trees for node in (tree, *below_all(tree["selections"]))]
