"""Strict readers of files, generated from dataclasses."""

import types
from collections.abc import Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic import Field as Bounds

MOST_SEATS = 4096
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e]*$"

Text = Annotated[str, Bounds(max_length=200, pattern=PRINTABLE)]
Sentence = Annotated[str, Bounds(max_length=2000, pattern=PRINTABLE)]
Id = Annotated[str, Bounds(min_length=1, max_length=200, pattern=PRINTABLE)]
Count = Annotated[int, Bounds(ge=0, le=10**6)]
Large = Annotated[int, Bounds(ge=0, le=10**15)]
Few = Annotated[int, Bounds(ge=0, le=1000)]
Points = Annotated[float, Bounds(ge=-1e6, le=1e6)]
Seed = Annotated[int, Bounds(ge=0, le=2**63 - 1)]

MOST_ITEMS = {"seats": MOST_SEATS, "pairs": MOST_SEATS, "opponents": 1000, "notes": 100, "before": 100_000}
OTHER_ITEMS = 10_000
BOUNDS: dict[str, Any] = {
    "id": Id,
    "a": Id,
    "b": Id,
    "seed": Seed,
    "points": Points,
    "points_a": Points,
    "points_b": Points,
    "byes": Few,
    "floats": Few,
    "round": Annotated[int, Bounds(ge=1, le=1000)],
    "distance": Large,
    "table_steps": Large,
    "by": Sentence,
    "notes": Sentence,
}
"""Bounds by field name, for fields whose type is too loose."""
ABOUT = {
    "points": "Tournament points so far.",
    "floats": "How often this player was paired down before.",
    "opponents": "Opponents already met.",
    "keep_apart": "Pairs of players who should not meet if possible.",
    "locked": "Pairs, and a bye (with null), that stay while the rest is drawn.",
    "off": "Levels that are not counted.",
    "banned": "Levels that stand above all others.",
}


class Strict(BaseModel):
    """The base of file parts: no unknown fields, and no numbers written as text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Unreadable(Exception):
    """An unreadable file: a sentence for each fault, starting with its place in the file."""

    def __init__(self, faults: Iterable[str]) -> None:
        super().__init__()
        self.faults = tuple(faults)


@cache
def reader_of(shape: type) -> type[Strict]:
    """The strict reader of a dataclass and of the dataclasses inside it."""
    hints = get_type_hints(shape)
    parts: dict[str, Any] = {f.name: (bounded(f.name, hints[f.name]), default(f)) for f in fields(shape)}
    made: type[Strict] = create_model(shape.__name__, __base__=Strict, **parts)
    return made


def bounded(name: str, hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(None if arg is type(None) else bounded(name, arg) for arg in get_args(hint))]  # noqa: UP007
    if get_origin(hint) is tuple:
        of_items = "notes" if name == "notes" else ""
        inside = tuple(
            ellipsis_type if ellipsis_type is ... else bounded(of_items, ellipsis_type)
            for ellipsis_type in get_args(hint)
        )
        several: Any = types.GenericAlias(tuple, inside)
        return Annotated[several, Bounds(max_length=MOST_ITEMS.get(name, OTHER_ITEMS))] if ... in inside else several
    if name in BOUNDS:
        return BOUNDS[name]
    if is_dataclass(hint):
        return reader_of(hint) if isinstance(hint, type) else hint
    if hint is str:
        return Text if name else Id
    return Count if hint is int else hint


def default(of: "Field[Any]") -> Any:
    about, value = ABOUT.get(of.name), cast(Any, of.default)
    if value is MISSING:
        return Bounds(description=about)
    if is_dataclass(value):
        return Bounds(default_factory=reader_of(value.__class__), description=about)
    return Bounds(value, description=about)


def read_strictly(reader: type[BaseModel], data: bytes) -> BaseModel:
    """The file as read by ``reader``. Raises Unreadable."""
    try:
        return reader.model_validate_json(data.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        raise Unreadable(faults_of(error)) from error


def faults_of(error: ValidationError) -> list[str]:
    """The faults, each after its place: "seats[2].points: ..."."""
    from validators.faults import fault_of  # noqa: PLC0415 - loads the games

    return [str(fault_of(fault)) for fault in error.errors(include_url=False)]
