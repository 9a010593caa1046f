"""A campaign: what happens to groups between their games, as recorded steps. Pure: the same steps give the same world.

A game's ``CampaignRules`` say which steps a group is offered and what each does. A step may use dice, whose results are
kept with it, and writes lines into the group's ledger. Everything else follows from the steps of all groups in order.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from validators.calculator import Asked
from validators.contract import Document, EditionInfo
from validators.sheet import Table

Answered = Mapping[str, int | str]
"""What a step's form said, by key: numbers and choices; a yes is 1."""


class StepRefused(Exception):
    """A step that the rules do not allow now. ``key`` is the answer concerned, "" for the step itself."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.key = key


@dataclass(frozen=True)
class Roll:
    """Dice of one kind that a step used: why they were rolled, and the result of each."""

    why: str
    sides: int
    results: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of all results."""
        return sum(self.results)


class RollNeeded(Exception):
    """Dice rolled at the table that the step still needs: ``count`` dice with ``sides`` sides. ``rolled`` are known."""

    def __init__(self, why: str, sides: int, count: int, rolled: tuple[Roll, ...]) -> None:
        super().__init__(f"{why}: roll {count}D{sides}")
        self.why, self.sides, self.count, self.rolled = why, sides, count, rolled


class Dice:
    """The dice of one step: rolled from a seed, or given in the order in which they are needed."""

    def __init__(self, seed: int | None = None, given: Iterable[int] = ()) -> None:
        self.seed = seed
        self.given = list(given)
        self.rolled: list[Roll] = []
        self._drawn = 0

    def roll(self, why: str, sides: int, count: int = 1) -> Roll:
        """Roll ``count`` dice. Raises RollNeeded where they are rolled at the table and not given, StepRefused for a
        result that such a die does not have."""
        if self.seed is None and len(self.given) < count:
            raise RollNeeded(why, sides, count, tuple(self.rolled))
        results = tuple(self._one(sides) for _ in range(count))
        if not all(1 <= one <= sides for one in results):
            raise StepRefused(f"{why}: a D{sides} shows 1 to {sides}.", "rolls")
        roll = Roll(why, sides, results)
        self.rolled.append(roll)
        return roll

    def _one(self, sides: int) -> int:
        if self.seed is None:
            return self.given.pop(0)
        self._drawn += 1
        digest = hashlib.sha256(f"campaign:{self.seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides + 1


@dataclass(frozen=True, order=True)
class Account:
    """What a ledger counts. ``name`` tells items, characters and turfs apart, and irradiated food from other food."""

    kind: Literal["caps", "food", "points", "item", "character", "turf"]
    name: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a group's ledger: an account grows by ``amount``, or shrinks if it is negative."""

    account: Account
    amount: int
    why: str


@dataclass(frozen=True)
class Setting:
    """A question that the document leaves open or answers twice: the organiser chooses; the default has its reason."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    """Values with their labels."""
    default: str
    reason: str


def settings_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Setting, ...]:
    """The settings in a game's data, each with a list of [value, label] as ``choices``."""
    return tuple(Setting(**{**row, "choices": tuple(map(tuple, row["choices"]))}) for row in rows)


@dataclass(frozen=True)
class Phase:
    """A part of the sequence after a game, in the document's order."""

    id: str
    title: str
    about: str
    source: str


@dataclass(frozen=True)
class Offer:
    """A step that a group may take now, as a form: its button, what it asks, and which dice it rolls."""

    kind: str
    title: str
    verb: str
    """On the button."""
    about: str = ""
    asks: tuple[Asked, ...] = ()
    fixed: Mapping[str, int | str] = field(default_factory=dict)
    """Answers that the offer itself gives, such as the character that it is for."""
    dice: str = ""
    """In words, "2D12"; "" for a step without dice."""


@dataclass(frozen=True)
class Played:
    """The game that a sequence follows, as the group saw it."""

    game: int
    """Its id."""
    round: int
    result: Literal["win", "draw", "loss"]
    opponent: int
    """The other group's id."""
    scenario: str
    """Its id."""
    won_against_rating: int = 0
    """The opponent's rating when the game was played."""
    fought: bool = True
    """False: a side forfeited it, so that nobody fought."""
    points: int = 0
    """Victory points of the group itself, and of the opponent; of a draw only."""
    opponent_points: int = 0
    objectives: Sequence[str] | None = None
    """The objective that the group rolled, else all of the scenario; None where nothing is known of them."""


@dataclass(frozen=True)
class Step:
    """One recorded step of a group.

    Every game has ``found`` (``data["document"]`` is the force's document), ``play`` (``data`` are the fields of
    ``Played``) and ``next``, the end of a phase; after the last one the sequence is closed. ``undone`` does nothing:
    a roll of the service was taken back. Others are the rules' own.
    """

    number: int
    """Of all steps of the campaign, in order."""
    group: int
    """The player's id."""
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    rolls: tuple[Roll, ...] = ()
    typed: bool = False
    """Its dice were rolled at the table."""

    def taken_back(self, number: int) -> "Step | None":
        """What stays in the history when this step is taken back: a step that says what the service rolled."""
        if not self.rolls or self.typed:
            return None
        said = "; ".join(f"{one.why}: D{one.sides} {', '.join(map(str, one.results))}" for one in self.rolls)
        return Step(number, self.group, UNDONE, {"kind": self.kind, "data": self.data, "said": said})

    def again(self, undone: "Step") -> bool:
        """Whether it rolls once more for what was taken back: for the same person, place or thing."""
        before = undone.data.get("data") or {"who": undone.data.get("who", "")}
        whose = self.data.get("who", ""), before.get("who", "")
        shared = any(self.data.get(key) == value != "" for key, value in before.items())
        return self.kind == undone.data["kind"] and (shared or whose[0] == whose[1] or "all" in whose)


UNDONE = "undone"


@dataclass(frozen=True)
class Member:
    """A character, hero or unit as pages and sheets show it."""

    key: str
    name: str
    rank: str
    figures: tuple[tuple[str, str], ...]
    """Labels with values: its profile, experience and level."""
    carries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Perks, injuries, hunger."""
    boxes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Rows of boxes to tick at the table: a label, and what each box says."""
    gone: str = ""
    """Why it is no longer with the group: "" while it is."""


@dataclass(frozen=True)
class Place:
    """A place of a campaign's map, in percent of its width and height."""

    name: str
    x: int
    y: int
    about: str = ""
    holder: int | None = None
    """The group that holds it."""
    groups: tuple[int, ...] = ()
    """Those that stand there."""


@dataclass(frozen=True)
class Map:
    """The map of a campaign, for pages and paper. Roads are pairs of places, by their positions in ``places``."""

    places: tuple[Place, ...]
    roads: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Applied:
    """What a step did: the world after it, the lines of the ledger, and what happened in sentences."""

    world: "World"
    lines: tuple[Line, ...] = ()
    says: tuple[str, ...] = ()


@dataclass(frozen=True)
class CampaignRules:
    """A game's campaign. ``Any`` below is the game's own group, or its own part of the world."""

    settings: tuple[Setting, ...]
    phases: tuple[Phase, ...]
    first_phase: int
    """Where the sequence of a new group begins; ``len(phases)``: a new group has none."""
    shared: Callable[["World"], Any]
    """The game's own part of a world without groups: a map, recruits on offer."""
    found: Callable[["World", int, Document, Dice], Applied]
    """The world with a new group, from the document of its legal force."""
    play: Callable[["World", int, Played], Applied]
    """What the game itself does to the group, before the sequence's first phase."""
    offers: Callable[["World", int], tuple[Offer, ...]]
    """The steps that the group may take in its present phase."""
    apply: Callable[["World", int, str, Answered, Dice], Applied]
    """A step of the rules' own. Raises StepRefused and RollNeeded."""
    leave: Callable[["World", int], Applied]
    """What the end of the present phase does. Raises StepRefused while something of it must still be done."""
    balances: Callable[[Any], Mapping[Account, int]]
    """What the group has, for each account that is not empty."""
    rating: Callable[[Any], int]
    members: Callable[[Any], tuple[Member, ...]]
    """Everybody who ever was in the group."""
    document: Callable[[Any], Document]
    """The group as it stands as a force file, without who is gone."""
    brings: Callable[[Any, bool], Document] | None = None
    """The part of the group that fights its next battle, as a force file: as it was paid for (True), as a battle counts
    it, or with all that it learned. None: all of it may."""
    document_is_whole: bool = False
    """The force file says all of a grown group, so that the game's own card and sheets of a force fit it."""
    battle_size: Callable[[Mapping[str, str]], int] = lambda settings: 0
    """The most that this part may cost, by the settings; 0: no limit."""
    also_judged: Callable[[Mapping[str, str]], Collection[str]] = lambda settings: ()
    """Ids of rules of a force at its start that, by the settings, this part must keep too."""
    tables: Callable[["World"], tuple[Table, ...]] = lambda world: ()
    """What everybody may read of the world, the groups aside: recruits on offer, statistics."""
    skips: Callable[["World", int, Phase], bool] = lambda world, group, phase: False
    """Whether a phase has nothing for the group, so that its sequence passes over it; its end does nothing then."""
    map: Callable[["World"], Map | None] = lambda world: None
    planned: Callable[[Mapping[str, str], int, int], Mapping[str, Any]] | None = None
    """The plan that follows from the settings, a seed and the number of groups, such as a map; JSON values. None: no
    plan is made."""
    version: int = 1
    """Raised with a change after which earlier steps no longer follow: a campaign keeps the one that it began with."""

    def chosen(self, settings: Mapping[str, str]) -> dict[str, str]:
        """A value for each setting: the given one, or its default."""
        return {one.key: settings.get(one.key, one.default) for one in self.settings}


@dataclass(frozen=True)
class World:
    """A campaign at one moment: its groups, the game's own part, and where each group's sequence stands."""

    rules: CampaignRules = field(repr=False, compare=False)
    edition: EditionInfo = field(repr=False, compare=False)
    settings: Mapping[str, str]
    """By the key of each setting."""
    plan: Mapping[str, Any]
    """What the organiser chose next to the settings, such as a map."""
    size: int = 0
    """The event's size, which a group's force could cost. 0: the game's own."""
    groups: Mapping[int, Any] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    """Of the groups, for messages."""
    shared: Any = None
    phases: Mapping[int, int] = field(default_factory=dict)
    """The present phase of each group with an open sequence."""
    played: Mapping[int, Played] = field(default_factory=dict)
    """The newest game of each group."""

    def with_group(self, group: int, state: Any, shared: Any = None) -> "World":
        """The world with a changed group, and with a changed part of the game's own unless that is None."""
        changed = replace(self, groups={**self.groups, group: state})
        return changed if shared is None else replace(changed, shared=shared)

    def phase(self, group: int) -> Phase | None:
        """The present phase of a group; None without an open sequence."""
        place = self.phases.get(group)
        return None if place is None else self.rules.phases[place]


@dataclass(frozen=True)
class Entry:
    """A step with what it did."""

    step: Step
    lines: tuple[Line, ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The world after all steps, and what each of them did."""

    world: World
    entries: tuple[Entry, ...] = ()

    def of(self, group: int) -> tuple[Entry, ...]:
        """What the steps of one group did."""
        return tuple(entry for entry in self.entries if entry.step.group == group)

    def newest(self, group: int) -> Entry | None:
        """The newest step of a group, without what is left of steps that were taken back."""
        return next((entry for entry in reversed(self.of(group)) if entry.step.kind != UNDONE), None)

    def typed_again(self, group: int) -> set[int]:
        """The numbers of steps whose dice were typed after a roll of the service for the same thing was taken back."""
        undone, found = list[Step](), set[int]()
        for step in (entry.step for entry in self.of(group)):
            if step.kind == "play":
                undone = []
            elif step.kind == UNDONE:
                undone.append(step)
            elif step.typed and any(map(step.again, undone)):
                found.add(step.number)
        return found

    def sums(self, group: int) -> dict[Account, int]:
        """The sums of a group's ledger, by account; those that are not 0."""
        sums: Counter[Account] = Counter()
        for entry in self.of(group):
            for line in entry.lines:
                sums[line.account] += line.amount
        return {account: amount for account, amount in sums.items() if amount}


def new_world(
    rules: CampaignRules,
    edition: EditionInfo,
    settings: Mapping[str, str],
    plan: Mapping[str, Any],
    names: Mapping[int, str],
    size: int = 0,
) -> World:
    """A campaign before its first step. A setting that is not given has its default."""
    world = World(rules, edition, rules.chosen(settings), plan, size, names=names)
    return replace(world, shared=rules.shared(world))


def after(world: World, step: Step, dice: Dice) -> Applied:
    """The world after one more step. Raises StepRefused, and RollNeeded for dice that are still to be rolled."""
    rules, group = world.rules, step.group
    if step.kind == "found":
        if group in world.groups:
            raise StepRefused("This group has been founded already.")
        return _at_phase(rules.found(world, group, step.data["document"], dice), group, rules.first_phase)
    if group not in world.groups:
        raise StepRefused("This group has not been founded.")
    if step.kind == UNDONE:
        return Applied(world, (), (f"Took back a roll of the service: {step.data['said']}.",))
    if step.kind == "play":
        if group in world.phases:
            raise StepRefused("Close the steps after the last game first.")
        played = Played(**step.data)
        begun = rules.play(replace(world, played={**world.played, group: played}), group, played)
        return _at_phase(begun, group, 0)
    if group not in world.phases:
        raise StepRefused("All steps after the last game are closed.")
    if step.kind == "next":
        return _at_phase(rules.leave(world, group), group, world.phases[group] + 1)
    return rules.apply(world, group, step.kind, step.data, dice)


def _at_phase(applied: Applied, group: int, phase: int) -> Applied:
    """The same at this phase, or at the next one that is not skipped; beyond the last one, the sequence is closed."""
    rules = applied.world.rules
    phases = {key: place for key, place in applied.world.phases.items() if key != group}
    while phase < len(rules.phases) and rules.skips(applied.world, group, rules.phases[phase]):
        phase += 1
    if phase < len(rules.phases):
        phases[group] = phase
    return replace(applied, world=replace(applied.world, phases=phases))


def offered(offers: Iterable[Offer], kind: str, answers: Answered) -> Answered:
    """The answers to the offer that a step takes, each checked, or with its default where none is given.

    Raises StepRefused where no such step is offered, and for an answer that the form does not allow.
    """
    for offer in offers:
        if offer.kind == kind and all(answers.get(key) == value for key, value in offer.fixed.items()):
            return {**offer.fixed, **{ask.key: _answered(ask, answers) for ask in offer.asks}}
    raise StepRefused("This step cannot be taken now.")


def _answered(asked: Asked, answers: Answered) -> int | str:
    given = answers.get(asked.key, asked.default)
    if asked.kind == "choice":
        if not isinstance(given, str) or given not in dict(asked.choices):
            raise StepRefused(f"{asked.label}: choose one of the list.", asked.key)
        return given
    if asked.kind == "text":
        return str(given or "").strip()[:60]
    least, most = (0, 1) if asked.kind == "yes" else (asked.least, asked.most)
    if not isinstance(given, int) or not least <= given <= most:
        raise StepRefused(f"{asked.label}: {least} to {most}.", asked.key)
    return given


def folded(world: World, steps: Sequence[Step]) -> History:
    """The world after these steps, with the dice that they kept. Raises StepRefused for one that cannot follow."""
    entries = []
    for step in steps:
        dice = Dice(given=[result for roll in step.rolls for result in roll.results])
        applied = after(world, step, dice)
        if tuple(dice.rolled) != step.rolls or dice.given:
            raise StepRefused(f"Step {step.number} keeps other dice than it needs.")
        world = applied.world
        entries.append(Entry(step, applied.lines, applied.says))
    return History(world, tuple(entries))
