"""Drawings that many pages of one document share, kept in it once: smaller files, drawn faster."""

from collections.abc import Callable, Hashable

from pdf.page import Paper


def stamp(paper: Paper, key: Hashable, draw: Callable[[], None]) -> None:
    """Put the drawing of this key on the page, drawing it the first time. Its places are those of the page.

    The key says all that the drawing depends on, but for the size of the page.
    """
    whole = (paper.width, paper.height, key)
    name = paper.forms.get(whole)
    if name is None:
        name = paper.forms[whole] = f"stamp{len(paper.forms)}"
        paper.canvas.beginForm(name, 0, 0, paper.width, paper.height)
        draw()
        paper.canvas.endForm()
    paper.canvas.doForm(name)
