"""Rejecting values that the two databases treat differently, before a statement is sent.

PostgreSQL refuses NUL where SQLite stores it, SQLite stores NaN as NULL, and half a surrogate or a number of more than
64 bits is an error of the driver. Forms reject all of these at their field; this catches what
a form forgot.
"""

import math
import re
from typing import Any

from sqlalchemy import Engine, event

LARGEST = 2**63 - 1
HALF_A_SURROGATE = re.compile("[\ud800-\udfff]")


class Unstorable(ValueError):
    """A statement has a value that cannot be stored. It was not sent."""


def guard(engine: Engine) -> None:
    for name in ("do_execute", "do_executemany"):
        event.listen(engine, name, lambda cursor, statement, parameters, context: _check(parameters or ()))


def _check(values: Any) -> None:
    """Check the values of one row or of many: drivers take dictionaries, tuples, and lists of them."""
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, (dict, tuple, list)):
            _check(value)
        elif not is_storable(value):
            raise Unstorable("a text with NUL or half a surrogate, or a number that is too large or not finite")


def is_storable(value: object) -> bool:
    """Whether both databases store the value, and identically."""
    if isinstance(value, str):
        return "\x00" not in value and (value.isascii() or not HALF_A_SURROGATE.search(value))
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -LARGEST - 1 <= value <= LARGEST
