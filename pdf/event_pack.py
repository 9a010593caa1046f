"""The pack of an event: everything that a player should know of it before the first round, on paper.

What the event is and adds to the game's rules, these rules with their ids, the game's reference sheet, and each
scenario on a page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from pdf.flow import Block, Column, Flow, LaidPage, Mark, Words, draw_laid, lines_of
from pdf.page import (
    Frame,
    PageSize,
    Paper,
    finish,
    headline_height,
    new_paper,
    turned,
)
from pdf.qr import draw_qr
from pdf.reference_sheet import Reference, reference_pages
from pdf.scenario_page import HEAD_GAP, PackScenario, scenario_pages, title

TITLE = "Event pack"
QR = 104.0
QUIET = QR / 8
"""White space around the QR code."""
LABEL = 96.0
"""Width of the column of headings before the sentences."""
GAP = 18.0
EVENT_SIZES, RULE_SIZES = (10.0, 9.5, 9.0), (11.5, 11.0, 10.5, 10.0)
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
class PackRound:
    """A round of the plan; ``scenario`` says so where it is still to be drawn."""

    number: int
    scenario: str
    minutes: int


@dataclass(frozen=True)
class EventPack:
    """All that a pack says; headings and their sentences come in pairs."""

    event: str
    game: str
    force: str
    """What the game calls a force, with its article: "a force", "an army"."""
    facts: tuple[tuple[str, str], ...]
    """When, where, how large, by which force lists ..."""
    about: tuple[str, ...]
    """The organiser's own words, by paragraph."""
    rules: tuple[tuple[str, str], ...]
    """The event's own rules."""
    added: tuple[PackRule, ...]
    """What the event adds to the game's rules."""
    rounds: tuple[PackRound, ...]
    tie_breaks: tuple[tuple[str, str], ...]
    """In the order of deciding, with their meaning."""
    game_rules: tuple[PackRule, ...]
    reference: Reference
    scenarios: tuple[PackScenario, ...]
    url: str
    """Address of the event's page."""


def event_pack(pack: EventPack, page_size: PageSize, printed_at: datetime) -> bytes:
    """The pack as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=TITLE, event=pack.event, printed_at=printed_at)
    draw_event_pack(paper, pack)
    return finish(paper)


def draw_event_pack(paper: Paper, pack: EventPack) -> None:
    """The pages of the pack, the same for every event of the same data."""
    paper = turned(paper, wide=False)
    rules = f"{pack.game}: {_legal(pack.force)}"
    note = rules_note(pack.force)
    own = enumerate(_fewest(pack, paper.frame))
    pages = [LaidPage(TITLE, [], marks, "" if place else TITLE) for place, marks in own]
    if pack.game_rules:
        numbered = enumerate(_rules_pages(pack.game_rules, note, paper.frame))
        pages += [LaidPage(rules, [note], marks, "" if place else rules, under=True) for place, marks in numbered]
    pages += reference_pages(pack.reference, paper.frame)
    for scenario in pack.scenarios:
        pages += scenario_pages(scenario, paper.frame)
    draw_laid(paper, pages)


def rules_note(force: str) -> str:
    """The header above the rules of the game."""
    return f"Each rule has an id. The check of {force} cites it, with the figures that broke it."


def _legal(force: str) -> str:
    """ "an army": "a legal army"."""
    return f"a legal {force.partition(' ')[2]}"


def _fewest(pack: EventPack, frame: Frame) -> list[list[Mark]]:
    """The event's own pages in the largest type that takes no page more than the smallest."""
    few = len(_event_pages(pack, frame, EVENT_SIZES[-1]))
    return next(pages for size in EVENT_SIZES if len(pages := _event_pages(pack, frame, size)) == few)


