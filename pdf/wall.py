"""Lists for the wall: pairings by table and by name, the standings, the plan of the day. Lengths are in points."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from pdf.flow import Chapter, Paragraph, draw_chapters, text_height
from pdf.fonts import plain, text_width
from pdf.page import PageSize, Paper, headline_height, oriented, render
from pdf.table import BELOW, Col, Table, column_widths, fill_pages, least_width
from validators.names import alphabetical


@dataclass(frozen=True)
class PairedPlayer:
    """A player of a pairing; ``standing`` is printed after the name ("2–0–0, 6 points"), "" prints nothing."""

    name: str
    club: str = ""
    faction: str = ""
    standing: str = ""


class NoGame(StrEnum):
    """Why a player has no opponent."""

    BYE = "bye"
    ASKED = "asked"
    WALK_OVER = "walk_over"
    THIRD_CHAIR = "third_chair"


WITHOUT: Mapping[NoGame, str] = {
    NoGame.BYE: "bye",
    NoGame.ASKED: "bye asked for",
    NoGame.WALK_OVER: "walk-over",
    NoGame.THIRD_CHAIR: "third chair",
}


@dataclass(frozen=True)
class PairingRow:
    """A table with its two players. Without ``b``, player ``a`` has a bye and ``table`` is None.

    ``scenario`` is given where scenarios differ between tables. ``fixed`` marks a player who can play only at this
    table.
    """

    table: int | None
    a: PairedPlayer
    b: PairedPlayer | None = None
    without: NoGame = NoGame.BYE
    """Why player ``a`` has no opponent."""
    scenario: str = ""
    fixed: bool = False
    between: str = "v"
    by: str = ""
    """In a season, the last day for the game, which has no table."""

    @property
    def at(self) -> str:
        """The table, or the last day for the game."""
        return self.by or ("" if self.table is None else str(self.table))


@dataclass(frozen=True)
class RoundPairings:
    """All pairings of a round; ``scenario`` and ``starts`` ("starts 14:15, 90 minutes") may be empty.

    ``title`` replaces "Round 3". ``between`` is the word before an opponent's name.
    """

    event: str
    round_number: int
    rows: tuple[PairingRow, ...]
    scenario: str = ""
    starts: str = ""
    title: str = ""
    between: str = "against"

    @property
    def round_name(self) -> str:
        """The common part of the sheets' titles."""
        return self.title or f"Round {self.round_number}"

    @property
    def is_season(self) -> bool:
        """Whether the games have last days instead of tables."""
        return any(row.by for row in self.rows)

    @property
    def by_table_title(self) -> str:
        """The title of the sheet by table."""
        return f"{self.round_name} · {'Games' if self.is_season else 'Tables'}"

    @property
    def by_name_title(self) -> str:
        """The title of the sheet by name."""
        return f"{self.round_name} · Find your {'opponent' if self.is_season else 'table'}"

    @property
    def place(self) -> Col:
        """The column of tables, or of last days."""
        head, size = ("Play by", NAME_PT) if self.is_season else ("Table", NUMBER_PT)
        return Col(head, "centre", strong=True, size=size)


NO_PAIRINGS = "No pairings yet: draw the round and publish it, then print again."
SCALES = *(n / 10 for n in range(28, 11, -1)), 1.1, 1.0
"""Scales at which a list is tried: the first with which it needs no more pages than at 1.0 is used."""
NAME_PT, NUMBER_PT, SMALL_PT, HEADS_HEIGHT = 14.0, 21.0, 9.0, 26.0
"""Type sizes of names, of table numbers and of other text at scale 1.0; height of the heads."""
MAX_ROW, NAME_GAP = 150.0, 14.0
"""Maximum height of a row, and minimum space after a name."""
ONE_COLUMN, MIN_TWO_COLUMNS = 22, 400.0
"""Number of names that go in one column; minimum width of a frame for two columns."""
OPPONENT_SHARE, OPPONENT_SCALE = 0.44, 1.2
"""Opponents get a column of this share of the width if all names fit that share at this scale."""


def _with_note(name: str, *parts: str) -> str:
    """A name with small print below it."""
    return f"{name}{BELOW}{_joined(*parts)}"


