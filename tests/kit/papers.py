"""Readers of printed PDFs: text and its position, paper size, picture and QR codes."""

import ctypes
import io
import unicodedata
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
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


def tagged(document: bytes) -> list[tuple[str, str]]:
    """The parts of the structure with marks of their own, in the order for screen readers: each role and its text."""
    read, opened = PdfReader(io.BytesIO(document)), pdfium.PdfDocument(document)
    texts: dict[tuple[int, int], str] = {}
    for number, page in enumerate(opened):
        textpage, buffer = page.get_textpage(), ctypes.create_string_buffer(4000)
        for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
            long = raw.FPDFTextObj_GetText(thing, textpage, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 2000)
            for place in range(raw.FPDFPageObj_CountMarks(thing)):
                mark, key = raw.FPDFPageObj_GetMark(thing, place), ctypes.c_int()
                if raw.FPDFPageObjMark_GetParamIntValue(mark, b"MCID", key):
                    said = buffer.raw[: long - 2].decode("utf-16-le")
                    texts[number, key.value] = f"{texts.get((number, key.value), '')} {said}"
    opened.close()
    pages: list[Any] = list(read.pages)
    root: Any = read.root_object
    found: list[tuple[str, str]] = []

    def walk(node: Any) -> None:
        kids = [kid.get_object() for kid in node["/K"]]
        own = [
            (pages.index(node["/Pg"]), kid) if isinstance(kid, int) else (pages.index(kid["/Pg"]), kid["/MCID"])
            for kid in kids if isinstance(kid, int) or kid.get("/Type") == "/MCR"
        ]  # fmt: skip
        if own:
            found.append((node["/S"][1:], plain(" ".join(texts.get(row, "") for row in own))))
        for kid in kids:
            if not isinstance(kid, int) and kid.get("/Type") != "/MCR":
                walk(kid)

    walk(root["/StructTreeRoot"]["/K"])
    return found


def places(document: bytes, number: int, *wanted: str) -> list[list[tuple[float, float]]]:
    """For each of these texts, its places on a page: middle and baseline, in points."""
    opened = pdfium.PdfDocument(document)
    try:
        text = opened[number].get_textpage()
        found = []
        for name in wanted:
            search, at = text.search(name, match_case=True), []
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
    return [code.text for image in pictures for code in zxingcpp.read_barcodes(image)]


def type_size(document: bytes, said: str) -> float:
    """The type size, in points, of the first line that holds these words."""
    sizes: list[float] = []

    def note(text: str, matrix: list[float], of_text: list[float], _font: object, size: float) -> None:
        if said in text:
            sizes.append(size * of_text[3] * matrix[3])

    for page in PdfReader(io.BytesIO(document)).pages:
        page.extract_text(visitor_text=note)
    return sizes[0]
