"""Lists for the wall: pairings by table and by name, the standings, the plan of the day."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pdf.flow import Chapter, Paragraph, draw_chapters, text_height
from pdf.fonts import plain, text_width
from pdf.page import PageSize, Paper, headline_height, oriented, render
from pdf.table import BELOW, Col, Table, column_widths, fill_pages, least_width


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
    by: str = ""
    """The last day to play it, in a season, in place of a table."""

    @property
    def at(self) -> str:
        """Its table, or its last day."""
        return self.by or ("" if self.table is None else str(self.table))


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
    def season(self) -> bool:
        """Whether its games have last days and no tables."""
        return any(row.by for row in self.rows)

    @property
    def tables(self) -> str:
        """The title of the sheet by table."""
        return f"{self.headed} · {'Games' if self.season else 'Tables'}"

    @property
    def names(self) -> str:
        """The title of the sheet by name."""
        return f"{self.headed} · Find your {'opponent' if self.season else 'table'}"

    @property
    def place(self) -> Col:
        """The column of tables, or of last days."""
        return Col("Play by" if self.season else "Table", "centre", strong=True, size=NAME if self.season else NUMBER)


EMPTY = "No pairings yet: draw the round and publish it, then print again."
LARGEST_FIRST = *(n / 10 for n in range(28, 11, -1)), 1.1, 1.0
"""How much larger than its least size a list is set when the page has room for it."""
NAME, NUMBER, SMALL, HEADS = 14.0, 21.0, 9.0, 26.0
"""Sizes of names, of tables and of the rest, and the height of the heads."""
TALLEST, APART = 150.0, 14.0
FEW, TWO_COLUMNS = 22, 400.0
"""Names that one column holds; a frame narrower than this has no room for two."""
HALF, HALF_SCALE = 0.44, 1.2
"""Opponents have a column of this part of the width where every name fits it at this scale."""


def _below(name: str, *parts: str) -> str:
    """A name with these below it."""
    return f"{name}{BELOW}{_joined(*parts)}"


def _joined(*parts: str) -> str:
    return " · ".join(filter(plain, parts))


def _draw(
    paper: Paper, pairings: RoundPairings, title: str, heads: Sequence[Col], rows: Sequence[tuple[str, ...]],
    across: int = 1
) -> None:  # fmt: skip
    """The list in as many columns, as large as its page allows; longer ones in the least size."""
    frame, notes = paper.frame, [_joined(pairings.scenario, pairings.starts) if rows else EMPTY]
    top = frame.top - headline_height(frame, notes, large=True)
    deep = min(TALLEST, (top - frame.bottom - HEADS) / max(1, -(-len(rows) // across)))
    ways = []
    for scale in LARGEST_FIRST:
        columns = tuple(replace(one, size=one.size * scale) for one in heads)
        high = [deep * share for share in (1.0, 0.85, 0.7) if deep * share > NAME * 2.4 * scale]
        ways += [Table(columns, rows, size=SMALL * min(scale, 1.6), row_height=one) for one in (*high, 0.0)]
    # All names of a list are of one size where they fit on a line.
    room = (frame.width + 18.0) / across - 18
    free = [replace(one, columns=tuple(replace(head, share=0) for head in one.columns)) for one in ways]
    ways = [one for pair in zip(free, ways, strict=True) for one in pair if _on_lines(one, room)] or ways
    draw_chapters(paper, [Chapter(title, notes, fill_pages(frame, top, ways, across) if rows else [[]], large=True)])


def _on_lines(table: Table, width: float) -> bool:
    """Whether every name stands on one line in its size, with white after it."""
    return all(
        text_width(row[n].partition(BELOW)[0], head.size, bold=head.strong) + 2 * table.side + APART <= wide
        for n, (head, wide) in enumerate(zip(table.columns, column_widths(table, width), strict=True))
        if head.kind == "text" and head.size
        for row in table.rows
    )


def pairings_by_table(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The round in table order, byes last, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return render(draw_pairings_by_table, page_size, pairings.tables, pairings.event, printed_at, pairings)


def draw_pairings_by_table(paper: Paper, pairings: RoundPairings) -> None:
    """The round in table order, byes last."""
    ordered = sorted(pairings.rows, key=lambda row: (row.b is None, row.table or 0))
    own = any(plain(row.scenario) for row in ordered)

    rows = []
    for row in ordered:
        at = _below(row.at or "–", "fixed table" if row.fixed else "")
        a, b = (_below(one.name, one.faction, one.club, one.standing) if one else "" for one in (row.a, row.b))
        rows.append((at, a, row.between if row.b else "", b or row.without.capitalize(), row.scenario)[: 4 + own])
    share = 0.33 if own else 0.4
    sides = [Col(head, strong=True, size=NAME, share=share) for head in ("Player A", "Player B")]
    columns = [pairings.place, sides[0], Col("", "centre", size=NAME * 0.7), sides[1], Col("Scenario")][: 4 + own]
    _draw(oriented(paper, landscape=False), pairings, pairings.tables, columns, rows)


def name_key(name: str) -> tuple[str, str]:
    """Names in the order people look them up: case and accents aside ("Öz" by "Oz"), then as written."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return bare.casefold().replace("ł", "l"), name


