"""A roster that was read, to a force of an edition: names recognised, models distinguished, costs compared."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from validators.battle_mode.edition import Edition, ModelEntry
from validators.battle_mode.force import SYSTEM_ID, price, read_force
from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.imports.matching import (
    MOST_OFFERS,
    Match,
    Names,
    Remarks,
    Sort,
    loose,
    names_of,
    without_sorting,
)
from validators.battle_mode.imports.selections import Roster, Selection
from validators.contract import Document, EditionInfo, Imported, UnreadableForce
from validators.force_file import MOST_MODELS

_ANY: tuple[Sort, ...] = ("model", "item", "perk", "card", "mod")
_KINDS = {loose(kind): kind.capitalize() for kind in BANNED_KINDS}


@dataclass
class Units:
    """The models (each with what is chosen for it) and the cards of a force, in the file's order."""

    models: list[Selection] = field(default_factory=list)
    cards: list[dict[str, Any]] = field(default_factory=list)


def with_whole_names(selection: Selection, names: Names) -> Selection:
    """A selection of a text, where a name that has a colon of its own ("Command: Heel") was taken for a part with
    another part below it: put together again where only the whole name is known.
    """
    below = [with_whole_names(child, names) for child in selection.children]
    if below and not selection.mark and names.match(selection.name, *_ANY) is None:
        whole = f"{selection.name}: {below[0].name}"
        if names.match(whole, *_ANY):
            return replace(selection, name=whole, children=[*below[0].children, *below[1:]])
    return replace(selection, children=below)


def sort_out(selections: Iterable[Selection], names: Names, remarks: Remarks) -> Units:
    """Find the models, through units and groups that only hold them."""
    units = Units()
    waiting = list(selections)[::-1]
    while waiting:
        selection = waiting.pop()
        if selection.mark == "card":
            name = selection.categories[0] if selection.categories else ""
            units.cards += [{"kind": selection.name, "name": name}] * selection.number
        elif selection.type == "force":
            waiting += selection.children[::-1]
        elif inner := [child for child in selection.children if _is_model(child, names)]:
            waiting += _opened(selection, inner, names, remarks)[::-1]
        elif _is_model(selection, names) or selection.type in ("", "model", "unit"):
            units.models.append(selection)
        elif kind := _card_kind(selection):
            units.cards += [{"kind": kind, "name": without_sorting(selection.name)}] * selection.number
        elif card := names.match(selection.name, "card"):
            remarks.say(f"{card.name}: a Leader card that stands with no model.")
            units.cards += [{"kind": "Leader", "name": card.name}] * selection.number
        elif selection.children:
            waiting += selection.children[::-1]
        else:
            remarks.say(f"{without_sorting(selection.name)}: left out because it belongs to no model.")
    return units


def _opened(unit: Selection, inner: list[Selection], names: Names, remarks: Remarks) -> list[Selection]:
    """A unit as its models; what is chosen for the unit itself goes to the first of them."""
    others = [child for child in unit.children if not any(child is model for model in inner)]
    own = _own_cost(unit, inner, others)
    if _is_model(unit, names) and _is_a_model_too(unit, own, inner, names):
        return [replace(unit, stated=own, children=others), *inner]
    beyond = unit.caps if unit.caps is not None else own
    if beyond and beyond > 0:
        near = names.near(unit.name, "model") if names.match(unit.name, *_ANY) is None else ()
        offer = f" Near: {', '.join(near)}." if near else ""
        remarks.say(f"{unit.name}: its own {beyond} Caps are left out because it only holds other models.{offer}")
    elif names.match(unit.name, "model") and not _named_alike(unit, inner, names):
        remarks.say(f"{unit.name}: left out as a model because it has no cost of its own and holds other models.")
    if others:
        first = inner[0]
        names_ = ", ".join(child.name for child in others[:5])
        remarks.say(f"{names_}: chosen for {unit.name} as a whole, put on {first.name}.")
        extra = sum(child.stated or 0 for child in others)
        stated = None if first.stated is None else first.stated + extra
        inner = [
            replace(first, stated=stated, children=[*first.children, *others]),
            *inner[1:],
        ]
    return inner


def _own_cost(unit: Selection, inner: list[Selection], others: list[Selection]) -> int | None:
    """What a unit costs without the models inside it, with what is chosen for it; None where the file does not say."""
    if unit.caps is not None:
        return unit.caps + sum(child.stated or 0 for child in others)
    costs = [child.stated for child in inner if child.stated is not None]
    return unit.stated - sum(costs) if unit.stated is not None and len(costs) == len(inner) else None


