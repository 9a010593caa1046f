"""Campaigns of Fallout Skirmish for tests: founded groups and scripted steps."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.kit.skirmish_groups import EDITION, SYSTEM, TERMS, character, group
from tests.validators.played_campaigns import Campaign, Data
from validators.campaign import Account, CampaignRules, Dice, Step, StepRefused
from validators.campaign_history import apply_step
from validators.contract import Document, Terms

assert SYSTEM.campaign
RULES: CampaignRules = SYSTEM.campaign
THREE = ("Bar", "Casino", "Hotel")


class Table(Campaign):
    """A campaign that is played step by step; each step is recorded with its dice."""

    def __init__(self, names: dict[int, str], **settings: str) -> None:
        super().__init__(RULES, EDITION, names, {"first_turfs": "list"} | settings)

    def play(self, group: int, opponent: int, *, round_: int = 1, result: str = "win", **more: Any) -> None:
        game = {"game": round_, "round": round_, "result": result, "opponent": opponent, "scenario": "objectives"}
        self.step(group, "play", game | more)

    def until(self, group: int, phase: str) -> None:
        """End phases up to this one or a later one, all of them for ""; advances are rolled on the way."""
        places = [a_phase.id for a_phase in RULES.phases]
        target = places.index(phase) if phase else len(places)
        while self.world.phases.get(group, target) < target:
            while due := self.offers(group, "advance") + self.offers(group, "perk"):
                chosen = {ask.key: ask.choices[0][0] for ask in due[0].asks}
                self.step(group, due[0].kind, {**due[0].fixed, **chosen}, seed=len(self.history.entries))
            self.step(group, "next")

    def feed(self, group: int, phase: str = "upkeep") -> None:
        """Go on to the upkeep, feed and maintain the group as suggested, and go on to this phase."""
        self.until(group, "upkeep")
        self.step(group, "upkeep")
        self.until(group, phase)

    def set(self, group: int = 1, **fields: Any) -> None:
        self.world = self.world.with_group(group, replace(self.world.groups[group], **fields))

    def set_member(self, key: str, **fields: Any) -> None:
        self.world = self.world.with_group(1, self.world.groups[1].with_changed(key, **fields))

    def set_members(self, **fields: Any) -> None:
        self.set(all_members=tuple(replace(member, **fields) for member in self.world.groups[1].all_members))

    def member(self, key: str) -> Any:
        return self.world.groups[1].member(key)

    def amount(self, kind: str, name: str = "") -> int:
        return RULES.balances(self.world.groups[1]).get(Account(kind, name), 0)  # type: ignore[arg-type]

    def suggested(self, kind: str) -> Data:
        """The default answers to the only offer of this kind to group 1."""
        (offer,) = self.offers(1, kind)
        return {ask.key: ask.default for ask in offer.asks}

    def refused(self, group: int, kind: str, data: Data | None = None, rolls: Iterable[int] = ()) -> str:
        try:
            apply_step(self.world, Step(0, group, kind, data or {}), Dice(given=rolls))
        except StepRefused as why:
            return why.message
        raise AssertionError(f"{kind} was not refused")

    def balanced(self) -> None:
        """Every ledger adds up, nothing is below 0, and the steps give the same world again."""
        assert self.replayed() == self.world
        for number, state in self.world.groups.items():
            balances = RULES.balances(state)
            assert self.history.sums(number) == balances
            assert min(balances.values(), default=0) >= 0
            document = RULES.document(state)
            if document["models"] and number not in self.world.phases:
                assert SYSTEM.forces.read(document, EDITION) == document
                assert SYSTEM.checks.check(document, Terms(EDITION, 500, grown=True)).problems == ()


def sample(faction: str, seed: int = 1, turfs: tuple[str, ...] = THREE) -> Document:
    return SYSTEM.forces.sample(TERMS, faction, seed) | {"turfs": list(turfs)}


GREENS = (
    character("Veteran", "Nail Board", called="Ash"), character("Green", "Knife", called="Bo"),
    character("Green", called="Cy"),
)  # fmt: skip


def founded_by(*documents: Document, **settings: str) -> Table:
    table = Table(dict(enumerate(("Knives", "Talons", "Law")[: len(documents)], start=1)), **settings)
    for number, document in enumerate(documents, start=1):
        table.step(number, "found", {"document": document})
    return table


def founded(
    *models: dict[str, Any], turfs: tuple[str, ...] = THREE, faction: str = "Raiders", other: str = "Talon Company",
    **settings: str,
) -> Table:  # fmt: skip
    """A campaign of this group and of a sample of another faction."""
    return founded_by(group(faction, *(models or GREENS), turfs=turfs), sample(other), **settings)


def after_game(*models: dict[str, Any], phase: str = "", **more: Any) -> Table:
    """The same after a game; ``more`` are settings, arguments of ``founded`` and data of the game."""
    keys = ("turfs", "faction", "other", *(setting.key for setting in RULES.settings))
    table = founded(*models, **{key: more.pop(key) for key in keys if key in more})
    table.play(1, 2, **more)
    table.until(1, phase or "game")
    return table


def fought(who: str = "c1", **more: int) -> dict[str, int | str]:
    return {"who": who, "took": 1, "wounded": 0, "killed": 0, "other": 0, "down": 0, "rads": 0, **more}


def downed(*models: dict[str, Any], rolls: tuple[int, int] | None = None, **more: Any) -> Table:
    """After a game in which the first character went down, with this roll for the injury."""
    table = after_game(*models, **more)
    table.step(1, "fought", fought(down=1))
    table.until(1, "injuries")
    if rolls:
        table.step(1, "injury", {"who": "c1"}, rolls)
    return table
