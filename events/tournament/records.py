"""Each player's record and the next round's seats, calculated from all results each time.

So corrections, drops and late entries need no repair.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from events.tournament.figures import Entrant, Outcome, Result, Scheme
from events.tournament.pairing.history import Past, seats_after
from events.tournament.pairing.seats import Seat
from languages.message import Text, message

Kind = Literal["bye", "asked", "empty", "no_show", "absent", "left", "not_played", "missed", "late"]


@dataclass(frozen=True)
class Game:
    round: int
    opponent: str
    vp: int
    vp_against: int
    outcome: Outcome
    points: int
    """Tournament points from this game."""
    table: int | None
    ringer: bool = False
    """Whether the opponent is a stand-in: the game counts for the player, but not as a measure of strength."""
    scenario: str | None = None
    conceded: bool = False
    """Whether the opponent conceded."""
    provisional: bool = False
    """Whether the VP are at least the mean of the winners, which further results can change."""
    also: tuple[int, ...] = ()
    """The player's other figures that can break ties."""
    share: Text = ""
    """The arithmetic of the VP if they are a share: "240 of 400", "draw", "conceding"."""


FREE: tuple[Kind, ...] = ("bye", "asked", "empty", "no_show")
"""The kinds that can score without a game."""


@dataclass(frozen=True)
class Unplayed:
    """A round without a game, and what it scores.

    The kinds are a bye from the draw or requested, a board that the other team left empty, a no-show of the opponent
    (no_show) or the player (absent), an open game lost by leaving (left), a game that neither side played, a missed
    round, and a round before a late entry.
    """

    round: int
    kind: Kind
    points: int
    vp: int
    provisional: bool = False
    """Whether the VP are the mean of the winners, which further results can change."""


@dataclass(frozen=True)
class Record:
    entrant: Entrant
    games: tuple[Game, ...]
    unplayed: tuple[Unplayed, ...]
    points: int
    """All tournament points: from games, rounds without a game, and bonus."""
    vp: int
    vp_difference: int
    """Own minus opponents' VP over the games, each within the scheme's limit, plus VP from rulings."""
    wins: int
    draws: int
    losses: int
    left_out: tuple[int, ...] = ()
    """The rounds whose results do not count because better ones do. Nothing else in the record includes them."""

    @cached_property
    def field_games(self) -> tuple[Game, ...]:
        """The games that measure strength: those against players other than stand-ins."""
        return tuple(game for game in self.games if not game.ringer)

    @cached_property
    def game_points(self) -> int:
        return sum(game.points for game in self.field_games)

    @property
    def free_wins(self) -> int:
        return sum(unplayed.kind in FREE and unplayed.points > 0 for unplayed in self.unplayed)

    @property
    def wins_draws_losses(self) -> str:
        """Wins, draws and losses at the table, with byes and opponents' no-shows that count: "2-0-1 +1"."""
        free = f" +{self.free_wins}" if self.free_wins else ""
        return f"{self.wins}-{self.draws}-{self.losses}{free}"

    @property
    def bye_rounds(self) -> tuple[int, ...]:
        return tuple(unplayed.round for unplayed in self.unplayed if unplayed.kind == "bye")


def mean_winning_vp(results: Iterable[Result]) -> int:
    """The mean VP of the winners of all decided games, rounded half up; 0 before the first.

    Leaves out conceded games, whose winners did not play a whole game.
    """
    decided = [r for r in results if r.played and not r.conceded and r.winner != "draw"]
    winners = [r.vp_a if r.winner == "a" else r.vp_b for r in decided]
    return int(Fraction(sum(winners), len(winners)) + Fraction(1, 2)) if winners else 0


def results_by_round(results: Iterable[Result], scheme: Scheme) -> list[Result]:
    """The results by round, with VP in the unit of the standings: as scored, or in shares."""
    return sorted((r.in_shares if scheme.shares else r for r in results), key=lambda r: r.round)


def bye_worth(results: Sequence[Result], scheme: Scheme, scenarios: Collection[str | None] = ()) -> int:
    """The victory points of a bye in a round with these scenarios; ``results`` are ``counted``.

    If scenarios score on different scales, only games of these scenarios count. If none of them has a winner yet,
    shares of all games count.
    """
    if not scheme.vp_known:
        return 0
    if scheme.bye_vp is not None:
        return scheme.bye_vp
    if not scheme.by_scenario:
        return mean_winning_vp(results)
    there = mean_winning_vp(r for r in results if r.scenario in scenarios)
    return there or (mean_winning_vp(results) if scheme.shares else 0)


