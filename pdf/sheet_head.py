"""The head of a scoresheet, whole or half: the table's number, what is played, and how its result is reported."""

from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import INK, LINE, PAPER, Frame
from pdf.qr import draw_qr
from pdf.sheet_data import Scoresheet

At = tuple[float, float]
"""Distance of a line from its edge, and its type size, in points."""


@dataclass(frozen=True)
class HeadSize:
    """The measures of a head, in points."""

    height: float
    block: float
    """The width of the black block with the table's number."""
    inset: float
    """The padding of the block."""
    over_blank: float
    """The height above a white box for a number that is not known."""
    word: At
    number: At
    number_room: float
    least_number: float
    qr: float
    gap: float
    """Space between the block and the text next to it."""
    event: At
    least_event: float
    what: At
    invitation: At
    code: At
    address: At
    """Its distance is that from the code."""
    record: At
    score: At
    """Both in the corner of a sheet for the records."""


FULL = HeadSize(
    height=82.0, block=92.0, inset=8.0, over_blank=22.0, word=(16, 11), number=(14, 58), number_room=80.0,
    least_number=12, qr=80.0, gap=14, event=(17, 18), least_event=11, what=(36, 12), invitation=(26, 8.5), code=(7, 17),
    address=(8, 10), record=(26, 34), score=(70, 40),
)  # fmt: skip
HALF = HeadSize(
    height=51.0, block=66.0, inset=6.0, over_blank=16.0, word=(11, 8), number=(8, 38), number_room=58.0,
    least_number=8, qr=48.0, gap=10, event=(11.5, 13), least_event=8, what=(24, 9), invitation=(15, 7), code=(2, 13),
    address=(6, 8), record=(17, 22), score=(44, 26),
)  # fmt: skip


def draw_words(canvas: Canvas, x: float, y: float, words: str) -> float:
    """A short label; gives its width."""
    draw_text(canvas, x, y, words, 8)
    return text_width(words, 8)


def draw_head(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> None:
    """Draw it at the top of the frame."""
    top, bottom = frame.top, frame.top - size.height
    canvas.setFillGray(INK)
    canvas.rect(frame.left, bottom, size.block, size.height, stroke=0, fill=1)
    canvas.setFillGray(PAPER)
    at = frame.left + size.block / 2
    draw_text(
        canvas, at, top - size.word[0], "PLAY BY" if sheet.by else "TABLE", size.word[1], bold=True, align="centre"
    )
    if sheet.is_blank:
        width, height = size.block - 2 * size.inset, size.height - size.inset - size.over_blank
        canvas.rect(frame.left + size.inset, bottom + size.inset, width, height, stroke=0, fill=1)
    else:
        up, type_size = size.number
        draw_text(
            canvas, at, bottom + up, sheet.by or str(sheet.table), type_size, bold=True, max_width=size.number_room,
            min_size=size.least_number, align="centre",
        )  # fmt: skip
    canvas.setFillGray(INK)
    right = frame.right
    if sheet.url:
        # Its quiet zone is the margin at the right, and the white kept to the left and below.
        draw_qr(canvas, right - size.qr, top - size.qr, size.qr, sheet.url)
        right -= size.qr + size.qr / 6
    corner = "RECORD" if sheet.result else "BLANK" if sheet.is_blank else ""
    if corner:
        down, type_size = size.record
        draw_text(canvas, right, top - down, corner, type_size, bold=True, align="right")
        room = text_width(corner, type_size, bold=True)
        score = [sheet.result.a.total, sheet.result.b.total] if sheet.result else []
        if score and None not in score:
            shown = f"{score[0]} : {score[1]}"
            draw_text(canvas, right, top - size.score[0], shown, size.score[1], bold=True, align="right")
        right -= room + size.gap
    left = frame.left + size.block + size.gap
    down, type_size = size.event
    draw_text(
        canvas, left, top - down, sheet.event, type_size, bold=True, max_width=right - left, min_size=size.least_event
    )
    draw_text(canvas, left, top - size.what[0], sheet.what, size.what[1], max_width=right - left)
    if sheet.is_blank and not sheet.code:
        at = left + draw_words(canvas, left, bottom + 2, "Code of the game") + 6
        canvas.setLineWidth(LINE)
        canvas.line(at, bottom + 1, at + size.block * 1.4, bottom + 1)
        at += size.block * 1.4 + 6
        if sheet.address:
            draw_text(canvas, at, bottom + 2, f"enter it at {sheet.address}", 8, max_width=frame.right - at, min_size=7)
    if sheet.code:
        words = "Report the result: scan the QR code or enter this code" if sheet.url else "The code of this game"
        draw_text(canvas, left, bottom + size.invitation[0], words, size.invitation[1])
        up, type_size = size.code
        code = draw_text(canvas, left, bottom + up, sheet.code, type_size, bold=True, max_width=right - left)
        if sheet.address:
            away, type_size = size.address
            at = left + text_width(sheet.code, code.size, bold=True) + away
            draw_text(canvas, at, bottom + up, f"at {sheet.address}", type_size, max_width=right - at, min_size=7)
