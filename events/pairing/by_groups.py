"""The draw of a large field, group by group: narrow groups exactly, broad ones by lot or order and repair.

It costs little more than reading the field, and the bound of ``runs`` tells whether its levels are the best.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from events.pairing.costs import Edge, Field, Scale, bye_cost, edge, order_of
from events.pairing.lots import lots
from events.pairing.rules import Rules
from events.pairing.runs import Run, Settled, crowding_club, largest_club, runs_between, settle, steps_stand_first

BROAD = 12
"""A group of this many players is first tried as a broad one."""
LONGEST_RUN = 256
"""More players than this between two broad groups, and settling them exactly is no longer cheap."""


@dataclass(frozen=True)
class Grouped:
    """The least that any pairing of this field without a rematch can cost, and a pairing that costs no more."""

    bound: int
    """Levels only; see ``Scale.levels_only``."""
    pairs: tuple[Edge, ...] = ()
    """Empty where this way leads to the bound alone."""
    bye: int | None = None


class Unsettled(Exception):
    """A broad group in which somebody finds no partner."""

    def __init__(self, group: int) -> None:
        super().__init__(f"group {group}")
        self.group = group


def pair_by_groups(
    field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int], broad_from: int = BROAD
) -> Grouped | None:
    """The field paired and its bound, the bound alone, or None where this way leads to neither.

    A broad group that cannot be settled without a rematch, a clash or a repeated pair-down is treated as a narrow one
    in the next try, and so settled exactly. ``drawn_from`` names the lots; groups of ``broad_from`` players or more are
    first tried as broad ones.
    """
    bye_group, may_have_bye = bye_candidates(field, scale)
    if bye_group is not None and not bye_stands_first(rules):
        return None
    turn = lots(len(field.seats), *drawn_from, "turns")
    broad = [group for group, members in field.members.items() if len(members) >= broad_from]
    found: Grouped | None = None
    while broad:
        runs = runs_between(field, broad, bye_group, may_have_bye)
        if max(len(run.members) for run in runs) > LONGEST_RUN:
            break
        settled = [settle_run(field, scale, rules, run, (*drawn_from, "run", k)) for k, run in enumerate(runs)]
        clashes = forced_clashes(field, rules, broad, settled, bye_group)
        bound = (
            sum(scale.levels_only(one.charge) for one in settled)
            + min((bye_cost(field, scale, i) for i in may_have_bye), default=0)
            + sum(clashes.values()) * scale.unit.kept_apart
        )
        try:
            pairs, bye = join(field, rules, turn, clashes, settled, bye_group, may_have_bye)
        except Unsettled as unsettled:
            broad.remove(unsettled.group)
            found = Grouped(bound)
        else:
            return Grouped(bound, tuple(pairs), bye)
    return found


def bye_candidates(field: Field, scale: Scale) -> tuple[int | None, list[int]]:
    """For an odd field, the group of the cheapest bye, and who in it may have that; else None and nobody."""
    if len(field.seats) % 2 == 0:
        return None, []
    least = min(bye_cost(field, scale, i) for i in range(len(field.seats)))
    cheapest = [i for i in range(len(field.seats)) if bye_cost(field, scale, i) == least]
    return field.group[cheapest[0]], cheapest


def bye_stands_first(rules: Rules) -> bool:
    """Whether the cheapest bye is part of every best pairing without a rematch, whatever that does to the groups."""
    order = [level for level in order_of(rules) if level != "rematches"]
    return order[:2] == ["second_byes", "bye_height"]


def settle_run(
    field: Field, scale: Scale, rules: Rules, run: Run, drawn_from: tuple[int, *tuple[int | str, ...]]
) -> Settled:
    """``settle``, without the solver where there is nothing to choose."""
    if run.members:
        return settle(field, scale, rules, run, drawn_from)
    if not run.odd_above:
        return Settled(0, (), (), (), 0, None, 0)
    assert run.above is not None and run.below is not None  # noqa: S101 - nobody is left over at an end of the field
    steps = (run.above - run.below) ** 2
    return Settled(steps * scale.unit.distance, (), (), (), 1, None, steps)


def forced_clashes(
    field: Field, rules: Rules, broad: Sequence[int], settled: Sequence[Settled], bye_group: int | None
) -> dict[int, int]:
    """By broad group, from the top, how many pairs of club mates it has at the least.

    Of a club with more than half of a group, those meet each other who find nobody else in it, but for as many as can
    leave it: no more than the squared steps on its two edges, for no best pairing pays more of these, and the bye.
    """
    found = {}
    for k, group in enumerate(broad):
        leaving = settled[k].steps + settled[k + 1].steps + (group == bye_group)
        left = surplus(field, field.members[group]) - leaving if steps_stand_first(rules) else 0
        found[group] = max(0, (left + 1) // 2)
    return found


def surplus(field: Field, members: Sequence[int]) -> int:
    """By how many the players of one club outnumber all others among these; negative where none does."""
    return 2 * largest_club(field, members)[1] - len(members)


def join(
    field: Field,
    rules: Rules,
    turn: Sequence[int],
    clashes: Mapping[int, int],
    settled: Sequence[Settled],
    bye_group: int | None,
    may_have_bye: Sequence[int],
) -> tuple[list[Edge], int | None]:
    """The settled runs and the broad groups as one pairing. Raises Unsettled for a group that needs another way.

    ``clashes`` says by broad group, from the top, how many of its pairs have to be of club mates.
    """
    broad = list(clashes)
    pairs = [two for one in settled for two in one.pairs]
    bye = next((one.bye for one in settled if one.bye is not None), None)
    free = {group: queue(field, turn, group) for group in broad}
    if bye is None and bye_group is not None:
        bye = next(i for i in leavers(field, free[bye_group]) if i in may_have_bye)
        free[bye_group].remove(bye)
    for k, one in enumerate(settled):
        above = broad[k - 1] if k else None
        below = broad[k] if k < len(broad) else None
        for player in one.up:
            assert above is not None  # noqa: S101 - a run goes up only where there is a broad group
            pairs.append((player, take(field, free[above], player, above, goes_down=True)))
        for player in one.down:
            assert below is not None  # noqa: S101 - likewise
            pairs.append((player, take(field, free[below], player, below, goes_down=False)))
        for _ in range(one.past):
            assert above is not None and below is not None  # noqa: S101 - likewise
            pairs.append(cross(field, free[above], free[below], above))
    for group, waiting in free.items():
        pairs += pair_inside(field, rules, waiting, group, clashes[group])
    return pairs, bye


def queue(field: Field, turn: Sequence[int], group: int) -> list[int]:
    """The players of a broad group in the order in which they are paired: by standing where that counts, by lot."""
    return sorted(field.members[group], key=lambda i: (field.position[i], turn[i], i))


def leavers(field: Field, waiting: Sequence[int], *, first: bool = False) -> list[int]:
    """Who leaves a group rather than others: those of a club that outnumbers all others in it, then the last.

    With ``first``, the first instead of the last.
    """
    row = list(waiting) if first else list(reversed(waiting))
    club = crowding_club(field, waiting)
    return sorted(row, key=lambda i: field.club[i] != club) if club else row


def fits(field: Field, i: int, j: int) -> bool:
    """These two can play without a rematch or a clash."""
    return edge(i, j) not in field.met and not field.clash(i, j)


def take(field: Field, waiting: list[int], player: int, group: int, *, goes_down: bool) -> int:
    """A partner for a player who comes into this group, taken off its queue.

    The one who ``goes_down``, against a player from below, is the last who was not paired down before; else the first.
    """
    for other in leavers(field, waiting, first=not goes_down):
        if fits(field, player, other) and not (goes_down and field.seats[other].floats):
            waiting.remove(other)
            return other
    raise Unsettled(group)


def cross(field: Field, upper: list[int], lower: list[int], group: int) -> Edge:
    """A pair from two broad groups, taken off both queues: one not paired down before, and the first who fits."""
    for high in leavers(field, upper):
        if field.seats[high].floats:
            continue
        for low in leavers(field, lower, first=True):
            if fits(field, high, low):
                upper.remove(high)
                lower.remove(low)
                return high, low
    raise Unsettled(group)


def pair_inside(field: Field, rules: Rules, waiting: Sequence[int], group: int, clashes: int) -> list[Edge]:
    """Everyone of the queue paired: neighbours, or first half against second, and then repaired by swaps.

    Raises Unsettled when a rematch, or more than ``clashes`` pairs kept apart, are left that no swap with another pair
    helps.
    """
    half = len(waiting) // 2
    if rules.method == "fold":
        pairs = list(zip(waiting[:half], waiting[half:], strict=True))
    else:
        pairs = list(zip(waiting[::2], waiting[1::2], strict=True))
    for k, (a, b) in enumerate(pairs):
        if fits(field, a, b):
            continue
        for m in nearest_first(k, len(pairs)):
            c, d = pairs[m]
            mended = m > k and not fits(field, c, d)  # its turn comes yet; a pair that fits is never spoilt
            if fits(field, a, d) and (fits(field, c, b) or mended):
                pairs[k], pairs[m] = (a, d), (c, b)  # tried first: the halves of a fold stay against each other
                break
            if fits(field, a, c) and (fits(field, b, d) or mended):
                pairs[k], pairs[m] = (a, c), (b, d)
                break
        else:
            if clashes == 0 or edge(a, b) in field.met:
                raise Unsettled(group)
            clashes -= 1
    return pairs


def nearest_first(k: int, count: int) -> Iterator[int]:
    """All places but k, those beside it first."""
    for step in range(1, count):
        if k + step < count:
            yield k + step
        if step <= k:
            yield k - step
