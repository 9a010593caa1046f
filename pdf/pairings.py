"""Pairings of a round for the wall: by table for the hall, by name so that players find their tables."""

import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, plain, put_text, text_width
from pdf.page import (
    HAIR,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    headline,
    headline_height,
    new_paper,
    next_page,
    turned,
)
from pdf.tags import part


@dataclass(frozen=True)
class PairedPlayer:
    """One player of a pairing; ``standing`` is an optional text after the name ("2–0–0, 6 points")."""

    name: str
    club: str = ""
    faction: str = ""
    standing: str = ""


@dataclass(frozen=True)
class PairingRow:
    """A table with both players; without ``b`` player ``a`` has the bye and ``table`` is None.

    ``scenario`` is what this table plays, where that differs from table to table; ``fixed``: a player cannot play at
    another table.
    """

    table: int | None
    a: PairedPlayer
    b: PairedPlayer | None = None
    without: str = "bye"
    """Why there is no game, where there is none."""
    scenario: str = ""
    fixed: bool = False
    between: str = "v"


@dataclass(frozen=True)
class RoundPairings:
    """All pairings of one round. ``scenario`` and ``starts`` ("starts 14:15, 90 minutes") may be empty.

    ``title`` stands for "Round 3" where that does not say enough, or it is no round.
    """

    event: str
    round_number: int
    rows: tuple[PairingRow, ...]
    scenario: str = ""
    starts: str = ""
    title: str = ""
    between: str = "against"

    @property
    def headed(self) -> str:
        """What the sheet is called."""
        return self.title or f"Round {self.round_number}"

    @property
    def tables(self) -> str:
        """The title of the sheet by table."""
        return f"{self.headed} · Tables"

    @property
    def names(self) -> str:
        """The title of the sheet by name."""
        return f"{self.headed} · Find your table"


EMPTY = "No pairings yet: draw the round and publish it, then print again."
TABLE_ROW, NAME_ROW, HEADING = 31.0, 32.0, 17.0
SCENARIO_LINE = 10.0
"""Extra height of a row that names its table's scenario."""
LARGEST, LARGEST_TABLE = 1.5, 1.9
"""How much larger than its least size a list is set when the page has room for it."""


def _notes(pairings: RoundPairings) -> list[str]:
    if not pairings.rows:
        return [EMPTY]
    return [" · ".join(part for part in (pairings.scenario, pairings.starts) if plain(part))]


def _about(player: PairedPlayer) -> str:
    return " · ".join(part for part in (player.faction, player.club, player.standing) if plain(part))


def _scale(room: float, row: float, rows: int, largest: float) -> float:
    """The type grows until the rows fill the page; lists of more than a page keep the least size."""
    return min(largest, max(1.0, room / (row * max(1, rows))))


TWO_COLUMNS = 400.0
"""A frame narrower than this has room for one column of names."""
NUMBER, VERSUS, LEADING = 62.0, 34.0, 1.06
"""Widths of the column of table numbers and of the gap between the two players; from line to line of a name."""


def _name(canvas: Canvas, x: float, base: float, width: float, name: str, scale: float) -> None:
    """A name on one line, or on two in the same height, as large as it fits."""
    high = 18 * scale
    fitted = fit(name, 14 * scale, width, bold=True, min_size=7, max_lines=2, max_height=high, leading=LEADING)
    y = base + (len(fitted.lines) - 1) * fitted.size * LEADING * 0.75
    for line in fitted.lines:
        put_text(canvas, x, y, line, fitted.size, True)
        y -= fitted.size * LEADING


def _player(canvas: Canvas, x: float, y: float, width: float, player: PairedPlayer, scale: float) -> None:
    _name(canvas, x, y + 14.5 * scale, width, player.name, scale)
    draw_text(canvas, x, y + 4 * scale, _about(player), 8 * min(scale, 1.15), max_width=width, min_size=7)


