"""A group in a campaign and its characters, the campaign's tables, and what pages and sheets show of them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from validators.campaign import Account, Dice, Member
from validators.contract import Document, EditionInfo
from validators.fallout_skirmish.edition import DATA, Edition, ForceRow
from validators.names import counted
from validators.sheet import copies

RAW: Mapping[str, Any] = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))
NAMES: Mapping[str, str] = RAW["profile"]
MOST: Mapping[str, int] = {letter: RAW["most"][letter] for letter in NAMES}
USED: Mapping[str, Any] = RAW["used_up"]
CENTAUR = "Centaur"


@dataclass(frozen=True)
class Injury:
    """A result of the injury table; ``id`` "" is the full recovery."""

    id: str
    name: str
    lowers: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


INJURY = {id_: Injury(id_, *said) for _, _, id_, *said in RAW["injuries"]["rows"]}


def row_of(rows: list[list[Any]], total: int) -> list[Any]:
    """The row [from, to, ...] of a table that holds this total."""
    return next(row for row in rows if row[0] <= total <= row[1])


def injury_of(total: int) -> Injury:
    """The injury for this total of 2D12."""
    return INJURY[row_of(RAW["injuries"]["rows"], total)[2]]


def level_of(xp: int) -> int:
    """How many levels so much experience has reached."""
    return sum(xp >= needed for needed in RAW["levels"]["xp"])


def rank_of_level(level: int) -> str:
    """The rank that the experience table names for a level."""
    titles = {20: "Ultimate Survivor", 14: "Veteran", 7: "Experienced", 0: "Green"}
    return next(title for least, title in titles.items() if level >= least)


@dataclass(frozen=True)
class Yields:
    """An amount that is rolled: dice, plus a figure, times a figure."""

    dice: int
    sides: int
    plus: int
    times: int

    def words(self, rolled: str = "") -> str:
        """ "(2D6 + 2) × 5", as the rulebook's turf table has it, or with what was rolled: "(7 + 2) × 5"."""
        number = "" if self.dice == 1 else str(self.dice)
        rolled = rolled or (f"{number}D{self.sides}" if self.dice else "")
        total = " + ".join(filter(None, (rolled, str(self.plus) if self.plus else "")))
        return total if self.times == 1 else f"({total}) × {self.times}" if self.plus else f"{total} × {self.times}"

    def rolled(self, dice: Dice, why: str) -> tuple[int, str]:
        """What it yields with these dice, and how that is made up: "(7 + 2) × 5 = 45"."""
        total = dice.roll(why, self.sides, self.dice).total if self.dice else 0
        amount, words = (total + self.plus) * self.times, self.words(str(total or ""))
        return amount, words if words == str(amount) else f"{words} = {amount}"


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


TURFS = {
    name: Turf(**row | {key: Yields(*row[key]) for key in ("caps", "food") if key in row})
    for name, row in RAW["turfs"].items()
    if name != "source"
}
"""By the name of the turf. One that an edition adds has none here: nothing is known of its yield."""


@dataclass(frozen=True)
class Ware:
    """A line of a merchant's table; its label names one thing, or several of one price: "Brass Knuckles/Knife"."""

    label: str
    rarity: int
    caps: int
    mod: int

    @property
    def names(self) -> list[str]:
        """The things that it names."""
        return self.label.split("/")


@dataclass(frozen=True)
class Merchant:
    """A merchant; ``score`` is what the leader needs to find him, 0 for one who is always there."""

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
GOODS = RAW["goods"] | {label: ware.caps for one in MERCHANTS.values() for label, ware in one.wares.items()}
"""What things count that are on no list and not in chapter 12."""


def barter_price(base: int, mod: int, ours: int, theirs: int) -> int:
    """What a merchant asks after bartering: each point of difference is worth the ware's modifier; at least 1 Cap."""
    return max(1, base - (ours - theirs) * mod)


