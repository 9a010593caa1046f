"""The common parts of all games' force files: head fields, limits of size, and faults in words.

A file may hold an illegal force, so that it can be checked; only files without meaning are unreadable. The canonical
document has every optional field, and known names in the edition's spelling. When names are looked up, an unknown one
has None as its entry and costs nothing; its name is kept for messages.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from languages.words import N_, gettext, ngettext
from validators.contract import Document, EditionInfo, UnreadableForce
from validators.faults import at_place
from validators.kit.shapes import Part, refusing, wrong_with
from validators.names import ByName
from validators.strict_json import canonical_text

MOST_MODELS = 200
"""The most models in a list, copies included. The samples at twice each game's largest size have at most 65."""
MOST_BYTES = 32 * 1024
"""The largest stored list, as canonical JSON. The samples at twice each game's largest size have at most 6 KB."""
MOST_ENTRIES = 600
"""The most models, items, perks, skills and so on in one list: all entries of its JSON lists, model copies included."""
LONGEST_NAME = 80
MOST_FAULTS = 12
"""The most faults listed for one file."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


_printable = refusing(_CONTROL.pattern, N_("holds a control character"))
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME), AfterValidator(_printable)]
Name = Annotated[Text, StringConstraints(min_length=1)]
Count = Annotated[int, Field(ge=1, le=99, title="Copies")]
Carried = Annotated[int, Field(ge=1, le=99, title="Copies of {name} on {holder}")]


class Copies(Part):
    name: Name
    count: Carried = 1


class HeadOfForce(Part):
    """The first fields of every force file; each game sets its own ``system``."""

    system: str
    edition: Name
    name: Text = ""
    faction: Name


_File = TypeVar("_File", bound=HeadOfForce)


def shaped(parsed: object, shape: type[_File], info: EditionInfo) -> _File:
    """From parsed JSON to the game's own schema class. Raises UnreadableForce with every fault and its place.

    A file that names another edition is rejected, because its names would be looked up in the wrong lists.
    """
    if not isinstance(parsed, dict):
        raise UnreadableForce(gettext('the file: a force is a JSON object, {"system": ...}'))
    games, named = get_args(shape.model_fields["system"].annotation), parsed.get("system")
    if isinstance(named, str) and games and named not in games:
        raise UnreadableForce(
            gettext(
                "system: is not “%(game)s” but “%(named)s”; this is a file of another game",
                game=games[0],
                named=named[:40],
            )
        )
    try:
        force = shape.model_validate(parsed)
    except ValidationError as invalid:
        faults = [_sentence(error, parsed) for error in invalid.errors(include_url=False)]
        more = [gettext("and %(n)s more", n=len(faults) - MOST_FAULTS)] if len(faults) > MOST_FAULTS else []
        raise UnreadableForce(*faults[:MOST_FAULTS], *more) from invalid
    if force.edition != info.id:
        text = N_("is “%(named)s”, but the list is read by “%(edition)s”")
        raise UnreadableForce(at_place("edition", gettext(text, named=force.edition[:40], edition=info.id)))
    check_size(force.model_dump(mode="json", by_alias=True, exclude_unset=True))
    return force


def check_size(document: Document) -> None:
    """Raises UnreadableForce if a force is too large to store.

    A model counts ``count`` times. Games that store each copy call this before they create the copies, and again with
    the edition's spelling of the names.
    """
    models = document.get("models", ())
    squads = document.get("squads", ())
    lines = [*models, *(line for squad in squads for line in squad.get("models", ()))]
    copies = sum(line.get("count", 1) for line in lines)
    more = [(model, model.get("count", 1) - 1) for model in models]
    entries = _entries(document) + sum(extra * (1 + _entries(model)) for model, extra in more if extra)
    length = _length(document) + sum(extra * _length(model) for model, extra in more if extra)
    if copies > MOST_MODELS:
        message = ngettext(
            "This list is too large: %(num)s model, at most %(most)s are allowed.",
            "This list is too large: %(num)s models, at most %(most)s are allowed.",
            copies,
            most=MOST_MODELS,
        )
        raise UnreadableForce(message)
    if entries > MOST_ENTRIES:
        message = ngettext(
            "This list is too large: %(num)s entry, at most %(most)s are allowed.",
            "This list is too large: %(num)s entries, at most %(most)s are allowed.",
            entries,
            most=MOST_ENTRIES,
        )
        raise UnreadableForce(message)
    if length > MOST_BYTES:
        raise UnreadableForce(
            gettext(
                "This list is too large: %(there)s KB of data, at most %(most)s KB are allowed. "
                "Shorten its names or take models out.",
                there=-(-length // 1024),
                most=MOST_BYTES // 1024,
            )
        )


def _entries(part: Any) -> int:
    if isinstance(part, dict):
        return sum(map(_entries, part.values()))
    return len(part) + sum(map(_entries, part)) if isinstance(part, list) else 0


def _length(document: Document) -> int:
    return len(canonical_text(document).encode())


def stored(document: Document) -> Document:
    """The canonical document itself. Raises UnreadableForce if it is too large to store."""
    check_size(document)
    return document


def respell(lines: Iterable[Document], table: ByName[Any]) -> None:
    """Change the ``name`` of each line of a document to the spelling of its entry in this table."""
    for line in lines:
        line["name"] = table.spelling(line["name"])


def parts_of(field: str, part: str) -> Callable[[Document, Sequence[int]], Document]:
    """The function that keeps only the parts of this field at given positions, in the document's order.

    It raises UnreadableForce for an invalid position; ``part`` is the game's word for a part.
    """

    def part_of(document: Document, places: Sequence[int]) -> Document:
        parts = document[field]
        if any(not 0 <= place < len(parts) for place in places):
            raise UnreadableForce(gettext("%(field)s: a chosen part is not in the roster", field=field))
        return document | {field: [one for place, one in enumerate(parts) if place in set(places)]}

    return part_of


def blank(
    read: Callable[[object, EditionInfo], Document], system: str, parts: str
) -> Callable[[EditionInfo, str], Document]:
    """The function that makes an empty document for an edition and a faction; ``parts`` is the field of its parts."""
    return lambda edition, faction: read(
        {"system": system, "edition": edition.id, "faction": faction, parts: []}, edition
    )


def _sentence(error: Any, parsed: object) -> str:
    """A pydantic error as a sentence that begins with the place in the file."""
    place, wrong = _place(error["loc"], parsed) or gettext("the file"), wrong_with(error)
    if error["type"] == "too_long" and not isinstance(error["input"], str):
        return gettext("This list is too large: %(place)s: %(wrong)s", place=place, wrong=wrong)
    return at_place(place, wrong)


def _place(steps: Sequence[str | int], here: object) -> str:
    """The place of a value in a force as its player counts: "model 2 (Piper), item 1 (Pipe Pistol), count"."""
    parts: list[str] = []
    for step in steps:
        inside = here if isinstance(here, list | dict) else {}
        here = dict(enumerate(inside) if isinstance(inside, list) else inside).get(step)
        if isinstance(step, int):
            name = here.get("name") if isinstance(here, dict) else None
            number = f"{parts.pop().removesuffix('s')} {step + 1}" if parts else f"{step + 1}"
            parts.append(f"{number} ({name[:40]})" if isinstance(name, str) and name.isprintable() else number)
        else:
            parts.append(step[:40].replace("_", " ") if step.isprintable() else ascii(step[:40]))
    return ", ".join(parts)
