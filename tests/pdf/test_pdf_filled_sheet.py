"""Scoresheets after the game and for spare tables: figures stand in their boxes, what is unknown is left to write."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal

import pytest
import zxingcpp
from PIL import Image, ImageChops

from pdf.page import PageSize
from pdf.score_grids import MarkerGrid, VpGrid
from pdf.scoresheet import Each, scoresheets
from pdf.sheet_data import Scoresheet, SheetPlayer, SheetResult, SideResult

Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]
TOLD = ("Zofia 11 VP, Miles 5 VP: Zofia has won.", "Confirmed Fri 20 Nov, 15:31 by Miles O'Hara.")
RESULT = SheetResult(
    SideResult((None, 3, 2, 1, 2, 1), "Smashers", 2, 11), SideResult((None, 1, 1, 2, 0, 1), "", 0, 5), "a", TOLD
)
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("Letter", 2), ("A5", 1))
places = pytest.mark.parametrize(("size", "each"), PLACES)


@pytest.mark.slow
@places
def test_the_reported_figures_stand_in_their_boxes(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture, size: PageSize, each: Each
) -> None:
    def page(result: SheetResult) -> bytes:
        return scoresheets([replace(extract_sheet, url="", code="", result=result)], size, printed_at, each)

    (text,) = page_texts(page(RESULT))
    for words in (*TOLD, "of 5 completed", "The game lasts 6 rounds", "Filled in from what was reported"):
        assert words in text
    assert not [words for words in ("Report the result", "A agrees", "Time ended", "Setting up") if words in text]
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
            assert box is not None
            boxes.append((side, box[0], box[1]))
    for side in ("a", "b"):
        assert [x for s, x, _ in boxes if s == side] == sorted(x for s, x, _ in boxes if s == side)
    assert max(y for s, _, y in boxes if s == "a") < min(y for s, _, y in boxes if s == "b")


@pytest.mark.slow
@places
@pytest.mark.parametrize(("winner", "ended"), [("a", ""), ("b", "a"), ("draw", "time"), ("", "")])
def test_the_winner_and_the_ending_are_crossed(
    extract_sheet: Scoresheet, printed_at: datetime, picture: Picture, size: PageSize, each: Each,
    winner: Literal["a", "b", "draw", ""], ended: Literal["a", "b", "time", ""],
) -> None:  # fmt: skip
    def page(won: Literal["a", "b", "draw", ""], how: Literal["a", "b", "time", ""]) -> Image.Image:
        result = replace(RESULT, winner=won, ended=how)
        return picture(scoresheets([replace(extract_sheet, result=result)], size, printed_at, each), 0, 2.0)

    nobody = page("", "")
    box = ImageChops.difference(nobody, page(winner, ended)).getbbox()
    assert (box is None) == (not winner and not ended)
    where = {"a": 0.1, "b": 0.3, "draw": 0.55}
    if winner and not ended and box:
        assert box[0] / nobody.width == pytest.approx(where[winner], abs=0.1)


def test_a_long_reason_is_whole_on_a_page_and_told_elsewhere_on_half_of_one(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    reason = " ".join(f"Word{n}" for n in range(140))
    sheet = replace(extract_sheet, result=replace(RESULT, told=(TOLD[0], f"Decided by a judge: {reason}", TOLD[1])))
    (whole,) = page_texts(scoresheets([sheet], "A4", printed_at))
    assert all(f"Word{n}" in whole for n in range(140)) and TOLD[1] in whole
    (half,) = page_texts(scoresheets([sheet], "Letter", printed_at, 2))
    assert TOLD[0] in half
    assert "Word139" in half or "… All of it is on the game’s page." in half


@pytest.mark.slow
@places
def test_a_blank_sheet_has_lines_and_no_code(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture, size: PageSize, each: Each
) -> None:
    blank = replace(extract_sheet, table=None, a=SheetPlayer(""), b=SheetPlayer(""), url="", code="", address="")
    nothing = replace(
        blank, scenario="", setup=(), scoring=(), table_map=None, grid=VpGrid((None,) * 6, (None,) * 6),
        objectives=MarkerGrid((), 0),
    )  # fmt: skip
    for sheet, scenario in ((blank, True), (nothing, False)):
        document = scoresheets([sheet] * 2, size, printed_at, each)
        text = " ".join(page_texts(document))
        assert text.count("Name") == text.count("Faction, force total") == 4
        assert ("Extract the Information" in text) == scenario == ("Black 12″" in text)
        assert "Blank sheet" in text and "Report the result" not in text and "None" not in text
        assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == []


def test_columns_without_heads_are_left_to_be_named(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    grid = VpGrid((None,) * 4, (None,) * 4, heads=("",) * 4)
    (text,) = page_texts(scoresheets([replace(extract_sheet, grid=grid)], "A4", printed_at))
    assert "What is reported" in text and "Sum" not in text
