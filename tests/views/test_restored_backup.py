"""A backup restored under the running service: nothing that was kept before it is served for what is stored now."""

from collections.abc import Callable
from pathlib import Path

from flask import Flask
from sqlalchemy import Engine

from models.db import sqlite_module
from models.event import Event
from tests.actions.stage import Stage
from tests.views.person import Person

ME, ROUND, MARK = "/e/iron-open/me", "/e/iron-open/rounds/1", "/e/iron-open/version"


def copy(engine: Engine, file: Path, *, back: bool = False) -> None:
    """Write the database into a file, or a file into the database, page by page while others are connected to it."""
    other, own = sqlite_module().connect(file), engine.raw_connection()
    stored = own.driver_connection
    assert stored is not None
    if back:
        other.backup(stored)
    else:
        stored.backup(other)
    own.close()
    other.close()


def test_pages_and_marks_are_those_of_the_backup_and_of_what_is_written_after_it(
    app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], visitor: Person, tmp_path: Path
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    copy(stage.engine, tmp_path / "backup.sqlite3")
    version = event.version
    pages = [(ada, ME), (visitor, ROUND), (ada, ROUND)]

    def read() -> list[str]:
        return [who.open(address).part("main") for who, address in pages]

    def known(mark: str) -> list[int]:
        headers = {"If-None-Match": f'W/"{mark}"'}
        return [who.http.get(MARK, headers=headers).status_code for who in (ada, visitor)]

    before = read()
    stage.decide(event, game, 3, 1)
    decided, marks = read(), [who.http.get(MARK).text for who in (ada, visitor)]
    assert all(now != was and "3 : 1" in now for now, was in zip(decided, before, strict=True))
    assert [known(mark)[place] for place, mark in enumerate(marks)] == [304, 304], "the control"

    stage.s.rollback()
    copy(stage.engine, tmp_path / "backup.sqlite3", back=True)
    assert stage.now(event).version == version
    assert read() == before, "an older version is not taken for one that is kept"
    stage.decide(event, stage.now(game), 1, 4)
    assert event.version == version + 1, "the number that the lost result had"
    after = read()
    assert all("1 : 4" in now and "3 : 1" not in now for now in after)
    assert [known(mark)[place] for place, mark in enumerate(marks)] == [200, 200]
