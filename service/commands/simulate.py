"""``overseer simulate``: random events, to see how the draw behaves over many rounds and fields, without a database.

The simulation is pure and repeatable. Strengths are normally distributed around 0 with the plan's spread, on the scale
of chess ratings: a player who is d stronger is expected to score E = 1 / (1 + 10^(-d / 400)) of a game (Elo's logistic
formula; 400 more is ten to one). Between equals a share ``draws`` of the games is drawn, between others
draws * 4E(1 - E), which falls to 0 as one outclasses the other. The rest is divided so that the expected score stays E:
a player wins with chance E minus half the chance of a draw. The loser has 0 to 8 victory points and the winner 1 to 7
more, all equally likely.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any, get_args

import click

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import AvoidClubs, Draw, Method, Rules, Seat
from events.tournament.pairing.tables import Room
from events.tournament.ranking import standings
from events.tournament.records import seats_from
from validators.names import counted

MOST_PLAYERS = 4096
MOST_ROUNDS = 20
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
        after.append([row.id for row in standings(results, people, scheme)])
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


FORMAT = "overseer-simulation/1"
MOST_EVENTS = 1000
MOST_SEATS = 2_000_000
"""Events times rounds times players; some minutes of work."""
COUNTED = (
    "byes", "rematches", "second_byes", "floats", "repeat_floats", "distance", "kept_apart", "table_repeats",
    "scenario_repeats",
)  # fmt: skip

SHARE = click.FloatRange(0, 1)


@click.command("simulate")
@click.option("--events", type=click.IntRange(1, MOST_EVENTS), default=20, show_default=True)
@click.option("--players", type=click.IntRange(2, MOST_PLAYERS), default=32, show_default=True)
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), default=5, show_default=True)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**62),
    default=1,
    show_default=True,
    help="Seed of the first event; each further event adds 1.",
)
@click.option(
    "--spread",
    type=click.FloatRange(0, 10_000),
    default=200,
    show_default=True,
    help="Standard deviation of the strengths in rating points: 400 apart is ten to one.",
)
@click.option(
    "--drops", type=SHARE, default=0.05, show_default=True, help="Share of players who drop after each round."
)
@click.option("--late", type=SHARE, default=0, show_default=True, help="Share of players who arrive for round 2.")
@click.option("--clubs", type=click.IntRange(0, 1000), default=4, show_default=True)
@click.option(
    "--club-skew",
    type=click.FloatRange(0, 100),
    default=1,
    show_default=True,
    help="The k-th club is 1/k^skew as large as the first.",
)
@click.option("--clubless", type=SHARE, default=0.1, show_default=True, help="Share of players without a club.")
@click.option(
    "--draws",
    type=click.FloatRange(0, MOST_DRAWS),
    default=0.1,
    show_default=True,
    help="Share of draws in games between equal players.",
)
@click.option("--avoid-clubs", type=click.Choice(get_args(AvoidClubs)), default="first_round", show_default=True)
@click.option("--method", type=click.Choice(get_args(Method)), default="random", show_default=True)
@click.option(
    "--tables", type=click.IntRange(0, MOST_PLAYERS), default=0, help="Tables in the hall. [default: one for each game]"
)
@click.option(
    "--scenarios", type=click.IntRange(0, 100), default=0, help="Scenarios in the pool, if each table has its own."
)
@click.option("--no-times", is_flag=True, help="Leave out the times, so that the same options give the same output.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document, with each round of each event.")
def simulate(events: int, seed: int, no_times: bool, as_json: bool, **options: Any) -> None:
    """Play random events, each with its own seed, and report the behaviour of the draw.

    Floats are pairs across two groups of points; repeated ones are those whose higher player floated down before. The
    strongest player is among those who stay to the end. docs/pairing.md explains how results are drawn.
    """
    try:
        plan = Plan(**options)
    except ValueError as error:  # too few tables; and the shell passes "nan" as a number outside every range
        raise click.UsageError(str(error)) from error
    seats = events * plan.rounds * plan.players
    if seats > MOST_SEATS:
        raise click.UsageError(
            f"{events} events of {plan.rounds} rounds for {plan.players} players are {seats:,} seats to pair, "
            f"more than {MOST_SEATS:,}. Lower one of the three."
        )
    played = [play_event(plan, seed + number, perf_counter) for number in range(events)]
    document = report(plan, played, times=not no_times)
    click.echo(json.dumps(document) if as_json else as_text(document))


def report(plan: Plan, played: Sequence[SimulatedEvent], *, times: bool) -> dict[str, Any]:
    """The document for ``--json``, from which the text is made too. Times are in milliseconds."""
    correlations = [event.correlation for event in played if event.correlation is not None]
    leads = [event.leads_from for event in played if event.leads_from is not None]
    whole = [one for event in played for one in event.rounds]
    document: dict[str, Any] = {
        "format": FORMAT,
        "plan": asdict(plan),
        "events": [],
        "rounds": [],
        "summary": {
            **{name: spread_of([sum(getattr(r, name) for r in e.rounds) for e in played]) for name in COUNTED},
            "strongest_wins": len(leads),
            "strongest_leads_from": round(mean(leads), 2) if leads else None,
            "rank_correlation": {
                name: round(how(correlations), 3)
                for name, how in RANGE.items()
                if correlations
            },
            "rounds": len(whole),
            "proven": sum(one.proven for one in whole),
        },
    }  # fmt: skip
    for event in played:
        rounds = [{k: v for k, v in asdict(one).items() if k != "seconds"} for one in event.rounds]
        if times:
            for summarised, one in zip(rounds, event.rounds, strict=True):
                summarised["milliseconds"] = round(one.seconds * 1000, 3)
        correlation = None if event.correlation is None else round(event.correlation, 6)
        document["events"].append(
            {"seed": event.seed, "leads_from": event.leads_from, "rank_correlation": correlation, "rounds": rounds}
        )
    for number in range(1, plan.rounds + 1):
        same = [event.rounds[number - 1] for event in played]
        document["rounds"].append(
            {
                "number": number,
                "players": round(mean(one.players for one in same), 1),
                **{name: sum(getattr(one, name) for one in same) for name in COUNTED},
                "strongest_first": sum(one.strongest_first for one in same),
                "proven": sum(one.proven for one in same),
            }
            | (clocked([one.seconds for one in same]) if times else {})
        )
    if times:
        document["summary"] |= clocked([one.seconds for one in whole])
    return document


RANGE: dict[str, Callable[[Sequence[float]], float]] = {"least": min, "median": median, "most": max}


def spread_of(counts: Sequence[int]) -> dict[str, float]:
    """The total, the mean per event, and the most in one event."""
    return {"total": sum(counts), "mean": round(mean(counts), 2), "most": max(counts)}


def clocked(seconds: Sequence[float]) -> dict[str, float]:
    """Median and most, in milliseconds."""
    return {"median_ms": round(median(seconds) * 1000, 3), "most_ms": round(max(seconds) * 1000, 3)}


def as_text(document: dict[str, Any]) -> str:
    """The report as text: the rounds, then the events as a whole."""
    plan, summary, events = document["plan"], document["summary"], len(document["events"])
    seeds = [event["seed"] for event in document["events"]]
    sums = [
        (name.replace("_", " "), f"{stats['mean']:g}", str(stats["most"]), str(stats["total"]))
        for name, stats in ((name, summary[name]) for name in COUNTED)
    ]
    wins, from_round = summary["strongest_wins"], summary["strongest_leads_from"]
    lines = [
        f"{counted(events, 'event')} of {plan['players']} players and {counted(plan['rounds'], 'round')}, "
        + (f"seeds {seeds[0]} to {seeds[-1]}" if events > 1 else f"seed {seeds[0]}"),
        f"Strengths spread by {plan['spread']:g}; {percent(plan['draws'])} draws between equals; "
        f"{percent(plan['drops'])} drop after a round; {percent(plan['late'])} come late; "
        f"{plan['clubs']} clubs, skew {plan['club_skew']:g}.",
        f"Clubs kept apart: {plan['avoid_clubs'].replace('_', ' ')}; inside a group of points: {plan['method']}.",
        "",
        *as_columns(ROUND_HEAD, [round_row(one, events) for one in document["rounds"]]),
        "",
        *as_columns(("over an event", "mean", "most", "all in all"), sums),
        "",
        f"The strongest player wins {wins} of {counted(events, 'event')}"
        + (f", leading to the end from round {from_round:g} on average." if wins else "."),
    ]
    if summary["rank_correlation"]:
        stats = summary["rank_correlation"]
        lines.append(
            f"Rank correlation between strength and place: "
            f"median {stats['median']:g}, {stats['least']:g} to {stats['most']:g}."
        )
    lines.append(f"Proven best: {summary['proven']} of {summary['rounds']} rounds.")
    if "median_ms" in summary:
        lines.append(
            f"A round is drawn in {summary['median_ms']:.1f} ms (median), {summary['most_ms']:.1f} ms at most."
        )
    return "\n".join(lines)


ROUND_HEAD = (
    "round", "players", "byes", "rematches", "floats", "repeated", "kept apart", "tables again", "strongest first",
    "proven", "median ms", "most ms",
)  # fmt: skip


def round_row(one: dict[str, Any], events: int) -> tuple[str, ...]:
    """One round over all events: sums of counts, shares in percent."""
    counts = ("byes", "rematches", "floats", "repeat_floats", "kept_apart", "table_repeats")
    times = (f"{one['median_ms']:.1f}", f"{one['most_ms']:.1f}") if "median_ms" in one else ()
    shares = (percent(one["strongest_first"] / events), percent(one["proven"] / events))
    return (str(one["number"]), f"{one['players']:g}", *(str(one[name]) for name in counts), *shares, *times)


def as_columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of aligned columns, the first to the left, others to the right; empty without rows."""
    table = [head[: len(rows[0])], *rows]
    width = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, width, strict=True))
        )
        for row in table
    ]


def percent(share: float) -> str:
    """ "5 %"; with tenths if there are any."""
    return f"{round(share * 100, 1):g} %"
