"""Drawings that many pages of one document share, kept in it once: smaller files, drawn faster."""

from collections.abc import Callable, Hashable

from reportlab.pdfgen.canvas import Canvas

from pdf.page import MARGIN, Frame


class Stamps:
    """The stamps of one document, by what they show. Each covers the page: places on it stay the same."""

    def __init__(self, canvas: Canvas, frame: Frame) -> None:
        self.canvas = canvas
        self.frame = frame
        self.names: dict[Hashable, str] = {}

    def place(self, key: Hashable, draw: Callable[[], None]) -> None:
        """Put the drawing of this key on the page, drawing it the first time."""
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = f"stamp{len(self.names)}"
            self.canvas.beginForm(name, 0, 0, self.frame.right + MARGIN, self.frame.top + MARGIN)
            draw()
            self.canvas.endForm()
        self.canvas.doForm(name)