def records(results: Sequence[Result], entrants: Iterable[Entrant], scheme: Scheme) -> dict[str, Record]:
    """Every entrant's record by id, from confirmed results in any order.

    Raises ValueError for contradictory results (an unknown player, a player twice in a round or against themselves) and
    for a repeated entrant id.
    """
    people: dict[str, Entrant] = {}
    for entrant in entrants:
        if entrant.id in people:
            raise ValueError(f"two entrants have the id {entrant.id!r}")
        people[entrant.id] = entrant
    games = defaultdict[str, list[Game]](list)
    without = defaultdict[str, list[Unplayed]](list)
    results = results_by_round(results, scheme)
    bye_vp = _bye_by_round(results, scheme)
    worth = {number: worths(scheme, vp) for number, vp in bye_vp.items()}
    open_mean = scheme.unfinished and scheme.bye_vp is None and scheme.vp_known
    by_mean = {kind for kind, (_, vp) in worths(scheme, 2).items() if vp and open_mean}
    own_rounds: dict[str, set[int]] = {id_: set() for id_ in people}
    for r in results:
        for id_ in (r.a,) if r.b is None else (r.a, r.b):
            if id_ not in people:
                raise ValueError(f"round {r.round}: {id_!r} has a result but is no entrant")
            if r.round in own_rounds[id_]:
                raise ValueError(f"round {r.round}: {id_!r} has more than one result")
            own_rounds[id_].add(r.round)
        if r.b is None:
            kind: Kind = "asked" if r.asked else "empty" if r.walk_over else "bye"
            without[r.a].append(Unplayed(r.round, kind, *worth[r.round][kind], kind in by_mean))
            continue
        winner = r.winner
        points = dict(zip("ab", scheme.points(r), strict=True))
        for side, own, other, vp, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            if not r.played:
                kind = _kind(r, side)
                without[own].append(Unplayed(r.round, kind, *worth[r.round][kind], kind in by_mean))
                continue
            outcome: Outcome = "draw" if winner == "draw" else "win" if winner == side else "loss"
            ringer, least = people[other].ringer, 0
            if r.conceded and scheme.conceded_vp == "bye":
                least = bye_worth(results, scheme, {r.scenario}) if scheme.by_scenario else bye_vp[r.round]
            if outcome == "win":
                vp = max(vp, least)
            else:
                against = max(against, least)
            if scheme.shares and r.conceded:  # a player who concedes while ahead keeps at most what the winner leaves
                left = max(0, 100 - (vp if outcome == "win" else against))
                vp, against = (vp, min(against, left)) if outcome == "win" else (min(vp, left), against)
            games[own].append(
                Game(r.round, other, vp, against, outcome, points[side], r.table, ringer, r.scenario,
                     conceded=r.conceded and outcome == "win", share=_share(r, side, outcome),
                     also=tuple(both[side == "b"] for both in r.also),
                     provisional=open_mean and r.conceded and outcome == "win" and scheme.conceded_vp == "bye")
            )  # fmt: skip
    last = max((r.round for r in results), default=0)
    empty = worths(scheme, 0)
    for id_, e in () if scheme.by_challenge else people.items():
        for round_ in range(1, max(own_rounds[id_], default=min(last, e.entered_round - 1)) + 1):
            if round_ not in own_rounds[id_] and round_ not in e.open_rounds and not e.ringer:
                kind = "late" if round_ < e.entered_round else "missed"
                without[id_].append(Unplayed(round_, kind, *empty[kind]))
    return {id_: _record(e, games[id_], without[id_], scheme) for id_, e in people.items()}


def _bye_by_round(results: Sequence[Result], scheme: Scheme) -> dict[int, int]:
    """The victory points of a bye in each round with a result."""
    played = defaultdict[int, set[str | None]](set)
    for r in results:
        played[r.round] |= {r.scenario} if r.played else set()
    if not scheme.by_scenario:
        return dict.fromkeys(played, bye_worth(results, scheme))
    return {number: bye_worth(results, scheme, scenarios) for number, scenarios in played.items()}


def _share(result: Result, side: str, outcome: Outcome) -> Text:
    if result.scored is None:
        return ""
    if result.conceded:
        return message("conceding")
    if outcome == "draw":
        return message("draw")
    return message("%(n)s of %(all)s", n=result.scored[side == "b"], all=sum(result.scored))


def _kind(result: Result, side: str) -> Kind:
    if result.absent is None:
        return "not_played"
    if result.absent not in (side, "both"):
        return "no_show"
    return "left" if result.left else "absent"


