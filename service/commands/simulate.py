"""``overseer simulate``: random events, to see how the draw behaves over many rounds and fields, without a database."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from statistics import mean, median
from time import perf_counter
from typing import Any, get_args

import click

from events.rounds.formats import MOST_ROUNDS
from events.tournament.pairing.seats import AvoidClubs, Method
from languages.words import ngettext
from service.commands.simulated_event import MOST_DRAWS, MOST_PLAYERS, Plan, SimulatedEvent, play_event

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
    counted = ngettext("%(num)s event", "%(num)s events", events)
    rounds = ngettext("%(num)s round", "%(num)s rounds", plan["rounds"])
    lines = [
        f"{counted} of {plan['players']} players and {rounds}, "
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
        f"The strongest player wins {wins} of {counted}"
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
