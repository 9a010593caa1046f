"""The campaign of Fallout: Warfare: every figure of chapter 8, and every refusal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pytest

from tests.kit.armies import EDITION, SYSTEM, army, line, skill, squad, squires
from validators.campaign import Account, Dice, History, Played, Step, StepRefused, after, folded, new_world
from validators.contract import Terms
from validators.fallout_warfare.campaign.rules import RULES
from validators.fallout_warfare.campaign.settings import battle_points, battles

POINTS = Account("points")
HERO = "Squire, hero"
ARMY = army(
    squires(6),
    squires(4),
    squires(4),
    squad(line("Squire", "hero", skills=[skill("Doctor")])),
    squad(line("Squire", "hero", level=3, skills=[skill("Piloting", 7)])),
    vehicles=["APC"],
)
"""Squads 0 to 2, the heroes 3-0-0 (a Doctor of 1 hit point) and 4-0-0 (a driver of 3), and an APC."""


@dataclass
class Campaign:
    """A campaign that takes steps one by one."""

    settings: Mapping[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    plan: Mapping[str, Any] = field(default_factory=dict)

    def do(self, kind: str, data: Mapping[str, Any] | None = None, group: int = 1, roll: int = 1) -> "Campaign":
        """One more step, with this result of a die if it needs one."""
        dice = Dice(given=[roll])
        step = Step(len(self.steps) + 1, group, kind, data or {})
        after(self.history.world, step, dice)
        self.steps.append(replace(step, rolls=tuple(dice.rolled)))
        return self

    def battle(self, result: str = "win", *bodies: str, fought: bool = True, scenario: str = "skirmish") -> "Campaign":
        """The muster of these squads and vehicles, the end of the sequence, and a battle."""
        self.do("muster", {f"in-{body}": 1 for body in bodies}).do("next")
        return self.play(result, fought=fought, scenario=scenario)

    def play(
        self, result: str = "win", group: int = 1, *, fought: bool = True, scenario: str = "skirmish"
    ) -> "Campaign":
        """A battle."""
        number = 1 + sum(step.kind == "play" and step.group == group for step in self.steps)
        played = Played(number, number, result, 3 - group, scenario, fought=fought)  # type: ignore[arg-type]
        return self.do("play", asdict(played), group)

    def to(self, phase: str) -> "Campaign":
        """Ends phases until this one."""
        while (now := self.history.world.phase(1)) is not None and now.id != phase:
            self.do("next")
        return self

    def member(self, key: str) -> dict[str, str]:
        """The figures of somebody."""
        found = next(one for one in RULES.members(self.history.world.groups[1]) if one.key == key)
        return dict(found.figures) | {"notes": "; ".join(found.notes), "gone": found.gone}

    @property
    def points(self) -> int:
        """The army points of group 1, which its ledger must give too."""
        history = self.history
        balances = RULES.balances(history.world.groups[1])
        assert history.sums(1) == balances
        return balances[POINTS]

    @property
    def says(self) -> str:
        """What the newest step said."""
        return " ".join(self.history.entries[-1].says)

    @property
    def history(self) -> History:
        return folded(new_world(RULES, EDITION, self.settings, self.plan, {1: "Lost Hills", 2: "Junktown"}), self.steps)


def campaign(document: dict[str, Any] | None = None, **settings: str) -> Campaign:
    """A campaign with group 1 founded."""
    return Campaign(settings).do("found", {"document": document or ARMY})


def refused(of: Campaign, why: str, kind: str, data: Mapping[str, Any] | None = None, roll: int = 1) -> None:
    """The step is refused, and nothing is changed by it."""
    before = list(of.steps)
    with pytest.raises(StepRefused, match=why):
        of.do(kind, data, roll=roll)
    assert of.steps == before


# ---- 8.1


def test_a_group_starts_with_all_of_its_army() -> None:
    one = campaign()

    assert one.points == SYSTEM.checks.check(ARMY, _terms(400)).total
    assert RULES.document(one.history.world.groups[1]) == ARMY
    assert one.history.sums(1)[Account("character", "Squire")] == 14
    assert one.history.sums(1)[Account("item", "APC")] == 1
    phase = one.history.world.phase(1)
    assert phase is not None and phase.id == "muster", "without a map and without wounds there is only the muster"


def test_starting_points_are_advised_or_binding() -> None:
    assert "500 to 1500 army points are advised." in campaign().says
    refused(Campaign({"start": "bound"}), "starts with 500 to 1500", "found", {"document": ARMY})


def test_the_number_of_battles_is_125_to_150_percent_of_start_over_most() -> None:
    assert battles(1000, 200) == (6, 8), "6.25 to 7.5"
    assert battles(800, 400) == (2, 3), "2.5 to 3"
    assert battles(1600, 400) == (5, 6), "exactly 5 and 6"


def test_a_muster_has_its_fewest_and_most_points() -> None:
    one = campaign(most="100")
    assert battle_points(one.history.world) == (50, 100)
    assert battle_points(campaign(most="250", least="25").history.world) == (63, 250)
    refused(one, "at least 50", "muster", {"in-s3": 1})
    refused(one, "at most 100", "muster", {"in-s0": 1, "in-s1": 1, "in-s2": 1})
    refused(one, "cannot fight", "muster", {"in-s9": 1})
    refused(one, "Muster for the next battle", "next")
    one.do("muster", {"in-s0": 1})
    assert one.do("next").history.world.phase(1) is None


def test_who_retreats_misses_the_following_battle() -> None:
    one = campaign().battle("loss", "s0", "s1")
    one.do("losses", {"body": "s0", "lost-0-1": 1, "away-0-1": 2}).to("muster")
    assert one.member("0-1") == {"Ready": "3", "Lost": "1", "notes": "2 miss the next battle", "gone": ""}
    one.battle("win", "s0", "s1", "s2")
    assert one.member("0-1")["Ready"] == "5", "the battle that it missed is over"


def test_losses_leave_the_ledger_line_by_line() -> None:
    one = campaign()
    before = one.points
    one.battle("win", "s0", "s1").do("losses", {"body": "s0", "lost-0-1": 2})
    assert one.points == before - 2 * (5 + 6)
    assert one.history.sums(1)[Account("character", "Squire")] == 12


def _terms(size: int) -> Any:
    return Terms(EDITION, size)
