"""A force as a card: player, faction and total, every model with its gear, the verdict, the locked list's number.

Two cards share an A4 or Letter page, to be cut apart; on A5 a card is a page. A long force continues on another card.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import ceil

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
SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
"""Type sizes of models to try, the largest first."""
MOST_ACROSS, BETWEEN = 3, 14.0
"""Most pieces of gear with costs on a row; the space between two, and between a piece and its cost, in points."""
EVEN, LARGER = 9.0, 1.15
"""The least type size with fewer pieces on a row, and of cards next to smaller ones; share of boxes in large type."""
NAME, MARK, INDENT = 1.1, 0.78, 13.0
"""Type sizes of models' names and of marks, as shares of that of gear, and the indent of gear."""


def draw_force_cards(paper: Paper, cards: Sequence[ForceCard]) -> None:
    """Draw the cards, two to a page, on A5 one; all in one type size, as far as none gets small by that."""
    bookmark(paper, title := gettext("Force cards"))
    each = 1 if paper.size == "A5" else 2
    paper = oriented(paper, landscape=each == 2)
    if not cards:
        empty_page(paper, title, gettext("There is no list yet."))
    cutting = equal_pieces(paper, each)
    frame = frame_of(cutting.pieces[0].width, cutting.pieces[0].height)
    forces = [(card, cache(partial(_unit, card, frame.width, object()))) for card in map(_aligned, cards)]
    ways = [(card, *_way(card, rows, frame)) for card, rows in forces]
    even = max(EVEN, min((size for _, _, size in ways), default=EVEN))
    pieces = [piece for card, rows, size in ways for piece in _parts(card, rows, frame, min(even, size))]
    draw_pieces(paper, pieces, cutting, lambda paper, _, piece: _draw(paper, *piece))


def _way(card: ForceCard, rows: Callable[..., list[Drawing]], frame: Frame) -> tuple[Rows, float]:
    """The rows of the models, with few pieces of gear on a row, and the largest type in which the tables fit; the force
    needs no more cards than in the smallest type with most pieces on a row.
    """
    few = len(_laid(card, partial(rows, MOST_ACROSS), frame, SIZES[-1], SPACES[-2]))

    def fits(across: int, size: float) -> bool:
        tables = (replace(one, size=size) for one in _tables(*card.units))
        narrow = any(least_width(one, width=frame.width) > frame.width for one in tables)
        return not narrow and len(_laid(card, partial(rows, across), frame, size, SPACES[-2], few)) <= few

    across = next((one for one in range(1, MOST_ACROSS) if fits(one, EVEN)), MOST_ACROSS)
    sizes = SIZES[: SIZES.index(EVEN) if across < MOST_ACROSS else -1]
    return partial(rows, across), SIZES[bisect_left(sizes, True, key=partial(fits, across))]


def _parts(card: ForceCard, rows: Rows, frame: Frame, size: float) -> Iterator[tuple[ForceCard, list[Mark], int, int]]:
    """The cards of a force, each with its marks, its number, and how many there are; each of several names its part."""
    space = largest(SPACES, lambda one: len(_laid(card, rows, frame, size, one)))
    flow = _laid(card, rows, frame, size, space)
    end = frame.bottom + foot_height(card) - 2
    if (lines := int((flow.y - end) / WRITE_HEIGHT)) > 1:
        flow.pages[-1].append(partial(_notes, frame=frame, end=end, step=(flow.y - end) / (lines + 0.2), lines=lines))
    for number, marks in enumerate(flow.pages, 1):
        there = [unit.name for unit, page in zip(card.units, flow.row_pages, strict=True) if page == number - 1]
        part = " – ".join(dict.fromkeys((*there[:1], *there[-1:]))) if len(flow) > 1 else ""
        yield replace(card, part=part), marks, number, len(flow)


def _laid(card: ForceCard, rows: Rows, frame: Frame, size: float, space: float, most: int = 99) -> Flow:
    """The force, or its beginning if that takes more than ``most`` cards; the rows of the flow are its units."""
    frame, top = replace(frame, bottom=frame.bottom + foot_height(card) + 5), head_base(card, frame)
    flow = Flow(page_columns(frame, top), space)
    for place in range(len(card.units)):
        if len(flow) > most:
            return flow
        if flow.is_full(rows(size, place, True)):
            flow.next_column()
        flow.put(rows(size, place, flow.y < flow.column.top))
        flow.row_pages.append(flow.column.page)
    found = [Paragraph(one, size * 0.92, above=size * 0.2) for one in card.findings]
    if found:
        title = Paragraph(gettext("What the check found"), size, bold=True, above=size * 0.7, keep_next=True)
        flow.put([title, *found])
    return flow


