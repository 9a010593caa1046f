"""Running text and tables lose nothing; a document of several sheets, its outline, and small sheets to be cut."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, product

import pypdfium2 as pdfium
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.lib.units import mm

from pdf.cuts import cards, draw_pieces, equal_pieces, stack_order
from pdf.flow import Chapter, Column, Drawing, Flow, Paragraph, draw_chapters, page_columns, wrapped_lines
from pdf.fonts import draw_text, plain, text_width
from pdf.page import MARGIN, SIZES, PageSize, Paper, draw_shared, finish, new_paper, next_page, oriented
from pdf.rows import put_table
from pdf.scoresheet import draw_scoresheets
from pdf.signs import Certificate, draw_certificates
from pdf.table import TICKED, WRITE_HEIGHT, Col, Table, column_widths, least_width
from pdf.wall import PairedPlayer, PairingRow, RoundPairings, draw_pairings_by_name, draw_pairings_by_table
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places
from tests.pdf.samples import EXTRACT, PRINTED_AT

LONG = " ".join(f"word{n}" for n in range(600))
"""More than the fonts look at in one go, which is 2,000 characters."""


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
    flow.put([Paragraph(LONG), Paragraph("The end.")])
    texts = drawn(flow)
    assert len(texts) > 5
    assert " ".join(texts) == f"{LONG} The end."


@example(words=["W" * 2500], width=100)
@given(
    st.lists(st.text(st.characters(categories=["L", "Mn", "Nd", "P", "So"]), min_size=1, max_size=30), max_size=400),
    st.integers(30, 300),
)
def test_lines_hold_the_text_and_no_line_is_wider_than_asked(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = wrapped_lines(text, 9, width)
    expected = "".join(plain(part) for part in re.findall(r".{1,900}", text)) if len(text) > 900 else plain(text)
    assert "".join(lines).replace(" ", "") == expected.replace(" ", "")
    assert all(text_width(line, 9) <= width + 0.01 for line in lines if len(line) > 2)


def test_a_heading_goes_with_what_it_stands_over() -> None:
    flow = Flow(columns(200, height=96))
    above = Paragraph("first", 20), Paragraph("second", 20)
    flow.put([*above, Paragraph("heading", 10, keep_next=True), Paragraph("below " * 60, 10)])
    first, second, *_ = drawn(flow)
    assert "heading" not in first
    assert second.startswith("heading below")


def test_a_drawing_that_has_no_room_left_goes_to_the_next_column() -> None:
    tops: list[tuple[float, float]] = []
    flow = Flow(columns(100, 100, height=100))
    drawing = Drawing(60, lambda canvas, x, top, width: tops.append((x, top)), above=10)
    flow.put([drawing, drawing, drawing])
    drawn(flow)
    assert tops == [(0.0, 100.0), (110.0, 100.0), (0.0, 100.0)]
    assert len(flow.pages) == 2


def test_no_line_of_a_paragraph_stands_alone() -> None:
    """One word fills a line here; six lines of 13 points fill a column."""
    for lines in range(2, 9):
        words = [f"{'n' * 30}{n:02}" for n in range(lines)]
        flow = Flow(columns(190, height=80))
        flow.put([Paragraph(text, 10, above=0) for text in ("above", "above", " ".join(words))])
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
NAMES = ("مريم", "W" * 60, "山" * 40, "Bartholomew von Hohenstaufen-Featherstonehaugh the Third", "Ada")


def a_row(name: str) -> tuple[str, ...]:
    return (name, "Brotherhood of Steel", "748", "", "")


def table_drawn(table: Table, size: str = "A4") -> bytes:
    paper = new_paper(size, title="Table", event="Open", printed_at=PRINTED_AT)  # type: ignore[arg-type]
    frame = paper.frame
    flow = Flow(page_columns(frame, frame.top - 60))
    put_table(flow, replace(table, title="Title"))
    draw_chapters(paper, [Chapter("Sheet", (), flow.pages)])
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
    first, last = (Table((Col("A"), Col("B")), [row]) for row in (("W" * 60, "Ada"), ("Ada", "W" * 60)))
    assert least_width(first) == pytest.approx(least_width(last)), "in whatever column it stands"


def test_no_cell_leaves_its_row_or_its_column() -> None:
    for size, name in product(SIZES, NAMES):
        rows = [(name, "FACTION", "748"), ("NEXT", name, "750")]
        table = Table((Col("Player"), Col("Faction"), Col("Caps", "figure")), rows)
        assert list(faults(table_drawn(table, size))) == [], (size, name)


def test_heads_are_repeated_and_nothing_is_lost() -> None:
    table = Table(COLUMNS, [a_row(f"Player {n:03}") for n in range(100)], ("Total", "", "1", "", ""))
    pages = page_texts(table_drawn(table))
    assert len(pages) == -(-100 // int((841.9 - 31.2 - 31.2 - 16 - 60 - 40) / WRITE_HEIGHT)), "8 mm a row"
    assert all("Signature" in page for page in pages)
    assert all(f"Player {n:03}" in " ".join(pages) for n in range(100))
    assert pages[-1].index("Player 099") < pages[-1].index("Total")


def test_boxes_are_empty_or_crossed() -> None:
    rows = [("Ada", ""), ("Bo", TICKED), ("Cy", "late")]
    empty, ticked, said = (table_drawn(Table((Col("Player"), Col("Here", "tick")), [row])) for row in rows)
    assert len({len(page_texts(data)[0].split()) for data in (empty, ticked)}) == 1, "a cross is drawn, not written"
    assert empty != ticked
    assert "late" in page_texts(said)[0]


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


ROUND = RoundPairings(2, (PairingRow(1, PairedPlayer("Ada"), PairedPlayer("Юлия")),))


def outline(document: bytes) -> list[tuple[str, int]]:
    """The titles of the outline with their pages, from 1; a dash marks titles of the second level."""
    entries = pdfium.PdfDocument(document).get_toc()
    return [("- " * one.level + one.get_title(), one.get_dest().get_index() + 1) for one in entries]


def test_several_sheets_make_one_document() -> None:
    for size in SIZES:
        paper = new_paper(size, title="Round pack", event="Iron Open", printed_at=PRINTED_AT)
        draw_pairings_by_name(paper, ROUND)
        draw_certificates(paper, [Certificate("Ada", "Best painted", "", "")])
        draw_scoresheets(paper, [EXTRACT])
        draw_pairings_by_table(paper, ROUND)
        document = finish(paper)
        assert outline(document) == [
            ("Round 2 · Find your table", 1), ("Certificates", 2), ("- Best painted: Ada", 2),
            ("Scoresheets, round 2", 3), ("- Table 7", 3), ("Round 2 · Tables", 4 + (size == "A5")),
        ]  # fmt: skip
        numbered = ["Page 1 of 1" in text for text in page_texts(document)]
        assert numbered[:3] == [True, False, True] and all(numbered[3:]), "each sheet counts its own pages"
        boxes = [page.mediabox for page in PdfReader(io.BytesIO(document)).pages]
        wide = [box.width > box.height for box in boxes]
        assert wide[:2] == [False, True] and wide[-1] is False, size
        fonts = re.findall(rb"/FontName /(\S+)", document)
        assert fonts and len(fonts) == len(set(fonts)), "a typeface is in the document once"


def test_a_shared_drawing_is_made_once_for_each_size_of_page() -> None:
    paper = new_paper("A4", title="Mixed", event="Open", printed_at=PRINTED_AT)
    given = []
    for page in (oriented(paper, landscape=wide) for wide in (True, False, True)):

        def draw(page: Paper = page) -> float:
            draw_text(page.canvas, page.frame.right, 50, "edge", 9, align="right")
            return page.width

        given.append(draw_shared(page, "edge", draw, "A word"))
        next_page(page)
    document = finish(paper)
    assert given == [pytest.approx(side, abs=0.1) for side in (841.9, 595.3, 841.9)], "what the drawing gave then"
    assert document.count(b"/Subtype /Form") == 2
    ends = [places(document, number, "edge")[0][0][0] for number in range(3)]
    assert ends[0] == ends[2] == pytest.approx(ends[1] + 841.9 - 595.3, abs=0.1)


def test_a_document_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="page"):
        finish(new_paper("A4", title="None", event="Open", printed_at=PRINTED_AT))


PAPERS: tuple[tuple[PageSize, bool], ...] = (("Letter", False), ("A4", True))


def numbered(paper: Paper, number: int, item: str) -> None:
    """A small sheet with its number, black in the whole printable area."""
    frame = paper.frame
    paper.canvas.rect(frame.left, frame.bottom, frame.width, frame.height, stroke=0, fill=1)
    draw_text(paper.canvas, frame.left, frame.bottom - 9, f"{item} is {number}", 7)


def cut(document: bytes, across: int, down: int) -> list[str]:
    """The text of each piece, after the pile is cut and its parts are stacked in reading order."""
    opened = pdfium.PdfDocument(document)
    try:
        pages = [opened[n] for n in range(len(opened))]
        return [
            page.get_textpage()
            .get_text_bounded(
                left=column * page.get_width() / across, bottom=(down - 1 - row) * page.get_height() / down,
                right=(column + 1) * page.get_width() / across, top=(down - row) * page.get_height() / down,
            )
            .strip()
            for row in range(down)
            for column in range(across)
            for page in pages
        ]  # fmt: skip
    finally:
        opened.close()


def test_cut_pieces_are_in_order() -> None:
    for (across, down), many in product(((1, 1), (1, 2), (2, 4)), (1, 8, 9)):
        items = [f"Table {n}" for n in range(1, many + 1)]
        paper = new_paper("A4", title="Cut", event="Open", printed_at=PRINTED_AT)
        shown: list[tuple[int, int]] = []

        def note(page: int, pages: int, shown: list[tuple[int, int]] = shown) -> None:
            shown.append((page, pages))

        each = across * down
        cutting = equal_pieces(paper, each) if across == 1 else cards(paper, 85 * mm, 54 * mm)
        draw_pieces(paper, items, cutting, numbered, note)
        pages = -(-many // each)
        assert shown == [(page, pages) for page in range(1, pages + 1)], (each, many)
        found = cut(finish(paper), across, down)
        assert [words for words in found if words] == [f"Table {n} is {n}" for n in range(1, many + 1)], (each, many)


def test_pieces_are_stacked_on_the_fewest_pages() -> None:
    assert stack_order("abcde", 2) == [[(1, "a"), (4, "d")], [(2, "b"), (5, "e")], [(3, "c")]]
    first, last = stack_order("abcdefghijkl", 8)
    assert ("".join(text for _, text in first), "".join(text for _, text in last)) == ("acegijkl", "bdfh"), "8 + 4"
    assert stack_order("", 4) == []


def test_pieces_keep_the_printer_s_margins_and_have_cutting_marks() -> None:
    for size, wide in PAPERS:
        paper = oriented(new_paper(size, title="Cut", event="Open", printed_at=PRINTED_AT), landscape=wide)
        cutting = equal_pieces(paper, 2)
        draw_pieces(paper, ["x"] * 2, cutting, numbered)
        page = picture(finish(paper), 0, 4.0)
        assert page.size == pytest.approx([4 * paper.width, 4 * paper.height], abs=1), (size, wide)
        assert sum(p.width * p.height for p in cutting.pieces) == pytest.approx(paper.width * paper.height)
        edge = int(10 * mm * 4)
        assert page.crop((0, 0, page.width, edge)).getextrema() == (255, 255), (size, wide)
        for piece in cutting.pieces:
            left, top = piece.left, paper.height - piece.top
            assert page.getpixel((int(4 * (left + MARGIN) + 4), int(4 * (top + MARGIN) + 4))) == 0, (size, wide)
            # There is white space between the cut and the print.
            assert page.getpixel((int(4 * (left + 2 * mm)), int(4 * (top + 2 * mm)))) == 255, (size, wide)
        first = cutting.pieces[0]
        at = round(4 * (first.width if wide else first.height))
        knife = (at - 4, edge, at + 4, page.height - edge) if wide else (edge, at - 4, page.width - edge, at + 4)
        along = page.crop(knife).tobytes()
        assert 20 < sum(shade < 160 for shade in along) < len(along) / 8, "dots where the knife goes"
        paper = oriented(new_paper(size, title="Whole", event="Open", printed_at=PRINTED_AT), landscape=wide)
        draw_pieces(paper, ["x"], cutting, numbered)
        assert picture(finish(paper), 0, 4.0).crop(knife).getextrema() == (255, 255), "one piece is not cut off"


def test_cards_keep_apart_as_many_as_the_page_holds() -> None:
    fitting: dict[PageSize, int] = {"A4": 8, "Letter": 8, "A5": 3}
    for size, many in fitting.items():
        paper = new_paper(size, title="Cards", event="Open", printed_at=PRINTED_AT)
        pieces = cards(paper, 85 * mm, 54 * mm).pieces
        assert len(pieces) == many
        for piece in pieces:
            assert piece.left >= paper.frame.left and piece.bottom >= paper.frame.bottom
            for other in pieces:
                across, up = abs(piece.left - other.left), abs(piece.bottom - other.bottom)
                assert across > piece.width + 2 * mm or up > piece.height + 2 * mm or piece is other
