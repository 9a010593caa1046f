"""The pack of an event: a cover with day, place and times, the event's own rules, the scenarios, the game's reference
sheet and its rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from reportlab.pdfgen.canvas import Canvas

from languages.words import N_, gettext
from pdf.flow import (
    Block,
    Chapter,
    Flow,
    Mark,
    Paragraph,
    balanced,
    draw_chapters,
    first_of,
    heading,
    largest,
    page_columns,
)
from pdf.fonts import draw_text, fit, text_width
from pdf.page import Frame, Paper, draw_qr, headline_height, oriented
from pdf.reference_sheet import Reference, reference_pages
from pdf.scenario_page import PackScenario, scenario_chapters
from validators.contract import Rule

TITLE = N_("Event pack")
CODE, SPACING = 0.19, 0.6
"""On the cover the side of a QR code, as a share of the page's width, and the share of usual space between lines."""
NAME, HIGHEST_NAME, GAP = 38.0, 95.0, 20.0
"""Maximum type size and height of the event's name; space between two columns."""
CLEAR, WIDEST_LABEL = 12.0, 120.0
"""Space between headings and the sentences next to them, and the maximum width of both."""
OWN_SIZES, TEXT_SIZES = tuple(n / 4 for n in range(48, 35, -1)), (11.0, 10.5, 10.0, 9.75, 9.5, 9.25, 9.0, 8.75, 8.5)
"""Type sizes to try for the event's own pages, and for all others."""
Pairs = tuple[tuple[str, str], ...]
"""Headings, some of them "", and their sentences."""
Part = tuple[str, Pairs]
"""A title, and what is below it."""


@dataclass(frozen=True)
class EventPack:
    """The content of an event's pack; ``force`` is the game's word for one, ``codes`` are labels and addresses.

    The parts of the event's own pages are below each other; those of one of the ``rows`` are in two columns.
    """

    event: str
    game: str
    force: str
    when: str
    where: str
    rows: tuple[tuple[Part, ...], ...]
    game_rules: tuple[Rule, ...]
    reference: Reference
    scenarios: tuple[PackScenario, ...]
    codes: tuple[tuple[str, str], ...]


def draw_event_pack(paper: Paper, pack: EventPack) -> None:
    paper = oriented(paper, landscape=False)
    frame = paper.frame
    size = largest(OWN_SIZES, lambda size: len(_own_pages(pack, frame, size)))
    pages = [
        Chapter(gettext(TITLE), [], _own_pages(pack, frame, size)),
        *scenario_chapters(pack.scenarios, frame, TEXT_SIZES[0]),
        reference_pages(pack.reference, frame, TEXT_SIZES),
    ]
    if pack.game_rules:
        rules = gettext("%(game)s: a legal %(force)s", game=pack.game, force=pack.force)
        pages.append(Chapter(rules, [], _rules_pages(pack.game_rules, frame), nested=True))
    draw_chapters(paper, pages)


def _own_pages(pack: EventPack, frame: Frame, size: float) -> list[list[Mark]]:
    """The cover and the event's own pages: the name, the day and the place next to the codes, then short parts."""
    top, code = frame.top - headline_height(frame) - 8, frame.width * CODE
    middle = frame.right - len(pack.codes) * (code + GAP)
    named = next(page_columns(replace(frame, right=middle), top))
    flow = Flow(chain((named,), page_columns(frame, frame.top - headline_height(frame), first=1)), SPACING)
    for place, (label, address) in enumerate(pack.codes):
        flow.pages[0].append(_code(middle + place * (code + GAP) + GAP, top - 8, code, label, address))
    large, high = NAME * frame.width / 533, HIGHEST_NAME * frame.width / 533
    name = fit(pack.event, large, named.width, bold=True, min_size=min(15, large), max_lines=6, max_height=high)
    flow.put([Paragraph(line, name.size, bold=True, above=0) for line in name.lines])
    flow.put([Paragraph(pack.when, size * 1.5, above=8), Paragraph(pack.where, size * 1.25, above=3)])
    if flow.column.page == 0:
        flow.go_on(replace(named, right=frame.right, top=min(flow.y, top - code - 46 if pack.codes else top) - size))
    wide = [row[0] for row in pack.rows if len(row) == 1]
    for row in pack.rows:
        labels = [label for _, pairs in (row if row[1:] else wide) for label, text in pairs if text]
        indent = min(max(text_width(text, size, bold=True) for text in (*labels, "")) + CLEAR, WIDEST_LABEL)
        blocks = [block for pair in row for block in _part(pair, size, indent, keep=len(row) > 1)]
        (flow.put_halves if row[1:] else flow.put)(blocks)
    return flow.pages


def _code(x: float, top: float, side: float, label: str, address: str) -> Mark:
    def draw(canvas: Canvas) -> None:
        draw_qr(canvas, x, top - side, side, address)
        draw_text(canvas, x, top - side - 14, label, 10, bold=True, max_width=side, min_size=8, max_lines=2)
        typed = address.partition("://")[2] or address
        draw_text(canvas, x, top - side - 38, typed, 8, max_width=side, max_lines=2)

    return draw


def _rules_pages(rules: Sequence[Rule], frame: Frame) -> list[list[Mark]]:
    """The game's rules in two columns, in the largest type that needs no more pages than the smallest; balanced."""

    def laid(frame: Frame, size: float, space: float) -> list[list[Mark]]:
        flow = Flow(page_columns(frame, frame.top - headline_height(frame) - 8, (0.5, 0.5), GAP), space)
        for rule in rules:
            title = Paragraph(rule.title, size + 0.5, bold=True, above=1.2 * size, keep_next=True)
            text = Paragraph(rule.text, size, above=1, keep_next=True, leading=1.2)
            flow.put([title, text, Paragraph(rule.source, max(7.0, size * 0.75), above=1)])
        return flow.pages

    best = first_of([*product(TEXT_SIZES[:-2], (1.3, 1.0))], lambda way: len(laid(frame, *way)))
    return balanced(lambda frame: laid(frame, *best), frame)


def _part(part: Part, size: float, indent: float, *, keep: bool) -> list[Block]:
    """A part: headings, if it has any, next to their sentences; in one piece to ``keep``, and nothing without text."""
    indent *= any(label for label, _ in part[1])
    line = Paragraph("", size, above=4, indent=indent, label_bold=True, keep_next=keep)
    lines = [replace(line, text=text, label=label) for label, text in part[1] if text.strip()]
    lines[-1:] = [replace(paragraph, keep_next=False) for paragraph in lines[-1:]]
    return [heading(part[0], size + 1.5), *lines] if lines else []
