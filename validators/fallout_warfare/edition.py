"""Editions of the Fallout: Warfare lists: the schema of their file, lookup by name, and price lists."""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from languages.words import N_, gettext, labelled, minus, ngettext
from validators.contract import EditionInfo
from validators.edition_file import (
    Aliases,
    HeadOfEdition,
    Name,
    Sentence,
    alias_faults,
    duplicates,
    info_of,
    names_in,
    shaped_edition,
)
from validators.editions import PriceList, PriceRow, other_names
from validators.faults import Fault
from validators.kit.shapes import Part
from validators.names import ByName, by_name, fold, name_table

Rank = Literal["grunt", "squadleader", "hero"]
RANKS: tuple[Rank, ...] = ("grunt", "squadleader", "hero")
Kind = Literal["troop", "paladin", "beastlord", "beast", "wolf", "alpha", "robot"]
"""The kinds that the army rules distinguish; wolves and alphas are also beasts."""
Arms = Literal["any", "none", "own"]
"""Any weapon in the table, no weapon, or only the entry's own attacks."""
STATISTICS = ("ST", "PE", "EN", "CH", "IN", "AG", "LK")
Points = Annotated[int, Field(ge=0, le=999)]
Figure = Annotated[int, Field(ge=0, le=99)]
ATTACK = re.compile(
    r"(?:Ranged )?(?P<range>[^:]{1,60}): (?:(?P<dice>[^,]{1,60}), )?"
    r"save (?P<save>[^ ,]{1,9}), damage (?P<damage>.{1,60})"
)
"""A troop's own attack in words: "Ranged 4″/8″: save -1, damage 1"."""
IN_WORDS = (
    N_("Melee: poison only"), N_("1d10-6, at least 1"), N_("1d10-8, at least 1"),
    N_("3, up to three targets within 2″"), N_("4, up to three targets within 4″"),
)  # fmt: skip
"""The attacks and damages of shipped editions that have words."""
SkillLevel = Annotated[str, Field(pattern=r"^([0-9]{1,2}|ST|PE|EN|CH|IN|AG|LK)$")]


class Profile(Part):
    """A troop at one rank; ``points`` is None if the lists print no cost."""

    special: list[Figure] = Field(min_length=7, max_length=7)
    """ST PE EN CH IN AG LK."""
    hp: Figure
    ac: Figure
    points: Points | None

    def statistic(self, name: str) -> int:
        """One of the seven statistics, by its two letters."""
        return self.special[STATISTICS.index(name)]


class Troop(Part):
    """An entry of an army list with its ranks."""

    name: Name
    faction: Name
    kind: Kind = "troop"
    weapons: Arms = "any"
    ranks: dict[Rank, Profile] = Field(min_length=1)
    skills: dict[Rank, dict[Name, SkillLevel]] = Field(default={}, max_length=3)
    """Free skills by rank: a level, or the statistic to roll against."""
    special: list[Sentence] = Field(default=[], max_length=20)
    attacks: list[Sentence] = Field(default=[], max_length=20)

    @property
    def beast(self) -> bool:
        return self.kind in ("beast", "wolf", "alpha")

    def free_skills(self, rank: Rank) -> dict[str, int]:
        """The skills that come with the rank, each with its level."""
        profile = self.ranks.get(rank)
        given = self.skills.get(rank, {})
        if profile is None:
            return {}
        return {name: int(how) if how.isdigit() else profile.statistic(how) for name, how in given.items()}


class Mode(Part):
    type: Name
    range: Name
    save: Name
    damage: Name

    @property
    def said(self) -> tuple[str, str, str]:
        """Range, save and damage in the reader's language."""
        return gettext(self.range), self.save, gettext(self.damage)


class Weapon(Part):
    """A row of the weapon table. ``each``: bought by the piece and carried in addition to another weapon."""

    name: Name
    roll: Name
    points: Points
    restricted: bool = False
    optional: bool = False
    """Whether it is only in the optional rules."""
    each: bool = False
    modes: list[Mode] = Field(default=[], max_length=9)


