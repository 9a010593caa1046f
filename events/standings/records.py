"""Each player's record and the next round's seats, from the results so far.

Everything is calculated from the results each time, so corrections, drops and late entries need no repair.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Literal

from events.pairing.seats import Seat
from events.play.figures import Entrant, Outcome, Result, Scheme

Kind = Literal["bye", "asked", "walkover", "absent", "not_played", "missed", "late"]


@dataclass(frozen=True)
class Game:
    """One played game, from one player's side."""

    round: int
    opponent: str
    vp: int
    vp_against: int
    outcome: Outcome
    points: int
    """Tournament points from this game."""
    table: int | None
    ringer: bool = False
    """Against a stand-in: counts for the player, but not as a measure of strength."""
    scenario: str | None = None
    conceded: bool = False
    """The opponent conceded."""


@dataclass(frozen=True)
class Unplayed:
    """A round without a game, and its worth.

    A bye from the draw or asked for, a no-show of the opponent (walkover) or the player (absent), a game that both left
    unplayed, a missed round, or a round before a late entry.
    """

    round: int
    kind: Kind
    points: int
    vp: int


@dataclass(frozen=True)
class Record:
    """One player's rounds in order, and their totals."""

    entrant: Entrant
    games: tuple[Game, ...]
    unplayed: tuple[Unplayed, ...]
    points: int
    """All tournament points: games, rounds without one, bonus."""
    vp: int
    vp_difference: int
    """Own less opponents' VP over the games, each within the scheme's limit, plus VP by rulings."""
    wins: int
    draws: int
    losses: int

    @cached_property
    def field_games(self) -> tuple[Game, ...]:
        """The games that measure strength: those against players, not stand-ins."""
        return tuple(game for game in self.games if not game.ringer)

    @cached_property
    def game_points(self) -> int:
        """Tournament points from these games alone."""
        return sum(game.points for game in self.field_games)

    @property
    def bye_rounds(self) -> tuple[int, ...]:
        """The rounds with a bye from the draw."""
        return tuple(one.round for one in self.unplayed if one.kind == "bye")


def mean_winning_vp(results: Iterable[Result]) -> int:
    """Mean VP of the winners of all decided games, rounded half up; 0 before the first.

    Leaves out conceded games, whose winners did not play a whole game.
    """
    decided = [r for r in results if r.played and not r.conceded and r.winner != "draw"]
    winners = [r.vp_a if r.winner == "a" else r.vp_b for r in decided]
    return int(Fraction(sum(winners), len(winners)) + Fraction(1, 2)) if winners else 0


def bye_worth(results: Iterable[Result], scheme: Scheme) -> int:
    """The victory points of a bye in this event."""
    return mean_winning_vp(results) if scheme.bye_vp is None else scheme.bye_vp


def records(results: Sequence[Result], entrants: Iterable[Entrant], scheme: Scheme) -> dict[str, Record]:
    """Every entrant's record by id, from confirmed results in any order.

    Raises ValueError for contradictory results (an unknown player, a player twice in a round or against themselves)
    and for two entrants with one id.
    """
    people: dict[str, Entrant] = {}
    for entrant in entrants:
        if entrant.id in people:
            raise ValueError(f"two entrants have the id {entrant.id!r}")
        people[entrant.id] = entrant
    games = defaultdict[str, list[Game]](list)
    without = defaultdict[str, list[Unplayed]](list)
    bye_vp = bye_worth(results, scheme)
    worth = worths(scheme, bye_vp)
    of_game: dict[Outcome, int] = {"win": scheme.win, "draw": scheme.draw, "loss": scheme.loss}
    own_rounds: dict[str, set[int]] = {id_: set() for id_ in people}
    for r in sorted(results, key=lambda r: r.round):
        for id_ in (r.a,) if r.b is None else (r.a, r.b):
            if id_ not in people:
                raise ValueError(f"round {r.round}: {id_!r} has a result but is no entrant")
            if r.round in own_rounds[id_]:
                raise ValueError(f"round {r.round}: {id_!r} has more than one result")
            own_rounds[id_].add(r.round)
        if r.b is None:
            kind: Kind = "asked" if r.asked else "bye"
            without[r.a].append(Unplayed(r.round, kind, *worth[kind]))
            continue
        winner = r.winner
        for side, own, other, vp, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            if not r.played:
                kind = _kind(r, side)
                without[own].append(Unplayed(r.round, kind, *worth[kind]))
                continue
            outcome: Outcome = "draw" if winner == "draw" else "win" if winner == side else "loss"
            ringer, least = people[other].ringer, bye_vp if r.conceded and scheme.conceded_vp == "bye" else 0
            if outcome == "win":
                vp = max(vp, least)
            else:
                against = max(against, least)
            games[own].append(
                Game(r.round, other, vp, against, outcome, of_game[outcome], r.table, ringer, r.scenario,
                     conceded=r.conceded and outcome == "win")
            )  # fmt: skip
    last = max((r.round for r in results), default=0)
    for id_, e in people.items():
        for round_ in range(1, max(own_rounds[id_], default=min(last, e.entered_round - 1)) + 1):
            if round_ not in own_rounds[id_] and not e.ringer:
                kind = "late" if round_ < e.entered_round else "missed"
                without[id_].append(Unplayed(round_, kind, *worth[kind]))
    return {id_: _record(e, games[id_], without[id_], scheme) for id_, e in people.items()}


