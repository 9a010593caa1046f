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

Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]
SENTENCES = ("Zofia 11 VP, Miles 5 VP: Zofia has won.", "Confirmed Fri 20 Nov, 15:31 by Miles O'Hara.")
RESULT = SheetResult(
    SideResult((None, 3, 2, 1, 2, 1), "Smashers", 2, 11), SideResult((None, 1, 1, 2, 0, 1), "", 0, 5), "a", SENTENCES
)
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("Letter", 2), ("A5", 1))


@pytest.mark.slow
def test_reported_figures_are_in_their_boxes(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture
) -> None:
    for size, each in PLACES:

        def page(result: SheetResult, size: PageSize = size, each: Each = each) -> bytes:
            return scoresheets([replace(extract_sheet, url="", code="", result=result)], size, printed_at, each)

        (text,) = page_texts(page(RESULT))
        for words in (*SENTENCES, " of 5", "Filled in from what was reported"):
            assert words in text, (size, each)
        assert (size, each) != ("A4", 1) or "The game lasts 6 rounds" in text
        assert not [
            words for words in ("Report the result", "A agrees", "Time ended", "Setting up") if words in text
        ], (size, each)
        # Each figure moves ink in one place, and the places are those of the grid: from left to right, A above B.
        plain = picture(page(RESULT), 0, 3.0)
        boxes = []
        for n in range(1, 6):
            for side in ("a", "b"):
                was: SideResult = getattr(RESULT, side)
                # An 8 for whatever stood there, and the sum as it was: one figure up, another not shown.
                figures = tuple(8 if i == n else figure for i, figure in enumerate(was.figures))
                changed = replace(RESULT, a=replace(was, figures=figures)) if side == "a" else RESULT
                changed = replace(changed, b=replace(was, figures=figures)) if side == "b" else changed
                box = ImageChops.difference(plain, picture(page(changed), 0, 3.0)).getbbox()
                assert box is not None, (size, each)
                boxes.append((side, box[0], box[1]))
        for side in ("a", "b"):
            assert [x for s, x, _ in boxes if s == side] == sorted(x for s, x, _ in boxes if s == side), (size, each)
        assert max(y for s, _, y in boxes if s == "a") < min(y for s, _, y in boxes if s == "b"), (size, each)


@pytest.mark.slow
def test_winner_and_ending_are_crossed(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    winners: tuple[Literal["a", "b", "draw"], ...] = ("a", "b", "draw")
    endings: tuple[Literal["a", "b", "time"], ...] = ("a", "b", "time")
    for size, each in PLACES:

        def page(won: Literal["a", "b", "draw", ""], how: Literal["a", "b", "time", ""]) -> Image.Image:
            result = replace(RESULT, winner=won, ended=how)
            document = scoresheets([replace(extract_sheet, result=result)], size, printed_at, each)  # noqa: B023
            return picture(document, 0, 2.0)

        nobody = page("", "")
        assert ImageChops.difference(nobody, page("", "")).getbbox() is None
        lefts = []
        for winner in winners:
            box = ImageChops.difference(nobody, page(winner, "")).getbbox()
            assert box is not None, (size, each, winner)
            lefts.append(box[0] / nobody.width)
        assert lefts == sorted(set(lefts)) and lefts[0] == pytest.approx(0.1, abs=0.1), (size, each)
        for ended in endings:
            assert ImageChops.difference(nobody, page("", ended)).getbbox() is not None, (size, each, ended)


def test_long_reason_is_complete_on_a_page_and_referred_to_on_a_half(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    reason = " ".join(f"Word{n}" for n in range(140))
    sheet = replace(
        extract_sheet, result=replace(RESULT, sentences=(SENTENCES[0], f"Decided by a judge: {reason}", SENTENCES[1]))
    )
    (whole,) = page_texts(scoresheets([sheet], "A4", printed_at))
    assert all(f"Word{n}" in whole for n in range(140)) and SENTENCES[1] in whole
    (half,) = page_texts(scoresheets([sheet], "Letter", printed_at, 2))
    assert SENTENCES[0] in half
    assert "Word139" in half or "… All of it is on the game’s page." in half


@pytest.mark.slow
def test_blank_sheet_has_lines_and_no_qr_code(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture
) -> None:
    for size, each in PLACES:
        asked = SheetPlayer("", "Faction")
        blank = replace(extract_sheet, table=None, a=asked, b=asked, url="", code="", address="")
        nothing = replace(
            blank, scenario="", setup=(), scoring=(), table_map=None, grid=VpGrid((None,) * 6, (None,) * 6),
            objectives=MarkerGrid((), 0),
        )  # fmt: skip
        for sheet, scenario in ((blank, True), (nothing, False)):
            document = scoresheets([sheet] * 2, size, printed_at, each)
            text = " ".join(page_texts(document))
            assert text.count("Name Faction Total") == 4, (size, each)
            assert ("Extract the Information" in text) == scenario == ("Black 12″" in text), (size, each)
            assert "Blank sheet" in text and "Report the result" not in text and "None" not in text, (size, each)
            assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == [], (size, each)


def test_form_is_filled_in(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    rows = (
        FormRow("End", worth=(0, 10), choices=("Stood", "Routed")),
        FormRow("Models lost", worth=(3,)),
        FormRow("", most=1),
    )
    result = replace(RESULT, a=SideResult((14, 1), "Routed", None, 51), b=SideResult((17, 0), "Stood", None, 52))
    for to_enemy in (False, True):
        sheet = replace(extract_sheet, form=ScoreForm(rows, rows, to_enemy=to_enemy), result=result)
        (text,) = page_texts(scoresheets([sheet], "A4", printed_at))
        words = text.split()
        assert all(figure in words for figure in ("14", "42", "17", "51", "52")), text
        assert words.count("51") == 3, "17 times 3, a total, and the score"
        words = words[words.index("Models") :]
        assert (words.index("52") < words.index("17")) == to_enemy, "VP are the enemy's"
