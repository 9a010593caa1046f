"""Force lists as text: those of BattleScribe and New Recruit, of the game's own builders, and a web builder's address.

BattleScribe: ``++ Force (Catalogue) [450 Caps] ++``, ``+ Category +``, ``Unit [N Caps]: items``, ``. child: mods``.
New Recruit: ``Faction - Name - [N pts]``, ``## Section``, ``Unit [N pts]: items``, ``• 3x Model: items``. A cost in
brackets covers what is below it, too. List builders: ``List Total: N caps``, ``Unit (N caps)``, then a dash before each
item; an item is repeated for its quantity, and a mod follows the item that it is on. A web builder's share address:
``?f=faction;n=name;l=leader,perks;{...};``, with ``!`` for quotes, each model an object between braces. Names that are
bare numbers are known to that builder alone: models so named make the address unreadable, others are left out.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from validators.battle_mode.imports.selections import DEEPEST, LONGEST_NAME, Roster, Selection, a_cost, a_name, a_number
from validators.contract import UnreadableForce
from validators.strict_json import read_json

MOST_LINES = 3_000
LONGEST_LINE = 4_000


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Every non-blank line with its number, from 1. Raises UnreadableForce if the text is not a list."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise UnreadableForce(f"the file: {len(lines)} lines, at most {MOST_LINES} are read")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise UnreadableForce(f"line {number}: longer than {LONGEST_LINE} characters")
        if line.strip():
            yield number, line.rstrip()


BATTLESCRIBE = "BattleScribe text"
NEW_RECRUIT = "New Recruit text"
NAME_LINE = "Force name:"
CARDS_HEADING = "Cards"

_COSTS = re.compile(r"\s*\[([^\[\]]{1,60})\]$")
"""One or several costs after a name; "1,000" is one number, "450 Caps, 3 PL" are two costs."""
_COST = re.compile(r"(?P<number>-?\d[\d., '’]{0,15}?) ?(?P<unit>caps|pts|points)", re.IGNORECASE)
_COUNT = re.compile(r"(\d{1,4})\s*[x×]\s+(?=\S)")
_HEADING = re.compile(r"(?:#{1,2} )?\+\+ \S")
_TITLE = re.compile(r"[^\[\]]{1,250} - \[\s*\d")
_BULLETS = re.compile(r"[.•\s]*")


def _is_battlescribe_text(text: str) -> bool:
    """Whether one of the first lines is a heading of these texts, or New Recruit's title."""
    return any(_HEADING.match(line[:300]) or _TITLE.match(line[:300]) for line in text.splitlines()[:20])


class _Reader:
    """The roster in a text, and the state after the lines so far."""

    def __init__(self, text: str) -> None:
        self.roster = Roster(BATTLESCRIBE)
        self._heading = ""
        self._path: list[Selection] = []
        for number, line in lines_of(text):
            self._take(line, f"line {number}")

    def _take(self, line: str, place: str) -> None:
        stripped = " ".join(line.split())  # a long run of spaces would slow the patterns down
        if stripped.startswith(("++", "#")):
            self._take_heading(stripped.strip("+# "), place, title=stripped.startswith("++"))
        elif stripped.startswith("+ ") and stripped.endswith(" +"):
            self._heading, _ = _split_off_cost(stripped.strip("+ "))
        elif stripped.startswith(NAME_LINE):
            self.roster.name = a_name(stripped.removeprefix(NAME_LINE), place)
        elif not self.roster.selections and not self._heading and _TITLE.match(stripped):
            self._take_title(stripped, place)
        elif not stripped.casefold().startswith("created with"):
            self._take_selection(stripped, place)

    def _take_heading(self, heading: str, place: str, *, title: bool) -> None:
        words, cost = _split_off_cost(heading)
        if cost and self.roster.total is None:
            self.roster.total = a_cost(cost, place)
        inner = re.search(r"\(([^()]{1,200})\)$", words)
        if title and inner and not self.roster.faction:
            self.roster.faction = a_name(inner[1][:LONGEST_NAME], place)
        self._heading = words.strip("+ ") or "Roster"

    def _take_title(self, line: str, place: str) -> None:
        """New Recruit's first line: faction, name and cost between dashes."""
        self.roster.format = NEW_RECRUIT
        words, cost = _split_off_cost(line)
        self.roster.total = a_cost(cost, place) if cost else None
        faction, _, name = words.rstrip(" -").partition(" - ")
        self.roster.faction = a_name(faction[:LONGEST_NAME], place)
        self.roster.name = a_name(name[:LONGEST_NAME], place)

    def _take_selection(self, line: str, place: str) -> None:
        marks = _BULLETS.match(line)
        lead = marks[0] if marks else ""
        depth = lead.count(".") + lead.count("•")
        words = line[len(lead) :]
        if re.match(r"\d", words) and lead.endswith("."):  # ".44 Revolver" has no bullet and is not "44 Revolver"
            depth, words = depth - 1, "." + words
        selection = _selection(words, place)
        if depth > len(self._path) or depth > DEEPEST:
            raise UnreadableForce(f"{place}: a part of nothing; the line before it is missing")
        del self._path[depth:]
        if depth:
            self._path[-1].children.append(selection)
            self._path[-1].caps = None  # the cost includes the children
        else:
            if self._heading.casefold() == CARDS_HEADING.casefold():
                selection = _card(selection)
            self.roster.selections.append(selection)
        self._path.append(selection)


