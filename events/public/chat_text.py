"""A round and the standings as plain text for chats."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from events.store.clock_queries import clock_of
from events.store.outcomes import absence
from events.store.rounds import RoundView, no_opponent, through_words
from events.tournament.boards import Board
from events.tournament.ranking import Row
from languages.words import capital, gettext, labelled
from models.event import Event
from models.play import Game, GameState, Player, Through

PIECE = 2000
"""Characters: the longest message of Discord."""


def round_lines(event: Event, views: Sequence[RoundView], number: int, people: Mapping[int, Player], now: datetime,
                ) -> Iterator[str]:  # fmt: skip
    """A published round: its title, its clock, and a line for each table with the result so far."""
    view = views[number - 1]
    scenario = f" · {view.shared.name}" if view.shared else ""
    of = gettext("Round %(number)s of %(rounds)s", number=number, rounds=len(views))
    yield f"{event.name} · {of}{scenario}"
    clock = clock_of(event, view, [round_view.round for round_view in views], now)
    if clock is not None:
        ends = clock.reading.ends_at
        hour = f"{ends.astimezone(ZoneInfo(event.timezone)):%H:%M}" if ends else ""
        yield clock.reading.words + (", " + gettext("ends at %(hour)s", hour=hour) if hour else "")
    yield from (
        _line(event, view, game, board, people) for game, board in zip(view.games, view.now.boards, strict=True)
    )


def _line(event: Event, view: RoundView, game: Game, board: Board, people: Mapping[int, Player]) -> str:
    if game.b_id is None:
        return labelled(capital(no_opponent(game)), people[game.a_id].name)
    a, b = people[game.a_id].name, people[game.b_id].name
    table = f"{game.table_number}. " if game.table_number and event.season is None else ""
    title = view.title_of(game)
    pair = table + (labelled(capital(title), f"{a} – {b}") if title else f"{a} – {b}")
    if game.absent is not None:
        return labelled(pair, absence(event, game, people))
    if game.state != GameState.CONFIRMED:
        return pair
    score, side = board.score, board.winner
    won = gettext("draw") if side == "draw" else gettext("%(name)s won", name=a if side == "a" else b) if side else ""
    won = through_words(game, Through(board.decision), people) if board.decision else won
    return labelled(pair, ", ".join(filter(None, [score.figures if score else "", won])))


def standings_lines(event: Event, title: str, rows: Sequence[Row]) -> Iterator[str]:
    yield f"{event.name} · {title}"
    for row in rows:
        place = "–" if row.disqualified else f"{row.rank}."
        yield f"{place} {row.name}, {row.merit!s}"


def chat_pieces(lines: Iterator[str], most: int = PIECE) -> list[str]:
    """The lines as texts of at most ``most`` characters, broken between lines; a longer line is cut."""
    pieces: list[str] = []
    for line in lines:
        short = line if len(line) <= most else f"{line[: most - 1]}…"
        if pieces and len(pieces[-1]) + 1 + len(short) <= most:
            pieces[-1] += f"\n{short}"
        else:
            pieces.append(short)
    return pieces
