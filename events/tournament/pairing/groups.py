"""The draw of a large field, group by group: narrow groups exactly, broad ones by lot or order and repair.

It takes little longer than reading the field, and the bound shows whether its levels are the best.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from events.tournament.pairing.levels import (
    Edge,
    Field,
    Scale,
    bye_cost,
    edge,
    order_of,
)
from events.tournament.pairing.runs import Settled, crowding_club, largest_club, runs_between, settle, steps_stand_first
from events.tournament.pairing.seats import Rules, lots

BROAD = 12
"""The least players of a group that is first tried as broad."""
LONGEST_RUN = 256
"""The most players between two broad groups; more would take too long to solve exactly."""


@dataclass(frozen=True)
class Grouped:
    """A lower bound for all pairings without a rematch, and a pairing with that cost."""

    bound: int
    """Without order and lots; see ``Scale.levels_only``."""
    pairs: tuple[Edge, ...] = ()
    """Empty if only the bound was found."""
    bye: int | None = None


class Unsettled(Exception):
    """A broad group with a player who has no possible partner."""

    def __init__(self, group: int) -> None:
        super().__init__(f"group {group}")
        self.group = group


def pair_by_groups(
    field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int], broad_from: int = BROAD
) -> Grouped | None:
    """A pairing that reaches the lower bound, only the bound, or None if neither was found.

    A broad group that cannot be paired without a rematch, a clash or a repeated pair-down is solved exactly in the next
    try, as a narrow group. ``drawn_from`` names the lots; groups of ``broad_from`` players or more are first tried as
    broad ones.
    """
    bye_group, may_have_bye = bye_candidates(field, scale)
    if bye_group is not None and not bye_stands_first(rules):
        return None
    turn = lots(len(field.seats), *drawn_from, "turns")
    broad = [group for group, members in field.members.items() if len(members) >= broad_from]
    grouped: Grouped | None = None
    while broad:
        runs = runs_between(field, broad, bye_group, may_have_bye)
        if max(len(run.members) for run in runs) > LONGEST_RUN:
            break
        settled = [settle(field, scale, rules, run, (*drawn_from, "run", k)) for k, run in enumerate(runs)]
        clashes = forced_clashes(field, rules, broad, settled, bye_group)
        bound = (
            sum(scale.levels_only(solved.charge) for solved in settled)
            + min((bye_cost(field, scale, i) for i in may_have_bye), default=0)
            + sum(clashes.values()) * scale.unit.kept_apart
        )
        try:
            pairs, bye = join_groups(field, rules, turn, clashes, settled, bye_group, may_have_bye)
        except Unsettled as unsettled:
            broad.remove(unsettled.group)
            grouped = Grouped(bound)
        else:
            return Grouped(bound, tuple(pairs), bye)
    return grouped


def bye_candidates(field: Field, scale: Scale) -> tuple[int | None, list[int]]:
    """In an odd field, the group of the cheapest bye and its candidates; else None and []."""
    if len(field.seats) % 2 == 0:
        return None, []
    least = min(bye_cost(field, scale, i) for i in range(len(field.seats)))
    cheapest = [i for i in range(len(field.seats)) if bye_cost(field, scale, i) == least]
    return field.group[cheapest[0]], cheapest


def bye_stands_first(rules: Rules) -> bool:
    order = [level for level in order_of(rules) if level != "rematches"]
    return order[:2] == ["second_byes", "bye_height"]


def forced_clashes(
    field: Field, rules: Rules, broad: Sequence[int], settled: Sequence[Settled], bye_group: int | None
) -> dict[int, int]:
    """The least number of pairs of club mates in each broad group, from the top.

    If a club has more than half of a group, its surplus players must meet each other, except those who can leave the
    group. At most as many can leave as the squared steps on its two edges, since no best pairing has more, and the bye.
    """
    least_clashes = {}
    for k, group in enumerate(broad):
        leaving = settled[k].steps + settled[k + 1].steps + (group == bye_group)
        left = surplus(field, field.members[group]) - leaving if steps_stand_first(rules) else 0
        least_clashes[group] = max(0, (left + 1) // 2)
    return least_clashes


def surplus(field: Field, members: Sequence[int]) -> int:
    """How many more players the largest club has than all others together; negative if it has fewer."""
    return 2 * largest_club(field, members)[1] - len(members)


def join_groups(
    field: Field,
    rules: Rules,
    turn: Sequence[int],
    clashes: Mapping[int, int],
    settled: Sequence[Settled],
    bye_group: int | None,
    may_have_bye: Sequence[int],
) -> tuple[list[Edge], int | None]:
    """Join the solved runs and the broad groups to one pairing. Raises Unsettled for a group that fails.

    ``clashes`` is the number of pairs of club mates that each broad group must have, from the top.
    """
    broad = list(clashes)
    pairs = [two for run in settled for two in run.pairs]
    bye = next((run.bye for run in settled if run.bye is not None), None)
    free = {group: queue(field, turn, group) for group in broad}
    if bye is None and bye_group is not None:
        bye = next(i for i in leavers(field, free[bye_group]) if i in may_have_bye)
        free[bye_group].remove(bye)
    for k, run in enumerate(settled):
        above = broad[k - 1] if k else None
        below = broad[k] if k < len(broad) else None
        for player in run.up:
            assert above is not None  # noqa: S101 - a run goes up only where there is a broad group
            pairs.append((player, take(field, free[above], player, above, goes_down=True)))
        for player in run.down:
            assert below is not None  # noqa: S101 - likewise
            pairs.append((player, take(field, free[below], player, below, goes_down=False)))
        for _ in range(run.past):
            assert above is not None and below is not None  # noqa: S101 - likewise
            pairs.append(cross(field, free[above], free[below], above))
    for group, waiting in free.items():
        pairs += pair_inside(field, rules, waiting, group, clashes[group])
    return pairs, bye


def queue(field: Field, turn: Sequence[int], group: int) -> list[int]:
    """The players of a broad group in pairing order: by standing if the method uses it, else by lot."""
    return sorted(field.members[group], key=lambda i: (field.position[i], turn[i], i))


def leavers(field: Field, waiting: Sequence[int], *, first: bool = False) -> list[int]:
    """The players in the order in which they leave a group: a crowding club's first, then from the last up.

    With ``first``, from the first down.
    """
    row = list(waiting) if first else list(reversed(waiting))
    club = crowding_club(field, waiting)
    return sorted(row, key=lambda i: field.club[i] != club) if club else row


def fits(field: Field, i: int, j: int) -> bool:
    return edge(i, j) not in field.met and not field.clash(i, j)


def take(field: Field, waiting: list[int], player: int, group: int, *, goes_down: bool) -> int:
    """A partner for a player who moves into this group, removed from its queue.

    If the partner ``goes_down``, paired with a lower player, the last one not paired down before; else the first.
    """
    for other in leavers(field, waiting, first=not goes_down):
        if fits(field, player, other) and not (goes_down and field.seats[other].floats):
            waiting.remove(other)
            return other
    raise Unsettled(group)


def cross(field: Field, upper: list[int], lower: list[int], group: int) -> Edge:
    """A pair from both queues, removed from them: an upper player not paired down before, and the first fit."""
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
    """The queue paired, as neighbours or first half against second half, then repaired by swaps.

    Raises Unsettled if a rematch, or more than ``clashes`` clashes, cannot be removed by a swap with another pair.
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
            repairable = m > k and not fits(field, c, d)  # repaired at its turn; a fitting pair is never broken
            if fits(field, a, d) and (fits(field, c, b) or repairable):
                pairs[k], pairs[m] = (a, d), (c, b)  # first, to keep the halves of a fold opposed
                break
            if fits(field, a, c) and (fits(field, b, d) or repairable):
                pairs[k], pairs[m] = (a, c), (b, d)
                break
        else:
            if clashes == 0 or edge(a, b) in field.met:
                raise Unsettled(group)
            clashes -= 1
    return pairs


def nearest_first(k: int, count: int) -> Iterator[int]:
    """All places except ``k``, the nearest first."""
    for step in range(1, count):
        if k + step < count:
            yield k + step
        if step <= k:
            yield k - step
