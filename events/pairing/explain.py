"""Why a pair, or a bye, is an odd one: words for the desk and the page, whoever made the pairing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from events.pairing.levels import club_mates, have_met
from events.pairing.rules import PLAIN, Rules, watches_clubs
from events.pairing.seats import Pair, Seat


def explain(
    round_number: int,
    seats: Sequence[Seat],
    pairs: Sequence[Pair],
    bye: str | None,
    rules: Rules = PLAIN,
    *,
    proven: bool = False,
) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The same pairs with their notes written anew, and the notes on the round (its bye).

    ``proven`` says that the pairing is known to be the best there is; only then does a note claim that
    nothing better exists. Raises KeyError when a pair or the bye names an id that has no seat.
    """
    by_id = {seat.id: seat for seat in seats}
    games = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    apart = {frozenset(two) for two in rules.keep_apart}
    clubs = watches_clubs(rules, round_number)
    forced = forced_lines(seats, games, bye)
    rematch = "these two have met before"
    if proven:
        fewest = sum(have_met(a, b) for a, b in games)
        rematch = f"no pairing of these {2 * len(games)} players has fewer than {fewest}"

    def notes(a: Seat, b: Seat) -> Iterator[str]:
        if have_met(a, b):
            yield f"rematch: {rematch}"
        if a.points != b.points:
            high, low = (a, b) if a.points > b.points else (b, a)
            reason = ""
            if crossed_lines(seats, high, low) <= forced.keys():
                reason = f": an odd number ({forced[high.points]}) on {points(high.points)} or more"
            elif proven:
                reason = ": nothing nearer without a rematch or a worse bye"
            yield f"pair-down from {number(high.points)} to {points(low.points)}{reason}"
            if high.floats:
                yield f"repeat pair-down: the higher player was paired down {times(high.floats)} before"
        if frozenset((a.id, b.id)) in apart:
            yield "kept apart: these two were to be kept apart"
        if clubs and club_mates(a, b):
            yield f"same club: {a.club.strip()}"

    noted = tuple(replace(pair, notes=tuple(notes(a, b))) for pair, (a, b) in zip(pairs, games, strict=True))
    return noted, () if bye is None else (explain_bye(seats, bye, proven=proven),)


def explain_bye(seats: Sequence[Seat], bye: str, *, proven: bool = False) -> str:
    """Why this seat has the bye, or what is odd about that. Raises KeyError for an id without a seat."""
    seat = {s.id: s for s in seats}[bye]
    fresh = [s for s in seats if not s.byes]
    lower = [s for s in fresh or seats if s.points < seat.points]
    forced = "; any other choice forces more rematches" if proven else ""
    if len(seats) == 1:
        return "bye: the only player in the field"
    if seat.byes and fresh:
        return f"second bye: had one {times(seat.byes)} before, while {players(len(fresh))} had none{forced}"
    if lower:
        which = f"{players(len(lower))} on fewer points {'had none' if fresh else 'had one too'}"
        return f"{'bye' if fresh else 'second bye'}: on {points(seat.points)}, while {which}{forced}"
    if fresh:
        return f"bye: lowest group without an earlier bye ({points(seat.points)})"
    return f"second bye: every player has had one; lowest group ({points(seat.points)})"


def crossed_lines(seats: Sequence[Seat], a: Seat, b: Seat) -> set[float]:
    """The groups, by their points, at whose lower edge this pair steps over a line between groups."""
    low, high = sorted((a.points, b.points))
    return {seat.points for seat in seats if low < seat.points <= high}


def forced_lines(seats: Sequence[Seat], games: Iterable[tuple[Seat, Seat]], bye: str | None) -> dict[float, int]:
    """The lines between groups that exactly one pair crosses because it must: an odd number of players to be
    paired stands above. By the points of the group above the line; each with that number of players.
    """
    crossed = Counter(line for a, b in games if a.points != b.points for line in crossed_lines(seats, a, b))
    above = {line: sum(s.points >= line and s.id != bye for s in seats) for line in crossed}
    return {line: above[line] for line, pairs in crossed.items() if pairs == 1 and above[line] % 2}


def number(value: float) -> str:
    """6.0 as "6", 6.5 as "6.5"."""
    return str(int(value)) if value == int(value) else str(value)


def points(value: float) -> str:
    """ "1 point", "6.5 points"."""
    return f"{number(value)} {'point' if value == 1 else 'points'}"


def players(count: int) -> str:
    """ "1 player", "3 players"."""
    return f"{count} {'player' if count == 1 else 'players'}"


def times(count: int) -> str:
    """How often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
