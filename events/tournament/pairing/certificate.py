"""The file of a published round: the inputs and the output of its draw, so that anyone can redraw and compare it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, create_model
from pydantic.json_schema import SkipJsonSchema

from events.tournament.pairing.files import Strict, Unreadable, read_strictly, reader_of
from events.tournament.pairing.history import Past
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.request import Request, draw_in_format
from events.tournament.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement
from events.tournament.pairing.words import sentence
from languages.words import ENGLISH, gettext, speaking

Couple = frozenset[str]


@lru_cache(maxsize=32)
def discreet(request: Request, drawn: Draw) -> Request:
    """The request with its wishes replaced by the kept-apart pairs that give the same draw.

    The pairs are found without reading the wishes: draw without any, keep apart the drawn pairs that the real draw does
    not have, and repeat until the draws are equal. So they reveal only what anyone with the seed can find out, never
    whose wish it was. A kept-apart pair that was drawn all the same is never among them.

    On the complete graph this ends: the real pairs are the cheapest with all wishes, so a cheaper draw without them
    breaks a wish that is not kept apart yet. Larger fields ended the same way in all tests. If the draw never becomes
    equal, or uses another algorithm, the request is returned without wishes.
    """
    wishes = request.rules.keep_apart
    if not wishes:
        return request
    bare = _keeping_apart(request, set())
    made, apart = _couples(drawn), set[Couple]()
    for _ in range(len(wishes) + 1):
        trial = _keeping_apart(request, apart)
        other = draw_in_format(trial.round, trial.seats, trial.seed, trial.rules, trial.format)
        if other.algorithm != drawn.algorithm:
            return bare
        if _couples(other) == made:
            return trial
        apart |= _couples(other) - made
    return bare


def _keeping_apart(request: Request, couples: set[Couple]) -> Request:
    apart = tuple(sorted((min(two), max(two)) for two in couples))
    return replace(request, rules=replace(request.rules, keep_apart=apart))


def _couples(drawn: Draw) -> set[Couple]:
    return {frozenset((pair.a, pair.b)) for pair in drawn.pairs}


FORMAT: Literal["overseer-pairings/1"] = "overseer-pairings/1"


@dataclass(frozen=True)
class Named:
    """A player in the file."""

    id: str
    name: str


@dataclass(frozen=True)
class AtEvent:
    """The event: its address and its name."""

    slug: str
    name: str


@dataclass(frozen=True)
class Output:
    """The output of the draw. Null tables were not stored, so they are not checked."""

    pairs: tuple[Pair, ...]
    bye: str | None
    levels: Levels
    certificate: Certificate
    notes: tuple[Note, ...] = ()
    idle: tuple[Idle, ...] = ()
    placement: Placement | None = None
    """None if not stored."""
    stand_in: Pair | None = None
    """The game between the player with the bye and the stand-in."""

    @property
    def games(self) -> tuple[Pair, ...]:
        """All games, the stand-in's included."""
        return self.pairs + ((self.stand_in,) if self.stand_in else ())

    @property
    def without_game(self) -> set[str]:
        """Players without a game: the bye if there is no stand-in, and those idle in a fixed plan."""
        byes = {self.bye} if self.bye and not self.stand_in else set()
        return byes | {idle.id for idle in self.idle}


@dataclass(frozen=True)
class Published:
    """The published round if it differs from the draw, with its levels."""

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...]
    levels: Levels | None = None
    """None if the format counts no levels."""


@dataclass(frozen=True)
class PairingsFile:
    """The file of a published round."""

    format: Literal["overseer-pairings/1"]
    event: AtEvent
    round: int
    algorithm: str
    seed: int
    inputs: Request
    output: Output
    published: Published | None = None
    """None if published as drawn."""
    scenario: str = ""
    """The round's scenario; "" if each table has its own."""
    players: tuple[Named, ...] = ()
    version: str = ""
    """The version of the program that wrote the file."""
    before: tuple[Past, ...] | None = None
    """The earlier results used by the round's draw. None if not stored."""

    @property
    def shown(self) -> tuple[Pair, ...]:
        return self.published.pairs if self.published else self.output.games

    @property
    def idle(self) -> set[str]:
        return set(self.published.byes) if self.published else self.output.without_game

    def name(self, id_: str) -> str:
        """The player's name with the id, or only the id."""
        return f"{self.names[id_]} ({id_})" if id_ in self.names else id_

    @cached_property
    def names(self) -> dict[str, str]:
        """Each player's name, by id."""
        return {player.id: player.name for player in self.players}


class Older(Strict):
    """Fields of files up to 0.5.0, which are ignored."""

    earlier: SkipJsonSchema[Any] = Field(None, exclude=True)
    digests: SkipJsonSchema[Any] = Field(None, exclude=True)
    published_digests: SkipJsonSchema[Any] = Field(None, exclude=True)


@cache
def reader() -> type[Strict]:
    """The strict reader of the file; its schema is docs/pairings.schema.json."""
    return create_model(PairingsFile.__name__, __base__=(Older, reader_of(PairingsFile)))


@cache
def _values() -> TypeAdapter[PairingsFile]:
    """Built on first use, because building it at import would slow every start."""
    return TypeAdapter(PairingsFile)


def certificate_document(file: PairingsFile) -> dict[str, Any]:
    document: dict[str, Any] = _values().dump_python(file, mode="json")
    with speaking(ENGLISH):
        return _with_notes(document, lambda note: sentence(Note(NoteKind(note["kind"]), note["figures"])))


def read_pairings(data: bytes) -> PairingsFile:
    """The file from its bytes. Raises Unreadable, with the place of each fault."""
    document = read_strictly(reader(), data).model_dump()
    file = _values().validate_python(_with_notes(document, lambda text: Note(NoteKind.OTHER, {"text": text})))
    faults = [
        gettext("%(name)s: %(one)s here, %(other)s in the inputs", name=name, one=stated, other=meant)
        for name, stated, meant in (("round", file.round, file.inputs.round), ("seed", file.seed, file.inputs.seed))
        if stated != meant
    ]
    if faults:
        raise Unreadable(faults)
    return file


def _with_notes(document: dict[str, Any], turned: Callable[[Any], Any]) -> dict[str, Any]:
    """The document with all its notes turned: the file has sentences, which no check reads."""
    output, published = document["output"], document["published"] or {"pairs": ()}
    games = (*output["pairs"], *filter(None, [output["stand_in"]]), *published["pairs"])
    for game in (output, *output["idle"], *games):
        game["notes"] = [turned(note) for note in game["notes"]]
    return document


Costs = TypeVar("Costs", Levels, Placement)
