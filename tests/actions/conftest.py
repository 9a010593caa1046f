"""The stage of the tests of the actions."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from events.journal.invariants import check_invariants, in_lines
from tests.actions.stage import Stage
from tests.conftest import Clock


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """The test's database, without any event yet. Whatever the test did, every promise is kept in the end."""
    opened = Stage(engine, clock)
    yield opened
    opened.s.rollback()
    assert in_lines(check_invariants(opened.s)) == []
    opened.s.close()
