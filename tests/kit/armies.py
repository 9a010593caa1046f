"""Builders and checks of Fallout: Warfare armies."""

import json
from typing import Any

from validators import SYSTEMS
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["fallout_warfare"]
EDITION = SYSTEM.editions[0]
assert SYSTEM.edition_files is not None
FILES = SYSTEM.edition_files
BOS, MUTANTS, RAIDERS, LORDS = "Brotherhood of Steel", "Mutants", "Raiders & Reavers", "Beastlords"


def _club() -> EditionInfo:
    lists = json.loads(FILES.write(EDITION)) | {"id": "club", "mine_points": 2}
    for troop in lists["troops"]:
        for row in troop["ranks"].values() if troop["faction"] == "Robots" else ():
            row["points"] = 9
    return FILES.read(json.dumps(lists).encode())


CLUB = _club()
"""A club's lists, in which each robot costs 9 and a mine 2."""


def line(name: str, rank: str = "grunt", count: int = 1, weapon: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "rank": rank, "count": count, "weapon": weapon} | more


def skill(name: str, level: int = 5) -> dict[str, Any]:
    return {"name": name, "level": level}


def squad(*models: dict[str, Any]) -> dict[str, Any]:
    return {"models": list(models)}


def squires(grunts: int = 3, weapon: str = "Rifle", *more: dict[str, Any]) -> dict[str, Any]:
    return squad(line("Squire", "squadleader"), line("Squire", "grunt", grunts, weapon), *more)


def army(*squads: dict[str, Any], faction: str = BOS, **more: Any) -> Document:
    head = {"system": SYSTEM.id, "edition": EDITION.id, "faction": faction, "squads": list(squads)}
    return SYSTEM.forces.read(head | more, EDITION)


def check(document: Document, size: int = 400, edition: EditionInfo = EDITION, **adds: Any) -> Verdict:
    return SYSTEM.checks.check(document, Terms(edition, size, Restrictions(**adds)))


def broken(document: Document, size: int = 400) -> set[str]:
    return {problem.rule for problem in check(document, size).problems}


def asked(document: Document, size: int = 400) -> set[str]:
    return {query.rule for query in check(document, size).queries}
