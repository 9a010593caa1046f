"""Notes on pairs and byes as data: a kind and its figures. ``words.py`` makes the sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Figure = int | float | str


class NoteKind(StrEnum):
    """The kinds of notes. The values are stored."""

    LOCKED = "locked"
    REMATCH = "rematch"
    REMATCH_NEEDED = "rematch_needed"
    PAIR_DOWN = "pair_down"
    PAIR_DOWN_ODD = "pair_down_odd"
    PAIR_DOWN_NEAREST = "pair_down_nearest"
    PAIR_DOWN_NEAREST_BYE = "pair_down_nearest_bye"
    REPEAT_PAIR_DOWN = "repeat_pair_down"
    KEPT_APART = "kept_apart"
    SAME_CLUB = "same_club"
    BYE_LOCKED = "bye_locked"
    BYE_ONLY_PLAYER = "bye_only_player"
    BYE_LOWEST = "bye_lowest"
    BYE_HIGHER = "bye_higher"
    BYE_IN_TURN = "bye_in_turn"
    BYE_ASKED = "bye_asked"
    BYE_EMPTY_PLACE = "bye_empty_place"
    SECOND_BYE = "second_bye"
    SECOND_BYE_LOWEST = "second_bye_lowest"
    SECOND_BYE_HIGHER = "second_bye_higher"
    STAND_IN = "stand_in"
    FIXED_TABLE_OUT = "fixed_table_out"
    FIXED_TABLE_OPPONENT = "fixed_table_opponent"
    FIXED_TABLE_TAKEN = "fixed_table_taken"
    TABLE_AGAIN = "table_again"
    SCENARIO_AGAIN = "scenario_again"
    BRACKET_MATCH = "bracket_match"
    MET_BEFORE_BRACKET = "met_before_bracket"
    WALK_OVER_ABSENT = "walk_over_absent"
    WALK_OVER_NOBODY = "walk_over_nobody"
    CIRCLE_MATCH = "circle_match"
    CIRCLE_ABSENT = "circle_absent"
    CHALLENGE = "challenge"
    EMPTY_BOARD = "empty_board"
    OTHER = "other"
    """A sentence of unknown kind, in the figure ``text``."""


WALK_OVERS = frozenset({
    NoteKind.WALK_OVER_ABSENT, NoteKind.WALK_OVER_NOBODY, NoteKind.EMPTY_BOARD,
})  # fmt: skip
"""The kinds of notes on a player who wins without an opponent; in a circle this is a bye, which scores nothing."""

PAIRED_DOWN = frozenset({
    NoteKind.PAIR_DOWN, NoteKind.PAIR_DOWN_ODD, NoteKind.PAIR_DOWN_NEAREST, NoteKind.PAIR_DOWN_NEAREST_BYE,
})  # fmt: skip


@dataclass(frozen=True)
class Note:
    """One note; ``figures`` are the numbers and names in its sentence."""

    kind: NoteKind
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)


def note_rows(notes: Iterable[Note]) -> list[dict[str, Any]]:
    return [{"kind": note.kind.value, **note.figures} for note in notes]


def notes_in(rows: Iterable[Mapping[str, Any]]) -> tuple[Note, ...]:
    """The notes that ``note_rows`` made. Raises KeyError or ValueError for other rows."""
    return tuple(
        Note(NoteKind(row["kind"]), {name: value for name, value in row.items() if name != "kind"}) for row in rows
    )
