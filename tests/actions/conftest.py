"""The stage of the tests of the actions."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from events.replay import replay
from models.event import Event
from tests.actions.stage import Stage
from tests.conftest import Clock


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """The test's database, without any event yet. Whatever the test did, the journal tells all of it in the end."""
    opened = Stage(engine, clock)
    yield opened
    for event in opened.all(Event):
        if event.journal_from is not None:
            assert replay(opened.s, event).difference is None
    opened.s.close()
