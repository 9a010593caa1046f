"""``overseer simulate``: events played by dice are repeatable, follow the documented formulas and are counted."""

import json
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from click.testing import CliRunner, Result

from events.tournament.pairing.seats import Certificate, Draw, Levels, Pair, Seat
from service.commands import simulate
from service.commands import simulated_event as simulated
from service.commands.simulated_event import Plan


def event(plan: Plan, seed: int = 1) -> simulated.SimulatedEvent:
    ticks = count()
    return simulated.play_event(plan, seed, lambda: float(next(ticks)))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(simulate.simulate, arguments)


def test_simulated_event_depends_only_on_its_plan_and_seed() -> None:
    plan = Plan(players=17, rounds=4, drops=0.2, late=0.2)
    assert event(plan) == event(plan)
    assert event(plan) != event(plan, 2)
    assert event(plan) != event(replace(plan, spread=500))
    assert event(replace(plan, method="fold")) != event(plan) != event(replace(plan, method="standing"))
    assert [one.seconds for one in event(plan).rounds] == [1, 1, 1, 1], "the clock is read before and after a draw"


def test_results_follow_the_formula() -> None:
    one_game = Draw((Pair("a", "b"),), None, Levels(), Certificate(True, ""), 0, "")
    for difference, draws in ((0, 0.1), (200, 0.3), (-300, 0.5), (100, 0)):
        dice = Random(5)
        results = [simulated.played(1, one_game, {"a": difference, "b": 0}, draws, dice)[0] for _ in range(10_000)]
        won, drawn = (sum(r.winner == who for r in results) / 10_000 for who in ("a", "draw"))
        score = 1 / (1 + 10 ** (-difference / 400))
        assert won + drawn / 2 == pytest.approx(score, abs=0.015)
        assert drawn == pytest.approx(draws * 4 * score * (1 - score), abs=0.015)
        assert {abs(r.vp_a - r.vp_b) for r in results if r.winner != "draw"} == set(range(1, 8))
        assert {min(r.vp_a, r.vp_b) for r in results} == set(range(9))


def test_costs_of_a_round_are_counted_from_its_draw() -> None:
    a, b = Seat("a", 6, tables=(1, 2), scenarios=("raid",)), Seat("b", 3, tables=(1,))
    field = [a, b, Seat("c", 3, tables=(3,)), Seat("d", 3), Seat("e", 0, byes=1)]
    levels = Levels(rematches=1, second_byes=1, bye_height=0, distance=1, repeat_floats=1, kept_apart=1)
    pairs = (Pair("a", "b", table=1, scenario="raid"), Pair("c", "d", table=2))
    draw = Draw(pairs, "e", levels, Certificate(False, "window"), 7, "x")
    assert simulated.round_summary(3, field, draw, 0.5) == simulated.SimulatedRound(
        number=3, players=5, byes=1, rematches=1, second_byes=1, distance=1, floats=1, repeat_floats=1, kept_apart=1,
        table_repeats=2, scenario_repeats=1, strongest_first=False, proven=False, seconds=0.5,
    )  # fmt: skip


def test_spearmans_rank_correlation() -> None:
    strength = {"a": 40.0, "b": 3.0, "c": 2.0, "d": 1.0}
    for order, rho in (("abcd", 1), ("dcba", -1), ("bacd", 0.8), ("dabc", -0.2), ("ab", 1)):
        assert simulated.rank_correlation(list(order), strength) == pytest.approx(rho)
    assert simulated.rank_correlation(["a"], strength) is simulated.rank_correlation([], strength) is None


def test_the_round_from_which_the_strongest_leads() -> None:
    one = event(Plan(players=16, rounds=4, drops=0)).rounds[0]

    def leads(first: str) -> int | None:
        rounds = tuple(replace(one, number=n, strongest_first=c == "1") for n, c in enumerate(first, start=1))
        return simulated.SimulatedEvent(1, rounds, None).leads_from

    assert [leads(first) for first in ("1111", "0111", "1011", "0001", "1110", "0000")] == [1, 2, 3, 4, None, None]


def test_totals_of_the_report_are_the_sums_of_its_rounds() -> None:
    done = run("--events", "4", "--players", "11", "--rounds", "6", "--drops", "0.1", "--seed", "5", "--json")
    document = json.loads(done.stdout)
    assert (document["format"], document["plan"]["players"]) == ("overseer-simulation/1", 11)
    assert [one["seed"] for one in document["events"]] == [5, 6, 7, 8]
    summary = document["summary"]
    for name in ("byes", "rematches", "floats", "repeat_floats", "table_repeats"):
        by_event = [sum(one[name] for one in e["rounds"]) for e in document["events"]]
        assert (summary[name]["total"], summary[name]["most"]) == (sum(by_event), max(by_event))
        assert sum(one[name] for one in document["rounds"]) == summary[name]["total"]
    assert summary["floats"]["total"] > 0
    assert summary["proven"] == summary["rounds"] == 24
    first = [sum(e["rounds"][k]["strongest_first"] for e in document["events"]) for k in range(6)]
    assert [one["strongest_first"] for one in document["rounds"]] == first
    assert summary["strongest_wins"] == first[-1]


def test_same_options_give_the_same_output_without_times() -> None:
    options = ("--events", "3", "--players", "12", "--rounds", "3")
    text = run(*options).stdout
    assert text.startswith("3 events of 12 players and 3 rounds, seeds 1 to 3\n")
    assert "A round is drawn in " in text and "Proven best: 9 of 9 rounds." in text
    for form in ((), ("--json",)):
        once = run(*options, "--no-times", *form).stdout
        assert once == run(*options, "--no-times", *form).stdout != ""
        assert "ms" not in once and "milliseconds" not in once


def test_bad_options_are_refused() -> None:
    for arguments, words in (
        ("--players 1", "1 is not in the range"),
        ("--spread nan", "spread must be from 0 to 10000"),
        ("--drops 5", "5.0 is not in the range 0<=x<=1"),
        ("--drops nan", "drops must be from 0 to 1"),
        ("--events 1000 --players 1000", "5,000,000 seats to pair, more than 2,000,000"),
        ("--players 20 --tables 9", "20 players need 10 tables, not 9"),
        ("--avoid-clubs maybe", "'maybe' is not one of"),
    ):
        refused = run(*arguments.split())
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert words in refused.stderr
