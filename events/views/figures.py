"""Figures that stand out in a sentence, for pages of rules."""

import re

from markupsafe import Markup, escape

_FIGURE = re.compile(r"(?<![\w.-])(\d+(?: ×)?)(?!\w|[.,]\d)")


def with_figures(text: str) -> Markup:
    """The sentence with its whole numbers marked up; everything else in it is escaped."""
    parts = _FIGURE.split(text)
    marked = [Markup("<b class='num'>{}</b>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)]
    return Markup("").join(marked)