def _table_row(paper: Paper, row: PairingRow, y: float, height: float, scale: float) -> None:
    canvas, frame = paper.canvas, paper.frame
    half = (frame.width - NUMBER - VERSUS) / 2
    left = frame.left + NUMBER + 6
    right = left + half + 22
    line, y = y, y + height - TABLE_ROW * scale
    if row.scenario:
        text = f"Scenario: {row.scenario}"
        draw_text(canvas, left, line + 4 * scale, text, 8.5 * min(scale, 1.15), bold=True, max_width=frame.right - left)
    if row.table is not None:
        tight = row.fixed and y == line
        at = frame.left + NUMBER / 2
        if row.fixed:
            draw_text(canvas, at, line + 2.5 * scale, "fixed table", 7 * min(scale, 1.15), align="centre")
        draw_text(
            canvas, at, y + (9.5 if tight else 7.5) * scale, str(row.table), (21 if tight else 23) * scale,
            bold=True, max_width=NUMBER - 8, min_size=8, align="centre",
        )  # fmt: skip
    _player(canvas, left, y, half, row.a, scale)
    if row.b is None:
        draw_text(canvas, right, y + 10 * scale, row.without.capitalize(), 14 * scale, bold=True)
    else:
        draw_text(canvas, left + half + 11, y + 11 * scale, row.between, 10, align="centre")
        _player(canvas, right, y, half, row.b, scale)
    canvas.setLineWidth(HAIR)
    canvas.line(frame.left, line, frame.right, line)


def pairings_by_table(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The round in table order, byes last, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=pairings.tables, event=pairings.event, printed_at=printed_at)
    draw_pairings_by_table(paper, pairings)
    return finish(paper)


def draw_pairings_by_table(paper: Paper, pairings: RoundPairings) -> None:
    """The round in table order, byes last."""
    paper, title = turned(paper, wide=False), pairings.tables
    bookmark(paper, title)
    rows = sorted(pairings.rows, key=lambda row: (row.b is None, row.table or 0))
    notes = _notes(pairings)
    head = headline_height(paper.frame, notes) + HEADING
    high = TABLE_ROW + (SCENARIO_LINE if any(plain(row.scenario) for row in rows) else 0)
    scale = _scale(paper.frame.height - head, high, len(rows), LARGEST_TABLE)
    room = max(1, int((paper.frame.height - head) / (high * scale) + 0.001))
    pages = [rows[i : i + room] for i in range(0, len(rows), room)] or [[]]
    for number, page in enumerate(pages, 1):
        y = headline(paper, title, notes)
        if page:
            y -= HEADING - 5
            canvas, frame = paper.canvas, paper.frame
            draw_text(canvas, frame.left + NUMBER / 2, y, "Table", 9, bold=True, align="centre")
            draw_text(canvas, frame.left + NUMBER + 6, y, "Player A", 9, bold=True)
            half = (frame.width - NUMBER - VERSUS) / 2
            draw_text(canvas, frame.left + NUMBER + half + 28, y, "Player B", 9, bold=True)
            y -= 5
            canvas.setLineWidth(1.2)
            canvas.line(frame.left, y, frame.right, y)
            for row in page:
                y -= high * scale
                with part(canvas, "LBody", ("L", title), ("LI", row)):
                    _table_row(paper, row, y, high * scale, scale)
        foot(paper, title, number, len(pages))
        next_page(paper)


NO_GAME = {"bye": "no game this round"}
"""Texts for players without a game; any other reason is printed as it is."""


@dataclass(frozen=True)
class _Entry:
    player: PairedPlayer
    table: int | None
    opponent: PairedPlayer | None
    shared: bool
    """Another player of this round has the same name."""
    without: str
    scenario: str
    between: str


