"""Running text: nothing is lost, whatever its length and wherever a column ends."""

import io
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from pdf.flow import Column, Drawing, Flow, Words, lines_of
from pdf.fonts import plain, text_width
from pdf.page import finish, new_paper, next_page

LONG = " ".join(f"word{n}" for n in range(2500))
"""More than the fonts look at in one go: 21,389 characters."""


def columns(*widths: float, height: float = 120.0) -> Iterator[Column]:
    """Pages with a column of each of these widths."""
    for page in count():
        left = 0.0
        for width in widths:
            yield Column(left, 0.0, left + width, height, page)
            left += width + 10


def drawn(flow: Flow, printed_at: datetime) -> list[str]:
    """The text of each page as a reader finds it."""
    paper = new_paper("A4", title="Flow", event="Open", printed_at=printed_at)
    for page in flow.pages:
        for mark in page:
            mark(paper.canvas)
        next_page(paper)
    pages = PdfReader(io.BytesIO(finish(paper))).pages
    return [" ".join(unicodedata.normalize("NFC", page.extract_text()).split()) for page in pages]


@pytest.mark.slow
def test_a_text_of_any_length_is_whole_on_paper_and_in_order(printed_at: datetime) -> None:
    flow = Flow(columns(200, 90))
    flow.put([Words(LONG), Words("The end.")])
    texts = drawn(flow, printed_at)
    assert len(texts) > 20
    assert " ".join(texts) == f"{LONG} The end."


def test_a_word_longer_than_a_line_is_broken_and_kept() -> None:
    unbroken = "W" * 9000
    lines = lines_of(unbroken, 10, 100)
    assert "".join(lines) == unbroken
    assert max(text_width(line, 10) for line in lines) <= 100


@settings(max_examples=40)
@given(
    st.lists(st.text(st.characters(categories=["L", "Mn", "Nd", "P", "So"]), min_size=1, max_size=30), max_size=400),
    st.integers(30, 300),
)
def test_lines_hold_the_text_and_no_line_is_wider_than_asked(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = lines_of(text, 9, width)
    expected = "".join(plain(part) for part in re.findall(r".{1,900}", text)) if len(text) > 900 else plain(text)
    assert "".join(lines).replace(" ", "") == expected.replace(" ", "")
    assert all(text_width(line, 9) <= width + 0.01 for line in lines if len(line) > 2)


def test_a_heading_goes_with_what_it_stands_over(printed_at: datetime) -> None:
    flow = Flow(columns(200, height=96))
    flow.put([Words("first", 20), Words("second", 20), Words("heading", 10, stays=True), Words("below " * 60, 10)])
    first, second, *_ = drawn(flow, printed_at)
    assert "heading" not in first
    assert second.startswith("heading below")


def test_a_drawing_that_has_no_room_left_goes_to_the_next_column() -> None:
    tops: list[tuple[float, float]] = []
    flow = Flow(columns(100, 100, height=100))
    drawing = Drawing(60, lambda canvas, x, top, width: tops.append((x, top)), before=10)
    flow.put([drawing, drawing, drawing])
    paper = new_paper("A4", title="Flow", event="Open", printed_at=datetime.fromisoformat("2026-11-20T14:05+01:00"))
    for page in flow.pages:
        for mark in page:
            mark(paper.canvas)
    assert tops == [(0.0, 100.0), (110.0, 100.0), (0.0, 100.0)]
    assert len(flow.pages) == 2


def test_no_line_of_a_paragraph_stands_alone(printed_at: datetime) -> None:
    """One word fills a line here; six lines of 13 points fill a column."""
    for lines in range(2, 12):
        words = [f"{'n' * 30}{n:02}" for n in range(lines)]
        flow = Flow(columns(190, height=80))
        flow.put([Words("above", 10, before=0), Words("above", 10, before=0), Words(" ".join(words), 10, before=0)])
        texts = drawn(flow, printed_at)
        parts = [len(re.findall("n{30}", text)) for text in texts]
        assert sum(parts) == lines, lines
        assert 1 not in parts, lines
