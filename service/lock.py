"""The service lock: a running service holds it shared, a migration or a restore holds it exclusively.

On SQLite it is a lock on a file next to the database, on PostgreSQL an advisory lock of each service connection.
Another file next to an SQLite database is locked by the one process that serves it.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, func, select, text
from sqlalchemy.exc import OperationalError

from service.system import system

KEY = 1_331_057_478
"""The number of the advisory lock."""
RUNNING = "Overseer is running on this database. Stop it first, on every host, then try again."
NOT_READY = "The database is being migrated or restored. Start Overseer afterwards."


class InUse(Exception):
    """Another process holds the lock; the message says what to do."""


_served: list[Any] = []
"""The locked files of the databases that this process serves."""


def begin_serving(engine: Engine) -> bool:
    """Take an SQLite database to serve it until this process ends. False if another process serves it.

    Hosts that serve a database of PostgreSQL are as many as the club likes.
    """
    if engine.dialect.name == "sqlite":
        try:
            _served.append(system.lock_process(Path(f"{engine.url.database}.serving")))
        except BlockingIOError:
            return False
    return True


def share(engine: Engine) -> None:
    """Hold the lock shared until the engine is disposed of or the process ends.

    While a migration or a restore runs, this raises InUse on SQLite; on PostgreSQL no connection can be made.
    """
    engine.dispose()  # connections opened before now do not hold the lock
    if engine.dialect.name == "sqlite":
        held = _lock_file(engine, NOT_READY, alone=False)
        event.listen(engine, "engine_disposed", lambda _: held.close(), once=True)
    else:
        event.listen(engine, "connect", _share)


def _share(connection: Any, record: Any) -> None:
    try:
        connection.execute("SELECT pg_advisory_lock_shared(%s)", (KEY,))  # waits at most lock_timeout
        connection.commit()
    except Exception:
        connection.close()
        raise


@contextmanager
def alone(engine: Engine) -> Iterator[None]:
    """Hold the lock exclusively. Raises InUse if a service runs, or another migration or restore."""
    if engine.dialect.name == "sqlite":
        with closing(_lock_file(engine, RUNNING, alone=True)):
            yield
        return
    with engine.connect() as connection:
        try:
            # PostgreSQL frees the lock of a closed connection a moment after the client has gone on.
            connection.execute(text("SET LOCAL lock_timeout = '1s'"))
            connection.execute(select(func.pg_advisory_lock(KEY)))
        except OperationalError as waited:
            connection.invalidate()
            raise InUse(RUNNING) from waited
        try:
            connection.commit()  # the lock belongs to the connection, not to a transaction
            yield
        finally:
            connection.invalidate()


def _lock_file(engine: Engine, refusal: str, *, alone: bool) -> Any:
    path = Path(f"{engine.url.database}.lock")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        return system.lock_file(path, alone=alone)
    except BlockingIOError as busy:
        raise InUse(refusal) from busy
