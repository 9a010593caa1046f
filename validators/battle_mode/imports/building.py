"""The models of a unit, and what a number in the text may be the cost of, in one view of what is in doubt."""

from collections.abc import Iterator, Sequence
from typing import Any

from validators.battle_mode.edition import Edition, Priced
from validators.battle_mode.force import bare_model, priced_model
from validators.battle_mode.imports.reading import Cost, LineEntry, Unit, View
from validators.battle_mode.imports.written import MOST_OF_ONE
from validators.contract import Document

MOST_LINES_OF_UNIT = 50
"""The most lines of one unit whose costs are compared line by line."""


class Built:
    """The models of a unit in a view, of its lines up to ``last`` alone."""

    def __init__(self, unit: Unit, view: View, edition: Edition, faction: str, last: int = 10**9) -> None:
        self.unit, self.view, self.edition, self.faction, self.last = unit, view, edition, faction, last
        self.name: str = self.get(unit.model, "name")
        self.entry = edition.model(self.name, faction)
        copies = self.get(unit.model, "copies")
        self.number: int = 0 if self.get(unit.model, "is_out") else 1 if copies is None else copies
        self.models = [
            bare_model(self.name, leader=self.get(unit, "leader") and place == 0) for place in range(self.number)
        ]
        self._sums: dict[int, set[int]] = {}
        self._fill()
        self.each = [priced_model(model, faction, edition).caps for model in self.models]
        self.caps = sum(self.each)

    def get(self, thing: LineEntry | Unit | Cost, name: str) -> Any:
        return self.view.get((id(thing), name), getattr(thing, name))

    def copies(self, entry: LineEntry) -> int:
        number = self.get(entry, "copies")
        return 1 if number is None else number

    def _parts(self) -> Iterator[LineEntry]:
        for part in self.unit.parts:
            if part.line <= self.last and not self.get(part, "is_out"):
                yield part

    def _fill(self) -> None:
        taken = 0
        mods = [part for part in self._parts() if self.get(part, "sort") == "mod" and self.get(part, "fixed")]
        for part in self._parts():
            if part in mods:
                continue
            groups: int = self.get(part, "groups")
            if groups < 0:
                groups = max(1, self.number - taken)
            holders = range(taken, taken + groups) if groups else range(self.number)
            taken = (taken + groups) % max(1, self.number) if groups else taken
            on = [mod for mod in mods if self.get(mod, "fixed") is part]
            for place in holders:
                if place < self.number:
                    self._add(self.models[place], part, on, place)
        if self.get(self.unit, "is_usual") and self.entry:
            for model in self.models:
                model["items"] += [
                    {"name": name, "mods": [], "count": count} for name, count in self.entry.usual.items()
                ]
        for model in self.models:
            model["items"] = _together(model["items"])

    def _add(self, model: Document, part: LineEntry, mods: Sequence[LineEntry], place: int) -> None:
        name, copies = self.get(part, "name"), self.copies(part)
        match self.get(part, "sort"):
            case "heroic":
                model["heroic"] = True
            case "perk":
                model["perks"] += [name] * copies
            case "card" if place == 0:
                model["leader_card"] = name
            case "item" | "mod":
                fewer = [mod for mod in mods if self.get(mod, "copies") is not None and self.copies(mod) < copies]
                if fewer:
                    number = self.copies(fewer[0])
                    model["items"].append({"name": name, "mods": [mod.name for mod in fewer], "count": number})
                    copies -= number
                    mods = [mod for mod in mods if mod not in fewer]
                model["items"].append({"name": name, "mods": [mod.name for mod in mods], "count": copies})

    # costs
    def price(self, entry: LineEntry) -> int | None:
        """The cost of one copy; None if the edition has none."""
        own = self.entry.caps if self.entry else 0
        match entry.sort:
            case "model":
                return self.entry.caps if self.entry else None
            case "heroic":
                return self.edition.file.heroic_caps
            case "leader":
                return 0
            case "item":
                item = self.edition.items.find(self.get(entry, "name"))
                return item.caps if item else None
            case "perk" | "card" | "mod":
                tables = {"perk": self.edition.perks, "card": self.edition.leader_cards}
                priced = (
                    self.edition.mod(entry.name, self.entry)
                    if entry.sort == "mod"
                    else tables[entry.sort].find(entry.name)
                )
                return priced.cost_on(own) if isinstance(priced, Priced) else None
        return None

    def strength(self, cost: Cost) -> int:
        """How well a number fits as this cost: 2 the whole, 1 the model alone, -1 not at all."""
        entry, number = cost.entry, max(1, self.number)
        price = self.price(entry)
        if self.get(entry, "is_out"):
            return -1
        whole = self._wholes(cost.line)
        if entry.sort == "model":
            if cost.value in whole:
                return 2
            return 1 if price is not None and cost.value in (price, price * number) else -1
        if price is not None and cost.value in self._amounts(entry, price):
            return 2
        host = self.get(entry, "fixed") if entry.sort == "mod" else None
        if host is not None and cost.value in self._amounts(host, self.price(host) or 0):
            return 2
        return 2 if cost.may_be_whole and cost.value in whole else -1

    def _amounts(self, entry: LineEntry, price: int) -> set[int]:
        """What a part can cost in a text: one copy or all, on one model or on all, without its mods or with them."""
        copies, number = self.copies(entry), max(1, self.number)
        on = [mod for mod in self.unit.parts if mod.sort == "mod" and self.get(mod, "fixed") is entry]
        with_mods = price + sum(self.price(mod) or 0 for mod in on)
        is_free = bool(self.entry and entry.name in self.entry.built_in and self.edition.file.names_built_in)
        free = price if is_free else 0
        sums = {price, with_mods, price * copies - free, price * copies, with_mods * copies - free, with_mods * copies}
        return {amount * times for amount in sums for times in (1, self.get(entry, "groups") or number, number)}

    def _wholes(self, line: int) -> set[int]:
        """What the models cost, together and each, with everything and with what stands up to a line."""
        if line not in self._sums:
            upto = (
                Built(self.unit, self.view, self.edition, self.faction, line)
                if line < max(self.unit.lines) and len(self.unit.lines) <= MOST_LINES_OF_UNIT
                else self
            )
            cards = [part for part in self._parts() if part.sort == "card" and part.line != line]
            wholes = [built for built in (self, upto) if len(set(built.each)) == 1]
            self._sums[line] = {self.caps, upto.caps, *(built.each[0] for built in wholes)} | {
                self.caps - (self.price(card) or 0) for card in cards
            }
        return self._sums[line]

    def fit(self) -> tuple[int, int]:
        """How many of the numbers fit as no cost, and how well the others do."""
        marks = [self.strength(cost) for cost in self.unit.costs if self.get(cost, "is_on")]
        return sum(mark < 0 for mark in marks), sum(mark for mark in marks if mark > 0)


def _together(items: Sequence[Document]) -> list[Document]:
    rows: list[Document] = []
    for item in items:
        same = next((row for row in rows if (row["name"], row["mods"]) == (item["name"], item["mods"])), None)
        if same:
            same["count"] = min(MOST_OF_ONE, same["count"] + item["count"])
        else:
            rows.append(item | {"count": min(MOST_OF_ONE, item["count"])})
    return rows
