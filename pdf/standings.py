"""The standings after a round, with every tie-break in its order, for the wall and for the records."""

from dataclasses import dataclass, replace
from datetime import datetime

from pdf.flow import LaidPage, draw_laid
from pdf.fonts import plain
from pdf.page import PageSize, Paper, drawn, headline_height, printable, turned
from pdf.table import Col, Table, filled, least_width


@dataclass(frozen=True)
class Standings:
    """The table: a row holds one text for each column. ``tie_breaks`` stand in the order of deciding."""

    event: str
    after_round: int
    columns: tuple[Col, ...]
    rows: tuple[tuple[str, ...], ...]
    tie_breaks: tuple[str, ...] = ()
    final: bool = False
    of_teams: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("Every row has one text for each column")


ROW, TALLEST, HEADING = 20.0, 44.0, 20.0
SIZE, STRONG = 10.5, (14.5, 13.5, 12.5, 11.5, 10.5)
LONG_NAME = 8.0
"""A word of a name wider than this many sizes is broken before the names shrink."""


def _notes(standings: Standings) -> list[str]:
    """The order of deciding, and what the short heads mean."""
    order = ", then ".join(
        name[0].lower() + name[1:] if name[1:].islower() else name for name in standings.tie_breaks if name
    )
    meanings = "; ".join(f"{c.head}: {plain(c.meaning).rstrip('.')}" for c in standings.columns if plain(c.meaning))
    ranked = [f"Ranked by {order}." if order else "", f"{meanings}." if meanings else ""]
    return [*ranked, standings.note] if standings.rows else [*ranked, standings.note, "No players yet."]


def standings_title(standings: Standings) -> str:
    """What the sheet is called: "Final standings after round 4"."""
    after = f"after round {standings.after_round}" if standings.after_round else "before round 1"
    title = f"{'Team standings' if standings.of_teams else 'Standings'} {after}"
    return f"Final {title[0].lower()}{title[1:]}" if standings.final else title


def standings_sheet(standings: Standings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The standings as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    title = standings_title(standings)
    return drawn(draw_standings, page_size, title, standings.event, printed_at, standings)


def draw_standings(paper: Paper, standings: Standings) -> None:
    """The standings, on wide pages when the columns ask for it, as large as takes no further page."""
    title, notes = standings_title(standings), _notes(standings)
    small = Table(standings.columns, standings.rows, size=SIZE, high=ROW)
    paper = turned(paper, wide=least_width(small) > printable(paper.size).width)
    top = paper.frame.top - headline_height(paper.frame, notes)
    high = min(TALLEST, (top - paper.frame.bottom - HEADING) / max(1, len(standings.rows)))
    ways = []
    for strong in STRONG:
        columns = tuple(replace(one, size=strong) if one.strong else one for one in standings.columns)
        ways += [replace(small, columns=columns, high=row) for row in (high, high * 0.8, ROW) if row >= ROW]
    ways = [way for way in ways if least_width(way, LONG_NAME) <= paper.frame.width]
    pages = filled(paper.frame, top, (*ways, small))
    draw_laid(paper, [LaidPage(title, notes, marks, "" if place else title) for place, marks in enumerate(pages)])
