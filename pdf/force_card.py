"""A force as a card: player, faction and total, every model with its gear, the verdict, the locked list's number.

Two cards share an A4 or Letter page, to be cut apart; on A5 a card is a page. A long force continues on another card.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.cuts import draw_pieces, equal_pieces
from pdf.flow import SPACES, Drawing, Flow, Mark, Paragraph, balanced, largest, page_columns, wrapped_lines
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import INK, LINE, PAPER, Frame, Paper, bookmark, box, empty_page, foot, frame_of, oriented, rule
from pdf.rows import table_rows
from pdf.table import CLEAR, PAD, TICK_SIDE, WRITE_HEIGHT, Table, least_width
from pdf.tags import Within, part, title_role
from pdf.tracks import side_by_side, tracks
from validators.sheet import Track

ACCENT = "#a86400"
"""Amber."""
CAPTION, NAME, TOTAL, TOTAL_HEIGHT, HEAD = 9.0, 25.0, 32.0, 28.0, 33.0
"""Type sizes of the caption, the player's name and the total; height of the total, and of the head without texts."""


@dataclass(frozen=True)
class Gear:
    """Gear in words, a table or track to draw above it, and parts of a sum with their costs to draw below it."""

    text: str
    block: Table | Track | None = None
    costs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Unit:
    """A model or squad, its total cost ("" for general entries)."""

    name: str
    cost: str
    marks: tuple[str, ...] = ()
    gear: tuple[Gear, ...] = ()


@dataclass(frozen=True)
class ForceCard:
    """The content of a card. ``kind`` is its title ("Force", "Judge’s copy"); ``findings`` follow the models."""

    player: str
    club: str
    faction: str
    about: str
    """The force's own name, its leader and its edition."""
    total: str
    allowed: str
    """ "of 750 Caps"."""
    units: tuple[Unit, ...]
    verdict: str
    sign: str
    """Before the verdict: "✓", "✗", "?" for open questions, "!" for some of a group; "" if nothing is judged yet."""
    kind: str
    state: str = ""
    """ "Submitted 4 Dec 2026, 18:00"."""
    number: str = ""
    """ "List no. 476779fc", from the hash of the locked list."""
    game: str = ""
    findings: tuple[str, ...] = ()
    signed: bool = False
    """Whether a judge signs it."""
    ticks: str = ""
    """When to tick the box of a model: "Tick when checked"; "" for no boxes."""
    key: str = ""
    """What a mark on the card means."""
    part: str = ""
    """What of a long force the card has: "1 to 6 of 13: Squad 1 to Squad 6"."""


def _fitted_head(card: ForceCard, frame: Frame) -> tuple[Fitted, Fitted, Fitted]:
    room = frame.width - text_width(card.total, TOTAL, bold=True) - 16
    name = fit(card.player, NAME, room, bold=True, min_size=9, max_lines=2, leading=1.12)
    room = frame.width - text_width(card.allowed, 9) - 16
    faction = fit(card.faction, 13, room, bold=True, min_size=9, max_lines=2, leading=1.25)
    about = " · ".join(filter(None, (card.club, card.about)))
    return name, faction, fit(about, 9.5, frame.width, min_size=7.5, max_lines=2, leading=1.3)


def head_base(card: ForceCard, frame: Frame) -> float:
    name, faction, about = _fitted_head(card, frame)
    return frame.top - HEAD - max(TOTAL_HEIGHT, name.height) - faction.height - about.height


def draw_head(paper: Paper, card: ForceCard) -> None:
    canvas, frame = paper.canvas, paper.frame
    _bar(canvas, frame, frame.top - 5, 5)
    y = frame.top - 21
    title = " · ".join(filter(None, (card.kind, card.ticks)))
    kind = fit(" · ".join(filter(None, (card.part, title))), 9, frame.width * 0.7, bold=True, min_size=8)
    kind = fit(title, 9, frame.width * 0.6, bold=True) if kind.cut else kind
    room = frame.width - kind.width - 12
    event = " · ".join(filter(None, (paper.event, card.game)))
    event = event if text_width(event, 9) <= room else paper.event
    with part(canvas, title_role(canvas)):
        draw_text(canvas, frame.left, y + 6, event, 9, max_width=room)
    draw_fitted(canvas, frame.right, y + 6, kind, "right")
    name, faction, about = _fitted_head(card, frame)
    with part(canvas, "H1"):
        draw_fitted(canvas, frame.left, y - name.size * 0.95, name)
    draw_text(canvas, frame.right, y - TOTAL * 0.8, card.total, TOTAL, bold=True, align="right")
    y -= max(TOTAL_HEIGHT, name.height) + 4
    draw_text(canvas, frame.right, y - 11, card.allowed, 9, align="right")
    draw_fitted(canvas, frame.left, y - faction.step + 3, faction)
    draw_fitted(canvas, frame.left, y - faction.height - about.step + 1, about)


