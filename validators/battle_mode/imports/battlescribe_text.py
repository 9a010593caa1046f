"""The texts that BattleScribe and New Recruit put on the clipboard.

BattleScribe: ``++ Force (Catalogue) [450 Caps] ++``, ``+ Category +``, ``Unit [N Caps]: items``, ``. child: mods``.
New Recruit's simple text: ``Faction - Name - [N pts]``, ``## Section``, ``Unit [N pts]: items``, ``• 3x Model: items``.
A cost in brackets covers what is below it, too.
"""

import re

from validators.battle_mode.imports.selections import DEEPEST, LONGEST_NAME, Roster, Selection, a_cost, a_name, a_number
from validators.battle_mode.imports.text_lines import lines_of
from validators.contract import UnreadableForce

FORMAT = "BattleScribe text"
NEW_RECRUIT = "New Recruit text"
NAME_LINE = "Force name:"
CARDS_HEADING = "Cards"

_COST = re.compile(r"\s*\[\s*(-?\d{1,7}(?:\.0{1,6})?)\s*(?:caps|pts|points)\s*\]$", re.IGNORECASE)
_COUNT = re.compile(r"(\d{1,4})\s*[x×]\s+(?=\S)")
_HEADING = re.compile(r"(?:#{1,2} )?\+\+ \S")
_TITLE = re.compile(r"[^\[\]]{1,250} - \[\s*\d")
_BULLETS = re.compile(r"[.•\s]*")


def is_battlescribe_text(text: str) -> bool:
    """Whether one of the first lines is a heading of these texts, or New Recruit's title."""
    return any(_HEADING.match(line[:300]) or _TITLE.match(line[:300]) for line in text.splitlines()[:20])


def read_battlescribe_text(text: str) -> Roster:
    """The text to a roster. Raises UnreadableForce."""
    reader = _Reader()
    for number, line in lines_of(text):
        reader.take(line, f"line {number}")
    return Roster(
        format=reader.format,
        name=reader.name,
        faction=reader.faction,
        total=reader.total,
        selections=tuple(reader.selections),
    )


class _Reader:
    """What the lines so far said."""

    def __init__(self) -> None:
        self.format, self.name, self.faction = FORMAT, "", ""
        self.total: int | None = None
        self.selections: list[Selection] = []
        self._heading = ""
        self._path: list[Selection] = []

    def take(self, line: str, place: str) -> None:
        """One line that is not blank."""
        stripped = " ".join(line.split())  # a long run of spaces would make the patterns slow
        if stripped.startswith(("++", "#")):
            self._take_heading(stripped.strip("+# "), place, title=stripped.startswith("++"))
        elif stripped.startswith("+ ") and stripped.endswith(" +"):
            self._heading = _without_cost(stripped.strip("+ "))
        elif stripped.startswith(NAME_LINE):
            self.name = a_name(stripped.removeprefix(NAME_LINE), place)
        elif not self.selections and not self._heading and _TITLE.match(stripped):
            self._take_title(stripped, place)
        elif not stripped.casefold().startswith("created with"):
            self._take_selection(stripped, place)

    def _take_heading(self, heading: str, place: str, *, title: bool) -> None:
        cost = _COST.search(heading)
        if cost and self.total is None:
            self.total = a_cost(cost[1], place)
        words = _without_cost(heading)
        inner = re.search(r"\(([^()]{1,200})\)$", words)
        if title and inner and not self.faction:
            self.faction = inner[1]
        self._heading = words.strip("+ ") or "Roster"

    def _take_title(self, line: str, place: str) -> None:
        """New Recruit's first line: faction, name and cost between dashes."""
        self.format = NEW_RECRUIT
        cost = _COST.search(line)
        self.total = a_cost(cost[1], place) if cost else None
        self.faction, _, name = _without_cost(line).rstrip(" -").partition(" - ")
        self.name = a_name(name[:LONGEST_NAME], place)

    def _take_selection(self, line: str, place: str) -> None:
        marks = _BULLETS.match(line)
        lead = marks[0] if marks else ""
        depth = lead.count(".") + lead.count("•")
        words = line[len(lead) :]
        if re.match(r"\d", words) and lead.endswith("."):  # ".44 Revolver" is no bullet and "44 Revolver"
            depth, words = depth - 1, "." + words
        selection = _selection(words, place)
        if depth > len(self._path) or depth > DEEPEST:
            raise UnreadableForce(f"{place}: a part of nothing; the line before it is missing")
        del self._path[depth:]
        if depth:
            self._path[-1].children.append(selection)
            self._path[-1].caps = None  # its cost covers what is below it, too
        else:
            if self._heading.casefold() == CARDS_HEADING.casefold():
                selection = _card(selection)
            self.selections.append(selection)
        self._path.append(selection)


def _card(line: Selection) -> Selection:
    """A line below our own heading for cards: kind, then the card's name."""
    names = tuple(child.name for child in line.children[:1])
    return Selection(line.name, line.number, mark="card", categories=names)


def _selection(words: str, place: str) -> Selection:
    """``3x Name [N Caps]: first, second``, each part optional but the name."""
    head, _, tail = words.partition(": ")
    if not tail:
        head = head.removesuffix(":")
    cost = _COST.search(head)
    children = [_selection_alone(part, place) for part in tail.split(", ") if part.strip()]
    selection = _selection_alone(head, place)
    selection.children = children
    selection.stated = a_cost(cost[1], place) if cost else None
    selection.caps = selection.stated if cost and not children else None
    return selection


def _selection_alone(words: str, place: str) -> Selection:
    name = _without_cost(words).strip()
    count = _COUNT.match(name)
    if count:
        name = name[count.end() :]
    name = a_name(name, place)
    if not name:
        raise UnreadableForce(f"{place}: no name where one belongs")
    return Selection(name, a_number(count[1], place) if count else 1)


def _without_cost(words: str) -> str:
    return _COST.sub("", words.strip())
