"""A group of the second ledger of Fallout Skirmish campaigns, with the tables of chapters 6 to 13 of the rulebook.

It reads the force lists (chapters 11 and 12) from the edition's JSON.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.validators.simple_fallout_skirmish import LISTS, PRICES

FORCES = {force["name"]: force for force in LISTS["forces"]}
XP = [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100]
TURFS = [
    (3, "Scrapyard"), (5, "Moonshine Caravan"), (7, "Free Trader"), (9, "Bar"), (11, "Casino"), (13, "Hotel"),
    (15, "Marketplace"), (16, "Super-Duper Mart"), (17, "Cave Fungus Mine"), (18, "Power Station"), (19, "Tinkerer"),
    (20, "Gunsmith"), (21, "Doctor"), (22, "Fashion Store"), (23, "Dairy Farm"), (24, "Nuka Cola Plant"),
]  # fmt: skip
INJURIES = [
    (4, "dead"), (6, "leg"), (8, "arm"), (10, "eye"), (12, "scar"), (14, "head"), (16, "arms"),
    (18, "body"), (20, "legs"), (24, "")
]  # fmt: skip
ADVANCES = [
    (3, "any perk"), (5, "I"), (7, "E"), (9, "perk"), (11, "C"), (12, "A"), (13, "P"), (14, "S"), (16, "W"),
    (18, "perk"), (20, "AP"), (22, "L"), (24, "any perk")
]  # fmt: skip
LOWERED = {"eye": ("P", 2), "scar": ("C", 1), "head": ("I", 1), "arms": ("S", 1), "body": ("E", 1), "legs": ("A", 1)}
BIG_GUNS = ["Minigun", "Missile Launcher", "Flamer", "Heavy Incinerator", "Gatling Laser"]
INVENTIONS = [
    "10mm Pistol", "Chinese Pistol", "10mm SMG", "Combat Shotgun", "Assault Rifle", "Chinese Assault Rifle",
    "Silenced 10mm Pistol", "Scoped .44 Magnum", "Hunting Rifle", "Sniper Rifle", "Sawed-Off Shotgun", "Infiltrator",
    "Laser Pistol", "Plasma Pistol",
]  # fmt: skip
SCAVENGER = [(7, ""), (9, "Knife"), (11, "Frag Grenade"), (15, "10mm SMG"), (18, "Laser Pistol")]
OUTPOST = [(7, ""), (9, "Knife"), (11, "Plasma Grenade"), (15, "Power Fist"), (18, "Plasma Pistol")]
BUILDING = [
    (2, "Centaur"), (4, "Gatling Laser"), (6, "Laser Rifle"), (8, "Assault Rifle"), (10, "Hunting Rifle"),
    (12, "Nail Board"), (14, "Frag Grenade"), (16, "Combat Shotgun"), (18, "Ripper"), (19, "Plasma Grenade"), (24, "")
]  # fmt: skip
MERCHANTS: dict[str, tuple[int, int, dict[str, tuple[int, int, int]]]] = {
    "fixed": (9, 0, {
        "Brass Knuckles/Knife": (0, 10, 1), "Tire Iron/Lead Pipe": (0, 10, 1),
        "Baseball Bat/Sledgehammer/Nail Board": (0, 20, 1), "10mm Pistol/Chinese Pistol": (0, 15, 1),
        "10mm SMG": (1, 25, 1), "Combat Shotgun": (1, 30, 2), "Hunting Rifle": (1, 35, 1),
        "Sawed-Off Shotgun": (1, 25, 2), "Minigun": (2, 80, 3), "Frag Grenade": (1, 20, 1),
        "Leather Armor": (0, 20, 1), "Stimpak": (1, 25, 1), "Doctor’s Bag": (1, 35, 2),
    }),
    "wolfgang": (10, 10, {
        "Rock-It Launcher requirements": (1, 20, 1), "Nuka Grenade requirements": (1, 20, 2),
        "Shishkebab requirements": (1, 20, 2), "Dart Gun requirements": (1, 20, 1),
        "Dart Gun schematics": (2, 30, 2), "Rock-It Launcher schematics": (2, 30, 2),
    }),
    "crow": (8, 11, {
        "Leather Armor": (1, 20, 1), "Metal Armor": (2, 30, 2), "Combat Armor": (2, 40, 2), "Power Armor": (3, 50, 3),
    }),
    "hoff": (7, 11, {
        "Stimpak": (1, 25, 1), "Doctor’s Bag": (1, 35, 2), "Jet": (0, 10, 1), "Buffout": (1, 15, 1),
        "Mentats": (1, 15, 2), "Med-X": (1, 20, 1), "RadAway": (2, 25, 2), "Psycho": (1, 15, 1),
        "Nuka Grenade schematics": (2, 30, 2),
    }),
    "harith": (8, 12, {
        "Chinese Officer’s Sword": (2, 30, 2), "Ripper": (3, 40, 3), "Power Fist": (3, 50, 3),
        "Assault Rifle/Chinese Assault Rifle": (1, 30, 2), "Silenced 10mm Pistol": (1, 20, 2),
        "Scoped .44 Magnum": (2, 30, 2), "Sniper Rifle": (2, 50, 3), "Infiltrator": (2, 35, 3),
        "Laser Pistol": (1, 20, 2), "Plasma Pistol": (1, 25, 3), "Laser Rifle": (2, 40, 2), "Plasma Rifle": (2, 50, 3),
        "Missile Launcher": (3, 100, 3), "Flamer": (3, 80, 3), "Gatling Laser": (3, 120, 4),
        "Plasma Grenade": (1, 30, 1), "Pulse Grenade": (1, 15, 1), "Shishkebab schematics": (2, 30, 3),
    }),
}  # fmt: skip
MUST_WEAR = {
    "Knight": ["Power Armor"], "Paladin": ["Power Armor"], "Trooper": ["Power Armor"],
    "Hellfire Trooper": ["Power Armor"], "Merc": ["Combat Armor"], "Veteran Merc": ["Combat Armor"],
    "Commander": ["Combat Armor", "Metal Armor"], "Officer": ["Trench Coat"], "Deputy": ["Trench Coat"],
    "Sheriff": ["Trench Coat"], "Security Officer": ["Leather Armor"],
}  # fmt: skip
"""By rank; the Enclave's Officers may be given a coat, the Regulators' must."""


def row(table: list[tuple[int, str]], total: int, beyond: str = "") -> str:
    """The first line of a table that reaches this total."""
    return next((name for most, name in table if total <= most), beyond)


def half(number: int) -> int:
    """5.1.3: always round up."""
    return -(-number // 2)


@dataclass
class Person:
    """A character; rank "Centaur" is the creature."""

    rank: str
    xp: int = 0
    level: int = 0
    items: Counter[str] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    perks: list[str] = field(default_factory=list)
    injuries: list[str] = field(default_factory=list)
    addictions: set[str] = field(default_factory=set)
    rads: int = 0
    hunger: int = 0
    neglect: int = 0
    captive: bool = False
    gone: bool = False
    owed: int = 0
    choices: list[str] = field(default_factory=list)


class Group:
    """The possessions of one group, and its open sequence of steps."""

    def __init__(self, faction: str) -> None:
        self.faction, self.force = faction, FORCES[faction]
        self.caps, self.clean, self.irradiated = 500, 0, 0
        self.stash: Counter[str] = Counter()
        self.turfs: list[str] = []
        self.people: dict[str, Person] = {}
        self.leader = ""
        self.game: dict[str, Any] = {}
        self.begin({})

    def begin(self, game: Mapping[str, Any]) -> None:
        self.game = dict(game)
        self.took: set[str] = set()
        self.fought: dict[str, Mapping[str, Any]] = {}
        self.searched: set[str] = set()
        self.injured: dict[str, int] = {}
        self.foraged: set[str] = set()
        self.no_doctor: set[str] = set()
        self.rolled: dict[str, int] = {}
        self.met: list[str] = []
        self.errands: set[str] = set()
        self.visited: list[int] = []
        self.meals = self.objective = self.recruited = self.charm = self.things = 0
        self.merchant, self.healed, self.at_home, self.cooked = "", "", False, False
        self.quotes: dict[str, int] = {}

    def record(self, key: str, data: Mapping[str, Any]) -> None:
        assert data["took"] or key not in self.searched, "7.4: a character who searched took part"
        self.fought[key] = data

    def searching(self, key: str) -> str:
        assert self.fought.get(key, {"took": key in self.took})["took"], "7.4: only characters who took part search"
        self.searched.add(key)
        return key

    @property
    def here(self) -> dict[str, Person]:
        return {key: one for key, one in self.people.items() if not one.gone}

    @property
    def characters(self) -> dict[str, Person]:
        """The members without creatures."""
        return {key: one for key, one in self.here.items() if one.rank != "Centaur"}

    @property
    def able(self) -> list[str]:
        fit = {key for key, one in self.characters.items() if one.injuries.count("eye") < 2 and not one.captive}
        return [key for key in self.characters if key in fit - self.errands]

    def fit(self, key: str) -> bool:
        """Whether a character can be in a game: not locked up, blind, or without its armour."""
        one = self.people[key]
        bare = one.rank in MUST_WEAR and not any(one.items[coat] for coat in MUST_WEAR[one.rank])
        bare = bare and (self.faction, one.rank) != ("Enclave", "Officer")
        return not (one.captive or bare or one.injuries.count("eye") >= 2)

    def charisma(self, merchant: str, buying: bool) -> int:
        """The leader's, with what helps to barter (9.1.1, 10.3, 11.7.2, 12.2)."""
        leader = self.people[self.leader]
        total = self.now(leader, "C") + self.charm - (self.faction == "Vault Residents")
        total += 2 * ("Marketplace" in self.turfs and merchant == "fixed")
        awake = not self.printed(leader, "C") >= 6 > self.now(leader, "C")
        trader = awake and "Master Trader" in leader.perks
        return total + buying * (1 + trader)

    @property
    def items(self) -> Counter[str]:
        return sum((one.items for one in self.here.values()), self.stash)

    def printed(self, one: Person, what: str) -> int:
        """A characteristic with advances."""
        rank = next(rank for rank in self.force["ranks"] if rank["name"] == one.rank)
        figures = dict(zip("SPECIAL", rank["special"], strict=True))
        figures |= {"W": rank["wounds"], "AP": rank["action_points"]}
        return int(figures[what] + one.raised[what])

    def now(self, one: Person, what: str) -> int:
        """The same with injuries, rads (6.4.1) and a lucky cap."""
        if one.rank == "Centaur":
            return {"L": 4, "E": 5}[what]
        poisoned = {"E": (6, 11, 16), "A": (11, 16), "S": (16, 21)}.get(what, ())
        lost = sum(LOWERED[injury][1] for injury in one.injuries if LOWERED.get(injury, "")[:1] == (what,))
        cap = what == "L" and one.items["Lucky Baseball Cap"] > 0
        figure = max(0, self.printed(one, what) - lost - sum(one.rads >= least for least in poisoned))
        return min(10, figure + 1) if cap else figure

    def may_have(self, one: Person, perk: str, kind: str) -> bool:
        asks = LISTS["perks"][perk]
        if perk in one.perks or perk == "Leader":
            return False
        if kind == "any perk" or not asks:
            return True
        word, least = asks.split()
        return bool(self.now(one, word[0]) >= int(least))

    def price(self, item: str) -> int:
        """The own list, chapter 12, the merchants; a custom weapon counts its parts, a lucky cap 30."""
        own = {**self.force["weapons"], **{armour["name"]: armour["caps"] for armour in self.force["armour"]}}
        wares = {ware: figures[1] for _, _, table in MERCHANTS.values() for ware, figures in table.items()}
        for prices in (own, PRICES, wares):
            if prices.get(item) is not None:
                return int(prices[item])
        return 30 if item == "Lucky Baseball Cap" else 20

    @property
    def rating(self) -> int:
        """9.1.3; 11.5.2 for Centaurs."""
        cost = {rank["name"]: rank["caps"] for rank in self.force["ranks"]} | {"Centaur": 50}
        people = sum(cost[one.rank] + one.xp for one in self.here.values())
        return int(people + sum(self.price(item) * many for item, many in self.items.items()) + 50 * len(self.turfs))

    def summary(self) -> dict[str, Any]:
        return {
            "caps": self.caps, "clean": self.clean, "irradiated": self.irradiated, "stash": dict(+self.stash),
            "turfs": tuple(self.turfs), "leader": self.leader, "rating": self.rating,
            "gone": sorted(key for key, one in self.people.items() if one.gone),
            **{key: (one.rank, one.xp, one.level, {what: by for what, by in one.raised.items() if by},
                     sorted(one.perks), sorted(one.injuries), dict(+one.items), one.rads, sorted(one.addictions),
                     one.hunger, one.neglect, one.captive) for key, one in self.here.items()},
        }  # fmt: skip

    def join(self, place: int, xp: int = 0, items: Iterable[str] = ()) -> None:
        """A new character of a rank, 0 the lowest; 3 is a Centaur."""
        rank = "Centaur" if place == 3 else self.force["ranks"][place]["name"]
        level = sum(xp >= least for least in XP)
        self.people[f"c{len(self.people) + 1}"] = Person(rank, xp, level, Counter(items))

    def leave(self, key: str, keeps: bool, in_game: bool = False) -> None:
        """Remove a member; the group keeps the equipment or loses it. 9.1.4: a new leader. 11.7.2: an Overseer."""
        one = self.people[key]
        one.gone = True
        if in_game and one.rank == "Overseer":
            self.join(2, 50)
        if keeps:
            self.stash += one.items
        one.items = Counter()
        if key == self.leader:
            top = self.charming()
            self.leader = top[0] if len(top) == 1 else ""

    def charming(self) -> list[str]:
        most = max((self.now(one, "C") for one in self.characters.values()), default=0)
        return [key for key, one in self.characters.items() if self.now(one, "C") == most]

    def gain(self, key: str, xp: int) -> None:
        """10.2: an advance for each new level; nobody has less than 0 XP."""
        one = self.people[key]
        one.xp = max(0, one.xp + xp)
        level = sum(one.xp >= least for least in XP)
        one.owed += max(0, level - one.level)
        one.level = max(one.level, level)

    def hurt(self, key: str, total: int, in_game: bool = False) -> None:
        """10.1."""
        injury = row(INJURIES, total)
        if injury == "dead":
            self.leave(key, keeps=False, in_game=in_game)
        elif injury:
            self.people[key].injuries.append(injury)

    def irradiate(self, key: str, in_game: bool = False) -> None:
        """6.4.1: 26 are death."""
        if self.people[key].rads >= 26:
            self.leave(key, keeps=True, in_game=in_game)

    def take_from(self, item: str, first: str = "") -> None:
        """Use up an item: from the stash, else from ``first``, else from any member."""
        carriers = [*([self.people[first]] if first else []), *self.here.values()]
        for place in (self.stash, *(one.items for one in carriers)):
            if place[item] > 0:
                place[item] -= 1
                return
        raise AssertionError(f"no {item}")