MOST_RADS = RAW["rads"]["rows"][-1][1]
"""Boxes for rads: one more is death."""
CAPS, FOOD, IRRADIATED = Account("caps"), Account("food"), Account("food", "irradiated")


@dataclass(frozen=True)
class Character:
    """A character, also a Centaur; ``gone`` says why it is no longer with the group, "" while it is."""

    key: str
    name: str
    rank: str
    xp: int = 0
    level: int = 0
    """The highest level for which it had an advance, or with which it came."""
    raised: Mapping[str, int] = field(default_factory=dict)
    perks: tuple[str, ...] = ()
    injuries: tuple[str, ...] = ()
    items: Mapping[str, int] = field(default_factory=dict)
    rads: int = 0
    addictions: tuple[str, ...] = ()
    hunger: int = 0
    """Games in a row after which it was not fed."""
    neglect: int = 0
    """Games in a row after which its equipment was not maintained."""
    captive: bool = False
    gone: str = ""

    @property
    def centaur(self) -> bool:
        """A creature: without experience, equipment or errands."""
        return self.rank == CENTAUR

    @property
    def blind(self) -> bool:
        """Two eye wounds: no more games."""
        return self.injuries.count("eye") > 1


@dataclass(frozen=True)
class Fought:
    """What happened to a character in the game."""

    took: bool
    earned: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """Wounds inflicted ("wounded"), opponents and creatures taken out ("killed"), and whether it went down ("down")."""


@dataclass(frozen=True)
class After:
    """The sequence after the newest game: what was done in it, and what must still be done."""

    rating: int = 0
    """When the game was played."""
    fought: Mapping[str, Fought] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    injured: Mapping[str, int] = field(default_factory=dict)
    """The totals of 2D12 that hold when the phase ends."""
    pending: tuple[tuple[str, ...], ...] = ()
    """An advance, a perk, a find or an encounter that a character must still settle: its kind, the key, a figure."""
    busy: Mapping[str, str] = field(default_factory=dict)
    """What each character did instead of staying home."""
    visited: tuple[int, ...] = ()
    done: tuple[str, ...] = ()
    """What can be done only so often, once for each time."""
    meals: int = 0
    """Characters that need no food this time."""
    reward: int = 0
    merchant: str = ""
    purchases: int = 0
    """What the leader may still buy of the merchant."""
    along: int = 0
    """Characters who came along to the merchant."""
    quotes: Mapping[str, int] = field(default_factory=dict)
    """The price of each line that was bartered for."""


