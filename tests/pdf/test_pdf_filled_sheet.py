"""Scoresheets after the game and for spare tables: figures stand in their boxes, what is unknown is left to write."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal

import pytest
import zxingcpp
from PIL import Image, ImageChops

from pdf.page import PageSize
from pdf.scoresheet import Each, scoresheets
from pdf.sheet_data import FormRow, MarkerGrid, ScoreForm, Scoresheet, SheetPlayer, SheetResult, SideResult, VpGrid
from tests.pdf.conftest import places

Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]
SENTENCES = ("Zofia 11 VP, Miles 5 VP: Zofia has won.", "Confirmed Fri 20 Nov, 15:31 by Miles O'Hara.")
RESULT = SheetResult(
    SideResult((None, 3, 2, 1, 2, 1), "Smashers", 2, 11), SideResult((None, 1, 1, 2, 0, 1), "", 0, 5), "a", SENTENCES
)
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("Letter", 2), ("A5", 1))


def test_reported_figures_are_in_their_boxes(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    a = SideResult((None, 811, 812, 813, 814, 815), "Smashers", 2, 817)
    b = SideResult((None, 821, 822, 823, 824, 825), "", 0, 827)
    sheet = replace(extract_sheet, url="", code="", result=replace(RESULT, a=a, b=b))
    for size, each in PLACES:
        document = scoresheets([sheet], size, printed_at, each)
        (text,) = page_texts(document)
        for words in (*SENTENCES, " of 5", "Filled in from what was reported", "817 : 827"):
            assert words in text, (size, each)
        assert (size, each) != ("A4", 1) or "The game lasts 6 rounds" in text
        unwanted = ("Report the result", "A agrees", "Time ended", "Setting up")
        assert not [words for words in unwanted if words in text], (size, each)
        rows = [[str(figure) for figure in side.figures if figure] for side in (a, b)]
        spots = places(document, 0, *rows[0], *rows[1], "4065", "4115", "2 of 5", "0 of 5")
        (upper, lower), sums, markers = (spots[:5], spots[5:10]), spots[10:12], spots[12:]
        for row in (upper, lower):
            across = [x for ((x, _),) in row]
            assert across == sorted(across), "from left to right"
            assert len({round(y) for ((_, y),) in row}) == 1
        assert all(x < markers[n][0][0] and y < lower[0][0][1] for n, ((x, y),) in enumerate(sums)), (size, each)
        assert upper[0][0][1] > lower[0][0][1] + 20, "A above B"
        assert markers[0][0][0] < markers[1][0][0] and markers[0][0][1] < lower[0][0][1], (size, each)


@pytest.mark.slow
def test_winner_ending_and_choice_are_crossed(
    extract_sheet: Scoresheet, printed_at: datetime, picture: Picture
) -> None:
    winners: tuple[Literal["a", "b", "draw"], ...] = ("a", "b", "draw")
    endings: tuple[Literal["a", "b", "time"], ...] = ("a", "b", "time")
    nothing = replace(RESULT, a=replace(RESULT.a, choice=""), winner="")
    for size, each in PLACES:

        def lefts(changed: list[SheetResult], size: PageSize = size, each: Each = each) -> list[float]:
            """Where each differs from a game that nothing is known of."""
            pages = [
                picture(scoresheets([replace(extract_sheet, result=one)], size, printed_at, each), 0, 2.0)
                for one in (nothing, *changed)
            ]
            assert all(sum(page.tobytes()) <= sum(pages[0].tobytes()) for page in pages), "a cross takes ink"
            boxes = [ImageChops.difference(pages[0], page).getbbox() for page in pages[1:]]
            return [box[0] / pages[0].width for box in boxes if box]

        won = lefts([replace(nothing, winner=winner) for winner in winners])
        assert won == sorted(set(won)) and len(won) == 3 and won[0] == pytest.approx(0.1, abs=0.1), (size, each)
        ended = lefts([replace(nothing, ended=ending) for ending in endings])
        assert ended == sorted(set(ended)) and len(ended) == 3, (size, each)
        chosen = lefts([replace(nothing, a=replace(RESULT.a, choice=one)) for one in ("Hackers", "Smashers", "x")])
        assert len(chosen) == 2, (size, each)


def test_long_reason_is_complete_on_a_page_and_referred_to_on_a_half(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    reason = " ".join(f"Word{n}" for n in range(140))
    sentences = (SENTENCES[0], f"Decided by a judge: {reason}", SENTENCES[1])
    sheet = replace(extract_sheet, result=replace(RESULT, sentences=sentences))
    (whole,) = page_texts(scoresheets([sheet], "A4", printed_at))
    assert all(f"Word{n}" in whole for n in range(140)) and SENTENCES[1] in whole
    (half,) = page_texts(scoresheets([sheet], "Letter", printed_at, 2))
    assert SENTENCES[0] in half
    assert "Word139" in half or "… All of it is on the game’s page." in half


@pytest.mark.slow
def test_blank_sheet_has_lines_and_no_qr_code(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture
) -> None:
    asked = SheetPlayer("", "Faction", "Club", leader="Leader")
    blank = replace(extract_sheet, table=None, a=asked, b=replace(asked, name=" "), url="", code="", address="")
    nothing = replace(
        blank, scenario="", setup=(), scoring=(), table_map=None, grid=VpGrid((None,) * 6, (None,) * 6),
        objectives=MarkerGrid((), 0),
    )  # fmt: skip
    for size, each in PLACES:
        whole = (size, each) == ("A4", 1)
        for sheet, scenario in ((blank, True), (nothing, False)):
            document = scoresheets([sheet] * 2, size, printed_at, each)
            text = " ".join(page_texts(document))
            assert text.count("Name Faction Total Leader Club" if whole else "Name Faction Total") == 4, (size, each)
            assert ("Extract the Information" in text) == scenario == ("Black 12″" in text), (size, each)
            assert "Blank sheet" in text and "Report the result" not in text and "None" not in text, (size, each)
            assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == [], (size, each)


def test_form_is_filled_in(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    rows = (
        FormRow("End", worth=(0, 10), choices=("Stood", "Routed")), FormRow("Models lost", worth=(3,)),
        FormRow("", most=1), FormRow("Rolled", choices=tuple(f"Tale {n}" for n in range(9))),
    )  # fmt: skip
    result = replace(RESULT, a=SideResult((14, 1), "Routed", None, 51), b=SideResult((17, 0), "Stood", None, 52))
    for to_enemy in (False, True):
        sheet = replace(extract_sheet, form=ScoreForm(rows, rows, to_enemy=to_enemy), result=result)
        document = scoresheets([sheet], "A4", printed_at)
        words = page_texts(document)[0].split()
        assert [figure for figure in ("14", "42", "17") if figure not in words] == []
        assert (words.count("Routed"), words.count("Stood")) == (1, 3), "of many choices one is written"
        a, b = places(document, 0, "51", "52")
        assert (len(a), len(b)) == (3, 2), "17 times 3, a total, and the score"
        lowest = [min(at, key=lambda one: one[1]) for at in (a, b)]
        assert lowest[0][0] < lowest[1][0] and lowest[0][1] == lowest[1][1], "A : B, whoever the VP are taken from"
    summed = ScoreForm(rows, rows, sums=("Left", "Killed"))
    sheet = replace(extract_sheet, form=summed, result=replace(result, a=replace(result.a, parts=(77, 78))))
    (left,), (killed,), ((total, _), *_) = places(scoresheets([sheet], "A4", printed_at), 0, "77", "78", "51")[:3]
    assert left[0] < killed[0] and left[1] == killed[1] and total, "what the total is the sum of"
