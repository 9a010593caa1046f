"""How good a round is: the six levels, counted plainly from the pairs, whoever made them.

Nothing here is shared with the weights that the draw minimises, so each can be held against the other. The
desk calls it for pairings changed by hand.
"""

from collections.abc import Iterable, Sequence

from events.pairing.rules import PLAIN, Rules, watches_clubs
from events.pairing.seats import Levels, Pair, Seat


def count_levels(
    round_number: int, seats: Sequence[Seat], pairs: Iterable[Pair], bye: str | None, rules: Rules = PLAIN
) -> Levels:
    """What this pairing of the seats costs on every level, those switched off too.

    Players left out of it are not counted.
    Raises ValueError when a pair or the bye names an unknown id, or one id twice.
    """
    by_id = {seat.id: seat for seat in seats}
    games = list(pairs)
    placed: set[str] = set()
    for id_ in [id_ for pair in games for id_ in (pair.a, pair.b)] + ([] if bye is None else [bye]):
        if id_ not in by_id:
            raise ValueError(f"{id_!r} is paired but has no seat in this round")
        if id_ in placed:
            raise ValueError(f"{id_!r} is placed more than once in this round")
        placed.add(id_)
    group = {points: number for number, points in enumerate(sorted({seat.points for seat in seats}))}
    apart = {frozenset(two) for two in rules.keep_apart}
    clubs = watches_clubs(rules, round_number)
    rematches = distance = repeat_floats = kept_apart = 0
    for a, b in ((by_id[pair.a], by_id[pair.b]) for pair in games):
        rematches += have_met(a, b)
        distance += (group[a.points] - group[b.points]) ** 2
        if a.points != b.points:
            repeat_floats += max(a, b, key=lambda seat: seat.points).floats > 0
        kept_apart += frozenset((a.id, b.id)) in apart or (clubs and club_mates(a, b))
    return Levels(
        rematches=rematches,
        second_byes=int(bye is not None and by_id[bye].byes > 0),
        bye_height=0 if bye is None else group[by_id[bye].points],
        distance=distance,
        repeat_floats=repeat_floats,
        kept_apart=kept_apart,
    )


def have_met(a: Seat, b: Seat) -> bool:
    """Either of the two names the other among the opponents already met."""
    return b.id in a.opponents or a.id in b.opponents


def club_mates(a: Seat, b: Seat) -> bool:
    """Both name the same club."""
    return club_key(a.club) != "" and club_key(a.club) == club_key(b.club)


def club_key(club: str) -> str:
    """A club's name as it is compared: letter case and outer blanks do not count; "" is no club."""
    return club.strip().casefold()