def _is_a_model_too(unit: Selection, own: int | None, inner: list[Selection], names: Names) -> bool:
    """Whether a unit is a model in addition to those inside it.

    A program says so by a cost of its own. In a text without such a cost the name decides, unless a model
    inside has it.
    """
    if unit.caps is not None:
        return unit.caps != 0
    return (own is None or own > 0) and not _named_alike(unit, inner, names)


def _named_alike(unit: Selection, inner: list[Selection], names: Names) -> bool:
    own = names.match(unit.name, "model")
    matches = (names.match(child.name, "model") for child in inner)
    return own is not None and any(match is not None and match.name == own.name for match in matches)


def _is_model(selection: Selection, names: Names) -> bool:
    if selection.mark:
        return selection.mark == "model"
    return selection.type == "model" or names.match(selection.name, "model") is not None


def _card_kind(selection: Selection) -> str | None:
    """The kind of a card that Battle Mode does not use, by its category or its own name."""
    for words in (*selection.categories, selection.name):
        key = loose(words)
        for kind, shown in _KINDS.items():
            if key in (kind, f"{kind}card"):
                return shown
    return None


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
            self.remarks.say(f"{child.name}: left out because its number is 0.")
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
                self.remarks.say(f"{name}: a second Leader card on {self._called()}, kept outside the models.")
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


_MOST_SHOWN = 4
"""Names of a file without a known model for which near ones are offered."""


def assemble(roster: Roster, info: EditionInfo) -> Imported:
    """The roster as a force of this edition, with everything worth saying about it. Raises UnreadableForce."""
    edition: Edition = info.lists
    names = names_of(edition)
    remarks = Remarks(roster.notes)
    units = sort_out((with_whole_names(one, names) for one in roster.selections), names, remarks)
    if sum(model.number for model in units.models) > MOST_MODELS:
        raise UnreadableForce(f"This list is too large: more than {MOST_MODELS} models")
    faction = _faction(roster, units.models, edition, names, remarks)
    models: list[Model] = []
    cards = list(units.cards)
    for selection in units.models:
        parts = _models_of(selection, roster, faction, info, names, remarks)
        models += parts.models
        cards += [{"kind": "Leader", "name": name} for name in parts.spare_cards]
    _appoint_leader(models, remarks)
    document = read_force(
        {
            "system": SYSTEM_ID,
            "edition": info.id,
            "name": roster.name,
            "faction": faction,
            "models": models,
            "cards": cards,
        },
        info,
    )
    return Imported(document, roster.format, roster.total, price(document, info).total, remarks.sentences(names))


def _models_of(
    selection: Selection, roster: Roster, faction: str, info: EditionInfo, names: Names, remarks: Remarks
) -> ModelParts:
    """The models of one selection, read in the first way whose cost is the stated one."""
    edition: Edition = info.lists
    match = names.match(selection.name, "model") if selection.mark != "model" else None
    entry = edition.model(match.name if match else selection.name, faction)
    if selection.number == 0:
        remarks.say(f"{selection.name}: left out because its number is 0.")
    elif match:
        remarks.match(selection.name, match)
    elif entry is None:
        remarks.unknown(selection.name, "model")
    ways: list[tuple[ModelParts, int]] = []
    for reading in READINGS:
        parts = ModelParts(entry, edition, names, reading, Remarks())
        parts.take(selection, roster.in_order)
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
    return price(document, info).total


def _faction(roster: Roster, models: list[Selection], edition: Edition, names: Names, remarks: Remarks) -> str:
    """The faction that the file names; else the one that lists most of its models."""
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
        raise UnreadableForce("the file: no model in it is known to this game", *_offers(models, names))
    if not roster.faction:
        raise UnreadableForce(
            "the file: neither a faction nor a model in it is known to this game", *_offers(models, names)
        )
    return without_sorting(roster.faction)


def _offers(models: list[Selection], names: Names) -> list[str]:
    """The nearest known models for the first names that have any."""
    written = list(dict.fromkeys(without_sorting(model.name) for model in models))[:MOST_OFFERS]
    near = ((name, names.near(name, "model")) for name in written)
    return [f"{name}: did you mean {' or '.join(found)}?" for name, found in near if found][:_MOST_SHOWN]


def _appoint_leader(models: list[Model], remarks: Remarks) -> None:
    """Where the file marks no Leader, the model with a Leader card is the Leader."""
    marked = any(model["leader"] for model in models)
    for model in models:
        if model.pop("by_card", False) and not marked:
            model["leader"] = True
            remarks.say(f"{model['name']} was taken as the Leader, for the Leader card {model['leader_card']}.")
    if models and not any(model["leader"] for model in models):
        remarks.say("The file marks no Leader; choose one.")
