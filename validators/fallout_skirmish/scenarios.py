"""The one scenario of Fallout Skirmish: an objective rolled by each player, and five markers to control.

Its figures are in data/objectives.json.
"""

import json
from dataclasses import dataclass
from typing import Any

from validators.fallout_skirmish.edition import DATA
from validators.scenario import Limits, Marker, Question, Scenario, Side

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
    def told(self) -> str:
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
        choices=tuple(objective.told for objective in OBJECTIVES),
        help="May be left out; it scores nothing by itself.",
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


_CHECKS = "; ".join(f"{objective.roll} {objective.name}, {objective.special}" for objective in OBJECTIVES)
_REWARDS = "; ".join(f"{objective.roll}: {objective.reward}" for objective in OBJECTIVES)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        id="objectives",
        name="Objectives",
        summary="Each player rolls an objective, and both fight for the same five markers.",
        setup=(
            "About half of the table is terrain; agree what is cover, difficult, impassable or radioactive.",
            "The marker of line 3 goes to the middle of the table.",
            "Each rolls a D12. The higher chooses an edge (a reading). The lower places a marker anywhere on the line "
            "36″ from the own edge; then the other does the same, then both on their 30″ line in the same order. The "
            "map shows an example: how far from the sides is free.",
            "Each rolls a D12 openly for an objective; its characteristic is what that player checks at the markers: "
            f"{_CHECKS}.",
            "For deployment each rolls a D12 and adds the highest Intelligence of the own group: the higher places a "
            "character first, then by turns. For the first turn the same with a D6; the higher says who begins.",
        ),
        scoring=(
            "A character at a marker makes a check on a D12 of its player's characteristic: passed, the player "
            "controls the marker. One that the opponent controls takes two passed checks at once.",
            "From turn 5, a D12 at the end of each turn: 10 or more ends the game, with 1 added for each marker that "
            "nobody controls and 1 for each turn after the fifth.",
            "At the end a marker is worth the number of its line: 1 to 5 VP, 15 in all. More VP win; equal VP are a "
            "draw. With no characters left a player can still win.",
            f"In a campaign the winner has the reward of the own objective; in a draw both have it with 5 VP or more. "
            f"{_REWARDS}.",
        ),
        game_rounds=0,
        scoring_from=0,
        most=0,
        limits=Limits(),
        choices=(),
        table_inches=TABLE,
        deployment_inches=0,
        markers=tuple(Marker(line.example, line.inches, f"Line {line.line}") for line in LINES),
        questions=tuple(question for side in _SIDES for question in _questions(side)),
        hint="",
        note="",
        round_note="1 for each marker controlled at the end of the game, worth the number of its line; "
        "one player at most controls a marker",
        objectives=0,
        objective_kinds=(),
        objective_most=0,
        objective_note="",
        readings=(
            "A marker is controlled by one player at a time, so both together score 15 VP at most.",
            "The picture of the numbered lines is not in the text that we have: line 1 is the one nearest to player "
            "A's edge, line 5 the one nearest to player B's, and the numbers are the same for both. As the edges "
            "differ, the higher roll chooses one; who sits where on the map does not matter for the report.",
            "From player 1's side the text puts the opponent's markers on 12″ and 24″; by the lines that it sets them "
            "on, 30″ and 36″ from the opponent's edge of a 48″ table, they lie on 18″ and 12″. Those are used.",
            "No turn is named as the last: with 10 or more needed and 1 added for each turn after the fifth, the "
            "fourteenth is the last that can be.",
        ),
        queries=(
            "Whether each player counts the lines from the own edge: then both together could score 21 VP.",
            "How deep players deploy: the document names no zone for its objectives.",
        ),
        source="Fallout Skirmish, chapters 3, 5.6 and 13",
    ),
)
