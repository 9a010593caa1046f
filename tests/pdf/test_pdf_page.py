"""A document of several sheets: sizes, turned pages, the outline, shared drawings, and small sheets to be cut."""

import io
import re
from itertools import product

import pypdfium2 as pdfium
import pytest
from pypdf import PdfReader
from pypdf.generic import Destination
from reportlab.lib.units import mm

from pdf.cuts import cards, parts, put_pieces, stacked
from pdf.fonts import draw_text
from pdf.page import MARGIN, SIZES, PageSize, Paper, finish, new_paper, next_page, stamp, turned
from pdf.scoresheet import draw_scoresheets
from pdf.signs import Certificate, draw_certificates
from pdf.wall import PairedPlayer, PairingRow, RoundPairings, draw_pairings_by_name, draw_pairings_by_table
from tests.kit.papers import page_texts, picture, places
from tests.pdf.samples import EXTRACT, PRINTED_AT

ROUND = RoundPairings("Iron Open", 2, (PairingRow(1, PairedPlayer("Ada"), PairedPlayer("Юлия")),))


def outline(document: bytes) -> list[tuple[str, int]]:
    """The titles of the outline with their pages from 1, what is under a title behind a dash."""
    reader = PdfReader(io.BytesIO(document))
    found: list[tuple[str, int]] = []

    def read(entries: list[object], before: str) -> None:
        for one in entries:
            if isinstance(one, list):
                read(one, before + "- ")
            else:
                assert isinstance(one, Destination)
                page = reader.get_destination_page_number(one)
                assert page is not None
                found.append((before + str(one.title), page + 1))

    read(list(reader.outline), "")
    return found


def test_several_sheets_make_one_document() -> None:
    for size in SIZES:

        def drawn(size: PageSize = size) -> bytes:
            paper = new_paper(size, title="Round pack", event="Iron Open", printed_at=PRINTED_AT)
            draw_pairings_by_name(paper, ROUND)
            draw_certificates(paper, [Certificate("Ada", "Best painted", "", "Iron Open", "")])
            draw_scoresheets(paper, [EXTRACT])
            draw_pairings_by_table(paper, ROUND)
            return finish(paper)

        document = drawn()
        assert drawn() == document, size
        assert outline(document) == [
            ("Round 2 · Find your table", 1), ("Certificates", 2), ("- Best painted: Ada", 2),
            ("Scoresheets, round 2", 3), ("- Table 7", 3), ("Round 2 · Tables", 4),
        ]  # fmt: skip
        texts = page_texts(document)
        assert ["Page 1 of 1" in text for text in texts] == [True, False, True, True], "each sheet counts its own pages"
        boxes = [page.mediabox for page in PdfReader(io.BytesIO(document)).pages]
        wide = [box.width > box.height for box in boxes]
        assert wide[:2] == [False, True] and wide[3] is False, size
        assert sorted((float(boxes[1].width), float(boxes[1].height))) == pytest.approx(
            sorted(SIZES[size]), abs=0.01
        ), size
        fonts = re.findall(rb"/FontName /(\S+)", document)
        assert fonts and len(fonts) == len(set(fonts)), "a typeface is in the document once"


def test_a_shared_drawing_is_made_once_for_each_size_of_page() -> None:
    paper = new_paper("A4", title="Mixed", event="Open", printed_at=PRINTED_AT)
    given = []
    for page in (turned(paper, wide=wide) for wide in (True, False, True)):

        def draw(page: Paper = page) -> float:
            draw_text(page.canvas, page.frame.right, 50, "edge", 9, align="right")
            return page.width

        given.append(stamp(page, "edge", draw))
        next_page(page)
    document = finish(paper)
    assert given == [pytest.approx(side, abs=0.1) for side in (841.9, 595.3, 841.9)], "what the drawing gave then"
    assert document.count(b"/Subtype /Form") == 2
    ends = [places(document, number, "edge")[0][0][0] for number in range(3)]
    assert ends[0] == ends[2] == pytest.approx(ends[1] + 841.9 - 595.3, abs=0.1)


def test_a_document_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="page"):
        finish(new_paper("A4", title="None", event="Open", printed_at=PRINTED_AT))


