"""The draw of a published file again, and what differs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from events.tournament.pairing.certificate import Costs, PairingsFile, Published
from events.tournament.pairing.explain import LEVELS
from events.tournament.pairing.files import Unreadable
from events.tournament.pairing.history import both_won, faults_in, seats_after
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.request import drawn_round, of_the_field
from events.tournament.pairing.seats import LEVEL_WORDS, METHODS, Draw, Levels, Pair
from events.tournament.pairing.words import plain_number
from languages.words import N_, gettext, in_sentence, labelled, listed


@dataclass(frozen=True)
class Views:
    """The sentences about two views of a round: what differs between them, and what only one of them has."""

    differ: str
    only_one: str = ""
    only_other: str = ""

    def say(self, what: str, value: object, other: object) -> str:
        return gettext(self.differ, what=what, one=value, other=other)


REDRAWN = Views(
    N_("%(what)s: %(one)s in the file, %(other)s drawn again"),
    N_("%(what)s: only in the file"),
    N_("%(what)s: only drawn again"),
)
BY_HAND = Views(
    N_("%(what)s: %(one)s as published, %(other)s as drawn"),
    N_("%(what)s: only as published"),
    N_("%(what)s: only as drawn"),
)
COUNTED = Views(N_("%(what)s as published: %(one)s in the file, %(other)s counted"))
HEADS = {level.key: level.label for level in LEVELS}
FIELDS = {
    "points": N_("Points"), "byes": N_("Byes"), "floats": N_("Pair-downs"), "opponents": N_("Opponents"),
    "tables": N_("Tables"), "scenarios": N_("Scenarios"),
}  # fmt: skip
"""The values of a seat in words."""


@dataclass(frozen=True)
class Check:
    """The result of redrawing a round."""

    file: PairingsFile
    drawn: Draw
    differences: tuple[str, ...]
    """Differences between the file and the new draw, a sentence each."""
    by_hand: tuple[str, ...]
    """Manual changes before publication, a sentence each."""
    chosen: tuple[str, ...]
    """Choices made before the draw, such as locked pairs and unusual rules, a phrase each."""
    unbound: tuple[str, ...]
    """What the check cannot prove, a sentence each."""

    @property
    def equal(self) -> bool:
        return not self.differences

    @property
    def proof(self) -> str:
        """What the certificate proves, in a phrase."""
        proven = self.drawn.certificate.proven
        if self.file.inputs.format.kind in ("knockout", "round_robin"):
            return in_sentence(gettext("By the format’s fixed plan"))
        if self.file.inputs.rules.locked:
            text = N_("proven best for the rest only") if proven else N_("not proven best for the rest only")
        elif self.chosen:
            by_hand = N_("proven best with what was chosen by hand")
            text = by_hand if proven else N_("not proven best with what was chosen by hand")
        else:
            text = N_("proven best for these inputs") if proven else N_("not proven best for these inputs")
        return labelled(gettext(text), gettext(self.drawn.certificate.by))


def redrawn(file: PairingsFile) -> Check:
    """Redraw the file's round. Raises Unreadable if its inputs are invalid or another algorithm drew it."""
    try:
        drawn = drawn_round(file.inputs)
    except ValueError as error:
        raise Unreadable([f"inputs: {error}"]) from error
    if drawn.algorithm != file.algorithm:
        text = N_("algorithm: drawn by %(other)s, and this program draws such a round by %(own)s")
        raise Unreadable([gettext(text, other=file.algorithm, own=drawn.algorithm)])
    by_hand, miscounted = list[str](), list[str]()
    if file.published is not None:
        by_hand += _by_hand(file, file.published)
        try:
            counted = _levels_of(file, file.published)
        except ValueError as error:
            miscounted.append(f"published: {error}")
        else:
            if counted is not None:
                by_hand += _levels_differ(counted, file.output.levels, BY_HAND)
            if counted is not None and file.published.levels is not None:
                miscounted += _levels_differ(file.published.levels, counted, COUNTED)
    differences = (*_differences(file, drawn), *miscounted, *_unfounded(file))
    return Check(file, drawn, differences, tuple(by_hand), tuple(_chosen(file)), tuple(_unbound(file)))


