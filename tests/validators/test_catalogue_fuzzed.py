"""Catalogues of both shapes, damaged at random: whatever comes in, the answer is an edition or a refusal."""

import json
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.validators.catalogue_writer import BATTLE, CAPS, EQUIPMENT, MODS, NARRATIVE, SYSTEM_ID, File
from tests.validators.made_up_catalogues import files, read
from validators.battle_mode.catalogues.settling import settle
from validators.battle_mode.edition_file import read_edition
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

SAMPLES: dict[str, list[File]] = {shape: files(shape) for shape in ("2018", "2020")}
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


@given(st.sampled_from(list(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=105)
def test_attributes_with_odd_values(shape: str, dice: Random, changes: int) -> None:
    """Well-formed still, so that what comes behind the parser is met."""
    texts = [(name, data.decode()) for name, data in SAMPLES[shape]]
    every = [value for _, text in texts for value in re.findall('="([^"]*)"', text)]
    for _ in range(changes):
        place = dice.randrange(len(texts))
        name, text = texts[place]
        start, end = dice.choice([match.span(1) for match in re.finditer('="([^"]*)"', text)])
        texts[place] = (name, text[:start] + dice.choice([*VALUES, dice.choice(every)]) + text[end:])
    judged([(name, text.encode()) for name, text in texts])


@given(st.sampled_from(list(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 6))
@settings(max_examples=80)
def test_tags_in_odd_places(shape: str, dice: Random, changes: int) -> None:
    """A tag without anything in it is taken out of one place and put into another."""
    texts = [data.decode() for _, data in SAMPLES[shape]]
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
    judged([(name, text.encode()) for (name, _), text in zip(SAMPLES[shape], texts, strict=True)])
