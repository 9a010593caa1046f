"""A roster as a tree of selections."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from validators.battle_mode.imports.written import WrittenList


@dataclass
class Selection:
    """One selection in a roster program.

    ``caps`` is the cost of all ``number`` copies without children, ``stated`` with them; None if the file does not say.
    ``type`` is the program's ("model", "unit", "upgrade", "" for none); ``mark`` is the kind in this project's own
    exports. Filled while reading, not changed afterwards.
    """

    name: str
    number: int = 1
    type: str = ""
    caps: int | None = None
    stated: int | None = None
    mark: str = ""
    categories: tuple[str, ...] = ()
    children: "list[Selection]" = field(default_factory=list)
    stated_as: tuple[int, ...] = ()
    """In a text, all that ``stated`` can mean: for one model or for all, without or with what stands below it."""
    per_model: bool = False
    """Whether the cost of a part in a text can be that on each of several models."""
    line: int = 0
    """The line of a text, from 1."""
    for_each: bool = False
    """Whether a text says that each of several models has its number."""
    doubt: str = ""
    """What of its number is not plain, unless costs show it."""


def all_below(selection: Selection) -> Iterator[Selection]:
    """All selections below one."""
    for child in selection.children:
        yield child
        yield from all_below(child)


@dataclass(frozen=True)
class Unread:
    """A line of a text, or a piece of one, that was not read; ``priced`` if it has a cost.

    ``figures`` are its numbers that belong to nothing that was read, ``name`` its first words that may be a name.
    ``until_total`` is a doubt that the right total of the text removes.
    """

    line: int
    text: str
    figures: tuple[int | None, ...] = ()
    priced: bool = False
    name: str = ""
    until_total: bool = False


@dataclass
class Roster:
    """A file of another program, read but not interpreted yet. Filled while reading, not changed afterwards.

    ``faction`` is the file's name for it, "" for none; ``total`` is the stated cost. ``in_order`` says that an item is
    repeated for its copies and a mod follows its item, ``marks_leader`` that the Leader is named if there is one.
    ``hint`` says how to write a list that can be read.
    """

    format: str
    name: str = ""
    faction: str = ""
    total: int | None = None
    selections: list[Selection] = field(default_factory=list)
    in_order: bool = False
    unread: list[Unread] = field(default_factory=list)
    marks_leader: bool = True
    hint: str = ""
    notes: tuple[str, ...] = ()


def tree_of(written: WrittenList) -> Roster:
    """The lines of another program's file as a tree."""
    selections: list[Selection] = []
    above: list[Selection | None] = []
    for line in written.lines:
        kind, _, card = line.text.partition(": ")
        selection = Selection(line.text, 1 if line.copies is None else line.copies, line.kind, line.caps)
        if line.kind == "card":
            selection.name, selection.mark, selection.categories = kind, "card", (card,) if card else ()
        del above[line.depth :]
        parent = above[-1] if above else None
        (parent.children if parent else selections).append(selection)
        above.append(parent if line.kind == "card" else selection)
    for selection in selections:
        _add_up(selection)
    return Roster(
        written.format, written.name, written.faction, written.total, selections,
        marks_leader=written.says_leader, notes=written.notes,
    )  # fmt: skip


def _add_up(selection: Selection) -> None:
    for child in selection.children:
        _add_up(child)
    if selection.caps is not None:
        selection.stated = selection.caps + sum(child.stated or 0 for child in selection.children)