def _bar(canvas: Canvas, frame: Frame, y: float, height: float) -> None:
    canvas.setFillColor(HexColor(ACCENT))
    canvas.rect(frame.left, y, frame.width, height, stroke=0, fill=1)
    canvas.setFillGray(INK)


def foot_height(card: ForceCard) -> float:
    """The height in points of a card’s foot: the verdict and, on judges’ cards, the line to sign."""
    return 33.0 + 18 * card.signed


def draw_verdict(paper: Paper, card: ForceCard, said: str) -> None:
    """Draw the verdict with its sign, and the state of the list."""
    canvas, frame = paper.canvas, paper.frame
    y = frame.bottom + foot_height(card) - 17
    _bar(canvas, frame, y + 15.4, 1.6)
    left = 19.0 * bool(card.sign)
    if card.sign:
        _sign(canvas, frame.left + 7, y + 4, card.sign)
    verdict = fit(card.verdict, 12, frame.width * 0.6, bold=True, min_size=8.5, max_lines=2, max_height=24, leading=1.1)
    draw_fitted(canvas, frame.left + left, y + 4 * (len(verdict.lines) - 1), verdict)
    room = frame.width - left - verdict.width - 12
    said = " · ".join(filter(None, (said, card.number)))
    about = fit(said, 9, room, min_size=7, max_lines=2, leading=1.2)
    draw_fitted(canvas, frame.right, y + 4 * (len(about.lines) - 1), about, "right")
    if card.signed:
        for words, start, end in ((gettext("Checked by"), 0.0, 0.58), (gettext("at"), 0.62, 1.0)):
            label = draw_text(canvas, frame.left + frame.width * start, y - 22, words, 9)
            left = frame.left + frame.width * start + label.last_width + 5
            rule(canvas, left, y - 23, frame.left + frame.width * end, y - 23, LINE)


def _sign(canvas: Canvas, x: float, y: float, sign: str) -> None:
    canvas.setLineWidth(1.4)
    canvas.circle(x, y, 7, stroke=1, fill=int(sign == "✓"))
    canvas.setFillGray(PAPER if sign == "✓" else INK)
    draw_text(canvas, x, y - 3.8, sign, 11, bold=True, align="centre")
    canvas.setFillGray(INK)


Rows = Callable[[float, int, bool], list[Drawing]]
"""The rows of a model, as `_unit` has them, by type size, place, and whether it stands below another."""
SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5)
"""Type sizes of models to try, the largest first."""
BETWEEN, APART, COLUMNS, LARGER, FREE, NOTES_ABOVE = 20.0, 8.0, 3, 1.15, 6.0, 17.0
"""Space before a model's cost; space between columns of costs, and their number; share of boxes in large type; space
above the verdict, and above notes."""
NAME_SHARE, MARK, INDENT = 1.1, 0.78, 13.0
"""Type sizes of models' names and of marks, as shares of that of gear, and the indent of gear."""


@dataclass(frozen=True)
class _Force:
    """A card, the rows of its models, the part of it for them, and the height of the lowest of the lines for notes."""

    card: ForceCard
    rows: Rows
    frame: Frame
    low: float


def draw_force_cards(paper: Paper, cards: Sequence[ForceCard]) -> None:
    """Draw the cards, two to a page, on A5 one; all in one type size."""
    bookmark(paper, title := gettext("Force cards"))
    each = 1 if paper.size == "A5" else 2
    paper = oriented(paper, landscape=each == 2)
    if not cards:
        empty_page(paper, title, gettext("There is no list yet."))
    cutting = equal_pieces(paper, each)
    frame = frame_of(cutting.pieces[0].width, cutting.pieces[0].height)
    forces = [_force(card, frame) for card in map(_aligned, cards)]
    size = min(map(_size, forces), default=SIZES[0])
    pieces = [piece for force in forces for piece in _parts(force, size)]
    draw_pieces(paper, pieces, cutting, lambda paper, _, draw: draw(paper))


def _force(card: ForceCard, frame: Frame) -> _Force:
    rows, low = cache(partial(_unit, card, frame.width, object())), frame.bottom + foot_height(card) + FREE
    return _Force(card, rows, replace(frame, bottom=low + WRITE_HEIGHT + NOTES_ABOVE), low)


def _size(force: _Force) -> float:
    """The largest type size in which the tables fit, and the force needs no more cards than in the smallest."""
    few, width = len(_laid(force, SIZES[-1], SPACES[-1])), force.frame.width

    def fits(size: float) -> bool:
        tables = (replace(table, size=size) for table in _tables(*force.card.units))
        wide = all(least_width(table, width=width) <= width for table in tables)
        return wide and len(_laid(force, size, SPACES[-3])) <= few

    return SIZES[bisect_left(SIZES[:-1], True, key=fits)]