class Item(Part):
    """An item of Appendix C; ``intelligence`` is the required IN, ``faction`` the only faction that may have it."""

    name: Name
    points: Points
    intelligence: Figure = 0
    faction: Name | None = None
    use: Sentence | None = None


class Mounted(Part):
    """A weapon mounted on a vehicle, never bought separately."""

    name: Name
    roll: Name
    mode: Mode
    use: Sentence | None = None


class Vehicle(Part):
    """A row of Appendix D; ``permission``: it needs the opponent's consent."""

    name: Name
    move: Name
    turn: Name
    passengers: Figure
    threshold: Figure
    hit_points: Name
    points: Points
    permission: bool = False
    weapon: Mounted | None = None


class Scatter(Part):
    """How far a hit with an area effect can scatter, and the effect's radius, as in the army sheet's table."""

    name: Name
    distance: Name
    area: Name


class Race(Part):
    """The possible statistics of a race, each row ST PE EN CH IN AG LK."""

    name: Name
    least: list[Figure] = Field(min_length=7, max_length=7)
    average: list[Figure] = Field(min_length=7, max_length=7)
    most: list[Figure] = Field(min_length=7, max_length=7)


class Saving(Part):
    """A vehicle with a lower cost for armies of one faction."""

    vehicle: Name
    faction: Name
    points: Points


class Tables(NamedTuple):
    troops: ByName[Troop]
    weapons: ByName[Weapon]
    items: ByName[Item]
    vehicles: ByName[Vehicle]
    skills: ByName[str]
    factions: ByName[str]
    figures: ByName[tuple[str, Rank]]
    """Troops by the rows of their ranks: "Knight, hero"."""

    def row(self, name: str, rank: Rank) -> tuple[str, Rank]:
        """The listed name of a troop and its rank, which the name of the row may give instead."""
        texts = None if self.troops.find(name) else self.figures.find(name)
        return texts if texts and rank in (texts[1], "grunt") else (self.troops.spelling(name), rank)


BOUGHT = {
    "troops": N_("Troops"),
    "weapons": N_("Weapons"),
    "items": N_("Items"),
    "vehicles": N_("Vehicles"),
    "skills": N_("Skills"),
}
"""The lists of what can be bought, with their names."""


class Edition(HeadOfEdition):
    """An edition file with lookup by name; never changed after reading."""

    system: Literal["fallout_warfare"]
    troops: list[Troop] = Field(min_length=1, max_length=500)
    weapons: list[Weapon] = Field(max_length=200)
    items: list[Item] = Field(max_length=200)
    vehicles: list[Vehicle] = Field(max_length=200)
    vehicle_savings: list[Saving] = Field(default=[], max_length=50)
    skills: list[Name] = Field(max_length=50)
    level_xp: list[Points] = Field(min_length=1, max_length=30)
    """The experience that each level needs, from level 1."""
    mine_points: Points | None = None
    aliases: Aliases = Field(default={})
    scatter: list[Scatter] = Field(default=[], max_length=50)
    races: list[Race] = Field(default=[], max_length=50)

    @property
    def factions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(troop.faction for troop in self.troops))

    @property
    def fielded(self) -> tuple[str, ...]:
        """The factions of which an army can be bought."""
        priced = {t.faction for t in self.troops if any(profile.points is not None for profile in t.ranks.values())}
        return tuple(name for name in self.factions if name in priced)

    @cached_property
    def by_name(self) -> "Tables":
        return Tables(
            by_name(self.troops, self.aliases),
            by_name(self.weapons, self.aliases),
            by_name(self.items, self.aliases),
            by_name(self.vehicles, self.aliases),
            name_table(self.skills, self.aliases),
            name_table(self.factions, self.aliases),
            ByName((f"{t.name}, {rank}", (t.name, rank)) for t in self.troops for rank in t.ranks),
        )

    def can_lead(self, faction: str) -> bool:
        """Whether this faction has a hero, squadleader or Beastlord with a cost."""
        return any(
            profile.points is not None and (rank != "grunt" or troop.kind == "beastlord")
            for troop in self.troops
            if troop.faction == faction
            for rank, profile in troop.ranks.items()
        )

    def level_points(self, level: int) -> int:
        """A hero's level in army points: twice the experience it needs; 0 for an unknown level."""
        return 2 * self.level_xp[level - 1] if 1 <= level <= len(self.level_xp) else 0

    def vehicle_points(self, vehicle: Vehicle, faction: str) -> int:
        saved = sum(
            saving.points
            for saving in self.vehicle_savings
            if fold(saving.vehicle) == fold(vehicle.name) and fold(saving.faction) == fold(faction)
        )
        return max(0, vehicle.points - saved)


