"""Samples that the sheet tests share, and the reading back of what was printed."""

import io
import unicodedata
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pypdfium2 as pdfium
import pytest
from PIL import Image
from pypdf import PdfReader

from pdf.sheet_data import MarkerGrid, Scoresheet, SheetPlayer, VpGrid
from pdf.table_map import MapMarker, MapMeasure, TableMap

RULERS = (
    MapMeasure(0, 12, 0, "Black 12″", ((0, 12, "#000000"),)),
    MapMeasure(24, 36, 0, "Black 12″", ((24, 36, "#000000"),)),
    MapMeasure(0, 18, 1, "Black + Red 18″", ((0, 12, "#000000"), (12, 18, "#E6332B"))),
)
KINDS = ("Locked Safe", "Hidden Item", "Secure Console", "Passing Wastelander", "Trophy Wrack", "Trick Shot")
NASTY = {
    "Ωmega Ą́ Ẫ Łódź": "Ωmega Ą́ Ẫ Łódź", "Юлия Кузнецова": "Юлия Кузнецова", "山田太郎": "山田太郎", "李小龙": "李小龙",
    "김민수": "김민수", "مريم": "مريم", "שרה": "שרה", "ქეთევან": "ქეთევან",
    "🦊 Fox 🏳️\u200d🌈": "🦊 Fox 🏳️\u200d🌈", "☠️ Bones 👩🏽\u200d🚀 3️⃣": "☠️ Bones 👩🏽\u200d🚀 3️⃣",
    "<b>&amp;</b> <img src='file:///etc/passwd'/>": "<b>&amp;</b> <img src='file:///etc/passwd'/>",
    "Eve\u202eevil\u202c\u2066x\u2069": "Eveevilx", "Two\nlines\tand\x00 nul": "Two lines and nul",
    "e\u0301clair": "éclair", "नमन": "नमन", "สมชาย": "สมชาย", "\ud83d lone": "\ufffd lone",
}  # fmt: skip
"""Names as typed, and as they must be found again on the paper."""


@pytest.fixture
def printed_at() -> datetime:
    return datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Warsaw"))


@pytest.fixture
def nasty() -> dict[str, str]:
    return NASTY


@pytest.fixture
def page_texts() -> Callable[[bytes], list[str]]:
    """The text of every page as pypdf reads it: one space between words, accents composed."""

    def read(document: bytes) -> list[str]:
        pages = PdfReader(io.BytesIO(document)).pages
        return [
            " ".join(unicodedata.normalize("NFC", page.extract_text()).replace("\u200b", "").split()) for page in pages
        ]

    return read


@pytest.fixture
def picture() -> Callable[..., Image.Image]:
    """A page as a grey picture, ``scale`` pixels to a point."""

    def render(document: bytes, page: int = 0, scale: float = 2.0) -> Image.Image:
        opened = pdfium.PdfDocument(document)
        try:
            drawn: Image.Image = opened[page].render(scale=scale).to_pil()
            return drawn.convert("L")
        finally:
            opened.close()

    return render


@pytest.fixture
def coloured() -> Callable[[bytes], Image.Image]:
    """The first page as a picture in colours, four pixels to a point."""

    def render(document: bytes) -> Image.Image:
        opened = pdfium.PdfDocument(document)
        try:
            drawn: Image.Image = opened[0].render(scale=4.0).to_pil()
            return drawn.convert("RGB")
        finally:
            opened.close()

    return render


@pytest.fixture
def extract_sheet() -> Scoresheet:
    """Extract the Information: a choice, a limit for both together, a game round that cannot score."""
    return Scoresheet(
        event="Autumn Wasteland Open",
        round_number=2,
        minutes=90,
        table=7,
        a=SheetPlayer(
            "Zofia Wiśniewska", "Brotherhood of Steel", "Vault 13 Kraków", 748, "Leader: Paladin Danse, Tactician"
        ),
        b=SheetPlayer("Miles O'Hara", "Super Mutants", "", 750, "Leader: Super Mutant Brute"),
        unit="Caps",
        scenario="Extract the Information",
        setup=(
            "Three searchable markers with the computer side up stand on the centre line.",
            "Both roll 2 Black dice; the higher roll picks an edge. The other decides who deploys first.",
            "Deploy in turn, one model at a time, within Red (6 inches) of your own edge. The player who is done "
            "first takes the Advantage Marker and says who has priority in game round 1.",
        ),
        scoring=(
            "Before the game each side chooses: hackers or smashers. Both may choose the same.",
            "From game round 2, for each marker once a round: 1 VP when a model touching it passes its test, "
            "computers for hackers, Agility for smashers.",
            "The game lasts 6 rounds; more VP wins, even with no model left.",
        ),
        table_map=TableMap(
            36, 6, (MapMarker(12, 18, "1"), MapMarker(18, 18, "2"), MapMarker(24, 18, "3")), RULERS, RULERS[2:],
            "Red (6″)", "#E6332B",
        ),
        grid=VpGrid(
            (0, 3, 3, 3, 3, 3), (0, 3, 3, 3, 3, 3), "Both players together: at most 3 VP a round",
            ("Hackers", "Smashers"),
        ),
        objectives=MarkerGrid(KINDS, 5, "Each kind at most twice. Secret until turned face up: tick it then."),
        url="https://desk.example.org/g/7K3QX2",
        code="7K3 QX2",
        address="desk.example.org/g",
    )  # fmt: skip


def places(document: bytes, number: int, *wanted: str) -> list[list[tuple[float, float]]]:
    """Wherever each of these texts stands on a page: its middle, and its baseline."""
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
