"""Reading JSON from outside strictly: ambiguous input is rejected with a sentence, never guessed."""

import json
from typing import Any, NoReturn

from validators.contract import UnreadableForce

MOST_BYTES = 2_000_000
"""A force is a few kilobytes; anything near this limit is not a force."""


def read_json(data: bytes, most: int = MOST_BYTES) -> object:
    """One JSON text of at most ``most`` bytes, as plain values.

    Rejects ambiguous input: NaN and Infinity, repeated keys, text that is not UTF-8. Rejects expensive input: longer
    texts, deep nesting, numbers of thousands of digits. Raises UnreadableForce.
    """
    if len(data) > most:
        raise UnreadableForce(f"the file: {len(data)} bytes, at most {most} are read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UnreadableForce(f"the file: not UTF-8 text (byte {fault.start}): save it as UTF-8") from fault
    if not text.strip():
        raise UnreadableForce("the file: it is empty")
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        raise UnreadableForce(f"the file: not JSON at {place} ({fault.msg})") from fault
    except RecursionError as fault:
        raise UnreadableForce("the file: nested too deeply") from fault
    except ValueError as fault:  # Python rejects numbers of more than 4,300 digits
        raise UnreadableForce("the file: a number in it is too long") from fault


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnreadableForce(f"the file: the key {twice[:40]!r} appears twice in one object")
    return values


def _refuse_constant(name: str) -> NoReturn:
    raise UnreadableForce(f"the file: {name} is not a JSON number")