def _event_pages(pack: EventPack, frame: Frame, size: float) -> list[list[Mark]]:
    top = frame.top - headline_height(frame)
    flow = Flow(_beside_the_code(frame, top))
    code = top - QR - QUIET / 2
    flow.pages[0].append(lambda canvas: draw_qr(canvas, frame.right - QR, code, QR, pack.url))
    flow.put(_name(pack.event, flow.column.width))
    flow.put(_pairs(pack.facts, size))
    below = min(flow.y, code) - QUIET
    flow.go_on(Column(0, frame.left, frame.bottom, frame.right, below))
    if any(text.strip() for text in pack.about):
        flow.put([title("About"), *(Words(text, size, before=4) for text in pack.about)])
    flow.put([title("Rules of this event"), *_pairs(pack.rules, size)])
    if pack.added:
        flow.put([title("Rules added by this event"), *_entries(pack.added, size)])
    flow.put([title("Rounds"), *_together([_round(one, size) for one in pack.rounds])])
    if pack.tie_breaks:
        numbered = [(f"{place}. {name}", meaning) for place, (name, meaning) in enumerate(pack.tie_breaks, 1)]
        flow.put([title("Standings: by tournament points, then in this order"), *_together(_pairs(numbered, size))])
    return flow.pages


def _beside_the_code(frame: Frame, top: float) -> Iterator[Column]:
    yield Column(0, frame.left, frame.bottom, frame.right - QR - QUIET, top)
    for page in count(1):
        yield Column(page, frame.left, frame.bottom, frame.right, top)


def _rules_pages(rules: Sequence[PackRule], note: str, frame: Frame) -> list[list[Mark]]:
    """Two columns; on a single page they are of about the same length, in the largest type that allows it."""
    size = next((s for s in RULE_SIZES if len(_in_halves(rules, note, frame, s)) == 1), RULE_SIZES[-1])
    best, lifted = _in_halves(rules, note, frame, size), frame
    while len(best) == 1 and lifted.height > frame.height / 4:
        lifted = replace(lifted, bottom=lifted.bottom + 10)
        shorter = _in_halves(rules, note, lifted, size)
        if len(shorter) > 1:
            break
        best = shorter
    return best


def _in_halves(rules: Sequence[PackRule], note: str, frame: Frame, size: float) -> list[list[Mark]]:
    flow = Flow(_halves(frame, headline_height(frame, [note]) + HEAD_GAP))
    flow.put(_entries(rules, size))
    return flow.pages


def _halves(frame: Frame, head: float) -> Iterator[Column]:
    middle = (frame.left + frame.right) / 2
    for page in count():
        yield Column(page, frame.left, frame.bottom, middle - GAP / 2, frame.top - head)
        yield Column(page, middle + GAP / 2, frame.bottom, frame.right, frame.top - head)


def _name(name: str, width: float) -> list[Block]:
    """The event's name, as large as two lines allow, in any case whole."""
    size = next((s for s in (24.0, 21.0, 18.0, 15.0) if len(lines_of(name, s, width, bold=True)) < 3), 13.0)
    return [Words(name, size, bold=True)]


def _pairs(pairs: Sequence[tuple[str, str]], size: float) -> list[Words]:
    return [Words(text, size, before=4, indent=LABEL, label=heading, label_bold=True) for heading, text in pairs]


def _together(lines: Sequence[Words]) -> list[Words]:
    """A short list that is not parted."""
    if len(lines) > MOST_TOGETHER:
        return list(lines)
    return [replace(line, stays=place < len(lines)) for place, line in enumerate(lines, 1)]


def _entries(rules: Sequence[PackRule], size: float) -> list[Words]:
    blocks: list[Words] = []
    for rule in rules:
        before = size if rule.source else 0.7 * size
        blocks.append(Words(rule.title, size + 0.5, bold=True, before=before, right=rule.id, stays=True))
        blocks.append(Words(rule.text, size, before=1, stays=bool(rule.source.strip())))
        blocks.append(Words(rule.source, size * 0.8, before=1))
    return blocks


def _round(one: PackRound, size: float) -> Words:
    return Words(
        one.scenario, size, before=4, indent=LABEL, label=f"Round {one.number}", label_bold=True,
        right=f"{one.minutes} minutes",
    )  # fmt: skip
