"""JSON from outside, read strictly: what has no one meaning is refused with a sentence, never guessed."""

import json
from typing import Any, NoReturn

from validators.contract import UnreadableForce

MOST_BYTES = 2_000_000
"""A force is a few kilobytes; anything near this is no force."""


def read_json(data: bytes, most: int = MOST_BYTES) -> object:
    """Bytes of one JSON text, at most ``most``, to plain values.

    Refuses what two readers could take in two ways: NaN and Infinity, one key twice in an object, text that
    is not UTF-8. Refuses what only costs: more than that, deep nesting, numbers of thousands of
    digits. Raises UnreadableForce.
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
    except ValueError as fault:  # Python refuses to read a number of more than 4,300 digits
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
