"""The table while a round is played: the rows with the results that are in, and where each row can still end. Pure.

Bounds come only from the tournament points that open games can bring, and from figures that no open game can change.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product, takewhile
from math import inf

from events.tournament.boards import Board
from events.tournament.figures import OF_VP, Scheme
from events.tournament.ranking import Row
from events.tournament.standings import Standings
from events.tournament.team_ranking import BOARD_POINTS, Match, team_tie_breaks
from events.tournament.tournament import Tournament

OWN_FIGURES = ("wins", "painting", "sportsmanship", "conduct", "lots", BOARD_POINTS)
"""The tie-breaks that no game of other players changes."""
FEW = 2
"""With at most this number of open games, every combination of their tournament points is considered."""


@dataclass(frozen=True)
class Span:
    """The best and the worst place in which a row can end once all open games are decided."""

    best: int
    worst: int
    is_exact: bool = False
    """Whether possible points of the open games surely lead to both."""


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
    few = not of_teams and scheme.table is None and len(pairs) <= FEW
    spans = _spans(ranked, _gains(pairs, scheme, few=few), _steady(t, scheme, of_teams=of_teams))
    seen = {row.id for row in rows} | {id_ for id_, side in t.players.items() if side.ringer}
    if any(id_ not in seen for pair in pairs for id_ in pair) or any(r.choosing for r in t.published if not of_teams):
        spans = {row.id: Span(1, len(rows) + 2 * len(pairs)) for row in ranked}  # further rows can come
    return Live(rows, {id_: span for id_, span in spans.items() if span.best < span.worst})


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


def _spans(
    rows: Sequence[Row], gains: Iterable[tuple[Counter[str], Counter[str]]], steady: Sequence[str]
) -> dict[str, Span]:
    """Each row's span by id, from the points and the ``steady`` figures: a game adds to all but the VP difference."""
    growing = [*takewhile(lambda id_: id_ != "vp_difference", steady)]
    ends: dict[str, set[tuple[int, int]]] = {row.id: set() for row in rows}
    for least, most in gains:
        lows = {row.id: _merits(row, least, growing if row.id in least else steady, -inf) for row in rows}
        highs = {row.id: _merits(row, most, () if row.id in most else steady, inf) for row in rows}
        all_lows, all_highs = sorted(lows.values()), sorted(highs.values())
        for id_ in ends:
            best = 1 + len(rows) - bisect_right(all_lows, highs[id_])
            worst = 1 + len(rows) - bisect_right(all_highs, lows[id_]) - (highs[id_] > lows[id_])
            ends[id_].add((best, worst))
    spans = {id_: (min(best for best, _ in each), max(worst for _, worst in each)) for id_, each in ends.items()}
    return {id_: Span(*span, is_exact={(end, end) for end in span} <= ends[id_]) for id_, span in spans.items()}


def _merits(row: Row, gains: Counter[str], sure: Sequence[str], unsure: float) -> tuple[Fraction | float, ...]:
    """The points and the sure figures up to the first provisional one; then ``unsure`` unless these are all."""
    figures = [*takewhile(lambda figure: not figure.provisional, row.figures[: len(sure)])]
    more = [unsure] if len(figures) < len(row.figures) else []
    return (row.points + gains[row.id], *(figure.value for figure in figures), *more)


def _gains(
    pairs: Sequence[tuple[str, str]], scheme: Scheme, *, few: bool
) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """The least and the most tournament points of those who play the open games, for each way these can end."""
    if not few:
        games = Counter(id_ for pair in pairs for id_ in pair)
        most = max(scheme.win, scheme.most)
        yield Counter(dict.fromkeys(games, 0)), Counter({id_: most * number for id_, number in games.items()})
        return
    win, draw, loss = scheme.win, scheme.draw, scheme.loss
    ways = ((win, loss), (loss, win), (draw, draw), (win, None), (None, win), (None, None))  # None: not there
    for each in product(ways, repeat=len(pairs)):
        gains = Counter[str]()
        for pair, points in zip(pairs, each, strict=True):
            gains.update({id_: gained for id_, gained in zip(pair, points, strict=True) if gained is not None})
        yield gains, gains
