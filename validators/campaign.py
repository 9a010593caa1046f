"""Campaigns: the development of groups between games, as recorded steps.

A game's ``CampaignRules`` say which steps a group is offered. A step keeps its dice and writes lines into the ledger.
More than 450 lines because it is the whole contract between a game's campaign and the service.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from languages.message import Text, joined, message, worded
from languages.words import N_, gettext
from validators.calculator import Asked
from validators.contract import Document, EditionInfo, Terms
from validators.sheet import Block, Table

Answered = Mapping[str, int | str]
"""The answers of a step's form, by key: numbers and choices; yes is 1."""


class StepRefused(Exception):
    """A step that the rules do not allow now. ``key`` is the answer at fault, "" for the step itself."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.message, self.key = message, key


@dataclass(frozen=True)
class Roll:
    """Dice of one kind rolled for a step: why, and the result of each die."""

    why: Text = field(compare=False)
    sides: int
    results: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.results)

    @property
    def words(self) -> str:
        """The kind of die and the results: "D12 7, 3"."""
        return f"D{self.sides} {', '.join(map(str, self.results))}"


class RollNeeded(Exception):
    """The step needs ``count`` more dice rolled at the table; ``rolled`` are known already."""

    def __init__(self, why: Text, sides: int, count: int, rolled: tuple[Roll, ...]) -> None:
        super().__init__(gettext("%(why)s: roll %(count)sD%(sides)s", why=worded(why), count=count, sides=sides))
        self.why, self.sides, self.count, self.rolled = why, sides, count, rolled
        self.said: tuple[Text, ...] = ()
        """What the step did with the dice so far, in sentences."""


class Dice:
    """The dice of one step: rolled from a seed, or given in the order in which the step needs them."""

    def __init__(self, seed: int | None = None, given: Iterable[int] = ()) -> None:
        self.seed = seed
        self.given = list(given)
        self.rolled: list[Roll] = []
        self._count = 0

    def roll(self, why: Text, sides: int, count: int = 1) -> Roll:
        """Roll ``count`` dice.

        Raises RollNeeded for dice of the table that are not given yet, StepRefused for what a die cannot show.
        """
        if self.seed is None and len(self.given) < count:
            raise RollNeeded(why, sides, count, tuple(self.rolled))
        results = tuple(self._drawn(sides) if self.seed is not None else self.given.pop(0) for _ in range(count))
        if not all(1 <= result <= sides for result in results):
            figures = {"why": worded(why), "sides": sides}
            raise StepRefused(gettext("%(why)s: a D%(sides)s shows 1 to %(sides)s.", **figures), "rolls")
        self.rolled.append(Roll(why, sides, results))
        return self.rolled[-1]

    def _drawn(self, sides: int) -> int:
        self._count += 1
        digest = hashlib.sha256(f"campaign:{self.seed}:{self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides + 1


@dataclass(frozen=True, order=True)
class Account:
    """An account of a ledger: of an item, a turf, a character or a hero's hits by its name, or of "irradiated" food."""

    kind: Literal["caps", "food", "points", "item", "character", "turf", "hits"]
    name: str = ""
    said: Text = field(default="", compare=False)
    """The name to be worded; "": as it is."""


@dataclass(frozen=True)
class LedgerLine:
    """A line of a group's ledger: ``amount`` is added to an account, or subtracted if negative."""

    account: Account
    amount: int
    why: Text


@dataclass(frozen=True)
class Setting:
    """A choice that the organiser has a reason to make; ``reason`` names it, and why the default is the default."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    """Values with their labels."""
    default: str
    reason: str


@dataclass(frozen=True)
class Phase:
    """A part of the sequence after a game, in the document's order."""

    id: str
    title: str
    about: str
    source: str
    passes: bool = False
    """Whether it ends automatically if it offers nothing when it begins."""
    idle: str = ""
    """The reason shown when a group passes it; "" if there are too many."""


