"""Events played by dice, to see how the draw behaves: pure and repeatable.

Strengths are normally distributed around 0 with the plan's spread, on the scale of chess ratings: a player who is d
stronger is expected to score E = 1 / (1 + 10^(-d / 400)) of a game (Elo's logistic formula; 400 more is ten to one).
Between equals a share ``draws`` of the games is drawn, between others draws * 4E(1 - E), which falls to 0 as one
outclasses the other. The rest is divided so that the expected score stays E: a player wins with chance E minus half the
chance of a draw. The loser has 0 to 8 victory points and the winner 1 to 7 more, all equally likely.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from events.rounds.formats import MOST_ROUNDS
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import AvoidClubs, Draw, Method, Rules, Seat
from events.tournament.pairing.tables import Room
from events.tournament.ranking import ranking_rows
from events.tournament.records import seats_from

MOST_PLAYERS = 4096
MOST_DRAWS = 0.5
"""Above this, the chance that a certain loser loses would be negative."""


@dataclass(frozen=True)
class Plan:
    """The kind of events to play. Shares are from 0 to 1."""

    players: int = 32
    rounds: int = 5
    spread: float = 200
    """The standard deviation of the strengths, in rating points."""
    drops: float = 0.05
    """The chance that a player leaves after each round except the last."""
    late: float = 0.0
    """The chance that a player joins only in round 2."""
    clubs: int = 4
    club_skew: float = 1.0
    """How uneven clubs are: the k-th is 1/k^skew as likely as the first."""
    clubless: float = 0.1
    """The chance of each player to have no club."""
    draws: float = 0.1
    """The share of draws in games between equals."""
    avoid_clubs: AvoidClubs = "first_round"
    method: Method = "random"
    tables: int = 0
    """The number of tables; 0: one for each game of a round."""
    scenarios: int = 0
    """The number of scenarios in the pool if each table has its own; 0: one scenario for the round."""

    def __post_init__(self) -> None:
        bounds = (
            ("players", 2, MOST_PLAYERS),
            ("rounds", 1, MOST_ROUNDS),
            ("spread", 0, 10_000),
            ("drops", 0, 1),
            ("late", 0, 1),
            ("clubs", 0, 1000),
            ("club_skew", 0, 100),
            ("clubless", 0, 1),
            ("draws", 0, MOST_DRAWS),
            ("tables", 0, MOST_PLAYERS),
            ("scenarios", 0, 100),
        )
        for name, least, most in bounds:
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name.replace('_', ' ')} must be from {least} to {most}")
        if 0 < self.tables < self.players // 2:
            raise ValueError(f"{self.players} players need {self.players // 2} tables, not {self.tables}")


@dataclass(frozen=True)
class SimulatedRound:
    """The costs of one round of one event by level, and its effect on the field."""

    number: int
    players: int
    byes: int
    rematches: int
    second_byes: int
    distance: int
    floats: int
    """Pairs across two groups of points, equal to the number of players paired down."""
    repeat_floats: int
    kept_apart: int
    table_repeats: int
    """Players at a table that they have used before."""
    scenario_repeats: int
    """Players with a scenario that they have played before, if each table has its own."""
    strongest_first: bool
    """Whether the strongest player, of those who stay to the end, leads them after this round."""
    proven: bool
    seconds: float
    """For the draw and its tables, by the given clock."""


@dataclass(frozen=True)
class SimulatedEvent:
    """One event: its seed, its rounds, and how well the final standings match the strengths."""

    seed: int
    rounds: tuple[SimulatedRound, ...]
    correlation: float | None
    """Spearman's rank correlation of strength and final place, among those who stay; None for fewer than two."""

    @property
    def leads_from(self) -> int | None:
        """The round from which on the strongest player leads to the end; None if another player wins."""
        behind = [one.number for one in self.rounds if not one.strongest_first]
        last = behind[-1] if behind else 0
        return None if last == len(self.rounds) else last + 1