def _notes(canvas: Canvas, frame: Frame, end: float, step: float, lines: int) -> None:
    """Draw lines to write on, from the end of the card upwards."""
    for place in range(1, lines):
        rule(canvas, frame.left, end + place * step, frame.right, end + place * step)
    draw_text(canvas, frame.left, end + (lines - 1) * step + 4, gettext("Notes"), CAPTION, bold=True)


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


def _unit(
    card: ForceCard, width: float, key: object, across: int, size: float, place: int, below: bool
) -> list[Drawing]:
    """The rows of a model: its name and cost below a rule, then its gear, ``across`` pieces with costs on a row.

    ``below`` the model before it, it has no heads that stand there.
    """
    unit = card.units[place]
    within: tuple[Within, ...] = (("L", key), ("LI", place))
    known = _tables(card.units[place - 1]) if below and place else []
    tabled = any(one.block for one in unit.gear)
    ticked = bool(card.ticks and unit.cost) and not any(table.has_rules for table in _tables(unit))
    left, small, big = ticked * (INDENT + 7), max(7.0, size * MARK), size * NAME
    paid = "" if len(card.units) == 1 and unit.cost == card.total else unit.cost
    room = width - left - text_width(paid, big, bold=True) - 10
    marks = sum(text_width(mark, small, bold=True) + 13 for mark in unit.marks) + 6
    name = fit(unit.name, big, room, bold=True, min_size=big, max_lines=99, leading=1.16)
    above = max(size * 0.5, (TICK_SIDE + CLEAR - 3 - big * 0.74) * ticked)
    before = 0.0 if any(table.has_rules for table in known) else size * 0.6
    apart = bool(unit.marks) and name.last_width + marks > room
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
        draw_text(canvas, x + width, base, paid, big, bold=True, align="right")

    high = above + more + big * 1.05 + size * 0.1
    rows = [_listed(Drawing(high, head, above=before, keep_next=bool(unit.gear)), within)]
    tables = _tables(unit)
    x = PAD * (tables != [] and not any(one.boxed for one in tables)) if tabled else left or INDENT
    priced = [one for one in unit.gear if one.text] if any(one.cost for one in unit.gear) else []
    for one in unit.gear:
        if one.block:
            rows += _block(one.block, width, size, within, known)
        if one.text and not priced:
            gap, kept = size * 0.25 * (one is not unit.gear[0]), one is not unit.gear[-1] or not tabled
            rows.append(_listed(replace(_piece(one, size, x, width - x), above=gap, keep_next=kept), within))
    return rows + [_listed(row, within) for row in _in_rows(priced, across, size, x, width)]


def _in_rows(gear: Sequence[Gear], across: int, size: float, left: float, width: float) -> Iterator[Drawing]:
    """Rows with room for ``across`` pieces of gear, kept together; a long piece takes the room of several."""
    step, rows, used = (width - left) / across, list[list[Drawing]](), across
    for one in gear:
        needs = text_width(one.text, size) + text_width(one.cost, size) + 2 * BETWEEN
        over = min(across, ceil(needs / step))
        if used + over > across:
            rows.append([])
            used = 0
        room = step * over - BETWEEN * (used + over < across)
        rows[-1].append(_piece(one, size, left + step * used, room))
        used += over
    for row in rows:
        yield replace(side_by_side(row, [0.0] * across, 0.0), keep_next=True)


def _piece(one: Gear, size: float, left: float, room: float) -> Drawing:
    """A piece of gear with its cost at the right end of its room."""
    wide = room - (text_width(one.cost, size) + BETWEEN) * bool(one.cost)
    text = fit(one.text, size, wide, min_size=size * 0.94, max_lines=99, leading=1.28)

    def draw(canvas: Canvas, x: float, top: float, _: float) -> None:
        x, y = x + left, top - text.size
        draw_fitted(canvas, x, y, text)
        figure = draw_text(canvas, x + room, y, one.cost, text.size, align="right")
        if one.cost and len(text.lines) == 1:
            canvas.setDash(0.4, 3)
            rule(canvas, x + text.width + 4, y, x + room - figure.width - 3, y)
            canvas.setDash()

    return Drawing(text.height, draw)


def _block(
    block: Table | Track, width: float, size: float, within: tuple[Within, ...], known: Sequence[Table]
) -> Iterator[Drawing]:
    """The rows of a table or of a track, kept together."""
    if isinstance(block, Track):
        rows = tracks(block, width, LARGER if size > SIZES[-1] else 1.0)
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


def _draw(paper: Paper, card: ForceCard, marks: Sequence[Mark], number: int, of: int) -> None:
    """Draw a card, or one part of a long one."""
    draw_head(paper, card)
    for mark in marks:
        mark(paper.canvas)
    draw_verdict(paper, card, card.state if number == of else gettext("Continued on the next card"))
    foot(paper, card.kind, number, of)