@dataclass(frozen=True)
class Offer:
    """A step that a group may take now, as a form: its button, its questions, and the dice it rolls."""

    kind: str
    title: str
    verb: str
    """The button's label."""
    about: str = ""
    asks: tuple[Asked, ...] = ()
    fixed: Mapping[str, int | str] = field(default_factory=dict)
    """Answers fixed by the offer itself, such as the character it is for."""
    dice: str = ""
    """In words, "2D12"; "" for a step without dice."""
    each: tuple[str, ...] = ()
    """The characters it is for, if several: the service rolls a step for each; dice rolled at the table are one."""


Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True)
class Played:
    """The game before a sequence, from the group's side; games, groups and scenarios are named by their ids."""

    game: int
    round: int
    result: Outcome
    opponent: int
    scenario: str
    won_against_rating: int = 0
    """The opponent's rating when the game was played."""
    fought: bool = True
    """False if a side forfeited the game."""
    points: int = 0
    """The group's own victory points, and the opponent's; only for a draw."""
    opponent_points: int = 0
    objectives: Sequence[str] | None = None
    """The objective that the group rolled, else all of the scenario's; None if unknown."""
    home: bool = True
    """Whether the group is named first in the game; True if unknown."""
    waited_for: Sequence[int] = ()
    """The groups with a game in the same round that had not begun their steps."""
    winner_names: bool = False
    """Whether the winner names the place of a battle on a map. False: begun before this was the rule."""
    last: bool = False
    """Whether the group had no other game left when the steps began."""


@dataclass(frozen=True)
class Step:
    """One recorded step of a group.

    Every game has ``found`` (``data["document"]`` is the force's document), ``play`` (``data`` are the fields of
    ``Played``) and ``next``, the end of a phase, with what its records leave in doubt as ``data["doubt"]``; after the
    last one the sequence is closed. ``undone`` does nothing: it marks dice that do not count any more. ``ruling`` and
    ``refound`` are the desk's, in any phase, with their ``data["reason"]``. All others are defined by the rules.
    """

    number: int
    """Counted over all steps of the campaign, as they were taken."""
    group: int
    """The player's id."""
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    rolls: tuple[Roll, ...] = ()
    typed: bool = False
    """Whether its dice were rolled at the table."""
    place: float | None = None
    """Where it counts among all steps. None: at its number; another place is that of a step that was opened again."""
    again: bool = False
    """Whether it was set aside after its dice were seen, and redone."""

    @property
    def at(self) -> float:
        """Where it counts among all steps."""
        return self.number if self.place is None else self.place

    def undo_marker(self, number: int, reason: str = "") -> "Step | None":
        """The step that replaces this one in the history when it is deleted: its dice, and the desk's reason."""
        if not self.rolls:
            return None
        said = joined((message("%(why)s: %(dice)s", why=roll.why, dice=roll.words) for roll in self.rolls), by="; ")
        data = {"kind": self.kind, "data": self.data, "said": said, "number": self.number}
        data |= {"typed": self.typed, "reason": reason}
        return Step(number, self.group, UNDONE, data, place=self.place)

    def repeats(self, undone: "Step") -> bool:
        """Whether this step rolls for the same person, place or item as an undone step."""
        before = undone.data.get("data") or {"who": undone.data.get("who", "")}
        whose = self.data.get("who", ""), before.get("who", "")
        shared = any(self.data.get(key) == value != "" for key, value in before.items())
        return self.kind == undone.data["kind"] and (shared or whose[0] == whose[1] or "all" in whose)


UNDONE = "undone"
RULING = "ruling"
"""A change of a group by the desk. Its data are the answers to ``CampaignRules.rulings``, the ``reason``, and perhaps
the number of a step whose doubt or difference it ``settles``, with the result that ``counts`` instead."""
REFOUNDED = "refound"
"""A group founded again by the desk, from ``data["document"]``."""
BY_DESK = (RULING, REFOUNDED)


