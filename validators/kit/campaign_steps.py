"""What the games' campaigns share: a step in the making, and a game's steps as tables."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from validators.calculator import Asked
from validators.campaign import Account, Answered, Applied, Dice, Line, Offer, Phase, Played, StepRefused, World


class StepBook:
    """One step of one group: the group as it changes, the lines of its ledger, and what happened in sentences.

    A game's own book names the types of ``group`` and of ``shared``, the game's part of the world.
    """

    group: Any
    shared: Any

    def __init__(self, world: World, number: int, dice: Dice | None = None) -> None:
        self.world, self.number, self.dice = world, number, dice or Dice(given=())
        self.group, self.shared = world.groups[number], world.shared
        self.lines: list[Line] = []
        self.says: list[str] = []
        self.say, self.roll = self.says.append, self.dice.roll

    @property
    def played(self) -> Played:
        """The game that the sequence follows."""
        return self.world.played[self.number]

    def applied(self) -> Applied:
        """What the step did."""
        world = replace(self.world.with_group(self.number, self.group), shared=self.shared)
        return Applied(world, tuple(self.lines), tuple(self.says))

    def set(self, **fields: Any) -> None:
        """Change fields of the group."""
        self.group = replace(self.group, **fields)

    def line(self, account: Account, amount: int, why: str) -> None:
        """Write a line of the ledger, unless the amount is 0."""
        if amount:
            self.lines.append(Line(account, amount, why))


@dataclass(frozen=True)
class Steps:
    """A game's steps as tables of functions over its own ``book``: offers and ends by phase, acts by kind of step."""

    book: type[StepBook]
    offering: Mapping[str, Sequence[Callable[[Any], Iterable[Offer]]]]
    acts: Mapping[str, Callable[[Any, Answered], None]]
    ends: Mapping[str, Sequence[Callable[[Any], None]]]
    at_once: Sequence[Callable[[Any], Iterable[Offer]]] = ()
    """What must be settled at once: offered first in every phase."""
    must: Collection[str] = ()
    """The kinds of steps that must be taken before a phase can end."""

    def in_phase(self, world: World, group: int, phase: Phase) -> tuple[Offer, ...]:
        """What the group may do in a phase."""
        book = self.book(world, group)
        return tuple(offer for offers_of in (*self.at_once, *self.offering[phase.id]) for offer in offers_of(book))

    def offers(self, world: World, group: int) -> tuple[Offer, ...]:
        """What the group may do now."""
        phase = world.phase(group)
        return self.in_phase(world, group, phase) if phase else ()

    def apply(self, world: World, group: int, kind: str, answers: Answered, dice: Dice) -> Applied:
        """A step that is on offer. Raises StepRefused and RollNeeded."""
        said, book = offered(self.offers(world, group), kind, answers), self.book(world, group, dice)
        self.acts[kind](book, said)
        return book.applied()

    def leave(self, world: World, group: int) -> Applied:
        """The end of the current phase. Raises StepRefused if something must be settled first."""
        phase, book = world.phase(group), self.book(world, group)
        for offer in self.offers(world, group):
            if offer.kind in self.must:
                raise StepRefused(f"Still to do: {offer.title} ({offer.verb}).")
        for end in self.ends.get(phase.id, ()) if phase else ():
            end(book)
        return book.applied()


def offered(offers: Iterable[Offer], kind: str, answers: Answered) -> Answered:
    """The answers for an offered step, each checked, or its default if not given.

    Raises StepRefused if no such step is offered, or for an answer that the form does not allow.
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
