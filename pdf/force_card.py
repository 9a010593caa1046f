"""A force as a card: player, faction and total, every model with its gear, the verdict, the locked list's number.

Two cards share an A4 or Letter page, to be cut apart; on A5 a card is a page. A long force continues on another card.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import groupby

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.card_head import ACCENT, CAPTION, ForceCard, Gear, Unit, draw_head, draw_verdict, foot_height, head_base
from pdf.cuts import draw_pieces, equal_pieces
from pdf.flow import SPACES, Drawing, Flow, Mark, Paragraph, largest, page_columns
from pdf.fonts import draw_fitted, draw_text, fit, text_width
from pdf.page import INK, LINE, Frame, Paper, bookmark, box, empty_page, foot, frame_of, oriented, rule
from pdf.table import CLEAR, PAD, TICK_SIDE, WRITE_HEIGHT, Table, least_width, table_rows
from pdf.tags import Within
from pdf.tags import part as tag
from pdf.tracks import side_by_side, tracks
from validators.sheet import Track

Rows = Callable[[float, int, bool], list[Drawing]]
"""The rows of a model, as `_unit` has them, by type size, place, and whether it stands below another."""
SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0)
"""Type sizes of models to try, the largest first."""
ACROSS, BETWEEN = 2, 20.0
"""Pieces of gear with costs on a row; the space between two, and between a piece and its cost, in points."""
LARGER, LEAST_FREE = 1.15, 9.0
"""Share of boxes in large type; least space above the verdict, in points."""
NAME, MARK, INDENT = 1.1, 0.78, 13.0
"""Type sizes of models' names and of marks, as shares of that of gear, and the indent of gear."""


def draw_force_cards(paper: Paper, cards: Sequence[ForceCard]) -> None:
    """Draw the cards, two to a page, on A5 one; all in one type size."""
    bookmark(paper, title := gettext("Force cards"))
    each = 1 if paper.size == "A5" else 2
    paper = oriented(paper, landscape=each == 2)
    if not cards:
        empty_page(paper, title, gettext("There is no list yet."))
    cutting = equal_pieces(paper, each)
    frame = frame_of(cutting.pieces[0].width, cutting.pieces[0].height)
    forces = [(card, cache(partial(_unit, card, frame.width, object()))) for card in map(_aligned, cards)]
    ways = [(card, rows, _room(card, rows, frame)) for card, rows in forces]
    size = min((_size(*way) for way in ways), default=SIZES[0])
    pieces = [piece for way in ways for piece in _parts(*way, size)]
    draw_pieces(paper, pieces, cutting, lambda paper, _, draw: draw(paper))


def _room(card: ForceCard, rows: Rows, frame: Frame) -> Frame:
    """The part of a card for the models, above a line for notes if that takes no further card."""
    ways = [replace(frame, bottom=frame.bottom + foot_height(card) + free) for free in (WRITE_HEIGHT, LEAST_FREE)]
    return largest(ways, lambda one: len(_laid(card, rows, one, SIZES[-1], SPACES[-1])))


def _size(card: ForceCard, rows: Rows, frame: Frame) -> float:
    """The largest type size in which the tables fit, and the force needs no more cards than in the smallest."""
    few = len(_laid(card, rows, frame, SIZES[-1], SPACES[-1]))

    def fits(size: float) -> bool:
        tables = (replace(one, size=size) for one in _tables(*card.units))
        narrow = any(least_width(one, width=frame.width) > frame.width for one in tables)
        return not narrow and len(_laid(card, rows, frame, size, SPACES[-2])) <= few

    return SIZES[bisect_left(SIZES[:-1], True, key=fits)]


def _parts(card: ForceCard, rows: Rows, frame: Frame, size: float) -> Iterator[Callable[[Paper], None]]:
    """The cards of a force; each of several names its part."""
    space = largest(SPACES, lambda one: len(_laid(card, rows, frame, size, one)))
    flow = _laid(card, rows, frame, size, space)
    for number, marks in enumerate(flow.pages, 1):
        there = [unit.name for unit, page in zip(card.units, flow.row_pages, strict=True) if page == number - 1]
        part = " – ".join(dict.fromkeys((*there[:1], *there[-1:]))) if len(flow) > 1 else ""
        yield partial(_draw, replace(card, part=part), marks, number, len(flow), flow.y)


