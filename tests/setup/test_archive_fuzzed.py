"""Damaged archives are refused in words or make an event whose pages all open. OVERSEER_FUZZ: how many tries."""

import copy
import itertools
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from app import put_over
from events.play.errors import Refused
from events.setup.archive_file import UnreadableArchive
from models.db import open_engine
from models.people import Account
from models.play import Player
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.archives import archived, signed, taken_in
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Stage

TRIES = int(os.environ.get("OVERSEER_FUZZ", "9"))
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 99, 2**31 - 1, 2**40, 1.5, "", "x", "1", "<b>", "own-x", "a" * 300,
    "\u202eabc", [], {}, [None], [[1, 2]], {"x": 1}, "2026-11-21T09:00:00+00:00", "2026-11-21", "confirmed", "drawn",
    "planned", "published", "knockout", "finished",
)  # fmt: skip
PUBLIC = (
    "", "/rounds/1", "/rounds/2", "/standings", "/lists", "/hall", "/pack.pdf", "/rounds/1/pairings.pdf",
    "/rounds/1/pairings.json", "/standings.pdf", "/standings.trf", "/hall/clock", "/teams", "/bracket", "/awards",
)  # fmt: skip
DESK = (
    "", "/players", "/lists", "/rounds/1", "/rounds/2", "/rounds/3", "/rounds/1/results", "/journal", "/settings",
    "/pairing", "/messages", "/clock", "/rulings", "/awards", "/soft", "/kept-apart", "/restrictions", "/print",
    "/undo", "/archive.json", "/door",
)  # fmt: skip


def places(value: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if here:
        yield here
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*here, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, (*here, number))


def damaged(document: dict[str, Any], dice: Random) -> dict[str, Any]:
    """A document with a few places changed, removed or doubled."""
    found = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        part = dice.choice(("tables", "tables", "tables", "tables", "tables", "journal"))
        table = dice.choice([name for name, rows in found["tables"].items() if rows] or ["event"])
        start: tuple[str | int, ...] = ("tables", table) if part == "tables" else ("journal",)
        inner: Any = found
        for step in start:
            inner = inner[step]
        all_places = list(places(inner))
        if not all_places:
            continue
        *way, end = dice.choice(all_places)
        last: Any = end
        for step in way:
            inner = inner[step]
        match dice.randrange(6):
            case 0:
                del inner[last]
            case 1 if isinstance(inner, list):
                inner.append(copy.deepcopy(inner[last]))
            case 2 if isinstance(inner[last], int) and not isinstance(inner[last], bool):
                inner[last] += dice.choice((-1, 1, 1000))
            case _:
                inner[last] = copy.deepcopy(dice.choice(ODD))
    return found


@pytest.mark.proves("attack 39", "F24", "ASVS 1.5.2")
def test_damaged_archive_is_refused_or_makes_an_event(
    app: Flask, settings: Settings, stage: Stage, clock: Clock, tmp_path: Path, migrated_sqlite: Path
) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Ed")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.play(event, 1)
    stage.publish(event, 2)
    stage.decide(event, stage.games(event, 2)[0], 2, 1)
    document = json.loads(archived(stage.engine, event, clock()))
    names = itertools.count()
    came = {"refused": 0, "taken in": 0}
    broken: list[str] = []

    def fresh() -> Stage:
        path = tmp_path / f"{next(names)}.sqlite3"
        shutil.copy(migrated_sqlite, path)
        made = Stage(open_engine(f"sqlite:///{path}"), clock)
        made.set_up("Nora")
        return made

    others = [fresh()]

    @examples(
        max_examples=TRIES, derandomize=TRIES < 100, database=None, deadline=None,
        suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
    )  # fmt: skip
    @given(st.integers(0, 2**32))
    def try_one(seed: int) -> None:
        other = others[-1]
        before = other.digest()
        try:
            taken = taken_in(other.s, signed(damaged(document, Random(seed))), clock(), other.one(Account))
        except (UnreadableArchive, Refused) as refused:
            came["refused"] += 1
            assert str(refused)
            assert other.digest() == before
            return
        came["taken in"] += 1
        slug = taken.slug
        put_over(app, replace(settings, database_url=str(other.engine.url)), other.engine, clock)
        nora = let_in(app, other.one(Account))
        for person, start, ways in ((Person(app), f"/e/{slug}", PUBLIC), (nora, f"/e/{slug}/desk", DESK)):
            for way in ways:
                if person.ask("GET", start + way).status_code >= 500:
                    broken.append(f"{seed} {way}")
        other.s.close()
        other.engine.dispose()
        others.append(fresh())

    try_one()
    others[-1].s.close()
    others[-1].engine.dispose()
    assert broken == [], came
    assert min(came.values()) > 0, came