def _kind(result: Result, side: str) -> Kind:
    """The kind of an unplayed game for one of its sides."""
    if result.absent is None:
        return "not_played"
    return "absent" if result.absent in (side, "both") else "walkover"


def worths(scheme: Scheme, bye_vp: int) -> dict[Kind, tuple[int, int]]:
    """Tournament points and VP of a round without a game, by kind.

    A requested bye has the VP of a bye as a win, half of them (rounded half up) as a draw, and none as a loss.
    """
    asked = {"win": (scheme.win, bye_vp), "draw": (scheme.draw, (bye_vp + 1) // 2), "loss": (scheme.loss, 0)}
    return {
        "bye": (scheme.win, bye_vp),
        "asked": asked[scheme.asked_bye],
        "walkover": (scheme.win, bye_vp),
        "absent": (0, 0),
        "not_played": (scheme.draw if scheme.not_played == "draw" else 0, 0),
        "missed": (0, 0),
        "late": (scheme.late_points, 0),
    }


def within(scheme: Scheme, difference: int) -> int:
    """A game's VP difference within the scheme's limit."""
    return difference if scheme.vp_cap is None else max(-scheme.vp_cap, min(scheme.vp_cap, difference))


def _record(entrant: Entrant, games: list[Game], without: list[Unplayed], scheme: Scheme) -> Record:
    outcomes = [game.outcome for game in games]
    return Record(
        entrant=entrant,
        games=tuple(games),
        unplayed=tuple(sorted(without, key=lambda one: one.round)),
        points=sum([g.points for g in games]) + sum([one.points for one in without]) + entrant.bonus,
        vp=sum([g.vp for g in games]) + sum([one.vp for one in without]) + entrant.vp_ruled,
        vp_difference=sum([within(scheme, g.vp - g.vp_against) for g in games]) + entrant.vp_ruled,
        wins=outcomes.count("win"),
        draws=outcomes.count("draw"),
        losses=outcomes.count("loss"),
    )


def seats_from(
    results: Sequence[Result],
    entrants: Sequence[Entrant],
    scheme: Scheme,
    round_number: int,
    *,
    count_bonus: bool = False,
) -> list[Seat]:
    """The seats for a round: every player entered by then and not dropped, with their history.

    Ignores results of this round and later ones. A player was paired down in each round in which they had more points
    than their opponent at the draw. Unplayed games and games against stand-ins are no meetings. A bonus moves a player
    between groups only with ``count_bonus``; the part in ``Entrant.moves`` always does. Raises ValueError as
    ``records`` does.
    """
    played = [r for r in results if r.round < round_number]
    history = records(played, entrants, scheme)
    points = {id_: points_before(record, round_number, count_bonus=count_bonus) for id_, record in history.items()}
    return [
        Seat(
            id=e.id,
            points=points[e.id][round_number],
            club=e.club,
            byes=free_wins(history[e.id], scheme),
            floats=sum(points[e.id][g.round] > points[g.opponent][g.round] for g in history[e.id].field_games),
            opponents=tuple(g.opponent for g in history[e.id].field_games),
            tables=tuple(g.table for g in history[e.id].games if g.table is not None),
            scenarios=tuple(g.scenario for g in history[e.id].games if g.scenario is not None),
        )
        for e in entrants
        if not e.ringer
        and e.entered_round <= round_number
        and (e.dropped_after is None or e.dropped_after >= round_number)
    ]


def points_before(record: Record, last: int, *, count_bonus: bool) -> list[int]:
    """The player's tournament points before each round up to ``last``, by the round's number."""
    gained = [0] * (last + 1)
    if not count_bonus:
        for after, points in record.entrant.moves:
            if after < last:
                gained[after + 1] += points
    for game in record.games:
        gained[game.round + 1] += game.points
    for one in record.unplayed:
        gained[one.round + 1] += one.points
    return list(accumulate(gained, initial=record.entrant.bonus if count_bonus else 0))[1:]


def free_wins(record: Record, scheme: Scheme) -> int:
    """The number of byes that the draw counts: rounds with a win's points and no game, and games against a stand-in.

    Source: FIDE, basic rules for Swiss systems: a player who had a win's points without playing gets no bye. A
    requested bye counts only where the event makes it a win.
    """
    kinds = {"bye", "walkover"} | ({"asked"} if scheme.asked_bye == "win" else set())
    return sum(one.kind in kinds for one in record.unplayed) + sum(game.ringer for game in record.games)