def _laid(card: ForceCard, rows: Rows, frame: Frame, size: float, space: float) -> Flow:
    """The cards of a force; the rows of the flow are its units."""
    flow = Flow(page_columns(frame, head_base(card, frame)), space)
    for place in range(len(card.units)):
        if flow.is_full(rows(size, place, True)):
            flow.next_column()
        flow.put(rows(size, place, flow.y < flow.column.top))
        flow.row_pages.append(flow.column.page)
    found = [Paragraph(one, size * 0.92, above=size * 0.2) for one in card.findings]
    title = Paragraph(gettext("What the check found"), size, bold=True, above=size * 0.7, keep_next=True)
    flow.put([title, *found] if found else [])
    return flow


def _tables(*units: Unit) -> list[Table]:
    return [one.block for unit in units for one in unit.gear if isinstance(one.block, Table)]


def _aligned(card: ForceCard) -> ForceCard:
    """The card with the columns of its tables aligned, where the tables have the same columns.

    A head over boxes that says when to tick them is the card's caption instead.
    """
    said = [one.head for table in _tables(*card.units) for one in table.columns if one.kind == "boxes"]

    def in_line(gear: Gear) -> Gear:
        if not isinstance(block := gear.block, Table):
            return gear
        rows = tuple(row for table in _tables(*card.units) if table.columns == block.columns for row in table.rows)
        columns = tuple(replace(one, head=one.head * (one.kind != "boxes")) for one in block.columns)
        return replace(gear, block=replace(block, columns=columns, aligned=rows))

    units = tuple(replace(unit, gear=tuple(map(in_line, unit.gear))) for unit in card.units)
    return replace(card, units=units, ticks=next(filter(None, said), card.ticks))


