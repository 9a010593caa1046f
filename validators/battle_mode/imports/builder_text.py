"""The plain text of the game's own builders: ``List Total: N caps``, ``Unit (N caps)``, then a dash before each item.

An item is repeated for its quantity and has no price; a mod stands after the item that it sits on.
"""

import re

from validators.battle_mode.imports.selections import Roster, Selection, a_cost, a_name, a_number
from validators.battle_mode.imports.text_lines import lines_of
from validators.contract import UnreadableForce

FORMAT = "text of a list builder"

_TOTAL = re.compile(r"list total:\s*(\d{1,7})\s*caps", re.IGNORECASE)
_UNIT = re.compile(r"(?:(\d{1,4})\s*[x×]\s+)?(\S.{0,200}?)\s*\((\d{1,7})\s*caps\)", re.IGNORECASE)
_PART = re.compile(r"\s*[-–•*]\s*(?:(\d{1,4})\s*[x×]\s+)?(\S.{0,200}?)\s*(?:\((\d{1,7})\s*caps\))?\s*", re.IGNORECASE)


def is_builder_text(text: str) -> bool:
    """Whether some line is the total or a unit with its Caps."""
    lines = [line[:400].strip() for line in text.splitlines()[:50]]
    return any(_TOTAL.fullmatch(line) or _UNIT.fullmatch(line) for line in lines)


def read_builder_text(text: str) -> Roster:
    """The text to a roster. Raises UnreadableForce."""
    total: int | None = None
    units: list[Selection] = []
    for number, line in lines_of(text):
        place = f"line {number}"
        stripped = line.strip()[:400]
        if match := _TOTAL.fullmatch(stripped):
            total = a_cost(match[1], place)
        elif (match := _PART.fullmatch(line[:400])) and units:
            caps = a_cost(match[3], place) if match[3] else None
            units[-1].children.append(_selection(match, place, caps))
        elif match := _UNIT.fullmatch(stripped):
            unit = _selection(match, place, None)
            unit.stated = a_cost(match[3], place)
            units.append(unit)
        else:
            raise UnreadableForce(f"{place}: {stripped[:40]!r} is neither a unit with its Caps nor an item with a dash")
    return Roster(FORMAT, "", "", total, tuple(units), in_order=True)


def _selection(match: re.Match[str], place: str, caps: int | None) -> Selection:
    return Selection(a_name(match[2], place), a_number(match[1] or 1, place), caps=caps)
