"""A second checker of the SNAFU game, simple and slow, that shares no code with the first: it reads the JSON itself."""

import json
from pathlib import Path
from typing import Any

RAW: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "validators" / "new_vegas" / "data" / "edition_snafu.json").read_text()
)


def same(one: str, other: str) -> bool:
    return one.lower().split() == other.lower().split()


def simple_check(force: dict[str, Any], size: int) -> tuple[int, list[str], list[str], int, int]:
    """Total, problem ids, query ids (both sorted, with repeats), leadership dice, force markers."""
    problems, queries = [], []
    total = dice = markers = 0
    for squad in force["squads"]:
        of_class = [one for one in RAW["classes"] if same(one["name"], squad["class"])]
        if not of_class:
            problems.append("nv.class")
        if squad["models"] == []:
            problems.append("nv.squad")
        elif of_class:
            markers += of_class[0]["markers"]
        for model in squad["models"]:
            count = model.get("count", 1)
            for score, value in model["special"].items():
                total += value * count
                if value > 5 and score in ("strength", "agility"):
                    problems.append("nv.special")
            dice += model["special"]["charisma"] * count
            if model["special"]["endurance"] < 1:
                queries.append("nv.endurance")
            for name in {" ".join(name.lower().split()) for name in model.get("weapons", [])}:
                found = [one for one in (*RAW["weapons"], *force.get("weapons", [])) if same(one["name"], name)]
                if not found:
                    problems.append("nv.weapon")
                elif found[0].get("strength", 0) > model["special"]["strength"]:
                    problems.append("nv.strength")
    if total > size:
        problems.append("nv.size")
    if not any(same(one, force["faction"]) for one in RAW["factions"]):
        problems.append("nv.faction")
    if dice == 0:
        problems.append("nv.charisma")
    queries += ["nv.own-weapon"] * len(force.get("weapons", []))
    return total, sorted(problems), sorted(queries), dice, markers
