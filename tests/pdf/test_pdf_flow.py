"""Running text and tables: nothing is lost, no word is broken, and rows are as high as their text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdf.flow import Column, Drawing, Flow, Laid, Words, draw_laid, lines_of, page_columns
from pdf.fonts import plain, text_width
from pdf.page import SIZES, finish, new_paper, next_page
from pdf.table import BLANK, HIGH, TICKED, Col, Table, column_widths, least_width, put_table
from tests.kit.papers import page_texts, places
from tests.pdf.samples import NASTY, PRINTED_AT

LONG = " ".join(f"word{n}" for n in range(2500))
"""More than the fonts look at in one go: 21,389 characters."""


def columns(*widths: float, height: float = 120.0) -> Iterator[Column]:
    for page in count():
        left = 0.0
        for width in widths:
            yield Column(left, 0.0, left + width, height, page)
            left += width + 10


def drawn(flow: Flow) -> list[str]:
    paper = new_paper("A4", title="Flow", event="Open", printed_at=PRINTED_AT)
    for page in flow.pages:
        for mark in page:
            mark(paper.canvas)
        next_page(paper)
    return page_texts(finish(paper))


@pytest.mark.slow
def test_a_text_of_any_length_is_whole_on_paper_and_in_order() -> None:
    flow = Flow(columns(200, 90))
    flow.put([Words(LONG), Words("The end.")])
    texts = drawn(flow)
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


def test_a_heading_goes_with_what_it_stands_over() -> None:
    flow = Flow(columns(200, height=96))
    flow.put([Words("first", 20), Words("second", 20), Words("heading", 10, stays=True), Words("below " * 60, 10)])
    first, second, *_ = drawn(flow)
    assert "heading" not in first
    assert second.startswith("heading below")


def test_a_drawing_that_has_no_room_left_goes_to_the_next_column() -> None:
    tops: list[tuple[float, float]] = []
    flow = Flow(columns(100, 100, height=100))
    drawing = Drawing(60, lambda canvas, x, top, width: tops.append((x, top)), before=10)
    flow.put([drawing, drawing, drawing])
    paper = new_paper("A4", title="Flow", event="Open", printed_at=PRINTED_AT)
    for page in flow.pages:
        for mark in page:
            mark(paper.canvas)
    assert tops == [(0.0, 100.0), (110.0, 100.0), (0.0, 100.0)]
    assert len(flow.pages) == 2


def test_no_line_of_a_paragraph_stands_alone() -> None:
    """One word fills a line here; six lines of 13 points fill a column."""
    for lines in range(2, 12):
        words = [f"{'n' * 30}{n:02}" for n in range(lines)]
        flow = Flow(columns(190, height=80))
        flow.put([Words("above", 10, before=0), Words("above", 10, before=0), Words(" ".join(words), 10, before=0)])
        texts = drawn(flow)
        parts = [len(re.findall("n{30}", text)) for text in texts]
        assert sum(parts) == lines, lines
        assert 1 not in parts, lines


COLUMNS = (
    Col("Player", strong=True),
    Col("Faction"),
    Col("Caps", "figure"),
    Col("Signature", "write"),
    Col("Here", "tick"),
)
NAMES = (*NASTY, "W" * 60, "山" * 40, "Bartholomew von Hohenstaufen-Featherstonehaugh the Third", "Ada")


def a_row(name: str) -> tuple[str, ...]:
    return (name, "Brotherhood of Steel", "748", "", "")


def table_drawn(table: Table, size: str = "A4") -> bytes:
    paper = new_paper(size, title="Table", event="Open", printed_at=PRINTED_AT)  # type: ignore[arg-type]
    frame = paper.frame
    flow = Flow(page_columns(frame, frame.top - 60))
    put_table(flow, replace(table, title="Title"))
    draw_laid(paper, [Laid("Sheet", (), flow.pages)])
    return finish(paper)


def test_an_endless_word_breaks_no_word_of_other_columns() -> None:
    for width in (300.0, 390.0, 530.0):
        widths = column_widths(Table(COLUMNS, [a_row(name) for name in NAMES]), width)
        assert sum(widths) == pytest.approx(width)
        assert widths[1] >= column_widths(Table(COLUMNS[1:2], [("Brotherhood",)], size=9.5), 1.0)[0]
        few = column_widths(Table((COLUMNS[1],), [("Brotherhood of Steel",)]), 60.0)
        assert few == [60.0]
    usual = column_widths(Table(COLUMNS, [a_row("Ada")]), 530.0)
    assert usual[3] > usual[0] + usual[1], "what nobody needs is room to write in"


def test_no_cell_leaves_its_row_or_its_column() -> None:
    """Characters of the columns stand apart, and those of the rows: read back from the page as a viewer has them."""
    for size in SIZES:
        for name in NAMES:
            rows = [(name, "FACTION", "748"), ("NEXT", name, "750")]
            table = Table((Col("Player"), Col("Faction"), Col("Caps", "figure")), rows)
            page = pdfium.PdfDocument(table_drawn(table, size))[0]
            text = page.get_textpage()
            boxes = {}
            for word in ("FACTION", "748", "NEXT", "750", "Player"):
                rects = text.search(word)
                start, length = rects.get_next()
                boxes[word] = [text.get_charbox(n) for n in range(start, start + length)]
            middle = min(box[0] for box in boxes["FACTION"])
            ends = min(box[0] for box in boxes["748"])
            for n in range(text.count_chars()):
                left, bottom, right, top = text.get_charbox(n)
                inside = boxes["Player"][0][1] > top and bottom > 60 and right > left
                if inside and (bottom + top) / 2 > max(box[3] for box in boxes["NEXT"]) + 4:
                    assert right <= middle or left >= middle - 0.5, (size, name)
                    assert right <= ends or left >= ends - 0.5, (size, name)


def test_heads_are_repeated_and_nothing_is_lost() -> None:
    table = Table(COLUMNS, [a_row(f"Player {n:03}") for n in range(100)], ("Total", "", "1", "", ""))
    pages = page_texts(table_drawn(table))
    assert len(pages) == -(-100 // int((841.9 - 31.2 - 31.2 - 16 - 60 - 40) / HIGH)), "8 mm a row"
    assert all("Signature" in page for page in pages)
    assert all(f"Player {n:03}" in " ".join(pages) for n in range(100))
    assert pages[-1].index("Player 099") < pages[-1].index("Total")


def test_boxes_are_empty_or_crossed() -> None:
    rows = [("Ada", ""), ("Bo", TICKED), ("Cy", "late")]
    empty, ticked, said = (table_drawn(Table((Col("Player"), Col("Here", "tick")), [row])) for row in rows)
    assert len({len(page_texts(one)[0].split()) for one in (empty, ticked)}) == 1, "a cross is drawn, not written"
    assert empty != ticked
    assert "late" in page_texts(said)[0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.text(max_size=40), min_size=3, max_size=3).map(tuple), max_size=6),
    st.lists(st.sampled_from(["text", "fixed", "figure", "centre", "write", "tick"]), min_size=3, max_size=3),
    st.floats(40, 600),
)
def test_widths_fill_what_there_is(rows: list[tuple[str, ...]], kinds: list[str], width: float) -> None:
    table = Table(tuple(Col("Head", kind) for kind in kinds), rows)  # type: ignore[arg-type]
    widths = column_widths(table, width)
    assert sum(widths) == pytest.approx(width)
    assert min(widths) > 0
    assert all(b > a for a, b in pairwise([0.0, *(sum(widths[: n + 1]) for n in range(3))]))


def test_a_word_without_end_takes_the_same_room_in_every_column() -> None:
    endless, short = "W" * 60, "Ada"
    first, last = (Table((Col("A"), Col("B")), [row]) for row in ((endless, short), (short, endless)))
    assert least_width(first) == pytest.approx(least_width(last))


def test_a_blank_is_a_box_of_8_mm() -> None:
    found = table_drawn(Table((Col("Weapon"), Col("AP", "figure")), [("Minigun", BLANK), ("Pistol", "3")]))
    assert page_texts(found)[0].count("Minigun") == 1 and BLANK not in page_texts(found)[0]
    ((minigun,), (pistol,)) = places(found, 0, "Minigun", "Pistol")
    assert minigun[1] - pistol[1] > HIGH
