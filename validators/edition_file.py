"""The common parts of all games' edition files: head fields, tidy names, and faults in words with their lines."""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, ValidationError

from languages.words import N_, gettext, listed
from validators.contract import EditionInfo, UnreadableEdition, UnreadableForce
from validators.faults import Fault, Place, fault_of
from validators.kit.shapes import Part, refusing
from validators.names import fold, nearest
from validators.strict_json import MOST_BYTES, first_odd, lines_of, read_json

MOST_FAULTS = 20
"""The most faults listed for one file."""
MOST_SEARCHED = 2_000
"""The most names among which similar ones are searched; printed lists have some five hundred."""

_UNPRINTABLE = r"[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
_UNTIDY = _UNPRINTABLE + r"|^\s|\s$"
_NO_ID = r"[^a-z0-9._-]|^[._-]"


def _tidy(text: str) -> str:
    if re.search(_UNPRINTABLE, text):
        raise ValueError(gettext("holds a character that cannot be printed"))
    if text != text.strip():
        raise ValueError(gettext("begins or ends with a space"))
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError(gettext("is not in composed form (Unicode NFC)"))
    return text


_id = refusing(
    _NO_ID, N_("may hold only a to z, 0 to 9, dots, dashes and underscores, of these a letter or a digit first")
)


def iso_date(text: str) -> str:
    """A date like "2018-08-20". Raises ValueError."""
    try:
        if len(text) == len("2018-08-20"):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise ValueError(gettext('is not a date like "2018-08-20"'))


def _bounded(longest: int) -> Any:
    return Field(min_length=1, max_length=longest, json_schema_extra={"not": {"pattern": _UNTIDY}})


Name = Annotated[str, _bounded(80), AfterValidator(_tidy)]
Sentence = Annotated[str, _bounded(400), AfterValidator(_tidy)]
Aliases = Annotated[dict[Name, Name], Field(max_length=400)]
"""Other names in the lists for something in the file, each with its name there."""


class HeadOfEdition(Part):
    """The first fields of every edition file; each game sets its own ``system``."""

    system: str
    id: Annotated[
        str, Field(min_length=1, max_length=40, json_schema_extra={"not": {"pattern": _NO_ID}}), AfterValidator(_id)
    ]
    name: Name
    date: Annotated[str, Field(json_schema_extra={"format": "date"}), AfterValidator(iso_date)]
    source: Sentence
    caution: Sentence | None = Field(default=None, description="Shown wherever the edition is chosen or used.")
    notes: list[Sentence] = Field(default=[], max_length=40)
    partial: bool = False


_File = TypeVar("_File", bound=HeadOfEdition)


def shaped_edition(data: bytes, shape: type[_File], faults_of: Callable[[_File], Iterable[Fault]]) -> _File:
    """From an edition file's bytes to the game's own schema class, without faults by ``faults_of``.

    Raises UnreadableEdition with each fault's line and field.
    """
    parsed = _parse(data)
    try:
        file = shape.model_validate(parsed)
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False)
        raise unreadable(data, map(fault_of, errors)) from invalid
    faults = list(islice(faults_of(file), MOST_FAULTS + 1))
    if faults:
        raise unreadable(data, faults)
    return file


def _parse(data: bytes) -> object:
    try:
        parsed = read_json(data)
    except UnreadableForce as refusal:
        raise UnreadableEdition(_not_json(data, refusal)) from refusal
    if not isinstance(parsed, dict):
        raise UnreadableEdition(Fault((), gettext('an edition is a JSON object, {"system": ...}'), line=1))
    return parsed


def _not_json(data: bytes, refusal: UnreadableForce) -> Fault:
    """The fault of a file that is not JSON, a repeated key, NaN or Infinity with its line."""
    cause = refusal.__cause__
    if len(data) <= MOST_BYTES and not isinstance(cause, RecursionError):
        if odd := first_odd(data.decode("utf-8-sig", "replace")):
            path, line, piece = odd
            twice, no_number = N_("appears twice in one object"), N_("%(name)s is not a JSON number")
            return Fault(path, gettext(twice) if piece.startswith('"') else gettext(no_number, name=piece), line)
        if isinstance(cause, json.JSONDecodeError):
            return Fault((), gettext("not JSON (%(fault)s)", fault=cause.msg), cause.lineno, cause.colno)
    return Fault((), refusal.faults[0])


