"""What the reader of lists reads: the lines of a text, or the selections of another program's file as lines."""

from dataclasses import dataclass
from typing import Literal

NAME_LINE = "Force name:"
CARDS_HEADING = "Cards"
"""Words of our own texts."""
Kind = Literal["", "force", "unit", "model", "upgrade", "card"]
"""What a program's file calls a selection; "" in a text."""


@dataclass(frozen=True)
class Written:
    """One line. ``number`` counts from 1, ``text`` is what is read, ``shown`` what the person wrote, if it differs.

    ``depth`` is how deep it stands below the line before it that is less deep: by indent and bullets in a text, by
    nesting in a file. ``copies`` and ``caps`` are those of a structured file, whose cost covers all copies of the
    selection itself and nothing below it; None: the text says them, if anything does.
    """

    number: int
    text: str
    depth: int = 0
    copies: int | None = None
    caps: int | None = None
    kind: Kind = ""
    shown: str = ""
    gap: bool = False
    """Whether a blank line stands before it."""
    mark: str = ""
    """What one of our own files calls a selection: "item", "mod", "perk", "leader-card", "leader", "heroic"; in a text
    "quoted", "mail", "struck", "numbered".
    """


@dataclass(frozen=True)
class WrittenList:
    """All lines of a file with what it says of the list as a whole; the reader's only input.

    ``total`` is the file's own, ``faction`` the name of its catalogue; ``notes`` are sentences on the whole file.
    """

    format: str
    lines: tuple[Written, ...]
    name: str = ""
    faction: str = ""
    total: int | None = None
    notes: tuple[str, ...] = ()
