"""What an event has played so far: results in, each player's record and the next round's seats out.

Everything is counted anew from the results, so a corrected result, a drop or a late entry needs no repair.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from events.pairing.seats import Seat

Outcome = Literal["win", "draw", "loss"]

DEFAULT_TIE_BREAKS = ("vp", "sos", "lots")
"""Victory points first, as the national event of 2022 did; then who met the stronger field; then lots."""


@dataclass(frozen=True)
class Entrant:
    """A player of the event. ``bonus`` are tournament points won off the table (painting), which stand in the
    standings; ``dropped_after`` the last round they play, and ``entered_round`` their first.
    """

    id: str
    name: str
    club: str = ""
    bonus: int = 0
    bonus_for: str = "bonus"
    """What the bonus is for, as the arithmetic of the points tells it."""
    dropped_after: int | None = None
    entered_round: int = 1


@dataclass(frozen=True)
class Result:
    """A finished game with both players' victory points, or a bye (``b`` is None, no VP reported)."""

    round: int
    a: str
    b: str | None
    vp_a: int = 0
    vp_b: int = 0
    table: int | None = None
    won: Literal["a", "b", "draw"] | None = None
    """Who won, where the game does not go by the more victory points; None: it does."""

    @property
    def winner(self) -> Literal["a", "b", "draw"]:
        """The side that won, or a draw."""
        if self.won is not None:
            return self.won
        return "a" if self.vp_a > self.vp_b else "b" if self.vp_b > self.vp_a else "draw"


@dataclass(frozen=True)
class Scheme:
    """How an event counts: tournament points for a win, a draw and a loss, and what parts the tied, in order.

    A bye counts as a win with ``bye_vp`` victory points; None stands for the mean VP of the event's winners
    so far, rounded half up, and 0 while no game has been decided. ``seed`` is that of the drawn lots.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    bye_vp: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not (self.win > 0 and self.win >= self.draw >= self.loss >= 0):
            raise ValueError("a win must be worth more than 0, and no less than a draw, nor that than a loss")


@dataclass(frozen=True)
class Game:
    """One finished game as one of its players sees it."""

    round: int
    opponent: str
    vp: int
    vp_against: int
    outcome: Outcome
    points: int
    """Tournament points from this game."""
    table: int | None


@dataclass(frozen=True)
class Record:
    """One player's games and byes so far, in the order of the rounds, and what they add up to."""

    entrant: Entrant
    games: tuple[Game, ...]
    bye_rounds: tuple[int, ...]
    game_points: int
    """Tournament points from games alone: the measure of a player's strength for others' tie-breaks."""
    points: int
    """All tournament points: games, byes, bonus."""
    vp: int
    vp_difference: int
    """Own less opponents' VP over the games; a bye adds nothing."""
    wins: int
    draws: int
    losses: int


def mean_winning_vp(results: Iterable[Result]) -> int:
    """Mean VP of the winners of all decided games, rounded half up; 0 when none was decided yet."""
    decided = [r for r in results if r.b is not None and r.winner != "draw"]
    winners = [r.vp_a if r.winner == "a" else r.vp_b for r in decided]
    return int(Fraction(sum(winners), len(winners)) + Fraction(1, 2)) if winners else 0


def bye_worth(results: Iterable[Result], scheme: Scheme) -> int:
    """The victory points that every bye of this event counts for."""
    return mean_winning_vp(results) if scheme.bye_vp is None else scheme.bye_vp


def records(results: Sequence[Result], entrants: Iterable[Entrant], scheme: Scheme) -> dict[str, Record]:
    """Every entrant's record, by id, from finished and confirmed results in any order.

    Raises ValueError for results that cannot all be true: an unknown player, a player against themselves, a
    player twice in one round; and for two entrants with one id.
    """
    people: dict[str, Entrant] = {}
    for entrant in entrants:
        if entrant.id in people:
            raise ValueError(f"two entrants have the id {entrant.id!r}")
        people[entrant.id] = entrant
    games = defaultdict[str, list[Game]](list)
    byes = defaultdict[str, list[int]](list)
    seen: set[tuple[int, str]] = set()
    for r in sorted(results, key=lambda r: r.round):
        for id_ in (r.a,) if r.b is None else (r.a, r.b):
            if id_ not in people:
                raise ValueError(f"round {r.round}: {id_!r} has a result but is no entrant")
            if (r.round, id_) in seen:
                raise ValueError(f"round {r.round}: {id_!r} has more than one result")
            seen.add((r.round, id_))
        if r.b is None:
            byes[r.a].append(r.round)
            continue
        for side, own, other, vp, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            outcome: Outcome = "draw" if r.winner == "draw" else "win" if r.winner == side else "loss"
            worth = {"win": scheme.win, "draw": scheme.draw, "loss": scheme.loss}[outcome]
            games[own].append(Game(r.round, other, vp, against, outcome, worth, r.table))
    bye_vp = bye_worth(results, scheme)
    return {id_: _record(e, games[id_], byes[id_], scheme.win, bye_vp) for id_, e in people.items()}


def _record(entrant: Entrant, games: list[Game], byes: list[int], bye_points: int, bye_vp: int) -> Record:
    game_points = sum(g.points for g in games)
    return Record(
        entrant=entrant,
        games=tuple(games),
        bye_rounds=tuple(byes),
        game_points=game_points,
        points=game_points + len(byes) * bye_points + entrant.bonus,
        vp=sum(g.vp for g in games) + len(byes) * bye_vp,
        vp_difference=sum(g.vp - g.vp_against for g in games),
        wins=sum(g.outcome == "win" for g in games),
        draws=sum(g.outcome == "draw" for g in games),
        losses=sum(g.outcome == "loss" for g in games),
    )


def seats_from(
    results: Sequence[Result],
    entrants: Sequence[Entrant],
    scheme: Scheme,
    round_number: int,
    *,
    count_bonus: bool = False,
) -> list[Seat]:
    """The seats for a round: everyone who has entered by it and has not dropped, with what went before it.

    Results of this round and later ones are passed over. A player counts as paired down in each round in
    which they had more points than their opponent when it was drawn. A bonus moves nobody between groups
    unless ``count_bonus`` says so: it says nothing about strength. Raises ValueError as ``records`` does.
    """
    played = [r for r in results if r.round < round_number]
    history = records(played, entrants, scheme)
    start = {id_: record.entrant.bonus if count_bonus else 0 for id_, record in history.items()}

    def points_before(id_: str, round_: int) -> int:
        record = history[id_]
        byes = sum(r < round_ for r in record.bye_rounds)
        return start[id_] + byes * scheme.win + sum(g.points for g in record.games if g.round < round_)

    return [
        Seat(
            id=e.id,
            points=points_before(e.id, round_number),
            club=e.club,
            byes=len(history[e.id].bye_rounds),
            floats=sum(points_before(e.id, g.round) > points_before(g.opponent, g.round) for g in history[e.id].games),
            opponents=tuple(g.opponent for g in history[e.id].games),
            tables=tuple(g.table for g in history[e.id].games if g.table is not None),
        )
        for e in entrants
        if e.entered_round <= round_number and (e.dropped_after is None or e.dropped_after >= round_number)
    ]
