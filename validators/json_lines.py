"""On which line of a JSON text each value stands, so that a fault can say where it is."""

import json
import re
from collections.abc import Mapping

Place = tuple[str | int, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def lines_of(text: str) -> Mapping[Place, int]:
    """The line, from 1, of every value in a text that ``strict_json`` has read, by its keys and positions."""
    found: dict[Place, int] = {}
    inside: list[tuple[Place, bool]] = []  # the objects (True) and lists (False) that are open, by place
    step: list[str | int] = []  # the key or position that each of them has come to
    key_next, line, at = False, 1, 0
    for token in _TOKEN.finditer(text):
        told = token.group()
        if told == ",":
            key_next = inside[-1][1]
            if not key_next:
                step[-1] = int(step[-1]) + 1
        elif told in ("}", "]"):
            inside.pop()
            step.pop()
            key_next = False
        elif key_next:
            step[-1] = json.loads(told)
            key_next = False
        elif told != ":":
            line, at = line + text.count("\n", at, token.start()), token.start()
            place = (*inside[-1][0], step[-1]) if inside else ()
            found[place] = line
            if told in ("{", "["):
                key_next = told == "{"
                inside.append((place, key_next))
                step.append(0)
    return found
