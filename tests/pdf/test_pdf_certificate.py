"""Certificates: a page each, any script and length, the same bytes for the same words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import product

import pytest
from pypdf import PdfReader

from pdf.page import PageSize
from pdf.signs import Certificate, certificates

NOW = datetime(2026, 12, 5, 18, 0, tzinfo=UTC)
ADA = Certificate(
    "Ada Lovelace", "Champion", "Survivors · rank 1 of 8", "Iron Open", "Town Hall · 5 December 2026", ("Judge",)
)


def pages(*given: Certificate, size: PageSize = "A4", wide: bool = True) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(certificates(given, size, NOW, wide=wide))).pages]


def test_certificate_has_every_text_on_the_chosen_paper() -> None:
    a4, letter = (595.3, 841.9), (612, 792)
    papers: tuple[tuple[PageSize, bool, tuple[float, float]], ...] = (
        ("A4", True, a4[::-1]), ("A4", False, a4), ("Letter", True, letter[::-1]),
    )  # fmt: skip
    for size, wide, shape in papers:
        read = PdfReader(BytesIO(certificates([ADA], size, NOW, wide=wide)))
        (page,) = read.pages
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(shape, abs=0.1)
        text = page.extract_text()
        for words in ("Certificate", ADA.name, ADA.title, ADA.line, ADA.event, ADA.when, "Judge", "given to"):
            assert words in text, (size, wide, words)


def test_each_certificate_has_a_page_and_the_time_changes_the_date_alone() -> None:
    several = [ADA, Certificate("Bo", "Wooden spoon", "", "Iron Open", "")]
    assert [page.split("\n")[3] for page in pages(*several)] == ["Ada Lovelace", "Bo"]
    first, later = (certificates(several, "A4", NOW + timedelta(hours=hours)) for hours in (0, 1))
    assert len([1 for a, b in zip(first, later, strict=True) if a != b]) < 80, "dates and fingerprint"
    with pytest.raises(ValueError, match="no certificate"):
        certificates([], "A4", NOW)


def test_longest_name_is_complete() -> None:
    long = "Bartholomew Maximilian von und zu Hohenstaufen the Third & Annamaria II"
    for name, wide in product(("W" * 60, long, "X"), (True, False)):
        (text,) = pages(replace(ADA, name=name, title=name), wide=wide)
        assert text.replace("-\n", "").replace(" ", "").replace("\n", "").count(name.replace(" ", "")) == 2, name


def test_large_words_are_in_the_display_face() -> None:
    (page,) = PdfReader(BytesIO(certificates([ADA], "A4", NOW))).pages
    named = [str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]
    assert any("Playfair" in name for name in named) and any("Roboto" in name for name in named)
