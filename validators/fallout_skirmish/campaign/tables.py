"""The tables of the campaign, data/campaign.json, each with its chapter of the rulebook as ``source``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validators.campaign import Dice
from validators.fallout_skirmish.edition import DATA

RAW: Mapping[str, Any] = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))
NAMES: Mapping[str, str] = RAW["profile"]
LETTERS = tuple(NAMES)
MOST: Mapping[str, int] = {letter: RAW["most"][letter] for letter in LETTERS}
LEVELS: tuple[int, ...] = tuple(RAW["levels"]["xp"])
CENTAUR = "Centaur"


@dataclass(frozen=True)
class Injury:
    """A row of the injury table; ``id`` "" is the full recovery."""

    first: int
    last: int
    id: str
    name: str
    lowers: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


INJURIES = tuple(Injury(*row) for row in RAW["injuries"]["rows"])
INJURY = {one.id: one for one in INJURIES}


def injury_of(total: int) -> Injury:
    """The row of the injury table for this total of 2D12."""
    return next(one for one in INJURIES if one.first <= total <= one.last)


def row_of(rows: list[list[Any]], total: int) -> list[Any]:
    """The row [from, to, ...] of a table that holds this total."""
    return next(row for row in rows if row[0] <= total <= row[1])


def level_of(xp: int) -> int:
    """How many levels so much experience has reached."""
    return sum(xp >= needed for needed in LEVELS)


def rank_of_level(level: int) -> str:
    """The rank that the experience table names for a level."""
    return (
        "Ultimate Survivor" if level >= 20 else "Veteran" if level >= 14 else "Experienced" if level >= 7 else "Green"
    )


@dataclass(frozen=True)
class Yields:
    """So many dice, plus a figure, times a figure."""

    dice: int
    sides: int
    plus: int
    times: int

    @property
    def words(self) -> str:
        """ "(2D6 + 2) × 5", as the rulebook's turf table has it."""
        number = "" if self.dice == 1 else str(self.dice)
        rolled = f"{number}D{self.sides}" if self.dice else ""
        total = " + ".join(filter(None, (rolled, str(self.plus) if self.plus else "")))
        return total if self.times == 1 else f"({total}) × {self.times}" if self.plus else f"{total} × {self.times}"

    def rolled(self, dice: Dice, why: str) -> int:
        """What it yields with these dice."""
        return (self._dice(dice, why) + self.plus) * self.times

    def _dice(self, dice: Dice, why: str) -> int:
        return dice.roll(why, self.sides, self.dice).total if self.dice else 0


@dataclass(frozen=True)
class Turf:
    """What a turf brings: to its visitor, instead of that, and without a visit."""

    caps: Yields | None = None
    food: Yields | None = None
    instead: str = ""
    double: str = ""
    """The item for a double of the dice."""
    charisma: int = 0
    rerolls: bool = False
    feeds: bool = False
    sells: bool = False


def _turf(row: Mapping[str, Any]) -> Turf:
    yields = {key: Yields(*row[key]) for key in ("caps", "food") if key in row}
    return Turf(**{**row, **yields})


TURFS = {name: _turf(row) for name, row in RAW["turfs"].items() if name != "source"}
"""By the name of the turf. One that an edition adds has none here: nothing is known of its yield."""


@dataclass(frozen=True)
class Ware:
    """A line of a merchant's table; its names are several things of one price."""

    names: tuple[str, ...]
    rarity: int
    caps: int
    mod: int

    @property
    def label(self) -> str:
        """The line as the table has it."""
        return "/".join(self.names)


@dataclass(frozen=True)
class Merchant:
    """A merchant; ``score`` is what the leader needs to find him, 0 for one who is always there."""

    id: str
    name: str
    charisma: int
    score: int
    wares: tuple[Ware, ...]

    def ware(self, label: str) -> Ware:
        """The line with this label."""
        return next(one for one in self.wares if one.label == label)


def _merchant(row: Mapping[str, Any]) -> Merchant:
    return Merchant(**{**row, "wares": tuple(Ware(tuple(names), *figures) for names, *figures in row["wares"])})


MERCHANTS = {row["id"]: _merchant(row) for row in RAW["merchants"]["rows"]}


def barter_price(base: int, mod: int, ours: int, theirs: int) -> int:
    """What a merchant asks after bartering: each point of difference is worth the ware's modifier; at least 1 Cap."""
    return max(1, base - (ours - theirs) * mod)


def of_force(name: str) -> Mapping[str, Any]:
    """What a force has otherwise in a campaign."""
    found: Mapping[str, Any] = RAW["forces"].get(name, {})
    return found