def faults_of(edition: Edition) -> Iterator[Fault]:
    yield from duplicates(edition, *BOUGHT)
    bought = [name for field in BOUGHT for name in names_in(getattr(edition, field))]
    yield from alias_faults(edition.aliases, bought, edition.factions)
    for place, race in enumerate(edition.races):
        if any(not low <= mean <= high for low, mean, high in zip(race.least, race.average, race.most, strict=True)):
            wrong = N_("%(race)s has an average that is not between its least and its most")
            yield Fault(("races", place), gettext(wrong, race=race.name))
    if not edition.fielded:
        yield Fault(("troops",), gettext("nothing has a cost: no army can be built"))


def read_edition(data: bytes) -> EditionInfo:
    edition = shaped_edition(data, Edition, faults_of)
    names = [(name, getattr(edition, field)) for field, name in BOUGHT.items()]
    return info_of(edition, edition, edition.fielded, names)


DATA = Path(__file__).parent / "data"
EDITIONS: tuple[EditionInfo, ...] = tuple(read_edition(path.read_bytes()) for path in DATA.glob("edition_*.json"))
"""The shipped editions; data/SOURCES.md names the sources of their figures."""


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    edition: Edition = info.lists
    lists = [
        PriceList(
            faction,
            tuple(row for troop in edition.troops if troop.faction == faction for row in _troop_rows(troop)),
            "" if faction in edition.fielded else N_("No cost is printed: it cannot be paid for."),
        )
        for faction in edition.factions
    ]
    lists.append(
        PriceList(gettext("Weapons"), tuple(PriceRow(w.name, str(w.points), _weapon(w)) for w in edition.weapons))
    )
    lists.append(PriceList(gettext("Items"), tuple(PriceRow(i.name, str(i.points), _item(i)) for i in edition.items)))
    vehicles = (PriceRow(v.name, str(v.points or gettext("none")), _vehicle(v, edition)) for v in edition.vehicles)
    lists.append(PriceList(gettext("Vehicles"), tuple(vehicles)))
    levels = [
        (n, ngettext("%(num)s skill point", "%(num)s skill points", n - 1)) for n in range(2, len(edition.level_xp) + 1)
    ]
    costs = (PriceRow(gettext("Level %(n)s", n=n), f"+{edition.level_points(n)}", (won,)) for n, won in levels)
    lists.append(PriceList(gettext("Levels of a hero"), tuple(costs)))
    skills = tuple(PriceRow(name, "") for name in edition.skills)
    lists.append(PriceList(gettext("Skills"), skills, N_("A hero buys them with skill points.")))
    mine = gettext("not printed") if edition.mine_points is None else str(edition.mine_points)
    lists.append(PriceList(gettext("Mines"), (PriceRow(gettext("Mine, with its decoy"), mine),)))
    areas = tuple(
        PriceRow(s.name, "", (gettext("area %(area)s, scatters %(distance)s", area=s.area, distance=s.distance),))
        for s in edition.scatter
    )
    lists.append(PriceList(gettext("Area effects"), areas, N_("By the army sheet's scatter table.")))
    races = tuple(PriceRow(race.name, "", _race(race)) for race in edition.races)
    lists.append(PriceList(gettext("Races"), races, N_("What the statistics of a race can be.")))
    lists.append(other_names(edition.aliases))
    return tuple(price_list for price_list in lists if price_list.rows)


