"""Certificates: a page each, any script and length, the same bytes for the same words."""

from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from pypdf import PdfReader

from pdf.certificate import NAME, TITLE, Certificate, _fitted, certificates
from pdf.page import PageSize

NOW = datetime(2026, 12, 5, 18, 0, tzinfo=UTC)
ADA = Certificate(
    "Ada Lovelace", "Champion", "Survivors · rank 1 of 8", "Iron Open", "Town Hall · 5 December 2026", ("Judge",)
)


def pages(*given: Certificate, size: PageSize = "A4", wide: bool = True) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(certificates(given, size, NOW, wide=wide))).pages]


@pytest.mark.parametrize(("size", "wide", "shape"), [
    ("A4", True, (841.9, 595.3)), ("A4", False, (595.3, 841.9)),
    ("Letter", True, (792, 612)), ("Letter", False, (612, 792)),
])  # fmt: skip
def test_everything_stands_on_the_paper_that_was_asked_for(
    size: PageSize, wide: bool, shape: tuple[float, float]
) -> None:
    read = PdfReader(BytesIO(certificates([ADA], size, NOW, wide=wide)))
    (page,) = read.pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(shape, abs=0.1)
    text = page.extract_text()
    for words in ("CERTIFICATE", ADA.name, ADA.title, ADA.line, ADA.event, ADA.when, "Judge", "given to"):
        assert words in text
    assert read.metadata is not None
    assert read.metadata.title == "Certificate · Iron Open"


def test_each_has_a_page_and_the_hour_of_printing_changes_no_byte() -> None:
    several = [ADA, Certificate("Bo", "Wooden spoon", "", "Iron Open", "")]
    assert [page.split("\n")[3] for page in pages(*several)] == ["Ada Lovelace", "Bo"]
    assert certificates(several, "A4", NOW) == certificates(several, "A4", NOW + timedelta(hours=1))
    with pytest.raises(ValueError, match="no certificate"):
        certificates([], "A4", NOW)


@pytest.mark.parametrize(
    "name", ["李小龙王大明欧阳修诸葛亮", "שלום כהן", "Zoë Ångström-Łukasiewicz", "<b>{{7*7}}</b>", "🤖" * 80]
)
def test_any_script_and_markup_is_only_a_name(name: str) -> None:
    (text,) = pages(Certificate(name, name, name, name, name, (name,)))
    if name.isascii() or name.startswith("Z"):
        assert name in text


@pytest.mark.parametrize(
    "text", ["W" * 80, "Bartholomew Maximilian von und zu Hohenstaufen the Third & Annamaria II", "X"]
)
@pytest.mark.parametrize("room", [430.0, 640.0])
def test_a_name_of_the_greatest_length_stands_whole(text: str, room: float) -> None:
    for band in (NAME, TITLE):
        fitted = _fitted(text, band, room, (band.bottom - band.top) * 550)
        assert not fitted.cut
        assert "".join(fitted.lines).replace(" ", "") == text.replace(" ", "")
        assert fitted.size >= band.least


def test_what_no_size_holds_is_visibly_cut() -> None:
    assert _fitted("W" * 2000, NAME, 430.0, 100.0).lines[-1].endswith("…")
