"""Reading a submitted builder form, and applying its button to the document.

The form has the fields of the game's force file, and each list of parts has a letter: with the letters "m" for models
and "i" for items, "m2.i0.count" is a field of the first item of the third model. A list of names sends each name in a
field of its singular: "m2.perk". A part within a part shares its prefix.

The button "remove-item:2:0" calls the game's command "remove-item" with the document, the fields and both positions.
"""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, get_args, get_origin

from pydantic.fields import FieldInfo

from languages.words import capital, gettext
from validators.contract import Document, EditionInfo, UnreadableForce
from validators.kit.shapes import Part

Fields = Mapping[str, list[str]]
Letters = Mapping[str, str]
Command = Callable[..., None]
Commands = Mapping[str, Command]
CHOSEN = "="
"""The field of what a button has chosen itself."""


def document(fields: Fields, before: Document, edition: EditionInfo, shape: type[Part], letters: Letters) -> Document:
    """The document in the form. Without a faction in the form, the faction of the document before stays.

    Raises UnreadableForce for a number outside its limits.
    """
    form = part(fields, "", shape, letters)
    fixed = {"system": before["system"], "edition": edition.id, "faction": form["faction"] or before["faction"]}
    return form | fixed


def part(fields: Fields, at: str, shape: type[Part], letters: Letters, name: str = "", holder: str = "") -> Document:
    """The part of the file whose fields have the prefix ``at``, with its own name and its holder's for messages."""
    values = {field.alias or key: field for key, field in shape.model_fields.items()}
    return {key: _value(fields, at, key, field, letters, (name, holder)) for key, field in values.items()}


def _value(fields: Fields, at: str, key: str, field: FieldInfo, letters: Letters, names: tuple[str, str]) -> Any:
    kind: Any = field.annotation
    inner = next(iter(get_args(kind)), kind)
    is_part = isinstance(inner, type) and issubclass(inner, Part)
    if get_origin(kind) is list and not is_part:
        return texts(fields, at + key.removesuffix("s"))
    if get_origin(kind) is list:
        first = next(iter(inner.model_fields))
        rows = rows_of(fields, at + letters[key], first)
        return [part(fields, row, inner, letters, text(fields, row + first), names[0]) for row in rows]
    if is_part and (kind is inner or text(fields, at + key)):
        return part(fields, at, inner, letters, *names)
    if kind is int:
        return _number(fields, at + key, field, label(key, field, *names))
    if kind is bool:
        return bool(text(fields, at + key))
    return text(fields, at + key) or ("" if field.is_required() else field.default)


def title(key: str, field: FieldInfo) -> str:
    """The title of a part's field, in the file's schema or its key: "Level"."""
    return gettext(field.title or capital(key))


def label(key: str, field: FieldInfo, name: str, holder: str = "") -> str:
    """The label of a part's field: "Level of Jim". A title in the file's schema may have {name} and {holder} in it."""
    words = title(key, field)
    if "{" in words:
        return words.format(name=name[:40], holder=holder[:40])
    return gettext("%(words)s of %(name)s", words=words, name=name[:40]) if name else words


def limits(field: FieldInfo) -> tuple[int, int]:
    """The least and the most of a field that is a whole number."""
    bounds = {key: getattr(limit, key) for limit in field.metadata for key in ("ge", "le") if hasattr(limit, key)}
    return bounds["ge"], bounds["le"]


def _number(fields: Fields, key: str, field: FieldInfo, what: str) -> int:
    """A field's whole number within its limits; an empty one is the default or the least. Raises UnreadableForce."""
    least, most = limits(field)
    typed = text(fields, key) or str(least if field.is_required() else field.default)
    if not re.fullmatch(r"\d{1,4}", typed, re.ASCII) or not least <= int(typed) <= most:
        raise UnreadableForce(
            gettext(
                "%(what)s: %(typed)s is not %(least)s to %(most)s", what=what, typed=typed[:20], least=least, most=most
            )
        )
    return int(typed)


def rows_of(fields: Fields, at: str, field: str = "name") -> list[str]:
    """The prefixes of a repeated part, in order: "m0.i0." and "m0.i2." for "m0.i", if ``field`` was sent of both."""
    pattern = rf"{re.escape(at)}(\d{{1,4}})\.{field}"
    matches = (re.fullmatch(pattern, key, re.ASCII) for key in fields)
    return [f"{at}{number}." for number in sorted({int(match[1]) for match in matches if match})]


