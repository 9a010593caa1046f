"""What the words of a list can mean in one edition, and a name in a line with its copies and its cost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from validators.battle_mode.imports.figures import LONGEST_NAME
from validators.battle_mode.imports.lines import Line
from validators.battle_mode.imports.matching import PARTS, Names
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


_KINDS = {loose(word) for word in ("Weapons", "Equipment", "Items", "Gear", "Wargear")}
NEAR = 0.8
"""How similar a piece of a list must be to a known name to be kept as that name, misspelt."""
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
    written: str = ""
    """The words of the text, if it is short for the name."""
    doubt: str = ""
    """What of its copies is not plain, unless costs show it."""
    below: "list[Entry]" = field(default_factory=list)


@dataclass
class Read:
    """One line interpreted: what stands in it, the pieces that were not read, and the figures of no entry."""

    line: Line
    entries: list[Entry] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What a model has not, without a question."""
    begins_unread: bool = False
    """Whether words before its first entry were not read."""
    figures: list[int | None] = field(default_factory=list)
    factions: list[str] = field(default_factory=list)
    labels: int = 0


def parts_of(entry: Entry) -> Iterator[Entry]:
    """All parts below an entry."""
    for part in entry.below:
        yield part
        yield from parts_of(part)


def neighbours(text: str, *lengths: int) -> Iterator[str]:
    """The words of a text that stand next to each other, so many together."""
    words = re.findall(r"[^\s,;:()\[\]|!?]+", text)
    for length in lengths:
        yield from (" ".join(words[start : start + length]) for start in range(len(words) - length + 1))


class Found(NamedTuple):
    """What a text names: the sort of it, and its name, the edition's if the text is short for it."""

    sort: str
    name: str
    doubt: str = ""


class Vocabulary:
    """What the words of a list can mean in one edition, in a list of one faction ("" if it is not known)."""

    def __init__(self, names: Names, faction: str = "") -> None:
        self.names, self.faction = names, faction
        self._known: dict[tuple[str, bool], str | None] = {}

    def sort(self, words: str, *, part: bool) -> str | None:
        """What this text names: a kind of the edition, a flag, "built in", "label", "faction"; None if nothing.

        Where a model and a part have one name, ``part`` says which is meant.
        """
        key = (words, part)
        if key not in self._known:
            self._known[key] = self._sort(words, part)
        return self._known[key]

    def find(self, words: str, *, part: bool, of: str = "", begins: bool = False) -> Found | None:
        """What this text names. The models of the list's faction come before others, and so do parts of the model
        ``of``; ``begins`` says that a model is expected: "Commander" is rather one of the Gunners than a card.
        """
        sort = self.sort(words, part=part)
        if sort == "model" or (begins and (sort is None or sort in PARTS)):
            match = self.names.match(words, "model")
            if match is None or not self.names.fields(self.faction, match.name):
                way = self._whole_model if match is None else self.short_model
                if own := way(words) or (None if sort else self._model_of_faction(words)):
                    return own
        if sort == "item" and of:
            match = self.names.match(words, "item")
            if match and not self.names.may_have(self.faction, of, match.name):
                own_part = self.names.whole_part(words, self.faction, of)
                if own_part and (match := self.names.match(own_part, *PARTS)):
                    return Found(match.sort, own_part)
        return Found(sort, words) if sort else None

    def _whole_model(self, words: str) -> Found | None:
        found = self.names.whole_model(words, self.faction)
        return Found("model", found) if found else None

    def _model_of_faction(self, words: str) -> Found | None:
        """The model that this text names after its faction, or words of it: "Brotherhood Knight".

        Where those are a model's name too, the rest is another model's: "Super Mutant Brute". A "Raider Psycho" may be
        a Raider with that chem.
        """
        for faction in [self.faction] if self.faction else self.names.factions():
            spoken = [rf"{re.escape(word.removesuffix('s'))}s?\s+" for word in faction.split()]
            own = re.match(rf"(?:{''.join(spoken)}|{'|'.join(spoken)})(?=\w)", words, re.IGNORECASE)
            rest = words[own.end() :] if own else ""
            models = self.names.short_models(rest, faction) if own else ()
            if own and len(models) == 1:
                named = self.names.match(rest, *PARTS, "model")
                if self.names.match(own[0], "model") is None or (named and named.sort == "model"):
                    return Found("model", models[0])
        return None

    def short_model(self, words: str) -> Found | None:
        """The model of the list's faction that this text is short for."""
        found = self.names.short_models(words, self.faction)
        return Found("model", found[0]) if len(found) == 1 else None

    def short_part(self, words: str, of: str) -> Found | None:
        """The part that this text is short for: the only one that the model ``of`` may have, or usually has, else of
        all.
        """
        own, known = self.names.short_parts(words, self.faction, of), self.names.short_parts(words)
        usual = [name for name in own if name in self.names.usual_parts(self.faction, of)]
        found = usual if len(usual) == 1 else own or self.names.short_parts(words, cut=False)
        match = self.names.match(found[0], *PARTS) if len(found) == 1 else None
        if match is None:
            return None
        doubt = f"{words}: read as {match.name}, may be another" if own and own != known and not usual else ""
        return Found(match.sort, match.name, doubt)

    def is_usual(self, words: str, of: str) -> bool:
        """Whether this text is a kind of item, or what the model ``of`` is usually bought with."""
        found = self.find(words, part=True, of=of) or self.short_part(words, of)
        match = self.names.match(found.name, "item") if found else None
        return self.is_kind(words) or bool(match and match.name in self.names.usual_parts(self.faction, of))

    def is_near_model(self, words: str) -> bool:
        """Whether this text is short for models of the list's faction, for several words of any, or nearly a name."""
        known = self.names.short_models(words, "" if " " in words else self.faction)
        return bool(known) or self.names.misspelt(words, NEAR) == "model"

    def stands_in_name(self, word: str) -> bool:
        """Whether this word is one of a model's name, of the list's faction if it is known, or of an item's."""
        return bool(self.names.short_models(word, self.faction) or self.names.short_parts(word))

    def is_kind(self, words: str) -> bool:
        """Whether this text is no more than a kind of item: "rifle", "armor"."""
        return loose(words) in self.names.kinds or loose(words) in _KINDS

    def is_own_model(self, words: str) -> bool:
        """Whether this text names a model of the list's faction."""
        match = self.names.match(words, "model")
        return match is not None and self.names.fields(self.faction, match.name)

    def is_plural(self, model: Entry) -> bool:
        """Whether the text names a model in the plural, which the edition's name is not."""
        match = self.names.match(model.name, "model")
        typed, known = (one.casefold().split() for one in (model.written or model.name, match.name if match else ""))
        return match is not None and (
            (typed[-1].endswith(("s", "men")) and typed[-1] not in known) or (typed[0] == "children" != known[0])
        )

    def is_ambiguous(self, words: str, of: str) -> bool:
        """Whether this text may be short for several models of the faction, or for several parts of a model."""
        models, parts = self.names.short_models(words, self.faction), self.names.short_parts(words, self.faction, of)
        return len(models) > 1 or len(parts) > 1

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

    def mentions(self, text: str) -> bool:
        """Whether a known model or part is named anywhere in a text."""
        pieces = neighbours(text, 1, 2, 3, 4)
        return any(self.sort(piece.rstrip("."), part=False) in ("model", *PARTS) for piece in pieces)

    def price(self, entry: Entry) -> int | None:
        """The cost of one copy by the edition, None if it has none of its own."""
        return self.names.price(entry.sort, entry.name)