def worths(scheme: Scheme, bye_vp: int) -> dict[Kind, tuple[int, int]]:
    """Tournament points and VP of a round without a game, by kind. ``scheme_of`` makes the scheme of an event.

    A requested bye scores the VP of a bye if it counts as a win, half of them (rounded half up) as a draw, and none as
    a loss.
    """
    asked = {"win": (scheme.win, bye_vp), "draw": (scheme.draw, (bye_vp + 1) // 2), "loss": (scheme.loss, 0)}
    return {
        "bye": (scheme.win, bye_vp),
        "asked": asked[scheme.asked_bye],
        "empty": (scheme.win, bye_vp),
        "no_show": (scheme.win, bye_vp),
        "absent": (0, 0),
        "left": (0, 0),
        "not_played": (scheme.draw if scheme.not_played == "draw" else 0, 0),
        "missed": (0, 0),
        "late": (scheme.late_points, 0),
    }


def within(scheme: Scheme, difference: int) -> int:
    return difference if scheme.vp_cap is None else max(-scheme.vp_cap, min(scheme.vp_cap, difference))


def left_out(results: Sequence[Game | Unplayed], best: int | None) -> tuple[int, ...]:
    """The rounds of a player's results outside the ``best``: by points, then VP; of equal results, the later round."""
    ranked = sorted(results, key=lambda result: (-result.points, -result.vp, result.round))
    return () if best is None else tuple(sorted(result.round for result in ranked[best:]))


def _record(entrant: Entrant, games: list[Game], without: list[Unplayed], scheme: Scheme) -> Record:
    out = left_out([*games, *without], scheme.best)
    games = [game for game in games if game.round not in out]
    without = [unplayed for unplayed in without if unplayed.round not in out]
    outcomes = [game.outcome for game in games]
    return Record(
        entrant=entrant,
        games=tuple(games),
        unplayed=tuple(sorted(without, key=lambda unplayed: unplayed.round)),
        points=sum([g.points for g in games]) + sum([unplayed.points for unplayed in without]) + entrant.bonus,
        vp=sum([g.vp for g in games]) + sum([unplayed.vp for unplayed in without]) + entrant.vp_ruled,
        vp_difference=sum([within(scheme, g.vp - g.vp_against) for g in games]) + entrant.vp_ruled,
        wins=outcomes.count("win"),
        draws=outcomes.count("draw"),
        losses=outcomes.count("loss"),
        left_out=out,
    )


def seats_from(results: Sequence[Result], entrants: Sequence[Entrant], scheme: Scheme, round_number: int) -> list[Seat]:
    """The seats for a round by the results of earlier rounds. Raises ValueError as ``records`` does."""
    return seats_of_past(past_of(results, entrants, scheme, round_number), entrants, round_number)


def seats_of_past(past: Sequence[Past], entrants: Sequence[Entrant], round_number: int) -> list[Seat]:
    """The seats for a round: every player who has entered by then and not dropped, with their history.

    Of a bonus, only the part in ``Entrant.moves`` changes a player's group.
    """
    field = [
        e
        for e in entrants
        if not e.ringer
        and e.entered_round <= round_number
        and (e.dropped_after is None or e.dropped_after >= round_number)
    ]
    seats = seats_after(past, round_number, [e.id for e in field])
    return [replace(seat, club=e.club) for seat, e in zip(seats, field, strict=True)]


def past_of(
    results: Sequence[Result],
    entrants: Sequence[Entrant],
    scheme: Scheme,
    round_number: int,
    still_open: Iterable[Past] = (),
) -> tuple[Past, ...]:
    """What a round's draw counts of the earlier rounds, by round, with the games ``still_open``.

    Raises ValueError as ``records`` does.

    Source of the byes: FIDE, basic rules for Swiss systems: a player who scored a win's points without playing gets no
    bye. A requested bye counts only if the event scores it as a win. A no-show counts for both players, so that who did
    not come is not the first to get one.
    """
    played = [r for r in results if r.round < round_number]
    book = records(played, entrants, replace(scheme, best=None))
    of_round = dict[tuple[str, int], Game | Unplayed]()
    for id_, record in book.items():
        of_round |= {(id_, game.round): game for game in record.games}
        of_round |= {(id_, unplayed.round): unplayed for unplayed in record.unplayed}
    histories = [
        _past_result(r, [of_round[id_, r.round] for id_ in (r.a, r.b) if id_ is not None], scheme) for r in played
    ]
    for id_, record in book.items():
        late = [unplayed for unplayed in record.unplayed if unplayed.kind == "late" and unplayed.points]
        histories += [Past(unplayed.round, "late", id_, points_a=unplayed.points) for unplayed in late]
        moves = [(after, points) for after, points in record.entrant.moves if after < round_number]
        histories += [Past(after, "ruling", id_, points_a=points) for after, points in moves]
    return tuple(sorted([*histories, *still_open], key=lambda history: history.after))


def _past_result(r: Result, sides: Sequence[Game | Unplayed], scheme: Scheme) -> Past:
    """A result with its points for its one or two players."""
    free_kinds = {"bye", "empty", "no_show"} | ({"asked"} if scheme.asked_bye == "win" else set())
    free = tuple(
        id_
        for id_, game in zip((r.a, r.b), sides, strict=False)
        if id_ is not None and (game.kind in free_kinds if isinstance(game, Unplayed) else game.ringer)
    )
    if r.b is None:
        return Past(r.round, "asked" if r.asked else "bye", r.a, points_a=sides[0].points, free=free)
    past = Past(r.round, "no-show", r.a, r.b, sides[0].points, sides[1].points, free)
    if not r.played:
        return replace(past, free=(r.a, r.b)) if r.absent else replace(past, kind="not played")
    return replace(past, kind="stand-in" if free else "game", table=r.table, scenario=r.scenario)
