"""Reading a submitted builder form, and applying its button to the document.

Field names contain positions: "m2.i0.name" is the first item of the third model. The button "remove-item:2:0" calls the
game's command "remove-item" with the document, the fields and both positions.
"""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from validators.contract import Document, EditionInfo, UnreadableForce

Fields = Mapping[str, list[str]]
Command = Callable[..., None]
Commands = Mapping[str, Command]


def head(fields: Fields, document: Document, edition: EditionInfo) -> Document:
    """The fields common to all games' documents. Without a faction in the form, the document's stays."""
    return {
        "system": document["system"],
        "edition": edition.id,
        "name": text(fields, "name"),
        "faction": text(fields, "faction") or document["faction"],
    }


def numbers(fields: Fields, part: str, field: str = "name") -> list[int]:
    """The numbers of a repeated part in the form, sorted: for "m0.i", every j with a field "m0.i{j}.name"."""
    pattern = rf"{re.escape(part)}(\d{{1,4}})\.{field}"
    matches = (re.fullmatch(pattern, key, re.ASCII) for key in fields)
    return sorted({int(match[1]) for match in matches if match})


def prefixes(fields: Fields, part: str, field: str = "name") -> list[str]:
    """The prefixes of a repeated part's fields: "m0.i0", "m0.i1"."""
    return [f"{part}{number}" for number in numbers(fields, part, field)]


def text(fields: Fields, key: str) -> str:
    """A field's first text, trimmed; "" if it is missing."""
    return fields.get(key, [""])[0].strip()


def texts(fields: Fields, key: str) -> list[str]:
    """All non-blank texts of a field."""
    return [value for value in fields.get(key, []) if value.strip()]


def number(fields: Fields, key: str, what: str, least: int, most: int, empty: int | None = None) -> int:
    """A field's whole number from ``least`` to ``most``; an empty one is ``empty``, or the least.

    Raises UnreadableForce with ``what`` in the message.
    """
    typed = text(fields, key) or str(least if empty is None else empty)
    if not re.fullmatch(r"\d{1,4}", typed, re.ASCII) or not least <= int(typed) <= most:
        raise UnreadableForce(f"{what}: {typed[:20]} is not {least} to {most}")
    return int(typed)


def count(fields: Fields, key: str, what: str) -> int:
    """A field's number of copies of ``what``, 1 to 99; an empty one is 1. Raises UnreadableForce."""
    return number(fields, key, f"Copies of {what}", 1, 99)


def item(fields: Fields, at: str, holder: str) -> dict[str, Any]:
    """An item and its number of copies; ``holder`` is the field with the holder's name, for messages."""
    name = text(fields, f"{at}.name")
    return {"name": name, "count": count(fields, f"{at}.count", f"{name[:80]} on {text(fields, holder)[:80]}")}


def apply_button(form: Document, fields: Fields, commands: Commands) -> None:
    """Apply the command of the button in the field ``do``; an unknown button changes nothing.

    "add-model=Settler" is the button "add-model" with "Settler" in the field ``add_model``. Raises UnreadableForce for
    a position that does not exist.
    """
    pressed, given, choice = text(fields, "do").partition("=")
    if given:
        fields = {**fields, pressed.replace("-", "_"): [choice]}
    command, *rest = pressed.split(":")
    change = commands.get(command)
    if change is None:
        return
    if not all(re.fullmatch(r"\d{1,4}", place, re.ASCII) for place in rest):
        raise UnreadableForce(f"do: {command} at an unknown place")
    try:
        change(form, fields, *map(int, rest))
    except (IndexError, TypeError) as fault:
        # A button from a page shown before the force changed, or a forged one.
        raise UnreadableForce(f"do: {command} at an unknown place") from fault


def remove(*path: str) -> Command:
    """The command that removes a part: ``remove("squads", "models")`` removes a squad's model, by both positions."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        del _list(form, path, places[:-1])[places[-1]]

    return command


def append(field: str, *path: str, make: Callable[[str], Any] = str) -> Command:
    """The command that appends a field's choice to a list; ``field`` has a {} for each position.

    ``make`` turns the choice into the list's entry. An empty choice changes nothing.
    """

    def command(form: Document, fields: Fields, *places: int) -> None:
        parts, name = _list(form, path, places), text(fields, field.format(*places))
        if name:
            parts.append(make(name))

    return command


def add_copy(field: str, *path: str, **rest: Any) -> Command:
    """The command that adds a copy of a field's choice to a list of items, to the line with the same ``rest`` if any.

    An empty choice changes nothing.
    """

    def command(form: Document, fields: Fields, *places: int) -> None:
        items, wanted = _list(form, path, places), {"name": text(fields, field.format(*places)), **rest}
        same = [item for item in items if item == wanted | {"count": item["count"]}]
        if same:
            same[0]["count"] += 1
        elif wanted["name"]:
            items.append(wanted | {"count": 1})

    return command


def change(*path: str, **values: Any) -> Command:
    """The command that sets values of a part: ``change("models", leader=False)``."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        _list(form, path, places[:-1])[places[-1]].update(values)

    return command


def duplicate(key: str, **changed: Any) -> Command:
    """The command that inserts a copy of a part after it, with these values changed."""

    def command(form: Document, fields: Fields, place: int) -> None:
        form[key].insert(place + 1, deepcopy(form[key][place]) | changed)

    return command


def moves(key: str) -> Commands:
    """The commands that swap a part with the one before or after it."""

    def up(form: Document, fields: Fields, place: int) -> None:
        parts = form[key]
        if place == 0:
            raise IndexError
        parts[place - 1], parts[place] = parts[place], parts[place - 1]

    def down(form: Document, fields: Fields, place: int) -> None:
        up(form, fields, place + 1)

    return {"move-up": up, "move-down": down}


def _list(form: Document, path: tuple[str, ...], places: tuple[int, ...]) -> list[Any]:
    """The list at the end of a path through the document. Raises IndexError or TypeError if there is none."""
    if len(places) != len(path) - 1:
        raise TypeError
    holder: Any = form
    for key, place in zip(path, places, strict=False):
        holder = holder[key][place]
    parts: list[Any] = holder[path[-1]]
    return parts
