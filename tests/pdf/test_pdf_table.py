"""The one table: widths that break no word, rows as high as their text, heads on every page, cells for a pencil."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdf.flow import Flow, Laid, draw_laid, page_columns
from pdf.page import SIZES, finish, new_paper
from pdf.table import BLANK, HIGH, TICKED, Col, Table, column_widths, least_width, put_table
from tests.pdf.conftest import NASTY, places

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


def drawn(table: Table, printed_at: datetime, size: str = "A4") -> bytes:
    paper = new_paper(size, title="Table", event="Open", printed_at=printed_at)  # type: ignore[arg-type]
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


def test_no_cell_leaves_its_row_or_its_column(printed_at: datetime) -> None:
    """Characters of the columns stand apart, and those of the rows: read back from the page as a viewer has them."""
    for size in SIZES:
        for name in NAMES:
            rows = [(name, "FACTION", "748"), ("NEXT", name, "750")]
            table = Table((Col("Player"), Col("Faction"), Col("Caps", "figure")), rows)
            page = pdfium.PdfDocument(drawn(table, printed_at, size))[0]
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


def test_heads_are_repeated_and_nothing_is_lost(printed_at: datetime, page_texts: Callable[[bytes], list[str]]) -> None:
    table = Table(COLUMNS, [a_row(f"Player {n:03}") for n in range(100)], ("Total", "", "1", "", ""))
    pages = page_texts(drawn(table, printed_at))
    assert len(pages) == -(-100 // int((841.9 - 31.2 - 31.2 - 16 - 60 - 40) / HIGH)), "8 mm a row"
    assert all("Signature" in page for page in pages)
    assert all(f"Player {n:03}" in " ".join(pages) for n in range(100))
    assert pages[-1].index("Player 099") < pages[-1].index("Total")


def test_boxes_are_empty_or_crossed(printed_at: datetime, page_texts: Callable[[bytes], list[str]]) -> None:
    rows = [("Ada", ""), ("Bo", TICKED), ("Cy", "late")]
    empty, ticked, said = (drawn(Table((Col("Player"), Col("Here", "tick")), [row]), printed_at) for row in rows)
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


def test_a_blank_is_a_box_of_8_mm(printed_at: datetime, page_texts: Callable[[bytes], list[str]]) -> None:
    found = drawn(Table((Col("Weapon"), Col("AP", "figure")), [("Minigun", BLANK), ("Pistol", "3")]), printed_at)
    assert page_texts(found)[0].count("Minigun") == 1 and BLANK not in page_texts(found)[0]
    ((minigun,), (pistol,)) = places(found, 0, "Minigun", "Pistol")
    assert minigun[1] - pistol[1] > HIGH
