"""A campaign's steps applied in order. Pure: everything follows from the steps, and the same give the same world."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from languages.message import Text, message, worded
from languages.words import gettext
from validators.campaign import (
    REFOUNDED,
    RULING,
    UNDONE,
    Account,
    Applied,
    CampaignRules,
    Dice,
    LedgerLine,
    Played,
    Step,
    StepRefused,
    World,
)
from validators.contract import EditionInfo
from validators.strict_json import keyed_digest

SEED_BITS = 40
"""The bits of a seed that follows from what it is for: a changed number would roll other dice in open steps."""


@dataclass(frozen=True)
class HistoryEntry:
    step: Step
    lines: tuple[LedgerLine, ...]
    messages: tuple[Text, ...]

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(map(worded, self.messages))


@dataclass(frozen=True)
class History:
    """The effect of each step, and the worlds before and after them: one world more than steps."""

    worlds: tuple[World, ...]
    entries: tuple[HistoryEntry, ...] = ()
    aside: tuple[Step, ...] = ()
    """The steps that were set aside when an earlier one was opened again, in their order. They have no effect."""

    @property
    def world(self) -> World:
        return self.worlds[-1]

    def before(self, number: int) -> World:
        return self.worlds[self.position(number)]

    def after(self, number: int) -> World:
        return self.worlds[self.position(number) + 1]

    def position(self, number: int) -> int:
        return next(at for at, entry in enumerate(self.entries) if entry.step.number == number)

    @property
    def next_number(self) -> int:
        return 1 + max((step.number for step in (*(entry.step for entry in self.entries), *self.aside)), default=0)

    def aside_of(self, group: int) -> tuple[Step, ...]:
        """The steps of one group that are set aside."""
        return tuple(step for step in self.aside if step.group == group)

    def seen_by(self, group: int) -> "History":
        """The history in which the group's next step follows: up to its first step that is set aside."""
        first = next((step.at for step in self.aside_of(group)), None)
        many = len(self.entries) if first is None else sum(entry.step.at < first for entry in self.entries)
        return History(self.worlds[: many + 1], self.entries[:many], self.aside)

    def with_step(self, step: Step, applied: Applied) -> "History":
        entries = (*self.entries, HistoryEntry(step, applied.lines, applied.messages))
        return History((*self.worlds, applied.world), entries, self.aside)

    def entries_of(self, group: int) -> tuple[HistoryEntry, ...]:
        return tuple(entry for entry in self.entries if entry.step.group == group)

    def sequences(self, group: int) -> list[list[Step]]:
        """The steps of one group, from one game to the next."""
        parts: list[list[Step]] = [[]]
        for step in (entry.step for entry in self.entries_of(group)):
            parts = [*parts, []] if step.kind == "play" else parts
            parts[-1].append(step)
        return parts

    def taken_again(self, group: int) -> set[int]:
        """The numbers of steps that were taken again after a roll for the same thing was seen and taken back."""
        retaken = {
            step.number
            for steps in self.sequences(group)
            for at, step in enumerate(steps)
            for place, other in enumerate(steps)
            if step.rolls and other.kind == UNDONE and step.repeats(other)
            if place < at or other.data.get("number", step.number) < step.number  # left out after it was taken again
        }
        return retaken | {entry.step.number for entry in self.entries_of(group) if entry.step.again}

    def chance(self, group: int, kind: str, who: object) -> list[Any]:
        """What the dice of a step are for. Every way to ask for them, in every order, gives the same."""
        played = self.world.played.get(group)
        if kind in self.world.rules.for_all and played:
            return [kind, played.round]
        steps = (*self.sequences(group)[-1], *self.aside_of(group))
        nth = sum(step.kind == kind and step.data.get("who", "") == who for step in steps)
        return [group, played.game if played else 0, kind, who, nth]

    def sums(self, group: int) -> dict[Account, int]:
        """The sums of a group's ledger by account, without zeros."""
        sums: Counter[Account] = Counter()
        for entry in self.entries_of(group):
            for line in entry.lines:
                sums[line.account] += line.amount
        return {account: amount for account, amount in sums.items() if amount}


def seed_of(secret: bytes, event: int, about: Sequence[object]) -> int:
    """The seed of the dice that are ``about`` this in an event's campaign. Nobody knows it without the secret."""
    return int(keyed_digest(secret, [event, *about]), 16) >> (256 - SEED_BITS)