def _chosen(file: PairingsFile) -> Iterator[str]:
    rules = file.inputs.rules
    if file.inputs.format.kind == "swiss":
        for a, b in rules.locked:
            if b is None:
                yield gettext("locked: the bye of %(name)s", name=file.name(a))
            else:
                yield gettext("locked: %(pair)s", pair=_pair(file, Pair(a, b)))
        yield from (gettext("switched off: %(level)s", level=gettext(LEVEL_WORDS[name])) for name in rules.off)
        first = N_("before all other levels: %(level)s")
        yield from (gettext(first, level=gettext(LEVEL_WORDS[name])) for name in rules.banned)
        if rules.method != "random":
            yield gettext("pairs of equals: %(method)s", method=gettext(METHODS[rules.method]))
    if file.inputs.format.kind == "swiss":
        for a, b in rules.keep_apart:
            yield gettext("kept apart, by a wish or to hide whose: %(pair)s", pair=_pair(file, Pair(a, b)))


def _unbound(file: PairingsFile) -> Iterator[str]:
    yield gettext("that it was published in this form: compare its pairs with the round's page")
    yield gettext(
        "that the players, clubs, ranks, rules and tables are the event's, and that nobody was added or left out"
    )
    yield gettext("that the round was drawn only once: ask the organisers for their journal")
    if file.inputs.format.kind == "knockout" and file.inputs.format.through:
        yield gettext("who won the matches of the bracket: compare the winners with the rounds' pages")
    elif file.round > 1 and file.before is None:
        yield gettext(
            "the points, byes and opponents, because it lists no results: compare them with the rounds' pages"
        )
    elif file.round > 1:
        yield gettext("that its results are the event's: compare them with the rounds' pages")
    yield from map(str, both_won(file.before or (), file.name))


def _unfounded(file: PairingsFile) -> Iterator[str]:
    """Values of the seats that do not follow from the results in the file."""
    if file.before is None:
        return
    yield from map(str, faults_in(file.before, file.round, file.name))
    kind = file.inputs.format.kind
    with_results = {history.after for history in file.before if history.kind != "ruling"}
    for earlier in range(1, 1 if kind == "knockout" else file.round):
        if earlier not in with_results:
            yield gettext("results: none of round %(number)s", number=earlier)
    seats = (*file.inputs.seats, *((file.inputs.ringer,) if file.inputs.ringer else ()))
    for seat, meant in zip(seats, seats_after(file.before, file.round, [seat.id for seat in seats]), strict=True):
        names = _following(file, kind, ringer=seat is file.inputs.ringer)
        for name in names:
            stated, right = getattr(seat, name), getattr(meant, name)
            if stated != right and not (isinstance(stated, tuple) and sorted(stated) == sorted(right)):
                here, there = (_listed(file, name, value) for value in (stated, right))
                text = N_("%(field)s of %(name)s: %(one)s in the inputs, %(other)s by the results")
                yield gettext(text, field=gettext(FIELDS[name]), name=file.name(seat.id), one=here, other=there)


def _following(file: PairingsFile, kind: str, *, ringer: bool) -> tuple[str, ...]:
    """The values of a seat that must follow from the results; fewer in a knockout or round robin."""
    scenarios = ("scenarios",) if file.inputs.room.scenarios else ()
    if ringer:
        return ("tables",)
    if kind == "swiss":
        return ("points", "byes", "floats", "opponents", "tables", *scenarios)
    return ("tables" if kind == "round_robin" else "opponents", *scenarios)


def _listed(file: PairingsFile, name: str, value: Any) -> str:
    if not isinstance(value, tuple):
        return plain_number(value)
    return ", ".join(file.name(item) if name == "opponents" else str(item) for item in sorted(value)) or "–"


