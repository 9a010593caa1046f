"""The table while a round is played: the rows with the results that are in, and where each row can still end. Pure.

The bounds are sure: they use only the tournament points that open games can bring, and figures that no open game can
change. Whether a row really can end at its bounds is tried with possible results, where that is cheap.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product, takewhile
from math import inf, prod

from events.tournament.boards import Board
from events.tournament.figures import OF_VP, Result, Scheme
from events.tournament.ranking import Row
from events.tournament.scores import doubts_about
from events.tournament.standings import Standings
from events.tournament.team_ranking import BOARD_POINTS, Match, team_tie_breaks
from events.tournament.tournament import Tournament
from validators.game_system import GameSystem
from validators.report_detail import OUTCOMES, WON
from validators.scenario import SIDES, Answers, Scenario

OWN_FIGURES = ("wins", "painting", "sportsmanship", "conduct", "lots", BOARD_POINTS)
"""The tie-breaks that no game of other players changes."""
FEW = 2
"""With at most this number of open games, every combination of their tournament points is considered."""
MOST_ROWS = 1600
"""The rows that are ranked at most to try possible results."""


@dataclass(frozen=True)
class Span:
    """The best and the worst place in which a row can end once all open games are decided."""

    best: int
    worst: int
    is_exact: bool = False
    """Whether possible results lead to both."""


@dataclass(frozen=True)
class Live:
    """The rows with all results that are in, and the spans of those that can still move, by id."""

    rows: Sequence[Row]
    spans: Mapping[str, Span]

    @property
    def cache_bytes(self) -> int:
        return 5_000 * len(self.rows)


def live_table(table: Standings, *, of_teams: bool = False) -> Live:
    """The table after all published rounds of a day. A match of teams counts once all its boards are decided."""
    t, last = table.t, len(table.t.published)
    boards = [board for round_ in t.published for board in round_.boards if board.b and round_.is_open(board)]
    if of_teams:
        matches = _open_matches(t, boards)
        decided = tuple(replace(r, matches=tuple(m for m in r.matches if m not in matches)) for r in t.rounds)
        rows = Standings(replace(t, rounds=decided), table.extras).teams_as_of(last)
        pairs, scheme = [(match.a, match.b or "") for match in matches], t.rules.match_scheme
    else:
        rows, scheme = table.players_as_of(last), t.rules.scheme
        pairs = [(board.a, board.b or "") for board in boards]
    if t.bracket(last):
        return Live(rows, dict.fromkeys(t.in_bracket(last), Span(1, len(rows))))
    ranked = [row for row in rows if not row.disqualified]
    bounds = _bounds(ranked, pairs, scheme, _steady(t, scheme, of_teams=of_teams))
    seen = {row.id for row in rows} | {id_ for id_, side in t.players.items() if side.ringer}
    if any(id_ not in seen for pair in pairs for id_ in pair) or any(r.choosing for r in t.published if not of_teams):
        bounds = {row.id: Span(1, len(rows) + 2 * len(pairs)) for row in rows}  # further rows can come
    moves = {row.id: bounds[row.id] for row in ranked if bounds[row.id] != Span(row.rank, row.rank)}
    tried = {} if of_teams or not moves else _places_tried(table, boards, len(rows))
    return Live(rows, {id_: replace(span, is_exact={span.best, span.worst} <= tried.get(id_, set()))
                       for id_, span in moves.items()})  # fmt: skip


def _open_matches(t: Tournament, boards: Iterable[Board]) -> list[Match]:
    playing = {(board.round, id_) for board in boards for id_ in (board.a, board.b)}
    return [
        match
        for round_ in t.published
        for match in round_.matches
        if match.b and (not match.boards or any((match.round, board.a or board.b) in playing for board in match.boards))
    ]


def _steady(t: Tournament, scheme: Scheme, *, of_teams: bool) -> list[str]:
    """The tie-breaks, from the first, that no game of other players changes.

    A concession's victory points can follow the winners' mean: the winner's are marked as provisional, but neither the
    loser's share, nor the differences, nor those of teams.
    """
    if of_teams:
        return [*takewhile(OWN_FIGURES.__contains__, (id_ for id_, _, _ in team_tie_breaks(scheme)))]
    by_mean = scheme.bye_vp is None and any(result.conceded for result in t.results(len(t.published)))
    of_vp = OF_VP if not by_mean else () if scheme.shares else OF_VP[:1]
    return [*takewhile((*OWN_FIGURES, *of_vp).__contains__, scheme.tie_breaks)]


def _bounds(
    rows: Sequence[Row], pairs: Sequence[tuple[str, str]], scheme: Scheme, steady: Sequence[str]
) -> dict[str, Span]:
    """Each row's sure bounds by id, from the points and the ``steady`` figures."""
    playing, level = {id_ for pair in pairs for id_ in pair}, defaultdict[object, list[Row]](list)
    first = {row.id: _first_figure(row, steady, plays=row.id in playing) for row in rows}
    for row in rows:
        if row.id not in playing:
            level[row.points, first[row.id]].append(row)
    above, not_above, spans = defaultdict[str, int](int), defaultdict[str, int](int), dict[str, Span]()
    for row, other in (pair for tied in level.values() for pair in combinations(tied, 2)):
        sign = _order(row, other, len(steady))
        if sign is not None:
            higher, lower = (row, other) if sign >= 0 else (other, row)
            not_above[higher.id] += 1
            (above if sign else not_above)[lower.id] += 1
    for gains in _gains(pairs, scheme):
        least = {row.id: (row.points + gains[row.id][0], first[row.id][0]) for row in rows}
        most = {row.id: (row.points + gains[row.id][1], first[row.id][1]) for row in rows}
        all_least, all_most = sorted(least.values()), sorted(most.values())
        for row in rows:
            best = 1 + len(rows) - bisect_right(all_least, most[row.id]) + above[row.id]
            worst = len(rows) - bisect_left(all_most, least[row.id]) - not_above[row.id]
            span = spans.get(row.id, Span(best, worst))
            spans[row.id] = Span(min(span.best, best), max(span.worst, worst))
    return spans


