"""Campaigns of Fallout Skirmish for tests: groups, scripted steps, and random legal sequences."""

from collections.abc import Iterable
from random import Random
from typing import Any

from tests.validators.test_fallout_skirmish_rules import group, one
from validators import SYSTEMS
from validators.calculator import Asked
from validators.campaign import (
    Account,
    CampaignRules,
    Dice,
    Entry,
    Offer,
    Step,
    StepRefused,
    apply_step,
    new_world,
    replay,
)
from validators.contract import Document, Terms

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
assert SYSTEM.campaign
RULES: CampaignRules = SYSTEM.campaign


class Table:
    """A campaign that is played step by step; each step is recorded with its dice."""

    def __init__(self, names: dict[int, str], **settings: str) -> None:
        self.start = new_world(RULES, EDITION, {"first_turfs": "list"} | settings, {}, names)
        self.world = self.start
        self.steps: list[Step] = []
        self.entries: list[Entry] = []

    def step(
        self,
        group: int,
        kind: str,
        data: dict[str, Any] | None = None,
        rolls: Iterable[int] = (),
        seed: int | None = None,
    ) -> Entry:
        """Take a step with these dice, or with those of a seed. Every die given must be needed."""
        number = len(self.steps) + 1
        dice = Dice(seed, rolls)
        done = apply_step(self.world, Step(number, group, kind, data or {}), dice)
        assert dice.given == []
        step = Step(number, group, kind, data or {}, tuple(dice.rolled))
        entry = Entry(step, done.lines, done.messages)
        self.world = done.world
        self.steps.append(step)
        self.entries.append(entry)
        return entry

    def until(self, group: int, phase: str) -> None:
        """End phases up to this one or one after it, "" until all are closed; advances are rolled on the way."""
        places = [one.id for one in RULES.phases]
        target = places.index(phase) if phase else len(places)
        while self.world.phases.get(group, target) < target:
            while due := self.offers(group, "advance") + self.offers(group, "perk"):
                chosen = {one.key: one.choices[0][0] for one in due[0].asks}
                self.step(group, due[0].kind, {**due[0].fixed, **chosen}, seed=len(self.steps))
            self.step(group, "next")

    def offers(self, group: int, kind: str = "") -> list[Offer]:
        """What the group is offered, of one kind or of all."""
        return [one for one in RULES.offers(self.world, group) if not kind or one.kind == kind]

    def refused(self, group: int, kind: str, data: dict[str, Any] | None = None, rolls: Iterable[int] = ()) -> str:
        """The sentence with which a step is refused."""
        try:
            apply_step(self.world, Step(0, group, kind, data or {}), Dice(given=rolls))
        except StepRefused as why:
            return why.message
        raise AssertionError(f"{kind} was not refused")

    def balanced(self) -> None:
        """Every ledger adds up, nothing is below 0, and the steps give the same world again."""
        history = replay(self.start, self.steps)
        assert history.world == self.world
        for number, state in history.world.groups.items():
            balances = RULES.balances(state)
            assert history.sums(number) == balances
            assert min(balances.values(), default=0) >= 0
            document = RULES.document(state)
            if document["models"] and number not in self.world.phases:
                assert SYSTEM.forces.read(document, EDITION) == document
                assert SYSTEM.checks.check(document, Terms(EDITION, 500, grown=True)).problems == ()


def play(table: Table, group: int, opponent: int, *, round_: int = 1, result: str = "win", **more: Any) -> Entry:
    """The group has played a game."""
    game = {"game": round_, "round": round_, "result": result, "opponent": opponent, "scenario": "objectives"}
    return table.step(group, "play", game | more)


def sample(faction: str, seed: int) -> Document:
    """A legal group."""
    return SYSTEM.forces.sample(Terms(EDITION, 500), faction, seed)


THREE = ("Bar", "Casino", "Hotel")
GREENS = (one("Veteran", "Nail Board", called="Ash"), one("Green", "Knife", called="Bo"), one("Green", called="Cy"))


def founded(
    *models: dict[str, Any], turfs: tuple[str, ...] = THREE, faction: str = "Raiders", **settings: str
) -> Table:
    """A campaign of this group and of Talon Company."""
    table = Table({1: "Knives", 2: "Talons"}, **settings)
    table.step(1, "found", {"document": group(faction, *(models or GREENS), turfs=turfs)})
    table.step(2, "found", {"document": sample("Talon Company", 1) | {"turfs": list(THREE)}})
    return table


def after_game(*models: dict[str, Any], phase: str = "", **more: Any) -> Table:
    """The same after a game."""
    keys = ("turfs", "faction", *(one.key for one in RULES.settings))
    table = founded(*models, **{key: more.pop(key) for key in keys if key in more})
    play(table, 1, 2, **more)
    table.until(1, phase or "game")
    return table


def has(table: Table, kind: str, name: str = "") -> int:
    """How much the first group has."""
    return RULES.balances(table.world.groups[1]).get(Account(kind, name), 0)  # type: ignore[arg-type]


def who(table: Table, key: str) -> Any:
    """A character of the first group."""
    return table.world.groups[1].member(key)


def given(table: Table, key: str, **more: Any) -> None:
    """A character of the first group is like this."""
    table.world = table.world.with_group(1, table.world.groups[1].with_changed(key, **more))


def fought(who: str = "c1", **more: int) -> dict[str, int | str]:
    """A record of a character."""
    return {"who": who, "took": 1, "wounded": 0, "killed": 0, "other": 0, "down": 0, "rads": 0, **more}


def downed(*models: dict[str, Any], rolls: tuple[int, int] | None = None, **more: Any) -> Table:
    """After a game in which the first character went down, and this roll of the injury."""
    table = after_game(*models, **more)
    table.step(1, "fought", fought(down=1))
    table.until(1, "injuries")
    if rolls:
        table.step(1, "injury", {"who": "c1"}, rolls)
    return table


def answers(offer: Offer, dice: Random) -> dict[str, int | str]:
    """What a form may say: often all that stands there, otherwise anything that it takes."""
    as_it_stands = dice.random() < 0.5
    given = {
        one.key: one.default if as_it_stands and one.default is not None else _answer(one, dice) for one in offer.asks
    }
    return {**offer.fixed, **given}


def _answer(asked: Asked, dice: Random) -> int | str:
    if asked.default is not None and dice.random() < 0.5:
        return asked.default
    if asked.kind == "choice":
        return dice.choice(asked.choices)[0]
    if asked.kind == "text":
        return dice.choice(["", "Ash", "Rust"])
    return dice.randint(0, 1) if asked.kind == "yes" else dice.randint(asked.least, min(asked.most, asked.least + 4))
