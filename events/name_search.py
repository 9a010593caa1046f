"""Finding players by what is typed at the desk: parts of a name, initials, club, team, table, the code of a sheet."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.names import search_key
from events.table_numbers import code_typed, table_typed
from models.play import Player

BETWEEN = re.compile(r"[\s\-'’‘ʼ.,/&()]+")
LONGEST = 80
"""Characters that are looked for; more were never typed by hand."""


@dataclass(frozen=True)
class Findable:
    """A player and what else they are found by."""

    player: Player
    team: str = ""
    table: int | None = None
    """Where the player sits in the round at hand."""
    code: str = ""
    """That of the sheet of this game."""


def find(typed: str, rows: Iterable[Findable]) -> list[Player]:
    """The players meant, best first, then by name; nobody for what is empty.

    A figure is a table, and a sheet's code its game. Else every word typed begins a word of the name; where nobody has
    such a name, the letters are initials; where nobody has them, words of the club or the team count too, and at last
    any part of a name.
    """
    wanted, rows = search_key(typed[:LONGEST]), sorted(rows, key=lambda row: row.player.name_key)
    words = _words(wanted)
    if not words:
        return []
    initials, code, table = "".join(words), code_typed(typed), table_typed(typed)
    by_place = [r for r in rows if r.code == code or (table is not None and r.table == table)]
    named = by_place or [row for row in rows if begins(words, _words(search_key(row.player.name)))]
    named = named or [row for row in rows if _initials(row.player.name) == initials]
    named = named or [row for row in rows if begins(words, _all_words(row))]
    named = named or [row for row in rows if wanted in search_key(row.player.name)]
    return [row.player for row in named]


def begins(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each word typed begins a word of its own."""
    left = list(words)
    for one in sorted(typed, key=len, reverse=True):
        fits = next((word for word in left if word.startswith(one)), None)
        if fits is None:
            return False
        left.remove(fits)
    return True


def _words(folded: str) -> list[str]:
    return [word for word in BETWEEN.split(folded) if word]


def _all_words(row: Findable) -> list[str]:
    return [word for text in (row.player.name, row.player.club, row.team) for word in _words(search_key(text))]


def _initials(name: str) -> str:
    return "".join(word[0] for word in _words(search_key(name)))
