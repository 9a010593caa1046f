"""Single corrections of an edition: other costs, and one more model."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from languages.words import N_, gettext
from validators.battle_mode.edition import Edition, EditionFile
from validators.contract import Document, EditionInfo
from validators.editions import CorrectionError, Corrections, CostEntry, NewModel
from validators.names import fold

MOST_CAPS = 9999
_TABLES = {"Mods": "mods", "Perks": "perks", "Leader cards": "leader_cards"}
_COPIED = ("may_carry", "packs", "tags", "usual", "options_unknown")
"""The fields of a model that say what it may carry."""
_MOST_NOTES = 40


def cost_entries(info: EditionInfo) -> Iterator[CostEntry]:
    """Every entry that has a cost in Caps, in the file's order; perks that cost a share have none."""
    edition: Edition = info.lists
    file = edition.file
    for faction in file.factions:
        yield from (CostEntry("Models", model.name, model.caps, faction.name) for model in faction.models)
    for group in file.items:
        yield from (CostEntry("Items", name, caps) for name, caps in group.caps.items())
    for kind, field in _TABLES.items():
        yield from (CostEntry(kind, name, caps) for name, caps in getattr(file, field).items())


def corrected(info: EditionInfo, corrections: Corrections) -> Document:
    """The document of the edition with these corrections and their title. Raises CorrectionError.

    A dispute about a corrected cost is settled by it and left out.
    """
    file: EditionFile = info.lists.file
    document = file.model_dump(by_alias=True, exclude_defaults=True)
    seen: set[CostEntry] = set()
    changed: list[CostEntry] = []
    for place, entry in enumerate(corrections.costs):
        if not 0 <= entry.cost <= MOST_CAPS:
            raise CorrectionError(gettext("Enter a number from 0 to %(most)s.", most=MOST_CAPS), place=place)
        costs, key = _cost_at(document, entry)
        if key not in costs:
            raise CorrectionError(
                gettext("%(name)s is not in this edition. Search again.", name=entry.name), place=place
            )
        if entry.key in seen:
            raise CorrectionError(gettext("%(name)s is listed twice. Search again.", name=entry.name), place=place)
        seen.add(entry.key)
        if costs[key] != entry.cost:
            changed.append(entry)
        costs[key] = entry.cost
    if not changed and corrections.model is None:
        raise CorrectionError(gettext("Nothing is corrected yet: change a cost or add a model."))
    settled = {("caps", entry.name) for entry in changed if entry.kind == "Items"}
    facts = [fact for fact in document.get("disputed", ()) if (fact["fact"], fact.get("item")) not in settled]
    if corrections.model:
        _add_model(document, corrections.model)
    note = f"Corrected by the club, from the edition “{info.name}”."
    notes = [*islice(document.get("notes", ()), _MOST_NOTES - 1), note]
    title = corrections.title
    return document | {"id": title.id, "name": title.name, "date": title.date, "notes": notes, "disputed": facts}


def _cost_at(document: Document, entry: CostEntry) -> tuple[dict[str, Any], str]:
    """The object of the document that has the cost, and its key; an empty object if there is none."""
    if entry.kind == "Models":
        models = (
            model
            for faction in document["factions"]
            if faction["name"] == entry.faction
            for model in faction["models"]
            if model["name"] == entry.name
        )
        return next(models, {}), "caps"
    if entry.kind == "Items":
        groups = (group["caps"] for group in document.get("items", ()))
        return next((costs for costs in groups if entry.name in costs), {}), entry.name
    return document.get(_TABLES.get(entry.kind, ""), {}), entry.name


def _add_model(document: Document, model: NewModel) -> None:
    factions = {faction["name"]: faction["models"] for faction in document["factions"]}
    if model.faction not in factions:
        raise CorrectionError(gettext("Choose a faction of this edition."), "faction")
    models = factions[model.faction]
    if fold(model.name) in {fold(row["name"]) for row in models}:
        has = N_("%(faction)s already has a model named %(name)s.")
        raise CorrectionError(gettext(has, faction=model.faction, name=model.name), "name")
    aliases = {fold(alias): name for alias, name in document.get("aliases", {}).items()}
    if meant := aliases.get(fold(model.name)):
        spelt = N_("%(name)s is another spelling of %(meant)s in this edition. Enter another name.")
        raise CorrectionError(gettext(spelt, name=model.name, meant=meant), "name")
    if not 0 <= model.cost <= MOST_CAPS:
        raise CorrectionError(gettext("Enter a number from 0 to %(most)s.", most=MOST_CAPS), "cost")
    faction, name = model.carries_as or ("", "")
    like = next((faction_row for faction_row in factions.get(faction, ()) if faction_row["name"] == name), None)
    if model.carries_as and like is None:
        raise CorrectionError(gettext("Choose a model of this edition."), "like")
    copied = {field: like[field] for field in _COPIED if like and field in like}
    unique = {"unique": model.name} if model.unique else {}
    models.append(copied | unique | {"name": model.name, "caps": model.cost, "heroic": model.heroic})
