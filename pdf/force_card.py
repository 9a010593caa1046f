"""A force as a card: player, faction and total, every model with its gear, the verdict, the locked list's number.

Two cards share an A4 or Letter page, to be cut apart; on A5 a card is a page. A long force continues on another card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, noted
from pdf.cuts import draw_pieces, equal_pieces
from pdf.flow import Drawing, Flow, Mark, Paragraph, balance_columns, page_columns
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, plain, text_width, wrap
from pdf.page import (
    INK,
    LINE,
    PAPER,
    Frame,
    PageSize,
    Paper,
    bookmark,
    box,
    empty_page,
    finish,
    foot,
    frame_of,
    new_paper,
    oriented,
    rule,
)
from pdf.table import CLEAR, TICK_SIDE, Table, least_width, table_rows
from pdf.tags import Within, title_role
from pdf.tags import part as tag
from pdf.tracks import tracks
from validators.sheet import Track

ACCENT = "#a86400"
"""Amber, for events without a colour of their own."""
TITLE = noted("Force cards")
SIZES, SMALL_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0), (8.5, 8.0, 7.5, 7.0)
"""Type sizes of models; neighbouring cards look alike, because the largest is close to the smallest."""
NAMES, MARK = (0.95, 1.18), 0.78
"""Type sizes of models' names (the smallest, the largest) and of marks, as shares of that of gear."""
LINE_FOR_EACH, MIN_TRACKED = 9.0, 8.0
"""From these sizes on, each piece of gear has its own line, and tracks are drawn."""
INDENT, CAPTION, NAME, TOTAL, GAP = 13.0, 9.0, 25.0, 32.0, 16.0
"""Indent of gear; type sizes of the caption, the player's name and the total; space between columns."""
TICK_SIGN = ((-3.4, 0, -0.9, -2.6), (-0.9, -2.6, 3.6, 2.8))
CROSS_SIGN = ((-3, -3, 3, 3), (-3, 3, 3, -3))


@dataclass(frozen=True)
class Gear:
    """A piece of gear, its cost ("" for none), how that adds up, and a table or track to draw above it."""

    text: str
    cost: str = ""
    how: str = ""
    block: Table | Track | None = None


@dataclass(frozen=True)
class Unit:
    """A model or squad, its total cost ("" for general entries); ``alone``, for judges, is its cost without gear."""

    name: str
    cost: str
    marks: tuple[str, ...] = ()
    gear: tuple[Gear, ...] = ()
    alone: str = ""


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
    legal: bool | None
    """None: there is nothing to judge yet; the card has no sign then."""
    kind: str
    state: str = ""
    """ "Submitted 4 Dec 2026, 18:00"."""
    number: str = ""
    """ "List no. 476779fc", from the hash of the locked list."""
    game: str = ""
    findings: tuple[str, ...] = ()
    every_cost: bool = False
    ticks: str = ""
    """When to tick the box of a model: "Tick when checked"; "" for no boxes."""
    accent: str = ""


def force_cards(cards: Sequence[ForceCard], event: str, page_size: PageSize, printed_at: datetime) -> bytes:
    """The cards as a PDF, two to a page, on A5 one."""
    paper = new_paper(page_size, title=gettext(TITLE), event=event, printed_at=printed_at)
    bookmark(paper, gettext(TITLE))
    each = 1 if page_size == "A5" else 2
    paper = oriented(paper, landscape=each == 2)
    if not cards:
        empty_page(paper, gettext(TITLE), gettext("There is no list yet."))
    cutting = equal_pieces(paper, each)
    frame = frame_of(cutting.pieces[0].width, cutting.pieces[0].height)
    laid = [(card, _pages(card, frame)) for card in map(_aligned, cards)]
    pieces = [(card, marks, n, len(pages)) for card, pages in laid for n, marks in enumerate(pages, 1)]
    draw_pieces(paper, pieces, cutting, lambda paper, _, piece: _draw(paper, *piece))
    return finish(paper)