def text(fields: Fields, key: str) -> str:
    """A field's first text, trimmed; "" if it is missing."""
    return fields.get(key, [""])[0].strip()


def texts(fields: Fields, key: str) -> list[str]:
    return [value for value in fields.get(key, []) if value.strip()]


def apply_button(form: Document, fields: Fields, commands: Commands) -> None:
    """Apply the command of the button in the field ``do``; an unknown button changes nothing.

    "add-model=Settler" is the button "add-model" with "Settler" in the field ``add_model``, and "add-item:2=Board" is
    "add-item:2" with "Board" chosen. Raises UnreadableForce for a position that does not exist.
    """
    pressed, given, choice = text(fields, "do").partition("=")
    if given:
        fields = {**fields, pressed.replace("-", "_"): [choice], CHOSEN: [choice]}
    command, *rest = pressed.split(":")
    change = commands.get(command)
    if change is None:
        return
    if not all(re.fullmatch(r"\d{1,4}", place, re.ASCII) for place in rest):
        raise UnreadableForce(gettext("do: %(command)s at an unknown place", command=command))
    try:
        change(form, fields, *map(int, rest))
    except (IndexError, TypeError) as fault:
        # A button from a page shown before the force changed, or a forged one.
        raise UnreadableForce(gettext("do: %(command)s at an unknown place", command=command)) from fault


def cards(kind: str, key: str, **changed: Any) -> Commands:
    """The commands that remove, duplicate and move the force's main parts; a duplicate has these values changed."""

    def copy(form: Document, fields: Fields, place: int) -> None:
        form[key].insert(place + 1, deepcopy(form[key][place]) | changed)

    def up(form: Document, fields: Fields, place: int) -> None:
        parts = form[key]
        if place == 0:
            raise IndexError
        parts[place - 1], parts[place] = parts[place], parts[place - 1]

    def down(form: Document, fields: Fields, place: int) -> None:
        up(form, fields, place + 1)

    return {f"remove-{kind}": remove(key), f"duplicate-{kind}": copy, "move-up": up, "move-down": down}


def rows(kind: str, field: str, *path: str, make: Callable[[str], Any] = str) -> Commands:
    """The commands that append the choice of a field to a list, and remove one of its entries, by their positions.

    ``field`` has a {} for each position of the list; ``make`` turns the choice into an entry, or refuses it. If the
    list has an equal entry but for its copies, that gets one more. An empty choice that is not refused changes nothing.
    """

    def add(form: Document, fields: Fields, *places: int) -> None:
        parts = _list(form, path, places)
        name = text(fields, CHOSEN) or text(fields, field.format(*places))
        entry = make(name)
        if same := [one for one in parts if "count" in entry and one == entry | {"count": one["count"]}]:
            same[0]["count"] += 1
        elif name:
            parts.append(entry)

    return {f"add-{kind}": add, f"remove-{kind}": remove(*path)}


def mark_leaders(form: Document, fields: Fields, field: str) -> dict[str, int]:
    """Mark the models that the form names as leaders. Returns the places of all models by their numbers in the form.

    ``field`` is a field that each model has. A model's number becomes its place when others are left out.
    """
    places = {at[1:-1]: place for place, at in enumerate(rows_of(fields, "m", field))}
    for number in [text(fields, "leader"), *fields.get("leader_too", [])]:
        if number in places:
            form["models"][places[number]]["leader"] = True
    return places


def remove(*path: str) -> Command:
    """The command that removes a part: ``remove("squads", "models")`` removes a squad's model, by both positions."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        del _list(form, path, places[:-1])[places[-1]]

    return command


def change(*path: str, **values: Any) -> Command:
    """The command that sets values of a part: ``change("models", leader=False)``."""

    def command(form: Document, fields: Fields, *places: int) -> None:
        _list(form, path, places[:-1])[places[-1]].update(values)

    return command


def _list(form: Document, path: tuple[str, ...], places: tuple[int, ...]) -> list[Any]:
    """The list at the end of a path through the document. Raises IndexError or TypeError if there is none."""
    if len(places) != len(path) - 1:
        raise TypeError
    holder: Any = form
    for key, place in zip(path, places, strict=False):
        holder = holder[key][place]
    parts: list[Any] = holder[path[-1]]
    return parts
