"""The standings after a round, with every tie-break in its order, for the wall and for the records."""

from dataclasses import dataclass
from datetime import datetime

from pdf.fonts import Align, Fitted, draw_text, fit, plain, text_width
from pdf.page import (
    HAIR,
    INK,
    PALE,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    headline,
    headline_height,
    new_paper,
    next_page,
    printable,
    turned,
)


@dataclass(frozen=True)
class Column:
    """A column: its heading, how cells stand, and what an abbreviated heading means (printed once below).

    ``stretch`` columns (names, clubs) share the width that the others leave; ``strong`` ones are bold.
    """

    heading: str
    align: Align = "left"
    meaning: str = ""
    stretch: bool = False
    strong: bool = False


@dataclass(frozen=True)
class Standings:
    """The table: a row holds one text for each column. ``tie_breaks`` stand in the order of deciding."""

    event: str
    after_round: int
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    tie_breaks: tuple[str, ...] = ()
    final: bool = False
    of_teams: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("Every row has one text for each column")


ROW, TALLEST, HEADING = 20.0, 27.0, 16.0
SIZE = 10.5
TWO_LINES, LEADING = 8.2, 1.12
"""Size of a text that needs two lines in its row, and their distance in sizes."""
PAD = 5.0
LEAST_STRETCH, LEAST_SCALE = 90.0, 0.9
"""Columns of names narrower than this many points, or type smaller than this part, ask for the wide page."""


def _widths(standings: Standings, room: float) -> tuple[list[float], float]:
    """Width of each column, and the scale of the type at which they fill the room."""
    needs, least = [], []
    for place, column in enumerate(standings.columns):
        texts = [row[place] for row in standings.rows]
        wanted = max([text_width(text, SIZE, bold=column.strong) for text in texts], default=0.0)
        wanted = max(wanted, text_width(column.heading, 8.5, bold=True)) + 2 * PAD
        needs.append(wanted)
        least.append(min(wanted, LEAST_STRETCH) if column.stretch else wanted)
    scale = min(1.0, room / max(1.0, sum(least)))
    # What is left over goes to the columns that stretch, by what each still wants.
    wants = [need - few for need, few in zip(needs, least, strict=True)]
    if not sum(wants):
        wants = [need * column.stretch for need, column in zip(needs, standings.columns, strict=True)]
    over = room - sum(least) * scale
    share = over / sum(wants) if sum(wants) else 0.0
    return [few * scale + want * share for few, want in zip(least, wants, strict=True)], scale


def _place(x: float, width: float, align: Align) -> float:
    return {"left": x + PAD, "centre": x + width / 2, "right": x + width - PAD}[align]


def _heads(paper: Paper, standings: Standings, widths: list[float], y: float, scale: float) -> float:
    canvas, frame = paper.canvas, paper.frame
    x = frame.left
    y -= HEADING - 5
    for column, width in zip(standings.columns, widths, strict=True):
        draw_text(
            canvas,
            _place(x, width, column.align),
            y,
            column.heading,
            8.5 * scale,
            bold=True,
            max_width=width - 4,
            min_size=4,
            align=column.align,
        )
        x += width
    y -= 5
    canvas.setLineWidth(1.2)
    canvas.line(frame.left, y, frame.right, y)
    return y


def _sizes(standings: Standings, widths: list[float], scale: float) -> list[float]:
    """One size of type for each column, at which three in four of its texts stand on one line."""
    sizes = []
    for place, (column, width) in enumerate(zip(standings.columns, widths, strict=True)):
        texts = sorted(text_width(row[place], 1, bold=column.strong) for row in standings.rows)
        usual = texts[len(texts) * 3 // 4] if texts else 0.0
        room = width - 2 * PAD
        size = SIZE * scale
        if column.stretch and usual * size > room:
            size = max(size * 0.85, room / usual)
        sizes.append(size)
    return sizes


def _fitted(text: str, size: float, room: float, *, bold: bool) -> Fitted:
    """One line about as large as its column, else two smaller ones, cut when even those are too short."""
    cell = fit(text, size, room, bold=bold, min_size=size * 0.9)
    for least in (TWO_LINES, 6.0):
        if cell.cut:
            cell = fit(text, min(size, TWO_LINES), room, bold=bold, min_size=least, max_lines=2)
    return cell


def _row(
    paper: Paper,
    standings: Standings,
    row: tuple[str, ...],
    widths: list[float],
    sizes: list[float],
    y: float,
    height: float,
    *,
    shaded: bool,
) -> None:
    canvas, frame = paper.canvas, paper.frame
    if shaded:
        canvas.setFillGray(PALE)
        canvas.rect(frame.left, y, frame.width, height - HAIR, stroke=0, fill=1)
        canvas.setFillGray(INK)
    x = frame.left
    for column, text, width, size in zip(standings.columns, row, widths, sizes, strict=True):
        cell = _fitted(text, size, width - 2 * PAD, bold=column.strong)
        base = y + (height - cell.size * 0.72) / 2 + cell.size * LEADING / 2 * (len(cell.lines) - 1)
        for line in cell.lines:
            at = _place(x, width, column.align)
            draw_text(canvas, at, base, line, cell.size, bold=column.strong, align=column.align)
            base -= cell.size * LEADING
        x += width
    canvas.setLineWidth(HAIR)
    canvas.line(frame.left, y, frame.right, y)


def _notes(standings: Standings) -> list[str]:
    order = "; ".join(f"{place}. {name}" for place, name in enumerate(standings.tie_breaks, 1))
    meanings = "; ".join(f"{c.heading}: {c.meaning}" for c in standings.columns if plain(c.meaning))
    empty = "" if standings.rows else "No players yet."
    return [f"Ties are broken by {order}." if order else "", meanings, standings.note, empty]


def standings_title(standings: Standings) -> str:
    """What the sheet is called: "Final standings after round 4"."""
    after = f"after round {standings.after_round}" if standings.after_round else "before round 1"
    title = f"{'Team standings' if standings.of_teams else 'Standings'} {after}"
    return f"Final {title[0].lower()}{title[1:]}" if standings.final else title


def standings_sheet(standings: Standings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The standings as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    title = standings_title(standings)
    paper = new_paper(page_size, title=title, event=standings.event, printed_at=printed_at)
    draw_standings(paper, standings)
    return finish(paper)


def draw_standings(paper: Paper, standings: Standings) -> None:
    """The standings, on wide pages when the columns ask for it."""
    title = standings_title(standings)
    wide = _widths(standings, printable(paper.size).width)[1] < LEAST_SCALE
    paper = turned(paper, wide=wide)
    bookmark(paper, title)
    frame = paper.frame
    widths, scale = _widths(standings, frame.width)
    notes = _notes(standings)
    sizes = _sizes(standings, widths, scale)
    room = frame.height - headline_height(frame, notes) - HEADING
    height = min(TALLEST, max(ROW, room / max(1, len(standings.rows))))
    deep = max(1, int(room / height + 0.001))
    pages = [standings.rows[i : i + deep] for i in range(0, len(standings.rows), deep)] or [()]
    for number, page in enumerate(pages, 1):
        y = headline(paper, title, notes)
        if page:
            y = _heads(paper, standings, widths, y, scale)
        for place, row in enumerate(page):
            y -= height
            _row(paper, standings, row, widths, sizes, y, height, shaded=place % 2 == 1)
        foot(paper, title, number, len(pages))
        next_page(paper)
