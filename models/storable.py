"""Values that the two databases take differently are refused before a statement is sent.

PostgreSQL refuses NUL where SQLite stores it, SQLite stores NaN as NULL, and half a surrogate or a number of more than
64 bits is an error of the driver. Forms refuse all of these at their field; this catches what a form forgot.
"""

import math
from typing import Any

from sqlalchemy import Engine, event

LARGEST = 2**63 - 1


class Unstorable(ValueError):
    """A statement with a value that cannot be stored; it was not sent."""


def guard(engine: Engine) -> None:
    """Check every value of every statement of this engine."""
    event.listen(engine, "do_execute", _look)
    event.listen(engine, "do_executemany", _look)


def _look(cursor: Any, statement: str, parameters: Any, context: Any) -> None:
    _look_at(parameters or ())


def _look_at(values: Any) -> None:
    """Check the values of one row or of many: drivers take dictionaries, tuples, and lists of them."""
    for value in values.values() if isinstance(values, dict) else values:
        kind = type(value)
        if value is None or (kind is str and value.isascii() and "\x00" not in value):
            continue  # most of them
        if kind is dict or kind is tuple or kind is list:
            _look_at(value)
        elif (why := unstorable(value)) is not None:
            raise Unstorable(why)


def unstorable(value: object) -> str | None:
    """Why the value cannot be stored; None if it can."""
    if isinstance(value, str):
        if "\x00" in value:
            return "a text with NUL"
        try:
            value.encode()
        except UnicodeEncodeError:
            return "a text with half a surrogate"
    elif isinstance(value, float):
        if not math.isfinite(value):
            return "a number that is not finite"
    elif isinstance(value, int) and not -LARGEST - 1 <= value <= LARGEST:
        return "a number of more than 64 bits"
    return None
