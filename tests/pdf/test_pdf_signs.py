"""Badges and certificates: every name finds room, each code is read back, and none is seen on a worn badge."""

import re
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from itertools import product

import pytest
import zxingcpp
from pypdf import PdfReader

from pdf.page import PageSize
from pdf.signs import HIGH, Badge, Certificate, badges, certificates
from tests.kit.papers import page_texts, picture
from tests.pdf.samples import NASTY, PRINTED_AT

SIZES_TO_PRINT: tuple[PageSize, ...] = ("A4", "Letter")
LINK = "https://overseer.example.org/p/WzEsMF0.abcdefghijklmnopqrstuvwxyz0"


@pytest.mark.slow
def test_badges_have_player_and_qr_code() -> None:
    for size in SIZES_TO_PRINT:
        given = [Badge(name, f"Faction {n}", f"Club {n}", f"{LINK}{n:02}") for n, name in enumerate(NASTY)]
        document = badges("Iron Open", given, size, PRINTED_AT)
        texts = page_texts(document)
        assert len(texts) == -(-len(given) // 6), size
        for n, shown in enumerate(NASTY.values()):
            for words in (f"Faction {n}", f"Club {n}", *([shown] if shown.isascii() else [])):
                assert words in texts[n % len(texts)], "in an order for stack cutting"
        found = [
            code.text for page in range(len(texts)) for code in zxingcpp.read_barcodes(picture(document, page, 3.0))
        ]
        assert sorted(found) == [badge.address for badge in given], size


def test_long_name_stays_within_its_badge() -> None:
    long = Badge("W" * 80, "Brotherhood of Steel of the West " * 3, "A club of many words " * 4, LINK)
    document = badges("An event of a long name " * 4, [long, Badge("Bo", "", "", LINK)], "A4", PRINTED_AT)
    (text,) = page_texts(document)
    assert "…" in text and "Bo" in text
    shot = picture(document, 0, 2.0).convert("L")
    # Between the two badges of a row nothing is printed but the marks at their corners.
    gap = shot.crop((290 * 2, 140, 304 * 2, 260))
    assert gap.getextrema() == (255, 255)
    assert len(zxingcpp.read_barcodes(shot)) == 2


def test_private_code_is_on_the_strip_alone() -> None:
    for private in (True, False):
        given = [Badge("Zofia Wiśniewska", "Survivors", "Vault 13", LINK, private)]
        shot = picture(badges("Iron Open", given, "A4", PRINTED_AT), 0, 4.0)
        black = next(y for y in range(shot.height) if shot.getpixel((480, y)) == 0 and shot.getpixel((560, y)) == 0)
        edge = black + int(HIGH * 4)
        worn, strip = shot.crop((0, black, shot.width, edge)), shot.crop((0, edge + 8, shot.width, edge + 4 * 80))
        assert [code.text for code in zxingcpp.read_barcodes(worn)] == ([] if private else [LINK])
        assert [code.text for code in zxingcpp.read_barcodes(strip)] == ([LINK] if private else [])


def test_name_is_as_large_as_the_badge_holds() -> None:
    for name, least in (("Zofia Wiśniewska", 27.0), ("Maximilian of Hohenstaufen", 25.0), ("W" * 60, 10.0)):
        page = PdfReader(BytesIO(badges("Iron Open", [Badge(name, "", "", LINK)], "A4", PRINTED_AT))).pages[0]
        drawn = page.get_contents()
        assert drawn is not None
        sizes = [float(size) for size in re.findall(rb"([\d.]+) Tf", drawn.get_data())]
        assert max(sizes) >= least, name


def test_event_without_players_has_one_page() -> None:
    (text,) = page_texts(badges("Iron Open", [], "A4", PRINTED_AT))
    assert "No players yet." in text


ADA = Certificate(
    "Ada Lovelace", "Champion", "Survivors · rank 1 of 8", "Iron Open", "Town Hall · 5 December 2026", ("Judge",)
)


def pages(*given: Certificate, size: PageSize = "A4", wide: bool = True) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(certificates(given, size, PRINTED_AT, wide=wide))).pages]


def test_certificate_has_every_text_on_the_chosen_paper() -> None:
    a4, letter = (595.3, 841.9), (612, 792)
    papers: tuple[tuple[PageSize, bool, tuple[float, float]], ...] = (
        ("A4", True, a4[::-1]), ("A4", False, a4), ("Letter", True, letter[::-1]),
    )  # fmt: skip
    for size, wide, shape in papers:
        read = PdfReader(BytesIO(certificates([ADA], size, PRINTED_AT, wide=wide)))
        (page,) = read.pages
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(shape, abs=0.1)
        text = page.extract_text()
        for words in ("Certificate", ADA.name, ADA.title, ADA.line, ADA.event, ADA.when, "Judge", "given to"):
            assert words in text, (size, wide, words)


def test_each_certificate_has_a_page_and_the_time_changes_the_date_alone() -> None:
    several = [ADA, Certificate("Bo", "Wooden spoon", "", "Iron Open", "")]
    assert [page.split("\n")[3] for page in pages(*several)] == ["Ada Lovelace", "Bo"]
    first, later = (certificates(several, "A4", PRINTED_AT + timedelta(hours=hours)) for hours in (0, 1))
    assert len([1 for a, b in zip(first, later, strict=True) if a != b]) < 80, "dates and fingerprint"
    with pytest.raises(ValueError, match="no certificate"):
        certificates([], "A4", PRINTED_AT)


def test_longest_name_is_complete() -> None:
    long = "Bartholomew Maximilian von und zu Hohenstaufen the Third & Annamaria II"
    for name, wide in product(("W" * 60, long, "X"), (True, False)):
        (text,) = pages(replace(ADA, name=name, title=name), wide=wide)
        assert text.replace("-\n", "").replace(" ", "").replace("\n", "").count(name.replace(" ", "")) == 2, name


def test_large_words_are_in_the_display_face() -> None:
    (page,) = PdfReader(BytesIO(certificates([ADA], "A4", PRINTED_AT))).pages
    named = [str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]
    assert any("Playfair" in name for name in named) and any("Roboto" in name for name in named)
