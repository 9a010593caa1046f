"""Printed PDFs read back: their text, their paper, and what their QR codes hold."""

import io
import unicodedata

import pypdfium2 as pdfium
import zxingcpp
from pypdf import PdfReader

from tests.kit.person import Page


def texts(page: Page) -> list[str]:
    """The text of every printed page."""
    assert page.status == 200, page.text
    assert page.response.mimetype == "application/pdf"
    return words(page.response.data)


def words(document: bytes) -> list[str]:
    """The text of every page of a document, one space between words."""
    pages = PdfReader(io.BytesIO(document)).pages
    return [" ".join(unicodedata.normalize("NFC", one.extract_text()).split()) for one in pages]


def paper(page: Page) -> tuple[int, int]:
    """Width and height of the first page in points."""
    box = PdfReader(io.BytesIO(page.response.data)).pages[0].mediabox
    return round(box.width), round(box.height)


def codes(page: Page) -> list[str]:
    """What the QR codes hold, page by page."""
    opened = pdfium.PdfDocument(page.response.data)
    try:
        pictures = [opened[n].render(scale=2.5).to_pil().convert("L") for n in range(len(opened))]
        return [code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)]
    finally:
        opened.close()
