"""Records a request's statements, rows and templates, and measures memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, template_rendered
from sqlalchemy import Engine, event


@contextmanager
def listening(engine: Engine | type[Engine], name: str, heard: Callable[..., Any]) -> Iterator[None]:
    """Call ``heard`` at each SQLAlchemy event of this name until the block ends."""
    event.listen(engine, name, heard)
    try:
        yield
    finally:
        event.remove(engine, name, heard)


@contextmanager
def sent(engine: Engine) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        seen.append(statement)

    with listening(engine, "before_cursor_execute", note):
        yield seen


@contextmanager
def fetched(engine: Engine) -> Iterator[list[tuple[Any, ...]]]:
    """The rows that SQLite returns until the block ends."""
    seen: list[tuple[Any, ...]] = []

    def keep(cursor: object, row: tuple[Any, ...]) -> tuple[Any, ...]:
        seen.append(row)
        return row

    def watch(connection: Any, record: object, proxy: object) -> None:
        connection.row_factory = keep

    try:
        with listening(engine, "checkout", watch):
            yield seen
    finally:
        engine.dispose()


@contextmanager
def rendered(app: Flask) -> Iterator[list[str | None]]:
    seen: list[str | None] = []

    def note(sender: Flask, template: Any, context: object, **more: object) -> None:
        seen.append(template.name)

    with template_rendered.connected_to(note, app):
        yield seen


RUN_AWAY = 20.0
"""The most processor seconds: refusing takes a fraction of one, a missing limit would take minutes."""


def most_memory(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
