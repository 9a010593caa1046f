"""Whether the database is still in the shape that this process serves: a newer version may have been started beside it.

A change looks for itself, under its lock (``models.db.write``). What is only read is asked for once in a while.
"""

from datetime import datetime, timedelta
from threading import Lock

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from models.db import hold_to, revision_of

LOOK_AGAIN = timedelta(seconds=1)


class Shape:
    """The shape that a process needs, and what it last found."""

    def __init__(self, engine: Engine, needed: str, looked: datetime) -> None:
        """It was the right one then, or could not be looked at. Changes by this engine are held to it."""
        hold_to(engine, needed)
        self._engine, self._needed = engine, needed
        self._looked, self._fits = looked, True
        self._looking = Lock()

    def fits(self, now: datetime) -> bool:
        """Whether it was the right one a moment ago. One looks, and the others go by what was found before."""
        if abs(now - self._looked) >= LOOK_AGAIN and self._looking.acquire(blocking=False):
            try:
                self.look()
                self._looked = now
            finally:
                self._looking.release()
        return self._fits

    def look(self) -> bool:
        """Whether it is the right one now; of a database that does not answer it stays what it was."""
        try:
            with self._engine.connect() as connection:
                found = revision_of(connection)
            self._fits = found == self._needed
        except DBAPIError:
            pass
        return self._fits
