"""Fixture: each kind of event at each moment."""

from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine

from tests.conftest import Clock
from tests.kinds.moments import Desk
from tests.kinds.world import States


@pytest.fixture
def states(
    app: Flask, engine: Engine, clock: Clock, sqlite_file: Path, migrated_sqlite: Path, tmp_path: Path
) -> States:
    return States(app, Desk(engine, clock), clock, sqlite_file, migrated_sqlite, tmp_path)