def _parts(force: _Force, size: float) -> Iterator[Callable[[Paper], None]]:
    """The cards of a force, about equally full; each of several names its part."""
    card, space = force.card, largest(SPACES[2:], lambda one: len(_laid(force, size, one)))
    flow = balanced(lambda frame: _laid(replace(force, frame=frame), size, space), force.frame)
    for number, marks in enumerate(flow.pages, 1):
        placed = zip(card.units, flow.row_pages, strict=True)
        there = [unit.name for unit, page in placed if page == number - 1 and (unit.cost or unit.marks)]
        names = " – ".join(dict.fromkeys((*there[:1], *there[-1:]))) if len(flow) > 1 else ""
        yield partial(_draw, replace(card, part=names), marks, number, len(flow))


def _laid(force: _Force, size: float, space: float) -> Flow:
    """The cards of a force; the rows of the flow are its units."""
    rows, frame = force.rows, force.frame
    flow = Flow(page_columns(frame, head_base(force.card, frame)), space)
    tops = dict[int, float]()
    for place in range(len(force.card.units)):
        if flow.is_full(rows(size, place, True)):
            flow.next_column()
        flow.put(rows(size, place, flow.y < flow.column.top))
        flow.row_pages.append(flow.column.page)
        tops[flow.column.page] = flow.y
    findings = [Paragraph(finding, size, above=size * 0.3, indent=13.0, label="–") for finding in force.card.findings]
    title = Paragraph(gettext("What the check found"), size, bold=True, above=size * 1.6, keep_next=True)
    if findings and flow.is_full([title, *findings]):
        flow.next_column()
    flow.put([title, *findings] if findings else [])
    tops[flow.column.page] = flow.y
    for page, marks in enumerate(flow.pages):
        marks.append(partial(_notes, frame=replace(frame, bottom=force.low, top=tops.get(page, frame.bottom))))
    return flow


def _tables(*units: Unit) -> list[Table]:
    return [gear.block for unit in units for gear in unit.gear if isinstance(gear.block, Table)]


def _aligned(card: ForceCard) -> ForceCard:
    """The card with the columns of its tables aligned, where the tables have the same columns.

    A head over boxes that says when to tick them is the card's caption instead.
    """
    heads = [column.head for table in _tables(*card.units) for column in table.columns if column.kind == "boxes"]

    def in_line(gear: Gear) -> Gear:
        if not isinstance(block := gear.block, Table):
            return gear
        rows = tuple(row for table in _tables(*card.units) if table.columns == block.columns for row in table.rows)
        columns = tuple(replace(column, head=column.head * (column.kind != "boxes")) for column in block.columns)
        return replace(gear, block=replace(block, columns=columns, aligned=rows))

    units = tuple(replace(unit, gear=tuple(map(in_line, unit.gear))) for unit in card.units)
    return replace(card, units=units, ticks=next(filter(None, heads), card.ticks))


def _listed(row: Drawing, within: tuple[Within, ...]) -> Drawing:
    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        with part(canvas, "LBody", *within):
            row.draw(canvas, left, top, width)

    return replace(row, draw=draw)


def _unit(card: ForceCard, width: float, key: object, size: float, place: int, below: bool) -> list[Drawing]:
    """The rows of a model: its name and cost below a rule, then its gear.

    ``below`` the model before it, it has no heads that stand there.
    """
    unit = card.units[place]
    within: tuple[Within, ...] = (("L", key), ("LI", place))
    tables_above = _tables(card.units[place - 1]) if below and place else []
    tables = _tables(unit)
    ticked = bool(card.ticks and unit.cost) and not any(table.has_rules for table in tables)
    left, small, big = ticked * (INDENT + 7), max(7.0, size * MARK), size * NAME_SHARE
    paid = "" if len(card.units) == 1 and unit.cost == card.total else unit.cost
    room = width - max(text_width(an_unit.cost, big, bold=True) for an_unit in card.units) - BETWEEN
    marks = sum(text_width(mark, small, bold=True) + 13 for mark in unit.marks) + 6
    name = fit(unit.name, big, room - left, bold=True, min_size=big, max_lines=99, leading=1.16)
    ruled = any(table.has_rules for table in tables_above)
    above = max(size * 0.45, (TICK_SIDE + CLEAR - 3 - big * 0.74) * ticked)
    apart = bool(unit.marks) and name.last_width + marks > room - left
    more = name.step * (len(name.lines) + apart - 1)

    def head(canvas: Canvas, x: float, top: float, width: float) -> None:
        if not ruled:
            rule(canvas, x, top, x + width, top)
        base = top - above - big * 0.74
        if ticked:
            box(canvas, x, base - 3, TICK_SIDE, TICK_SIDE)
        draw_fitted(canvas, x + left, base, name)
        at = x + left + (0 if apart else name.last_width + 6)
        for mark in unit.marks:
            at = _mark(canvas, at, base - more, mark, small, card, x + width)
        draw_text(canvas, x + width, base, paid, big, bold=True, align="right")

    high = (above + more + big * 1.05 + size * 0.1) * bool(unit.name)
    rows = [_listed(Drawing(high, head, above=size * (0.4 if ruled else 0.6), keep_next=bool(unit.gear)), within)]
    x = left or INDENT * (not any(a_gear.costs for a_gear in unit.gear))
    if any(a_gear.block for a_gear in unit.gear):
        x = PAD * (tables != [] and not any(table.boxed for table in tables))
    for gear in unit.gear:
        if gear.block:
            rows += _block(gear.block, width, size, within, tables_above, size * (0.15 if len(rows) < 2 else 0.35))
        for row in _gear(gear, size, x, width):
            rows.append(_listed(replace(row, above=row.above * (len(rows) > 1), keep_next=True), within))
    return rows


