"""A campaign's steps applied in order. Pure: everything follows from the steps, and the same give the same world."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from validators.campaign import UNDONE, Account, Applied, CampaignRules, Dice, Line, Played, Step, StepRefused, World
from validators.contract import EditionInfo


@dataclass(frozen=True)
class Entry:
    """A step with its effect."""

    step: Step
    lines: tuple[Line, ...]
    messages: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The effect of each step, and the worlds before and after them: one world more than steps."""

    worlds: tuple[World, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def world(self) -> World:
        """The world after all steps."""
        return self.worlds[-1]

    def before(self, number: int) -> World:
        """The world before step ``number``."""
        return self.worlds[sum(entry.step.number < number for entry in self.entries)]

    def with_step(self, step: Step, applied: Applied) -> "History":
        """The same with one more step."""
        return History((*self.worlds, applied.world), (*self.entries, Entry(step, applied.lines, applied.messages)))

    def entries_of(self, group: int) -> tuple[Entry, ...]:
        """The entries of one group."""
        return tuple(entry for entry in self.entries if entry.step.group == group)

    def retyped_steps(self, group: int) -> set[int]:
        """The numbers of steps whose dice were typed after the service's roll for the same thing was undone."""
        undone, found = list[Step](), set[int]()
        for step in (entry.step for entry in self.entries_of(group)):
            if step.kind == "play":
                undone = []
            elif step.kind == UNDONE:
                undone.append(step)
            elif step.typed and any(map(step.repeats, undone)):
                found.add(step.number)
        return found

    def sums(self, group: int) -> dict[Account, int]:
        """The sums of a group's ledger by account, without zeros."""
        sums: Counter[Account] = Counter()
        for entry in self.entries_of(group):
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
    """A campaign before its first step. Settings not given have their defaults."""
    world = World(rules, edition, rules.chosen(settings), plan, size, names=names)
    return replace(world, shared=rules.shared(world))


def apply_step(world: World, step: Step, dice: Dice) -> Applied:
    """The world after one more step. Raises StepRefused, and RollNeeded for dice still to be rolled."""
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
        left = _at_phase(rules.leave(world, group), group, world.phases[group] + 1)
        doubt = step.data.get("doubt")
        return replace(left, messages=(*left.messages, f"To check: {doubt}")) if doubt else left
    return rules.apply(world, group, step.kind, step.data, dice)


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
        raise StepRefused(f"Step {step.number} keeps other dice than it needs.")
    return history.with_step(step, applied)