def _listed(row: Drawing, within: tuple[Within, ...]) -> Drawing:
    """A row of a model, tagged as a part of the list."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        with tag(canvas, "LBody", *within):
            row.draw(canvas, left, top, width)

    return replace(row, draw=draw)


def _unit(card: ForceCard, width: float, key: object, size: float, place: int, below: bool) -> list[Drawing]:
    """The rows of a model: its name and cost below a rule, then its gear, that with costs `ACROSS` the card.

    ``below`` the model before it, it has no heads that stand there.
    """
    unit = card.units[place]
    within: tuple[Within, ...] = (("L", key), ("LI", place))
    known = _tables(card.units[place - 1]) if below and place else []
    tables = _tables(unit)
    ticked = bool(card.ticks and unit.cost) and not any(table.has_rules for table in tables)
    left, small, big = ticked * (INDENT + 7), max(7.0, size * MARK), size * NAME
    paid = "" if len(card.units) == 1 and unit.cost == card.total else unit.cost
    paid_left = width - max(text_width(one.cost, big, bold=True) for one in card.units) - MARK * BETWEEN
    room = paid_left - (text_width(unit.alone, size) + BETWEEN) * bool(unit.alone)
    marks = sum(text_width(mark, small, bold=True) + 13 for mark in unit.marks) + 6
    name = fit(unit.name, big, room - left, bold=True, min_size=big, max_lines=99, leading=1.16)
    above = max(size * 0.5, (TICK_SIDE + CLEAR - 3 - big * 0.74) * ticked)
    before = 0.0 if any(table.has_rules for table in known) else size * 0.6
    apart = bool(unit.marks) and name.last_width + marks > room - left
    more = name.step * (len(name.lines) + apart - 1)

    def head(canvas: Canvas, x: float, top: float, width: float) -> None:
        canvas.setStrokeGray(INK)
        rule(canvas, x, top, x + width, top)
        base = top - above - big * 0.74
        if ticked:
            box(canvas, x, base - 3, TICK_SIDE, TICK_SIDE)
        draw_fitted(canvas, x + left, base, name)
        at = x + left + (0 if apart else name.last_width + 6)
        for mark in unit.marks:
            at = _mark(canvas, at, base - more, mark, small, card, x + width)
        draw_text(canvas, x + paid_left, base, unit.alone, size, align="right")
        draw_text(canvas, x + width, base, paid, big, bold=True, align="right")

    high = above + more + big * 1.05 + size * 0.1
    rows = [_listed(Drawing(high, head, above=before, keep_next=bool(unit.gear)), within)]
    x = left or INDENT
    if any(one.block for one in unit.gear):
        x = PAD * (tables != [] and not any(one.boxed for one in tables))
    for priced, run in groupby(unit.gear, lambda one: bool(one.cost)):
        gear, across = list(run), ACROSS if priced else 1
        step = (width - x + BETWEEN) / across
        for at in range(0, len(gear), across):
            if block := gear[at].block:
                rows += _block(block, width, size, within, known)
            if gear[at].text:
                pieces = [_piece(one, size, step - BETWEEN) for one in gear[at : at + across]]
                gap = size * 0.25 * (len(rows) > 1 and not (priced and at))
                row = side_by_side(pieces, [x + step * n for n in range(across)], gap)
                rows.append(_listed(replace(row, keep_next=True), within))
    return rows


def _piece(one: Gear, size: float, room: float) -> Drawing:
    """A piece of gear with its cost at the right end of its last line."""
    needs = (text_width(one.cost, size) + MARK * BETWEEN) * bool(one.cost)
    text = fit(one.text, size, room, min_size=size, max_lines=99, leading=1.28)
    if text.last_width + needs > room:
        text = fit(one.text, size, room - needs, min_size=size, max_lines=99, leading=1.28)

    def draw(canvas: Canvas, x: float, top: float, _: float) -> None:
        y = draw_fitted(canvas, x, top - size, text) + text.step
        figure = draw_text(canvas, x + room, y, one.cost, size, align="right")
        if one.cost:
            canvas.setDash(0.4, 3)
            rule(canvas, x + room - figure.width - 4, y, x + text.last_width + 4, y)
            canvas.setDash()

    return Drawing(text.height, draw)


def _block(
    block: Table | Track, width: float, size: float, within: tuple[Within, ...], known: Sequence[Table]
) -> Iterator[Drawing]:
    """The rows of a table or of a track, kept together."""
    if isinstance(block, Track):
        rows = tracks(block, width, LARGER)
    else:
        table = replace(block, size=size, padding=3.5 if block.boxed else 2.0, keep_size=True)
        head, rows = table_rows(replace(table, narrow=least_width(table, width=width) > width), width, *within)
        if block.boxed or block.columns not in [table.columns for table in known]:
            rows = [*head, *rows]
    for place, row in enumerate(rows):
        yield replace(row, above=row.above if place else size * 0.15, keep_next=True)


def _mark(canvas: Canvas, x: float, base: float, mark: str, size: float, card: ForceCard, end: float) -> float:
    """Draw a mark in a box of the accent colour, and return where the next begins."""
    fitted = fit(mark, size, max(12.0, end - x - 8), bold=True, min_size=7)
    width = fitted.last_width + 8
    canvas.setStrokeColor(HexColor(card.accent or ACCENT))
    canvas.setLineWidth(LINE)
    canvas.roundRect(x, base - size * 0.34, width, size * 1.4, size * 0.3, stroke=1, fill=0)
    canvas.setStrokeGray(INK)
    draw_fitted(canvas, x + 4, base, fitted)
    return x + width + 5


def _draw(card: ForceCard, marks: Sequence[Mark], number: int, of: int, end: float, paper: Paper) -> None:
    """Draw a card, or one part of a long one."""
    draw_head(paper, card)
    for mark in marks:
        mark(paper.canvas)
    if number == of:
        _notes(paper.canvas, paper.frame, paper.frame.bottom + foot_height(card), end)
    draw_verdict(paper, card, card.state if number == of else gettext("Continued on the next card"))
    foot(paper, card.kind, number, of)


def _notes(canvas: Canvas, frame: Frame, bottom: float, top: float) -> None:
    """Draw lines to write on between these heights."""
    lines = int((top - bottom) / WRITE_HEIGHT + 0.001)
    for place in range(lines):
        y = bottom + LEAST_FREE + place * (top - bottom) / lines
        label = gettext("Notes") * (place == lines - 1)
        left = draw_text(canvas, frame.left, y + 1, label, CAPTION, bold=True).last_width + 5 * bool(label)
        rule(canvas, frame.left + left, y, frame.right, y)