@dataclass(frozen=True)
class Member:
    """A character, hero or unit, for pages and sheets."""

    key: str
    name: str
    rank: str
    figures: tuple[tuple[str, str], ...]
    carries: tuple[tuple[str, int], ...] = ()
    """Labels with values: profile, experience, level; names of things with how many of each."""
    notes: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    injuries: tuple[str, ...] = ()
    """Notes: perks, injuries, hunger. Of them its perks or skills, after its highest level; its injuries."""
    gone: str = ""
    """Why it left the group; "" while it is in it."""
    absent_members: bool = False
    """Whether the rules of a game without a muster keep it out of the next game."""
    place: str = ""
    """Where it stands on the campaign's map, as a phrase; "" without a map."""
    alive: int = 1
    lost: int | None = None
    """How many of a unit's models are left and were lost. None: a single member, lost when it is ``gone``."""

    @property
    def fallen(self) -> int:
        """How many models it counts among the fallen."""
        return int(bool(self.gone)) if self.lost is None else self.lost


@dataclass(frozen=True)
class Place:
    """A place on a campaign's map, in percent of the map's width and height."""

    name: str
    x: int
    y: int
    about: str = ""
    holder: int | None = None


@dataclass(frozen=True)
class Map:
    """A campaign's map, for pages and paper. Roads are pairs of indexes into ``places``."""

    places: tuple[Place, ...]
    roads: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Applied:
    """The effect of a step: the world after it, its ledger lines, and the events in sentences."""

    world: "World"
    lines: tuple[LedgerLine, ...] = ()
    messages: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Readiness:
    """How a group comes to its next battle."""

    ready: int
    """The points that it can muster."""
    least: int
    """The fewest points that a battle needs."""
    decided: Literal["", "musters", "forfeits"]

    @property
    def is_short(self) -> bool:
        """Whether it can only forfeit."""
        return self.decided != "musters" and self.ready < self.least

    @property
    def forfeits(self) -> bool:
        """Whether it will not fight the battle."""
        return self.is_short or self.decided == "forfeits"