def new_world(
    rules: CampaignRules,
    edition: EditionInfo,
    settings: Mapping[str, str],
    plan: Mapping[str, Any],
    names: Mapping[int, str],
    size: int = 0,
    left: Iterable[int] = (),
) -> World:
    """A campaign before its first step. Settings not given have their defaults."""
    world = World(rules, edition, rules.chosen(settings), plan, size, names=names, left=frozenset(left))
    return replace(world, shared=rules.shared(world))


def apply_step(world: World, step: Step, dice: Dice) -> Applied:
    """The world after one more step. Raises StepRefused, and RollNeeded for dice still to be rolled."""
    rules, group = world.rules, step.group
    if step.kind == "found":
        if group in world.groups:
            raise StepRefused(gettext("This group has been founded already."))
        return _at_phase(rules.found(world, group, step.data["document"], dice), group, rules.first_phase)
    if group not in world.groups:
        raise StepRefused(gettext("This group has not been founded."))
    if step.kind == UNDONE:
        said = message("Took back a roll of the service: %(said)s.", said=step.data["said"])
        if step.data.get("typed"):
            said = message("Took back dice rolled at the table: %(said)s.", said=step.data["said"])
        reason = step.data.get("reason")
        also = [message("The desk’s reason: %(reason)s.", reason=reason)] if reason else []
        return Applied(world, (), (said, *also))
    if step.kind in (RULING, REFOUNDED):
        return _decided(world, step, dice)
    if step.kind == "play":
        if group in world.phases:
            raise StepRefused(gettext("Close the steps after the last game first."))
        played = Played(**step.data)
        begun = rules.play(replace(world, played={**world.played, group: played}), group, played)
        return _at_phase(begun, group, 0)
    if group not in world.phases:
        raise StepRefused(gettext("All steps after the last game are closed."))
    if step.kind == "next":
        left = _at_phase(rules.leave(world, group), group, world.phases[group] + 1)
        doubt = step.data.get("doubt")
        return replace(left, messages=(*left.messages, message("To check: %(doubt)s", doubt=doubt))) if doubt else left
    return rules.apply(world, group, step.kind, step.data, dice)


def _decided(world: World, step: Step, dice: Dice) -> Applied:
    """The effect of the desk's step; its reason is on each line of the ledger."""
    rules, group, why = world.rules, step.group, message("Ruling: %(reason)s", reason=step.data["reason"])
    said = message("%(said)s.", said=why)
    if step.kind == RULING:
        made = rules.rule(world, group, step.data)
        return replace(made, lines=_because(made.lines, why), messages=(said, *made.messages))
    lost = tuple(LedgerLine(account, -amount, why) for account, amount in rules.balances(world.groups[group]).items())
    made = rules.found(world, group, step.data["document"], dice)
    made = replace(made, lines=(*lost, *_because(made.lines, why)), messages=(said, *made.messages))
    return _at_phase(made, group, rules.first_phase)


def _because(lines: Iterable[LedgerLine], why: Text) -> tuple[LedgerLine, ...]:
    return tuple(replace(line, why=why) for line in lines)


def _at_phase(applied: Applied, group: int, phase: int) -> Applied:
    """The same with the group in this phase, or the next one that is not skipped; after the last one in none."""
    rules = applied.world.rules
    phases = {key: place for key, place in applied.world.phases.items() if key != group}
    while phase < len(rules.phases) and rules.skips(applied.world, group, rules.phases[phase]):
        phase += 1
    if phase < len(rules.phases):
        phases[group] = phase
    return replace(applied, world=replace(applied.world, phases=phases))


def replay(world: World, steps: Sequence[Step]) -> History:
    """The history after these steps, with their stored dice. Raises StepRefused for a step that is not allowed."""
    return reduce(replay_step, steps, History((world,)))


def replay_step(history: History, step: Step) -> History:
    """The history after one more stored step."""
    dice = Dice(given=[result for roll in step.rolls for result in roll.results])
    applied = apply_step(history.world, step, dice)
    if tuple(dice.rolled) != step.rolls or dice.given:
        raise StepRefused(gettext("Step %(number)s keeps other dice than it needs.", number=step.number))
    return history.with_step(replace(step, rolls=tuple(dice.rolled)), applied)