def _card(line: Selection) -> Selection:
    """A line below our own heading for cards: the kind, then the card's name."""
    names = tuple(child.name for child in line.children[:1])
    return Selection(line.name, line.number, mark="card", categories=names)


def _selection(words: str, place: str) -> Selection:
    """``3x Name [N Caps]: first, second``; only the name is required."""
    head, _, tail = words.partition(": ")
    if not tail:
        head = head.removesuffix(":")
    head, cost = _split_off_cost(head)
    children = [_selection_alone(part, place) for part in tail.split(", ") if part.strip()]
    selection = _selection_alone(head, place)
    selection.children = children
    selection.stated = a_cost(cost, place) if cost else None
    selection.caps = selection.stated if cost and not children else None
    return selection


def _selection_alone(words: str, place: str) -> Selection:
    name, _ = _split_off_cost(words)
    count = _COUNT.match(name)
    if count:
        name = name[count.end() :]
    name = a_name(name, place)
    if not name:
        raise UnreadableForce(f"{place}: no name where one belongs")
    return Selection(name, a_number(count[1], place) if count else 1)


def _split_off_cost(words: str) -> tuple[str, str]:
    """A name, and the Caps (New Recruit: points) in brackets after it, "" for none."""
    bracket = _COSTS.search(words.strip())
    found = [_COST.fullmatch(part.strip()) for part in bracket[1].split(", ")] if bracket else []
    costs = sorted((cost for cost in found if cost), key=lambda cost: cost["unit"].casefold() != "caps")
    return (words.strip()[: bracket.start()].strip(), costs[0]["number"]) if bracket and costs else (words.strip(), "")


BUILDER = "text of a list builder"

_NUMBER = r"(\d[\d.,]{0,11})"
_TOTAL = re.compile(rf"list total:\s*{_NUMBER}\s*caps", re.IGNORECASE)
_TIMES = r"(?:(\d{1,4})\s*[x×]?\s+)?"
"""A number before a name, "2x" or "2"; "10mm" is part of a name."""
_UNIT = re.compile(rf"{_TIMES}(\S.{{0,200}}?)\s*\({_NUMBER}\s*caps\)", re.IGNORECASE)
_PART = re.compile(rf"\s*[-–•*]\s*{_TIMES}(\S.{{0,200}}?)\s*(?:\({_NUMBER}\s*caps\))?\s*", re.IGNORECASE)


def _is_builder_text(text: str) -> bool:
    """Whether some line is the total, or a unit with its Caps."""
    lines = [line[:400].strip() for line in text.splitlines()[:50]]
    return any(_TOTAL.fullmatch(line) or _UNIT.fullmatch(line) for line in lines)