def _differences(file: PairingsFile, drawn: Draw) -> Iterator[str]:
    stated = file.output
    stand_in = (drawn.stand_in,) if drawn.stand_in else ()
    again = (*drawn.pairs, *stand_in)
    yield from _pairs_differ(file, stated.games, again, REDRAWN)
    yield from _order_differs(file, stated.games, again)
    if stated.bye != drawn.bye:
        yield REDRAWN.say(gettext("bye"), _who(file, stated.bye), _who(file, drawn.bye))
    idle, idle_again = ({an_idle.id for an_idle in row} for row in (stated.idle, drawn.idle))
    for id_ in sorted(idle ^ idle_again):
        without = gettext("without a game: %(name)s", name=file.name(id_))
        yield gettext(REDRAWN.only_one if id_ in idle else REDRAWN.only_other, what=without)
    yield from _levels_differ(stated.levels, drawn.levels, REDRAWN)
    if stated.placement is not None and drawn.placement is not None:
        yield from _levels_differ(stated.placement, drawn.placement, REDRAWN)
    if stated.certificate.proven != drawn.certificate.proven:
        yield (
            gettext("certificate: proven in the file, not proven drawn again")
            if stated.certificate.proven
            else gettext("certificate: not proven in the file, proven drawn again")
        )


def _pairs_differ(file: PairingsFile, stated: Sequence[Pair], meant: Sequence[Pair], views: Views) -> Iterator[str]:
    """Pairs that only one side has, and common pairs with another table or scenario."""
    ours, theirs = ({frozenset((p.a, p.b)): p for p in pairs} for pairs in (stated, meant))
    for pair in stated:
        if frozenset((pair.a, pair.b)) not in theirs:
            yield gettext(views.only_one, what=gettext("pair %(pair)s", pair=_pair(file, pair)))
    for pair in meant:
        if frozenset((pair.a, pair.b)) not in ours:
            yield gettext(views.only_other, what=gettext("pair %(pair)s", pair=_pair(file, pair)))
    if len(ours) < len(stated):
        yield gettext("pairs: a pair is listed more than once")
    for couple, our_pair in ours.items():
        other = theirs.get(couple)
        if other is None:
            continue
        if our_pair.table is not None and our_pair.table != other.table:
            what = gettext("table of %(pair)s", pair=_pair(file, our_pair))
            yield views.say(what, our_pair.table, other.table or "–")
        if our_pair.scenario != other.scenario:
            what = gettext("scenario of %(pair)s", pair=_pair(file, our_pair))
            yield views.say(what, *(pair.scenario or gettext("the round's") for pair in (our_pair, other)))


def _order_differs(file: PairingsFile, stated: Sequence[Pair], meant: Sequence[Pair]) -> Iterator[str]:
    """The first place at which the same pairs stand in another order."""
    if {frozenset((pair.a, pair.b)) for pair in stated} != {frozenset((pair.a, pair.b)) for pair in meant}:
        return
    for place, (our_pair, other) in enumerate(zip(stated, meant, strict=False), start=1):
        if (our_pair.a, our_pair.b) != (other.a, other.b):
            text = N_("order: pair %(n)s is %(one)s in the file, %(other)s drawn again")
            yield gettext(text, n=place, one=_pair(file, our_pair), other=_pair(file, other))
            return


def _levels_differ(stated: Costs, meant: Costs, views: Views) -> Iterator[str]:
    right = asdict(meant)
    for name, figure in asdict(stated).items():
        if figure != right[name]:
            yield views.say(gettext(HEADS[name]), figure, right[name])


def _levels_of(file: PairingsFile, published: Published) -> Levels | None:
    """The levels of the published round; None if not Swiss. Raises ValueError if its pairs do not fit the seats."""
    if file.inputs.format.kind != "swiss":
        return None
    ids = {seat.id for seat in file.inputs.seats}
    bye = next((id_ for id_ in published.byes if id_ in ids), None)
    pairs, bye = of_the_field(file.inputs, published.pairs, bye)
    return count_levels(file.round, file.inputs.seats, pairs, bye, file.inputs.rules)


def _by_hand(file: PairingsFile, published: Published) -> Iterator[str]:
    yield from _pairs_differ(file, published.pairs, file.output.games, BY_HAND)
    before = file.output.without_game
    for id_ in sorted(before ^ set(published.byes)):
        text = BY_HAND.only_other if id_ in before else BY_HAND.only_one
        yield gettext(text, what=gettext("bye of %(name)s", name=file.name(id_)))


def _pair(file: PairingsFile, pair: Pair) -> str:
    return listed([file.name(pair.a), file.name(pair.b)])


def _who(file: PairingsFile, id_: str | None) -> str:
    return gettext("nobody") if id_ is None else file.name(id_)
