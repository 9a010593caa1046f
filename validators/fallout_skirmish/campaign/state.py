"""The state of a campaign group and its characters, and what pages show of a group."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from languages.message import Text, worded
from languages.words import gettext, listed
from validators.campaign import Account, Member
from validators.contract import Document, EditionInfo
from validators.fallout_skirmish.campaign.tables import (
    CENTAUR,
    GOODS,
    INJURY,
    MOST,
    NAMES,
    RAW,
    level_of,
    rads_text,
    rank_of_level,
    row_of,
)
from validators.fallout_skirmish.edition import Edition, ForceRow
from validators.sheet import copies

CAPS, FOOD, IRRADIATED = Account("caps"), Account("food"), Account("food", "irradiated")


@dataclass(frozen=True)
class Character:
    """A character or a Centaur; ``gone`` is why it left the group, "" while it is in it."""

    key: str
    name: str
    rank: str
    xp: int = 0
    level: int = 0
    """The highest level that it ever had; only higher ones give an advance."""
    raised: Mapping[str, int] = field(default_factory=dict)
    perks: tuple[str, ...] = ()
    injuries: tuple[str, ...] = ()
    items: Mapping[str, int] = field(default_factory=dict)
    rads: int = 0
    addictions: tuple[str, ...] = ()
    hunger: int = 0
    """The number of games in a row without food."""
    neglect: int = 0
    """The number of games in a row without maintenance of its equipment."""
    captive: bool = False
    gone: Text = ""

    @property
    def centaur(self) -> bool:
        """A creature: without experience, equipment or errands."""
        return self.rank == CENTAUR

    @property
    def blind(self) -> bool:
        """Two eye wounds: no more games."""
        return self.injuries.count("eye") > 1


@dataclass(frozen=True)
class GameRecord:
    """The record of a character's game: whether it took part, the experience earned, and the counts below."""

    took_part: bool
    earned: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """Wounds inflicted ("wounded"), opponents and creatures taken out ("killed"), and whether it went down ("down")."""


@dataclass(frozen=True)
class Aftermath:
    """A group's progress in the sequence after its newest game. Characters are named by their keys."""

    rating: int = 0
    """The group's rating when the game was played."""
    records: Mapping[str, GameRecord] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    injured: Mapping[str, int] = field(default_factory=dict)
    """The injury rolls, applied when the phase ends: totals of 2D12."""
    pending: tuple[tuple[str, ...], ...] = ()
    """Tasks that a character must complete (advance, perk, explore, encounter): kind, key, and perhaps a figure."""
    errands: Mapping[str, str] = field(default_factory=dict)
    """The errand of each character who did not stay at home."""
    visited: tuple[int, ...] = ()
    done: tuple[str, ...] = ()
    """Flags for actions with a limit, repeated for each use."""
    meals: int = 0
    """How many members are fed without food this time."""
    reward: int = 0
    merchant: str = ""
    purchases: int = 0
    """The number of items that the leader may still buy from the merchant."""
    companions: int = 0
    """The number of characters who came along to the merchant."""
    quotes: Mapping[str, int] = field(default_factory=dict)
    """The bartered price of each ware, by its label."""


