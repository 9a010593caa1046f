"""The log of slow statements: what took the database long, without what was typed into it."""

import logging
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event

log = logging.getLogger("overseer.database")


def watch(engine: Engine, slow_ms: int, count: Callable[[], None] = lambda: None) -> None:
    """Log every statement of the engine that takes ``slow_ms`` milliseconds or longer, and ``count`` it; 0: none.

    Waiting for another's lock is told as a slow BEGIN IMMEDIATE (SQLite) or SELECT ... FOR UPDATE (PostgreSQL).
    """
    if not slow_ms:
        return

    def begins(_c: Any, _cursor: Any, _statement: str, _parameters: Any, context: Any, _many: bool) -> None:
        context.overseer_began = time.perf_counter()

    def ends(_c: Any, _cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool) -> None:
        took = (time.perf_counter() - context.overseer_began) * 1000
        if took >= slow_ms:
            count()
            facts = {"ms": round(took), "statement": " ".join(statement.split())}
            log.warning("slow statement", extra={"facts": facts})

    event.listen(engine, "before_cursor_execute", begins)
    event.listen(engine, "after_cursor_execute", ends)
