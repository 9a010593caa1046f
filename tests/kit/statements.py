"""Records a request's statements, rows and templates, and measures memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import walk_stack
from typing import Any

from flask import Flask, before_render_template, g, has_app_context, template_rendered
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


@contextmanager
def sent_while_rendering() -> Iterator[list[str]]:
    """The statements that templates send to any database, each with the template's lines that send it."""
    seen: list[str] = []

    def begin(sender: Flask, template: Any, **more: object) -> None:
        g.rendering = template.name

    def end(sender: Flask, template: Any, **more: object) -> None:
        g.pop("rendering", None)

    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        if has_app_context() and "rendering" in g:
            seen.append(f"{g.rendering}: {_template_lines()}: {statement}")

    with (
        before_render_template.connected_to(begin),
        template_rendered.connected_to(end),
        listening(Engine, "before_cursor_execute", note),
    ):
        yield seen


def _template_lines() -> str:
    """The lines of templates that are being rendered, innermost first, and what the innermost calls."""
    found, called = [], ""
    for frame, _ in walk_stack(None):
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            found.append(f"{template.name}:{template.get_corresponding_lineno(frame.f_lineno)}")
        elif not found and "/events/" in frame.f_code.co_filename:
            called = frame.f_code.co_qualname
    return " < ".join([called, *found])


RUN_AWAY = 20.0
"""The most processor seconds: refusing takes a fraction of one, a missing limit would take minutes."""


def most_memory(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
