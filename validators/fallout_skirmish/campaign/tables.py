"""The rulebook's campaign tables: injuries, levels, turfs, merchants (chapters 9 and 10)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from languages.message import Text, counted_message, worded
from validators.campaign import Dice
from validators.fallout_skirmish.edition import DATA

RAW: Mapping[str, Any] = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))
NAMES: Mapping[str, str] = RAW["profile"]
MOST: Mapping[str, int] = {letter: RAW["most"][letter] for letter in NAMES}
USED: Mapping[str, Any] = RAW["used_up"]
CENTAUR = "Centaur"
MOST_SLAVES = 3
"""The most slaves of one encounter: a D3 (7.4)."""


@dataclass(frozen=True)
class Injury:
    """A result of the injury table; ``id`` "" is the full recovery."""

    id: str
    name: str
    lowers: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


INJURY = {id_: Injury(id_, *said[:2], **(said[2] if said[2:] else {})) for _, _, id_, *said in RAW["injuries"]["rows"]}


def row_of(rows: list[list[Any]], total: int) -> list[Any]:
    """The row [from, to, ...] of a table whose range contains this total."""
    return next(row for row in rows if row[0] <= total <= row[1])


def caps_text(number: int) -> Text:
    """A number of Caps, as data: "1 Cap"."""
    return counted_message("%(num)s Cap", "%(num)s Caps", number)


def caps_words(number: int) -> str:
    """A number of Caps, worded: "1 Cap"."""
    return worded(caps_text(number))


def rads_text(number: int) -> Text:
    """A number of rads, as data: "1 rad"."""
    return counted_message("%(num)s rad", "%(num)s rads", number)


def injury_of(total: int) -> Injury:
    """The injury for this total of 2D12."""
    return INJURY[row_of(RAW["injuries"]["rows"], total)[2]]


def level_of(xp: int) -> int:
    """The level that this much experience has reached."""
    return sum(xp >= needed for needed in RAW["levels"]["xp"])


def rank_of_level(level: int) -> str:
    """The experience table's title for a level."""
    titles = {20: "Ultimate Survivor", 14: "Veteran", 7: "Experienced", 0: "Green"}
    return next(title for least, title in titles.items() if level >= least)


@dataclass(frozen=True)
class Yields:
    """A rolled amount: (dice + ``plus``) × ``times``."""

    dice: int
    sides: int
    plus: int
    times: int

    def words(self, rolled: str = "") -> str:
        """The formula as in the rulebook's turf table, "(2D6 + 2) × 5", or with a roll in it: "(7 + 2) × 5"."""
        number = "" if self.dice == 1 else str(self.dice)
        rolled = rolled or (f"{number}D{self.sides}" if self.dice else "")
        total = " + ".join(filter(None, (rolled, str(self.plus) if self.plus else "")))
        return total if self.times == 1 else f"({total}) × {self.times}" if self.plus else f"{total} × {self.times}"

    def rolled(self, dice: Dice, why: Text) -> tuple[int, str]:
        """The amount that these dice give, and its arithmetic: "(7 + 2) × 5 = 45"."""
        total = dice.roll(why, self.sides, self.dice).total if self.dice else 0
        amount, words = (total + self.plus) * self.times, self.words(str(total or ""))
        return amount, words if words == str(amount) else f"{words} = {amount}"


@dataclass(frozen=True)
class Turf:
    """What a turf gives: ``caps`` and ``food`` to its visitor, or ``instead`` another choice; the rest without a visit.

    ``charisma`` is added at the fixed merchant, ``rerolls`` an injury, ``feeds`` half the group.
    """

    caps: Yields | None = None
    food: Yields | None = None
    instead: str = ""
    double: str = ""
    """The item that the visitor finds if both dice are equal."""
    charisma: int = 0
    rerolls: bool = False
    feeds: bool = False


TURFS = {
    name: Turf(**row | {key: Yields(*row[key]) for key in ("caps", "food") if key in row})
    for name, row in RAW["turfs"].items()
    if name != "source"
}
"""Turfs by name. A turf that only an imported edition has is missing, because its yield is unknown."""


@dataclass(frozen=True)
class Ware:
    """A row of a merchant's table: ``label`` is an item, or several of one price ("Brass Knuckles/Knife").

    ``rarity`` is the number of D12 added to the cost, ``mod`` the Caps for each point of the bartering roll.
    """

    label: str
    rarity: int
    caps: int
    mod: int

    @property
    def names(self) -> list[str]:
        return self.label.split("/")


@dataclass(frozen=True)
class Merchant:
    """A merchant; ``score`` is the D12 + Luck needed to find him, 0 if he is always there."""

    id: str
    name: str
    charisma: int
    score: int
    wares: Mapping[str, Ware]
    """By label."""


MERCHANTS = {
    row["id"]: Merchant(**row | {"wares": {label: Ware(label, *figures) for label, *figures in row["wares"]}})
    for row in RAW["merchants"]["rows"]
}
GOODS = RAW["goods"] | {label: ware.caps for merchant in MERCHANTS.values() for label, ware in merchant.wares.items()}
"""The value of items that neither a force's list nor chapter 12 prices."""


def barter_price(base: int, mod: int, ours: int, theirs: int) -> int:
    """The price after bartering: each point of difference changes it by the ware's modifier; at least 1 Cap."""
    return max(1, base - (ours - theirs) * mod)


MOST_RADS = RAW["rads"]["rows"][-1][1]
"""The most rads that a character survives, and the boxes for them on a sheet."""
