"""Words of a line that are no whole name: read as the one name that they can stand for, or asked about."""

from collections.abc import Sequence

from languages.words import gettext
from validators.battle_mode.imports.line import MOST_COPIES, OPENS, PastedLine, has_part, is_only_heading
from validators.battle_mode.imports.names import Name
from validators.battle_mode.imports.scan import Piece
from validators.battle_mode.imports.unknown import Guess

_MOST_WORDS = 6
"""The most pieces of a line that are read as one name."""


def guess_at(line: PastedLine, at: int) -> tuple[int, Guess | None, str | None]:
    """The end of the words from here that surely stand for one name, the name, and the model that has it, if a part.

    Words between which and others there is no separator may be one name with them.
    """
    end = at
    while (piece := line.piece(end)) and end - at < _MOST_WORDS and _may_be_of_name(piece):
        end += 1
    pieces = line.pieces[at:end]
    after = line.piece(at + 1)
    if not any(piece.kind == "unknown" for piece in pieces):
        return at, None, None
    if line.pieces[at].kind == "number" and not (after and after.kind == "unknown"):
        return at, None, None
    for stop in range(end, at, -1):
        run = line.pieces[at:stop]
        if not any(piece.kind == "unknown" for piece in run) or _is_cut_off(line, at, stop, end):
            continue
        words = tuple(word for piece in run for word in (piece.words or (piece.text,)))
        for owner in owners(line):
            guess = line.so_far.unknown.guess(words, owner)
            if guess and guess.is_sure and (owner is None or not _touches_part(line, at, stop, guess)):
                return stop, guess, owner
    return at, None, None


def _may_be_of_name(piece: Piece) -> bool:
    return piece.kind in ("name", "unknown") or (piece.kind == "number" and piece.value <= MOST_COPIES)


def _is_cut_off(line: PastedLine, at: int, stop: int, end: int) -> bool:
    """Whether words next to these are no names, so that all of them may be one name."""
    before = line.piece(at - 1)
    rest = line.pieces[stop:end]
    return (before is not None and before.kind == "unknown") or any(
        piece.kind == "unknown" or is_only_heading(piece) for piece in rest
    )


def _touches_part(line: PastedLine, at: int, stop: int, guess: Guess) -> bool:
    """Whether a part's name stands next to these words, or the same after a bracket: a slip of the pen."""
    before, after, next_but_one = line.piece(at - 1), line.piece(stop), line.piece(stop + 1)
    is_same = next_but_one is not None and guess.names[0].name in [name.name for name in next_but_one.names]
    return (
        has_part(after)
        or (line.sep == "" and before is not None and before.kind == "name")
        or (after is not None and after.is_sign(OPENS) and is_same)
    )


def owners(line: PastedLine) -> list[str | None]:
    """Whose names come first here: None for models, else the parts of this model."""
    unit = line.unit
    if line.is_empty:
        return [None, unit.model.name] if unit else [None]
    is_in_list = line.sep in (",", ";", "and") and not line.brackets
    return [unit.model.name if unit else "", *([None] if is_in_list else [])]


def note_guess(line: PastedLine, run: Sequence[Piece], name: Name) -> None:
    written = " ".join(piece.text for piece in run)
    line.row.notes.append(gettext("“%(written)s” read as %(name)s", written=written, name=name.name))
    line.sep = ""


def ask_unknown(line: PastedLine, at: int) -> int:
    """Ask about unknown words; returns the end of them."""
    end = at
    while (piece := line.piece(end)) and piece.kind == "unknown":
        end += 1
    run = line.pieces[at:end]
    words = tuple(word for piece in run for word in piece.words)
    copies = line.copies
    line.ask(" ".join(piece.text for piece in run), line.so_far.unknown.like(words, owners(line)[0]))
    opens, named = line.piece(end), line.piece(end + 1)
    if line.is_empty and opens and opens.is_sign(OPENS) and named and named.kind == "name":
        line.copies = copies  # "2 Osadnik (Settler)"
    return end
