"""Fields of a builder's form, as a browser sends them: texts under names that hold places, and one pressed button."""

import re
from collections.abc import Callable, Mapping

from validators.contract import Document, UnreadableForce

Fields = Mapping[str, list[str]]
Commands = Mapping[str, Callable[..., None]]
"""What each button does: called with the document, the fields, and the places after the button's name."""


def numbered(fields: Fields, pattern: str) -> list[int]:
    """The numbers that occur in field names of this pattern, in order."""
    matches = (re.fullmatch(pattern, key, re.ASCII) for key in fields)
    return sorted({int(match[1]) for match in matches if match})


def one(fields: Fields, key: str) -> str:
    """The field's text without the space around it; "" where it is not sent."""
    return fields.get(key, [""])[0].strip()


def chosen(fields: Fields, key: str) -> list[str]:
    """Every text sent under this name that says something."""
    return [value for value in fields.get(key, []) if value.strip()]


def count(fields: Fields, key: str, what: str) -> int:
    """Copies of ``what``, 1 to 99; a field emptied to type anew is one copy. Raises UnreadableForce."""
    text = one(fields, key) or "1"
    if not re.fullmatch(r"\d{1,2}", text, re.ASCII) or int(text) == 0:
        raise UnreadableForce(f"Copies of {what}: {text[:20]} is not 1 to 99")
    return int(text)


def press(form: Document, fields: Fields, commands: Commands) -> None:
    """Apply the button ``do``: a command, then the places that it concerns ("remove-item:2:0").

    A button that is none of these commands changes nothing. Raises UnreadableForce for a place that is not there.
    """
    command, *rest = one(fields, "do").split(":")
    change = commands.get(command)
    if change is None:
        return
    if not all(re.fullmatch(r"\d{1,4}", place, re.ASCII) for place in rest):
        raise UnreadableForce(f"do: {command} at an unknown place")
    try:
        change(form, fields, *map(int, rest))
    except (IndexError, TypeError) as fault:
        # A button of a page that was drawn before the force changed, or a made-up one.
        raise UnreadableForce(f"do: {command} at an unknown place") from fault
