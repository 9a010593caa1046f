"""The one scenario of Fallout Skirmish: an objective rolled by each player, and five markers to control.

Its figures are in data/objectives.json.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from validators.answers import by_themselves
from validators.fallout_skirmish.edition import DATA
from validators.kit.scenarios import shipped_scenarios
from validators.scenario import Answers, Doubt, Marker, Question, Scenario, Score, Side

TABLE = 48
_DATA: dict[str, Any] = json.loads((DATA / "objectives.json").read_text(encoding="utf-8"))
_SIDES: tuple[Side, ...] = ("a", "b")


@dataclass(frozen=True)
class Objective:
    """An objective by its result on a D12: the characteristic checked at the markers, and the winner's reward."""

    roll: int
    name: str
    special: str
    reward: str

    @property
    def label(self) -> str:
        """As it is chosen in a form: "1 Geomapping with Reilly (Luck)"."""
        return f"{self.roll} {self.name} ({self.special})"


@dataclass(frozen=True)
class Line:
    """A line that a marker lies on: its number, inches from player A's edge, and what the marker is worth in VP."""

    line: int
    inches: int
    vp: int
    example: int
    """Inches from the left where the map shows it; free but for the middle one."""

    @property
    def key(self) -> str:
        """The key of its questions, without the side."""
        return f"line{self.line}"


OBJECTIVES: tuple[Objective, ...] = tuple(Objective(**row) for row in _DATA["objectives"])
LINES: tuple[Line, ...] = tuple(Line(**row) for row in _DATA["markers"])


def _questions(side: Side) -> tuple[Question, ...]:
    rolled = Question(
        key=f"{side}.objective",
        side=side,
        kind="choice",
        label="Objective rolled",
        choices=tuple(objective.label for objective in OBJECTIVES),
        help="Optional; it scores nothing by itself.",
    )
    held = (
        Question(
            key=f"{side}.{line.key}",
            side=side,
            kind="figure",
            label=f"Line {line.line}: {line.vp} VP",
            most=1,
            help="1 where the player controls this marker at the end, 0 where not.",
        )
        for line in LINES
    )
    return (rolled, *held)


SCENARIOS = tuple(
    replace(scenario, markers=tuple(Marker(line.example, line.inches, f"Line {line.line}") for line in LINES))
    for scenario in shipped_scenarios(
        DATA / "scenarios.json", TABLE, lambda _: tuple(question for side in _SIDES for question in _questions(side))
    )
)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; what is left out counts as not controlled."""
    wrong = tuple(by_themselves(scenario, answers, _out_of_bounds, one_of="the twelve objectives"))
    if wrong:
        return wrong
    return (*_held_twice(answers), *_nothing_held(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """The numbers of the lines whose markers each side controls; more VP win."""
    return Score(a=_points(answers, "a"), b=_points(answers, "b"))


def _points(answers: Answers, side: Side) -> int:
    return sum(line.vp for line in LINES if answers.get(f"{side}.{line.key}", 0) == 1)


def _out_of_bounds(question: Question, value: int) -> str:
    return "1 for a marker that is controlled, 0 for any other"


def _held_twice(answers: Answers) -> Iterator[Doubt]:
    for line in LINES:
        keys = (f"a.{line.key}", f"b.{line.key}")
        if all(answers.get(key, 0) == 1 for key in keys):
            yield Doubt(keys, f"Both players control the marker of line {line.line}; one at most can", True)


def _nothing_held(answers: Answers) -> Iterator[Doubt]:
    if not any(answers.get(f"{side}.{line.key}", 0) for side in ("a", "b") for line in LINES):
        yield Doubt((), "Nobody controls any marker at the end: is that right?", False, at_the_end=True)