PAPERS: tuple[tuple[PageSize, bool], ...] = (("A4", False), ("Letter", False), ("A4", True))


def numbered(paper: Paper, number: int, item: str) -> None:
    """A small sheet that says which it is, and is black wherever something may be printed."""
    frame = paper.frame
    paper.canvas.rect(frame.left, frame.bottom, frame.width, frame.height, stroke=0, fill=1)
    draw_text(paper.canvas, frame.left, frame.bottom - 9, f"{item} is {number}", 7)


def cut(document: bytes, across: int, down: int) -> list[str]:
    """What each piece says, when the pile is cut as one and its parts are put on each other in reading order."""
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
    for (across, down), count in product(((1, 1), (1, 2), (2, 4)), (1, 7, 8, 9, 33)):
        items = [f"Table {n}" for n in range(1, count + 1)]
        paper = new_paper("A4", title="Cut", event="Open", printed_at=PRINTED_AT)
        shown: list[tuple[int, int]] = []

        def note(page: int, pages: int, shown: list[tuple[int, int]] = shown) -> None:
            shown.append((page, pages))

        each = across * down
        cutting = parts(paper, each) if across == 1 else cards(paper, 85 * mm, 54 * mm)
        put_pieces(paper, items, cutting, numbered, note)
        pages = -(-count // each)
        assert shown == [(page, pages) for page in range(1, pages + 1)], (each, count)
        found = cut(finish(paper), across, down)
        assert [words for words in found if words] == [f"Table {n} is {n}" for n in range(1, count + 1)], (each, count)


def test_pieces_are_stacked_on_the_fewest_pages() -> None:
    assert stacked("abcde", 2) == [[(1, "a"), (4, "d")], [(2, "b"), (5, "e")], [(3, "c")]]
    first, last = stacked("abcdefghijkl", 8)
    assert ("".join(one for _, one in first), "".join(one for _, one in last)) == ("acegijkl", "bdfh"), "8 + 4"
    assert stacked("", 4) == []


def test_pieces_keep_the_printer_s_margins_and_have_cutting_marks() -> None:
    for size, wide in PAPERS:
        paper = turned(new_paper(size, title="Cut", event="Open", printed_at=PRINTED_AT), wide=wide)
        cutting = parts(paper, 2)
        put_pieces(paper, ["x"] * 2, cutting, numbered)
        page = picture(finish(paper), 0, 4.0)
        assert page.size == pytest.approx([4 * paper.width, 4 * paper.height], abs=1), (size, wide)
        assert sum(p.width * p.height for p in cutting.pieces) == pytest.approx(paper.width * paper.height)
        edge = int(10 * mm * 4)
        assert page.crop((0, 0, page.width, edge)).getextrema() == (255, 255), (size, wide)
        for piece in cutting.pieces:
            left, top = piece.x, paper.height - piece.y - piece.height
            assert page.getpixel((int(4 * (left + MARGIN) + 4), int(4 * (top + MARGIN) + 4))) == 0, (size, wide)
            # Between the line of the knife and what is printed there is white.
            assert page.getpixel((int(4 * (left + 2 * mm)), int(4 * (top + 2 * mm)))) == 255, (size, wide)
        first = cutting.pieces[0]
        at = round(4 * (first.width if wide else first.height))
        knife = (at - 4, edge, at + 4, page.height - edge) if wide else (edge, at - 4, page.width - edge, at + 4)
        along = page.crop(knife).tobytes()
        assert 20 < sum(shade < 160 for shade in along) < len(along) / 8, "dots where the knife goes"


def test_cards_keep_apart_as_many_as_the_page_holds() -> None:
    fitting: dict[PageSize, int] = {"A4": 8, "Letter": 8, "A5": 3}
    for size, many in fitting.items():
        paper = new_paper(size, title="Cards", event="Open", printed_at=PRINTED_AT)
        pieces = cards(paper, 85 * mm, 54 * mm).pieces
        assert len(pieces) == many
        for one in pieces:
            assert one.x >= paper.frame.left and one.y >= paper.frame.bottom
            for other in pieces:
                apart = abs(one.x - other.x) > one.width + 2 * mm or abs(one.y - other.y) > one.height + 2 * mm
                assert apart or one is other
