"""The file of a published round: the inputs and the output of its draw, so that anybody can repeat and compare it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter

from events.pairing.files import Strict, Unreadable, read_strictly, reader_of
from events.pairing.levels import count_levels
from events.pairing.request import Request, draw_in_format, drawn_round, of_the_field
from events.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement

Couple = frozenset[str]


@lru_cache(maxsize=32)
def discreet(request: Request, drawn: Draw) -> Request:
    """The request without its wishes, but with the pairs kept apart that the same draw needs.

    The list is found without reading the wishes: draw without any, add the drawn pairs that were not really made to
    the list, and repeat until the draw is the same. So it holds only what anybody with the seed can find out, never
    whose wish it was. A pair that was made although it was kept apart is never in it.

    On the complete graph this ends: the real pairs are the cheapest with all wishes, so a cheaper draw without them
    breaks a wish that is not in the list yet. Larger fields ended the same way in all tests. If the draw is never the
    same, or is of another algorithm, the request is returned without wishes.
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
    """A player of the file."""

    id: str
    name: str


@dataclass(frozen=True)
class AtEvent:
    """The event: its address and its name."""

    slug: str
    name: str


@dataclass(frozen=True)
class Output:
    """The result of the draw. A table of null was not stored, and is not checked."""

    pairs: tuple[Pair, ...]
    bye: str | None
    levels: Levels
    certificate: Certificate
    notes: tuple[str, ...] = ()
    idle: tuple[Idle, ...] = ()
    placement: Placement | None = None
    """None: not stored."""
    stand_in: Pair | None = None
    """The player with the bye against the stand-in."""

    @property
    def games(self) -> tuple[Pair, ...]:
        """All games, the stand-in's included."""
        return self.pairs + ((self.stand_in,) if self.stand_in else ())

    @property
    def without_game(self) -> set[str]:
        """Players without a game: the bye, unless there is a stand-in, and those idle in a fixed plan."""
        byes = {self.bye} if self.bye and not self.stand_in else set()
        return byes | {one.id for one in self.idle}


@dataclass(frozen=True)
class Published:
    """The published round where it differs from the draw, with its levels."""

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...]
    levels: Levels | None = None
    """None where the format counts none."""


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
    """None: what was drawn."""
    scenario: str = ""
    """The round's, where not each table has its own."""
    players: tuple[Named, ...] = ()
    version: str = ""
    """Of the program that wrote the file."""

    def name(self, id_: str) -> str:
        """The player's name with the id, or the id alone."""
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


Costs = TypeVar("Costs", Levels, Placement)


@dataclass(frozen=True)
class Check:
    """The result of drawing a round again."""

    file: PairingsFile
    drawn: Draw
    differences: tuple[str, ...]
    """Differences between the file and the new draw, one sentence each."""
    by_hand: tuple[str, ...]
    """Changes made by hand before publication, one sentence each."""

    @property
    def equal(self) -> bool:
        """Whether the new draw is the same as the file's."""
        return not self.differences


def redrawn(file: PairingsFile) -> Check:
    """Draw the round of the file again. Raises Unreadable when its inputs cannot be drawn, or not by this program."""
    try:
        drawn = drawn_round(file.inputs)
    except ValueError as error:
        raise Unreadable([f"inputs: {error}"]) from error
    if drawn.algorithm != file.algorithm:
        raise Unreadable(
            [f"algorithm: drawn by {file.algorithm}, and this program draws such a round by {drawn.algorithm}"]
        )
    by_hand = tuple(_by_hand(file)) if file.published else ()
    return Check(file, drawn, (*_differences(file, drawn), *_miscounted(file)), by_hand)


def _differences(file: PairingsFile, drawn: Draw) -> Iterator[str]:
    said = file.output
    stand_in = (drawn.stand_in,) if drawn.stand_in else ()
    yield from _pairs_differ(file, said.games, (*drawn.pairs, *stand_in), "in the file", "drawn again")
    if said.bye != drawn.bye:
        yield f"bye: {_who(file, said.bye)} in the file, {_who(file, drawn.bye)} drawn again"
    idle, again = ({one.id for one in found} for found in (said.idle, drawn.idle))
    for id_ in sorted(idle ^ again):
        yield f"without a game: {file.name(id_)} only {'in the file' if id_ in idle else 'drawn again'}"
    yield from _levels_differ("level", said.levels, drawn.levels, "in the file", "drawn again")
    if said.placement is not None and drawn.placement is not None:
        yield from _levels_differ("placing", said.placement, drawn.placement, "in the file", "drawn again")
    if said.certificate.proven != drawn.certificate.proven:
        here, there = ("proven" if one.proven else "not proven" for one in (said.certificate, drawn.certificate))
        yield f"certificate: {here} in the file, {there} drawn again"


