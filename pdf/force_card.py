"""A force as a card: player, faction and total, every model with its gear, the verdict, the locked list's number.

Two cards share an A4 or Letter page, to be cut apart; on A5 a card is a page. A long force continues on another card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, noted
from pdf.card_head import ACCENT, ForceCard, Gear, Unit, draw_head, draw_verdict, foot_height, head_base
from pdf.cuts import draw_pieces, equal_pieces
from pdf.flow import SPACES, Drawing, Flow, Mark, Paragraph, balanced, largest, page_columns
from pdf.fonts import draw_fitted, draw_text, fit, text_width
from pdf.page import INK, LINE, Frame, Paper, bookmark, box, empty_page, foot, frame_of, oriented, rule
from pdf.table import CLEAR, TICK_SIDE, Table, least_width, table_rows
from pdf.tags import Within
from pdf.tags import part as tag
from pdf.tracks import tracks
from validators.sheet import Track

TITLE = noted("Force cards")
SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
"""Type sizes of models to try, the largest first."""
NAMES, MARK = (0.95, 1.18), 0.78
"""Type sizes of models' names (the smallest, the largest) and of marks, as shares of that of gear."""
INDENT, GAP, MAX_HALF = 13.0, 16.0, 10.0
"""Indent of gear, the space between columns, and the maximum type size in two of them."""


def draw_force_cards(paper: Paper, cards: Sequence[ForceCard]) -> None:
    """Draw the cards, two to a page, on A5 one."""
    bookmark(paper, gettext(TITLE))
    each = 1 if paper.size == "A5" else 2
    paper = oriented(paper, landscape=each == 2)
    if not cards:
        empty_page(paper, gettext(TITLE), gettext("There is no list yet."))
    cutting = equal_pieces(paper, each)
    frame = frame_of(cutting.pieces[0].width, cutting.pieces[0].height)
    pieces = [piece for card in cards for piece in _parts(_aligned(card), frame)]
    draw_pieces(paper, pieces, cutting, lambda paper, _, piece: _draw(paper, *piece))


def _parts(card: ForceCard, frame: Frame) -> Iterator[tuple[ForceCard, list[Mark], int, int]]:
    """The cards of a force, each with its marks, its number, and how many there are; each of several names its part.

    They have the largest type size in which the force needs no more cards, in two columns only to need fewer.
    """
    fits = [size for size in SIZES if _fit(card, frame.width, size, narrow=False)] or SIZES
    ways = [(size, columns) for size in fits for columns in (1, 2) if columns < 2 or _halves(card, frame, size)]
    laid = cache(partial(_laid, card, frame))
    way = largest(ways, lambda way: len(laid(*way)))
    card = replace(card, part=card.kind if len(laid(*way)) > 1 else "")  # the head names the part
    space = largest(SPACES, lambda one: len(_laid(card, frame, *way, one)))
    flow = balanced(lambda raised: _laid(card, raised, *way, space), frame)
    pages, ends = flow.pages, flow.row_pages
    names = [unit.name for unit in card.units]
    many = sum(bool(unit.cost) for unit in card.units)
    for number, marks in enumerate(pages, 1):
        there = [place for place, page in enumerate(ends) if page == number - 1]
        paid = [place for place in there if card.units[place].cost]
        part = ", ".join(names[place] for place in there)
        if paid:
            figures = {"first": paid[0] + 1, "last": paid[-1] + 1, "many": many}
            part = gettext(
                "%(first)s to %(last)s of %(many)s: %(a)s to %(b)s", **figures, a=names[paid[0]], b=names[paid[-1]]
            )
        yield replace(card, part=part if len(pages) > 1 else ""), marks, number, len(pages)


def _halves(card: ForceCard, frame: Frame, size: float) -> bool:
    """Whether gear of this size, and tables without texts, fit into half the width of a card."""
    kinds = {column.kind for table in _tables(*card.units) for column in table.columns}
    return size <= MAX_HALF and not kinds & {"text", "fixed"} and _fit(card, (frame.width - GAP) / 2, size, narrow=True)


def _fit(card: ForceCard, width: float, size: float, *, narrow: bool) -> bool:
    tables = (replace(one, size=size, narrow=narrow) for one in _tables(*card.units))
    return all(least_width(table, width=width * _by_hand(table)) <= width for table in tables)


def _laid(card: ForceCard, frame: Frame, size: float, columns: int, space: float = 1.0) -> Flow:
    """The force in columns; the rows of the flow are its units."""
    frame, top = replace(frame, bottom=frame.bottom + foot_height(card) + 5), head_base(card, frame)
    flow = Flow(page_columns(frame, top, [1 / columns] * columns, GAP), space)
    big = _name_size(card, flow.column.width, size)
    for place, unit in enumerate(card.units):
        rows_of = partial(_unit, card, unit, flow.column.width, big, size, (("L", card), ("LI", place)))
        brief = list(rows_of(_tables(*card.units[:place][-1:])))
        if flow.is_full(brief):
            flow.next_column()
        flow.put(brief if flow.y < flow.column.top else list(rows_of()))
        flow.row_pages.append(flow.column.page)
    found = [Paragraph(one, size * 0.92, above=size * 0.2) for one in card.findings]
    if found:
        title = Paragraph(gettext("What the check found"), size, bold=True, above=size * 0.7, keep_next=True)
        flow.put([title, *found])
    return flow


def _by_hand(block: Table | Track | None) -> bool:
    return isinstance(block, Track) or (block is not None and any(one.kind == "write" for one in block.columns))


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


