"""Teams: assign match boards, score matches from their boards, and rank teams, each figure with its arithmetic.

A team is an entrant of the draw and the standings with its own id ("t12"). A board's score comes from the players'
records, so a corrected game also corrects the match.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from events.tournament.figures import VP_SHARE, Entrant, Figure, Result, Scheme, whole
from events.tournament.pairing.tables import block_tables
from events.tournament.ranking import Row, rows_by
from events.tournament.records import Game, Record, Unplayed, records
from events.tournament.tie_breaks import TIE_BREAKS, UNPLAYED, Book
from languages.message import Text, joined, message
from languages.words import N_

Outcome = Literal["a", "b", "draw"]

LEAST_BOARDS, MOST_BOARDS = 2, 8

BOARD_POINTS = "board_points"
TEAM_TIE_BREAKS: tuple[tuple[str, str, str], ...] = (
    (
        BOARD_POINTS,
        N_("Board points"),
        N_("Tournament points of all boards; a bye counts the mean of the matches won"),
    ),
    ("vp", N_("VP"), N_("Victory points of all boards; a bye counts the mean of the matches won")),
    ("sos", N_("SoS"), N_("Strength of schedule: mean of the opposing teams' points per match, without byes")),
    ("lots", N_("Lot"), TIE_BREAKS["lots"].explanation),
)
"""The tie-breaks of teams in order: id, label, explanation."""
SHARE = (
    "vp",
    TIE_BREAKS[VP_SHARE].label,
    N_("VP shares of all boards; a bye counts the mean of the matches won"),
)
CONDUCT = ("conduct", TIE_BREAKS["conduct"].label, TIE_BREAKS["conduct"].explanation)


@dataclass(frozen=True)
class Board:
    """One board of a match: its number from 1 and both players' ids; None for a side without a player."""

    number: int
    a: str | None
    b: str | None


@dataclass(frozen=True)
class Match:
    """Two teams, or team ``a`` with the bye if ``b`` is None. ``block`` is the block of the match's tables."""

    round: int
    a: str
    b: str | None
    block: int | None = None
    boards: tuple[Board, ...] = ()


@dataclass(frozen=True)
class Worth:
    """A team's tournament points and victory points in a match, summed over the boards."""

    points: int = 0
    vp: int = 0


def match_boards(a: Sequence[str | None], b: Sequence[str | None]) -> tuple[Board, ...]:
    """Board 1 against board 1, and so on; boards empty on both sides are left out."""
    pairs = enumerate(zip(a, b, strict=True), start=1)
    return tuple(Board(number, text, other) for number, (text, other) in pairs if text is not None or other is not None)


def board_tables(block: int, size: int, boards: Sequence[Board], fixed: Mapping[str, int]) -> dict[int, int]:
    """The table of each board by number: the block's tables in order, with fixed tables kept.

    ``fixed`` maps players to their only possible table. If two players need the same table, the lower board gets it; a
    table in another block is ignored.
    """
    tables = dict(enumerate(block_tables(block, size), start=1))
    placed: dict[int, int] = {}
    for board in boards:
        wanted = [fixed[text] for text in (board.a, board.b) if text is not None and text in fixed]
        there = [table for table in wanted if table in tables.values() and table not in placed.values()]
        if there:
            placed[board.number] = there[0]
    taken = [*placed.values()]
    placed |= {n: tables[n] for n in (board.number for board in boards) if n not in placed and tables[n] not in taken}
    free = [table for table in tables.values() if table not in placed.values()]
    left = [board.number for board in boards if board.number not in placed]
    return placed | dict(zip(left, free, strict=False))


def worth_of(record: Record | None, round_number: int) -> Worth:
    """A player's points and VP in a round, with or without a game."""
    played: tuple[Game | Unplayed, ...] = (*record.games, *record.unplayed) if record else ()
    return next((Worth(game.points, game.vp) for game in played if game.round == round_number), Worth())


def match_worth(match: Match, players: Mapping[str, Record]) -> tuple[Worth, Worth]:
    """Both teams' scores on the decided boards. An empty board scores nothing; its opponent wins it."""

    def side(ids: Iterable[str | None]) -> Worth:
        each = [worth_of(players.get(id_), match.round) for id_ in ids if id_ is not None]
        return Worth(sum(worth.points for worth in each), sum(worth.vp for worth in each))

    return side(board.a for board in match.boards), side(board.b for board in match.boards)


