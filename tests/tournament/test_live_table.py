"""The table of a running round: played out at random, no row ends outside its span, and no settled row moves."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from events.tournament.boards import Board, PlayRules, TournamentRound
from events.tournament.endings import Ending
from events.tournament.figures import Scheme
from events.tournament.live import Span, live_table
from events.tournament.points_table import PointsTable, Step
from events.tournament.ranking import Row
from events.tournament.scores import Ended
from events.tournament.standings import Standings
from events.tournament.team_ranking import Board as TeamBoard
from events.tournament.team_ranking import Match
from events.tournament.tournament import Adjustment, Side, Tournament
from tests.tournament.test_tournament import SYSTEM, board, event, knockout, swiss

TABLE = PointsTable((Step(3, 12, 8), Step(8, 15, 5), Step(None, 20, 0)), 10, 18)
ENDINGS = (None, None, None, Ending.CONCEDED_A, Ending.CONCEDED_B, Ending.NOT_PLAYED, Ending.UNFINISHED)
SCHEMES = (
    Scheme(),
    Scheme(bye_vp=5),
    Scheme(win=2, draw=1, loss=1, tie_breaks=("vp_difference", "buchholz", "head_to_head"), not_played="draw"),
    Scheme(tie_breaks=("sos", "wins", "esos"), asked_bye="loss"),
    Scheme(tie_breaks=("vp",), vp_cap=4, conceded_vp="scored"),
    Scheme(tie_breaks=("vp_share", "omw"), shares=True),
    Scheme(win=18, draw=10, loss=0, table=TABLE),
    Scheme(tie_breaks=()),
)


def with_result(game: Board, chance: random.Random) -> Board:
    """A game with a possible result, or with a no-show."""
    if chance.random() < 0.15:
        return replace(game, absent=chance.choice(("a", "b", "both")), confirmed=True, reported=True)
    answers = {"a.total": chance.choice((0, 1, 3, 9, 20)), "b.total": chance.choice((0, 1, 3, 9, 20))}
    return replace(game, answers=answers, how=Ended(chance.choice(ENDINGS)), confirmed=True, reported=True)


def round_at_random(
    number: int, ids: Sequence[str], rules: PlayRules, decided: int, chance: random.Random
) -> TournamentRound:
    """A round in which this number of games is decided; the last player has a bye if the number of players is odd."""
    order = chance.sample(ids, len(ids))
    games = [
        replace(board(100 * number + i, number, a, b), rules=rules)
        for i, (a, b) in enumerate(zip(order[::2], order[1::2], strict=False))
    ]
    games = [with_result(game, chance) if i < decided else game for i, game in enumerate(games)]
    byes = [replace(board(100 * number + 99, number, order[-1], None), rules=rules)] if len(ids) % 2 else []
    return swiss(number, *games, *byes)


def events_at_random(chance: random.Random) -> Iterator[Tournament]:
    for scheme in SCHEMES:
        players = [str(number) for number in range(1, chance.randint(4, 13))]
        rules = PlayRules(SYSTEM, replace(scheme, unfinished=True, seed=chance.randrange(99)), Scheme())
        sides = {id_: Side(id_, f"P{id_}") for id_ in players}
        last = chance.randint(1, 4)
        games = len(players) // 2
        rounds = [round_at_random(number, players, rules, games, chance) for number in range(1, last)]
        rounds.append(round_at_random(last, players, rules, games - chance.randint(1, min(3, games)), chance))
        fine = Adjustment(chance.choice(players), 1, points=-1, disqualifies=chance.random() < 0.1)
        yield Tournament(rules, sides, {}, tuple(rounds), (fine,) if chance.random() < 0.3 else ())


def played_out(t: Tournament, chance: random.Random) -> list[Row]:
    """The rows after the round in one of its possible ends."""
    *before, last = t.rounds
    boards = tuple(game if game.confirmed else with_result(game, chance) for game in last.boards)
    return Standings(replace(t, rounds=(*before, replace(last, boards=boards))), {}).of_players()


def faults(seeds: range) -> list[str]:
    """Each row that ended outside its span, or moved although no range was shown."""
    wrong = []
    for seed in seeds:
        chance = random.Random(seed)
        for t in events_at_random(chance):
            shown = live_table(Standings(t, {}))
            now = {row.id: Span(row.rank, row.rank) for row in shown.rows}
            for _ in range(12):
                for row in played_out(t, chance):
                    span = shown.spans.get(row.id) or now[row.id]
                    if not row.disqualified and not span.best <= row.rank <= span.worst:
                        wrong.append(f"seed {seed}, {t.rules.scheme}: {row.name} is {row.rank}, not in {span}")
    return wrong


def test_ends_of_an_exact_span_are_places_of_possible_results() -> None:
    """Four players, Swiss: 1 beat 2 by 5 : 1 and 3 beat 4 by 4 : 3; now 1 meets 3, and 2 beat 4 by 2 : 1."""
    first = swiss(1, board(1, 1, "1", "2", (5, 1)), board(2, 1, "3", "4", (4, 3)))
    t = event(first, swiss(2, board(3, 2, "1", "3"), board(4, 2, "2", "4", (2, 1))))
    shown = live_table(Standings(t, {}))
    assert [row.id for row in shown.rows] == ["1", "3", "2", "4"]
    spans = {id_: (span.best, span.worst) for id_, span in shown.spans.items() if span.is_exact}
    assert spans == {"1": (1, 2), "3": (1, 2)}, "2 and 4 are settled"
    assert shown.spans.keys() == spans.keys()


def test_players_in_a_bracket_are_open_and_others_settled() -> None:
    t = event(knockout(1, board(1, 1, "1", "4", (5, 3)), board(2, 1, "2", "3")))
    assert live_table(Standings(t, {})).spans.keys() == {"1", "2", "3"}


def test_no_row_ends_outside_its_span() -> None:
    assert faults(range(15)) == []


@pytest.mark.sweep
def test_no_row_ends_outside_its_span_in_many_events() -> None:
    assert faults(range(1000, 1400)) == []


def teams_at_random(chance: random.Random) -> Tournament:
    """Teams of two whose last round has open boards; the last team has a bye if the number of teams is odd."""
    rules = PlayRules(SYSTEM, Scheme(unfinished=True), Scheme(unfinished=True), team_size=2)
    teams = [f"t{number}" for number in range(1, chance.randint(4, 8))]
    players = {f"{team[1]}{seat}": Side(f"{team[1]}{seat}", f"P{team}{seat}") for team in teams for seat in "12"}
    rounds = []
    for number in (1, 2, 3):
        order, games, matches = chance.sample(teams, len(teams)), list[Board](), list[Match]()
        for a, b in zip(order[::2], order[1::2], strict=False):
            boards = tuple(TeamBoard(int(seat), a[1] + seat, b[1] + seat) for seat in "12")
            matches.append(Match(number, a, b, len(matches) + 1, boards))
            games += [replace(board(100 * number + len(games) + i, number, str(seat.a), seat.b), rules=rules)
                      for i, seat in enumerate(boards)]  # fmt: skip
        matches += [Match(number, order[-1], None)] if len(order) % 2 else []
        still = 0 if number < 3 else chance.randint(1, 3)
        games = [with_result(game, chance) if i >= still else game for i, game in enumerate(games)]
        rounds.append(replace(swiss(number, *games), matches=tuple(matches), team_size=2))
    return Tournament(rules, players, {team: Side(team, team) for team in teams}, tuple(rounds))


def test_no_team_ends_outside_its_span() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        t = teams_at_random(chance)
        shown = live_table(Standings(t, {}), of_teams=True)
        now = {row.id: Span(row.rank, row.rank) for row in shown.rows}
        for _ in range(8):
            *before, last = t.rounds
            boards = tuple(game if game.confirmed else with_result(game, chance) for game in last.boards)
            ended = replace(t, rounds=(*before, replace(last, boards=boards)))
            for row in Standings(ended, {}).of_teams():
                span = shown.spans.get(row.id) or now[row.id]
                assert span.best <= row.rank <= span.worst, f"seed {seed}: {row.name} is {row.rank}, not in {span}"
