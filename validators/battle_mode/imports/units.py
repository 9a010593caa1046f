"""Which selections of a roster are models, which are cards, and which are neither."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.imports.matching import Names, Sort, loose, without_sorting
from validators.battle_mode.imports.remarks import Remarks
from validators.battle_mode.imports.selections import Selection

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
            remarks.say(f"{without_sorting(selection.name)}: left out, for it belongs to no model.")
    return units


def _opened(unit: Selection, inner: list[Selection], names: Names, remarks: Remarks) -> list[Selection]:
    """A unit as its models; what is chosen for the unit itself goes to the first of them."""
    others = [child for child in unit.children if not any(child is model for model in inner)]
    own = _own_cost(unit, inner, others)
    if _is_model(unit, names) and _stands_beside(unit, own, inner, names):
        return [replace(unit, stated=own, children=others), *inner]
    beyond = unit.caps if unit.caps is not None else own
    if beyond and beyond > 0:
        near = names.near(unit.name, "model") if names.match(unit.name, *_ANY) is None else ()
        offer = f" Near: {', '.join(near)}." if near else ""
        remarks.say(f"{unit.name}: its own {beyond} Caps are left out, for it only holds other models.{offer}")
    elif names.match(unit.name, "model") and not _named_alike(unit, inner, names):
        remarks.say(f"{unit.name}: left out as a model, for it costs nothing of its own and holds other models.")
    if others:
        first = inner[0]
        told = ", ".join(child.name for child in others[:5])
        remarks.say(f"{told}: chosen for {unit.name} as a whole, put on {first.name}.")
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


def _stands_beside(unit: Selection, own: int | None, inner: list[Selection], names: Names) -> bool:
    """Whether a unit is a model beside those inside it. A program says so by a cost of its own; of a text, that names
    no such cost, the name alone says it, but for one that its own models bear.
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