def unreadable(data: bytes, faults: Iterable[Fault]) -> UnreadableEdition:
    """The exception for these faults, with their lines in the file."""
    found = list(islice(faults, MOST_FAULTS + 1))
    lines = lines_of(data.decode("utf-8-sig"), [fault.place for fault in found])
    shown = (replace(fault, line=lines[fault.place]) for fault in found[:MOST_FAULTS])
    return UnreadableEdition(*shown, *([Fault((), gettext("and more"))] if len(found) > MOST_FAULTS else []))


def duplicates(file: HeadOfEdition, *fields: str) -> Iterator[Fault]:
    """A fault for each repeated name in these lists of names or of named entries, ignoring case and spacing."""
    for field in fields:
        yield from repeated(((field, place), name) for place, name in enumerate(names_in(getattr(file, field))))


def names_in(entries: Iterable[Any]) -> tuple[str, ...]:
    return tuple(entry if isinstance(entry, str) else entry.name for entry in entries)


def repeated(names: Iterable[tuple[Place, str]], before: Mapping[str, str] | None = None) -> Iterator[Fault]:
    """A fault for each name that is at an earlier place or in ``before``, with that place."""
    seen = dict(before or {})
    for place, name in names:
        key = fold(name)
        if key in seen:
            text = N_("%(name)s is listed twice (the other is %(other)s; case and spacing make no difference)")
            yield Fault(place, gettext(text, name=name, other=seen[key]))
        seen[key] = name


def unknown_name(name: str, known: Collection[str], *fields: str) -> str:
    """The message about a name that stands in none of these fields, with similar ones if they are few enough to search.

    Without fields: in none of the file.
    """
    near = nearest(name, tuple(known)) if len(known) <= MOST_SEARCHED else ()
    wrong = gettext("%(name)s is not a name of this file", name=name)
    if fields:
        wrong = gettext("%(name)s is not in the file’s %(fields)s", name=name, fields=listed(fields, style="or"))
    return gettext("%(wrong)s; near to it: %(names)s", wrong=wrong, names=listed(near)) if near else wrong


def alias_faults(aliases: Mapping[str, str], names: Iterable[str], also: Iterable[str] = ()) -> Iterator[Fault]:
    """A fault for each alias that is repeated or itself a name in the file, or whose name is unknown.

    ``also`` are further names that aliases may mean or equal.
    """
    known, others = {fold(name): name for name in names}, set(map(fold, also))
    yield from repeated((("aliases", alias), alias) for alias in aliases)
    for alias, name in aliases.items():
        if fold(alias) in known:
            yield Fault(("aliases", alias), gettext("is itself a name in this file, so it can stand for no other"))
        if fold(name) not in known.keys() | others:
            yield Fault(("aliases", alias), unknown_name(name, known.values()))


def written_out(file: HeadOfEdition) -> bytes:
    """From an edition file to its bytes, one name or figure per line, without fields at their defaults."""
    document = file.model_dump(by_alias=True, exclude_defaults=True)
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def written(file: HeadOfEdition) -> bytes:
    """From an edition file to its bytes, one entry per line, with all fields."""
    parts = []
    for key, value in file.model_dump(mode="json").items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value)
            parts.append(f' "{key}": [\n{rows}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def info_of(
    file: HeadOfEdition, lists: object, factions: Iterable[str], names: Iterable[tuple[str, Iterable[Any]]]
) -> EditionInfo:
    """The EditionInfo of an edition file; ``names`` are the names that can be bought (or named entries), by kind."""
    return EditionInfo(
        id=file.id,
        name=file.name,
        date=file.date,
        source=file.source,
        factions=tuple(factions),
        names=tuple((kind, names_in(entries)) for kind, entries in names),
        lists=lists,
        partial=file.partial,
        notes=tuple(file.notes),
        caution=file.caution or "",
    )
