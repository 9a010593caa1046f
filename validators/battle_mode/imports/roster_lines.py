"""A selection of another program's file: its whole text is a name, its number and cost are its own."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Protocol

from languages.words import gettext, ngettext
from validators.battle_mode.imports import line_words as look
from validators.battle_mode.imports.leaders import ask_of_row
from validators.battle_mode.imports.line import OUT, what_is
from validators.battle_mode.imports.names import PARTS, Names, Sort
from validators.battle_mode.imports.reading import Cost, LineEntry, Option, Row, Unit
from validators.battle_mode.imports.words import form
from validators.contract import UnreadableForce

MOST_PARTS = 200
"""The most selections below one model."""


class ListSoFar(Protocol):
    names: Names
    faction: str
    rows: list[Row]
    loose_cards: list[dict[str, str]]

    @property
    def owner(self) -> Unit | None: ...

    def begin(self, row: Row, model: LineEntry) -> Unit: ...

    def lose_owner(self) -> None: ...


def read_selection(so_far: ListSoFar, row: Row) -> None:
    """Read one selection: a model, a part of the model above, a card, a heading, or a question."""
    line, owner = row.written, so_far.owner
    sorts = _sorts(so_far.names, line.text)
    copies, text = (1, line.text) if sorts else _counted(line.text)
    sorts, copies = sorts or _sorts(so_far.names, text), copies * (1 if line.copies is None else line.copies)
    key = "".join(look.words_of_text(text))
    unit = owner if owner and line.depth > owner.depth else None
    order: Sequence[Sort] = ("mod", *PARTS) if unit and _item_above(so_far.rows, row, unit) else PARTS
    meaning, part = look.meaning(key), next((sort for sort in order if sort in sorts), None)
    if copies == 0:
        row.state, row.notes = "left out", [gettext("Its number is 0")]
    elif line.kind == "card":
        kind, _, name = line.text.partition(": ")
        so_far.loose_cards.append({"kind": kind, "name": name})
        row.ours = gettext("A card outside the models")
    elif unit and meaning == "leader":
        unit.leader = True
        row.parts.append(LineEntry("leader", "Leader", row.number))
    elif unit and (meaning == "heroic" or part):
        entry = LineEntry(part or "heroic", sorts[part] if part else "Heroic", row.number)
        if _is_built_in(so_far, row, unit, entry):
            _built_in(row, entry.name)
        else:
            _add(so_far, row, unit, entry, copies)
    elif not line.caps and line.caps is not None and _holds_models(so_far, row):
        row.state = "title"
        if "model" in sorts:
            row.notes = [gettext("It only holds other models")]
    elif "model" in sorts:
        begun = so_far.begin(row, LineEntry("model", sorts["model"], row.number, copies))
        begun.is_listed = True
        if line.caps is not None:
            begun.costs.append(Cost(begun.model, line.caps, row.number))
    elif "built in" in sorts and not line.caps:
        _built_in(row, sorts["built in"])
    elif not line.caps and (
        meaning == "heading" or (line.kind not in ("model", "unit") and (unit or not _holds_parts(so_far, row)))
    ):
        row.state, row.notes = "left out", [gettext("No name of the game in it")]
        if any(_directly_below(so_far, row)):
            row.state, row.notes = "title", []
    else:
        ask_of_row(row, None, what_is(row.shown), Option(OUT, gettext("Leave it out")))
        if line.kind in ("model", "unit") or unit is None:
            so_far.lose_owner()


def _built_in(row: Row, name: str) -> None:
    row.notes.append(gettext("%(part)s is built in", part=name))
    row.ours = name


def _sorts(names: Names, text: str) -> dict[Sort, str]:
    key = form(" ".join(look.words_of_text(text)))
    matches = (*names.whole(key, ""), *names.whole(key, "(,:/&"))
    return {name.sort: name.name for name in reversed(matches)}


def _counted(text: str) -> tuple[int, str]:
    """The number that a person wrote into a name, and the rest: "x2 Settler", "Settlers (2x)"."""
    match = _COUNTED.fullmatch(text.strip())
    if match is None:
        return 1, text
    return int(match["before"] or match["after"]), match["first"] or match["last"]


_COUNTED = re.compile(
    r"x?\s?(?P<before>\d{1,2})\s?[x×]?\s+(?P<first>\S.*)|(?P<last>.*\S)\s+[(\[]?(?:[x×]\s?)?(?P<after>\d{1,2})\s?[x×]?[)\]]?",
    re.IGNORECASE,
)


def _directly_below(so_far: ListSoFar, row: Row) -> Iterator[tuple[Row, dict[Sort, str]]]:
    """The selections in this one, but not those in them, each with what its name may be."""
    inside = takewhile(lambda other: other.written.depth > row.written.depth, so_far.rows[row.number :])
    for other in inside:
        if other.written.depth == row.written.depth + 1:
            yield other, _sorts(so_far.names, other.written.text)


def _holds_models(so_far: ListSoFar, row: Row) -> bool:
    return any(
        kind == "unit" or (kind == "model" and ("model" in sorts or not {*PARTS, "built in"} & {*sorts}))
        for kind, sorts in ((other.written.kind, sorts) for other, sorts in _directly_below(so_far, row))
    )


def _holds_parts(so_far: ListSoFar, row: Row) -> bool:
    """Whether a selection holds what only a model has, and so is one, though its program calls it otherwise."""
    return any(
        other.written.caps or {*PARTS} & {*sorts} or _holds_parts(so_far, other)
        for other, sorts in _directly_below(so_far, row)
        if other.written.kind not in ("model", "unit") and "model" not in sorts
    )


def _is_built_in(so_far: ListSoFar, row: Row, unit: Unit, part: LineEntry) -> bool:
    """Whether a model has a part without buying it: one that costs nothing, or without costs, one it cannot buy."""
    model = so_far.names.model(unit.model.name, so_far.faction)
    if model is None or row.written.caps:
        return False
    if part.sort == "mod":
        item = _item_above(so_far.rows, row, unit)
        return model.has_built_in_mod(part.name, item.name if item else "")
    is_sold = row.written.caps is None and model.carries(part.name)
    return not is_sold and part.name in {word for name in model.built_in for word in (name, name.partition(" (")[0])}


def _item_above(rows: Sequence[Row], row: Row, unit: Unit) -> LineEntry | None:
    above = _lines_above(rows, row)
    return next((item for item in reversed(unit.items) if item.line in above), None)


def _add(so_far: ListSoFar, row: Row, unit: Unit, entry: LineEntry, copies: int) -> None:
    """Give a selection to the models of its unit; its number is that on all of them, but for its cost."""
    number, caps = unit.model.copies or 1, row.written.caps
    price = _price(so_far, entry)
    if entry.sort == "mod":
        entry.fixed = _item_above(so_far.rows, row, unit)
        entry.after = unit.items[-1] if unit.items else None
    if len(unit.parts) >= MOST_PARTS:
        raise UnreadableForce(
            ngettext("%(name)s: more than %(num)s selection on one model",
                     "%(name)s: more than %(num)s selections on one model", MOST_PARTS, name=unit.model.name)
        )  # fmt: skip
    unit.parts.append(entry)
    row.parts.append(entry)
    is_on_each = bool(price) and caps == price * copies * number
    if caps is not None and not (price and (is_on_each or caps == price * copies)):
        unit.costs.append(Cost(entry, caps, row.number))
    if is_on_each or number == 1 or entry.sort == "mod":
        entry.copies = copies if is_on_each or number == 1 else max(1, copies // number)
        return
    entry.copies, rest = divmod(copies, number)
    if rest:
        row.notes.append(gettext("%(copies)s among %(number)s: the first have more", copies=copies, number=number))
        if entry.copies:
            unit.parts.append(LineEntry(entry.sort, entry.name, entry.line, 1, groups=rest))
        else:
            entry.copies, entry.groups = 1, rest


def _price(so_far: ListSoFar, entry: LineEntry) -> int:
    """The cost of one by the edition; 0 if it has none of its own."""
    edition = so_far.names.edition
    if entry.sort == "heroic":
        return edition.file.heroic_caps
    row = so_far.names.table(entry.sort).find(entry.name)
    return row.caps if row else 0


def _lines_above(rows: Sequence[Row], row: Row) -> set[int]:
    """The lines of the selections that this one is in."""
    lines, depth, at = set(), row.written.depth, row.number - 2
    while depth and at >= 0:
        other = rows[at].written
        if other.depth < depth:
            lines.add(other.number)
            depth = other.depth
        at -= 1
    return lines
