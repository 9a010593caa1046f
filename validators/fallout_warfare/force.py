"""A Fallout: Warfare army with its names looked up and its costs added.

An army is its squads, each with its models, then its vehicles, then its mines. A *unit* is one of these, and the place
of a unit is its position in that order: the squads from 0, the vehicles after them, the mines last if there are any.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from languages.words import capital, gettext
from validators.contract import Document, Terms
from validators.fallout_warfare.edition import Edition, Item, Profile, Rank, Troop, Vehicle, Weapon
from validators.kit.checks import ResolvedForce

BASE_SKILL = 5
"""The level of a hero's newly chosen skill."""


@dataclass(frozen=True)
class Carried:
    """An item as named in the army, and its entry."""

    name: str
    entry: Item | None

    @property
    def points(self) -> int:
        return self.entry.points if self.entry else 0


@dataclass(frozen=True)
class Chosen:
    name: str
    level: int
    known: bool


@dataclass(frozen=True)
class Figures:
    """``count`` equal figures in one line of a squad."""

    squad: int
    place: int
    """The position in the squad, from 0."""
    name: str
    rank: Rank
    count: int
    troop: Troop | None
    profile: Profile | None
    weapon_name: str
    weapon: Weapon | None
    grenades: int
    grenade_points: int
    items: tuple[Carried, ...]
    level: int
    level_points: int
    """The cost of each figure's level, in a campaign of the one that was paid for (8.2); 0 unless it is a hero."""
    skills: tuple[Chosen, ...]

    @property
    def label(self) -> str:
        return self.name if self.rank == "grunt" else f"{self.name}, {gettext(self.rank)}"

    @property
    def hero(self) -> bool:
        return self.rank == "hero"

    @property
    def beastlord(self) -> bool:
        return self.troop is not None and self.troop.kind == "beastlord"

    @property
    def leads(self) -> bool:
        """Whether it can lead: heroes, squadleaders, and Beastlords of any rank."""
        return self.rank != "grunt" or self.beastlord

    @property
    def beast(self) -> bool:
        return self.troop is not None and self.troop.beast

    @property
    def may_be_armed(self) -> bool:
        """Whether its entry allows a weapon from the table; unknown troops are not checked."""
        return self.troop is None or self.troop.weapons == "any"

    @property
    def armed(self) -> bool:
        """Whether it has a weapon that costs points."""
        return self.weapon is not None and self.weapon.points > 0

    @property
    def own_points(self) -> int:
        return (self.profile.points or 0 if self.profile else 0) + self.level_points

    @cached_property
    def each(self) -> int:
        return (
            self.own_points
            + (self.weapon.points if self.weapon else 0)
            + self.grenades * self.grenade_points
            + sum(item.points for item in self.items)
        )

    @property
    def points(self) -> int:
        return self.count * self.each

    @property
    def free_skills(self) -> dict[str, int]:
        return self.troop.free_skills(self.rank) if self.troop else {}

    @property
    def known_skills(self) -> list[tuple[str, int]]:
        """The chosen skills that the edition knows, each with its level."""
        return [(skill.name, skill.level) for skill in self.skills if skill.known]

    @property
    def skill_levels(self) -> dict[str, int]:
        free = self.free_skills
        return free | {name: max(level, free.get(name, 0)) for name, level in self.known_skills}

    @property
    def skill_points(self) -> int:
        """The cost of the chosen skills: the first new one is free, each further new one costs 2, each step up 1."""
        free, known = self.free_skills, self.known_skills
        new = [name for name, _ in known if name not in free]
        return sum(max(0, level - free.get(name, BASE_SKILL)) for name, level in known) + 2 * max(0, len(new) - 1)

    @property
    def fewest_skill_points(self) -> int:
        """The same cost if the free new skill may be one of the entry's that starts lower ("one skill at 7", 8.2)."""
        free, known = self.free_skills, self.known_skills
        if any(name not in free for name, _ in known):
            return self.skill_points
        saved = [BASE_SKILL - free[name] for name, level in known if free[name] < BASE_SKILL <= level]
        return self.skill_points - max(saved, default=0)


@dataclass(frozen=True)
class Squad:
    """Figures that act together, or a single hero; ``place`` is the unit's."""

    place: int
    number: int
    """In its army, from 1; in a campaign it stays the same when only a part musters."""
    name: str
    models: tuple[Figures, ...]

    @property
    def label(self) -> str:
        return gettext("squad %(number)s", number=self.number) + (f" ({self.name})" if self.name else "")

    @property
    def title(self) -> str:
        """The label at the start of a message."""
        return capital(self.label)

    @property
    def leaders(self) -> tuple[Figures, ...]:
        return tuple(model for model in self.models if model.leads)

    @property
    def led(self) -> tuple[Figures, ...]:
        return tuple(model for model in self.models if not model.leads)

    @property
    def leader(self) -> Figures | None:
        """The only leader; None if there is none or several."""
        return self.leaders[0] if self.leader_count == 1 else None

    @property
    def leader_count(self) -> int:
        return sum(model.count for model in self.leaders)

    @property
    def led_count(self) -> int:
        return sum(model.count for model in self.led)

    @property
    def lone_hero(self) -> bool:
        """Whether it is a single hero, which the rules do not call a squad."""
        return not self.led and self.leader is not None and self.leader.hero

    @property
    def of_beasts(self) -> bool:
        """Whether a Beastlord leads it, so that the rules for beasts apply."""
        return any(model.beastlord for model in self.models)

    @cached_property
    def points(self) -> int:
        return sum(model.points for model in self.models)


