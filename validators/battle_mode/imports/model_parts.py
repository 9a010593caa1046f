"""The models of one selection of a roster, with their items, mods, perks and cards."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from languages.words import gettext, listed, ngettext, noted
from validators.battle_mode.edition import Edition, Item, ModelEntry, Priced
from validators.battle_mode.force import bare_model
from validators.battle_mode.imports.matching import PARTS, Match, Names, Remarks, without_sorting
from validators.battle_mode.imports.placing import LooseMod, place
from validators.battle_mode.imports.selections import Selection
from validators.battle_mode.mod_rules import fits, fits_model
from validators.contract import UnreadableForce
from validators.kit.checks import caps
from validators.names import loose

MOST_PARTS = 200
"""The most selections below one model."""

_PUT_ON = noted("%(mod)s: put on %(item)s of %(model)s.")

Model = dict[str, Any]
"""A model of a force file that is being read."""


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
            raise UnreadableForce(
                ngettext(
                    "%(name)s: more than %(num)s selection on one model",
                    "%(name)s: more than %(num)s selections on one model",
                    MOST_PARTS,
                    name=selection.name,
                )
            )
        self.entry, self.edition, self.names = entry, edition, names
        self.in_order, self.each, self.buys_built_in = in_order, each, buys_built_in
        self.remarks = Remarks()
        self.spare_cards: list[str] = []
        self.loose_mods: list[tuple[str, list[int], list[int]]] = []
        """Each mod on no item, with its number on each model and how many of the model's items precede it."""
        self.left_open = False
        """Whether another reading could give another result."""
        name = selection.name
        if selection.mark != "model":
            name = entry.name if entry else without_sorting(name)
        self.models = [bare_model(name) for _ in range(selection.number)]
        self._add_all(selection.children)
        self._place_mods()
        if in_order:
            for model in self.models:
                model["items"] = _merged(model["items"])

    def _add_all(self, children: list[Selection], *, leads: bool = True) -> None:
        for child in children:
            self._add(child, leads)

    def _add(self, child: Selection, leads: bool) -> None:
        word = child.mark or loose(child.name)
        if child.number == 0:
            self.remarks.say(gettext("%(name)s: left out because its number is 0.", name=child.name))
        elif word == "heroic":
            shares = self._shares(child, Priced("Heroic", self.edition.file.heroic_caps))
            for model, share in zip(self.models, shares, strict=True):
                model["heroic"] = model["heroic"] or share > 0
            self._add_all(child.children)
        elif word == "leader":
            for model in self.models[: child.number]:
                model["leader"] = True
            if child.caps:
                no_cost = noted("%(name)s: its own %(caps)s are no cost of the edition; left out.")
                self.remarks.say(gettext(no_cost, name=child.name, caps=caps(child.caps)))
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
            case "mod":
                above = [len(model["items"]) for model in self.models]
                self.loose_mods.append((name, self._shares(child, self.edition.mod(name)), above))
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
        part = f"{child.name} ({child.caps} Caps)" if child.caps else child.name
        built_in = noted("%(part)s: built into %(model)s, not bought; left out.")
        self.remarks.say(gettext(built_in, part=part, model=self._called()))

    def _card(self, name: str, number: int, leads: bool) -> None:
        free = [model for model in self.models if model["leader_card"] is None][:number]
        for model in free:
            model["leader_card"] = name
            model["by_card"] = leads
        if number > len(free):
            second = noted("%(card)s: a second Leader card on %(model)s, kept outside the models.")
            self.remarks.say(gettext(second, card=name, model=self._called()))
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
                mod = self.remarks.name(below.name, self._mod_match(below), "mod")
                mod = mod if below.mark else self._variant(mod, [name])
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
        match = self._mod_match(below)
        return below.number > 0 and (match is None or match.sort == "mod")

    def _mod_match(self, below: Selection) -> Match | None:
        """The kind of a part below an item: a mod, if one has its name."""
        match = self._match(below)
        if below.mark or (match is not None and match.sort == "mod"):
            return match
        return self.names.match(below.name, "mod") or match

    def _place_mods(self) -> None:
        """Place the mods that the file attaches to the model and to no item."""
        for number, model in enumerate(self.models):
            mods: list[LooseMod] = []
            for written, shares, above in self.loose_mods:
                name = self._variant(written, [item["name"] for item in model["items"]])
                known = self.edition.mod(name, self.entry)
                follows = self.in_order and any(
                    self._fits(name, item["name"]) for item in model["items"][: above[number]]
                )
                if known and fits_model(known, self.entry) and shares[number] and not follows:
                    self.remarks.say(gettext("%(mod)s: put on %(model)s itself.", mod=name, model=self._called()))
                    model["items"].append({"name": name, "mods": [], "count": shares[number]})
                else:
                    mods += [LooseMod(name, above[number])] * shares[number]
            model["items"], placed = place(model["items"], mods, self._fits)
            for one in placed:
                if one.line is None:
                    self._unplaced(model, one.mod)
                elif len(one.fitting) > 1:
                    several = noted("%(mod)s: fits %(fitting)s of %(model)s; put on %(item)s.")
                    about = {"mod": one.mod, "model": self._called(), "item": one.item}
                    self.remarks.say(gettext(several, fitting=listed(one.fitting), **about))
                else:
                    self.remarks.say(gettext(_PUT_ON, mod=one.mod, item=one.item, model=self._called()))

    def _variant(self, mod: str, items: Sequence[str]) -> str:
        """A mod, or if it fits none of these items, the one of its name that does: "Headlamp (Power Armor)"."""
        mods = self.entry.offers["mod"] if self.entry and self.entry.packs else ()
        own = [mod, *sorted(name for name in mods if loose(name.partition(" (")[0]) == loose(mod))]
        found = next((name for name in own for item in items if self._fits(name, item)), mod)
        if found != mod:
            self.remarks.say(gettext("%(written)s: read as %(name)s.", written=mod, name=found))
        return found

    def _fits(self, mod: str, item: str) -> bool:
        entry, known = self.edition.items.find(item), self.edition.mod(mod, self.entry)
        return entry is not None and entry.takes_mod and (known is None or fits(known, entry, self.entry))

    def _unplaced(self, model: Model, mod: str) -> None:
        """A mod that no item of the list can take: on a built-in one, on the item read last for bm.mod to check, or on
        no item.
        """
        built_in = self.entry.built_in if self.entry and self.edition.file.names_built_in else ()
        named = {item["name"] for item in model["items"]}
        under = next((item for item in built_in if item not in named and self._fits(mod, item)), None)
        if under:
            on_built_in = noted("%(mod)s: put on %(item)s, which is built into %(model)s.")
            self.remarks.say(gettext(on_built_in, mod=mod, item=under, model=self._called()))
            model["items"].append({"name": under, "mods": [mod], "count": 1})
        elif self.in_order and model["items"]:
            last = model["items"][-1]
            last["mods"] = [*last["mods"], mod]
            self.remarks.say(gettext(_PUT_ON, mod=mod, item=last["name"], model=self._called()))
        else:
            on_none = noted("%(mod)s: the file does not say on which item of %(model)s; paid, on no item.")
            self.remarks.say(gettext(on_none, mod=mod, model=self._called()))
            model["items"].append({"name": mod, "mods": [], "count": 1})

    def _item_above(self) -> str:
        """The item read last; "" if there is none."""
        items = [item["name"] for model in self.models[:1] for item in model["items"]]
        return items[-1] if items else ""

    def _shares(self, part: Selection, known: Item | Priced | None, among: int | None = None) -> list[int]:
        """How many of a part each model (or copy) has: the file's number is their sum, unless its cost differs."""
        several = len(self.models) if among is None else among
        price = known.caps if known else 0
        for_each = part.caps is not None and price > 0 and part.caps == price * part.number * several
        either = part.caps is None or part.per_model
        self.left_open |= several > 1 and either
        if several <= 1 or for_each or (self.each and either):
            return [part.number] * several
        quotient, rest = divmod(part.number, several)
        if rest:
            shared = noted("%(part)s: %(number)s among %(several)s of %(model)s, given to the first.")
            about = {"number": part.number, "several": several, "model": self._called()}
            self.remarks.say(gettext(shared, part=part.name, **about))
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