@dataclass(frozen=True)
class CampaignRules:
    """A game's campaign rules. ``Any`` below is the game's own type for a group, or for its part of the world."""

    settings: tuple[Setting, ...]
    phases: tuple[Phase, ...]
    first_phase: int
    """The first phase of a new group's sequence; ``len(phases)`` means that it has no sequence."""
    shared: Callable[["World"], Any]
    """The game's own part of a world without groups, such as a map, or recruits on offer."""
    found: Callable[["World", int, Document, Dice], Applied]
    """The world with a new group, from its legal force's document."""
    play: Callable[["World", int, Played], Applied]
    """The game's direct effect on the group, before the sequence's first phase."""
    offers: Callable[["World", int], tuple[Offer, ...]]
    """The steps that the group may take in its current phase."""
    apply: Callable[["World", int, str, Answered, Dice], Applied]
    """Apply a step defined by the rules. Raises StepRefused and RollNeeded."""
    leave: Callable[["World", int], Applied]
    """End the current phase. Raises StepRefused if required steps are missing."""
    balances: Callable[[Any], Mapping[Account, int]]
    """The group's balances, without accounts at 0."""
    rating: Callable[[Any], int]
    rating_about: str
    figures_about: str
    """What the rating adds up, and what the members' figures include, for readers."""
    members: Callable[[Any], tuple[Member, ...]]
    """All members that the group has ever had."""
    document: Callable[[Any], Document]
    """The current group as a force file, without members who left."""
    brings: Callable[[Any], Document] | None = None
    """The part of the group that fights its next battle, as a force file. None: the whole group may fight."""
    least: Callable[[Mapping[str, str]], int] = lambda settings: 0
    """The fewest points that a battle needs, by the settings."""
    readiness: Callable[["World", int], Readiness] | None = None
    """How a group comes to its next battle. None: groups do not muster."""
    sheet: Callable[[Any], tuple[Block, ...]] | None = None
    """The members for the table. None: the force file describes a grown group completely, and its sheets fit it."""
    battle_terms: Callable[[Mapping[str, str], Terms], Terms] = lambda settings, terms: replace(terms, grown=True)
    """The terms for checking this part, from the settings and the event's terms."""
    tables: Callable[["World"], tuple[Table, ...]] = lambda world: ()
    """Public tables in addition to the groups, such as recruits on offer and statistics."""
    skips: Callable[["World", int, Phase], bool] = lambda world, group, phase: False
    """Whether a group has nothing to do in a phase. The sequence then skips it, and its end has no effect."""
    hint: Callable[["World", int], str] = lambda world, group: ""
    """What a group gives up by ending its phase now, and what it waits for, in sentences."""
    awaits: Callable[["World", int], str] = lambda world, group: ""
    """The names of the groups that it waits for in its phase; "" for none."""
    doubt: Callable[["World", int, Answered], tuple[Text, str]] = lambda world, group, report: ("", "")
    """Sentences or "": how the phase's records contradict the report or the opponent's; why it cannot end yet."""
    map: Callable[["World"], Map | None] = lambda world: None
    short: tuple[tuple[str, str], ...] = ()
    """Short labels of members' figures, each before its meaning."""
    planned: Callable[[Mapping[str, str], int, int], Mapping[str, Any]] | None = None
    """The plan from the settings, a seed and the number of groups, such as a map, in JSON values. None: no plan."""
    rulings: Callable[["World", int], tuple[Asked, ...]] = lambda world, group: ()
    """What the desk can rule on in a group, as questions whose defaults change nothing."""
    rule: Callable[["World", int, Answered], Applied] = lambda world, group, answers: Applied(world)
    """The effect of a ruling with all answers. Raises StepRefused."""
    compare: Callable[[Any, Any], Answered] = lambda before, after: {}
    """The ruling that gives a group what another of its states has, as far as one ruling can."""
    for_all: tuple[str, ...] = ()
    """The kinds of steps whose dice are for all groups of a round."""
    former: Mapping[str, str] = field(default_factory=dict)
    """Settings of earlier releases, each with the value that is the rule now."""
    version: int = 1
    """Increased when a change makes earlier steps invalid. A campaign keeps the version with which it began."""

    def chosen(self, settings: Mapping[str, str]) -> dict[str, str]:
        """A value for each setting: the given one, or its default. Former settings are left out."""
        return {setting.key: settings.get(setting.key, setting.default) for setting in self.settings}

    def binds(self, step: Step) -> bool:
        """Whether a step keeps its dice when its group takes it back: the service's were seen, for one group alone."""
        return bool(step.rolls) and not step.typed and step.kind not in self.for_all

    def check_former(self, settings: Mapping[str, str]) -> None:
        """Raises StepRefused for a stored campaign whose former settings were chosen otherwise than the rules are."""
        for key, value in settings.items():
            if value != self.former.get(key, value):
                text = N_("The setting “%(key)s” of this campaign was “%(value)s”, which is no choice any more.")
                raise StepRefused(gettext(text, key=key, value=value))


@dataclass(frozen=True)
class World:
    """A campaign at one moment: its groups, the game's own part, and each group's position in its sequence."""

    rules: CampaignRules = field(repr=False, compare=False)
    edition: EditionInfo = field(repr=False, compare=False)
    settings: Mapping[str, str]
    """The chosen values by setting key."""
    plan: Mapping[str, Any]
    """The organiser's further choices, such as a map."""
    size: int = 0
    """The event's size, the most that a starting force may cost. 0: the game's own size."""
    left: frozenset[int] = frozenset()
    """The groups whose players have left by now: a step that depends on it keeps who had."""
    groups: Mapping[int, Any] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    """The groups' names, for messages."""
    shared: Any = None
    phases: Mapping[int, int] = field(default_factory=dict)
    """The current phase of each group with an open sequence."""
    played: Mapping[int, Played] = field(default_factory=dict)
    """Each group's newest game."""

    def with_group(self, group: int, state: Any) -> "World":
        return replace(self, groups={**self.groups, group: state})

    def phase(self, group: int) -> Phase | None:
        """The current phase of a group; None without an open sequence."""
        return self.rules.phases[self.phases[group]] if group in self.phases else None
