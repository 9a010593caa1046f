"""A poster for the wall: the event's name, game, day, place, and the code of its page, as large as paper holds."""

from dataclasses import dataclass
from datetime import datetime

from pdf.fonts import draw_text, fit
from pdf.page import INK, PageSize, bookmark, finish, new_paper, next_page
from pdf.qr import draw_qr
from pdf.tags import part

NAME, LINE, CALL, ADDRESS = 54.0, 24.0, 22.0, 20.0


@dataclass(frozen=True)
class Poster:
    """One page; ``url`` is the address in the code, ``when`` the day, ``where`` the place or ""."""

    event: str
    when: str
    where: str
    call: str
    """What to do with the code."""
    url: str
    game: str = ""


def poster(page: Poster, page_size: PageSize, printed_at: datetime) -> bytes:
    """The poster as a PDF of one page. ``printed_at`` must know its zone (ValueError)."""
    paper = new_paper(page_size, title="Poster", event=page.event, printed_at=printed_at)
    bookmark(paper, "Poster")
    canvas, frame = paper.canvas, paper.frame
    scale = frame.width / 540
    middle, width = (frame.left + frame.right) / 2, frame.width
    canvas.setFillGray(INK)
    name = fit(page.event, NAME * scale, width, bold=True, min_size=22 * scale, max_lines=3)
    y = frame.top
    with part(canvas, "H1"):
        for line in name.lines:
            y -= name.size * 1.1
            draw_text(canvas, middle, y, line, name.size, bold=True, align="centre")
    y -= 14 * scale
    for text in (page.game, page.when, page.where):
        found = fit(text, LINE * scale, width, min_size=12 * scale, max_lines=2)
        for line in found.lines if text else ():
            y -= found.size * 1.35
            draw_text(canvas, middle, y, line, found.size, align="centre")
    words = fit(page.url.partition("://")[2], ADDRESS * scale, width, bold=True, min_size=9 * scale, max_lines=2)
    low = frame.bottom + words.size * 1.3 * len(words.lines)
    call = low + CALL * scale * 0.6
    floor = call + CALL * scale * 1.2
    side = min(width * 0.84, (y - floor) / 1.25)  # an eighth of it stays white on each side
    draw_qr(canvas, middle - side / 2, (y + floor - side) / 2, side, page.url)
    draw_text(canvas, middle, call, page.call, CALL * scale, max_width=width, min_size=10 * scale, align="centre")
    for number, line in enumerate(words.lines):
        at = low - words.size * 1.25 * (number + 1)
        draw_text(canvas, middle, at, line, words.size, bold=True, max_width=width, min_size=7, align="centre")
    next_page(paper)
    return finish(paper)