def pairings_by_name(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """Every player by name with the table and the opponent, as a PDF; two columns when there are many.

    Players with a bye are sorted among the others. ``printed_at`` must know its time zone (ValueError).
    """
    return render(draw_pairings_by_name, page_size, pairings.names, pairings.event, printed_at, pairings)


def draw_pairings_by_name(paper: Paper, pairings: RoundPairings) -> None:
    """Every player by name; two columns when there are many."""
    paper = oriented(paper, landscape=False)
    seats = [
        (one, other, row) for row in pairings.rows for one, other in ((row.a, row.b), (row.b, row.a)) if one is not None
    ]
    seats.sort(key=lambda seat: (name_key(plain(seat[0].name)), seat[2].table or 0))
    known = Counter(plain(one.name) for one, *_ in seats)
    across = 1 if len(seats) <= FEW or paper.frame.width < TWO_COLUMNS else 2
    longest = max((text_width(one.name, NAME * HALF_SCALE, bold=True) for one, *_ in seats), default=0.0)
    side = across == 1 and longest <= paper.frame.width * HALF
    rows: list[tuple[str, ...]] = []
    for one, other, row in seats:
        none = "no game this round" if row.without == "bye" else row.without
        against = f"{pairings.between} {other.name}" if other else none
        # The club is shown only for players who share a name; after an opponent's name it could be either's.
        club = one.club if known[plain(one.name)] > 1 else ""
        number = row.at or ("Bye" if row.without.startswith("bye") else "–")
        if side:
            rows.append((number, _below(one.name, club, row.scenario), other.name if other else against))
        else:
            rows.append((number, _below(one.name, club, against, row.scenario)))
    columns = [pairings.place, Col("Player", strong=True, size=NAME)]
    columns += [Col(pairings.between.capitalize(), size=NAME, share=HALF)] if side else []
    _draw(paper, pairings, pairings.names, columns, rows, across)


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


ROW, TALLEST_ROW, KEY = 20.0, 60.0, 9.0
SIZE, STRONG = 10.5, (20.0, 18.5, 17.0, 16.0, 14.5, 13.5, 12.5, 11.5, 10.5)
LONG_NAME = 8.0
"""A word of a name wider than this many sizes is broken before the names shrink."""


def _legend(standings: Standings) -> list[Paragraph]:
    """What ranks the players, in the order of deciding, and what the other short heads mean."""
    meanings = {one.head: plain(one.meaning).rstrip(".") for one in standings.columns if plain(one.meaning)}
    order = list(filter(None, standings.tie_breaks))
    said = [(f"{place}. {one}", meanings.pop(one, "")) for place, one in enumerate(order, 1)]
    said += meanings.items()
    indent = max((text_width(label, KEY, bold=True) for label, _ in said), default=0.0) + 12
    title = [Paragraph("Ranked in this order", KEY, bold=True, above=10, keep_next=True)] if order else []
    return title + [
        Paragraph(meaning[:1].upper() + meaning[1:] or " ", KEY, above=1, indent=indent, label=label, label_bold=True)
        for label, meaning in said
    ]


def standings_title(standings: Standings) -> str:
    """What the sheet is called: "Final standings after round 4"."""
    after = f"after round {standings.after_round}" if standings.after_round else "before round 1"
    title = f"{'Team standings' if standings.of_teams else 'Standings'} {after}"
    return f"Final {title[0].lower()}{title[1:]}" if standings.final else title


def standings_sheet(standings: Standings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The standings as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    title = standings_title(standings)
    return render(draw_standings, page_size, title, standings.event, printed_at, standings)


def draw_standings(paper: Paper, standings: Standings) -> None:
    """The standings, on wide pages when the columns ask for it, as large as takes no further page."""
    title, legend = standings_title(standings), _legend(standings)
    notes = [standings.note] if standings.rows else [standings.note, "No players yet."]
    small = Table(standings.columns, standings.rows, size=SIZE, row_height=ROW)
    paper = oriented(paper, landscape=False)
    paper = oriented(paper, landscape=least_width(small) > paper.frame.width)
    top = paper.frame.top - headline_height(paper.frame, notes)
    below = text_height(legend, paper.frame.width)
    high = min(TALLEST_ROW, (top - paper.frame.bottom - ROW - below) / max(1, len(standings.rows)))
    ways = []
    for strong in STRONG:
        columns = tuple(replace(one, size=strong) if one.strong else one for one in standings.columns)
        like = replace(small, columns=columns, size=max(SIZE, strong * 0.72))
        ways += [replace(like, row_height=row) for row in (high, high * 0.8, ROW) if row >= ROW]
    ways = [way for way in ways if least_width(way, LONG_NAME) <= paper.frame.width]
    draw_chapters(paper, [Chapter(title, notes, fill_pages(paper.frame, top, (*ways, small), below=legend))])


PLAN = "Plan of the day"
SIZES = (30.0, 26.0, 22.0, 19.0, 16.0, 14.0, 12.0)
"""Sizes of type of the plan that are tried, the largest first."""
NOTE, PLAN_TALLEST, PLAN_HEADS, TIME = 15.0, 124.0, 34.0, 0.19


@dataclass(frozen=True)
class PlannedRound:
    """A round: its start as planned or as it was ("Sat 09:30", "" if there is none), its length, its scenario.

    With the number 0 it is something else of the day, and ``scenario`` says what.
    """

    number: int
    starts: str
    minutes: int
    scenario: str


@dataclass(frozen=True)
class RoundPlan:
    """The plan: ``where`` is place and day, ``notes`` are sentences below the rounds."""

    event: str
    where: str
    rounds: tuple[PlannedRound, ...]
    notes: tuple[str, ...]


def round_plan(plan: RoundPlan, page_size: PageSize, printed_at: datetime) -> bytes:
    """The plan as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return render(draw_round_plan, page_size, PLAN, plan.event, printed_at, plan)


def draw_round_plan(paper: Paper, plan: RoundPlan) -> None:
    """The day, as large as the page allows, and the notes below it; a start that is not known is written in."""
    paper = oriented(paper, landscape=False)
    frame, where = paper.frame, [plan.where]
    top = frame.top - headline_height(frame, where, large=True)
    rows = [
        (one.starts, str(one.number or ""), one.scenario, f"{one.minutes} min" if one.minutes else "")
        for one in plan.rounds
    ]
    known = all(one.starts for one in plan.rounds)
    start = Col("Start", "fixed", strong=True) if known else Col("Start", "write", strong=True, share=TIME)
    columns = (start, Col("Round", "centre", strong=True), Col("Programme"), Col("Length", "figure"))
    small = min(NOTE, frame.width / 36)
    notes = [Paragraph(note, small, above=6, indent=14, label="•") for note in plan.notes]
    room = (top - frame.bottom - PLAN_HEADS - text_height(notes, frame.width)) / max(1, len(rows))
    tables = [
        Table(columns, rows, size=size, row_height=min(PLAN_TALLEST, max(size * 1.7, room)), ruled=True)
        for size in SIZES
    ]
    whole = [table for table in tables if least_width(table, 99.0) <= frame.width]
    pages = fill_pages(frame, top, [*whole, Table(columns, rows, size=SIZES[-1], ruled=True)], below=notes)
    draw_chapters(paper, [Chapter(PLAN, where, pages, large=True)])
