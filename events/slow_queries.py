"""The log of slow statements: what took the database long, without what was typed into it."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import Engine, event

log = logging.getLogger("overseer.database")


def watch(engine: Engine, slow_ms: int, count: Callable[[], None] = lambda: None) -> None:
    """Log every statement of the engine that takes ``slow_ms`` milliseconds or longer, and ``count`` it; 0: none.

    Waiting for another's lock is told as a slow BEGIN IMMEDIATE (SQLite) or SELECT ... FOR UPDATE (PostgreSQL).
    """
    if not slow_ms:
        return

    def timed(run: Callable[..., None], cursor: Any, statement: str, *rest: Any) -> bool:
        began = time.perf_counter()
        run(cursor, statement, *rest)
        took = (time.perf_counter() - began) * 1000
        if took >= slow_ms:
            count()
            facts = {"ms": round(took), "statement": " ".join(statement.split())}
            log.warning("slow statement", extra={"facts": facts})
        return True  # it is done: nobody else does it

    # Of the dialect: with one of the engine's, SQLAlchemy asks for four kinds of them at every statement.
    for name in ("do_execute", "do_executemany", "do_execute_no_params"):
        event.listen(engine, name, partial(timed, getattr(engine.dialect, name)))
