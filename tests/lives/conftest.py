"""Fixtures: lives that begin in events of every kind, at every moment; each event is played once for many lives."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import make_url

from events.results.disputes import bounds_of
from events.store.games import scenario_in
from events.store.roles import roles_answered
from models.event import Event, Round
from models.play import Game
from service.commands.demo import possible_answers
from tests.conftest import Clock
from tests.kinds.moments import KINDS, Desk, Kind, Moment, moments, opened, simple_answers
from tests.kit.formats import NAMES
from tests.kit.odd_life import Life
from tests.kit.postgres import TEMPLATE, PostgresServer
from tests.kit.stage import Stage

NUMBERS = count(1)
Copy = Path | str
"""A database's file, or its name on the server."""
Scenes = dict[tuple[bool, str, Moment], tuple[Copy, datetime]]
"""Copies with their time, by whether they are files, the name of a play, and moment."""
Begin = Callable[[str, Moment, Random], Life]
Play = Callable[[Flask, Desk], Iterator[Moment]]


def _whole(kind: Kind, app: Flask, desk: Desk) -> Iterator[Moment]:
    event = opened(desk, kind)
    yield from moments(desk, kind, event, simple_answers(kind) or partial(_possible, desk, event))


def _possible(desk: Desk, event: Event, game: Game, a_wins: bool) -> dict[str, Any]:
    """Made-up answers to the questions of a game's scenario."""
    scenario = scenario_in(desk.s, event, desk.s.get_one(Round, game.round_id), game)
    assert scenario is not None
    bounds = bounds_of(desk.s, event, game, scenario)
    return possible_answers(event, scenario, Random(game.id), bounds, roles_answered(scenario, game))


def _first(app: Flask, desk: Desk, *, late: Sequence[str] = (), **wanted: Any) -> Iterator[Moment]:
    desk.enter(desk.event(**wanted), *late, here=False)
    yield Moment.BEFORE_LOCK


PLAYS: dict[str, Play] = {
    "small": partial(_first, rounds=1, players=NAMES[:2]),
    "draft": partial(_first, draft=True, places=3),
    "few places": partial(_first, places=4, players=NAMES[:3], late=NAMES[3:6]),
    **{kind.name: partial(_whole, kind) for kind in KINDS},
}


@dataclass(frozen=True)
class Copies:
    """Copies of the test's database. Engines stay: their statements are compiled."""

    app: Flask
    stage: Stage
    database: str
    """Its file, or its name on the server."""
    empty: Copy
    folder: Path
    server: PostgresServer | None

    def keep(self) -> Copy:
        """Copy the database."""
        self.stage.s.rollback()
        self._release()
        name = f"copy_{next(NUMBERS)}"
        if self.server is None:
            return Path(shutil.copy(self.database, self.folder / name))
        self.server.create(name, self.database)
        return name

    def put(self, copied: Copy) -> None:
        """Put a copy in the place of the database."""
        self.stage.s.close()
        self._release()
        if self.server is not None:
            self.server.drop(self.database)
            self.server.create(self.database, str(copied))
            return
        for old in Path(self.database).parent.iterdir():
            old.unlink()
        shutil.copy(copied, self.database)

    def _release(self) -> None:
        for engine in (self.stage.engine, self.app.extensions["overseer_engine"]):
            engine.dispose()


@pytest.fixture(scope="session")
def scenes() -> Scenes:
    return {}


@pytest.fixture(scope="session")
def scenes_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scenes")


@pytest.fixture
def copies(app: Flask, stage: Stage, database_url: str, scenes_folder: Path, request: pytest.FixtureRequest) -> Copies:
    database, is_file = str(make_url(database_url).database), database_url.startswith("sqlite")
    empty = request.getfixturevalue("migrated_sqlite") if is_file else TEMPLATE
    server = None if is_file else request.getfixturevalue("postgres_server")
    return Copies(app, stage, database, empty, scenes_folder, server)


@pytest.fixture
def begin(app: Flask, copies: Copies, clock: Clock, scenes: Scenes, caplog: pytest.LogCaptureFixture) -> Begin:
    """Begins a life in a play at a moment, or at the play's last one if it does not come to that moment."""
    began, is_file = clock.now, copies.server is None

    def play(name: str, until: Moment) -> None:
        """Play an event, and keep a copy at each moment up to this one."""
        copies.put(copies.empty)
        clock.now, desk = began, Desk(copies.stage.engine, clock)
        desk.set_up("Olga")
        for moment in PLAYS[name](app, desk):
            desk.s.rollback()
            scene = scenes.setdefault((is_file, name, moment), (copies.keep(), clock.now))
            if moment == until:
                break
        desk.s.close()
        scenes[is_file, name, until] = scene

    def start(name: str, moment: Moment, dice: Random) -> Life:
        if (is_file, name, moment) not in scenes:
            play(name, moment)
        copied, now = scenes[is_file, name, moment]
        copies.put(copied)
        clock.now = now + timedelta(minutes=dice.randint(1, 1000))  # requests are counted by the minute
        caplog.clear()
        return Life(app, copies.stage, copies.stage.all(Event)[0], f"{name}, {moment}", dice, caplog.records)

    return start
