"""A campaign of any game that is played step by step, what must hold after each step, and random answers to offers."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from validators.calculator import Asked
from validators.campaign import CampaignRules, Dice, Offer, Step, World
from validators.campaign_history import History, HistoryEntry, apply_step, new_world, replay
from validators.contract import EditionInfo

Data = dict[str, Any]


class Campaign:
    def __init__(
        self, rules: CampaignRules, edition: EditionInfo, names: dict[int, str], settings: dict[str, str],
        plan: Data | None = None,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.history = History((new_world(rules, edition, settings, plan or {}, names),))

    @property
    def world(self) -> World:
        return self.history.world

    @world.setter
    def world(self, world: World) -> None:
        self.history = replace(self.history, worlds=(*self.history.worlds[:-1], world))

    def step(
        self, group: int, kind: str, data: Data | None = None, rolls: Iterable[int] = (), seed: int | None = None
    ) -> HistoryEntry:
        """Take a step with these dice, or with those of a seed. Every die given must be needed."""
        dice, step = Dice(seed, rolls), Step(len(self.history.entries) + 1, group, kind, data or {})
        applied = apply_step(self.world, step, dice)
        assert dice.given == []
        self.history = self.history.with_step(replace(step, rolls=tuple(dice.rolled)), applied)
        return self.history.entries[-1]

    def offers(self, group: int = 1, kind: str = "") -> list[Offer]:
        return [offer for offer in self.rules.offers(self.world, group) if kind in ("", offer.kind)]

    def check_newest(self, before: World) -> None:
        """The newest step adds up in the ledger of its group, of which nothing is below 0, and changes no other."""
        entry = self.history.entries[-1]
        group = entry.step.group
        assert all(line.amount and line.why for line in entry.lines)
        sums = self.history.sums(group)
        assert sums == self.rules.balances(self.world.groups[group]) and min(sums.values(), default=0) >= 0
        others, still = ({**world.groups, group: None} for world in (before, self.world))
        assert others == still

    def replayed(self, steps: int | None = None) -> World:
        """The world that follows from the steps, or from the first of them."""
        return replay(self.history.worlds[0], [entry.step for entry in self.history.entries[:steps]]).world


def answers(offer: Offer, dice: Random, most: int = 4) -> Data:
    """Random answers to an offer's form, figures up to ``most`` above the least: half of the time the defaults."""
    default = dice.random() < 0.5
    kept = {ask.key: ask.default for ask in offer.asks if default and ask.default is not None}
    typed = {ask.key: kept[ask.key] if ask.key in kept else _answer(ask, dice, most) for ask in offer.asks}
    return {**offer.fixed, **typed}


def _answer(asked: Asked, dice: Random, most: int) -> int | str:
    if asked.default is not None and dice.random() < 0.5:
        return asked.default
    if asked.kind == "choice":
        return dice.choice(asked.choices)[0]
    if asked.kind == "text":
        return dice.choice(["", "Ash", "Rust"])
    return dice.randint(0, 1) if asked.kind == "yes" else dice.randint(asked.least, min(asked.most, asked.least + most))