@dataclass(frozen=True)
class Group:
    """A group at one moment of a campaign."""

    edition: EditionInfo = field(repr=False, compare=False)
    settings: Mapping[str, str] = field(repr=False, compare=False)
    name: str
    faction: str
    caps: int = 0
    food: int = 0
    irradiated: int = 0
    stash: Mapping[str, int] = field(default_factory=dict)
    turfs: tuple[str, ...] = ()
    everybody: tuple[Character, ...] = ()
    leader: str = ""
    """Its key; "" where nobody leads."""
    after: After = After()

    @property
    def lists(self) -> Edition:
        """The edition's force lists."""
        lists: Edition = self.edition.lists
        return lists

    @cached_property
    def force(self) -> ForceRow:
        """The force on the edition's lists."""
        found = self.lists.forces.find(self.faction)
        assert found, self.faction  # noqa: S101 - groups are founded from a force of the edition only
        return found

    @property
    def own(self) -> Mapping[str, int]:
        """What the force has otherwise in a campaign."""
        own: Mapping[str, int] = RAW["forces"].get(self.force.name, {})
        return own

    @property
    def present(self) -> tuple[Character, ...]:
        """Everybody who is with the group, Centaurs included."""
        return tuple(one for one in self.everybody if not one.gone)

    @property
    def characters(self) -> tuple[Character, ...]:
        """The characters who are with the group."""
        return tuple(one for one in self.present if not one.centaur)

    @property
    def full(self) -> bool:
        """No more characters may join."""
        return len(self.characters) >= self.force.group_most

    def who(self, key: str) -> Character:
        """The character with this key."""
        return next(one for one in self.everybody if one.key == key)

    def worth(self, item: str) -> int:
        """What an item counts: the price on the own lists, else of chapter 12, else of ``GOODS``."""
        listed = self.force.price(item)
        entry = self.lists.item(item)
        usual = entry.row.caps if entry else None
        return listed if listed is not None else usual if usual is not None else GOODS.get(item, 0)

    def base(self, one: Character) -> dict[str, int]:
        """The profile as printed, with every advance."""
        rank = self.force.rank(one.rank)
        printed = (*rank.special, rank.wounds, rank.action_points) if rank else RAW["centaur"]["profile"]
        return {letter: figure + one.raised.get(letter, 0) for letter, figure in zip(NAMES, printed, strict=True)}

    def profile(self, one: Character) -> dict[str, int]:
        """The profile with injuries, rads and a lucky cap, without what lasts for a game only."""
        figures = self.base(one)
        for lowers in (*(INJURY[injury].lowers for injury in one.injuries), poison(one.rads)):
            for letter, less in lowers.items():
                figures[letter] = max(0, figures[letter] - less)
        if one.items.get("Lucky Baseball Cap"):
            figures["L"] = min(MOST["L"], figures["L"] + 1)
        return figures

    def possessions(self) -> Counter[str]:
        """Every item of the stash and of the characters."""
        held = Counter(self.stash)
        for one in self.present:
            held.update(one.items)
        return held

    def crippled(self, one: Character, limb: str) -> bool:
        """Whether both of the character's arms, or legs, are crippled."""
        both = self.settings["cripples"] == "both" and f"{limb}s" in one.injuries
        return both or one.injuries.count(limb) > 1

    def unfit(self, one: Character) -> str:
        """Why the character can take part in no games; "" where it can."""
        if one.blind:
            return "blind"
        return "both legs are crippled" if self.crippled(one, "leg") and self.settings["two_legs"] == "home" else ""

    def changed(self, key: str, **fields: Any) -> "Group":
        """The group with other fields of one character."""
        return replace(self, everybody=tuple(replace(c, **fields) if c.key == key else c for c in self.everybody))


def balances(group: Group) -> dict[Account, int]:
    """What the group has, for each account that is not empty."""
    held = {CAPS: group.caps, FOOD: group.food, IRRADIATED: group.irradiated}
    held |= {Account("item", name): count for name, count in group.possessions().items()}
    held |= {Account("character", one.name): 1 for one in group.present}
    held |= {Account("turf", name): count for name, count in Counter(group.turfs).items()}
    return {account: amount for account, amount in held.items() if amount}


def rating(group: Group) -> int:
    """9.1.3: the cost of all characters and equipment, their experience, 50 for each turf and each Centaur."""
    hired = sum(rank.caps for one in group.characters if (rank := group.force.rank(one.rank)))
    gear = sum(group.worth(name) * count for name, count in group.possessions().items())
    centaurs = sum(one.centaur for one in group.present) * RAW["centaur"]["rating"]
    turfs = group.lists.file.turf_rating * len(group.turfs)
    return int(hired + gear + centaurs + turfs + sum(one.xp for one in group.characters))


def members(group: Group) -> tuple[Member, ...]:
    """Everybody who ever was in the group."""
    return tuple(_member(group, one) for one in group.everybody)


def _member(group: Group, one: Character) -> Member:
    profile = group.profile(one)
    figures = profile | ({} if one.centaur else {"XP": one.xp, "Level": level_of(one.xp)})
    carries = tuple(copies(count, name) for name, count in sorted(one.items.items()))
    doses = tuple("×" if n <= one.rads else str(n) if n % 5 == 0 else "" for n in range(1, MOST_RADS + 1))
    shown = tuple((label, str(figure)) for label, figure in figures.items())
    boxes = ("Wounds", ("",) * profile["W"]), ("Rads", doses)
    return Member(one.key, one.name, one.rank, shown, carries, tuple(notes(group, one)), boxes, one.gone)