@dataclass(frozen=True)
class Drive:
    """A vehicle of the army and its cost for this army's faction."""

    place: int
    name: str
    entry: Vehicle | None
    points: int


@dataclass(frozen=True, kw_only=True)
class Army(ResolvedForce):
    """The whole army, at the event's size in army points, with the event's restrictions."""

    edition: Edition
    squads: tuple[Squad, ...]
    vehicles: tuple[Drive, ...]
    mines: int

    @property
    def lines(self) -> tuple[tuple[Squad, Figures], ...]:
        return tuple((squad, model) for squad in self.squads for model in squad.models)

    @property
    def models(self) -> tuple[Figures, ...]:
        return tuple(model for _, model in self.lines)

    @property
    def mine_points(self) -> int:
        return self.mines * (self.edition.mine_points or 0)

    @cached_property
    def total(self) -> int:
        return sum(s.points for s in self.squads) + sum(v.points for v in self.vehicles) + self.mine_points

    def spent_on(self, faction: str) -> int:
        """The cost of figures of a faction, with their equipment."""
        return sum(m.points for m in self.models if m.troop and m.troop.faction == faction)

    @cached_property
    def faction(self) -> str:
        """Its faction; if the lists do not define it, the one that most points are spent on."""
        return self.edition.by_name.factions.find(self.faction_name) or max(self.edition.factions, key=self.spent_on)

    @property
    def foreign_points(self) -> int:
        return sum(self.spent_on(faction) for faction in self.edition.factions if faction != self.faction)

    @property
    def hero_count(self) -> int:
        """The number of heroes, single ones included."""
        return sum(model.count for model in self.models if model.hero)

    @property
    def squad_count(self) -> int:
        """The number of squads by the rules: without single heroes and empty squads."""
        return sum(1 for squad in self.squads if squad.models and not squad.lone_hero)

    @property
    def heroes_allowed(self) -> int:
        """One for every two squads, rounded up."""
        return ceil(self.squad_count / 2)

    @property
    def hero_points(self) -> int:
        return sum(model.count * model.own_points for model in self.models if model.hero)

    @property
    def hero_points_allowed(self) -> int:
        """A quarter of the size, rounded down: 50 of 200."""
        return self.size // 4

    @property
    def mines_allowed(self) -> int:
        """Three for each hero with Traps."""
        return 3 * self.skilled("Traps")

    @property
    def vehicles_allowed(self) -> int:
        """One for each whole 200 points of the size; one below 200."""
        return max(1, self.size // 200)

    def skilled(self, skill: str) -> int:
        return sum(model.count for model in self.models if model.hero and skill in model.skill_levels)


def priced(document: Document, terms: Terms) -> Army:
    edition: Edition = terms.edition.lists
    squads, faction = document["squads"], document["faction"]
    return Army(
        edition=edition,
        faction_name=faction,
        squads=tuple(
            Squad(
                i,
                squad.get("number", i + 1),
                squad["name"],
                tuple(_figures(i, j, model, edition) for j, model in enumerate(squad["models"])),
            )
            for i, squad in enumerate(squads)
        ),
        vehicles=tuple(_drive(n, name, edition, faction) for n, name in enumerate(document["vehicles"], len(squads))),
        mines=document["mines"],
        terms=terms,
    )


def _figures(squad: int, place: int, raw: dict[str, Any], edition: Edition) -> Figures:
    named = edition.by_name
    troop, grenade = named.troops.find(raw["name"]), named.weapons.find("Grenade")
    return Figures(
        squad=squad,
        place=place,
        name=raw["name"],
        rank=raw["rank"],
        count=raw["count"],
        troop=troop,
        profile=troop.ranks.get(raw["rank"]) if troop else None,
        weapon_name=raw["weapon"],
        weapon=named.weapons.find(raw["weapon"]) if raw["weapon"] else None,
        grenades=raw["grenades"],
        grenade_points=grenade.points if grenade else 0,
        items=tuple(Carried(name, named.items.find(name)) for name in raw["items"]),
        level=raw["level"],
        level_points=edition.level_points(raw.get("paid", raw["level"])) if raw["rank"] == "hero" else 0,
        skills=tuple(Chosen(s["name"], s["level"], named.skills.find(s["name"]) is not None) for s in raw["skills"]),
    )


def _drive(place: int, name: str, edition: Edition, faction: str) -> Drive:
    entry = edition.by_name.vehicles.find(name)
    return Drive(place, name, entry, edition.vehicle_points(entry, faction) if entry else 0)