def _joined(*parts: str) -> str:
    return " · ".join(filter(plain, parts))


def _draw(
    paper: Paper, pairings: RoundPairings, title: str, heads: Sequence[Col], rows: Sequence[tuple[str, ...]],
    across: int = 1
) -> None:  # fmt: skip
    """Draw a list in ``across`` columns, as large as it can be without needing more pages than at scale 1.0.

    Each scale is tried with high and low rows. Variants that keep every name on one line, in one size, are preferred.
    """
    frame, notes = paper.frame, [_joined(pairings.scenario, pairings.starts) if rows else NO_PAIRINGS]
    top = frame.top - headline_height(frame, notes, large=True)
    max_height = min(MAX_ROW, (top - frame.bottom - HEADS_HEIGHT) / max(1, -(-len(rows) // across)))
    variants = list[Table]()
    for scale in SCALES:
        columns = tuple(replace(head, size=head.size * scale) for head in heads)
        heights = [max_height * share for share in (1.0, 0.85, 0.7) if max_height * share > NAME_PT * 2.4 * scale]
        size = SMALL_PT * min(scale, 1.6)
        variants += [Table(columns, rows, size=size, row_height=height) for height in (*heights, 0.0)]
    # Prefer variants in which all names fit on one line: first without minimum column widths, then with them.
    room = (frame.width + 18.0) / across - 18
    free = [replace(one, columns=tuple(replace(head, share=0) for head in one.columns)) for one in variants]
    fitting = [one for pair in zip(free, variants, strict=True) for one in pair if _fits_on_lines(one, room)]
    pages = fill_pages(frame, top, fitting or variants, across) if rows else [[]]
    draw_chapters(paper, [Chapter(title, notes, pages, large=True)])


def _fits_on_lines(table: Table, width: float) -> bool:
    """Whether every name fits on one line at its full size, with space after it."""
    return all(
        text_width(row[n].partition(BELOW)[0], column.size, bold=column.strong) + 2 * table.side + NAME_GAP <= room
        for n, (column, room) in enumerate(zip(table.columns, column_widths(table, width), strict=True))
        if column.kind == "text" and column.size
        for row in table.rows
    )


def pairings_by_table(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The pairings in table order, byes last, as a PDF."""
    return render(draw_pairings_by_table, page_size, pairings.by_table_title, pairings.event, printed_at, pairings)


def draw_pairings_by_table(paper: Paper, pairings: RoundPairings) -> None:
    """Draw the pairings in table order, byes last."""
    ordered = sorted(pairings.rows, key=lambda row: (row.b is None, row.table or 0))
    varied = any(plain(row.scenario) for row in ordered)

    rows = []
    for row in ordered:
        place = _with_note(row.at or "–", "fixed table" if row.fixed else "")
        a, b = (_with_note(one.name, one.faction, one.club, one.standing) if one else "" for one in (row.a, row.b))
        rows.append(
            (place, a, row.between if row.b else "", b or WITHOUT[row.without].capitalize(), row.scenario)[: 4 + varied]
        )
    share = 0.33 if varied else 0.4
    sides = [Col(head, strong=True, size=NAME_PT, share=share) for head in ("Player A", "Player B")]
    columns = [pairings.place, sides[0], Col("", "centre", size=NAME_PT * 0.7), sides[1], Col("Scenario")][: 4 + varied]
    _draw(oriented(paper, landscape=False), pairings, pairings.by_table_title, columns, rows)


def pairings_by_name(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """Every player by name, with table and opponent, as a PDF; players with a bye are sorted among the others."""
    return render(draw_pairings_by_name, page_size, pairings.by_name_title, pairings.event, printed_at, pairings)


def draw_pairings_by_name(paper: Paper, pairings: RoundPairings) -> None:
    """Draw every player by name, in two columns if there are many."""
    paper = oriented(paper, landscape=False)
    sides = [((row.a, row.b, row), (row.b, row.a, row)) for row in pairings.rows]
    seats = [(player, other, row) for pair in sides for player, other, row in pair if player is not None]
    seats.sort(key=lambda seat: (alphabetical(plain(seat[0].name)), seat[2].table or 0))
    name_counts = Counter(plain(player.name) for player, *_ in seats)
    across = 1 if len(seats) <= ONE_COLUMN or paper.frame.width < MIN_TWO_COLUMNS else 2
    longest = max((text_width(player.name, NAME_PT * OPPONENT_SCALE, bold=True) for player, *_ in seats), default=0.0)
    has_opponents = across == 1 and longest <= paper.frame.width * OPPONENT_SHARE
    rows: list[tuple[str, ...]] = []
    for player, other, row in seats:
        no_game = "no game this round" if row.without == NoGame.BYE else WITHOUT[row.without]
        against = f"{pairings.between} {other.name}" if other else no_game
        # Only players who share a name get their club; elsewhere it could be taken for the opponent's.
        club = player.club if name_counts[plain(player.name)] > 1 else ""
        number = row.at or ("Bye" if row.without in (NoGame.BYE, NoGame.ASKED) else "–")
        if has_opponents:
            rows.append((number, _with_note(player.name, club, row.scenario), other.name if other else against))
        else:
            rows.append((number, _with_note(player.name, club, against, row.scenario)))
    columns = [pairings.place, Col("Player", strong=True, size=NAME_PT)]
    columns += [Col(pairings.between.capitalize(), size=NAME_PT, share=OPPONENT_SHARE)] if has_opponents else []
    _draw(paper, pairings, pairings.by_name_title, columns, rows, across)


@dataclass(frozen=True)
class Standings:
    """The standings: each row has one text for each column. ``tie_breaks`` are in the order in which they decide."""

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


MIN_ROW, MAX_STANDINGS_ROW, LEGEND_PT = 20.0, 60.0, 9.0
"""Minimum and maximum height of a row, and type size of the legend."""
ROW_PT, NAME_SIZES = 10.5, (20.0, 18.5, 17.0, 16.0, 14.5, 13.5, 12.5, 11.5, 10.5)
"""Minimum type size of the rows, and type sizes of names, the largest first."""
LONG_NAME = 8.0
"""A word of a name wider than this many type sizes is broken before names shrink."""


def _legend(standings: Standings) -> list[Paragraph]:
    """The tie-breaks in the order in which they decide, then the other short heads, each with its meaning."""
    meanings = {one.head: plain(one.meaning).rstrip(".") for one in standings.columns if plain(one.meaning)}
    order = list(filter(None, standings.tie_breaks))
    entries = [(f"{place}. {name}", meanings.pop(name, "")) for place, name in enumerate(order, 1)]
    entries += meanings.items()
    indent = max((text_width(label, LEGEND_PT, bold=True) for label, _ in entries), default=0.0) + 12
    title = [Paragraph("Ranked in this order", LEGEND_PT, bold=True, above=10, keep_next=True)] if order else []
    line = Paragraph("", LEGEND_PT, above=1, indent=indent, label_bold=True)
    return [*title, *(replace(line, text=said[:1].upper() + said[1:] or " ", label=label) for label, said in entries)]


def standings_title(standings: Standings) -> str:
    """The title of the sheet: "Final standings after round 4"."""
    after = f"after round {standings.after_round}" if standings.after_round else "before round 1"
    title = f"{'Team standings' if standings.of_teams else 'Standings'} {after}"
    return f"Final {title[0].lower()}{title[1:]}" if standings.final else title


def standings_sheet(standings: Standings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The standings as a PDF."""
    title = standings_title(standings)
    return render(draw_standings, page_size, title, standings.event, printed_at, standings)


def draw_standings(paper: Paper, standings: Standings) -> None:
    """Draw the standings in the largest type that needs no extra page; on landscape pages if the columns need that."""
    title, legend = standings_title(standings), _legend(standings)
    notes = [standings.note] if standings.rows else [standings.note, "No players yet."]
    smallest = Table(standings.columns, standings.rows, size=ROW_PT, row_height=MIN_ROW)
    paper = oriented(paper, landscape=False)
    paper = oriented(paper, landscape=least_width(smallest) > paper.frame.width)
    top = paper.frame.top - headline_height(paper.frame, notes)
    below = text_height(legend, paper.frame.width)
    max_height = min(MAX_STANDINGS_ROW, (top - paper.frame.bottom - MIN_ROW - below) / max(1, len(standings.rows)))
    variants = []
    for name_size in NAME_SIZES:
        columns = tuple(replace(one, size=name_size) if one.strong else one for one in standings.columns)
        table = replace(smallest, columns=columns, size=max(ROW_PT, name_size * 0.72))
        heights = max_height, max_height * 0.8, MIN_ROW
        variants += [replace(table, row_height=height) for height in heights if height >= MIN_ROW]
    variants = [variant for variant in variants if least_width(variant, LONG_NAME) <= paper.frame.width]
    draw_chapters(paper, [Chapter(title, notes, fill_pages(paper.frame, top, (*variants, smallest), below=legend))])


PLAN_SIZES = (30.0, 26.0, 22.0, 19.0, 16.0, 14.0, 12.0)
"""Type sizes of the plan to try, the largest first."""
NOTE_SIZE, MAX_PLAN_ROW, PLAN_HEADS_HEIGHT, START_SHARE = 15.0, 124.0, 34.0, 0.19
"""Type size of notes, maximum height of a row, height of the heads, and share of the column to write starts in."""


@dataclass(frozen=True)
class PlannedRound:
    """A round: its start ("Sat 09:30", "" if unknown) or in a season its last day, its length in minutes, its scenario.

    Number 0 is another item of the day, named by ``scenario``.
    """

    number: int
    starts: str
    minutes: int
    scenario: str
    real: bool | None = None
    """Whether it happened at ``starts``, or is only planned then; None before round 1 is played."""


@dataclass(frozen=True)
class RoundPlan:
    """The plan of the day or season: ``where`` is its place and day, ``notes`` are sentences below the rounds."""

    event: str
    where: str
    rounds: tuple[PlannedRound, ...]
    notes: tuple[str, ...]
    is_season: bool = False

    @property
    def title(self) -> str:
        """The title of the sheet."""
        return "Season plan" if self.is_season else "Plan of the day"


def round_plan(plan: RoundPlan, page_size: PageSize, printed_at: datetime) -> bytes:
    """The plan as a PDF."""
    return render(draw_round_plan, page_size, plan.title, plan.event, printed_at, plan)


def _day_rows(plan: RoundPlan) -> tuple[tuple[Col, ...], list[tuple[str, ...]]]:
    start = Col("Start", "fixed" if all(one.starts for one in plan.rounds) else "write", strong=True, share=START_SHARE)
    columns = (start, Col("Round", "centre", strong=True), Col("Programme"), Col("Length", "figure"))
    return columns, [
        (one.starts, str(one.number or ""), one.scenario, f"{one.minutes} min" if one.minutes else "")
        for one in plan.rounds
    ]


def _season_rows(plan: RoundPlan) -> tuple[tuple[Col, ...], list[tuple[str, ...]]]:
    columns = (Col("Round", "centre", strong=True), Col("Play by", "fixed", strong=True), Col("Scenario"))
    return columns, [(str(one.number), one.starts, one.scenario) for one in plan.rounds]


def draw_round_plan(paper: Paper, plan: RoundPlan) -> None:
    """Draw the plan as large as the page allows, with its notes below; unknown starts get space to write them in."""
    paper = oriented(paper, landscape=False)
    frame, where = paper.frame, [plan.where]
    top = frame.top - headline_height(frame, where, large=True)
    columns, rows = _season_rows(plan) if plan.is_season else _day_rows(plan)
    size = min(NOTE_SIZE, frame.width / 36)
    notes = [Paragraph(note, size, above=6, indent=14, label="•") for note in plan.notes]
    room = (top - frame.bottom - PLAN_HEADS_HEIGHT - text_height(notes, frame.width)) / max(1, len(rows))
    tables = [
        Table(columns, rows, size=size, row_height=min(MAX_PLAN_ROW, max(size * 1.7, room)), ruled=True)
        for size in PLAN_SIZES
    ]
    unbroken = [table for table in tables if least_width(table, 99.0) <= frame.width]
    pages = fill_pages(frame, top, [*unbroken, Table(columns, rows, size=PLAN_SIZES[-1], ruled=True)], below=notes)
    draw_chapters(paper, [Chapter(plan.title, where, pages, large=True)])
