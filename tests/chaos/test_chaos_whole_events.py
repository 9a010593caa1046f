"""Whatever is pressed in whatever order, by whole events: what must hold, holds."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from models.db import open_engine
from tests.chaos.outcome import Outcome, Size
from tests.chaos.whole_events import play
from tests.conftest import Clock
from tests.kit.postgres import TEMPLATE, PostgresServer


@pytest.fixture
def renew(database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Engine]]:
    """Makes the database behind one engine anew: what the engine has learnt of its statements is kept."""
    sqlite = database_url.startswith("sqlite")
    engine = open_engine(f"sqlite:///{tmp_path / 'played.sqlite3'}" if sqlite else database_url)

    def copied() -> Engine:
        engine.dispose()
        for old in tmp_path.glob("played.sqlite3*"):
            old.unlink()
        shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "played.sqlite3")
        return engine

    def created() -> Engine:
        engine.dispose()
        server: PostgresServer = request.getfixturevalue("postgres_server")
        name = str(engine.url.database)
        server.drop(name)
        server.create(name, TEMPLATE)
        return engine

    yield copied if sqlite else created
    engine.dispose()


@pytest.mark.proves("ASVS 2.3.1", "I4", "I6", "I7", "I8")
@pytest.mark.full_on_both
def test_whatever_is_pressed_in_whatever_order_the_event_stays_whole(
    renew: Callable[[], Engine], clock: Clock, seed: int, prove: Callable[..., Outcome]
) -> None:
    def run(size: Size, broken: str | None) -> Outcome:
        return play(size, seed, renew, clock, broken)

    sound = prove("whole_events", run, "absent_who_play")
    for what in ("draw", "publish", "decide", "no-show"):
        assert sound.counts[f"pressed with effect: {what}"], what
