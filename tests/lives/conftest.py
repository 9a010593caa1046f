"""Fixtures: an empty or a copied database for each life."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import make_url

from tests.conftest import Clock
from tests.kit.odd_life import Life
from tests.kit.postgres import TEMPLATE, PostgresServer
from tests.kit.stage import Stage

Reset = Callable[..., None]
Begin = Callable[[str], Life]


@pytest.fixture
def reset(app: Flask, stage: Stage, database_url: str, request: pytest.FixtureRequest) -> Reset:
    """Puts a copied SQLite file, or nothing, into the test's database. Engines stay: their statements are compiled."""

    def put(copied: Path | None = None) -> None:
        stage.s.close()
        for engine in (stage.engine, app.extensions["overseer_engine"]):
            engine.dispose()
        if database_url.startswith("sqlite"):
            path: Path = request.getfixturevalue("sqlite_file")
            for old in path.parent.iterdir():
                old.unlink()
            shutil.copy(copied or request.getfixturevalue("migrated_sqlite"), path)
        else:
            server: PostgresServer = request.getfixturevalue("postgres_server")
            name = str(make_url(database_url).database)
            server.drop(name)
            server.create(name, TEMPLATE)

    return put


@pytest.fixture
def begin(app: Flask, stage: Stage, clock: Clock, reset: Reset) -> Begin:
    """Begins a life in a scene, with an empty database."""
    began = clock.now

    def start(scene: str) -> Life:
        reset()
        clock.now = began
        return Life(app, stage, scene)

    return start
