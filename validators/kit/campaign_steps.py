"""Common parts of the games' campaigns: the bookkeeping of one step, and tables of a game's steps."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from languages.message import Text, counted_message, message
from languages.words import gettext
from validators.calculator import Asked
from validators.campaign import (
    Account,
    Answered,
    Applied,
    Dice,
    LedgerLine,
    Offer,
    Phase,
    Played,
    RollNeeded,
    Setting,
    StepRefused,
    World,
)


class StepBook:
    """A group during one step, with the ledger lines and messages so far; ``applied`` returns the result.

    Each game's subclass declares the types of ``group`` and of ``shared``, the game's part of the world, and changes
    them.
    """

    group: Any
    shared: Any

    def __init__(self, world: World, number: int, dice: Dice | None = None) -> None:
        self.world, self.number, self.dice = world, number, dice or Dice(given=())
        self.group, self.shared = world.groups[number], world.shared
        self.lines: list[LedgerLine] = []
        self.messages: list[Text] = []
        self.roll = self.dice.roll

    @property
    def played(self) -> Played:
        return self.world.played[self.number]

    def applied(self) -> Applied:
        world = replace(self.world.with_group(self.number, self.group), shared=self.shared)
        return Applied(world, tuple(self.lines), tuple(self.messages))

    def remark(self, text: str, /, **figures: object) -> None:
        self.messages.append(message(text, **figures))

    def remark_many(self, text: str, many: str, number: int, /, **figures: object) -> None:
        """As ``remark``, in the form that a language uses for this number."""
        self.messages.append(counted_message(text, many, number, **figures))

    def set(self, **fields: Any) -> None:
        self.group = replace(self.group, **fields)

    def line(self, account: Account, amount: int, why: Text) -> None:
        """Add a ledger line, unless the amount is 0."""
        if amount:
            self.lines.append(LedgerLine(account, amount, why))


@dataclass(frozen=True)
class Steps:
    """A game's steps as tables of functions, each of which is called with the game's own ``book``.

    ``offering`` yields the offers of a phase, ``ends`` ends it, ``acts`` applies a step of a kind with its answers.
    """

    book: type[StepBook]
    offering: Mapping[str, Sequence[Callable[[Any], Iterable[Offer]]]]
    acts: Mapping[str, Callable[[Any, Answered], None]]
    ends: Mapping[str, Sequence[Callable[[Any], None]]]
    at_once: Sequence[Callable[[Any], Iterable[Offer]]] = ()
    """Functions for offers that come first in every phase."""
    must: Collection[str] = ()
    """The kinds of steps that must be taken before a phase can end."""

    def in_phase(self, world: World, group: int, phase: Phase) -> tuple[Offer, ...]:
        """The steps that the group may take in a phase."""
        book = self.book(world, group)
        return tuple(offer for offers_of in (*self.at_once, *self.offering[phase.id]) for offer in offers_of(book))

    def offers(self, world: World, group: int) -> tuple[Offer, ...]:
        phase = world.phase(group)
        return self.in_phase(world, group, phase) if phase else ()

    def apply(self, world: World, group: int, kind: str, answers: Answered, dice: Dice) -> Applied:
        """Apply a step that is on offer. Raises StepRefused and RollNeeded."""
        checked, book = checked_answers(self.offers(world, group), kind, answers), self.book(world, group, dice)
        try:
            self.acts[kind](book, checked)
        except RollNeeded as needed:
            needed.said = tuple(book.messages)
            raise
        return book.applied()

    def leave(self, world: World, group: int) -> Applied:
        """End the current phase. Raises StepRefused if a required step is still on offer."""
        phase, book = world.phase(group), self.book(world, group)
        for offer in self.offers(world, group):
            if offer.kind in self.must:
                raise StepRefused(still_to_do(offer))
        for end in self.ends.get(phase.id, ()) if phase else ():
            end(book)
        return book.applied()


def settings_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Setting, ...]:
    """The settings in a game's data, each with the labels of its values as ``choices``."""
    return tuple(Setting(**{**row, "choices": tuple(row["choices"].items())}) for row in rows)


def still_to_do(offer: Offer) -> str:
    """Why a phase cannot end before this step."""
    return gettext("Still to do: %(title)s (%(verb)s).", title=offer.title, verb=offer.verb)


def checked_answers(offers: Iterable[Offer], kind: str, answers: Answered) -> Answered:
    """All answers of a step on offer, checked; missing ones have their defaults.

    Raises StepRefused if no such step is on offer, or for an answer that its form does not allow.
    """
    for offer in offers:
        if offer.kind == kind and all(answers.get(key) == value for key, value in offer.fixed.items()):
            return {**offer.fixed, **answers_to(offer.asks, answers)}
    raise StepRefused(gettext("This step cannot be taken now."))


def answers_to(asks: Iterable[Asked], answers: Answered) -> dict[str, int | str]:
    return {ask.key: _answered(ask, answers) for ask in asks}


def _answered(asked: Asked, answers: Answered) -> int | str:
    given = answers.get(asked.key, asked.default)
    if asked.kind == "choice":
        if not isinstance(given, str) or given not in dict(asked.choices):
            raise StepRefused(gettext("%(label)s: choose one of the list.", label=asked.label), asked.key)
        return given
    if asked.kind == "text":
        return str(given or "").strip()[:60]
    least, most = (0, 1) if asked.kind == "yes" else (asked.least, asked.most)
    if not isinstance(given, int) or not least <= given <= most:
        raise StepRefused(
            gettext("%(label)s: %(least)s to %(most)s.", label=asked.label, least=least, most=most), asked.key
        )
    return given