def _first_figure(row: Row, steady: Sequence[str], *, plays: bool) -> tuple[Fraction | float, Fraction | float]:
    """The least and the most that a row's first tie-break can be; a game adds to all but the VP difference."""
    if not steady or row.figures[0].provisional or (plays and steady[0] == "vp_difference"):
        return -inf, inf
    return row.figures[0].value, inf if plays else row.figures[0].value


def _order(row: Row, other: Row, steady: int) -> int | None:
    """1 if a row with the same points surely stays above the other, -1 below, 0 level; None if that is not sure."""
    for own, others in zip(row.figures[:steady], other.figures[:steady], strict=True):
        if own.provisional or others.provisional:
            return None
        if own.value != others.value:
            return 1 if own.value > others.value else -1
    return 0 if steady == len(row.figures) else None


def _gains(pairs: Sequence[tuple[str, str]], scheme: Scheme) -> Iterator[Mapping[str, tuple[int, int]]]:
    """The least and the most tournament points that the open games bring to each player, for each way they can end."""
    win, draw, loss, most = scheme.win, scheme.draw, scheme.loss, max(scheme.win, scheme.most)
    exact = {(win, loss), (loss, win), (draw, draw), (win, 0), (0, win), (0, 0)}  # the last three by no-show
    few = len(pairs) <= FEW and scheme.table is None
    ways = {((a, a), (b, b)) for a, b in exact} if few else {((0, most), (0, most))}
    for ends in product(ways, repeat=len(pairs)) if few else [[*ways] * len(pairs)]:
        gains = defaultdict[str, tuple[int, int]](lambda: (0, 0))
        for sides, way in zip(pairs, ends, strict=True):
            for id_, (least, best) in zip(sides, way, strict=True):
                gains[id_] = gains[id_][0] + least, gains[id_][1] + best
        yield gains


def _places_tried(table: Standings, boards: Sequence[Board], rows: int) -> dict[str, set[int]]:
    """The places of each player that possible results of the open games lead to; none where that takes too long."""
    places = defaultdict[str, set[int]](set)
    each = [[*_possible_results(board)] for board in boards[: FEW + 1]]
    if len(boards) <= FEW and prod(map(len, each)) * rows <= MOST_ROWS:
        for results in product(*each):
            for row in table.players_with(results):
                places[row.id].add(row.rank)
    return places


def _possible_results(board: Board) -> Iterator[Result]:
    """The results with the most and the fewest victory points of each side, and no-shows."""
    for answers in _possible_answers(board.rules.system, board.scenario) if board.scenario else ():
        result = replace(board, answers=answers, confirmed=True, absent=None).result
        if result is not None:
            yield result
    for absent in ("a", "b", "both"):
        yield Result(board.round, board.a, board.b, absent=absent)


def _possible_answers(system: GameSystem, scenario: Scenario) -> list[Answers]:
    figures = [question for question in scenario.questions if question.kind != "choice"]
    nothing = dict.fromkeys((question.key for question in figures), 0)
    tries: list[Answers] = [{WON: word} for word in OUTCOMES] if scenario.detail == "outcome" else [nothing]
    for side in SIDES:
        own = [question for question in figures if (question.side == side) != question.for_enemy]
        tries += (
            [nothing | {q.key: q.usual or q.most for q in own}, nothing | {q.key: 1 for q in own[:1]}] if own else []
        )
    return [answers for answers in tries if not any(doubt.refused for doubt in doubts_about(system, scenario, answers))]