def notes(group: Group, one: Character) -> Iterator[str]:
    """Perks, injuries and what lasts, of one character."""
    hired, title = group.force.rank(one.rank), rank_of_level(level_of(one.xp))
    risen = title if hired and title not in (rank_of_level(level_of(hired.experience)), one.rank) else ""
    yield from filter(None, ("Leader" if group.leader == one.key else "", risen))
    for perk in one.perks:
        yield f"Perk {perk}" + (" (asleep: an injury lowers what it needs)" if asleep(group, one, perk) else "")
    for injury, times in Counter(one.injuries).items():
        row = INJURY[injury]
        less = ", ".join(f"{letter} −{by * times}" for letter, by in row.lowers.items())
        yield copies(times, row.name) + "".join(f": {said}" for said in (less or row.note,) if said)
    poisoned = ", ".join(f"{letter} −{less}" for letter, less in poison(one.rads).items())
    missing = needs_armour(group, one)
    no_games = ": no more games" if group.settings["two_legs"] == "home" else ""
    lasting = {
        "Blind: no more games": one.blind,
        "Both arms crippled: no weapons": group.crippled(one, "arm"),
        f"Both legs crippled{no_games}": group.crippled(one, "leg"),
        f"{counted(one.rads, 'rad')}{': ' if poisoned else ''}{poisoned}": one.rads,
        f"Addicted to {' and '.join(one.addictions)}: without a dose in a game, SPECIAL −1": one.addictions,
        f"Hungry: Endurance −{one.hunger} in the next game": one.hunger,
        f"Equipment not maintained: −{one.neglect} to the roll for criticals": one.neglect,
        "Locked up: not in the next game": one.captive,
        f"Stays home without {missing}": missing and not one.gone,
    }
    yield from (said for said, holds in lasting.items() if holds)


def poison(rads: int) -> Mapping[str, int]:
    """What so many rads lower while they last (6.4.1)."""
    rows = RAW["rads"]["rows"]
    lowers: Mapping[str, int] = {} if rads < rows[0][0] else row_of(rows, min(rads, rows[-1][1]))[2]
    return lowers


def needs_armour(group: Group, one: Character) -> str:
    """The armour that the character's rank must wear in games, where it has none; "" otherwise."""
    if one.centaur or one.rank not in group.force.must_wear:
        return ""
    open_to = group.force.may_wear(one.rank)
    return "" if any(name in one.items for name in open_to) else " or ".join(open_to)


def perk_open(profile: Mapping[str, int], group: Group, perk: str) -> bool:
    """Whether a profile has the characteristic that a perk asks for: "Endurance 5" is the least of it."""
    name, _, least = group.lists.file.perks.get(perk, "").rpartition(" ")
    return not least.isdigit() or name[:1] not in NAMES or profile[name[:1]] >= int(least)


def asleep(group: Group, one: Character, perk: str) -> bool:
    """Whether an injury lowers what a perk of the character needs, so that it has no effect (10.3)."""
    return perk_open(group.base(one), group, perk) and not perk_open(group.profile(one), group, perk)


def document(group: Group) -> Document:
    """The group as it stands as a force file: characters with what they carry of the edition's lists.

    Centaurs and the stash are not in it. With ``Terms.grown`` the check accepts it.
    """
    models = []
    for one in group.characters:
        items = [{"name": name, "count": n} for name, n in sorted(one.items.items()) if group.lists.item(name)]
        leads, perks = one.key == group.leader, list(one.perks)
        models.append({"rank": one.rank, "called": one.name, "leader": leads, "perks": perks, "items": items})
    head = {"system": "fallout_skirmish", "edition": group.edition.id, "name": group.name, "faction": group.faction}
    return {**head, "turfs": list(group.turfs), "models": models}
