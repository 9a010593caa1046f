"""Badges: every name finds room inside its badge, each code is read back, eight to a page."""

from collections.abc import Callable
from datetime import datetime

import pytest
import zxingcpp
from PIL import Image

from pdf.badges import Badge, badges
from pdf.page import PageSize

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
        assert len(texts) == -(-len(given) // 8), size
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
    gap = shot.crop((290 * 2, 140, 304 * 2, 300))
    assert gap.getextrema() == (255, 255)
    assert len(zxingcpp.read_barcodes(shot)) == 2


def test_event_without_players_has_one_page(printed_at: datetime, page_texts: Callable[[bytes], list[str]]) -> None:
    (text,) = page_texts(badges("Iron Open", [], "A4", printed_at))
    assert "No players yet." in text
