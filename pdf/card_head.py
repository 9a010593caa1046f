"""The content of a force card, and what frames it: the head with player and total, the foot with the verdict."""

from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import INK, LINE, PAPER, Frame, Paper, rule
from pdf.table import Table
from pdf.tags import part, title_role
from validators.sheet import Track

ACCENT = "#a86400"
"""Amber, for events without a colour of their own."""
CAPTION, NAME, TOTAL, TOTAL_HEIGHT, HEAD = 9.0, 25.0, 32.0, 28.0, 33.0
"""Type sizes of the caption, the player's name and the total; height of the total, and of the head without texts."""


@dataclass(frozen=True)
class Gear:
    """Gear in words, a table or track to draw above it, and parts of a sum with their costs to draw below it."""

    text: str
    block: Table | Track | None = None
    costs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Unit:
    """A model or squad, its total cost ("" for general entries)."""

    name: str
    cost: str
    marks: tuple[str, ...] = ()
    gear: tuple[Gear, ...] = ()


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
    sign: str
    """Before the verdict: "✓", "✗", "?" for open questions, "!" for some of a group; "" if nothing is judged yet."""
    kind: str
    state: str = ""
    """ "Submitted 4 Dec 2026, 18:00"."""
    number: str = ""
    """ "List no. 476779fc", from the hash of the locked list."""
    game: str = ""
    findings: tuple[str, ...] = ()
    signed: bool = False
    """Whether a judge signs it."""
    ticks: str = ""
    """When to tick the box of a model: "Tick when checked"; "" for no boxes."""
    key: str = ""
    """What a mark on the card means."""
    part: str = ""
    """What of a long force the card has: "1 to 6 of 13: Squad 1 to Squad 6"."""


def _fitted_head(card: ForceCard, frame: Frame) -> tuple[Fitted, Fitted, Fitted]:
    """The player's name, the faction, and the other lines of the head, fitted to the card."""
    room = frame.width - text_width(card.total, TOTAL, bold=True) - 16
    name = fit(card.player, NAME, room, bold=True, min_size=9, max_lines=2, leading=1.12)
    room = frame.width - text_width(card.allowed, 9) - 16
    faction = fit(card.faction, 13, room, bold=True, min_size=9, max_lines=2, leading=1.25)
    about = " · ".join(filter(None, (card.club, card.about)))
    return name, faction, fit(about, 9.5, frame.width, min_size=7.5, max_lines=2, leading=1.3)


def head_base(card: ForceCard, frame: Frame) -> float:
    """The y at which the models begin."""
    name, faction, about = _fitted_head(card, frame)
    return frame.top - HEAD - max(TOTAL_HEIGHT, name.height) - faction.height - about.height


def draw_head(paper: Paper, card: ForceCard) -> None:
    """Draw the accent bar, the card's title, the player and total, the faction and the allowed total."""
    canvas, frame = paper.canvas, paper.frame
    _bar(canvas, card, frame, frame.top - 5, 5)
    y = frame.top - 21
    said = " · ".join(filter(None, (card.kind, card.ticks)))
    kind = fit(" · ".join(filter(None, (card.part, said))), 9, frame.width * 0.7, bold=True, min_size=8)
    kind = fit(said, 9, frame.width * 0.6, bold=True) if kind.cut else kind
    room = frame.width - kind.width - 12
    event = " · ".join(filter(None, (paper.event, card.game)))
    event = event if text_width(event, 9) <= room else paper.event
    with part(canvas, title_role(canvas)):
        draw_text(canvas, frame.left, y + 6, event, 9, max_width=room)
    draw_fitted(canvas, frame.right, y + 6, kind, "right")
    name, faction, about = _fitted_head(card, frame)
    with part(canvas, "H1"):
        draw_fitted(canvas, frame.left, y - name.size * 0.95, name)
    draw_text(canvas, frame.right, y - TOTAL * 0.8, card.total, TOTAL, bold=True, align="right")
    y -= max(TOTAL_HEIGHT, name.height) + 4
    draw_text(canvas, frame.right, y - 11, card.allowed, 9, align="right")
    draw_fitted(canvas, frame.left, y - faction.step + 3, faction)
    draw_fitted(canvas, frame.left, y - faction.height - about.step + 1, about)


def _bar(canvas: Canvas, card: ForceCard, frame: Frame, y: float, height: float) -> None:
    """Draw a bar in the accent colour over the width of the card."""
    canvas.setFillColor(HexColor(ACCENT))
    canvas.rect(frame.left, y, frame.width, height, stroke=0, fill=1)
    canvas.setFillGray(INK)


def foot_height(card: ForceCard) -> float:
    """The height in points of a card’s foot: the verdict and, on judges’ cards, the line to sign."""
    return 33.0 + 18 * card.signed


def draw_verdict(paper: Paper, card: ForceCard, said: str) -> None:
    """Draw the verdict with its sign, and the state of the list."""
    canvas, frame = paper.canvas, paper.frame
    y = frame.bottom + foot_height(card) - 17
    _bar(canvas, card, frame, y + 15.4, 1.6)
    left = 19.0 * bool(card.sign)
    if card.sign:
        _sign(canvas, frame.left + 7, y + 4, card.sign)
    verdict = fit(card.verdict, 12, frame.width * 0.6, bold=True, min_size=8.5, max_lines=2, max_height=24, leading=1.1)
    draw_fitted(canvas, frame.left + left, y + 4 * (len(verdict.lines) - 1), verdict)
    room = frame.width - left - verdict.width - 12
    said = " · ".join(filter(None, (said, card.number)))
    about = fit(said, 9, room, min_size=7, max_lines=2, leading=1.2)
    draw_fitted(canvas, frame.right, y + 4 * (len(about.lines) - 1), about, "right")
    if card.signed:
        for words, start, end in ((gettext("Checked by"), 0.0, 0.58), (gettext("at"), 0.62, 1.0)):
            label = draw_text(canvas, frame.left + frame.width * start, y - 22, words, 9)
            left = frame.left + frame.width * start + label.last_width + 5
            rule(canvas, left, y - 23, frame.left + frame.width * end, y - 23, LINE)


def _sign(canvas: Canvas, x: float, y: float, sign: str) -> None:
    """Draw a tick in a disc, or another sign in a ring."""
    canvas.setLineWidth(1.4)
    canvas.circle(x, y, 7, stroke=1, fill=int(sign == "✓"))
    canvas.setFillGray(PAPER if sign == "✓" else INK)
    draw_text(canvas, x, y - 3.8, sign, 11, bold=True, align="centre")
    canvas.setFillGray(INK)
