"""The standings and the plan of the day for the wall. Lengths are in points."""

from dataclasses import dataclass, replace

from languages.words import capital, gettext
from pdf.flow import Chapter, Paragraph, draw_chapters, draw_rows, text_height
from pdf.fonts import plain, text_width
from pdf.page import Paper, headline_height, oriented
from pdf.rows import fill_pages
from pdf.table import MANY_ROWS, PAD, Col, Kind, Table, filled, least_width


@dataclass(frozen=True)
class Standings:
    """The standings: each row has one text for each column. ``tie_breaks`` are in the order in which they decide."""

    title: str
    columns: tuple[Col, ...]
    rows: tuple[tuple[str, ...], ...]
    tie_breaks: tuple[str, ...] = ()
    note: str = ""


MIN_ROW, MAX_STANDINGS_ROW, LEGEND_PT = 20.0, 60.0, 9.0
"""Minimum and maximum height of a row, and type size of the legend."""
ROW_PT, NAME_SIZES, LONG_NAME = 9.5, (20.0, 18.5, 17.0, 16.0, 14.5, 13.5, 12.5, 11.5, 10.5), 8.0
"""Minimum type size of rows; type sizes of names, the largest first; a word this many type sizes wide is broken."""


def _legend(standings: Standings) -> list[Paragraph]:
    """The tie-breaks in the order in which they decide, then the other short heads, each with its meaning."""
    meanings = {column.head: plain(column.meaning).rstrip(".") for column in standings.columns if plain(column.meaning)}
    order = list(filter(None, standings.tie_breaks))
    entries = [(f"{place}. {name}", meanings.pop(name, "")) for place, name in enumerate(order, 1)]
    entries += meanings.items()
    title = Paragraph(gettext("Ranked in this order"), LEGEND_PT, bold=True, above=10, keep_next=True)
    indent = max((text_width(label, LEGEND_PT, bold=True) for label, _ in entries), default=0.0) + 12
    line = Paragraph("", LEGEND_PT, above=1, indent=indent, label_bold=True)
    return [*[title] * bool(order), *(replace(line, text=capital(said) or " ", label=label) for label, said in entries)]


def draw_standings(paper: Paper, standings: Standings) -> None:
    """Draw the standings in the largest type that needs no extra page; on landscape pages if the columns need that."""
    notes = [standings.note] if standings.rows else [standings.note, gettext("No round is over yet.")]
    smallest = filled(Table(standings.columns, standings.rows, size=ROW_PT, row_height=MIN_ROW, padding=1.0))
    standings = replace(standings, columns=smallest.columns, rows=tuple(smallest.rows))
    paper = oriented(paper, landscape=False)
    paper = oriented(paper, landscape=least_width(smallest) > paper.frame.width)
    top = paper.frame.top - headline_height(paper.frame, notes)
    legend = _legend(standings)
    room = top - paper.frame.bottom - MIN_ROW - text_height(legend, paper.frame.width)
    max_height = min(MAX_STANDINGS_ROW, room / max(1, len(standings.rows)))
    heights = dict.fromkeys(max(MIN_ROW, max_height * share) for share in (1.0, 0.8, 0.0))
    variants = []
    for name_size in NAME_SIZES if len(standings.rows) <= MANY_ROWS else ():
        columns = tuple(replace(column, size=name_size) if column.strong else column for column in standings.columns)
        table = replace(smallest, columns=columns, size=max(ROW_PT, name_size * 0.72), padding=PAD - 1)
        variants += [replace(table, row_height=height) for height in heights]
    variants = [variant for variant in variants if least_width(variant, LONG_NAME) <= paper.frame.width] + [smallest]
    flow, ranks = fill_pages(paper.frame, top, variants, below=legend), [row[0] for row in standings.rows]

    def part(start: int, end: int) -> str:
        found = gettext("%(first)s to %(last)s", first=ranks[start], last=ranks[end])
        return f"{standings.title} · {found}"

    draw_rows(paper, flow, standings.title, notes, part)


PLAN_SIZES, NOTE_SIZE = (30.0, 26.0, 22.0, 19.0, 16.0, 14.0, 12.0), 15.0
"""Type sizes of the plan to try, the largest first, and that of its notes."""
MAX_PLAN_ROW, PLAN_HEADS_HEIGHT, START_SHARE = 124.0, 34.0, 0.19
"""Maximum height of a row, height of the heads, and share of the column to write starts in."""


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

    where: str
    rounds: tuple[PlannedRound, ...]
    notes: tuple[str, ...]
    is_season: bool = False


def draw_round_plan(paper: Paper, plan: RoundPlan) -> None:
    """Draw the plan as large as the page allows, with its notes below; unknown starts get space to write them in."""
    paper = oriented(paper, landscape=False)
    frame, where = replace(paper.frame, bottom=paper.frame.bottom + NOTE_SIZE / 2), [plan.where]
    top = frame.top - headline_height(frame, where, large=True)
    kind: Kind = "fixed" if all(round_.starts for round_ in plan.rounds) else "write"
    title, start, what = gettext("Plan of the day"), gettext("Start"), gettext("Programme")
    if plan.is_season:
        title, start, what = gettext("Season plan"), gettext("Play by"), gettext("Scenario")
    columns = (
        Col(start, kind, strong=True, share=START_SHARE), Col(gettext("Round"), "centre", strong=True), Col(what),
        Col(gettext("Length"), "figure"),
    )  # fmt: skip
    rows = [
        (
            round_.starts,
            str(round_.number or ""),
            round_.scenario,
            gettext("%(n)s min", n=round_.minutes) * (round_.minutes > 0),
        )
        for round_ in plan.rounds
    ]
    size = min(NOTE_SIZE, frame.width / 36)
    notes = [Paragraph(note, size, above=6, indent=14, label="•") for note in plan.notes]
    room = (top - frame.bottom - PLAN_HEADS_HEIGHT - text_height(notes, frame.width)) / max(1, len(rows))
    plain_table = filled(Table(columns, rows, size=PLAN_SIZES[-1], ruled=True, keep_size=True))
    tables = [
        replace(plain_table, size=size, row_height=min(MAX_PLAN_ROW, max(size * 1.7, room))) for size in PLAN_SIZES
    ]
    unbroken = [table for table in tables if least_width(table, 99.0) <= frame.width]
    pages = fill_pages(frame, top, [*unbroken, plain_table], below=notes).pages
    draw_chapters(paper, [Chapter(title, where, pages, large=True)])
