"""Lists for the wall, in points: pairings by table, by match of teams and by name; standings; the plan of the day."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from languages.words import N_, capital, gettext
from pdf.flow import Chapter, Paragraph, draw_chapters, draw_rows, text_height
from pdf.fonts import plain, text_width
from pdf.page import Paper, headline_height, oriented
from pdf.rows import fill_pages
from pdf.table import BELOW, MANY_ROWS, PAD, Col, Kind, Table, column_widths, filled, least_width
from validators.names import alphabetical, first_letters


@dataclass(frozen=True)
class PairedPlayer:
    """A player of a pairing; ``seat`` is the place in a team, "" outside team events."""

    name: str
    club: str = ""
    faction: str = ""
    seat: str = ""


class NoGame(StrEnum):
    """Why a player has no opponent, in words."""

    BYE = N_("bye")
    ASKED = N_("bye asked for")
    WALK_OVER = N_("walk-over")


@dataclass(frozen=True)
class PairingRow:
    """A table with its two players. Without one of them, the other has a bye and ``table`` is None.

    ``scenario`` is given where scenarios differ between tables. ``fixed`` marks a player who can play only at this
    table. ``board`` is the number in a match of teams.
    """

    table: int | None
    a: PairedPlayer | None
    b: PairedPlayer | None = None
    without: NoGame = NoGame.BYE
    """Why a player has no opponent."""
    scenario: str = ""
    fixed: bool = False
    between: str = "v"
    by: str = ""
    """In a season, the last day for the game, which has no table."""
    board: int = 0
    stage: str = ""
    """What the game of a knockout is called: "Final"."""

    @property
    def about(self) -> str:
        return _with_note(self.stage, self.scenario) if self.stage else self.scenario

    @property
    def at(self) -> str:
        return self.by or ("" if self.table is None else str(self.table))


@dataclass(frozen=True)
class PairedMatch:
    """Two teams with their boards, or a team with a bye.

    Without ``boards`` the captains still choose them, and ``tables`` are those of the match ("4–6").
    """

    a: str
    b: str = ""
    boards: tuple[PairingRow, ...] = ()
    tables: str = ""


@dataclass(frozen=True)
class RoundPairings:
    """All pairings of a round; ``scenario`` and ``starts`` ("starts 14:15, 90 minutes") may be empty.

    ``title`` replaces "Round 3". ``matches`` are of a team event.
    """

    round_number: int
    rows: tuple[PairingRow, ...]
    scenario: str = ""
    starts: str = ""
    title: str = ""
    matches: tuple[PairedMatch, ...] = ()

    @property
    def round_name(self) -> str:
        return self.title or gettext("Round %(number)s", number=self.round_number)

    @property
    def is_season(self) -> bool:
        return any(row.by for row in self.rows)

    @property
    def find(self) -> str:
        return gettext("Find your opponent") if self.is_season else gettext("Find your table")

    @property
    def place(self) -> Col:
        head, size = (gettext("Play by"), NAME_PT) if self.is_season else (gettext("Table"), NUMBER_PT)
        return Col(head, "centre", strong=True, size=size)


SCALES = *(n / 10 for n in range(28, 11, -1)), 1.1, 1.0
"""Scales at which a list is tried: the first with which it needs no more pages than at 1.0 is used."""
NAME_PT, NUMBER_PT, SMALL_PT, HEADS_HEIGHT = 14.0, 21.0, 9.0, 26.0
"""Type sizes of names, of table numbers and of other text at scale 1.0; height of the heads."""
MAX_ROW, NAME_GAP, SIDE_SHARE = 150.0, 14.0, 0.33
"""Maximum height of a row, minimum space after a name, and minimum share of the width for each side."""
ONE_COLUMN, MIN_TWO_COLUMNS = 18, 400.0
"""Number of names in one column; minimum width of a frame for two columns."""
BROKEN_SCALE, LETTERS_FROM = 1.25, 60
"""The largest scale of a list with names on several lines, which is used if one with each on a line is smaller; from
this many names on, the title of each page says their first letters."""


def _with_note(name: str, *parts: str) -> str:
    return BELOW.join((name, *filter(plain, parts)))


def _draw(
    paper: Paper, pairings: RoundPairings, what: str, heads: Sequence[Col], rows: Sequence[tuple[str, ...]],
    across: int = 1, groups: frozenset[int] = frozenset(), names: Sequence[str] = ()
) -> None:  # fmt: skip
    """Draw a list in ``across`` columns, as large as it can be without needing more pages than at scale 1.0.

    Each scale is tried with high and low rows. Scales that keep every name on one line, in one size, are preferred.
    With ``names``, which are those of the rows, each of several pages says with which letters its names begin.
    """
    title = f"{pairings.round_name} · {what}"
    frame, notes = paper.frame, [" · ".join(filter(plain, (pairings.scenario, pairings.starts)))]
    if not rows:
        nothing = gettext("No pairings yet: draw the round and publish it, then print again.")
        draw_chapters(paper, [Chapter(title, [nothing], [[]], large=True)])
        return
    top, room = frame.top - headline_height(frame, notes, large=True), (frame.width + 18) / across - 18
    max_height = min(MAX_ROW, (top - frame.bottom - HEADS_HEIGHT) / -(-len(rows) // across))
    heights = dict.fromkeys(max(SMALL_PT, max_height * share) for share in (1.0, 0.85, 0.7, 0.0))
    table = filled(Table(tuple(heads), rows, ruled=bool(groups), groups=groups))
    columns = [tuple(replace(head, size=head.size * scale) for head in table.columns) for scale in SCALES]
    variants = [
        replace(table, columns=row, size=SMALL_PT * min(scale, 1.6), row_height=height)
        for scale, row in zip(SCALES, columns, strict=True)
        for height in heights
    ]
    chosen = [variant for variant in variants if _fits_on_lines(variant, room)]
    most = heads[0].size * BROKEN_SCALE
    if not any(a_table.columns[0].size >= most for a_table in chosen):
        chosen = [variant for variant in variants if variant.columns[0].size <= most]
    flow, around = fill_pages(frame, top, chosen, across), ("", *names, "")

    def part(start: int, end: int) -> str:
        letters = names and first_letters(names[start], names[end], around[start], around[end + 2])
        return f"{pairings.round_name} · {letters}" if letters else title

    if names and len(flow.pages) > 1:
        notes = [" · ".join(filter(None, (pairings.find, *notes)))]
    draw_rows(paper, flow, title, notes, part, large=True)


def _fits_on_lines(table: Table, width: float) -> bool:
    return all(
        text_width(row[n].partition(BELOW)[0], column.size, bold=column.strong) + 2 * table.side + NAME_GAP <= room
        for n, (column, room) in enumerate(zip(table.columns, column_widths(table, width), strict=True))
        if column.kind == "text" and column.size
        for row in table.rows
    )


def draw_pairings_by_table(paper: Paper, pairings: RoundPairings) -> None:
    paper = oriented(paper, landscape=False)
    if pairings.matches:
        _draw_matches(paper, pairings)
        return
    ordered = sorted(pairings.rows, key=lambda row: (row.b is None, row.table or 0))
    named = gettext("Game") if any(row.stage for row in ordered) else gettext("Scenario")
    tables = gettext("Games") if pairings.is_season else gettext("Tables")
    rows = [(*_cells(row), row.about) for row in ordered]
    _draw(paper, pairings, tables, [*_sides(pairings, gettext("Player A"), gettext("Player B")), Col(named)], rows)


def _sides(pairings: RoundPairings, *heads: str) -> list[Col]:
    a, b = (Col(head, strong=True, size=NAME_PT, share=SIDE_SHARE) for head in heads)
    return [pairings.place, a, Col("", "centre", size=NAME_PT * 0.7), b]


def _cells(row: PairingRow) -> tuple[str, str, str, str]:
    """The table, and both players with the word between them; in the place of a missing one, why nobody is there."""
    board = gettext("board %(board)s", board=row.board) if row.board else ""
    place = _with_note(row.at or "–", board, gettext("fixed table") if row.fixed else "")
    a, b = (
        _with_note(player.name, player.faction, player.club) if player else capital(gettext(row.without))
        for player in (row.a, row.b)
    )
    return place, a, gettext(row.between) if row.a and row.b else "", b


def _draw_matches(paper: Paper, pairings: RoundPairings) -> None:
    rows, groups = list[tuple[str, ...]](), set[int]()
    for match in pairings.matches:
        groups.add(len(rows))
        rows.append(("", match.a, gettext("v") if match.b else "", match.b or gettext("Bye")))
        rows += map(_cells, match.boards)
        if match.b and not match.boards:
            rows.append((match.tables, gettext("The captains choose their boards"), "", ""))
    _draw(paper, pairings, gettext("Matches"), _sides(pairings, "", ""), rows, groups=frozenset(groups))


def draw_pairings_by_name(paper: Paper, pairings: RoundPairings) -> None:
    paper = oriented(paper, landscape=False)
    sides = [((row.a, row.b, row), (row.b, row.a, row)) for row in pairings.rows]
    seats = [(player, other, row) for pair in sides for player, other, row in pair if player is not None]
    seats.sort(key=lambda seat: (alphabetical(plain(seat[0].name)), seat[2].table or 0))
    name_counts = Counter(plain(player.name) for player, *_ in seats)
    across = 1 if len(seats) <= ONE_COLUMN or paper.frame.width < MIN_TWO_COLUMNS else 2
    rows: list[tuple[str, ...]] = []
    for player, other, row in seats:
        against = gettext("no game this round") if row.without == NoGame.BYE else gettext(row.without)
        against = gettext("against %(names)s", names=other.name) if other else against
        # Only players who share a name get their club; elsewhere it could be taken for the opponent's.
        club = player.club if name_counts[plain(player.name)] > 1 else ""
        number = row.at or (gettext("Bye") if row.without in (NoGame.BYE, NoGame.ASKED) else "–")
        rows.append((number, _with_note(player.name, player.seat, club, against, row.stage, row.scenario)))
    columns = [pairings.place, Col(gettext("Player"), strong=True, size=NAME_PT)]
    names = [player.name for player, *_ in seats] if len(seats) >= LETTERS_FROM else []
    _draw(paper, pairings, pairings.find, columns, rows, across, names=names)


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
    return [*[title] * bool(order), *(replace(line, text=capital(note) or " ", label=label) for label, note in entries)]


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
        ranks_here = gettext("%(first)s to %(last)s", first=ranks[start], last=ranks[end])
        return f"{standings.title} · {ranks_here}"

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
    with_nbsp = [table for table in tables if least_width(table, 99.0) <= frame.width]
    pages = fill_pages(frame, top, [*with_nbsp, plain_table], below=notes).pages
    draw_chapters(paper, [Chapter(title, where, pages, large=True)])