def team_results(
    matches: Iterable[Match], players: Mapping[str, Record]
) -> tuple[list[Result], dict[tuple[int, str], int]]:
    """The matches as results of teams, and the board points of each team by round and id.

    The team with more tournament points on its boards wins, regardless of victory points; equal points are a draw. Byes
    have no board points here.
    """
    results: list[Result] = []
    points: dict[tuple[int, str], int] = {}
    for match in matches:
        if match.b is None:
            results.append(Result(match.round, match.a, None))
            continue
        a, b = match_worth(match, players)
        points[match.round, match.a], points[match.round, match.b] = a.points, b.points
        won: Outcome = "a" if a.points > b.points else "b" if b.points > a.points else "draw"
        scenario = _scenario_of(match, players)
        results.append(Result(match.round, match.a, match.b, a.vp, b.vp, match.block, won, scenario=scenario))
    return results, points


def _scenario_of(match: Match, players: Mapping[str, Record]) -> str | None:
    """The scenario of the played boards; all boards of a round play the same one."""
    sides = [players[id_] for board in match.boards for id_ in (board.a, board.b) if id_ is not None and id_ in players]
    return next((game.scenario for record in sides for game in record.games if game.round == match.round), None)


def team_tie_breaks(scheme: Scheme) -> tuple[tuple[str, str, str], ...]:
    """The tie-breaks for an event's teams; the conduct tie-break, if used, goes before the lots."""
    points, vp, *between, lots = TEAM_TIE_BREAKS
    of_vp = () if not scheme.vp_known else (SHARE,) if scheme.shares else (vp,)
    conduct = (CONDUCT,) if CONDUCT[0] in scheme.tie_breaks else ()
    return (points, *of_vp, *between, *conduct, lots)


def team_ranking_rows(
    matches: Sequence[Match], teams: Iterable[Entrant], players: Mapping[str, Record], scheme: Scheme
) -> list[Row]:
    """The teams' rows, best first: by team points, then by ``team_tie_breaks``.

    ``players`` are the players' records by id. A bye counts as a won match with the mean board points and victory
    points of the winning teams so far, rounded half up, or 0. Raises ValueError as ``records`` does.
    """
    results, board_points = team_results(matches, players)
    order = tuple(id_ for id_, _, _ in team_tie_breaks(scheme))
    scheme = replace(scheme, tie_breaks=order, bye_vp=None, shares=False)  # board scores are shares already
    book = Book(records(results, teams, scheme), scheme)
    bye_points = mean_winning_points(results, board_points)

    def of_boards(book: Book, team: str, tied: Sequence[str]) -> Figure:
        return _board_points(book, team, board_points, bye_points)

    tie_breaks = [of_boards if id_ == BOARD_POINTS else TIE_BREAKS[id_].function for id_ in order]
    return rows_by(book, [list(book.records)], tie_breaks)


def mean_winning_points(results: Iterable[Result], board_points: Mapping[tuple[int, str], int]) -> int:
    """The mean board points of winning teams, rounded half up; 0 before the first win."""
    decided = [r for r in results if r.b is not None and r.winner != "draw"]
    won = [board_points[r.round, r.a if r.winner == "a" else r.b or ""] for r in decided]
    return int(Fraction(sum(won), len(won)) + Fraction(1, 2)) if won else 0


def _board_points(book: Book, team: str, points: Mapping[tuple[int, str], int], bye_points: int) -> Figure:
    record = book.records[team]
    made = [(points[game.round, team], game.opponent) for game in record.games]
    terms: list[Text] = [message("%(n)s against %(name)s", n=number, name=book.name(other)) for number, other in made]
    terms += [joined((bye_points, message(UNPLAYED["bye"][0])), "()") for _ in record.bye_rounds]
    provisional = book.scheme.unfinished and bool(record.bye_rounds)
    return whole(
        sum(number for number, _ in made) + bye_points * len(record.bye_rounds), terms, provisional=provisional
    )
