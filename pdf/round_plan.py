"""The plan of the day as a poster: check-in, each round with its start and its scenario, the end."""

from dataclasses import dataclass
from datetime import datetime

from pdf.flow import LaidPage, Words, draw_laid, lines_of
from pdf.page import PageSize, Paper, drawn, headline_height, turned
from pdf.table import Col, Table, filled, least_width

TITLE = "Plan of the day"
SIZES = (30.0, 26.0, 22.0, 19.0, 16.0, 14.0, 12.0)
"""Sizes of type that are tried, the largest first."""
SMALL, TALLEST, HEADS, TIME = 15.0, 124.0, 34.0, 0.19


@dataclass(frozen=True)
class PlannedRound:
    """A round: its start as planned or as it was ("Sat 09:30", "" if there is none), its length, its scenario.

    With the number 0 it is something else of the day, and ``scenario`` says what.
    """

    number: int
    starts: str
    minutes: int
    scenario: str


@dataclass(frozen=True)
class RoundPlan:
    """The plan: ``where`` is place and day, ``notes`` are sentences below the rounds."""

    event: str
    where: str
    rounds: tuple[PlannedRound, ...]
    notes: tuple[str, ...]


def round_plan(plan: RoundPlan, page_size: PageSize, printed_at: datetime) -> bytes:
    """The plan as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return drawn(draw_round_plan, page_size, TITLE, plan.event, printed_at, plan)


def draw_round_plan(paper: Paper, plan: RoundPlan) -> None:
    """The day, as large as the page allows, and the notes below it; a start that is not known is written in."""
    paper = turned(paper, wide=False)
    frame, where = paper.frame, [plan.where]
    top = frame.top - headline_height(frame, where, large=True)
    rows = [
        (one.starts, str(one.number or ""), one.scenario, f"{one.minutes} min" if one.minutes else "")
        for one in plan.rounds
    ]
    start = (
        Col("Start", "fixed", strong=True)
        if all(one.starts for one in plan.rounds)
        else Col("Start", "write", strong=True, share=TIME)
    )
    columns = (start, Col("Round", "centre", strong=True), Col("Scenario"), Col("Length", "figure"))
    small = min(SMALL, frame.width / 36)
    notes = [Words(note, small, before=6, indent=14, label="•") for note in plan.notes]
    said = sum(len(lines_of(note, small, frame.width - 14)) for note in plan.notes)
    room = top - frame.bottom - HEADS - said * small * 1.3 - len(notes) * 6 - 2
    tables = [
        Table(columns, rows, size=size, high=min(TALLEST, max(size * 1.7, room / max(1, len(rows))))) for size in SIZES
    ]
    whole = [table for table in tables if least_width(table, 99.0) <= frame.width]
    pages = filled(frame, top, [*whole, Table(columns, rows, size=SIZES[-1])], below=notes)
    draw_laid(
        paper, [LaidPage(TITLE, where, marks, "" if place else TITLE, large=True) for place, marks in enumerate(pages)]
    )
