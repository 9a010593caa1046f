"""The bracket of a knockout on landscape pages. Lengths are in points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from languages.words import N_, gettext
from pdf.flow import Chapter, draw_chapters
from pdf.fonts import draw_fitted, draw_text, fit
from pdf.page import GREY, LINE, Frame, Paper, block, box, headline_height, oriented, rule
from pdf.tags import part

TITLE = N_("Bracket")
NOTE = N_("Before each name the seed, after it the victory points. Who goes through is on grey.")
DEPTH, HEAD_PT, NOTE_PT = 4, 11.0, 8.0
"""The rounds of a page, the first of eight matches; type sizes of their names and of notes."""
GAP, HEADS, MAX_ROW, MAX_TYPE = 14.0, 22.0, 36.0, 17.0
"""Space between rounds, height of their names; maximum height of a side, and of its type."""


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


Rounds = Sequence[tuple[str, Sequence[BracketMatch]]]
"""Rounds by name, each with half as many matches as the one before."""


@dataclass(frozen=True)
class Bracket:
    rounds: Rounds
    third: BracketMatch | None = None


def draw_bracket(paper: Paper, bracket: Bracket) -> None:
    """Draw the bracket; if a page has all rounds but the final, the final is drawn above the first page's last one."""
    paper, notes = oriented(paper, landscape=True), [gettext(NOTE)]
    frame = replace(paper.frame, top=paper.frame.top - headline_height(paper.frame, notes) - HEADS)
    trees = list(_trees(bracket.rounds))
    single = [(gettext("Third place"), bracket.third, 0.82)] if bracket.third else []
    at = len(trees) - 1
    if at and len(trees[-1]) == 1:
        ((name, (final,)),) = trees.pop()
        at, single = 0, [(name, final, 0.18), *single]
    pages = [[partial(_tree, frame, tree, single if place == at else [])] for place, tree in enumerate(trees)]
    draw_chapters(paper, [Chapter(gettext(TITLE), notes, pages)])


def _trees(rounds: Rounds) -> Iterator[Rounds]:
    """The rounds of each page: parts of the first rounds, then the rounds that join them."""
    parts = len(rounds[:DEPTH][-1][1])
    for n in range(parts):
        yield [(name, all_[len(all_) * n // parts :][: len(all_) // parts]) for name, all_ in rounds[:DEPTH]]
    if rounds[DEPTH:]:
        yield from _trees(rounds[DEPTH:])


def _tree(frame: Frame, rounds: Rounds, single: Sequence[tuple[str, BracketMatch, float]], canvas: Canvas) -> None:
    """Draw rounds from left to right, and single matches in the last column, each this share of the height down."""
    step, share = (frame.width + GAP) / len(rounds), frame.height / len(rounds[0][1])
    row = min(MAX_ROW, (share - NOTE_PT - 3) / 2)
    for number, (name, matches) in enumerate(rounds):
        x, share = frame.left + number * step, frame.height / len(matches)
        _head(canvas, x, frame.top + HEADS - 12, name, step - GAP)
        for place, match in enumerate(matches):
            middle = frame.top - share * (place + 0.5)
            _match(canvas, x, middle, step - GAP, row, match)
            if number:
                for before in (middle + share / 4, middle - share / 4):
                    rule(canvas, x - GAP, before, x - GAP / 2, before, LINE)
                    rule(canvas, x - GAP / 2, before, x - GAP / 2, middle, LINE)
                rule(canvas, x - GAP / 2, middle, x, middle, LINE)
    for name, match, down in single:
        middle = frame.top - frame.height * down
        _head(canvas, x, middle + row + 5, name, step - GAP)
        _match(canvas, x, middle, step - GAP, row, match)


def _head(canvas: Canvas, x: float, base: float, name: str, width: float) -> None:
    with part(canvas, "H2"):
        draw_text(canvas, x, base, name, HEAD_PT, bold=True, max_width=width, min_size=7)


def _match(canvas: Canvas, x: float, middle: float, width: float, row: float, match: BracketMatch) -> None:
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
            name = fit(side.name, size, room, bold=side.won, min_size=7, max_lines=2, max_height=row - 1)
            draw_fitted(canvas, x + left, bottom + (row + name.height) / 2 - name.step + name.size * 0.24, name)
    if match.note:
        with part(canvas, "P"):
            draw_text(canvas, x, middle - row - NOTE_PT - 1.5, match.note, NOTE_PT, max_width=width, min_size=7)
