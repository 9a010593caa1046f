"""The plan of the day as a poster: each round with its time, its scenario, and a line for the actual start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pdf.fonts import draw_text, fit, put_text, text_width, wrap
from pdf.page import (
    HAIR,
    INK,
    RULE,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    headline,
    headline_height,
    new_paper,
    next_page,
    turned,
)

TITLE = "Plan of the day"
SIZE, LEAST, SMALL, WHERE = 28.0, 9.0, 14.0, 16.0
TALLEST, LOWEST = 130.0, 36.0
"""Heights of a round's row that are used."""
STARTED = 96.0
"""Width of the line that the actual start is written on."""


@dataclass(frozen=True)
class PlannedRound:
    """A round: its planned start ("Sat 09:30", "" if there is none), and its actual start if it has begun."""

    number: int
    starts: str
    minutes: int
    scenario: str
    began: str = ""


@dataclass(frozen=True)
class RoundPlan:
    """The plan: ``where`` is place and day, ``notes`` are sentences below the rounds."""

    event: str
    where: str
    rounds: tuple[PlannedRound, ...]
    notes: tuple[str, ...]


def round_plan(plan: RoundPlan, page_size: PageSize, printed_at: datetime) -> bytes:
    """The plan as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=TITLE, event=plan.event, printed_at=printed_at)
    draw_round_plan(paper, plan)
    return finish(paper)


def draw_round_plan(paper: Paper, plan: RoundPlan) -> None:
    """The rounds, as tall as the page allows, and the notes below the last."""
    paper = turned(paper, wide=False)
    canvas, frame = paper.canvas, paper.frame
    bookmark(paper, TITLE)
    lines = [line for note in plan.notes for line in wrap(f"· {note}", SMALL, frame.width)]
    below = len(lines) * SMALL * 1.35 + 14
    room = frame.height - headline_height(frame) - WHERE - 38
    few = -(-(len(plan.rounds) * LOWEST + below) // room)
    each = -(-len(plan.rounds) // max(1, int(few))) or 1
    pages = [plan.rounds[n : n + each] for n in range(0, len(plan.rounds), each)] or [()]
    for number, rounds in enumerate(pages, 1):
        y = headline(paper, TITLE) - WHERE
        draw_text(canvas, frame.left, y, plan.where, WHERE, max_width=frame.width, min_size=8)
        y -= 12
        high = min(TALLEST, (room - below) / max(1, each))
        widths = _widths(plan.rounds, frame.width, high)
        if rounds:
            y = _heads(paper, widths, y)
        for one in rounds:
            _round(paper, one, widths, y, high)
            y -= high
        if number == len(pages):
            y -= 14
            for line in lines:
                put_text(canvas, frame.left, y - SMALL, line, SMALL, False)
                y -= SMALL * 1.35
        foot(paper, TITLE, number, len(pages))
        next_page(paper)


def _type(high: float, width: float) -> float:
    return min(SIZE, high * 0.42, width / 18)


def _widths(rounds: Sequence[PlannedRound], width: float, high: float) -> tuple[float, float, float]:
    """Widths of number, time and scenario; the line for the actual start has the rest."""
    size = _type(high, width)
    number = max((text_width(str(one.number), size, bold=True) for one in rounds), default=0.0) + 18
    number = max(number, text_width("Round", SMALL, bold=True) + 12)
    starts = [text_width(one.starts, size, bold=True) for one in rounds]
    time = max([*starts, text_width("000 minutes", SMALL)]) + 16
    return number, time, width - number - time - STARTED


def _heads(paper: Paper, widths: tuple[float, float, float], y: float) -> float:
    canvas, frame = paper.canvas, paper.frame
    number, time, scenario = widths
    x = frame.left
    for head, width in (("Round", number), ("Start", time), ("Scenario", scenario), ("Actual start", STARTED)):
        draw_text(canvas, x, y - SMALL, head, SMALL, bold=True, max_width=width, min_size=7)
        x += width
    y -= SMALL + 7
    canvas.setFillGray(INK)
    canvas.rect(frame.left, y, frame.width, RULE, stroke=0, fill=1)
    return y


def _round(paper: Paper, one: PlannedRound, widths: tuple[float, float, float], top: float, high: float) -> None:
    canvas, frame = paper.canvas, paper.frame
    number, time, scenario = widths
    size = _type(high, frame.width)
    base = top - high / 2 - size * 0.36
    draw_text(canvas, frame.left, base, str(one.number), size, bold=True)
    x = frame.left + number
    upper = base + SMALL * 0.55
    canvas.setLineWidth(0.8)
    if one.starts:
        draw_text(canvas, x, upper, one.starts, size, bold=True, max_width=time - 8)
    else:
        canvas.line(x, upper - 2, x + time - 16, upper - 2)
    draw_text(canvas, x, upper - SMALL * 1.25, f"{one.minutes} minutes", SMALL)
    fitted = fit(one.scenario, size, scenario - 12, min_size=LEAST, max_lines=3, max_height=high - 6)
    y = top - high / 2 + fitted.size * 1.15 * (len(fitted.lines) / 2 - 1) + fitted.size * 0.24
    for line in fitted.lines:
        put_text(canvas, x + time, y, line, fitted.size, False)
        y -= fitted.size * 1.15
    right = frame.right - STARTED
    if one.began:
        draw_text(canvas, right, base, one.began, size, max_width=STARTED)
    else:
        canvas.line(right, base - 3, frame.right, base - 3)
    canvas.setLineWidth(HAIR)
    canvas.line(frame.left, top - high, frame.right, top - high)