def _read_builder_text(text: str) -> Roster:
    roster = Roster(BUILDER, in_order=True)
    units = roster.selections
    for number, line in lines_of(text):
        place = f"line {number}"
        stripped = line.strip()[:400]
        if match := _TOTAL.fullmatch(stripped):
            roster.total = a_cost(match[1], place)
        elif (match := _PART.fullmatch(line[:400])) and units:
            caps = a_cost(match[3], place) if match[3] else None
            units[-1].children.append(_builder_part(match, place, caps))
        elif match := _UNIT.fullmatch(stripped):
            unit = _builder_part(match, place, None)
            unit.stated = a_cost(match[3], place)
            units.append(unit)
        elif not roster.name and roster.total is None and not units and stripped[:1] not in "-–•*":
            roster.name = a_name(stripped, place)  # a title
        else:
            raise UnreadableForce(f"{place}: {stripped[:40]!r} is neither a unit with its Caps nor an item with a dash")
    return roster


def _builder_part(match: re.Match[str], place: str, caps: int | None) -> Selection:
    return Selection(a_name(match[2], place), a_number(match[1] or 1, place), caps=caps)


ADDRESS_FORMAT = "address of a web builder"
LONGEST_ADDRESS = 20_000

_ADDRESS = re.compile(r"https?://[^\s?]{1,200}\?f=[^\s]+", re.IGNORECASE)
_MODEL = re.compile(r"\{[^;]*\}")
_FACTIONS = {"srv": "Survivors"}
"""The only documented code; for any other, the models decide."""


def _is_workshop_url(text: str) -> bool:
    """Whether the text begins with such an address."""
    return _ADDRESS.match(text.lstrip()[: LONGEST_ADDRESS + 1]) is not None


def _read_workshop_url(text: str) -> Roster:
    """From the address to a roster; anything after it is ignored. Nothing is fetched."""
    address = text.split()[0]
    if len(address) > LONGEST_ADDRESS:
        raise UnreadableForce(f"the address: longer than {LONGEST_ADDRESS} characters")
    query = unquote(address.partition("?")[2], errors="replace")
    parts = [part for part in query.split(";") if part]
    fields = dict(part.partition("=")[::2] for part in parts if not part.startswith("{"))
    models = [_model(part, number) for number, part in enumerate((p for p in parts if p.startswith("{")), start=1)]
    if not models:
        raise UnreadableForce("the address: no model stands in it")
    notes = ["The address gives Leader card and perks as bare numbers; choose them again."] if fields.get("l") else []
    return Roster(
        format=ADDRESS_FORMAT,
        name=a_name(fields.get("n", "")[:LONGEST_NAME], "the address: n"),
        faction=_FACTIONS.get(fields.get("f", "").casefold(), ""),
        selections=models,
        notes=tuple(notes),
    )


def _model(part: str, number: int) -> Selection:
    place = f"the address: model {number}"
    if not _MODEL.fullmatch(part):
        raise UnreadableForce(f"{place}: cut off; copy the whole address")
    try:
        fields = read_json(part.replace("!", '"').encode())
    except UnreadableForce as fault:
        raise UnreadableForce(f"{place}: cannot be read; copy the whole address") from fault
    if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
        raise UnreadableForce(f"{place}: is named by a number that only that builder knows; copy its text list instead")
    model = Selection(a_name(fields.pop("name"), place), a_number(fields.pop("modelCount", 1), place))
    fields.pop("id", None)
    if fields.pop("heroic", False) is True:
        model.children.append(Selection("Heroic", model.number))
    for key, value in fields.items():
        shown = "".join(letter if letter.isprintable() else "?" for letter in key[:30])
        model.children += _items(value, model.number, f"{place}: {shown}")
    return model


def _items(value: Any, models: int, place: str) -> list[Selection]:
    """Names in a list, some with a number; each model of the selection has them."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(name, 1) for name in value]
    else:
        raise UnreadableForce(f"{place}: is no list of names")
    return [Selection(a_name(name, place).replace("_", " "), a_number(count, place) * models) for name, count in pairs]


TEXTS = (
    (_is_workshop_url, _read_workshop_url),
    (_is_battlescribe_text, lambda text: _Reader(text).roster),
    (_is_builder_text, _read_builder_text),
)
"""For each kind of text, the test whether a text is of it, and its reader. Readers raise UnreadableForce."""
