"""Pages that were laid out before they are drawn: each with its head, its foot and its place in the outline."""

from collections.abc import Sequence
from dataclasses import dataclass

from pdf.flow import Mark
from pdf.page import Paper, bookmark, foot, headline, next_page


@dataclass(frozen=True)
class LaidPage:
    """A page: its title, the notes below it, what is drawn on it."""

    title: str
    notes: Sequence[str]
    marks: Sequence[Mark]
    entry: str = ""
    """What begins here, for the outline; "" goes on with what began before."""
    under: bool = False
    """The entry stands below the one before it."""


def draw_laid(paper: Paper, pages: Sequence[LaidPage]) -> None:
    """Draw the pages; they are counted together."""
    for number, page in enumerate(pages, 1):
        if page.entry:
            bookmark(paper, page.entry, under=page.under)
        headline(paper, page.title, page.notes)
        for mark in page.marks:
            mark(paper.canvas)
        foot(paper, page.title, number, len(pages))
        next_page(paper)