def play_event(plan: Plan, seed: int, clock: Callable[[], float]) -> SimulatedEvent:
    """Play one event. The same plan and seed give the same event, except for the clock's times (in seconds)."""
    dice = Random(seed)  # noqa: S311 - no secret, and it must fall the same each time
    strength, people = cast(plan, dice)
    scheme = Scheme(seed=seed)
    rules = Rules(avoid_clubs=plan.avoid_clubs, method=plan.method)
    pool = tuple(f"scenario {n}" for n in range(1, plan.scenarios + 1))
    room = Room(tuple(range(1, plan.tables + 1)), scenarios=pool)
    known = defaultdict[str, tuple[str, ...]](tuple)
    results: list[Result] = []
    rounds: list[SimulatedRound] = []
    after: list[list[str]] = []
    for number in range(1, plan.rounds + 1):
        place = {id_: rank for rank, id_ in enumerate(after[-1] if after else (), start=1)}
        field = [
            replace(seat, rank=place.get(seat.id, 0), scenarios=known[seat.id])
            for seat in seats_from(results, people, scheme, number)
        ]
        start = clock()
        drawn = drawn_round(Request(number, tuple(field), seed, rules, room))
        seconds = clock() - start
        rounds.append(round_summary(number, field, drawn, seconds))
        results += played(number, drawn, strength, plan.draws, dice)
        for pair in drawn.pairs:
            for id_ in (pair.a, pair.b):
                known[id_] += (pair.scenario,) if pair.scenario else ()
        after.append([row.id for row in ranking_rows(results, people, scheme)])
        if number < plan.rounds:
            people = [leave(one, number, dice.random() < plan.drops) for one in people]
    staying = {one.id for one in people if one.dropped_after is None}
    orders = [[id_ for id_ in order if id_ in staying] for order in after]
    strongest = max(staying, key=lambda id_: (strength[id_], id_), default=None)
    return SimulatedEvent(
        seed=seed,
        rounds=tuple(
            replace(one, strongest_first=order[:1] == [strongest]) for one, order in zip(rounds, orders, strict=True)
        ),
        correlation=rank_correlation(orders[-1], strength),
    )


def cast(plan: Plan, dice: Random) -> tuple[dict[str, float], list[Entrant]]:
    """Every player's strength by id, and the entrants."""
    weights = [1 / k**plan.club_skew for k in range(1, plan.clubs + 1)]
    strength: dict[str, float] = {}
    people = []
    for number in range(1, plan.players + 1):
        id_ = f"p{number:04}"
        strength[id_] = dice.gauss(0, plan.spread)
        club = f"Club {dice.choices(range(1, plan.clubs + 1), weights)[0]}" if plan.clubs else ""
        club = "" if dice.random() < plan.clubless else club
        late = dice.random() < plan.late and plan.rounds > 1
        people.append(Entrant(id_, f"Player {number}", club, entered_round=2 if late else 1))
    return strength, people


def leave(one: Entrant, number: int, leaves: bool) -> Entrant:
    """The entrant after a round, dropped for good if they left."""
    here = one.dropped_after is None and one.entered_round <= number
    return replace(one, dropped_after=number) if here and leaves else one


def expected(difference: float) -> float:
    """The expected score of a player who is ``difference`` stronger (Elo)."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def played(number: int, drawn: Draw, strength: dict[str, float], draws: float, dice: Random) -> list[Result]:
    """The results of a drawn round by dice, byes included."""
    results = []
    for pair in drawn.pairs:
        score = expected(strength[pair.a] - strength[pair.b])
        drawn_game = draws * 4 * score * (1 - score)
        thrown, low, margin = dice.random(), dice.randint(0, 8), dice.randint(1, 7)
        if thrown < drawn_game:
            results.append(Result(number, pair.a, pair.b, low, low, pair.table))
        elif thrown < score + drawn_game / 2:
            results.append(Result(number, pair.a, pair.b, low + margin, low, pair.table))
        else:
            results.append(Result(number, pair.a, pair.b, low, low + margin, pair.table))
    if drawn.bye is not None:
        results.append(Result(number, drawn.bye, None))
    return results


def round_summary(number: int, field: list[Seat], drawn: Draw, seconds: float) -> SimulatedRound:
    """The effects of a round's draw. Whether the strongest leads is not known yet."""
    by_id = {seat.id: seat for seat in field}
    levels = drawn.levels
    return SimulatedRound(
        number=number,
        players=len(field),
        byes=int(drawn.bye is not None),
        rematches=levels.rematches,
        second_byes=levels.second_byes,
        distance=levels.distance,
        floats=sum(by_id[pair.a].points != by_id[pair.b].points for pair in drawn.pairs),
        repeat_floats=levels.repeat_floats,
        kept_apart=levels.kept_apart,
        table_repeats=sum(pair.table in by_id[id_].tables for pair in drawn.pairs for id_ in (pair.a, pair.b)),
        scenario_repeats=sum(pair.scenario in by_id[id_].scenarios for pair in drawn.pairs for id_ in (pair.a, pair.b)),
        strongest_first=False,
        proven=drawn.certificate.proven,
        seconds=seconds,
    )


def rank_correlation(order: list[str], strength: dict[str, float]) -> float | None:
    """Spearman's rho of places and strengths without ties: 1 - 6 * sum(d^2) / (n(n^2 - 1))."""
    n = len(order)
    if n < 2:
        return None
    by_strength = sorted(order, key=lambda id_: (-strength[id_], id_))
    place = {id_: i for i, id_ in enumerate(by_strength)}
    squares = sum((i - place[id_]) ** 2 for i, id_ in enumerate(order))
    return 1 - 6 * squares / (n * (n * n - 1))
