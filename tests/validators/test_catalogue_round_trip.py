"""Random editions as catalogues in both shapes: the import gives the edition again, or refuses damaged files."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.validators.catalogue_writer import BATTLE, CAPS, EQUIPMENT, MODS, NARRATIVE, SYSTEM_ID, Edition, File, packed
from tests.validators.made_up_catalogues import SHAPES, files, read
from validators.battle_mode.catalogues.settling import settle
from validators.battle_mode.edition import DATA
from validators.battle_mode.edition_file import read_edition
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

KINDS = [
    ("Weapons", "Heavy", True), ("Weapons", "Rifles", False), ("Weapons", "Melee", False),
    ("Armor", "Clothing", False), ("Items", "Chems", False),
]  # fmt: skip
SYLLABLES = ["ka", "lo", "mi", "nu", "re", "to", "va", "ze", "bri", "dun"]


def name_of(number: int) -> str:
    """A made-up name; another number gives one that no tolerance takes for it."""
    return (
        "".join(SYLLABLES[int(digit)] for digit in f"{number:03d}").capitalize() + f"'n {chr(65 + number % 7)}{number}"
    )


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """An edition with everything that a catalogue can say."""
    numbers = iter(draw(st.permutations(range(120))))
    caps = st.integers(1, 400)

    def table(most: int) -> dict[str, int]:
        return {name_of(next(numbers)): draw(caps) for _ in range(draw(st.integers(0, most)))}

    groups: list[dict[str, Any]] = [
        {"category": category, "kind": kind, "heavy": heavy, "takes_mod": draw(st.booleans()), "caps": table(4)}
        for category, kind, heavy in draw(st.permutations(KINDS))
    ]
    items = [group for group in groups if group["caps"]]
    mods = table(4)
    if not mods:
        for group in items:
            group["takes_mod"] = False

    def model() -> dict[str, Any]:
        made: dict[str, Any] = {"name": name_of(next(numbers)), "caps": draw(caps)}
        if draw(st.booleans()):
            made["heroic"] = True
        if draw(st.booleans()):
            made["built_in"] = [name_of(next(numbers))]
        carried = {g["kind"]: [name for name in g["caps"] if draw(st.booleans())] for g in items}
        if any(carried.values()):
            made["may_carry"] = {kind: names for kind, names in carried.items() if names}
        return made

    def roots() -> list[dict[str, Any]]:
        models: list[dict[str, Any]] = []
        for sort in draw(st.lists(st.sampled_from(["many", "unique", "faces"]), min_size=1, max_size=3)):
            faces = [model() for _ in range(2 if sort == "faces" else 1)]
            person = name_of(next(numbers)) if sort == "faces" and draw(st.booleans()) else faces[0]["name"]
            models += [face if sort == "many" else face | {"unique": person} for face in faces]
        return models

    factions: list[dict[str, Any]] = [
        {"name": name_of(next(numbers)), "fielded": True, "models": roots()} for _ in range(draw(st.integers(1, 2)))
    ]
    if draw(st.booleans()):  # a model that two factions field
        guest = factions[0]["models"][0]
        alone = sum(model.get("unique") == guest.get("unique") for model in factions[0]["models"]) == 1
        if (alone or "unique" not in guest) and len(factions) == 2:
            factions[1]["models"].append(guest | {"caps": draw(st.sampled_from([guest["caps"], 77]))})
    anyone_heroic = any(m.get("heroic") for faction in factions for m in faction["models"])
    return {
        "heroic_caps": draw(caps) if anyone_heroic else 60, "factions": factions, "items": items, "mods": mods,
        "perks": table(3), "leader_cards": table(3), "aliases": {}, "disputed": [],
    }  # fmt: skip


def in_order(edition: Edition) -> Edition:
    """The edition with its lists of items in the order of names: that order says nothing."""
    shown = ("system", "id", "name", "date", "source", "notes", "partial", "game")
    copied = json.loads(json.dumps({key: edition[key] for key in edition if key not in shown}))
    copied["items"].sort(key=lambda group: (group["category"], group["kind"], group["takes_mod"]))
    for faction in copied["factions"]:
        for model in faction["models"]:
            model["may_carry"] = {kind: sorted(names) for kind, names in model.get("may_carry", {}).items()}
    assert isinstance(copied, dict)
    return copied


@given(shape=st.sampled_from(list(SHAPES)), edition=editions(), dice=st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_edition_survives_its_catalogues(shape: str, edition: Edition, dice: Random) -> None:
    imported = read(packed(SHAPES[shape](edition, dice), dice), "2024-06-01", "made-up", "Made up")
    assert in_order(imported.document) == in_order(edition)
    assert [imported.document[key] for key in ("id", "name", "date")] == ["made-up", "Made up", "2024-06-01"]
    assert read_edition(json.dumps(imported.document).encode()).heroic_caps == edition["heroic_caps"]
    assert imported.report.left_out == ()


def test_edition_of_2018_survives_its_catalogues() -> None:
    """51 entries, 134 items: an Enslaved Tech of each of two factions, three Sole Survivors that are two persons."""
    for shape in SHAPES:
        edition = json.loads((DATA / "edition_2018_08.json").read_text(encoding="utf-8"))
        for faction in edition["factions"]:
            faction["fielded"] = True
        imported = read(SHAPES[shape](edition, None))
        assert in_order(imported.document) == in_order(edition | {"aliases": {}, "disputed": []}), shape
        assert imported.report.left_out == (), shape
        doubtful = {note.name for note in imported.report.doubts}
        assert {"Sole Survivor", "Dogmeat", "Refreshing Beverage"} <= doubtful, shape


VALUES = [
    "", "0", "1.0", "-1", "nan", "1e999", "9" * 400, "true", "false", "model", "unit", "upgrade", "selectionEntryGroup",
    "hidden", "selections", "parent", "force", "self", "ancestor", "instanceOf", "or", "and", "Heroic", "leader",
    "Equipment", "zU X", "x" * 90, "\u202e", "&#10;", SYSTEM_ID, CAPS, BATTLE, NARRATIVE, EQUIPMENT, MODS,
]  # fmt: skip
UNPRINTABLE = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0xD800, 0xE000))}


def judged(uploaded: list[File]) -> None:
    """Read them; what comes out is an edition file, and every sentence can be shown."""
    try:
        imported = read(uploaded)
    except UnreadableEdition as refusal:
        assert refusal.faults
        assert all(0 < len(fault) < 400 and not UNPRINTABLE & set(fault) for fault in refusal.faults)
        return
    report = imported.report
    edition = read_edition(json.dumps(imported.document, allow_nan=False).encode())
    assert any(faction.models for faction in edition.factions.values())
    for place in range(3):
        answers = {question.id: question.answers[place % len(question.answers)][0] for question in report.questions}
        settled = settle(imported.document, report.answered(answers))
        read_edition(json.dumps(settled, allow_nan=False).encode())
    listed = [f"{note.name}: {note.says} {note.place}" for note in (*report.left_out, *report.doubts)]
    listed += report.readings
    assert all(text.strip() and len(text) < 800 and not UNPRINTABLE & set(text) for text in listed)


@given(st.sampled_from(list(SHAPES)), st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=60)
def test_attributes_with_odd_values(shape: str, dice: Random, changes: int) -> None:
    """Well-formed still, so that what comes behind the parser is met."""
    texts = [(name, data.decode()) for name, data in files(shape)]
    every = [value for _, text in texts for value in re.findall('="([^"]*)"', text)]
    for _ in range(changes):
        place = dice.randrange(len(texts))
        name, text = texts[place]
        start, end = dice.choice([match.span(1) for match in re.finditer('="([^"]*)"', text)])
        texts[place] = (name, text[:start] + dice.choice([*VALUES, dice.choice(every)]) + text[end:])
    judged([(name, text.encode()) for name, text in texts])


@given(st.sampled_from(list(SHAPES)), st.randoms(use_true_random=False), st.integers(1, 6))
@settings(max_examples=40)
def test_tags_in_odd_places(shape: str, dice: Random, changes: int) -> None:
    """A tag without anything in it is taken out of one place and put into another."""
    texts = [data.decode() for _, data in files(shape)]
    for _ in range(changes):
        source, target = (dice.randrange(len(texts)) for _ in range(2))
        start, end = dice.choice(
            [match.span() for match in re.finditer(r"<[a-zA-Z]+ [^<>]*/>", texts[source])] or [(0, 0)]
        )
        moved = texts[source][start:end]
        if dice.choice([True, False]):
            texts[source] = texts[source][:start] + texts[source][end:]
        at = dice.choice([match.end() for match in re.finditer(r"<[a-zA-Z]+( [^<>]*)?(?<!/)>", texts[target])])
        texts[target] = texts[target][:at] + moved + texts[target][at:]
    judged([(name, text.encode()) for (name, _), text in zip(files(shape), texts, strict=True)])