def _pages(card: ForceCard, frame: Frame) -> list[list[Mark]]:
    """The marks of each card: as few cards as any layout needs, in one column of the largest type from 11 to 9 pt.

    If one column needs more cards at 9 pt, there are two columns of 10 to 7 pt, unless a table is too wide for them.
    """
    top, frame = _head_base(card, frame), replace(frame, bottom=frame.bottom + _foot_height(card) + 5)
    half, tables = (frame.width - GAP) / 2, _tables(*card.units)
    narrow = all(least_width(replace(one, size=SMALL_SIZES[-1]), width=half * _by_hand(one)) <= half for one in tables)

    def lay_out(columns: int, size: float, units: Sequence[Unit], frame: Frame = frame) -> list[list[Mark]]:
        flow = Flow(page_columns(frame, top, [1 / columns] * columns, GAP))
        big = _name_size(card, flow.column.width, size)
        for place, unit in enumerate(units):
            rows_of = partial(_unit, card, unit, flow.column.width, big, size, (("L", card), ("LI", place)))
            brief = list(rows_of(_tables(*units[:place][-1:])))
            if flow.is_full(brief):
                flow.next_column()
            flow.put(brief if flow.y < flow.column.top else list(rows_of()))
        found = [Paragraph(one, size * 0.92, above=size * 0.2) for one in card.findings]
        if found:
            flow.put(
                [Paragraph(gettext("What the check found"), size, bold=True, above=size * 0.7, keep_next=True), *found]
            )
        return flow.pages

    ways = [(1, size) for size in SIZES]
    ways += [(1 + narrow, size) for size in (*SIZES[2:], *SMALL_SIZES)]
    # Judges get no boxes to write in, and others only if they need no further card.
    untracked = ((unit, [one for one in unit.gear if not _by_hand(one.block)]) for unit in card.units)
    units = tuple(replace(unit, gear=tuple(gear)) for unit, gear in untracked)
    fewest = len(lay_out(*ways[-1], units))
    if not card.every_cost and len(lay_out(1, MIN_TRACKED, card.units)) <= fewest:
        units = card.units
    columns, size = next((way for way in ways if len(lay_out(*way, units)) <= fewest), ways[-1])
    return balance_columns(lambda frame: lay_out(columns, size, units, frame), frame)


def _by_hand(block: Table | Track | None) -> bool:
    return isinstance(block, Track) or (block is not None and any(one.kind == "write" for one in block.columns))


def _tables(*units: Unit) -> list[Table]:
    return [one.block for unit in units for one in unit.gear if isinstance(one.block, Table)]


def _aligned(card: ForceCard) -> ForceCard:
    """The card with the columns of its tables aligned, where the tables have the same columns.

    Its caption is left out if the boxes have a head that says when to tick them.
    """
    headed = any(one.kind == "boxes" and one.head for table in _tables(*card.units) for one in table.columns)

    def in_line(gear: Gear) -> Gear:
        if not isinstance(block := gear.block, Table):
            return gear
        rows = tuple(row for table in _tables(*card.units) if table.columns == block.columns for row in table.rows)
        return replace(gear, block=replace(block, aligned=rows))

    units = tuple(replace(unit, gear=tuple(map(in_line, unit.gear))) for unit in card.units)
    return replace(card, units=units, ticks="" if headed else card.ticks)


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
    if not card.every_cost and size < LINE_FOR_EACH and gear and not tabled:
        gear = (Gear(", ".join(one.text for one in gear)),)
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
    room = width - left
    if isinstance(block, Track):
        rows = tracks(block, room)
    else:
        block = replace(block, padding=3.5 if block.boxed else 2.0, keep_size=True)
        variants = [replace(block, size=one) for one in (*SIZES, *SMALL_SIZES) if one <= size]
        fits = next((one for one in variants if least_width(one, width=room * _by_hand(one)) <= room), variants[-1])
        head, body = table_rows(fits, room, *within)
        rows = body if block.columns in [table.columns for table in known] and not block.boxed else [*head, *body]
    for place, row in enumerate(rows):

        def draw(canvas: Canvas, x: float, top: float, _: float, row: Drawing = row) -> None:
            row.draw(canvas, x + left, top, room)

        yield Drawing(row.height, draw, row.above if place else size * 0.3, keep_next=True)


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
    cost, how = (gear.cost, gear.how) if card.every_cost else ("", "")
    room, sum_ = width - left, " = ".join(filter(None, (how, cost)))
    size = size if gear.cost else fit(gear.text, size, room, min_size=size * 0.94, max_lines=99).size
    lines: tuple[str, ...] = (plain(gear.text),)
    first = room - text_width(cost, size) - 12 * bool(cost)
    if text_width(gear.text, size) + text_width(sum_, size) + 12 * bool(sum_) > room:
        # The cost stays on the first line, and how it adds up goes to the last.
        name, bracket, more = gear.text.partition(" (" if gear.text.endswith(")") else "\n")
        if text_width(gear.text, size) > first:
            lines = *wrap(name, size, first), *(wrap(f"({more}", size, room) if bracket else ())
        joined = f"{lines[-1]}: {how}"
        on_last = len(lines) > 1 and text_width(joined, size) <= room
        lines, sum_ = (*lines[: len(lines) - on_last], joined if on_last else how) if how else lines, cost
    text = Fitted(lines, size, leading=1.28)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        draw_fitted(canvas, x + left, top - size, text)
        draw_text(canvas, x + width, top - size, sum_, size, align="right")

    return Drawing(text.height, draw)


