"""The bracket of a knockout on one page. Lengths are in points."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, noted
from pdf.fonts import draw_fitted, draw_text, fit, text_width
from pdf.page import (
    GREY,
    LINE,
    PageSize,
    Paper,
    block,
    bookmark,
    box,
    foot,
    headline,
    headline_height,
    next_page,
    oriented,
    render,
    rule,
)
from pdf.tags import part

TITLE = noted("Bracket")
NOTE = noted("Before each name the seed, after it the victory points. Who goes through is on grey.")
LATER = noted("The rounds before are on the event’s page.")
LEAST_SHARE, WIDE = 32.0, 4
"""The least height for a match: earlier rounds are not drawn; the most rounds on a landscape page."""
GAP, HEADS, MAX_ROW, MAX_TYPE = 14.0, 22.0, 26.0, 13.0
"""Space between rounds, height of their names; maximum height of a side, and of its type."""
NOTE_PT, ONE_LINE_PT, THIRD = 7.5, 8.0, 0.8
"""Type size of notes, least type of a name on one line, and how far down the page the match for third place is."""


@dataclass(frozen=True)
class Side:
    """A side of a match; without a player ``name`` says why, and ``seed`` is ""."""

    name: str
    seed: str = ""
    vp: str = ""
    won: bool = False


@dataclass(frozen=True)
class BracketMatch:
    """A match with a note on how it ended, or where it is played."""

    a: Side
    b: Side
    note: str = ""


@dataclass(frozen=True)
class Bracket:
    """The rounds with their names, each with half as many matches as the one before; ``third`` is for third place."""

    event: str
    rounds: Sequence[tuple[str, Sequence[BracketMatch]]]
    third: BracketMatch | None = None


def bracket_sheet(bracket: Bracket, page_size: PageSize, printed_at: datetime) -> bytes:
    """The bracket as a PDF."""
    return render(draw_bracket, page_size, gettext(TITLE), bracket.event, printed_at, bracket)


def draw_bracket(paper: Paper, bracket: Bracket) -> None:
    """Draw the bracket on one page, of a very large one the last rounds only."""
    many = oriented(paper, landscape=False).frame.height / LEAST_SHARE
    rounds = [one for one in bracket.rounds if len(one[1]) <= many]
    said = [gettext(NOTE), *([gettext(LATER)] if len(rounds) < len(bracket.rounds) else [])]
    title, notes = gettext(TITLE), [" ".join(said)]
    paper = oriented(paper, landscape=len(rounds) <= WIDE)
    paper.canvas.setPageSize((paper.width, paper.height))
    canvas, frame = paper.canvas, paper.frame
    bookmark(paper, title)
    headline(paper, title, notes)
    top = frame.top - headline_height(frame, notes) - HEADS
    step, height = (frame.width + GAP) / len(rounds), top - frame.bottom
    for number, (name, matches) in enumerate(rounds):
        x, share = frame.left + number * step, height / len(matches)
        row = min(MAX_ROW, (share - NOTE_PT - 3) / 2)
        with part(canvas, "H2"):
            draw_text(canvas, x, top + HEADS - 12, name, 10.5, bold=True, max_width=step - GAP, min_size=7)
        for place, match in enumerate(matches):
            middle = top - share * (place + 0.5)
            _match(canvas, x, middle, step - GAP, row, match)
            if number:
                for before in (middle + share / 4, middle - share / 4):
                    rule(canvas, x - GAP, before, x - GAP / 2, before, LINE)
                    rule(canvas, x - GAP / 2, before, x - GAP / 2, middle, LINE)
                rule(canvas, x - GAP / 2, middle, x, middle, LINE)
    if bracket.third:
        x, middle = frame.left + (len(rounds) - 1) * step, top - height * THIRD
        with part(canvas, "H2"):
            draw_text(canvas, x, middle + row + 5, gettext("Third place"), 10.5, bold=True, max_width=step - GAP)
        _match(canvas, x, middle, step - GAP, row, bracket.third)
    foot(paper, title, 1, 1)
    next_page(paper)


def _match(canvas: Canvas, x: float, middle: float, width: float, row: float, match: BracketMatch) -> None:
    """Draw both sides, one above and one below the middle, and the note below them."""
    size = min(MAX_TYPE, row * 0.62)
    pad, seed = size * 0.4, size * 1.7
    for side, bottom in ((match.a, middle), (match.b, middle - row)):
        if side.won:
            block(canvas, x, bottom, width, row, GREY)
        box(canvas, x, bottom, width, row)
        base = bottom + row / 2 - size * 0.36
        with part(canvas, "P"):
            draw_text(canvas, x + pad, base, side.seed, size * 0.75, max_width=seed - pad / 2)
            vp = draw_text(canvas, x + width - pad, base, side.vp, size, bold=True, max_width=width / 3, align="right")
            left = seed + pad if side.seed else pad
            room = width - left - (vp.width + pad if side.vp else 0) - pad
            lines = 1 if text_width(side.name, ONE_LINE_PT, bold=side.won) <= room else 2
            name = fit(side.name, size, room, bold=side.won, min_size=7, max_lines=lines, max_height=row - 1)
            draw_fitted(canvas, x + left, bottom + (row + name.height) / 2 - name.step + name.size * 0.24, name)
    if match.note:
        with part(canvas, "P"):
            draw_text(canvas, x, middle - row - NOTE_PT, match.note, NOTE_PT, max_width=width, min_size=7)
