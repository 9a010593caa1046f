"""Figures and squads with their names looked up and their costs added.

Where a name is not known its entry is None and it costs nothing; the name itself is kept for the message.
"""

from dataclasses import dataclass
from functools import cached_property

from validators.fallout_warfare.edition import Item, Profile, Rank, Troop, Weapon

BASE_SKILL = 5
"""The level of a skill that a hero has newly chosen."""


@dataclass(frozen=True)
class Carried:
    """An item as the army names it, and its entry."""

    name: str
    entry: Item | None


@dataclass(frozen=True)
class Chosen:
    """A skill that was chosen, and whether the edition knows it."""

    name: str
    level: int
    known: bool


@dataclass(frozen=True)
class Figures:
    """``count`` figures of one line of a squad, all alike."""

    squad: int
    place: int
    """In the squad, from 0."""
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
    """What the level of each costs; 0 where no hero has it."""
    skills: tuple[Chosen, ...]

    @property
    def label(self) -> str:
        """The troop with its rank, as the army lists print it."""
        return self.name if self.rank == "grunt" else f"{self.name}, {self.rank}"

    @property
    def hero(self) -> bool:
        """Of that rank."""
        return self.rank == "hero"

    @property
    def beastlord(self) -> bool:
        """A Beastlord of any rank."""
        return self.troop is not None and self.troop.kind == "beastlord"

    @property
    def leads(self) -> bool:
        """Whether it can lead: heroes, squadleaders, and Beastlords of any rank."""
        return self.rank != "grunt" or self.beastlord

    @property
    def beast(self) -> bool:
        """Led by a Beastlord."""
        return self.troop is not None and self.troop.beast

    @property
    def may_be_armed(self) -> bool:
        """Whether its entry lets it take a weapon of the table; an unknown one is not judged."""
        return self.troop is None or self.troop.weapons == "any"

    @property
    def restricted(self) -> bool:
        """Armed with a restricted weapon."""
        return self.weapon is not None and self.weapon.restricted

    @property
    def armed(self) -> bool:
        """With a weapon that is paid for."""
        return self.weapon is not None and self.weapon.points > 0

    @property
    def own_points(self) -> int:
        """The character alone with its level, each."""
        return (self.profile.points or 0 if self.profile else 0) + self.level_points

    @cached_property
    def each(self) -> int:
        """One figure with all that it has."""
        return (
            self.own_points
            + (self.weapon.points if self.weapon else 0)
            + self.grenades * self.grenade_points
            + sum(item.entry.points for item in self.items if item.entry)
        )

    @property
    def points(self) -> int:
        """All of the line."""
        return self.count * self.each

    @property
    def skill_levels(self) -> dict[str, int]:
        """Every skill with its level: those of the entry and those chosen."""
        free = self.troop.free_skills(self.rank) if self.troop else {}
        chosen = {skill.name: skill.level for skill in self.skills if skill.known}
        return free | {name: max(level, free.get(name, 0)) for name, level in chosen.items()}

    @property
    def skill_points(self) -> int:
        """What the chosen skills cost: the first new one nothing, each further new one 2, each step up 1."""
        free = self.troop.free_skills(self.rank) if self.troop else {}
        known = [skill for skill in self.skills if skill.known]
        new = [skill for skill in known if skill.name not in free]
        steps = sum(max(0, skill.level - free.get(skill.name, BASE_SKILL)) for skill in known)
        return steps + 2 * max(0, len(new) - 1)


@dataclass(frozen=True)
class Squad:
    """Figures that act together, or a hero alone; ``place`` is that of the unit."""

    place: int
    name: str
    models: tuple[Figures, ...]

    @property
    def label(self) -> str:
        """How a message names it."""
        return f"squad {self.place + 1}" + (f" ({self.name})" if self.name else "")

    @property
    def leaders(self) -> tuple[Figures, ...]:
        """Whoever can lead."""
        return tuple(model for model in self.models if model.leads)

    @property
    def led(self) -> tuple[Figures, ...]:
        """Everybody else."""
        return tuple(model for model in self.models if not model.leads)

    @property
    def leader(self) -> Figures | None:
        """The one leader; None where there is none or several."""
        return self.leaders[0] if self.leader_count == 1 else None

    @property
    def leader_count(self) -> int:
        """Figures that can lead."""
        return sum(model.count for model in self.leaders)

    @property
    def led_count(self) -> int:
        """Figures that are led."""
        return sum(model.count for model in self.led)

    @property
    def lone_hero(self) -> bool:
        """One hero and nobody else: no squad in the rules' sense."""
        return not self.led and self.leader is not None and self.leader.hero

    @property
    def of_beasts(self) -> bool:
        """Led by a Beastlord, so that the beasts' rules bind it."""
        return any(model.beastlord for model in self.models)

    @cached_property
    def points(self) -> int:
        """All figures with all that they have."""
        return sum(model.points for model in self.models)