def _draw(paper: Paper, card: ForceCard, marks: Sequence[Mark], number: int, of: int) -> None:
    """Draw a card, or one part of a long one."""
    paper.canvas.setFillGray(INK)
    _head(paper, card)
    for mark in marks:
        mark(paper.canvas)
    _verdict(paper, card, card.state if number == of else gettext("Continued on the next card"))
    foot(paper, card.kind, number, of)


def _fitted_head(card: ForceCard, frame: Frame) -> tuple[Fitted, Fitted, Fitted]:
    """The player's name, the faction, and the other lines of the head, fitted to the card."""
    room = frame.width - text_width(card.total, TOTAL, bold=True) - 16
    name = fit(card.player, NAME, room, bold=True, min_size=9, max_lines=2, leading=1.12)
    room = frame.width - text_width(card.allowed, 9) - 16
    faction = fit(card.faction, 13, room, bold=True, min_size=9, max_lines=2, leading=1.25)
    about = " · ".join(filter(None, (card.club, card.about)))
    return name, faction, fit(about, 9.5, frame.width, min_size=7.5, max_lines=2, leading=1.3)


def _head_base(card: ForceCard, frame: Frame) -> float:
    """The y at which the models begin."""
    name, faction, about = _fitted_head(card, frame)
    caption = CAPTION + 5 if card.ticks else 0.0
    return frame.top - 34 - max(TOTAL, name.height) - faction.height - about.height - caption


def _head(paper: Paper, card: ForceCard) -> None:
    """Draw the accent bar, the card's title, the player and total, the faction and the allowed total."""
    canvas, frame = paper.canvas, paper.frame
    _bar(canvas, card, frame, frame.top - 5, 5)
    y = frame.top - 16
    room = frame.width - text_width(card.kind, 9, bold=True) - 12
    with tag(canvas, title_role(canvas)):
        draw_text(canvas, frame.left, y, " · ".join(filter(None, (paper.event, card.game))), 9, max_width=room)
    draw_text(canvas, frame.right, y, card.kind, 9, bold=True, align="right")
    y -= 6
    name, faction, about = _fitted_head(card, frame)
    with tag(canvas, "H1"):
        draw_fitted(canvas, frame.left, y - name.size * 0.95, name)
    draw_text(canvas, frame.right, y - TOTAL * 0.8, card.total, TOTAL, bold=True, align="right")
    y -= max(TOTAL, name.height) + 4
    draw_text(canvas, frame.right, y - 10, card.allowed, 9, align="right")
    draw_fitted(canvas, frame.left, y - faction.step + 3, faction)
    below = draw_fitted(canvas, frame.left, y - faction.height - about.step + 1, about) + about.step
    draw_text(canvas, frame.left, below - CAPTION - 5, card.ticks, CAPTION)


def _bar(canvas: Canvas, card: ForceCard, frame: Frame, y: float, height: float) -> None:
    """Draw a bar in the accent colour over the width of the card."""
    canvas.setFillColor(HexColor(card.accent or ACCENT))
    canvas.rect(frame.left, y, frame.width, height, stroke=0, fill=1)
    canvas.setFillGray(INK)


def _foot_height(card: ForceCard) -> float:
    return 30.0 + 18 * card.every_cost


def _verdict(paper: Paper, card: ForceCard, said: str) -> None:
    """Draw the verdict with its sign, and the state of the list."""
    canvas, frame = paper.canvas, paper.frame
    y = frame.bottom + _foot_height(card)
    _bar(canvas, card, frame, y - 1.6, 1.6)
    y -= 17
    left = 0.0 if card.legal is None else 19.0
    if card.legal is not None:
        _sign(canvas, frame.left + 7, y + 4, legal=card.legal)
    verdict = draw_text(canvas, frame.left + left, y, card.verdict, 12, bold=True, max_width=frame.width * 0.6)
    room = frame.width - left - verdict.last_width - 12
    said = " · ".join(filter(None, (said, card.number)))
    draw_text(canvas, frame.right, y, said, 9, max_width=room, max_lines=2, align="right")
    if card.every_cost:
        for words, start, end in ((gettext("Checked by"), 0.0, 0.58), (gettext("at"), 0.62, 1.0)):
            label = draw_text(canvas, frame.left + frame.width * start, y - 19, words, 9)
            left = frame.left + frame.width * start + label.last_width + 5
            rule(canvas, left, y - 20, frame.left + frame.width * end, y - 20, LINE)


def _sign(canvas: Canvas, x: float, y: float, *, legal: bool) -> None:
    """Draw a tick in a disc, or a cross in a ring."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(1.4)
    canvas.circle(x, y, 7, stroke=1, fill=int(legal))
    canvas.setStrokeGray(PAPER if legal else INK)
    canvas.setLineWidth(1.8)
    for ax, ay, bx, by in TICK_SIGN if legal else CROSS_SIGN:
        canvas.line(x + ax, y + ay, x + bx, y + by)
    canvas.setStrokeGray(INK)
