"""Readers of printed PDFs: text and its position, paper size, picture and QR codes."""

import io
import unicodedata

import pypdfium2 as pdfium
import zxingcpp
from PIL import Image
from pypdf import PdfReader

from tests.kit.person import Page


def texts(page: Page) -> list[str]:
    assert page.status == 200, page.text
    assert page.response.mimetype == "application/pdf"
    return page_texts(page.response.data)


def page_texts(document: bytes) -> list[str]:
    opened = pdfium.PdfDocument(document)
    try:
        return [plain(page.get_textpage().get_text_bounded()) for page in opened]
    finally:
        opened.close()


def plain(text: str) -> str:
    """The text with single spaces and composed accents."""
    return " ".join(unicodedata.normalize("NFC", text).replace("\u200b", "").split())


def paper(page: Page) -> tuple[int, int]:
    box = PdfReader(io.BytesIO(page.response.data)).pages[0].mediabox
    return round(box.width), round(box.height)


def picture(document: bytes, page: int = 0, scale: float = 2.0, mode: str = "L") -> Image.Image:
    """A page as a picture, grey by default, ``scale`` pixels to a point."""
    opened = pdfium.PdfDocument(document)
    try:
        drawn: Image.Image = opened[page].render(scale=scale).to_pil()
        return drawn.convert(mode)
    finally:
        opened.close()


def places(document: bytes, number: int, *wanted: str) -> list[list[tuple[float, float]]]:
    """For each of these texts, its places on a page: middle and baseline, in points."""
    opened = pdfium.PdfDocument(document)
    try:
        text = opened[number].get_textpage()
        found = []
        for one in wanted:
            search, at = text.search(one, match_case=True), []
            while hit := search.get_next():
                boxes = [text.get_charbox(hit[0] + n) for n in range(hit[1])]
                at.append(((boxes[0][0] + boxes[-1][2]) / 2, boxes[0][1]))
            found.append(at)
        return found
    finally:
        opened.close()


def codes(page: Page) -> list[str]:
    document = page.response.data
    pictures = [picture(document, n, 2.5) for n in range(len(PdfReader(io.BytesIO(document)).pages))]
    return [code.text for one in pictures for code in zxingcpp.read_barcodes(one)]
