"""One selection of a model, with all that is below it, to the models of a force document."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validators.battle_mode.edition import Edition, ModelEntry
from validators.battle_mode.imports.matching import Match, Names, Sort, loose, without_sorting
from validators.battle_mode.imports.remarks import Remarks
from validators.battle_mode.imports.selections import Selection
from validators.contract import UnreadableForce

MOST_PARTS = 200
"""Selections below one model."""
_SORTS: tuple[Sort, ...] = ("item", "perk", "card", "mod")

Model = dict[str, Any]


@dataclass(frozen=True)
class Reading:
    """Two questions that a file may leave open: whether a count of one among several models means one for each, and
    whether what a model has built in (and may buy as well) was bought.
    """

    each: bool = False
    buys_built_in: bool | None = None
    """None: where its entry lists the item for sale."""


READINGS = tuple(Reading(each, bought) for each in (False, True) for bought in (None, True, False))
"""In the order in which they are tried; the first whose cost is the stated one is taken."""


class ModelParts:
    """The models of one selection while its parts are added to them."""

    def __init__(self, entry: ModelEntry | None, edition: Edition, names: Names, reading: Reading, remarks: Remarks):
        self.entry, self.edition, self.names = entry, edition, names
        self.reading, self.remarks = reading, remarks
        self.models: list[Model] = []
        self.spare_cards: list[str] = []
        self.loose_mods: list[tuple[Selection, str]] = []
        self.in_order = False
        self.left_open = False
        """Whether the file leaves open what another reading would decide otherwise."""

    def take(self, selection: Selection, in_order: bool) -> None:
        """Read the whole selection. Raises UnreadableForce where there is far too much of it."""
        if sum(1 for _ in _below(selection)) > MOST_PARTS:
            raise UnreadableForce(f"{selection.name}: more than {MOST_PARTS} selections on one model")
        self.in_order = in_order
        name = selection.name
        if selection.mark != "model":
            name = self.entry.name if self.entry else without_sorting(name)
        self.models = [_blank(name) for _ in range(selection.number)]
        self._add_all(selection.children)
        for mod, written in self.loose_mods:
            self._place_mod(mod, written)
        if in_order:
            for model in self.models:
                model["items"] = _merged(model["items"])

    def _add_all(self, children: list[Selection], *, leads: bool = True) -> None:
        for child in children:
            self._add(child, leads)

    def _add(self, child: Selection, leads: bool) -> None:
        word = child.mark or loose(child.name)
        if child.number == 0:
            self.remarks.say(f"{child.name}: left out, for the file says none of it.")
        elif word == "heroic":
            self._heroic(child)
        elif word == "leader":
            for model in self.models[: child.number]:
                model["leader"] = True
            self._add_all(child.children, leads=False)
        elif word == "leadercard" and not child.mark and child.children:
            self._add_all(child.children, leads=False)
        elif self._built_in(child):
            self.remarks.say(f"{child.name}: built into {self._called()}, not bought; left out.")
        else:
            self._named(child, leads)

    def _named(self, child: Selection, leads: bool) -> None:
        match = self._match(child)
        if match is None and child.children and not child.caps and self._is_group(child):
            self._add_all(child.children)
            return
        if match is None:
            self.remarks.unknown(child.name, "item", "perk", "card")
        else:
            self.remarks.match(child.name, match)
        name = match.name if match else without_sorting(child.name)
        match match.sort if match else "item":
            case "perk":
                self._perk(child, name)
                self._add_all(child.children)
            case "card":
                self._card(name, child.number, leads and not child.mark)
                self._add_all(child.children)
            case "mod":
                self.loose_mods.append((child, name))
                if self.in_order:
                    self._place_mod(*self.loose_mods.pop())
            case _:
                self._item(child, name)

    def _match(self, child: Selection) -> Match | None:
        """What a part is; where one of our own exports says it, it is not looked up."""
        match child.mark:
            case "item" | "perk" | "mod":
                return Match(child.mark, child.name, True)
            case "leader-card" | "card":
                return Match("card", child.name, True)
        return self.names.match(child.name, *_SORTS)

    def _is_group(self, child: Selection) -> bool:
        """A heading such as "Weapons": what is below it is what is known."""
        return any(self.names.match(below.name, "item", "perk", "card") for below in child.children)

    def _built_in(self, child: Selection) -> bool:
        if self.entry is None or child.mark or child.caps:
            return False
        keys = {loose(word) for name in self.entry.built_in for word in (name, name.partition(" (")[0])}
        if loose(child.name) not in keys:
            return False
        sold = self.names.match(child.name, "item", "perk")
        if child.caps is not None or sold is None:
            return True
        self.left_open = True
        bought = self.reading.buys_built_in
        return not (self.entry.carries(sold.name) if bought is None else bought)

    def _heroic(self, child: Selection) -> None:
        for model, share in zip(self.models, self._shares(child, self.edition.heroic_caps), strict=True):
            model["heroic"] = model["heroic"] or share > 0

    def _perk(self, child: Selection, name: str) -> None:
        entry = self.edition.perk(name)
        for model, share in zip(self.models, self._shares(child, entry.caps if entry else 0), strict=True):
            model["perks"] += [name] * share

    def _card(self, name: str, number: int, leads: bool) -> None:
        for model in self.models[:number]:
            if model["leader_card"] is None:
                model["leader_card"] = name
                model["by_card"] = leads
            else:
                self.remarks.say(f"{name}: a second Leader card on {self._called()}, kept beside the models.")
                self.spare_cards.append(name)

    def _item(self, child: Selection, name: str) -> None:
        entry = self.edition.item(name)
        shares = self._shares(child, entry.caps if entry else 0)
        mods = [below for below in child.children if self._sits_on_item(below)]
        rest = [below for below in child.children if below not in mods]
        copies: list[list[str]] = [[] for _ in range(sum(shares))] if mods else []
        for below in mods:
            self._mod_on_copies(below, copies)
        start = 0
        for model, share in zip(self.models, shares, strict=True):
            if copies:
                grouped = Counter(tuple(mods) for mods in copies[start : start + share])
                model["items"] += [{"name": name, "mods": list(m), "count": n} for m, n in grouped.items()]
            elif share:
                model["items"].append({"name": name, "mods": [], "count": share})
            start += share
        self._add_all(rest)

    def _sits_on_item(self, below: Selection) -> bool:
        """A mod, or something unknown; a known item or perk below an item belongs to the model."""
        match = self._match(below)
        return below.number > 0 and (match is None or match.sort == "mod")

    def _mod_on_copies(self, mod: Selection, copies: list[list[str]]) -> None:
        match = self._match(mod)
        if match is None:
            self.remarks.unknown(mod.name, "mod")
        else:
            self.remarks.match(mod.name, match)
        name = match.name if match else without_sorting(mod.name)
        entry = self.edition.mod(name)
        for copy, share in zip(copies, self._shares(mod, entry.caps if entry else 0, len(copies)), strict=True):
            copy += [name] * share

    def _place_mod(self, mod: Selection, name: str) -> None:
        """A mod that the file puts on the model itself: on the item before it, or the only one that can take it."""
        for model in self.models:
            open_to = [item for item in model["items"] if not item["mods"] and self._takes_mod(item["name"])]
            if self.in_order:
                open_to = open_to[-1:]
            if len(open_to) == 1 and open_to[0]["count"] == 1:
                self.remarks.say(f"{name}: put on {open_to[0]['name']} of {self._called()}.")
                open_to[0]["mods"].append(name)
            else:
                self.remarks.say(f"{name}: the file does not say on which item of {self._called()}; kept as an item.")
                model["items"].append({"name": name, "mods": [], "count": 1})

    def _takes_mod(self, item: str) -> bool:
        entry = self.edition.item(item)
        return entry is not None and entry.takes_mod

    def _shares(self, part: Selection, price: int, among: int | None = None) -> list[int]:
        """How many each of several models (or copies) has: the file's number counts all of them together, unless its
        cost says otherwise.
        """
        several = len(self.models) if among is None else among
        for_each = part.caps is not None and price > 0 and part.caps == price * part.number * several
        self.left_open |= several > 1 and part.caps is None
        if several <= 1 or for_each or (self.reading.each and part.caps is None):
            return [part.number] * several
        quotient, rest = divmod(part.number, several)
        if rest:
            self.remarks.say(f"{part.name}: {part.number} among {several} of {self._called()}, given to the first.")
        return [quotient + (place < rest) for place in range(several)]

    def _called(self) -> str:
        return str(self.models[0]["name"]) if self.models else ""


def _blank(name: str) -> Model:
    return {"name": name, "heroic": False, "leader": False, "leader_card": None, "perks": [], "items": []}


def _merged(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Repeated lines of one item as one line with a count."""
    counted: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for item in items:
        counted[item["name"], tuple(item["mods"])] += item["count"]
    return [{"name": name, "mods": list(mods), "count": count} for (name, mods), count in counted.items()]


def _below(selection: Selection) -> Iterator[Selection]:
    waiting = list(selection.children)
    while waiting:
        child = waiting.pop()
        yield child
        waiting += child.children
