"""Finding the models of a roster, with their selections, inside units, headings and forces.

A selection's position decides its kind before its type does, because published catalogues type some perks as models and
have a chem and a model of the same name. Unknown selections that cost Caps stay in the force as models of that name.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from languages.words import gettext, noted
from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.imports.figures import MOST_OF_ONE
from validators.battle_mode.imports.matching import PARTS, Names, Remarks, Sort, with_offer, without_sorting
from validators.battle_mode.imports.selections import Selection
from validators.kit.checks import caps
from validators.names import loose

_ANY: tuple[Sort, ...] = ("model", *PARTS)
_MODEL_TYPES = ("model", "unit")
_KINDS = {key: kind.capitalize() for kind in BANNED_KINDS for key in (loose(kind), f"{loose(kind)}card")}
_MARKS_OF_A_MODEL = ("heroic", "leader", "leadercard")
"""Parts of a model that are in no table of an edition."""


def sort_out(
    selections: Iterable[Selection], names: Names, remarks: Remarks
) -> tuple[list[Selection], list[dict[str, Any]]]:
    """The models (each with its selections), found through units and groups that only contain them, and the cards, in
    the file's order. Nothing that costs Caps is left out.
    """
    models: list[Selection] = []
    cards: list[dict[str, Any]] = []
    whole = (with_counts(with_whole_names(one, names), names) for one in selections)
    waiting = [without_headings(one, names) for one in whole][::-1]
    priced = any(selection.stated for selection in waiting)
    while waiting:
        selection = waiting.pop()
        if selection.mark == "card":
            name = selection.categories[0] if selection.categories else ""
            cards += [{"kind": selection.name, "name": name}] * selection.number
        elif selection.type == "force":
            own = replace(selection, type="upgrade", stated=selection.caps, children=[])
            waiting += [*selection.children[::-1], *([own] if selection.caps else [])]
        elif inner := [child for child in selection.children if _is_model_in(selection, child, names)]:
            waiting += _opened(selection, inner, names, remarks)[::-1]
        elif _is_model(selection, names) or _may_be_model(selection, priced=priced):
            models.append(selection)
        elif (kind := _card_kind(selection)) or names.match(selection.name, "card"):
            cards += _cards(selection, kind, names, remarks)
            waiting += selection.children[::-1]
        elif (
            not selection.caps
            and selection.children
            and all(_card_kind(child) or names.match(child.name, "card") for child in selection.children)
        ):
            waiting += selection.children[::-1]
        elif _stays(selection, names):
            name = without_sorting(selection.name)
            name = f"{name} ({selection.stated} Caps)" if selection.stated else name
            remarks.say(gettext("%(name)s: belongs to no model; kept as a model of this name.", name=name))
            models.append(selection)
        else:
            name = without_sorting(selection.name)
            remarks.say(gettext("%(name)s: left out because it belongs to no model.", name=name))
    return models, cards


def with_whole_names(selection: Selection, names: Names) -> Selection:
    """A text's selection with split names joined again.

    A name with a colon ("Command: Heel") is read as a part with another part below it; the two are joined if only the
    whole name is known.
    """
    below = [with_whole_names(child, names) for child in selection.children]
    if below and not selection.mark and names.match(selection.name, *_ANY) is None:
        whole = f"{selection.name}: {below[0].name}"
        if names.match(whole, *_ANY):
            return replace(selection, name=whole, children=[*below[0].children, *below[1:]])
    return replace(selection, children=below)


_COUNTED = re.compile(
    r"(?:x\s?(?P<a>\d{1,2})|(?P<b>\d{1,2})\s?[x×]?)\s+(?P<first>\S.*)|(?P<last>.*\S)\s+[(\[]?(?:[x×]\s?(?P<c>\d{1,2})|(?P<d>\d{1,2})\s?[x×])[)\]]?",
    re.IGNORECASE,
)


def with_counts(selection: Selection, names: Names) -> Selection:
    """A selection with the numbers of copies that players write into names ("x2 Settler", "2 Settlers") as its number.

    A name that is known as a whole keeps its number.
    """
    below = [with_counts(child, names) for child in selection.children]
    counted = _COUNTED.fullmatch(selection.name.strip())
    if selection.mark or counted is None or names.match(selection.name, *_ANY):
        return replace(selection, children=below)
    name = counted["first"] or counted["last"]
    copies = int(next(filter(None, counted.group("a", "b", "c", "d"))))
    number = selection.number * copies
    if names.match(name, *_ANY) is None or not 0 < number <= MOST_OF_ONE:
        return replace(selection, children=below)
    return replace(selection, name=name, number=number, children=below)


def without_headings(selection: Selection, names: Names) -> Selection:
    """A selection with the contents of its headings ("Weapons") directly below it."""
    below: list[Selection] = []
    for child in (without_headings(child, names) for child in selection.children):
        below += child.children if _is_heading(child, names) else [child]
    return replace(selection, children=below)


def _is_heading(selection: Selection, names: Names) -> bool:
    """Whether an unknown name is a heading: it costs nothing and holds something known; in a unit, a model."""
    if selection.mark or selection.caps or selection.type in ("model", "force"):
        return False
    if selection.stated not in (None, sum(child.stated or 0 for child in selection.children)):
        return False  # a text in which it costs more than its contents
    if _marks_a_model(selection) or names.match(selection.name, *_ANY):
        return False
    sorts: tuple[Sort, ...] = ("model",) if selection.type == "unit" else ("model", "item", "perk", "card")
    if loose(selection.name).endswith("mod"):  # "Mods"; any other name with mods below it may be a weapon's
        sorts = (*sorts, "mod")
    return any(child.type == "model" or names.match(child.name, *sorts) for child in selection.children)


def _stays(selection: Selection, names: Names) -> bool:
    """Whether something not typed as a model stays in the force, because of its Caps, its parts or its category."""
    words = {loose(word) for category in selection.categories for word in category.split()}
    parts = (names.match(child.name, *PARTS) or _marks_a_model(child) for child in selection.children)
    return bool(selection.stated or words & set(_MODEL_TYPES)) or any(parts)


def _marks_a_model(selection: Selection) -> bool:
    return not selection.mark and loose(selection.name) in _MARKS_OF_A_MODEL


def _cards(selection: Selection, kind: str | None, names: Names, remarks: Remarks) -> list[dict[str, Any]]:
    """The cards in a selection without a model."""
    card, name = names.match(selection.name, "card"), without_sorting(selection.name)
    if card and not kind:
        kind, name = "Leader", card.name
        remarks.say(gettext("%(name)s: a Leader card that stands with no model.", name=name))
    return [{"kind": kind, "name": name}] * selection.number


def _opened(unit: Selection, inner: list[Selection], names: Names, remarks: Remarks) -> list[Selection]:
    """A unit as its models; selections of the unit itself go to its first model."""
    others = [child for child in unit.children if not any(child is model for model in inner)]
    own = _own_cost(unit, inner, others)
    if _is_itself_a_model(unit, own, inner, others, names):
        return [replace(unit, type="unit", stated=own, children=others), *inner]
    if own and own > 0 and unit.caps is None:
        near = names.near(unit.name, "model") if names.match(unit.name, *_ANY) is None else ()
        holds = noted("%(name)s: its own %(caps)s are left out because it only holds other models.")
        remarks.say(with_offer(gettext(holds, name=unit.name, caps=caps(own)), near))
    elif names.match(unit.name, "model") and not _named_alike(unit, inner, names):
        holds = noted("%(name)s: left out as a model because it has no cost of its own and holds other models.")
        remarks.say(gettext(holds, name=unit.name))
    first = inner[0]
    if len(inner) == 1 and first.stated is None:  # the unit's price is the price of its models together
        return [replace(first, stated=unit.stated, children=[*first.children, *others])]
    if others:
        names_ = ", ".join(child.name for child in others[:5])
        whole = noted("%(names)s: chosen for %(unit)s as a whole, put on %(model)s.")
        remarks.say(gettext(whole, names=names_, unit=unit.name, model=first.name))
        extra = sum(child.stated or 0 for child in others)
        stated = None if first.stated is None else first.stated + extra
        inner = [replace(first, stated=stated, children=[*first.children, *others]), *inner[1:]]
    return inner


def _own_cost(unit: Selection, inner: list[Selection], others: list[Selection]) -> int | None:
    """The cost of a unit with its own selections but without its models; None if the file does not say."""
    if unit.caps is not None:
        return unit.caps + sum(child.stated or 0 for child in others)
    costs = [child.stated for child in inner if child.stated is not None]
    return unit.stated - sum(costs) if unit.stated is not None and len(costs) == len(inner) else None


def _is_itself_a_model(
    unit: Selection, own: int | None, inner: list[Selection], others: list[Selection], names: Names
) -> bool:
    """Whether a unit is a model in addition to the models inside it.

    Programs show this by giving it a cost of its own. In a text without such a cost the name decides, unless a model
    inside has that name; an unknown name stays for its Caps, unless these are the Caps of its selections.
    """
    if unit.caps is not None:
        return unit.caps != 0
    if _is_model(unit, names):
        return (own is None or own > 0) and not _named_alike(unit, inner, names)
    return own is not None and own > 0 and not others


def _named_alike(unit: Selection, inner: list[Selection], names: Names) -> bool:
    own = names.match(unit.name, "model")
    matches = (names.match(child.name, "model") for child in inner)
    return own is not None and any(match is not None and match.name == own.name for match in matches)


def _is_model(selection: Selection, names: Names) -> bool:
    if selection.mark:
        return selection.mark == "model"
    return selection.type == "model" or names.match(selection.name, "model") is not None


def _may_be_model(selection: Selection, *, priced: bool) -> bool:
    """Whether an unknown name may be a model's: by its type, or in a text, unless only others have costs there."""
    return selection.type in _MODEL_TYPES or (selection.type == "" and not (priced and selection.stated is None))


def _is_model_in(unit: Selection, child: Selection, names: Names) -> bool:
    """Whether a direct child of a unit is a model.

    The name of a part means a part, whatever its type. If it is also a model's name, it is a part in a model, and in a
    unit that only contains models its type decides.
    """
    if child.mark:
        return _is_model(child, names)
    part = names.match(child.name, *PARTS) or _marks_a_model(child) or names.built_in.find(child.name)
    if not part:
        return _is_model(child, names)
    if names.match(child.name, "model") is None:
        return False
    in_model = bool(unit.caps) or (unit.caps is None and names.match(unit.name, "model") is not None)
    return not in_model and child.type != "upgrade"


def _card_kind(selection: Selection) -> str | None:
    """The kind of a card that Battle Mode does not use, by its category or its own name."""
    keys = map(loose, (*selection.categories, selection.name))
    return next((_KINDS[key] for key in keys if key in _KINDS), None)
