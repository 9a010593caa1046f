"""What the words of a list can mean in one edition, and a name in a line with its copies and its cost."""

import re
from dataclasses import dataclass, field

from validators.battle_mode.imports.matching import Names
from validators.battle_mode.imports.selections import LONGEST_NAME
from validators.battle_mode.imports.units import PARTS
from validators.names import loose

_LABELS = {
    loose(word)
    for word in (
        "Weapons", "Equipment", "Items", "Gear", "Wargear", "Perks", "Mods", "Upgrades", "Units", "Models", "Troops",
        "Characters", "Heroes", "Unique Units", "Leader cards", "Leader perk", "Carries", "Carried", "Options",
        "Roster", "Army Roster", "Force", "Army", "List", "Faction", "Faction keyword", "Extras", "None",
        "Core", "Others", "Special",
    )
}  # fmt: skip
"""Words of lists that name no part of a force."""


_FLAGS = {"heroic": "heroic", "hero": "heroic", "leadercard": "leadercard"} | dict.fromkeys(
    ("leader", "ldr", "anfuhrer", "lider", "dowodca"), "leader"
)


@dataclass
class Entry:
    """A name in a line with its copies and its cost. Filled while reading."""

    name: str
    sort: str
    line: int
    copies: int = 1
    counted: bool = False
    cost: int | None = None
    each: bool = False
    above: "Entry | None" = None
    below: "list[Entry]" = field(default_factory=list)


class Vocabulary:
    """What the words of a list can mean in one edition."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._known: dict[str, str | None] = {}

    def sort(self, words: str, *, part: bool) -> str | None:
        """What this text names: a kind of the edition, a flag, "built in", "label", "faction"; None if nothing.

        Where a model and a part have one name, ``part`` says which is meant.
        """
        key = f"{part}{words}"
        if key not in self._known:
            self._known[key] = self._sort(words, part)
        return self._known[key]

    def _sort(self, words: str, part: bool) -> str | None:
        if not words or len(words) > LONGEST_NAME:
            return None
        sorts = (*PARTS, "model") if part else ("model", *PARTS)
        if match := self.names.match(words, *sorts):
            return match.sort
        if re.search(r"[,;:()\[\]|]", words):
            return "built in" if self.names.built_in.find(words) else None
        key = loose(words)
        if key in _FLAGS:
            return _FLAGS[key]
        if key and self.names.built_in.find(words):
            return "built in"
        if key in _LABELS or key in self.names.kinds:
            return "label"
        return "faction" if self.names.is_faction(words) else None

    def costs(self, entry: Entry) -> set[int]:
        """What its cost can be by the edition: of one or all copies, without or with what stands below it."""
        price = self.price(entry)
        if price is None:
            return set()
        whole = price + sum((self.price(part) or 0) * part.copies for part in entry.below)
        return {price, price * entry.copies, whole, whole * entry.copies}

    def knows(self, words: str) -> bool:
        """Whether a text is a name, perhaps with a number before or after it, rather than who wrote a message."""
        plain = re.sub(r"^\(?\d{1,3}\s?[x×.)]*\s+|\s+[x×]?\d{1,3}$|^[-*•]\s*", "", words.strip())
        pieces = re.split(r"[,(]| - |\bwith\b", plain)
        return any(self.sort(piece.strip(" )"), part=False) for piece in (plain, *pieces))

    def price(self, entry: Entry) -> int | None:
        """The cost of one copy by the edition, None if it has none of its own."""
        return self.names.price(entry.sort, entry.name)
