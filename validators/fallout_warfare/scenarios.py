"""The four scenarios, read from data/scenarios.json: what is set up, what is asked, and the sentences printed."""

import json
from collections.abc import Mapping
from typing import Any

from validators.fallout_warfare.edition_exchange import DATA
from validators.scenario import Limits, Marker, Question, Scenario, Side

TABLE_INCHES = 48
"""The rulebook names no size of table; 24″ between the sides and 6″ of deployment for each fit on four feet."""
MOST_POINTS = 2000
"""Army points of one side: a slip of the pen is caught, no army is."""

_FIGURES: Mapping[str, tuple[str, int, str]] = {
    "fielded": ("Own points fielded", MOST_POINTS, "The total of the army on the table."),
    "dead": (
        "Own points killed",
        MOST_POINTS,
        "Of this player's army, by anybody: add up the ticked boxes of the army sheet.",
    ),
    "retreated": ("Own points retreated", MOST_POINTS, "Of this player's army, by the own edge."),
    "strayed": ("Own points over a wrong edge", MOST_POINTS, "Of this player's army: they count as killed."),
    "apc": ("APC left by the south edge (1: yes)", 1, "1 if it did; the convoy's player only."),
    "chests": ("Chests opened", 6, "By this player's side."),
    "left": ("Left first (1: yes)", 1, "1 if this player's side did."),
}
"""What can be asked of a side: its label, the most, and what it is in a sentence."""


def questions(asks: tuple[str, ...], parts: tuple[str, ...]) -> tuple[Question, ...]:
    """What is asked of both sides: the part that each had, if they differ, and these figures."""
    sides: tuple[Side, ...] = ("a", "b")
    return tuple(question for side in sides for question in _of_side(side, asks, parts))


def _of_side(side: Side, asks: tuple[str, ...], parts: tuple[str, ...]) -> list[Question]:
    asked = []
    if parts:
        told = "Who had which part; one of the two is enough."
        asked.append(Question(f"{side}.role", side, "choice", "Part", choices=parts, help=told, decides=True))
    for ask in asks:
        label, most, says = _FIGURES[ask]
        asked.append(Question(f"{side}.{ask}", side, "figure", label, most=most, help=says))
    return asked


def _scenario(raw: Mapping[str, Any]) -> Scenario:
    parts = tuple(raw["parts"])
    return Scenario(
        id=raw["id"],
        name=raw["name"],
        summary=raw["summary"],
        setup=tuple(raw["setup"]),
        scoring=tuple(raw["scoring"]),
        game_rounds=0,
        scoring_from=0,
        most=0,
        limits=Limits(),
        choices=parts,
        table_inches=TABLE_INCHES,
        deployment_inches=raw["deployment_inches"],
        markers=tuple(Marker(one["x"], one["y"], one["label"]) for one in raw["markers"]),
        questions=questions(tuple(raw["asks"]), parts),
        hint="",
        note=raw["note"],
        round_note=raw["note"],
        objectives=0,
        objective_kinds=(),
        objective_most=0,
        objective_note="",
        readings=tuple(raw["readings"]),
        queries=tuple(raw["queries"]),
        source=raw["source"],
        from_lists=raw.get("from_lists", True),
    )


SCENARIOS: tuple[Scenario, ...] = tuple(map(_scenario, json.loads((DATA / "scenarios.json").read_text("utf-8"))))