def _across(card: ForceCard, unit: Unit, width: float, size: float) -> tuple[float, float, float, str]:
    """The left end of a model's name, the width for it and its marks, the width of the marks, and the cost."""
    paid = "" if len(card.units) == 1 and unit.cost == card.total else unit.cost
    left = INDENT + 7 if card.ticks and unit.cost and not any(table.has_rules for table in _tables(unit)) else 0.0
    marks = sum(text_width(mark, max(7.0, size * MARK), bold=True) + 13 for mark in unit.marks)
    return left, width - left - text_width(paid, size * NAMES[1], bold=True) - 10, marks + 6 * bool(marks), paid


def _name_size(card: ForceCard, width: float, size: float) -> float:
    """The type size of all models' names, at which as many as possible are on one line with their marks."""
    least, most = (size * share for share in NAMES)
    found = ((unit, _across(card, unit, width, size)) for unit in card.units)
    names = [fit(unit.name, most, room - marks, bold=True, min_size=least) for unit, (_, room, marks, _) in found]
    return min((one.size for one in names if not one.cut), default=most)


def _unit(
    card: ForceCard, unit: Unit, width: float, big: float, size: float, within: tuple[Within, ...],
    known: Sequence[Table] = ()
) -> Iterator[Drawing]:  # fmt: skip
    """A model: its name and cost below a rule, in type of ``big`` points, then its gear.

    Heads that the ``known`` tables above have are left out.
    """
    tabled = any(one.block for one in unit.gear)
    left, room, marks, paid = _across(card, unit, width, size)
    ticked, small = left > 0, max(7.0, size * MARK)
    name = fit(unit.name, big, room, bold=True, min_size=big, max_lines=99, leading=1.16)
    above = max(size * (0.75 if tabled else 0.5), (TICK_SIDE + CLEAR - 3 - name.size * 0.74) if ticked else 0.0)
    before = 0.0 if any(table.has_rules for table in known) else size * (0.7 if tabled else 0.45)
    below = name.last_width + marks > room
    more = name.step * (len(name.lines) + below - 1)

    def head(canvas: Canvas, x: float, top: float, width: float) -> None:
        canvas.setStrokeGray(INK)
        rule(canvas, x, top, x + width, top)
        base = top - above - name.size * 0.74
        if ticked:
            box(canvas, x, base - 3, TICK_SIDE, TICK_SIDE)
        draw_fitted(canvas, x + left, base, name)
        at = x + left + (0 if below else name.last_width + 6)
        for mark in unit.marks:
            at = _mark(canvas, at, base - more, mark, small, card, x + width)
        draw_text(canvas, x + width, base, paid, big, bold=True, align="right")

    high = above + more + name.size * 1.05 + size * 0.1
    yield _listed(Drawing(high, head, above=before, keep_next=bool(unit.gear)), within)
    gear = unit.gear
    x = left + (0.0 if tabled else min(INDENT, width / 28))
    if card.every_cost and unit.alone and gear:
        gear = (Gear(gettext("Without gear"), unit.alone), *gear)
    for one in gear:
        if one.block:
            yield from _block(one.block, left, width, size, within, known)
        if one.text:
            carried = replace(_gear(card, one, x, width, size), above=size * 0.4 * (tabled and one is not gear[0]))
            yield _listed(replace(carried, keep_next=one is not gear[-1] or not tabled), within)


def _block(
    block: Table | Track, left: float, width: float, size: float, within: tuple[Within, ...],
    known: Sequence[Table]
) -> Iterator[Drawing]:  # fmt: skip
    """The rows of a table or of a track, indented by ``left`` and kept together."""
    room, above = width - left, size * 0.3
    if isinstance(block, Track):
        rows = tracks(block, room)
    else:
        table = replace(block, size=size, padding=3.5 if block.boxed else 2.0, keep_size=True)
        narrow = least_width(table, width=room * _by_hand(table)) > room
        head, body = table_rows(replace(table, narrow=narrow), room, *within)
        rows = [*head, *body]
        if block.columns in [table.columns for table in known] and not block.boxed:
            rows, above = body, 0.0
    for place, row in enumerate(rows):

        def draw(canvas: Canvas, x: float, top: float, _: float, row: Drawing = row) -> None:
            row.draw(canvas, x + left, top, room)

        yield Drawing(row.height, draw, row.above if place else above, keep_next=True)


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


def _gear(card: ForceCard, gear: Gear, left: float, width: float, size: float) -> Drawing:
    """A piece of gear, on a judge's card with its cost at the right and how that adds up after its name."""
    cost, text = gear.cost * card.every_cost, f"{gear.text}: {gear.how}" if card.every_cost and gear.how else gear.text
    room = width - left - (text_width(cost, size) + 12 if cost else 0.0)
    size = size if gear.cost else fit(text, size, room, min_size=size * 0.94, max_lines=99).size
    lines = fit(text, size, room, min_size=size, max_lines=99, leading=1.28)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        draw_fitted(canvas, x + left, top - size, lines)
        draw_text(canvas, x + width, top - size, cost, size, align="right")

    return Drawing(lines.height, draw)


def _draw(paper: Paper, card: ForceCard, marks: Sequence[Mark], number: int, of: int) -> None:
    """Draw a card, or one part of a long one."""
    paper.canvas.setFillGray(INK)
    draw_head(paper, card)
    for mark in marks:
        mark(paper.canvas)
    draw_verdict(paper, card, card.state if number == of else gettext("Continued on the next card"))
    foot(paper, card.kind, number, of)
