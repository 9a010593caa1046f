"""An army with every name looked up and every cost added: what the rules are judged on."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from validators.contract import Document, Terms
from validators.fallout_warfare.edition import Edition, Vehicle
from validators.fallout_warfare.figures import Carried, Chosen, Figures, Squad
from validators.names import fold
from validators.restrictions import NONE, Restrictions


@dataclass(frozen=True)
class Drive:
    """A vehicle of the army and its cost for this army's faction."""

    place: int
    name: str
    entry: Vehicle | None
    points: int


@dataclass(frozen=True)
class Army:
    """The whole army, at the event's size in army points and with what the event adds."""

    edition: Edition
    faction_name: str
    faction: str | None
    squads: tuple[Squad, ...]
    vehicles: tuple[Drive, ...]
    mines: int
    fielded_size: int
    restrictions: Restrictions
    bound_faction: str

    @property
    def size(self) -> int:
        """What the list may cost: with a sideboard the roster's size, else the event's."""
        return self.restrictions.list_size(self.fielded_size)

    @property
    def models(self) -> tuple[Figures, ...]:
        """Every line of every squad."""
        return tuple(model for squad in self.squads for model in squad.models)

    @property
    def mine_points(self) -> int:
        """What the mines cost; nothing where the edition prints no cost."""
        return self.mines * (self.edition.mine_points or 0)

    @property
    def mine_place(self) -> int:
        """The unit's place of the mines."""
        return len(self.squads) + len(self.vehicles)

    @cached_property
    def total(self) -> int:
        """Every unit, in army points."""
        return sum(s.points for s in self.squads) + sum(v.points for v in self.vehicles) + self.mine_points

    @property
    def foreign_points(self) -> int:
        """Of figures of other factions, with all that they have."""
        return sum(m.points for m in self.models if m.troop and self.faction and m.troop.faction != self.faction)

    @property
    def own_points(self) -> int:
        """Of figures of the army's faction, with all that they have; vehicles and mines are of none."""
        return sum(m.points for m in self.models if m.troop and m.troop.faction == self.faction)

    @property
    def hero_count(self) -> int:
        """Heroes, lone ones too."""
        return sum(model.count for model in self.models if model.hero)

    @property
    def squad_count(self) -> int:
        """Squads in the rules' sense: neither lone heroes nor empty ones."""
        return sum(1 for squad in self.squads if squad.models and not squad.lone_hero)

    @property
    def heroes_allowed(self) -> int:
        """One for every two squads, rounded up."""
        return ceil(self.squad_count / 2)

    @property
    def hero_points(self) -> int:
        """What the heroes cost with their levels."""
        return sum(model.count * model.own_points for model in self.models if model.hero)

    @property
    def equipped_hero_points(self) -> int:
        """What the heroes cost with their levels and all that they carry."""
        return sum(model.points for model in self.models if model.hero)

    @property
    def hero_points_allowed(self) -> int:
        """A quarter of the size, rounded down: 50 of 200."""
        return self.size // 4

    @property
    def vehicles_allowed(self) -> int:
        """One for each whole 200 points of the size, and one below that."""
        return max(1, self.size // 200)

    def skilled(self, skill: str) -> int:
        """Heroes that have a skill."""
        return sum(model.count for model in self.models if model.hero and skill in model.skill_levels)

    def banned(self, name: str) -> bool:
        """Whether the event bans what has this name."""
        return fold(name) in map(fold, self.restrictions.banned)

    def open_to(self, faction: str) -> bool:
        """Whether the event lets this player play this faction."""
        allowed = (self.bound_faction,) if self.bound_faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)


def priced(document: Document, terms: Terms) -> Army:
    """A canonical document with its names looked up, to be judged by these terms."""
    return price(document, terms.edition.lists, terms.size, terms.restrictions, terms.faction)


def price(
    document: Document, edition: Edition, size: int = 0, restrictions: Restrictions = NONE, bound_faction: str = ""
) -> Army:
    """A canonical document with its names looked up in the edition."""
    faction = edition.faction(document["faction"])
    first_vehicle = len(document["squads"])
    return Army(
        edition=edition,
        faction_name=document["faction"],
        faction=faction,
        squads=tuple(
            Squad(i, squad["name"], tuple(_figures(i, j, model, edition) for j, model in enumerate(squad["models"])))
            for i, squad in enumerate(document["squads"])
        ),
        vehicles=tuple(
            _drive(place, name, edition, document["faction"])
            for place, name in enumerate(document["vehicles"], first_vehicle)
        ),
        mines=document["mines"],
        fielded_size=size,
        restrictions=restrictions,
        bound_faction=bound_faction,
    )


def _figures(squad: int, place: int, raw: dict[str, Any], edition: Edition) -> Figures:
    troop, grenade = edition.troop(raw["name"]), edition.weapon("Grenade")
    return Figures(
        squad=squad,
        place=place,
        name=raw["name"],
        rank=raw["rank"],
        count=raw["count"],
        troop=troop,
        profile=troop.ranks.get(raw["rank"]) if troop else None,
        weapon_name=raw["weapon"],
        weapon=edition.weapon(raw["weapon"]) if raw["weapon"] else None,
        grenades=raw["grenades"],
        grenade_points=grenade.points if grenade else 0,
        items=tuple(Carried(name, edition.item(name)) for name in raw["items"]),
        level=raw["level"],
        level_points=edition.level_points(raw["level"]) if raw["rank"] == "hero" else 0,
        skills=tuple(Chosen(s["name"], s["level"], edition.skill(s["name"]) is not None) for s in raw["skills"]),
    )


def _drive(place: int, name: str, edition: Edition, faction: str) -> Drive:
    entry = edition.vehicle(name)
    return Drive(place, name, entry, edition.vehicle_points(entry, faction) if entry else 0)
