"""A document that several sheets are drawn into: sizes, turned pages, the outline, shared drawings."""

import io
import re
from collections.abc import Callable
from datetime import datetime

import pytest
from pypdf import PdfReader
from pypdf.generic import Destination

from pdf.fonts import draw_text
from pdf.page import SIZES, PageSize, Paper, finish, new_paper, next_page, stamp, turned
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.signs import Certificate, draw_certificates
from pdf.wall import PairedPlayer, PairingRow, RoundPairings, draw_pairings_by_name, draw_pairings_by_table
from tests.pdf.conftest import places

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
        fonts = re.findall(rb"/FontName /(\S+)", document)
        assert fonts and len(fonts) == len(set(fonts)), "a typeface is in the document once"


def test_a_shared_drawing_is_made_once_for_each_size_of_page(printed_at: datetime) -> None:
    paper = new_paper("A4", title="Mixed", event="Open", printed_at=printed_at)
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


def test_a_document_without_pages_is_refused(printed_at: datetime) -> None:
    with pytest.raises(ValueError, match="page"):
        finish(new_paper("A4", title="None", event="Open", printed_at=printed_at))
