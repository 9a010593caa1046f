"""The stage of the tests of the actions."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from tests.actions.stage import Stage
from tests.conftest import Clock


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """The test's database, without any event yet."""
    opened = Stage(engine, clock)
    yield opened
    opened.s.close()