def _troop_rows(troop: Troop) -> Iterator[PriceRow]:
    for rank in RANKS:
        profile = troop.ranks.get(rank)
        if profile is None:
            continue
        statistics = ", ".join(f"{name} {value}" for name, value in zip(STATISTICS, profile.special, strict=True))
        skills = ", ".join(f"{name} ({how})" for name, how in troop.skills.get(rank, {}).items())
        arms = {"any": "", "none": gettext("carries no weapon"), "own": gettext("fights with its own attacks")}
        name = troop.name if rank == "grunt" else f"{troop.name}, {gettext(rank)}"
        figures = f"{statistics}, HP {profile.hp}, AC {profile.ac}"
        notes = (figures, skills, arms[troop.weapons], *map(gettext, troop.special))
        notes += tuple(_figures(*own_attack(attack)) for attack in troop.attacks)
        cost = gettext("not printed") if profile.points is None else str(profile.points)
        yield PriceRow(name, cost, tuple(filter(None, notes)))


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    marks = (
        gettext("restricted") * weapon.restricted,
        gettext("optional rule") * weapon.optional,
        gettext("by the piece") * weapon.each,
    )
    return (
        *filter(None, marks),
        *(labelled(f"{mode.type} ({weapon.roll})", _figures(*mode.said)) for mode in weapon.modes),
    )


def own_attack(attack: str) -> tuple[str, str, str]:
    """Range with dice, save and damage of a troop's own attack; one in other words has them all as its range."""
    if not (match := ATTACK.fullmatch(attack)):
        return gettext(attack), "", ""
    reach = ", ".join(filter(None, (gettext(match["range"]).replace("″/", "″ / "), match["dice"])))
    return reach, match["save"], gettext(match["damage"])


def _figures(reach: str, save: str, damage: str) -> str:
    text = N_("range %(range)s, save %(save)s, damage %(damage)s")
    return minus(gettext(text, range=reach, save=save, damage=damage) if save else reach)


def _vehicle(vehicle: Vehicle, edition: Edition) -> tuple[str, ...]:
    savings = [saving for saving in edition.vehicle_savings if saving.vehicle == vehicle.name]
    notes = [gettext("only with the opponent’s permission")] * vehicle.permission
    less = N_("%(points)s less for %(faction)s")
    notes += [gettext(less, points=saving.points, faction=saving.faction) for saving in savings]
    seats = ngettext("%(num)s passenger", "%(num)s passengers", vehicle.passengers)
    held = N_("%(seats)s, damage threshold %(threshold)s, hit points %(points)s")
    notes += [
        gettext("move %(move)s, turn %(turn)s", move=vehicle.move, turn=vehicle.turn),
        gettext(held, seats=seats, threshold=vehicle.threshold, points=vehicle.hit_points),
    ]
    if own := vehicle.weapon:
        notes += [labelled(f"{own.name} ({own.roll}), {own.mode.type}", _figures(*own.mode.said))]
        notes += [gettext(own.use)] if own.use else []
    return tuple(notes)


def _race(race: Race) -> tuple[str, ...]:
    rows = {gettext("least"): race.least, gettext("average"): race.average, gettext("most"): race.most}
    return tuple(
        labelled(word, ", ".join(f"{name} {value}" for name, value in zip(STATISTICS, row, strict=True)))
        for word, row in rows.items()
    )


def _item(item: Item) -> tuple[str, ...]:
    needs = gettext("needs IN %(n)s", n=item.intelligence) if item.intelligence else ""
    alone = gettext("%(faction)s only", faction=item.faction) if item.faction else ""
    return tuple(filter(None, (needs, alone, item.use and gettext(item.use))))
