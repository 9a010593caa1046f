"""The standings after a round, with every tie-break in its order, for the wall and for the records."""

from dataclasses import dataclass
from datetime import datetime

from pdf.flow import Flow, LaidPage, Mark, Words, draw_laid, lines_of, page_columns
from pdf.fonts import Align, plain
from pdf.page import PageSize, Paper, finish, headline_height, new_paper, printable, turned
from pdf.table import Col, Kind, Table, least_width, put_table


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


ROW, TALLEST, HEADING = 20.0, 44.0, 20.0
SIZE, STRONG, KEY = 10.5, 14.5, 8.0
LARGE_ROW = 24.0


def _table(standings: Standings, high: float, strong: float = 0.0) -> Table:
    kinds: dict[Align, Kind] = {"left": "fixed", "centre": "centre", "right": "figure"}
    columns = tuple(
        Col(one.heading, "text" if one.stretch else kinds[one.align], one.strong) for one in standings.columns
    )
    return Table(columns, standings.rows, size=SIZE, high=high, strong_size=strong)


def _notes(standings: Standings) -> list[str]:
    order = ", then ".join(
        name[0].lower() + name[1:] if name[1:].islower() else name for name in standings.tie_breaks if name
    )
    empty = "" if standings.rows else "No players yet."
    return [f"Ranked by {order}." if order else "", standings.note, empty]


def _key(standings: Standings) -> str:
    """What the abbreviated headings mean."""
    meanings = "; ".join(f"{c.heading}: {plain(c.meaning).rstrip('.')}" for c in standings.columns if plain(c.meaning))
    return f"{meanings}." if meanings else ""


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
    title, notes = standings_title(standings), _notes(standings)
    wide = least_width(_table(standings, ROW)) > printable(paper.size).width
    paper = turned(paper, wide=wide)
    frame = paper.frame
    top = frame.top - headline_height(frame, notes)
    key = _key(standings)
    foot = len(lines_of(key, KEY, frame.width)) * KEY * 1.4 + 8 if key else 0.0
    high = min(TALLEST, (top - frame.bottom - HEADING - foot) / max(1, len(standings.rows)))

    def laid(row: float, strong: float) -> list[list[Mark]]:
        flow = Flow(page_columns(frame, top))
        if standings.rows:
            put_table(flow, _table(standings, row, strong))
            flow.put([Words(key, KEY, before=5)] if key else [])
        return flow.pages

    pages = laid(max(ROW, high), 0.0)
    # Read from afar, where this takes no further page.
    for row in (high, LARGE_ROW) if least_width(_table(standings, ROW, STRONG)) <= frame.width else ():
        larger = laid(row, STRONG)
        if row >= ROW and len(larger) <= len(pages):
            pages = larger
            break
    draw_laid(paper, [LaidPage(title, notes, marks, "" if place else title) for place, marks in enumerate(pages)])
