"""The calculators of skill combat, data/calculators.json, in the order in which a bout needs them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from validators.calculator import Asked, Calculated, Calculator, Given, Group
from validators.skill_combat.attack import PLACES, calculate_shot
from validators.skill_combat.burst import calculate_burst
from validators.skill_combat.edition import DATA
from validators.skill_combat.turns import calculate_hiding, calculate_turn

_CALCULATIONS: Mapping[str, Callable[[Given], Calculated]] = {
    "attack": calculate_shot,
    "burst": calculate_burst,
    "turn": calculate_turn,
    "hide": calculate_hiding,
}
_CHOICES = {"part": PLACES}


def _group(raw: Mapping[str, Any]) -> Group:
    return Group(raw["title"], tuple(Asked(**one, choices=_CHOICES.get(one["key"], ())) for one in raw["asks"]))


CALCULATORS = tuple(
    Calculator(**raw | {"groups": tuple(map(_group, raw["groups"])), "calculate": _CALCULATIONS[raw["id"]]})
    for raw in json.loads((DATA / "calculators.json").read_text(encoding="utf-8"))
)
