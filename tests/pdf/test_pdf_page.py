"""A document that several sheets are drawn into: sizes, turned pages, the outline, shared drawings."""

import io
from collections.abc import Callable
from datetime import datetime

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, Destination, DictionaryObject

from pdf.fonts import draw_text
from pdf.page import SIZES, PageSize, Paper, finish, new_paper, next_page, stamp, turned
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.signs import Certificate, draw_certificates
from pdf.wall import PairedPlayer, PairingRow, RoundPairings, draw_pairings_by_name, draw_pairings_by_table

Texts = Callable[[bytes], list[str]]
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


def test_several_sheets_make_one_document(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    for size in SIZES:

        def drawn(size: PageSize = size) -> bytes:
            paper = new_paper(size, title="Round pack", event="Iron Open", printed_at=printed_at)
            draw_pairings_by_name(paper, ROUND)
            draw_certificates(paper, [Certificate("Ada", "Best painted", "", "Iron Open", "")])
            draw_scoresheets(paper, [extract_sheet])
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
        fonts = {str(font) for font in _embedded(document)}
        assert len(fonts) == len(_embedded(document)), "a typeface is in the document once"


def _embedded(document: bytes) -> list[object]:
    """The names of the font files in a document."""
    reader = PdfReader(io.BytesIO(document))
    objects = [reader.get_object(n) for n in range(1, len(reader.xref[0]) + 1)]
    return [
        one["/FontName"]
        for one in objects
        if isinstance(one, DictionaryObject) and one.get("/Type") == "/FontDescriptor"
    ]


def test_pages_of_several_papers_in_one_document(printed_at: datetime) -> None:
    paper = new_paper("A4", title="Mixed", event="Open", printed_at=printed_at)
    for wide in (True, False):
        _edge(turned(paper, wide=wide))
    pages = PdfReader(io.BytesIO(finish(paper))).pages
    for page, side in zip(pages, (SIZES["A4"][::-1], SIZES["A4"]), strict=True):
        box = (float(page.mediabox.width), float(page.mediabox.height))
        assert box == pytest.approx(side, abs=0.01)
        assert _form_size(page) == pytest.approx(box, abs=0.01)


def _form_size(page: PageObject) -> tuple[float, float]:
    """Width and height of the one drawing that a page takes from the document."""
    resources = page["/Resources"]
    assert isinstance(resources, DictionaryObject)
    forms = resources["/XObject"]
    assert isinstance(forms, DictionaryObject)
    (form,) = (one.get_object() for one in forms.values())
    assert isinstance(form, DictionaryObject)
    box = form["/BBox"]
    assert isinstance(box, ArrayObject)
    return float(box[2]), float(box[3])


def _edge(paper: Paper) -> None:
    """A page with a shared drawing at its right edge."""

    def draw() -> None:
        draw_text(paper.canvas, paper.frame.right, 50, "edge", 9, align="right")

    stamp(paper, "edge", draw)
    next_page(paper)


def test_a_document_without_pages_is_refused(printed_at: datetime) -> None:
    with pytest.raises(ValueError, match="page"):
        finish(new_paper("A4", title="None", event="Open", printed_at=printed_at))
