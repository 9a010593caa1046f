"""A submitted builder form: texts under names that contain places, and one button.

A game names its buttons: each is a command, made by the functions below or written for the game, and is called with the
document, the fields and the places after the button's name ("remove-item:2:0").
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
    """The fields that every game's document has. The faction is the document's if the form has none."""
    return {
        "system": document["system"],
        "edition": edition.id,
        "name": one(fields, "name"),
        "faction": one(fields, "faction") or document["faction"],
    }


def numbered(fields: Fields, part: str, field: str = "name") -> list[int]:
    """The sorted numbers of the parts that have this field: of "m0.i" every j with "m0.i{j}.name"."""
    pattern = rf"{re.escape(part)}(\d{{1,4}})\.{field}"
    matches = (re.fullmatch(pattern, key, re.ASCII) for key in fields)
    return sorted({int(match[1]) for match in matches if match})


def parts(fields: Fields, part: str, field: str = "name") -> list[str]:
    """The same parts as the beginnings of their fields: "m0.i0", "m0.i1"."""
    return [f"{part}{number}" for number in numbered(fields, part, field)]


def one(fields: Fields, key: str) -> str:
    """The field's text, trimmed; "" if it is missing."""
    return fields.get(key, [""])[0].strip()


def chosen(fields: Fields, key: str) -> list[str]:
    """Every non-blank text under this name."""
    return [value for value in fields.get(key, []) if value.strip()]


def number(fields: Fields, key: str, what: str, least: int, most: int, empty: int | None = None) -> int:
    """A whole number within its bounds; an empty field counts as ``empty``, or as the least. Raises UnreadableForce."""
    text = one(fields, key) or str(least if empty is None else empty)
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII) or not least <= int(text) <= most:
        raise UnreadableForce(f"{what}: {text[:20]} is not {least} to {most}")
    return int(text)


def count(fields: Fields, key: str, what: str) -> int:
    """The number of copies of ``what``, 1 to 99; an empty field is one. Raises UnreadableForce."""
    return number(fields, key, f"Copies of {what}", 1, 99)


def item(fields: Fields, at: str, holder: str) -> dict[str, Any]:
    """An item with its number of copies; ``holder`` is the field with its holder's name, for a message."""
    name = one(fields, f"{at}.name")
    return {"name": name, "count": count(fields, f"{at}.count", f"{name[:80]} on {one(fields, holder)[:80]}")}


def press(form: Document, fields: Fields, commands: Commands) -> None:
    """Apply the command of the button ``do``; a button without a command changes nothing.

    "add-model=Settler" is the button of one choice: "add-model" with "Settler" in the field ``add_model``. Raises
    UnreadableForce for a place that does not exist.
    """
    pressed, given, choice = one(fields, "do").partition("=")
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
    """Remove a part: ``remove("squads", "models")`` removes a squad's model, by both places."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        del _list(form, path, places[:-1])[places[-1]]

    return command


def append(field: str, *path: str, make: Callable[[str], Any] = str) -> Command:
    """Append a field's choice to a list; ``field`` contains a {} for each place. An empty choice changes nothing."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        parts, name = _list(form, path, places), one(fields, field.format(*places))
        if name:
            parts.append(make(name))

    return command


def add_copy(field: str, *path: str, **rest: Any) -> Command:
    """Add a copy of a field's choice to a list of items: one more if the same with ``rest`` is there, else the first.

    An empty choice changes nothing.
    """

    def command(form: Document, fields: Fields, *places: int) -> None:
        items, wanted = _list(form, path, places), {"name": one(fields, field.format(*places)), **rest}
        same = [item for item in items if item == wanted | {"count": item["count"]}]
        if same:
            same[0]["count"] += 1
        elif wanted["name"]:
            items.append(wanted | {"count": 1})

    return command


def change(*path: str, **values: Any) -> Command:
    """Set values of a part: ``change("models", leader=False)``."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        _list(form, path, places[:-1])[places[-1]].update(values)

    return command


def duplicate(key: str, **changed: Any) -> Command:
    """Insert a copy of a part after it, with these values changed."""

    def command(form: Document, fields: Fields, place: int) -> None:
        form[key].insert(place + 1, deepcopy(form[key][place]) | changed)

    return command


def moves(key: str) -> Commands:
    """The buttons that swap a part with its neighbour before or after it."""

    def up(form: Document, fields: Fields, place: int) -> None:
        parts = form[key]
        if place == 0:
            raise IndexError
        parts[place - 1], parts[place] = parts[place], parts[place - 1]

    def down(form: Document, fields: Fields, place: int) -> None:
        up(form, fields, place + 1)

    return {"move-up": up, "move-down": down}


def _list(form: Document, path: tuple[str, ...], places: tuple[int, ...]) -> list[Any]:
    """The list at the end of a path. Raises IndexError or TypeError if there is none."""
    if len(places) != len(path) - 1:
        raise TypeError
    holder: Any = form
    for key, place in zip(path, places, strict=False):
        holder = holder[key][place]
    parts: list[Any] = holder[path[-1]]
    return parts
