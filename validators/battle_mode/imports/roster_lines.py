"""A selection of another program's file: its whole text is a name, its number and cost are its own."""

from collections.abc import Sequence
from typing import Protocol

from languages.words import gettext
from validators.battle_mode.imports import line_words as look
from validators.battle_mode.imports.leaders import ask_of_row
from validators.battle_mode.imports.line import OUT, what_is
from validators.battle_mode.imports.names import PARTS, Names, Sort
from validators.battle_mode.imports.reading import Cost, Entry, Option, Row, Unit


class ListSoFar(Protocol):
    """What a selection needs to know of the list."""

    names: Names
    rows: list[Row]
    loose_cards: list[dict[str, str]]

    @property
    def owner(self) -> Unit | None: ...

    def begin(self, row: Row, model: Entry) -> Unit: ...

    def lose_owner(self) -> None: ...


def read_selection(so_far: ListSoFar, row: Row) -> None:
    """Read one selection: a model, a part of the model above, a card, a heading, or a question."""
    line, owner = row.written, so_far.owner
    copies = 1 if line.copies is None else line.copies
    key = "".join(look.words_of_text(line.text))
    sorts: dict[Sort, str] = {name.sort: name.name for name in reversed(so_far.names.whole(key, ""))}
    sorts |= {name.sort: name.name for name in reversed(so_far.names.whole(key, "(,:/&")) if name.sort not in sorts}
    unit = owner if owner and line.depth > owner.depth else None
    meaning, part = look.meaning(key), next((sort for sort in PARTS if sort in sorts), None)
    if copies == 0:
        row.state, row.notes = "left out", [gettext("Its number is 0")]
    elif line.kind == "card":
        kind, _, name = line.text.partition(": ")
        so_far.loose_cards.append({"kind": kind, "name": name})
        row.ours = gettext("A card outside the models")
    elif unit and meaning == "leader":
        unit.leader = True
        row.parts.append(Entry("leader", "Leader", row.number))
    elif unit and (meaning == "heroic" or (part and (line.kind == "upgrade" or "model" not in sorts))):
        if "built in" in sorts and not line.caps:
            _built_in(row, sorts["built in"])
        elif meaning == "heroic" or part:
            _add(so_far.rows, row, unit, Entry(part or "heroic", sorts[part] if part else "Heroic", row.number), copies)
    elif "model" in sorts:
        begun = so_far.begin(row, Entry("model", sorts["model"], row.number, copies))
        begun.is_listed = True
        if line.caps:
            begun.costs.append(Cost(begun.model, line.caps, row.number))
    elif "built in" in sorts and not line.caps:
        _built_in(row, sorts["built in"])
    elif not line.caps and (line.kind not in ("model", "unit") or meaning == "heading"):
        row.state = "title"
    else:
        ask_of_row(row, None, what_is(row.shown), Option(OUT, gettext("Leave it out")))
        if line.kind in ("model", "unit") or line.depth == 0:
            so_far.lose_owner()


def _built_in(row: Row, name: str) -> None:
    row.notes.append(gettext("%(part)s is built in", part=name))
    row.ours = name


def _add(rows: Sequence[Row], row: Row, unit: Unit, entry: Entry, copies: int) -> None:
    """Give a selection to the models of its unit; its number is that on all of them."""
    number = unit.model.copies or 1
    if entry.sort == "mod":
        above = _lines_above(rows, row)
        entry.fixed = next((item for item in reversed(unit.items) if item.line in above), None)
        entry.after = unit.items[-1] if unit.items else None
    if row.written.caps is not None:
        unit.costs.append(Cost(entry, row.written.caps, row.number))
    unit.parts.append(entry)
    row.parts.append(entry)
    if number > 1 and copies < number and entry.sort != "mod":
        entry.groups = copies
        row.notes.append(gettext("The first %(copies)s of %(number)s have it", copies=copies, number=number))
        return
    entry.copies = max(1, copies // number)
    if copies % number:
        each = Option("each", gettext("%(number)s on each", number=entry.copies))
        ask_of_row(row, unit, what_is(row.shown), each)


def _lines_above(rows: Sequence[Row], row: Row) -> set[int]:
    """The lines of the selections that this one is in."""
    lines, depth = set(), row.written.depth
    for other in reversed(rows[: rows.index(row)]):
        if other.written.depth < depth:
            lines.add(other.number)
            depth = other.written.depth
    return lines