@dataclass(frozen=True)
class Group:
    """A group at one moment of a campaign."""

    edition: EditionInfo = field(repr=False, compare=False)
    name: str
    faction: str
    caps: int = 0
    food: int = 0
    irradiated: int = 0
    stash: Mapping[str, int] = field(default_factory=dict)
    turfs: tuple[str, ...] = ()
    all_members: tuple[Character, ...] = ()
    leader: str = ""
    """The leader's key; "" if nobody leads."""
    aftermath: Aftermath = Aftermath()

    @property
    def lists(self) -> Edition:
        lists: Edition = self.edition.lists
        return lists

    @cached_property
    def force(self) -> ForceRow:
        row = self.lists.forces.find(self.faction)
        assert row, self.faction  # noqa: S101 - groups are founded from a force of the edition only
        return row

    @property
    def traits(self) -> Mapping[str, int]:
        """The force's special campaign rules, from campaign.json: "appetite", "cooks", "arrests" and so on."""
        own: Mapping[str, int] = RAW["forces"].get(self.force.name, {})
        return own

    @property
    def present_members(self) -> tuple[Character, ...]:
        """The members now in the group, Centaurs included."""
        return tuple(member for member in self.all_members if not member.gone)

    @property
    def characters(self) -> tuple[Character, ...]:
        """The members now in the group, without Centaurs."""
        return tuple(member for member in self.present_members if not member.centaur)

    @property
    def full(self) -> bool:
        """Whether no more characters may join."""
        return len(self.characters) >= self.force.group_most

    def member(self, key: str) -> Character:
        return next(character for character in self.all_members if character.key == key)

    def worth(self, item: str) -> int:
        """An item's value in Caps: its price on the force's own lists, else in chapter 12, else in ``GOODS``."""
        listed = self.force.price(item)
        entry = self.lists.item(item)
        usual = entry.row.caps if entry else None
        return listed if listed is not None else usual if usual is not None else GOODS.get(item, 0)

    def base(self, character: Character) -> dict[str, int]:
        """A character's printed profile with its advances, by letter."""
        rank = self.force.rank(character.rank)
        printed = (*rank.special, rank.wounds, rank.action_points) if rank else RAW["centaur"]["profile"]
        return {letter: figure + character.raised.get(letter, 0) for letter, figure in zip(NAMES, printed, strict=True)}

    def profile(self, character: Character) -> dict[str, int]:
        """A character's profile with injuries, rads and a lucky cap, without effects that last only for a game."""
        figures = self.base(character)
        for lowers in (*(INJURY[injury].lowers for injury in character.injuries), poison(character.rads)):
            for letter, less in lowers.items():
                figures[letter] = max(0, figures[letter] - less)
        if character.items.get("Lucky Baseball Cap"):
            figures["L"] = min(MOST["L"], figures["L"] + 1)
        return figures

    def next_profile(self, character: Character) -> dict[str, int]:
        """A character's profile for the next game, in which hunger lowers Endurance (10.4.3)."""
        figures = self.profile(character)
        return figures | {"E": max(0, figures["E"] - character.hunger)}

    def possessions(self) -> Counter[str]:
        """All items in the stash and carried by members, with their counts."""
        held = Counter(self.stash)
        for member in self.present_members:
            held.update(member.items)
        return held

    def with_changed(self, key: str, **fields: Any) -> "Group":
        """The group with these fields of one character changed."""
        return replace(
            self,
            all_members=tuple(
                replace(character, **fields) if character.key == key else character for character in self.all_members
            ),
        )


def balances(group: Group) -> dict[Account, int]:
    """The group's balance in each account that is not empty."""
    held = {CAPS: group.caps, FOOD: group.food, IRRADIATED: group.irradiated}
    held |= {Account("item", name): count for name, count in group.possessions().items()}
    held |= {Account("character", member.name): 1 for member in group.present_members}
    held |= {Account("turf", name): count for name, count in Counter(group.turfs).items()}
    return {account: amount for account, amount in held.items() if amount}


def rating(group: Group) -> int:
    """The group's rating (9.1.3): the cost of characters and equipment, experience, and 50 per turf and Centaur."""
    hired = sum(row.caps for character in group.characters if (row := group.force.rank(character.rank)))
    gear = sum(group.worth(name) * count for name, count in group.possessions().items())
    centaurs = sum(member.centaur for member in group.present_members) * RAW["centaur"]["rating"]
    turfs = group.lists.file.turf_rating * len(group.turfs)
    return int(hired + gear + centaurs + turfs + sum(character.xp for character in group.characters))


def members(group: Group) -> tuple[Member, ...]:
    """Everyone who was ever in the group, for pages and sheets."""
    return tuple(_member(group, member) for member in group.all_members)


def _member(group: Group, character: Character) -> Member:
    level = level_of(character.xp)
    figures = group.next_profile(character) | (
        {} if character.centaur else {"XP": character.xp, gettext("Level"): level}
    )
    shown = tuple((label, str(figure)) for label, figure in figures.items())
    return Member(
        character.key,
        character.name,
        character.rank,
        shown,
        tuple(sorted(character.items.items())),
        tuple(notes(group, character)),
        () if character.centaur else (gettext("Level %(level)s", level=max(level, character.level)), *character.perks),
        tuple(injuries(character)),
        gone=worded(character.gone),
        absent_members=character.captive or character.blind or bool(needs_armour(group, character)),
    )


