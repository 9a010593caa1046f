"""The last guard in front of either database: no statement goes out with a value that the two take differently.

PostgreSQL refuses NUL where SQLite keeps it; SQLite keeps a NaN as NULL; half a surrogate, and a number of more than 64
bits, end in an error of the driver's own. Readers of input refuse all of it before, with words at the field; what one
of them forgets is told here once, the same over both.
"""

import math
from typing import Any

from sqlalchemy import Engine, event

LARGEST = 2**63 - 1


class Unstorable(ValueError):
    """Nothing was stored or looked for: a value is one that no database of ours takes."""


def guard(engine: Engine) -> None:
    """Look at every value that a statement of this engine carries."""
    event.listen(engine, "do_execute", _look)
    event.listen(engine, "do_executemany", _look)


def _look(cursor: Any, statement: str, parameters: Any, context: Any) -> None:
    _look_at(parameters or ())


def _look_at(values: Any) -> None:
    """Each value of one row, or of many: drivers take rows as dictionaries, as tuples, and many run together."""
    for value in values.values() if isinstance(values, dict) else values:
        kind = type(value)
        if value is None or (kind is str and value.isascii() and "\x00" not in value):
            continue  # most of them
        if kind is dict or kind is tuple or kind is list:
            _look_at(value)
        elif (why := unstorable(value)) is not None:
            raise Unstorable(why)


def unstorable(value: object) -> str | None:
    """Why the value can be stored in none of our databases; None where it can."""
    if isinstance(value, str):
        if "\x00" in value:
            return "a text with NUL"
        try:
            value.encode()
        except UnicodeEncodeError:
            return "a text with half a character"
    elif isinstance(value, float):
        if not math.isfinite(value):
            return "a number that is none"
    elif isinstance(value, int) and not -LARGEST - 1 <= value <= LARGEST:
        return "a number of more than 64 bits"
    return None