def _gear(gear: Gear, size: float, x: float, width: float) -> Iterator[Drawing]:
    """A row of words, then rows of costs in three columns, each before its text, which takes as many as it needs."""
    step, used, rows = (width - x + APART) / COLUMNS, COLUMNS, list[list[tuple[Drawing, float]]]()
    for text, cost in (*[(gear.text, None)] * bool(gear.text), *gear.costs):
        left = 0.0 if cost is None else text_width("+000 ", size, bold=True)
        across = COLUMNS if cost is None else min(COLUMNS, ceil((left + text_width(text, size) + APART) / step))
        if used + across > COLUMNS:
            rows, used = [*rows, []], 0
        fitted = Fitted(wrapped_lines(text, size, across * step - APART - left), size, leading=1.22)
        rows[-1].append((Drawing(fitted.height, partial(_part, cost or "", left, fitted)), x + used * step))
        used += across
    for place, row in enumerate(rows):
        yield side_by_side([drawing for drawing, _ in row], [at for _, at in row], size * (0.1 if place else 0.3))


def _part(cost: str, left: float, text: Fitted, canvas: Canvas, x: float, top: float, _: float) -> None:
    draw_text(canvas, x + left - text.size * 0.3, top - text.size, cost, text.size, bold=True, align="right")
    draw_fitted(canvas, x + left, top - text.size, text)


def _block(
    block: Table | Track, width: float, size: float, within: tuple[Within, ...], known: Sequence[Table], above: float
) -> Iterator[Drawing]:
    """The rows of a table or of a track, kept together."""
    if isinstance(block, Track):
        rows = tracks(block, width, LARGER)
    else:
        table = replace(block, size=size, padding=3.2 if block.boxed else 1.7, keep_size=True)
        head, rows = table_rows(replace(table, narrow=least_width(table, width=width) > width), width, *within)
        if block.boxed or block.columns not in [table.columns for table in known]:
            rows = [*head, *rows]
    for place, row in enumerate(rows):
        yield replace(row, above=row.above if place else above, keep_next=True)


def _mark(canvas: Canvas, x: float, base: float, mark: str, size: float, card: ForceCard, end: float) -> float:
    """Draw a mark in a box of the accent colour, and return where the next begins."""
    fitted = fit(mark, size, max(12.0, end - x - 8), bold=True, min_size=7)
    width = fitted.last_width + 8
    canvas.setStrokeColor(HexColor(ACCENT))
    canvas.setLineWidth(LINE)
    canvas.roundRect(x, base - size * 0.34, width, size * 1.4, size * 0.3, stroke=1, fill=0)
    canvas.setStrokeGray(INK)
    draw_fitted(canvas, x + 4, base, fitted)
    return x + width + 5


def _draw(card: ForceCard, marks: Sequence[Mark], number: int, of: int, paper: Paper) -> None:
    draw_head(paper, card)
    for mark in marks:
        mark(paper.canvas)
    draw_verdict(paper, card, card.state if number == of else gettext("Continued on the next card"))
    foot(paper, " · ".join(filter(None, (card.kind, card.key))), number, of)


def _notes(canvas: Canvas, frame: Frame) -> None:
    lines = 1 + int((frame.height - NOTES_ABOVE) / WRITE_HEIGHT + 0.001)
    for place in range(lines):
        y = frame.bottom + place * WRITE_HEIGHT
        label = gettext("Notes") * (place == lines - 1)
        left = draw_text(canvas, frame.left, y + 1, label, CAPTION, bold=True).last_width + 5 * bool(label)
        rule(canvas, frame.left + left, y, frame.right, y)
