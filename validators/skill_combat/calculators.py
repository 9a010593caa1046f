"""The calculators of skill combat, data/calculators.json, in the order in which a bout needs them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from languages.words import N_
from validators.calculator import Asked, Calculated, Calculator, Given, Group
from validators.skill_combat.attack import calculate_shot
from validators.skill_combat.burst import calculate_burst
from validators.skill_combat.edition import DATA
from validators.skill_combat.figures import NOWHERE, PLACES, calculate_body
from validators.skill_combat.turns import LEGS, calculate_flight, calculate_hiding, calculate_order, calculate_turn

_CALCULATIONS: Mapping[str, Callable[[Given], Calculated]] = {
    "attack": calculate_shot,
    "burst": calculate_burst,
    "turn": calculate_turn,
    "hide": calculate_hiding,
    "flee": calculate_flight,
    "order": calculate_order,
    "body": calculate_body,
}
_AIMED = ((NOWHERE, N_("Nowhere: a quick shot")), *PLACES)


def _group(raw: Mapping[str, Any]) -> Group:
    return Group(raw["title"], tuple(Asked(**question, choices=_choices(question)) for question in raw["asks"]))


def _choices(asked: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The choices of a field; only a shot may be aimed at no part."""
    if asked["key"] == "part":
        return _AIMED if asked["default"] == NOWHERE else PLACES
    return tuple((place, words) for place, words, _ in LEGS) if asked["key"] == "legs" else ()


CALCULATORS = tuple(
    Calculator(**raw | {"groups": tuple(map(_group, raw["groups"])), "calculate": _CALCULATIONS[raw["id"]]})
    for raw in json.loads((DATA / "calculators.json").read_text(encoding="utf-8"))
)
