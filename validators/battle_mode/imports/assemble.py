"""A roster that was read, to a force of an edition: names recognised, models told apart, costs compared."""

from collections import Counter
from typing import Any

from validators.battle_mode.edition import Edition
from validators.battle_mode.force import SYSTEM_ID, read_force
from validators.battle_mode.imports.matching import Names, names_of, without_sorting
from validators.battle_mode.imports.model_parts import READINGS, ModelParts
from validators.battle_mode.imports.remarks import MOST_OFFERS, Remarks
from validators.battle_mode.imports.selections import Roster, Selection
from validators.battle_mode.imports.units import sort_out, with_whole_names
from validators.battle_mode.priced import price
from validators.contract import Document, EditionInfo, Imported, UnreadableForce
from validators.force_file import MOST_MODELS

Model = dict[str, Any]
_MOST_SHOWN = 4
"""Names of a file without a known model for which near ones are told."""


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
        parts = _models_of(selection, roster, faction, edition, names, remarks)
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
    return Imported(document, roster.format, roster.total, price(document, edition).total, remarks.told(names))


def _models_of(
    selection: Selection, roster: Roster, faction: str, edition: Edition, names: Names, remarks: Remarks
) -> ModelParts:
    """The models of one selection, read in the first way whose cost is the stated one."""
    match = names.match(selection.name, "model") if selection.mark != "model" else None
    entry = edition.model(match.name if match else selection.name, faction)
    if selection.number == 0:
        remarks.say(f"{selection.name}: left out, for the file says none of it.")
    elif match:
        remarks.match(selection.name, match)
    elif entry is None:
        remarks.unknown(selection.name, "model")
    ways: list[tuple[ModelParts, int]] = []
    for reading in READINGS:
        parts = ModelParts(entry, edition, names, reading, Remarks())
        parts.take(selection, roster.in_order)
        ways.append((parts, _cost(parts.models, faction, edition)))
        if selection.stated in (None, ways[-1][1]) or not parts.left_open:
            break
    parts, caps = next((way for way in ways if way[1] == selection.stated), ways[0])
    remarks.take(parts.remarks)
    if selection.stated not in (None, caps) and parts.models:
        several = f"{len(parts.models)} × " if len(parts.models) > 1 else ""
        called = parts.models[0]["name"]
        remarks.say(f"{several}{called}: the file says {selection.stated} Caps, the edition {caps}.")
    return parts


def _cost(models: list[Model], faction: str, edition: Edition) -> int:
    document: Document = {"edition": edition.id, "faction": faction, "models": models, "cards": []}
    return price(document, edition).total


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
        told = f"{roster.faction} is no faction of the edition" if roster.faction else "The file names no faction"
        remarks.say(f"{told}; by its models it is {found}{doubt}.")
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
    """Where the file marks no Leader, whoever carries a Leader card is the one."""
    marked = any(model["leader"] for model in models)
    for model in models:
        if model.pop("by_card", False) and not marked:
            model["leader"] = True
            remarks.say(f"{model['name']} was taken as the Leader, for the Leader card {model['leader_card']}.")
    if models and not any(model["leader"] for model in models):
        remarks.say("The file marks no Leader; choose one.")
