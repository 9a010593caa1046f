"""Several sheets in one document: the pack of an event, and all that a round needs on paper.

An event's has what a player should know before the first round: a cover with day, place and times; the event's own
rules; each scenario on a page, and the game's reference sheet; the game's rules with their ids as an appendix. A
round's has what is hung up, what lies on each table, what the desk keeps: each sheet counts its own pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Chapter, Column, Flow, Mark, Paragraph, balance_columns, draw_chapters, heading, page_columns
from pdf.fonts import draw_text, fit, text_width
from pdf.page import Frame, PageSize, draw_qr, finish, headline_height, new_paper, oriented
from pdf.reference_sheet import Reference, reference_pages
from pdf.scenario_page import PackScenario, TableSetup, draw_scenario_sheets, draw_table_setups, scenario_pages
from pdf.scoresheet import Each, draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.wall import (
    RoundPairings,
    RoundPlan,
    Standings,
    draw_pairings_by_name,
    draw_pairings_by_table,
    draw_round_plan,
    draw_standings,
)

TITLE = "Event pack"
CODE = 0.19
"""Of the page's width, for each QR code on the cover."""
LEAST_FREE = 60.0
"""A height that is worth going on in."""
NAME = 38.0
LABEL = 66.0
"""Width of the column of headings before the sentences, at 10 pt."""
GAP = 18.0
OWN_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0)
RULE_SIZES = tuple(size / 2 for size in range(26, 16, -1))
"""Sizes of type that are tried, the largest first."""
MOST_TOGETHER = 12


@dataclass(frozen=True)
class PackRule:
    """A rule by its id: its title, its text, and its source ("" for none)."""

    id: str
    title: str
    text: str
    source: str = ""


@dataclass(frozen=True)
class EventPack:
    """All that a pack says; headings and their sentences come in pairs."""

    event: str
    game: str
    force: str
    """What the game calls a force, with its article: "a force", "an army"."""
    when: str
    where: str
    times: tuple[tuple[str, str], ...]
    """What happens when: ("09:30", "Round 1: Raiders")."""
    bring: tuple[str, ...]
    contact: tuple[str, ...]
    about: tuple[str, ...]
    """The organiser's own words, by paragraph."""
    rules: tuple[tuple[str, str], ...]
    """The event's own rules."""
    added: tuple[PackRule, ...]
    """What the event adds to the game's rules."""
    tie_breaks: tuple[tuple[str, str], ...]
    """In the order of deciding, with their meaning."""
    game_rules: tuple[PackRule, ...]
    reference: Reference
    scenarios: tuple[PackScenario, ...]
    codes: tuple[tuple[str, str], ...]
    """Addresses to scan, each with what is there."""


def event_pack(pack: EventPack, page_size: PageSize, printed_at: datetime) -> bytes:
    """The pack as a PDF."""
    paper = new_paper(page_size, title=TITLE, event=pack.event, printed_at=printed_at)
    paper = oriented(paper, landscape=False)
    # "an army": "a legal army"
    rules = f"{pack.game}: a legal {pack.force.partition(' ')[2]}"
    note = f"Each rule has an id. The check of {pack.force} cites it, with the figures that broke it."
    frame = paper.frame
    few = len(_own_pages(pack, frame, OWN_SIZES[-1]))
    own = next(laid for size in OWN_SIZES if len(laid := _own_pages(pack, frame, size)) == few)
    pages = [Chapter(TITLE, [], own), *(scenario_pages(scenario, frame) for scenario in pack.scenarios)]
    pages.append(reference_pages(pack.reference, frame))
    if pack.game_rules:
        pages.append(Chapter(rules, [note], _rules_pages(pack.game_rules, note, frame), nested=True))
    draw_chapters(paper, pages)
    return finish(paper)


def _own_pages(pack: EventPack, frame: Frame, size: float) -> list[list[Mark]]:
    """The event's name, day and place; the day's times, what to bring and whom to ask, with the codes to scan; then
    the organiser's words, the rules of the event, and what the standings go by.
    """
    flow = Flow(page_columns(frame, frame.top - headline_height(frame) - 8))
    name = fit(pack.event, NAME * frame.width / 533, frame.width, bold=True, min_size=15, max_lines=3)
    flow.put([Paragraph(line, name.size, bold=True, above=0) for line in name.lines])
    flow.put([Paragraph(pack.when, size * 1.5, above=8), Paragraph(pack.where, size * 1.25, above=3)])
    top, code = flow.y - 20, frame.width * CODE
    right = frame.right - len(pack.codes) * (code + GAP)
    flow.go_on(Column(frame.left, frame.bottom, right - GAP if pack.codes else frame.right, top))
    flow.columns = page_columns(frame, frame.top - headline_height(frame), first=1)
    for place, (label, address) in enumerate(pack.codes):
        flow.pages[0].append(_code(right + GAP + place * (code + GAP), top, code, label, address))
    for head, lines in (("Contact", pack.contact), ("Bring", pack.bring)):
        if lines:
            flow.put([heading(head), *(Paragraph(line, size, above=4) for line in lines)])
        if head == "Contact" and pack.times:
            flow.put([heading("The day"), *_together(_pairs(pack.times, size, flow.column.width))])
    if flow.column.page == 0:  # below the codes, over the whole width
        below = min(flow.y, top - (code + 50) * bool(pack.codes)) - 10
        free = below - frame.bottom > LEAST_FREE
        flow.go_on(Column(frame.left, frame.bottom, frame.right, below) if free else next(flow.columns))
    if any(text.strip() for text in pack.about):
        flow.put([heading("About"), *(Paragraph(text, size, above=4) for text in pack.about)])
    flow.put([heading("Rules of this event"), *_pairs(pack.rules, size, frame.width)])
    if pack.added:
        flow.put([heading("Rules added by this event"), *_entries(pack.added, size)])
    if pack.tie_breaks:
        numbered = [(f"{place}. {name}", meaning) for place, (name, meaning) in enumerate(pack.tie_breaks, 1)]
        title = heading("Standings: by tournament points, then in this order")
        flow.put([title, *_together(_pairs(numbered, size, frame.width))])
    return flow.pages


