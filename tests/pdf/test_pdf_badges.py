"""Badges: every name finds room inside its badge, each code is read back, and none is seen on a worn badge."""

import re
from collections.abc import Callable
from datetime import datetime
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from pypdf import PdfReader

from pdf.page import PageSize
from pdf.signs import HIGH, Badge, badges

SIZES_TO_PRINT: tuple[PageSize, ...] = ("A4", "Letter")
LINK = "https://overseer.example.org/p/WzEsMF0.abcdefghijklmnopqrstuvwxyz0"


@pytest.mark.slow
def test_badges_have_player_and_qr_code(
    printed_at: datetime,
    nasty: dict[str, str],
    page_texts: Callable[[bytes], list[str]],
    picture: Callable[..., Image.Image],
) -> None:
    for size in SIZES_TO_PRINT:
        given = [Badge(name, f"Faction {n}", f"Club {n}", f"{LINK}{n:02}") for n, name in enumerate(nasty)]
        document = badges("Iron Open", given, size, printed_at)
        texts = page_texts(document)
        assert len(texts) == -(-len(given) // 6), size
        for n, shown in enumerate(nasty.values()):
            for words in (f"Faction {n}", f"Club {n}", *([shown] if shown.isascii() else [])):
                assert words in texts[n % len(texts)], "in an order for stack cutting"
        found = [
            code.text for page in range(len(texts)) for code in zxingcpp.read_barcodes(picture(document, page, 3.0))
        ]
        assert sorted(found) == [badge.address for badge in given], size


def test_long_name_stays_within_its_badge(
    printed_at: datetime, picture: Callable[..., Image.Image], page_texts: Callable[[bytes], list[str]]
) -> None:
    long = Badge("W" * 80, "Brotherhood of Steel of the West " * 3, "A club of many words " * 4, LINK)
    document = badges("An event of a long name " * 4, [long, Badge("Bo", "", "", LINK)], "A4", printed_at)
    (text,) = page_texts(document)
    assert "…" in text and "Bo" in text
    shot = picture(document, 0, 2.0).convert("L")
    # Between the two badges of a row nothing is printed but the marks at their corners.
    gap = shot.crop((290 * 2, 140, 304 * 2, 260))
    assert gap.getextrema() == (255, 255)
    assert len(zxingcpp.read_barcodes(shot)) == 2


def test_private_code_is_on_the_strip_alone(printed_at: datetime, picture: Callable[..., Image.Image]) -> None:
    for private in (True, False):
        given = [Badge("Zofia Wiśniewska", "Survivors", "Vault 13", LINK, private)]
        shot = picture(badges("Iron Open", given, "A4", printed_at), 0, 4.0)
        black = next(y for y in range(shot.height) if shot.getpixel((480, y)) == 0 and shot.getpixel((560, y)) == 0)
        edge = black + int(HIGH * 4)
        worn, strip = shot.crop((0, black, shot.width, edge)), shot.crop((0, edge + 8, shot.width, edge + 4 * 80))
        assert [code.text for code in zxingcpp.read_barcodes(worn)] == ([] if private else [LINK])
        assert [code.text for code in zxingcpp.read_barcodes(strip)] == ([LINK] if private else [])


def test_name_is_as_large_as_the_badge_holds(printed_at: datetime) -> None:
    for name, least in (("Zofia Wiśniewska", 27.0), ("Maximilian of Hohenstaufen", 25.0), ("W" * 60, 10.0)):
        page = PdfReader(BytesIO(badges("Iron Open", [Badge(name, "", "", LINK)], "A4", printed_at))).pages[0]
        drawn = page.get_contents()
        assert drawn is not None
        sizes = [float(size) for size in re.findall(rb"([\d.]+) Tf", drawn.get_data())]
        assert max(sizes) >= least, name


def test_event_without_players_has_one_page(printed_at: datetime, page_texts: Callable[[bytes], list[str]]) -> None:
    (text,) = page_texts(badges("Iron Open", [], "A4", printed_at))
    assert "No players yet." in text
