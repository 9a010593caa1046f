"""Texts written from forces: read exactly, and, taken apart, never wrong in silence; the work that any text takes."""

import re
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.kit.forces import export_force
from tests.kit.profiles import full_run
from tests.validators.imports.rosters import SYSTEM
from tests.validators.imports.test_import_fuzzed import random_document
from tests.validators.imports.test_texts_read import EDITION, asked_of, read_own
from tests.validators.recorded_data import recorded
from validators.battle_mode.imports.words import LANGUAGES, meanings, phrases
from validators.contract import Document, Imported, Terms, UnreadableForce

SECONDS = 2.0
"""Processor time of one text on a busy machine; quick machines need a quarter."""
STATES = {"read", "check", "title", "left out", "total"}
TEXTS: dict[str, list[list[Any]]] = recorded("pasted")
"""Legal forces as players paste them: texts in many styles with what they hold; and such with one line spoilt."""


def contents(document: Document) -> Counter[str]:
    """What a force holds: equal models are counted, the order of their parts is not kept."""
    return Counter(map(_shown, document["models"]))


def _shown(model: dict[str, Any]) -> str:
    items: Counter[str] = Counter()
    for item in model["items"]:
        items[f"{item['name']} with {sorted(item['mods'])}"] += item["count"]
    own = [model[part] for part in ("name", "heroic", "leader", "leader_card")]
    return f"{own} {sorted(model['perks'])} {sorted(items.items())}"


def is_asked(imported: Imported) -> bool:
    return bool(imported.open) or imported.stated not in (None, imported.total)


@pytest.mark.slow
@pytest.mark.parametrize("cases", full_run([slice(40), slice(40, 200)], [slice(40)], [slice(40, 200)]), ids=str)
def test_forces_in_any_style_are_read_whole_or_asked_about(cases: slice) -> None:
    """None is silently wrong; at least 95 % are read whole without a question, but of which faction."""
    texts, whole = TEXTS["styles"][cases], 0
    for text, expected in texts:
        imported = read_own(text)
        lines = [line.number for line in imported.lines]
        assert lines == sorted(set(lines)) and {line.state for line in imported.lines} <= STATES, text
        same = contents(imported.document) == Counter(expected)
        assert same or is_asked(imported), text
        whole += same and not [question for question in imported.questions if question.key != "faction"]
    assert whole >= 0.95 * len(texts)


def test_our_own_texts_are_read_exactly() -> None:
    for seed in range(40):
        document = random_document(Random(seed), 0)
        imported = SYSTEM.forces.files.import_("", export_force(document, "txt"), SYSTEM.edition("2018-08"))
        assert (imported.document, imported.open, imported.stated) == (document, 0, imported.total), seed
        terms = Terms(EDITION, (250, 500, 750)[seed % 3])
        sample = SYSTEM.forces.sample(terms, EDITION.factions[seed % len(EDITION.factions)], seed)
        imported = read_own(SYSTEM.forces.files.export(sample, EDITION, "txt").decode())
        assert (imported.document, imported.open) == (sample, 0), seed


def unaccounted(line_written: str, ours: str) -> list[str]:
    """The words of a line that neither what was read from it nor the table of words holds, found without the reader."""
    read_words = Counter(re.findall(r"[^\W\d_]{3,}", ours.casefold()))
    words = Counter(re.findall(r"[^\W\d_]{3,}", line_written.casefold()))
    spoken = {word for phrase, _ in phrases() for word in phrase.casefold().split()}
    left = (word for word in (words - read_words).elements() if word not in spoken)
    return [word for word in left if not any(word.rstrip("s").startswith(other[:4]) for other in read_words)]


def test_texts_taken_apart_are_right_or_asked_about() -> None:
    """What is read costs what the list says, and holds every word of each line, or something is asked."""
    for text, row, expected in TEXTS["apart"]:
        try:
            imported = read_own(text)
        except UnreadableForce:
            continue
        held = contents(imported.document)
        if held == Counter(expected) or is_asked(imported):
            continue
        for line in imported.lines:
            if line.written == row.strip() and line.state == "read" and "read as" not in line.note:
                assert not unaccounted(line.written, f"{line.ours} {line.parts}"), (text, row, line)
        lost = sum((Counter(expected) - held).values())
        assert lost <= 1, (text, row, "one line changes one model")


def test_any_text_ends_soon_or_is_refused_with_a_sentence() -> None:
    dice = Random(1)
    words = [
        "Raider",
        "Psycho",
        "pipe",
        "rifle",
        "machete",
        "combat",
        "long",
        "barrel",
        "knight",
        "T-60",
        "sneak",
        "leader",
        "2x",
        "3",
        "(5)",
        "with",
        ",",
        "12",
        "caps",
        "-",
        "/",
        "or",
    ]
    soup = "\n".join(" ".join(dice.choices(words, k=12)) for _ in range(1200))
    for name, text in {
        "ligatures": "\ufdfa" * 100,
        "many ligatures": "\ufdfa" * 60_000,
        "one unknown word": "sla " * 3000,
        "cut words": "Raiders\n" + "cr pl la ba ma\n" * 900,
        "numbers": "Raider " + "2 " * 500,
        "parts": "Raider\n" + "- pipe rifle 3\n" * 190,
        "brackets": "(" * 3000 + "Raider",
        "soup": soup,
        "doubts": "Raiders\n"
        + "\n".join(f"Raider {n % 9 + 1} pipe rifle {n % 7 + 1}, jet 3 or jet" for n in range(150)),
        "as long as allowed": ("Raider, pipe rifle, machete, jet, psycho\n" * 4800)[:199_000],
        "one long line": ("settler combat rifle long barrel " * 6000)[:199_000],
        "sums": "Raiders\n" + "\n".join(f"Raider {n % 3 + 2}" for n in range(60)) + "\nTotal 5000",
    }.items():
        started = time.process_time()
        try:
            read_own(text)
        except UnreadableForce as refusal:
            assert len(str(refusal)) < 300, name
        assert time.process_time() - started < SECONDS, name
    with pytest.raises(UnreadableForce, match="more than 200 words of it are in no list"):
        read_own("\n".join(f"{a}{b}zzq" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghij"))


def test_table_of_words_is_complete_in_six_languages() -> None:
    counted = Counter(meaning for _, meaning in phrases())
    assert all(count >= len(LANGUAGES) - 1 for meaning, count in counted.items()), counted
    for phrase in (
        "with",
        "mit",
        "avec",
        "con",
        "z",
        "instead of",
        "statt",
        "au lieu de",
        "en vez de",
        "zamiast",
        "invece di",
    ):
        assert meanings()[phrase.replace(" ", "")] in ("with", "instead"), phrase


def test_no_word_of_the_table_is_a_name_of_a_part() -> None:
    for edition in SYSTEM.editions:
        names = {name.casefold() for _, listed in edition.names for name in listed} - {"super mutant"}
        assert not names & {phrase.casefold() for phrase, _ in phrases()}, edition.id
    assert asked_of(read_own("Raiders\nAvery (L), do")), "a word of the table alone is asked about"
