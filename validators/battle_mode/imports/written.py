"""What the reader of lists reads: the lines of a text, or the selections of another program's file as lines.

Its names, numbers and costs have limits far above any real force; larger input is rejected early.
"""

import re
from dataclasses import dataclass
from typing import Literal

from languages.words import gettext
from validators.contract import UnreadableForce
from validators.faults import above, at_place, below

MOST_SELECTIONS = 3_000
DEEPEST = 24
"""The deepest nesting of selections; real rosters have three or four levels."""
MOST_OF_ONE = 99
LONGEST_NAME = 80

_CAPS = re.compile(r"(-?)(?:(\d{1,7})(?:\.(?!000$)0{1,9}|,0{1,2})?|(\d{1,3}(?:,\d{3}){1,2})(?:\.0{1,9})?)", re.ASCII)
"""Whole Caps, or thousands between commas. "1.000" is ambiguous, so it is rejected."""
_NEARLY = re.compile(r"-?\d{1,7}\.(?:0{5}|9{5})\d{1,12}", re.ASCII)
"""A whole number as programs that count with fractions write it: 76.00000001."""
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Marks of direction and of zero width, which clipboards add; never part of a name."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

GAME = "wasteland warfare"


def is_this_game(name: str) -> bool:
    return GAME in " ".join(name.casefold().replace("-", " ").split())


def a_name(value: object, place: str) -> str:
    """A name from a file. Raises UnreadableForce if it is not short printable text."""
    if not isinstance(value, str):
        raise UnreadableForce(at_place(place, gettext("is not text")))
    text = " ".join(_INVISIBLE.sub("", value).split())
    if len(text) > LONGEST_NAME:
        raise UnreadableForce(at_place(place, gettext("is longer than %(most)s characters", most=LONGEST_NAME)))
    if _CONTROL.search(text):
        raise UnreadableForce(at_place(place, gettext("holds a character that cannot be printed")))
    return text


def a_number(value: object, place: str) -> int:
    """A number of copies, 0 to 99, from text or a JSON number. Raises UnreadableForce."""
    number = a_cost(value, place)
    if not 0 <= number <= MOST_OF_ONE:
        wrong = below(number, 0) if number < 0 else above(min(number, 10**9), MOST_OF_ONE)
        raise UnreadableForce(at_place(place, wrong))
    return number


def a_cost(value: object, place: str) -> int:
    """Whole Caps from text ("14.0", "1,000") or a JSON number. Raises UnreadableForce if invalid."""
    if isinstance(value, str | float) and _NEARLY.fullmatch(str(value).strip()):
        return round(float(value))
    match = _CAPS.fullmatch(str(value).strip()) if isinstance(value, str | int | float) else None
    if match is None or isinstance(value, bool):
        raise UnreadableForce(at_place(place, gettext("is not a whole number")))
    return int(match[1] + (match[2] or match[3].replace(",", "")))


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
