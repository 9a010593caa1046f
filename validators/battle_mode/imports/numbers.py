"""The numbers of a line with names: copies, costs, or what may be either."""

from languages.words import gettext
from validators.battle_mode.imports.line import (
    CLOSES,
    ENDS,
    MANY,
    MOST_COPIES,
    OPENS,
    OUT,
    PastedLine,
    copies_of,
    is_only_heading,
    what_is,
)  # fmt: skip
from validators.battle_mode.imports.reading import LineEntry, Option, Unit
from validators.battle_mode.imports.scan import Piece
from validators.kit.checks import caps

_LISTS = (*ENDS, "and", "with", "(", "[", ":", "start", " ")
"""Separators after which a number counts what follows it."""
_SETS_OFF = "-=@:|[("


def read_number(line: PastedLine, piece: Piece, at: int) -> None:
    """A number, with the pieces around it."""
    after = line.pieces[at + 1 :]
    start = at + 2 if _begins_in_brackets(line, at) else at + 1
    follows = next((other for other in line.pieces[start:] if not other.means("filler", "them")), None)
    is_before_name = follows is not None and follows.kind in ("name", "unknown") and not is_only_heading(follows)
    before = line.piece(at - 1)
    is_plus = before is not None and before.is_sign("+") and piece.tight
    is_listed = line.last is None or line.sep in _LISTS or start > at + 1
    is_plain = piece.kind == "number"
    line.is_sure = False
    if line.after_role and piece.value == 0:
        return
    if piece.kind == "copies" and is_before_name and (is_listed or piece.text[-1:] in "xX"):
        line.copies, line.is_sure = piece.value, True
    elif piece.kind == "copies" and line.last is not None:
        _copies_after(line, line.last, piece, is_end=not any(other.kind != "sign" for other in after))
    elif is_plus and not is_before_name:
        line.ask(f"+{piece.text}")
    elif before is not None and before.is_sign("#"):
        line.row.notes.append(gettext("%(number)s: the number of the line", number=f"#{piece.value}"))
    elif line.head and any(other.means("them") for other in after[:2]) and after[0].kind != "name":
        if (line.head.model.copies or 1) > 1:
            line.groups = piece.value
        else:
            line.head.model.copies = piece.value
    elif is_plain and follows is not None and follows.means("with") and line.head and (line.head.model.copies or 1) > 1:
        line.groups = piece.value
    elif line.last and line.unit and is_plain and piece.value > MOST_COPIES and not is_plus:
        _cost_or_copies(line, piece, at, line.unit, line.last)
    elif is_before_name and (line.last is None or is_plus or (is_listed and is_plain)):
        line.copies, line.is_sure = piece.value, piece.meaning == "number"
        line.is_cost = piece.kind == "cost" or is_plus
    elif line.last is None or line.unit is None:
        line.ask(piece.text)
    else:
        _cost_or_copies(line, piece, at, line.unit, line.last)


def _begins_in_brackets(line: PastedLine, at: int) -> bool:
    """Whether a number stands in brackets that begin a piece of the line: "Baton, (x2) Stimpak"."""
    opens, closes, before = line.piece(at - 1), line.piece(at + 1), line.piece(at - 2)
    if not (opens and closes and opens.is_sign(OPENS) and closes.is_sign(CLOSES)):
        return False
    return before is None or before.is_sign(ENDS + ":") or before.means("with", "and")


def check_copies(line: PastedLine, entry: LineEntry, unit: Unit) -> None:
    """Ask about a number before a name that may be a cost, or of very many."""
    number = entry.copies
    if number is None or (0 < number <= MOST_COPIES and not line.is_cost):
        return
    entry.copies, line.is_cost = None, False
    cost = line.add_cost(unit, entry, number, is_on=not line.is_sure)
    off = (cost, "is_on", False)
    many = copies_of(number, entry, off, key=MANY if number > MOST_COPIES else "copies")
    single = Option("single", f"1 × {entry.name}", (off,))
    first = single if line.is_sure else Option("cost", caps(number))
    out = Option(OUT, gettext("Leave it out"), ((entry, "is_out", True),))
    line.doubt(what_is(str(number)), first, many, out, unit=unit)


def check_repeated(line: PastedLine, entry: LineEntry, unit: Unit) -> None:
    """Ask about two of what a model has once."""
    if not line.has_once(entry):
        return
    same = (entry.name, entry.fixed)
    if any((other.name, other.fixed) == same and other is not entry for other in line.row.parts if other in unit.parts):
        line.ask_whether(entry, f"{entry.name}, {entry.name}")
    elif (entry.copies or 1) > 1 and (
        entry.sort != "item" or (not line.is_sure and (unit.model.copies or 1) == 1)
    ):  # fmt: skip
        number, entry.copies = entry.copies or 1, None
        single = Option("single", f"1 × {entry.name}")
        line.doubt(what_is(f"{number} {entry.name}"), single, copies_of(number, entry), must_ask=True)


def _copies_after(line: PastedLine, last: LineEntry, piece: Piece, *, is_end: bool) -> None:
    """Copies after a name: of the part, or of the model, if the line is "Knight with combat rifle x2"."""
    head = line.head
    is_of_part = last.sort == "model" or head is None or head.model.copies is not None
    if last.copies is not None or piece.value == 0:
        line.ask(piece.text)
    elif head is None or is_of_part or not is_end or (last.sort == "item" and not line.has_once(last)):
        last.copies, line.is_sure = piece.value, True
        if line.unit:
            check_copies(line, last, line.unit)
    elif line.after_with and len(line.row.parts) == 1:
        head.model.copies, line.is_sure = piece.value, True
        check_copies(line, head.model, head)
    else:
        line.doubt(what_is(piece.text), copies_of(piece.value, head.model, key="models"),
                   copies_of(piece.value, last, key="parts"))  # fmt: skip


def _cost_or_copies(line: PastedLine, piece: Piece, at: int, unit: Unit, last: LineEntry) -> None:
    """A number after a name: its cost, or that of the model with everything, or how many of it there are."""
    is_end = not any(other.kind != "sign" for other in line.pieces[at + 1 :])
    may_be_whole = is_end or last.sort == "model" or line.sep in _SETS_OFF
    cost = line.add_cost(unit, last, piece.value, may_be_whole=may_be_whole)
    if piece.kind == "cost" or not 0 < piece.value <= MOST_COPIES or line.sep in ("=", "@"):
        return
    cost.is_on = False
    options = [Option("cost", caps(piece.value), ((cost, "is_on", True),))]
    if last.sort == "model" and line.sep == "":
        options.insert(0, Option("number", gettext("%(number)s: the number of the line", number=piece.value)))
    if last.copies is None:
        options.append(copies_of(piece.value, last))
    line.doubt(what_is(piece.text), *options, unit=unit).needs_costs = True
