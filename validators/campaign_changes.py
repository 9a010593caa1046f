"""Changes to earlier steps of a campaign: opened again, set aside, redone; and what another result would have given.

Pure, as the history is. Steps keep their places, so what a change sets aside can be redone in order.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile
from typing import Any

from languages.message import Text
from languages.words import N_, gettext
from validators.campaign import BY_DESK, UNDONE, Applied, Phase, RollNeeded, Step, StepRefused, World
from validators.campaign_history import History, HistoryEntry, replay_step

ROOM = 1024
"""New steps that fit between two places before the next gap is smaller."""
CANNOT_FOLLOW = (StepRefused, RollNeeded, LookupError, ValueError, TypeError)
"""The exceptions that a step raises which can follow no longer."""


@dataclass(frozen=True)
class Opening:
    """What opening a step again does."""

    history: History
    """The campaign afterwards."""
    aside: tuple[HistoryEntry, ...]
    """The steps that it sets aside, in order, with the effect that they had."""
    changed: tuple[tuple[HistoryEntry, HistoryEntry], ...]
    """The later steps of other groups that are kept with another effect: before and after."""


def opened(history: History, number: int) -> Opening:
    """Open a step again: it and all later steps of its group are set aside.

    Later steps of other groups are kept, unless one can follow no longer: then it and all later ones of its group are
    set aside too. The desk's rulings are kept while they can follow.
    """
    at = history.position(number)
    found = History(history.worlds[: at + 1], history.entries[:at])
    open_groups, aside, changed = (
        {history.entries[at].step.group},
        list[HistoryEntry](),
        list[tuple[HistoryEntry, HistoryEntry]](),
    )
    for entry in history.entries[at:]:
        stays = entry.step.group not in open_groups or entry.step.kind in (*BY_DESK, UNDONE)
        after = _followed(found, entry.step) if stays else None
        if after is None:
            aside.append(entry)
            open_groups |= set() if entry.step.kind in BY_DESK else {entry.step.group}
            continue
        found = after
        if found.entries[-1] != entry:
            changed.append((entry, found.entries[-1]))
    steps = sorted((*history.aside, *(entry.step for entry in aside)), key=lambda step: step.at)
    return Opening(replace(found, aside=tuple(steps)), tuple(aside), tuple(changed))


def _followed(history: History, step: Step) -> History | None:
    """The history with one more stored step; None if it can follow no longer."""
    try:
        return replay_step(history, step)
    except CANNOT_FOLLOW:
        return None


SEEN_FIRST = N_(
    "Redo first what was set aside after its dice were seen. Only the desk can leave it out, with a reason."
)


def held_by(history: History, group: int, *, closes: bool = False) -> Step | None:
    """A step whose dice its group has seen, set aside, before which the group can do nothing else.

    That is its first step set aside, if it can be redone now; before the sequence ``closes``, any of the sequence.
    """
    aside, binds = history.aside_of(group), history.world.rules.binds
    seen = history.seen_by(group)
    if aside and binds(aside[0]) and _followed(seen, aside[0]):
        return aside[0]
    of_sequence = takewhile(lambda step: step.kind != "play", aside)
    return next(filter(binds, of_sequence), None) if closes else None


def place_of_next(history: History, group: int) -> float | None:
    """The place of the group's next step: before its steps that are set aside. None: after all steps.

    Raises StepRefused if there is no room.
    """
    first = next((step.at for step in history.aside_of(group)), None)
    if first is None:
        return None
    everywhere = (*(entry.step for entry in history.entries), *history.aside)
    last = max(step.at for step in everywhere if step.at < first)
    place = last + (first - last) / ROOM
    if not last < place < first:
        raise StepRefused(gettext("Too many steps were put in here. Redo or leave out those that are set aside first."))
    return place


def inserted(history: History, step: Step, applied: Applied) -> History:
    """The history with one more step at its place. Raises StepRefused if a later step of another group cannot follow.

    The step was applied to the world that its group sees.
    """
    seen = history.seen_by(step.group)
    later = [entry.step for entry in history.entries[len(seen.entries) :]]
    return reduce(_follow, later, seen.with_step(step, applied))


def _follow(history: History, step: Step) -> History:
    """The history with a later step that is kept. Raises StepRefused with its group if it cannot follow."""
    if (found := _followed(history, step)) is None:
        name = history.world.names.get(step.group)
        raise StepRefused(
            gettext("A later step of %(name)s could not follow.", name=name)
            if name
            else gettext("A later step of another group could not follow.")
        )
    return found


@dataclass(frozen=True)
class Redone:
    """A step that was set aside, redone: what it did, or why it is not possible any more."""

    step: Step
    messages: tuple[Text, ...] = ()
    why_not: str = ""
    ends: Phase | None = None
    """The phase that it ends."""


def redo(
    history: History, groups: Collection[int], played: Mapping[int, Mapping[str, Any]], *, stop: bool = True
) -> tuple[History, tuple[Redone, ...]]:
    """Redo the steps of these groups that are set aside, in order, each group up to the first that is not possible.

    ``played`` are the present results of ``play`` steps by number. With ``stop`` false, what is not possible is passed
    over, to show what redoing would do. Raises StepRefused if a step that was kept cannot follow then.
    """
    first = min((step.at for step in history.aside if step.group in groups), default=0)
    many, done, stopped = sum(entry.step.at < first for entry in history.entries), list[Redone](), set[int]()
    found = History(history.worlds[: many + 1], history.entries[:many])
    ours = [step for step in history.aside if step.group in groups]
    for step in sorted((*ours, *(entry.step for entry in history.entries[many:])), key=lambda step: step.at):
        if step not in ours:
            found = (_followed(found, step) or found) if not stop else _follow(found, step)
        elif step.group not in stopped:
            wanted = replace(step, data=played.get(step.number, step.data))
            ends = found.world.phase(step.group) if step.kind == "next" else None
            try:
                found = replay_step(found, wanted)
            except CANNOT_FOLLOW as why:
                done.append(Redone(step, why_not=str(why)))
                stopped |= {step.group} if stop else set()
            else:
                done.append(Redone(wanted, found.entries[-1].messages, ends=ends))
    redone = {redone.step.number for redone in done if not redone.why_not}
    rest = tuple(step for step in history.aside if step.number not in redone)
    return replace(found, aside=rest), tuple(done)


def otherwise(history: History, number: int, played: Mapping[str, Any] | None) -> World:
    """The world as it would be had the ``play`` step ``number`` counted this game; None: no game.

    Steps that cannot follow are left out, as are rulings that settle this step, and nothing is added.
    """
    at = history.position(number)
    found = History(history.worlds[: at + 1], history.entries[:at])
    for entry in history.entries[at:]:
        step = entry.step
        if step.data.get("settles") == number or (step.number == number and played is None):
            continue
        if step.number == number and played is not None:
            step = replace(step, data=played)
        found = _followed(found, step) or found
    return found.world
