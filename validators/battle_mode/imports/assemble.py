"""From another program's roster to a force: matching names, separating models, comparing costs with the edition."""

from collections import Counter
from itertools import product
from typing import Any

from validators.battle_mode.edition import Edition, Item, ModelEntry, Priced
from validators.battle_mode.force import FILE_TOTAL, SYSTEM_ID, bare_model, priced, read_force
from validators.battle_mode.imports.matching import MOST_OFFERS, Match, Names, Remarks, without_sorting
from validators.battle_mode.imports.selections import Roster, Selection
from validators.battle_mode.imports.units import PARTS, sort_out
from validators.contract import Document, EditionInfo, Imported, Terms, UnreadableForce
from validators.force_file import MOST_MODELS
from validators.names import loose

MOST_PARTS = 200
"""The most selections below one model."""

Model = dict[str, Any]


READINGS = tuple(product((False, True), (None, True, False)))
"""The possible readings of what a file leaves open, in the order of trying; the first with the stated cost is used.

First, whether a count for several models means that many for each; second, whether built-in parts that can also be
bought were bought (None: if the model's entry sells the item).
"""


class ModelParts:
    """The models of one selection, read as ``each`` and ``buys_built_in`` say. Raises UnreadableForce if too large."""

    def __init__(
        self,
        selection: Selection,
        entry: ModelEntry | None,
        edition: Edition,
        names: Names,
        in_order: bool,
        each: bool,
        buys_built_in: bool | None,
    ) -> None:
        if _size(selection) > MOST_PARTS:
            raise UnreadableForce(f"{selection.name}: more than {MOST_PARTS} selections on one model")
        self.entry, self.edition, self.names = entry, edition, names
        self.in_order, self.each, self.buys_built_in = in_order, each, buys_built_in
        self.remarks = Remarks()
        self.spare_cards: list[str] = []
        self.loose_mods: list[tuple[Selection, str]] = []
        self.left_open = False
        """Whether another reading could give another result."""
        name = selection.name
        if selection.mark != "model":
            name = entry.name if entry else without_sorting(name)
        self.models = [bare_model(name) for _ in range(selection.number)]
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
            self.remarks.say(f"{child.name}: left out because its number is 0.")
        elif word == "heroic":
            shares = self._shares(child, Priced("Heroic", self.edition.file.heroic_caps))
            for model, share in zip(self.models, shares, strict=True):
                model["heroic"] = model["heroic"] or share > 0
            self._add_all(child.children)
        elif word == "leader":
            for model in self.models[: child.number]:
                model["leader"] = True
            if child.caps:
                self.remarks.say(f"{child.name}: its own {child.caps} Caps are no cost of the edition; left out.")
            self._add_all(child.children, leads=False)
        elif word == "leadercard" and not child.mark and child.children and not child.caps:
            self._add_all(child.children, leads=False)
        elif self._built_in(child):
            self._left_out(child)
            self._add_all([part for part in child.children if part.stated])
        else:
            self._named(child, leads)

    def _named(self, child: Selection, leads: bool) -> None:
        match = self._match(child)
        name = self.remarks.name(child.name, match, *PARTS)
        match match.sort if match else "item":
            case "perk":
                for model, share in zip(self.models, self._shares(child, self.edition.perks.find(name)), strict=True):
                    model["perks"] += [name] * share
            case "card":
                self._card(name, child.number, leads and not child.mark)
            case "mod" if self.in_order and self._item_above():
                self._mod_on_item_above(child, name)
            case "mod":
                self.loose_mods.append((child, name))
            case _:
                self._item(child, name)
                return
        self._add_all(child.children)

    def _match(self, child: Selection) -> Match | None:
        """The kind of a part; if one of our own exports states it, it is not looked up."""
        match child.mark:
            case "item" | "perk" | "mod":
                return Match(child.mark, child.name, True)
            case "leader-card" | "card":
                return Match("card", child.name, True)
        match = self.names.match(child.name, *PARTS)
        if self.entry and (match is None or match.sort == "mod"):
            mod = self.edition.mod(without_sorting(child.name), self.entry)
            if mod and (match is None or mod.name != match.name):
                return Match("mod", mod.name, False)
        return match

    def _built_in(self, child: Selection, under: str = "") -> bool:
        """Whether the model has this part without buying it; ``under`` is the item of which it is a mod."""
        if self.entry is None or child.mark:
            return False
        keys = {loose(word) for name in self.entry.built_in for word in (name, name.partition(" (")[0])}
        keys |= {loose(alias) for alias, name in self.edition.file.aliases.items() if loose(name) in keys}
        if loose(child.name) not in keys:
            return False
        sold = self.names.match(child.name, "item", "perk", "mod")
        if sold and under and not self.entry.has_built_in_mod(sold.name, under):
            return False
        if child.caps is not None:
            return sold is None or child.caps == 0
        if sold is None:
            return True
        self.left_open = True
        if self.buys_built_in is not None:
            return not self.buys_built_in
        if sold.sort == "mod":
            above = self._item_above() if self.in_order else ""
            return not above or self.entry.has_built_in_mod(sold.name, above)
        return not self.entry.carries(sold.name)

    def _left_out(self, child: Selection) -> None:
        costs = f" ({child.caps} Caps)" if child.caps else ""
        self.remarks.say(f"{child.name}{costs}: built into {self._called()}, not bought; left out.")

    def _card(self, name: str, number: int, leads: bool) -> None:
        free = [model for model in self.models if model["leader_card"] is None][:number]
        for model in free:
            model["leader_card"] = name
            model["by_card"] = leads
        if number > len(free):
            self.remarks.say(f"{name}: a second Leader card on {self._called()}, kept outside the models.")
            self.spare_cards += [name] * (number - len(free))

    def _item(self, child: Selection, name: str) -> None:
        shares = self._shares(child, self.edition.items.find(name))
        mods = [below for below in child.children if self._sits_on_item(below)]
        rest = [below for below in child.children if below not in mods]
        rest += [part for mod in mods for part in mod.children]
        copies: list[list[str]] = [[] for _ in range(sum(shares))] if mods else []
        for below in mods:
            if self._built_in(below, name):
                self._left_out(below)
            else:
                mod = self.remarks.name(below.name, self._match(below), "mod")
                shared = self._shares(below, self.edition.mod(mod), len(copies))
                for copy, number in zip(copies, shared, strict=True):
                    copy += [mod] * number
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
        """Whether a part below an item is a mod or unknown; known items and perks there belong to the model."""
        match = self._match(below)
        return below.number > 0 and (match is None or match.sort == "mod")

    def _place_mod(self, mod: Selection, name: str) -> None:
        """Place a mod that the file attaches to the model: on the only item that can take it."""
        for model, share in zip(self.models, self._shares(mod, self.edition.mod(name)), strict=True):
            if not share:
                continue
            free = ((item, self.edition.items.find(item["name"])) for item in model["items"] if not item["mods"])
            open_to = [item for item, entry in free if entry and entry.takes_mod]
            if len(open_to) == 1 and open_to[0]["count"] == share == 1:
                self.remarks.say(f"{name}: put on {open_to[0]['name']} of {self._called()}.")
                open_to[0]["mods"].append(name)
            else:
                self.remarks.say(f"{name}: the file does not say on which item of {self._called()}; paid, on no item.")
                model["items"].append({"name": name, "mods": [], "count": share})

    def _item_above(self) -> str:
        """The item read last; "" if there is none."""
        items = [item["name"] for model in self.models[:1] for item in model["items"]]
        return items[-1] if items else ""

    def _mod_on_item_above(self, mod: Selection, name: str) -> None:
        """Place a mod directly after an item on that item, for bm.mod to check."""
        for model, share in zip(self.models, self._shares(mod, self.edition.mod(name)), strict=True):
            if not model["items"]:
                model["items"] += [{"name": name, "mods": [], "count": share}] * bool(share)
                continue
            above = model["items"].pop()
            if share:
                self.remarks.say(f"{name}: put on {above['name']} of {self._called()}.")
            each, more = divmod(share, above["count"])
            for number, count in ((each + 1, more), (each, above["count"] - more)):
                if count:
                    model["items"].append(above | {"mods": above["mods"] + [name] * number, "count": count})

    def _shares(self, part: Selection, known: Item | Priced | None, among: int | None = None) -> list[int]:
        """How many of a part each model (or copy) has: the file's number is their sum, unless its cost differs."""
        several = len(self.models) if among is None else among
        price = known.caps if known else 0
        for_each = part.caps is not None and price > 0 and part.caps == price * part.number * several
        self.left_open |= several > 1 and part.caps is None
        if several <= 1 or for_each or (self.each and part.caps is None):
            return [part.number] * several
        quotient, rest = divmod(part.number, several)
        if rest:
            self.remarks.say(f"{part.name}: {part.number} among {several} of {self._called()}, given to the first.")
        return [quotient + (place < rest) for place in range(several)]

    def _called(self) -> str:
        return str(self.models[0]["name"]) if self.models else ""


