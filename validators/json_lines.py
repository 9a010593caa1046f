"""The line of a value in a JSON text, by its path; used only to report faults."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

Place = tuple[str | int, ...]
"""Keys and list indexes (from 0), from the outermost value inwards."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


@dataclass(frozen=True)
class Met:
    """A key or value in the text: its offset, its token, and whether it is a repeated key of its object."""

    offset: int
    piece: str
    repeated: bool


def lines_of(text: str, paths: Collection[Place]) -> dict[Place, int]:
    """The line, from 1, of each of these paths; for a missing one, the line of the enclosing value."""
    prefixes = {path[:depth] for path in paths for depth in range(len(path) + 1)}
    deepest = max(map(len, prefixes), default=0)
    found: dict[Place, int] = {}
    missing = set(paths)
    for here, met in _walk(text):
        if len(here) <= deepest and (path := tuple(here)) in prefixes:
            found.setdefault(path, met.offset)
            missing.discard(path)
            if not missing:
                break
    lines = {}
    for path in paths:
        known = next((path[:depth] for depth in range(len(path), -1, -1) if path[:depth] in found), None)
        lines[path] = 1 if known is None else text.count("\n", 0, found[known]) + 1
    return lines


def first_odd(text: str, numbers: Collection[str]) -> tuple[Place, int, str] | None:
    """The path, line and token of the first repeated key, or of the first value among these tokens.

    The rest of the text may be malformed.
    """
    for here, met in _walk(text):
        if met.repeated or met.piece in numbers:
            return tuple(here), text.count("\n", 0, met.offset) + 1, met.piece
    return None


def _walk(text: str) -> Iterator[tuple[list[str | int], Met]]:
    """Every key and value with its path, in the text's order. The path list is reused, so copy it to keep it."""
    here: list[str | int] = []
    keys: list[set[str] | None] = []  # the keys so far of each open object; None for an open list
    key_next = False
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece in ("}", "]"):
            if not keys:
                return
            keys.pop()
            here.pop()
            key_next = False
        elif piece == ",":
            if not keys:
                return
            key_next = keys[-1] is not None
            if not key_next:
                here[-1] = int(here[-1]) + 1
        elif piece == ":":
            key_next = False
        elif key_next and keys and keys[-1] is not None:
            if not piece.startswith('"'):
                return
            try:
                key = json.loads(piece, strict=False)
            except json.JSONDecodeError:  # an invalid escape
                return
            here[-1] = key
            yield here, Met(match.start(), piece, key in keys[-1])
            keys[-1].add(key)
        else:
            yield here, Met(match.start(), piece, repeated=False)
            if piece in ("{", "["):
                key_next = piece == "{"
                keys.append(set() if key_next else None)
                here.append("" if key_next else 0)