def _code(x: float, top: float, side: float, label: str, address: str) -> Mark:
    """A QR code with what it opens below it."""

    def draw(canvas: Canvas) -> None:
        draw_qr(canvas, x, top - side, side, address)
        draw_text(canvas, x, top - side - 14, label, 10, bold=True, max_width=side, min_size=8, max_lines=2)
        typed = address.partition("://")[2] or address
        draw_text(canvas, x, top - side - 38, typed, 7, max_width=side, max_lines=2)

    return draw


def _rules_pages(rules: Sequence[PackRule], note: str, frame: Frame) -> list[list[Mark]]:
    """Two columns; on a single page they are of about the same length, in the largest type that allows it."""

    def laid(frame: Frame, size: float) -> list[list[Mark]]:
        flow = Flow(page_columns(frame, frame.top - headline_height(frame, [note]) - 8, (0.5, 0.5), GAP))
        flow.put(_entries(rules, size))
        return flow.pages

    size = next((size for size in RULE_SIZES if len(laid(frame, size)) == 1), RULE_SIZES[-1])
    return balance_columns(lambda frame: laid(frame, size), frame)


def _pairs(pairs: Sequence[tuple[str, str]], size: float, width: float) -> list[Paragraph]:
    """Headings in a column of their own, as wide as the longest but at most a third of the ``width``."""
    longest = max((text_width(heading, size, bold=True) for heading, _ in pairs), default=0.0)
    indent = min(max(LABEL * size / 10, longest + 12), width / 3)
    return [Paragraph(text, size, above=4, indent=indent, label=heading, label_bold=True) for heading, text in pairs]


def _together(lines: Sequence[Paragraph]) -> list[Paragraph]:
    """A short list that is not parted."""
    return [replace(line, keep_next=place < len(lines) <= MOST_TOGETHER) for place, line in enumerate(lines, 1)]


def _entries(rules: Sequence[PackRule], size: float) -> list[Paragraph]:
    blocks: list[Paragraph] = []
    for rule in rules:
        before = size if rule.source else 0.7 * size
        blocks.append(Paragraph(rule.title, size + 0.5, bold=True, above=before, right=rule.id, keep_next=True))
        blocks.append(Paragraph(rule.text, size, above=1, keep_next=bool(rule.source.strip())))
        blocks.append(Paragraph(rule.source, max(7.0, size * 0.8), above=1))
    return blocks


@dataclass(frozen=True)
class RoundPack:
    """One round of an event."""

    event: str
    title: str
    """What the document is called: "Round 2"."""
    pairings: RoundPairings
    plan: RoundPlan | None
    """The plan of the day."""
    scenarios: Sequence[PackScenario]
    """Those that are played in the round."""
    setups: Sequence[TableSetup]
    sheets: Sequence[Scoresheet]
    """One for each table."""
    back: Reference | None = None
    """What is printed on their backs."""
    standings: Standings | None = None
    """After the rounds before it; None where there are none."""


def round_pack(pack: RoundPack, page_size: PageSize, printed_at: datetime, each: Each = 1) -> bytes:
    """The pack as a PDF, ``each`` scoresheets to a page."""
    paper = new_paper(page_size, title=f"{pack.title}: everything on paper", event=pack.event, printed_at=printed_at)
    draw_pairings_by_name(paper, pack.pairings)
    draw_pairings_by_table(paper, pack.pairings)
    if pack.plan is not None:
        draw_round_plan(paper, pack.plan)
    if pack.scenarios:
        draw_scenario_sheets(paper, pack.scenarios)
    if pack.setups:
        draw_table_setups(paper, pack.setups)
    draw_scoresheets(paper, pack.sheets, each, pack.back)
    if pack.standings is not None:
        draw_standings(paper, pack.standings)
    return finish(paper)
