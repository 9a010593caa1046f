"""The file of a published round: what it was drawn from, what was drawn, and what was published instead by hand."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

from pydantic import TypeAdapter

from events.pairing.request import Request
from events.pairing.seats import Certificate, Idle, Levels, Pair, Placement
from events.pairing.strict_file import Strict, Unreadable, read_strictly, reader_of

FORMAT: Literal["overseer-pairings/1"] = "overseer-pairings/1"


@dataclass(frozen=True)
class Named:
    """A player of the file: the id that stands in it, and the name for people."""

    id: str
    name: str


@dataclass(frozen=True)
class AtEvent:
    """The event, by its address and its name."""

    slug: str
    name: str


@dataclass(frozen=True)
class Output:
    """What the engine drew. A table of null was not kept, and is not checked."""

    pairs: tuple[Pair, ...]
    bye: str | None
    levels: Levels
    certificate: Certificate
    notes: tuple[str, ...] = ()
    idle: tuple[Idle, ...] = ()
    placement: Placement | None = None
    """None: not kept."""
    stand_in: Pair | None = None
    """The player with the bye against the stand-in."""

    @property
    def games(self) -> tuple[Pair, ...]:
        """All that are played, the stand-in's too."""
        return self.pairs + ((self.stand_in,) if self.stand_in else ())

    @property
    def without_game(self) -> set[str]:
        """Who plays nobody: the bye, unless there is a stand-in, and empty places of a fixed plan."""
        byes = {self.bye} if self.bye and not self.stand_in else set()
        return byes | {one.id for one in self.idle}


@dataclass(frozen=True)
class Published:
    """What was published where it is not what was drawn: changed by hand, with what that costs by the levels."""

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...]
    levels: Levels | None = None
    """None where the format counts none."""


@dataclass(frozen=True)
class PairingsFile:
    """A published round, as the event's page offers it."""

    format: Literal["overseer-pairings/1"]
    event: AtEvent
    round: int
    algorithm: str
    seed: int
    inputs: Request
    output: Output
    published: Published | None = None
    """None: what was drawn."""
    scenario: str = ""
    """The round's, where not each table has its own."""
    players: tuple[Named, ...] = ()
    version: str = ""
    """Of the program that wrote the file."""

    def name(self, id_: str) -> str:
        """A player in words: the name with the id, or the id alone."""
        return f"{self.names[id_]} ({id_})" if id_ in self.names else id_

    @cached_property
    def names(self) -> dict[str, str]:
        """Each player's name, by id."""
        return {one.id: one.name for one in self.players}


def reader() -> type[Strict]:
    """The strict reader of the file; its schema is docs/pairings.schema.json."""
    return reader_of(PairingsFile)


@cache
def _values() -> TypeAdapter[PairingsFile]:
    """Made on first use: making it at import would delay every start."""
    return TypeAdapter(PairingsFile)


def to_document(file: PairingsFile) -> dict[str, Any]:
    """The file as JSON can hold it."""
    document: dict[str, Any] = _values().dump_python(file, mode="json")
    return document


def read_pairings(data: bytes) -> PairingsFile:
    """The file in these bytes. Raises Unreadable, with the place of each fault."""
    document = read_strictly(reader(), data).model_dump()
    file = _values().validate_python(document)
    faults = [
        f"{name}: {said} here, {meant} in the inputs"
        for name, said, meant in (("round", file.round, file.inputs.round), ("seed", file.seed, file.inputs.seed))
        if said != meant
    ]
    if faults:
        raise Unreadable(faults)
    return file
