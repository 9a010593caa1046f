"""Legal forces for demonstrations: drawn from a seed, varied, using most of the size."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Self

from validators.battle_mode.check import CHECKS
from validators.battle_mode.edition import Edition, Faction, Item, ModelEntry, Priced
from validators.battle_mode.force import bare_model, blank_force, priced
from validators.battle_mode.force_rules import heavy_weapons_allowed
from validators.battle_mode.mod_rules import fits
from validators.contract import Document, Terms

_WEAPONS = ("Heavy", "Rifles", "Pistols", "Melee")
_TRIES = 60

_Option = tuple[int, str, Callable[[], object]]
"""A cost, a kind, and the purchase."""


@dataclass(frozen=True)
class _Member:
    """A model of the force, its entry, and what it may have without dispute; perks not at a share of its cost."""

    model: dict[str, Any]
    entry: ModelEntry
    heroic: bool
    items: tuple[Item, ...]
    mods: list[Priced]
    perks: list[Priced]
    cards: list[Priced]

    @classmethod
    def of(cls, edition: Edition, model: dict[str, Any], entry: ModelEntry) -> Self:
        return cls(
            model,
            entry,
            entry.heroic and not entry.options_unknown and not _disputed(edition, "heroic", entry),
            _may_buy(edition, entry),
            [mod for mod in edition.mods.values() if entry.may(mod).may and edition.states_cost(mod)],
            # Perks at a share of the model's cost cause a query near the size.
            [p for p in edition.perks.values() if entry.may(p).may and edition.states_cost(p) and not p.percent],
            [card for card in edition.leader_cards.values() if entry.may(card).may and edition.states_cost(card)],
        )


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    """A legal force, without queries if the faction's costs are stated.

    Raises ValueError also if the size buys no model.
    """
    for attempt in range(_TRIES):
        force = _drawn(terms, faction, f"{seed}" if attempt == 0 else f"{seed}.{attempt}")
        if not terms.restrictions or CHECKS.check(force, terms).legal:
            return force
    raise ValueError(f"no legal force of {faction} was found at this event's terms")


def _drawn(terms: Terms, faction: str, seed: str) -> Document:
    """A force that follows the game's rules, ignoring the event's."""
    edition: Edition = terms.edition.lists
    size = terms.list_size
    listed = edition.factions.find(faction)
    if listed is None or not listed.fielded:
        raise ValueError(f"{faction} take no part in Battle Mode in the edition {terms.edition.id}")
    dice = Random(f"{terms.edition.id}/{listed.name}/{size}/{seed}")  # noqa: S311 - dice, not secrets
    force = blank_force(terms.edition, listed.name)
    members = [_Member.of(edition, model, entry) for model, entry in _muster(force, listed, size, dice)]
    _arm(force, members, terms, dice)
    left = size - priced(force, Terms(terms.edition)).total
    while options := _upgrades(force, members, terms, left):
        kind = dice.choice(sorted({option[1] for option in options}))
        caps, _, buy = dice.choice([option for option in options if option[1] == kind])
        buy()
        left -= caps
    return force


def _muster(force: Document, faction: Faction, size: int, dice: Random) -> list[tuple[dict[str, Any], ModelEntry]]:
    """Models for about three quarters of the size, the first of them the Leader; returns their entries.

    They are those whose options the edition states, else those with a cost, else a few of unknown cost.
    """
    share = size * dice.randint(65, 80) // 100
    with_costs = [m for m in faction.models.values() if m.caps]
    listed = [m for m in with_costs if not m.options_unknown and not m.stage] or with_costs
    chosen: list[ModelEntry] = []
    while True:
        persons = {entry.person for entry in chosen} - {None}
        limit = share - sum(entry.caps for entry in chosen) if chosen else size
        fit = [m for m in listed if m.caps <= limit and m.person not in persons]
        if not chosen:
            fit = [m for m in fit if m.heroic and m.caps <= max(size // 3, 40)] or fit
        if not fit:
            break
        # A table of named persons only is unrealistic, so two or three of them, then ordinary models.
        ranks = [m for m in fit if m.person is None]
        chosen.append(dice.choice(ranks if ranks and len(persons) >= 2 else fit))
    if not with_costs:
        chosen = dice.sample([*faction.models.values()], min(3, len(faction.models)))
    if not chosen:
        raise ValueError(f"{size} Caps buy no model of {faction.name}")
    force["models"] = [bare_model(entry.name, leader=place == 0) for place, entry in enumerate(chosen)]
    return list(zip(force["models"], chosen, strict=True))


def _arm(force: Document, members: list[_Member], terms: Terms, dice: Random) -> None:
    """A weapon for every model that may carry one, while the Caps last."""
    size = terms.list_size
    for member in members:
        before = priced(force, Terms(terms.edition))
        left = size - before.total
        weapons = [item for item in member.items if item.kind in _WEAPONS and item.caps <= left]
        if before.heavy_weapons >= heavy_weapons_allowed(size):
            weapons = [item for item in weapons if not item.heavy]
        if weapons:
            member.model["items"].append({"name": dice.choice(weapons).name, "mods": [], "count": 1})


def _upgrades(force: Document, members: list[_Member], terms: Terms, left: int) -> list[_Option]:
    """All purchases with the Caps left that keep the force legal."""
    edition, size = terms.edition.lists, terms.list_size
    options: list[_Option] = []
    heavy_left = heavy_weapons_allowed(size) - priced(force, Terms(terms.edition)).heavy_weapons
    for member in members:
        model = member.model
        if member.heroic and not model["heroic"]:
            options.append((edition.file.heroic_caps, "heroic", partial(model.update, heroic=True)))
        if model["leader"] and model["leader_card"] is None:
            options += [(c.caps, "leader_card", partial(model.update, leader_card=c.name)) for c in member.cards]
        if any(member.entry.offers["item"].values()) and len(model["perks"]) < (4 if model["heroic"] else 2):
            fresh = (p for p in member.perks if p.name not in (*model["perks"], *member.entry.built_in))
            options += [(p.caps, "perk", partial(model["perks"].append, p.name)) for p in fresh if p.caps <= left]
        held = {item["name"] for item in model["items"]}
        if len(held) < 4:
            options += [
                (item.caps, "item", partial(model["items"].append, {"name": item.name, "mods": [], "count": 1}))
                for item in member.items
                if item.caps <= left and item.name not in held and (not item.heavy or heavy_left > 0)
            ]
        for carried in model["items"]:
            item = edition.items.find(carried["name"])
            if item and item.kind == "Thrown" and carried["count"] < 3:
                options.append((item.caps, "copy", partial(carried.update, count=carried["count"] + 1)))
            if item and item.takes_mod and not carried["mods"]:
                affordable = (m for m in member.mods if m.caps <= left and fits(m, item, member.entry))
                mods = (m for m in affordable if not member.entry.has_built_in_mod(m.name, item.name))
                options += [(m.caps, "mod", partial(carried["mods"].append, m.name)) for m in mods]
    return [option for option in options if option[0] <= left]


def _may_buy(edition: Edition, entry: ModelEntry) -> tuple[Item, ...]:
    """Everything that an entry lists undisputed, because a sample should cause no query."""
    disputed = _disputed(edition, "carry", entry)
    names = (
        name
        for name, may in entry.offers["item"].items()
        if may and name not in disputed and name not in entry.built_in
    )
    return tuple(item for name in names if (item := edition.items.find(name)) and edition.states_cost(item))


def _disputed(edition: Edition, fact: str, entry: ModelEntry) -> set[str | None]:
    about = (fact, entry.name, entry.faction)
    return {row.item for row in edition.file.disputed if (row.fact, row.model, row.faction) == about}