def name_key(name: str) -> tuple[str, str]:
    """Names in the order people look them up: case and accents aside ("Öz" by "Oz"), then as written."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return bare.casefold().replace("ł", "l"), name


def _entry(canvas: Canvas, x: float, y: float, width: float, entry: _Entry, scale: float) -> None:
    row = NAME_ROW * scale
    number = f"{entry.table}" if entry.table is not None else "Bye" if entry.without.startswith("bye") else "–"
    size = 24 * scale if entry.table is not None else 15 * scale
    room = min(54 * scale, max(34 * scale, text_width(number, size, bold=True)))
    taken = room + 12
    left = x + 3
    _name(canvas, left, y + row * 0.53, width - taken, entry.player.name, scale)
    against = f"{entry.between} {entry.opponent.name}" if entry.opponent else NO_GAME.get(entry.without, entry.without)
    against += f" · {entry.scenario}" if plain(entry.scenario) else ""
    # The club is shown only for players who share a name; after an opponent's name it could be either's.
    line = f"{entry.player.club} · {against}" if entry.shared and plain(entry.player.club) else against
    draw_text(canvas, left, y + row * 0.13, line, 8.5 * scale, max_width=width - taken, min_size=7)
    base = y + (row - size * 0.71) / 2
    draw_text(canvas, x + width - 3, base, number, size, bold=True, max_width=room, align="right")
    canvas.setLineWidth(HAIR)
    canvas.line(x, y, x + width, y)


def _entries(pairings: RoundPairings) -> list[_Entry]:
    players = [p for row in pairings.rows for p in (row.a, row.b) if p is not None]
    names = Counter(plain(player.name) for player in players)
    return [
        _Entry(player, row.table, opponent, names[plain(player.name)] > 1, row.without, row.scenario, pairings.between)
        for row in pairings.rows
        for player, opponent in ((row.a, row.b), (row.b, row.a))
        if player is not None
    ]


def pairings_by_name(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """Every player by name with the table and the opponent, as a PDF; two columns when there are many.

    Players with a bye are sorted among the others. ``printed_at`` must know its time zone (ValueError).
    """
    paper = new_paper(page_size, title=pairings.names, event=pairings.event, printed_at=printed_at)
    draw_pairings_by_name(paper, pairings)
    return finish(paper)


def draw_pairings_by_name(paper: Paper, pairings: RoundPairings) -> None:
    """Every player by name; two columns when there are many."""
    paper, title = turned(paper, wide=False), pairings.names
    bookmark(paper, title)
    entries = _entries(pairings)
    entries.sort(key=lambda entry: (name_key(plain(entry.player.name)), entry.table or 0))
    canvas, frame = paper.canvas, paper.frame
    gap = 18.0
    notes = _notes(pairings)
    room = frame.height - headline_height(frame, notes) - HEADING
    columns = 1 if len(entries) * NAME_ROW <= room or frame.width < TWO_COLUMNS else 2
    scale = _scale(room, NAME_ROW, -(-len(entries) // columns), LARGEST)
    width = (frame.width - gap * (columns - 1)) / columns
    deep = max(1, int(room / (NAME_ROW * scale) + 0.001))
    per_page = deep * columns
    pages = [entries[i : i + per_page] for i in range(0, len(entries), per_page)] or [[]]
    for number, page in enumerate(pages, 1):
        top = headline(paper, title, notes)
        # The last page fills both columns evenly.
        tall = deep if len(page) == per_page else -(-len(page) // columns)
        for column in range(columns if page else 0):
            x = frame.left + column * (width + gap)
            draw_text(canvas, x + 3, top - HEADING + 5, "Player", 8.5, bold=True)
            draw_text(canvas, x + width - 3, top - HEADING + 5, "Table", 8.5, bold=True, align="right")
            canvas.setLineWidth(1.2)
            canvas.line(x, top - HEADING, x + width, top - HEADING)
            y = top - HEADING
            for entry in page[column * tall : (column + 1) * tall]:
                y -= NAME_ROW * scale
                with part(canvas, "LBody", ("L", title), ("LI", entry)):
                    _entry(canvas, x, y, width, entry, scale)
        foot(paper, title, number, len(pages))
        next_page(paper)
