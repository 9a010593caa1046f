"""What games, lists and rounds add up to, by hand; and the interval of a rate."""

import re
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.charts.drawing import WIDE
from events.standings.statistics_figures import Chosen, Played, Tally, Timed, added, tally_event, wilson
from events.standings.statistics_pictures import fielded, sections
from validators import SYSTEMS

BATTLE = SYSTEMS["battle_mode"]
FACTIONS = {1: "Raiders", 2: "NCR", 3: "Raiders", 4: ""}


@pytest.mark.parametrize(
    ("points", "number", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_interval_is_as_published(points: int, number: int, low: float, high: float) -> None:
    """Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3."""
    assert [round(one, 4) for one in wilson(points, number)] == [low, high]


@given(st.integers(1, 500), st.data())
def test_limits_of_an_interval_solve_the_score_equation(number: int, data: st.DataObject) -> None:
    """At a limit p, the share is 1.96 standard errors of p away, also with half points."""
    points = data.draw(st.integers(0, 2 * number)) / 2
    share, limits = points / number, wilson(points, number)
    assert limits[0] <= share <= limits[1]
    for p in limits:
        assert (share - p) ** 2 == pytest.approx(1.959964**2 * p * (1 - p) / number, abs=1e-6)


def test_nothing_played_says_nothing() -> None:
    assert wilson(0, 0) == (0, 1)
    assert sections(Tally(), BATTLE, {}) == []


GAMES = (
    Played(1, 2, "raiders", 2, vp=(5, 3)),
    Played(3, 2, "raiders", 1, vp=(4, 4)),
    Played(1, 3, "scrapyard", 0, vp=(1, 6), gap=0.0),
    Played(4, 1, "scrapyard", 2, gap=1.0),
    Played(2, 1, "scrapyard", 2, gap=0.0),
)


def test_games_count_for_factions_against_other_factions() -> None:
    found = tally_event(GAMES, FACTIONS, (), ())
    raiders, ncr = ("Raiders", "", ""), ("NCR", "", "")
    assert [(counter[raiders], counter[ncr]) for counter in (found.games, found.wins, found.draws)] == [
        (3, 3),
        (1, 1),
        (1, 1),
    ]
    by_scenario = {key[:2]: (number, found.wins[key]) for key, number in found.games.items() if key[1]}
    assert by_scenario == {
        ("Raiders", "raiders"): (2, 1), ("NCR", "raiders"): (2, 0), ("Raiders", "scrapyard"): (1, 0),
        ("NCR", "scrapyard"): (1, 1),
    }  # fmt: skip
    assert found.players == {"Raiders": 2, "NCR": 1}
    assert (found.totals["games"], found.totals["mirrors"]) == (5, 1), "a mirror match is a game that nobody wins"


def test_vp_gaps_and_rematches_are_counted() -> None:
    found = tally_event(GAMES, FACTIONS, (), ())
    assert found.vp == {
        ("raiders", "games", ""): 2, ("raiders", "won", ""): 9, ("raiders", "lost", ""): 7,
        ("scrapyard", "games", ""): 1, ("scrapyard", "won", ""): 6, ("scrapyard", "lost", ""): 1,
    }  # fmt: skip
    assert found.gaps == {0.0: 2, 1.0: 1}
    assert found.totals["rematches"] == 1, "2 and 1 met in round 1"


def test_sides_count_for_themselves_and_for_factions() -> None:
    games = [Played(1, 2, "convoy", 2, ("Convoy", "Raiders")), Played(2, 3, "convoy", 2, ("Convoy", "Raiders"))]
    found = tally_event(games, FACTIONS, (), ())
    assert {key: found.wins[key] for key in found.games if not key[0]} == {
        ("", "convoy", "Convoy"): 2, ("", "convoy", "Raiders"): 0,
    }  # fmt: skip
    assert found.games["NCR", "convoy", "Convoy"] == found.games["NCR", "convoy", "Raiders"] == 1


def test_lists_of_players_with_a_game_count() -> None:
    dog, gun = ("model", "Dog"), ("item", "Gun")
    lists = [Chosen(1, 5, frozenset({dog, gun})), Chosen(2, 0, frozenset({dog})), Chosen(9, 50, frozenset({gun}))]
    found = tally_event(GAMES, FACTIONS, lists, ())
    assert (found.chosen, found.chosen_games) == ({dog: 2, gun: 1}, {dog: 7, gun: 4})
    assert (found.left, found.totals["lists"], found.totals["list_games"]) == ({5: 1, 0: 1}, 2, 7)


def test_times_of_rounds_and_reports() -> None:
    found = tally_event((), {}, (), [Timed(100, 20, (40, 20)), Timed(130, -10, (5, -10))])
    assert found.rounds == {(100, 20): 1, (130, -10): 1}
    assert found.reports == {40: 1, 20: 1, 5: 1, -10: 1}


def test_tallies_add_up() -> None:
    lists, times = [Chosen(1, 5, frozenset())], [Timed(100, 20, (40,))]
    tally = tally_event(GAMES[:2], FACTIONS, (), times)
    other = tally_event(GAMES[2:], FACTIONS, lists, ())
    both = added([tally, other])
    assert (both.totals["events"], both.totals["games"], both.left, both.reports) == (2, 5, {5: 1}, {40: 1})
    assert both.games == tally_event(GAMES, FACTIONS, (), ()).games
    assert tally.totals["games"] == 2, "it is unchanged, for it is kept"


def shown(tally: Tally) -> dict[str, str]:
    """The sentence of each chart by its id."""
    charts = chain.from_iterable(section.charts for section in sections(tally, BATTLE, {"raiders": "Raiders!"}))
    return {chart.id: chart.sentence for chart in charts}


def of(number: int) -> Tally:
    """That many games, of which player 1 wins nine of ten."""
    games = [
        Played(1, 2, "raiders", 2 if at % 10 else 0, vp=(6, 3), gap=0.0 if at % 5 else 1.0) for at in range(number)
    ]
    lists = [Chosen(1, 5, frozenset({("model", "Dog")})), Chosen(2, 0, frozenset({("item", "Gun")}))]
    return tally_event(games, FACTIONS, lists, [Timed(110, 10, tuple(-20 + at for at in range(number)))])


def test_nothing_is_said_about_nine_games() -> None:
    assert shown(of(9)).keys() == {"models", "items", "left"}, "of which both lists together have 18"
    assert shown(of(4)) == {}


def test_sentences_say_what_the_figures_are() -> None:
    assert shown(of(30)) == {
        "rates": "Raiders: 90 % of 30 games won, clearly more than half.",
        "by-scenario": "Raiders, Raiders!: 90 % of 30 games won, clearly more than half.",
        "vp": "Mean result: Raiders!, 5.7 to 3.3 VP; losers score 58 % of the winners’.",
        "models": "Dog is in 1 of 2 forces.",
        "items": "Gun is in 1 of 2 forces.",
        "left": "1 of 2 forces leave no Caps; the most that is left is 5.",
        "reports": "10 of 30 games were reported within the round’s time: 33 % (19–51 %).",
        "lengths": "Rounds within their time: 1 of 1; half took 110 minutes or less.",
        "pairs": "80 % of 30 pairs were on equal points (63–90 %): 6 paired down, 29 rematches.",
    }
    even = tally_event([Played(1, 2, "raiders", 1)] * 12, FACTIONS, (), ())
    assert shown(even)["rates"] == "None stands out: every interval includes 50 %."


def test_no_first_is_named_among_equals_and_bars_are_shares_of_all() -> None:
    lists = [Chosen(player, 0, frozenset({("model", "Dog"), ("model", "Cat")})) for player in (1, 2)]
    lists += [Chosen(3, 0, frozenset({("item", "Gun"), ("item", "Bat")})), Chosen(4, 0, frozenset())]
    games = [Played(1, 2, "raiders", 2), Played(3, 4, "raiders", 2)]
    tally = tally_event(games, {1: "Raiders"}, lists, ())
    _, models, items = fielded(tally, BATTLE)[0].charts
    assert models.sentence == "No model is in more than 2 of 4 forces."
    assert items.sentence == "No equipment or skill is in more than 1 of 4 forces."
    wide = {float(width) for width in re.findall(r'class="bar-own"[^>]* width="([\d.]+)"', models.svg)}
    assert wide == {(WIDE - 8) / 2}, "half of the lists have it"
    assert (tally.totals["players"], tally.players.total()) == (4, 1)


def test_table_has_the_rows_about_which_nothing_is_said() -> None:
    games = [Played(1, 2, "raiders", 2)] * 10 + [Played(5, 6, "raiders", 1)]
    tally = tally_event(games, FACTIONS | {5: "Gunners", 6: "Legion"}, (), ())
    (chart,) = [a_chart for a_chart in sections(tally, BATTLE, {})[0].charts if a_chart.id == "rates"]
    assert chart.columns == ("Faction", "Players", "Wins", "Draws", "Losses", "Games", "Won", "95 % interval")
    assert chart.rows == (
        ("Raiders", "1", "10", "0", "0", "10", "100 %", "72–100 %"),
        ("NCR", "1", "0", "0", "10", "10", "0 %", "0–28 %"),
        ("Gunners", "1", "0", "1", "0", "1", "–", "–"),
        ("Legion", "1", "0", "1", "0", "1", "–", "–"),
    )
    assert "Gunners" not in chart.svg
    assert Counter(row[-1] for row in chart.rows)["–"] == 2