def _pairs_differ(
    file: PairingsFile, said: Sequence[Pair], meant: Sequence[Pair], here: str, there: str
) -> Iterator[str]:
    """Pairs of only one side, and different tables and scenarios of the common ones."""
    ours, theirs = ({frozenset((p.a, p.b)): p for p in pairs} for pairs in (said, meant))
    for pair in said:
        if frozenset((pair.a, pair.b)) not in theirs:
            yield f"pair {_pair(file, pair)}: only {here}"
    for pair in meant:
        if frozenset((pair.a, pair.b)) not in ours:
            yield f"pair {_pair(file, pair)}: only {there}"
    if len(ours) < len(said):
        yield f"pairs: one stands more than once {here}"
    for couple, one in ours.items():
        other = theirs.get(couple)
        if other is None:
            continue
        if one.table is not None and one.table != other.table:
            yield f"table of {_pair(file, one)}: {one.table} {here}, {other.table or 'none'} {there}"
        if one.scenario != other.scenario:
            names = [pair.scenario or "the round's" for pair in (one, other)]
            yield f"scenario of {_pair(file, one)}: {names[0]} {here}, {names[1]} {there}"
    if ours.keys() == theirs.keys() and here == "in the file":
        yield from _order_differs(file, said, meant)


def _order_differs(file: PairingsFile, said: Sequence[Pair], meant: Sequence[Pair]) -> Iterator[str]:
    for place, (one, other) in enumerate(zip(said, meant, strict=False), start=1):
        if (one.a, one.b) != (other.a, other.b):
            yield f"order: pair {place} is {_pair(file, one)} in the file, {_pair(file, other)} drawn again"
            return


def _levels_differ(what: str, said: Costs, meant: Costs, here: str, there: str) -> Iterator[str]:
    right = asdict(meant)
    for name, figure in asdict(said).items():
        if figure != right[name]:
            yield f"{what} {name}: {figure} {here}, {right[name]} {there}"


def _miscounted(file: PairingsFile) -> Iterator[str]:
    """Levels of a hand-changed round that differ from a new count."""
    if file.published is None:
        return
    try:
        counted = _levels_of(file)
    except ValueError as error:
        yield f"published: {error}"
        return
    if file.published.levels is not None and counted is not None:
        yield from _levels_differ("published level", file.published.levels, counted, "in the file", "counted")


def _levels_of(file: PairingsFile) -> Levels | None:
    """The levels of the published round. Raises ValueError if it is no pairing of the seats."""
    assert file.published is not None  # noqa: S101 - asked only then
    if file.inputs.format.kind != "swiss":
        return None
    ids = {seat.id for seat in file.inputs.seats}
    bye = next((id_ for id_ in file.published.byes if id_ in ids), None)
    pairs, bye = of_the_field(file.inputs, file.published.pairs, bye)
    return count_levels(file.round, file.inputs.seats, pairs, bye, file.inputs.rules)


def _by_hand(file: PairingsFile) -> Iterator[str]:
    """Changes made by hand, and their cost compared with the draw."""
    assert file.published is not None  # noqa: S101 - asked only then
    yield from _pairs_differ(file, file.published.pairs, file.output.games, "as published", "as drawn")
    before = file.output.without_game
    for id_ in sorted(before ^ set(file.published.byes)):
        yield f"bye of {file.name(id_)}: only {'as drawn' if id_ in before else 'as published'}"
    try:
        counted = _levels_of(file)
    except ValueError:
        return  # reported by _miscounted
    if counted is not None:
        yield from _levels_differ("level", counted, file.output.levels, "as published", "as drawn")


def _pair(file: PairingsFile, pair: Pair) -> str:
    return f"{file.name(pair.a)} and {file.name(pair.b)}"


def _who(file: PairingsFile, id_: str | None) -> str:
    return "nobody" if id_ is None else file.name(id_)