def notes(group: Group, character: Character) -> Iterator[str]:
    """A character's perks, injuries and lasting effects, in words."""
    hired, title = group.force.rank(character.rank), rank_of_level(level_of(character.xp))
    if group.leader == character.key:
        yield gettext("Leader")
    if hired and title not in (rank_of_level(level_of(hired.experience)), character.rank):
        yield gettext("%(rank)s by level", rank=title)
    for perk in character.perks:
        if asleep(group, character, perk):
            yield gettext("Perk %(perk)s (asleep: an injury lowers what it needs)", perk=perk)
        else:
            yield gettext("Perk %(perk)s", perk=perk)
    yield from injuries(character)
    poisoned = ", ".join(f"{letter} −{less}" for letter, less in poison(character.rads).items())
    missing = listed(needs_armour(group, character), style="or")
    rads = worded(rads_text(character.rads))
    lasting = {
        gettext("Blind: no more games"): character.blind,
        gettext("Both arms crippled: no weapons"): character.injuries.count("arm") > 1,
        gettext("Both legs crippled"): character.injuries.count("leg") > 1,
        f"{rads}{': ' if poisoned else ''}{poisoned}": character.rads,
        gettext(
            "Addicted to %(drugs)s: without a dose in a game, SPECIAL −1", drugs=listed(character.addictions)
        ): character.addictions,
        gettext("Hungry: E −%(less)s in the next game", less=character.hunger): character.hunger,
        gettext(
            "Equipment not maintained: −%(less)s to the roll for criticals", less=character.neglect
        ): character.neglect,
        gettext("Locked up: not in the next game"): character.captive,
        gettext("Stays home without %(armour)s", armour=missing): missing and not character.gone,
    }
    yield from (said for said, holds in lasting.items() if holds)


def injuries(character: Character) -> Iterator[str]:
    """A character's injuries, with what they do."""
    for injury, times in Counter(character.injuries).items():
        row = INJURY[injury]
        less = ", ".join(f"{letter} −{by * times}" for letter, by in row.lowers.items())
        yield copies(times, row.name) + "".join(f": {said}" for said in (less or gettext(row.note),) if said)


def poison(rads: int) -> Mapping[str, int]:
    """The characteristics that this many rads lower, by letter (6.4.1)."""
    rows = RAW["rads"]["rows"]
    lowers: Mapping[str, int] = {} if rads < rows[0][0] else row_of(rows, min(rads, rows[-1][1]))[2]
    return lowers


def needs_armour(group: Group, character: Character) -> Sequence[str]:
    """The armours of which the character's rank must wear one in games, if it has none; () if nothing is missing."""
    if character.centaur or character.rank not in group.force.must_wear:
        return ()
    open_to = group.force.may_wear(character.rank)
    return () if any(name in character.items for name in open_to) else open_to


def perk_open(profile: Mapping[str, int], group: Group, perk: str) -> bool:
    """Whether a profile meets a perk's requirement, such as "Endurance 5"."""
    name, _, least = group.lists.file.perks.get(perk, "").rpartition(" ")
    return not least.isdigit() or name[:1] not in NAMES or profile[name[:1]] >= int(least)


def asleep(group: Group, character: Character, perk: str) -> bool:
    """Whether a perk has no effect because an injury lowers the characteristic that it requires (10.3)."""
    return perk_open(group.base(character), group, perk) and not perk_open(group.profile(character), group, perk)


def document(group: Group) -> Document:
    """The present group as a force file: its characters with their items from the edition's lists.

    Centaurs and the stash are left out. The check accepts it with ``Terms.grown``.
    """
    models = []
    for character in group.characters:
        items = [{"name": name, "count": n} for name, n in sorted(character.items.items()) if group.lists.item(name)]
        leads, perks = character.key == group.leader, list(character.perks)
        models.append(
            {"rank": character.rank, "called": character.name, "leader": leads, "perks": perks, "items": items}
        )
    head = {"system": "fallout_skirmish", "edition": group.edition.id, "name": group.name, "faction": group.faction}
    return {**head, "turfs": list(group.turfs), "models": models}
