"""A published round drawn again from its own file, and held against what the file says was drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from events.pairing.levels import count_levels
from events.pairing.pairings_file import PairingsFile
from events.pairing.request import drawn_round, of_the_field
from events.pairing.seats import Draw, Levels, Pair, Placement
from events.pairing.strict_file import Unreadable

Costs = TypeVar("Costs", Levels, Placement)


@dataclass(frozen=True)
class Check:
    """What came of drawing a round again."""

    file: PairingsFile
    drawn: Draw
    differences: tuple[str, ...]
    """Where the file is not what its own inputs give, a sentence each; none: equal."""
    by_hand: tuple[str, ...]
    """What was published otherwise than it was drawn, a sentence each."""

    @property
    def equal(self) -> bool:
        """Whether the file's output is just what its inputs give."""
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
        told = {True: "proven", False: "not proven"}
        yield f"certificate: {told[said.certificate.proven]} in the file, {told[drawn.certificate.proven]} drawn again"


def _pairs_differ(
    file: PairingsFile, said: Sequence[Pair], meant: Sequence[Pair], here: str, there: str
) -> Iterator[str]:
    """Pairs that only one side has, and the tables and scenarios of those that both have."""
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
    told, right = asdict(said), asdict(meant)
    for name in told:
        if told[name] != right[name]:
            yield f"{what} {name}: {told[name]} {here}, {right[name]} {there}"


def _miscounted(file: PairingsFile) -> Iterator[str]:
    """What the file says of a hand-changed round's levels, where they do not come out so when they are counted."""
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
    """The levels of what was published, by the file's inputs. Raises ValueError for what is no pairing of the seats."""
    assert file.published is not None  # noqa: S101 - asked only then
    if file.inputs.format.kind != "swiss":
        return None
    ids = {seat.id for seat in file.inputs.seats}
    bye = next((id_ for id_ in file.published.byes if id_ in ids), None)
    pairs, bye = of_the_field(file.inputs, file.published.pairs, bye)
    return count_levels(file.round, file.inputs.seats, pairs, bye, file.inputs.rules)


def _by_hand(file: PairingsFile) -> Iterator[str]:
    """What hands changed, and what it costs beside the draw."""
    assert file.published is not None  # noqa: S101 - asked only then
    yield from _pairs_differ(file, file.published.pairs, file.output.games, "as published", "as drawn")
    before = file.output.without_game
    for id_ in sorted(before ^ set(file.published.byes)):
        yield f"bye of {file.name(id_)}: only {'as drawn' if id_ in before else 'as published'}"
    try:
        counted = _levels_of(file)
    except ValueError:
        return  # told among the differences
    if counted is not None:
        yield from _levels_differ("level", counted, file.output.levels, "as published", "as drawn")


def _pair(file: PairingsFile, pair: Pair) -> str:
    return f"{file.name(pair.a)} and {file.name(pair.b)}"


def _who(file: PairingsFile, id_: str | None) -> str:
    return "nobody" if id_ is None else file.name(id_)