def _merged(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Repeated lines of one item as one line with a count."""
    counted: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for item in items:
        counted[item["name"], tuple(item["mods"])] += item["count"]
    return [{"name": name, "mods": list(mods), "count": count} for (name, mods), count in counted.items()]


def _size(selection: Selection) -> int:
    """The number of selections below it."""
    return sum(1 + _size(child) for child in selection.children)


_MOST_SHOWN = 4
"""The most names of a file without a known model for which similar ones are offered."""


def assemble(roster: Roster, info: EditionInfo) -> Imported:
    """The roster as a force of this edition, with all remarks. Raises UnreadableForce."""
    edition: Edition = info.lists
    names = Names(edition)
    remarks = Remarks(roster.notes)
    units, cards = sort_out(roster.selections, names, remarks)
    if sum(model.number for model in units) > MOST_MODELS:
        raise UnreadableForce(f"This list is too large: more than {MOST_MODELS} models")
    faction = _faction(roster, units, edition, names, remarks)
    models: list[Model] = []
    for selection in units:
        parts = _models_of(selection, roster, faction, info, names, remarks)
        models += parts.models
        cards += [{"kind": "Leader", "name": name} for name in parts.spare_cards]
    _appoint_leader(models, remarks)
    force = {"name": roster.name, "faction": faction, "models": models, "cards": cards}
    document = read_force({"system": SYSTEM_ID, "edition": info.id, **force}, info)
    total = priced(document, Terms(info)).total
    costs = [selection.stated for selection in roster.selections]
    added = None if None in costs else sum(cost or 0 for cost in costs) or None
    stated = added if roster.total is None else roster.total
    if added is not None and added != stated:
        remarks.say(f"The file’s total is {stated} Caps; what stands in it costs {added} together.")
    if differing := [figure for figure in (stated, added) if figure not in (None, total)]:
        document[FILE_TOTAL] = differing[0]
    return Imported(document, roster.format, stated, total, remarks.sentences(names))


def _models_of(
    selection: Selection, roster: Roster, faction: str, info: EditionInfo, names: Names, remarks: Remarks
) -> ModelParts:
    """The models of one selection, in the first reading with the stated cost."""
    edition: Edition = info.lists
    match = names.match(selection.name, "model") if selection.mark != "model" else None
    entry = edition.model(match.name if match else selection.name, faction)
    if selection.number == 0:
        remarks.say(f"{selection.name}: left out because its number is 0.")
    elif match or entry is None:
        remarks.name(selection.name, match, "model")
    ways: list[tuple[ModelParts, int]] = []
    for reading in READINGS:
        parts = ModelParts(selection, entry, edition, names, roster.in_order, *reading)
        ways.append((parts, _cost(parts.models, faction, info)))
        if selection.stated in (None, ways[-1][1]) or not parts.left_open:
            break
    parts, caps = next((way for way in ways if way[1] == selection.stated), ways[0])
    remarks.take(parts.remarks)
    if selection.stated not in (None, caps) and parts.models:
        several = f"{len(parts.models)} × " if len(parts.models) > 1 else ""
        called = parts.models[0]["name"]
        remarks.say(f"{several}{called}: the file says {selection.stated} Caps, the edition {caps}.")
    return parts


def _cost(models: list[Model], faction: str, info: EditionInfo) -> int:
    document: Document = {"edition": info.id, "faction": faction, "models": models, "cards": []}
    return priced(document, Terms(info)).total


def _faction(roster: Roster, models: list[Selection], edition: Edition, names: Names, remarks: Remarks) -> str:
    """The faction in the file; else the one that lists most of its models."""
    named = names.faction(roster.faction) if roster.faction else None
    if named:
        return named
    listed: Counter[str] = Counter()
    for selection in models:
        match = names.match(selection.name, "model")
        if match is not None:
            for faction in edition.factions.values():
                if any(entry.name == match.name for entry in faction.models.values()):
                    listed[faction.name] += 1
    if listed:
        found, most = listed.most_common(1)[0]
        others = [name for name, count in listed.items() if count == most and name != found]
        doubt = f" ({' and '.join(others)} would fit as well)" if others else ""
        stated = f"{roster.faction} is not a faction of the edition" if roster.faction else "The file names no faction"
        remarks.say(f"{stated}; by its models it is {found}{doubt}.")
        return found
    if models and not any("model" in (model.mark, model.type) for model in models):
        of = f" ({roster.faction[:60]})" if roster.faction else ""
        raise UnreadableForce(f"the file: no model in it is known to this game{of}", *_offers(models, names))
    if not roster.faction:
        unknown = "the file: neither a faction nor a model in it is known to this game"
        raise UnreadableForce(unknown, *_offers(models, names))
    return without_sorting(roster.faction)


def _offers(models: list[Selection], names: Names) -> list[str]:
    """The closest known models for the first names that have any."""
    written = list(dict.fromkeys(without_sorting(model.name) for model in models))[:MOST_OFFERS]
    near = ((name, names.near(name, "model")) for name in written)
    return [f"{name}: did you mean {' or '.join(found)}?" for name, found in near if found][:_MOST_SHOWN]


def _appoint_leader(models: list[Model], remarks: Remarks) -> None:
    """Make the model with a Leader card the Leader if the file marks none."""
    marked = any(model["leader"] for model in models)
    for model in models:
        if model.pop("by_card", False) and not marked:
            model["leader"] = True
            remarks.say(f"{model['name']} was taken as the Leader, for the Leader card {model['leader_card']}.")
    if models and not any(model["leader"] for model in models):
        remarks.say("The file marks no Leader; choose one.")
