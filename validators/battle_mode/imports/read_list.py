"""A list of any origin, as lines, read with an edition."""

import re

from languages.words import N_
from validators.battle_mode.imports.lines import lines_of
from validators.battle_mode.imports.names import Names, words_of
from validators.battle_mode.imports.own_text import read_own_text
from validators.battle_mode.imports.reader import Reader
from validators.battle_mode.imports.rows import imported
from validators.battle_mode.imports.settle import Settled
from validators.battle_mode.imports.words import meanings
from validators.battle_mode.imports.written import WrittenList
from validators.contract import EditionInfo, Imported, ListAnswers

_PROGRAM = re.compile(r"\s*\+\+ .{1,80}\(.{1,80} - (.{1,80})\) \[(\d+) Caps\] \+\+\s*$", re.MULTILINE)
TEXT = N_("pasted text")


def read_list(
    written: WrittenList, edition: EditionInfo, own: str, answers: ListAnswers, names: Names | None = None
) -> Imported:
    """The force of these lines. ``own`` is the player's faction. Raises UnreadableForce."""
    reader = Reader(written, names or Names(edition.lists), own, answers)
    reader.read()
    return imported(Settled(reader, edition.lists, answers), edition)


def read_text(text: str, edition: EditionInfo, own: str, answers: ListAnswers) -> Imported:
    """The force of a text. Raises UnreadableForce."""
    if own_text := read_own_text(text, edition):
        return own_text
    names = Names(edition.lists)

    def is_name(words: str) -> bool:
        key = "".join(words_of(words))
        return bool(names.whole(key, "")) or meanings().get(key) in ("leader", "heroic", "card")

    lines = tuple(lines_of(text, is_name))
    head = _PROGRAM.match(text)
    written = WrittenList(TEXT, lines, faction=head[1] if head else "")
    return read_list(written, edition, own, answers, names)
