"""The scoresheet read back: its words, its boxes as pixels, its code as a phone sees it."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from itertools import product
from threading import Barrier

import pytest
import segno
import zxingcpp
from PIL import Image, ImageChops
from pypdf import PdfReader
from reportlab.lib.units import mm

from pdf.fonts import draw_text
from pdf.page import SIZES, PageSize, Paper, finish, frame_of, new_paper, next_page
from pdf.score_boxes import WHOLE
from pdf.scoresheet import PLAYERS, scoresheets
from pdf.sheet_data import FormRow, ScoreForm, Scoresheet, SheetPlayer, VpGrid
from pdf.sheet_head import FULL
from pdf.table_map import MapMarker, MapMeasure, TableMap

SIZES_TO_PRINT: tuple[PageSize, ...] = ("A4", "Letter")
Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]


def mean(image: Image.Image) -> float:
    pixels = image.tobytes()
    return sum(pixels) / len(pixels)


def test_scoresheet_has_everything_that_the_table_needs(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    for size in SIZES_TO_PRINT:
        document = scoresheets([extract_sheet, replace(extract_sheet, table=8)], size, printed_at)
        texts = page_texts(document)
        assert len(texts) == 2, size
        for wanted in (
            "TABLE", "Autumn Wasteland Open", "Round 2 · 90 minutes", "Zofia Wiśniewska",
            "Brotherhood of Steel · Vault 13 Kraków", "748", "Caps", "Leader: Super Mutant Brute",
            "Extract the Information", "Three searchable markers with the computer side up stand on the centre line.",
            "A deploys within Red (6″)", "Black 12″", "Black + Red 18″",
            "Both players together: at most 3 VP a round", "Hackers", "Smashers", "Passing Wastelander", "Total VP",
            "Judge, if called", "7K3 QX2", "at desk.example.org/g", "Printed 2026-11-20 14:05 CET", "Page 1 of 2",
        ):  # fmt: skip
            assert wanted in texts[0], wanted
        assert "Page 2 of 2" in texts[1], size
        pages = PdfReader(io.BytesIO(document)).pages
        assert all(
            (float(p.mediabox.width), float(p.mediabox.height)) == pytest.approx(SIZES[size], abs=0.01) for p in pages
        )


def test_cells_that_cannot_score_are_hatched(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    for size in SIZES_TO_PRINT:
        scale, free = 4.0, (0, 3, 3, 3, 3, 3)

        def page(most_a: tuple[int | None, ...], size: PageSize = size) -> Image.Image:
            grid = VpGrid(most_a, (0, 3, 3, 3, 3, 3))
            return picture(scoresheets([replace(extract_sheet, grid=grid)], size, printed_at), scale=4.0)

        plain, cell = page(free), (frame_of(*SIZES[size]).width - WHOLE.first - WHOLE.last) / 6
        lefts = []
        for n in range(1, 6):
            hatched = page((*free[:n], 0, *free[n + 1 :]))
            box = ImageChops.difference(plain, hatched).getbbox()
            assert box is not None and box[2] - box[0] == pytest.approx(cell * scale, abs=6), "a cell, and nothing else"
            inside = hatched.crop((box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6))
            assert mean(inside) < 215, n
            assert max(inside.tobytes()) - min(inside.tobytes()) > 60, (
                "the grey carries lines, for printers without tints"
            )
            lefts.append(box[0])
        assert lefts == sorted(lefts), size
        assert plain.tobytes() == page((0, 3, 3, 3, 3, 3)).tobytes() != page((0, 3, None, 3, 3, 3)).tobytes()


@pytest.mark.slow
def test_qr_codes_lead_to_their_own_games(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    for size, scale in product(SIZES_TO_PRINT, (150 / 72, 4.0)):
        urls = [f"https://desk.example.org/g/{code}" for code in ("7K3QX2", "AAAAAA", "0O1I5S")]
        long = "https://a-rather-long-host-name-of-a-club.example.org:8443/sub/path/g/ABCDEFGHJK"
        document = scoresheets([replace(extract_sheet, url=url) for url in (*urls, long)], size, printed_at)
        for page, url in enumerate((*urls, long)):
            found = zxingcpp.read_barcodes(picture(document, page, scale))
            assert [code.text for code in found] == [url], (size, scale)


def test_qr_code_is_drawn_module_by_module(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    matrix = segno.make(extract_sheet.url, error="m", micro=False, boost_error=False).matrix
    page = picture(scoresheets([extract_sheet], "A4", printed_at), scale=4.0)
    frame, module = frame_of(*SIZES["A4"]), FULL.qr / len(matrix)
    for row, modules in enumerate(matrix):
        for column, dark in enumerate(modules):
            x = frame.right - FULL.qr + (column + 0.5) * module
            y = SIZES["A4"][1] - frame.top + (row + 0.5) * module
            assert (page.getpixel((int(x * 4), int(y * 4))) == 0) == bool(dark), (row, column)


def test_same_data_makes_the_same_bytes_in_any_thread(extract_sheet: Scoresheet, printed_at: datetime) -> None:
    sheets = [replace(extract_sheet, table=n, a=SheetPlayer("山田太郎 مريم Юлия")) for n in (1, 2)]
    once = scoresheets(sheets, "A4", printed_at)
    assert scoresheets(sheets, "A4", printed_at) == once
    assert scoresheets(sheets[:1], "A4", printed_at) != once
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: scoresheets(sheets, "A4", printed_at), range(8))) == {once}


def test_documents_that_end_at_the_same_moment_have_their_own_letters(printed_at: datetime) -> None:
    papers = []
    for _ in range(8):
        paper = new_paper("A4", title="Letters", event="Iron Open", printed_at=printed_at)
        for line, first in enumerate(range(0xC0, 0x4E0, 32)):
            draw_text(paper.canvas, 40, 40 + 20 * line, "".join(map(chr, range(first, first + 32))), 9)
        next_page(paper)
        papers.append(paper)
    usual, together = sys.getswitchinterval(), Barrier(len(papers))

    def ended(paper: Paper) -> bytes:
        together.wait(60)
        return finish(paper)

    sys.setswitchinterval(1e-6)  # threads take turns in the middle of a font
    try:
        with ThreadPoolExecutor(len(papers)) as pool:
            assert len(set(pool.map(ended, papers))) == 1
    finally:
        sys.setswitchinterval(usual)


@pytest.mark.slow
def test_same_data_makes_the_same_bytes_in_any_process() -> None:
    program = """
import datetime, hashlib
from pdf.wall import PairedPlayer, PairingRow, RoundPairings, pairings_by_name
rows = tuple(PairingRow(i, PairedPlayer(f"Юлия {i}"), PairedPlayer("مريم")) for i in range(60))
now = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
print(hashlib.sha256(pairings_by_name(RoundPairings("Ω 山田", 1, rows), "A4", now)).hexdigest())
"""
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True,
            check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(digests) == 1 and len(digests.pop().strip()) == 64


def test_nothing_leaves_its_box(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    for size in SIZES_TO_PRINT:
        long = ("Bartholomew-" * 20)[:200]
        player = SheetPlayer(long, long, long, 123456789, long)
        sheet = replace(
            extract_sheet, event=long, table=1234567890, a=player,
            b=replace(player, name="山田太郎" * 50, club="김민수" * 60, leader="Юлия " * 40), scenario=long,
            setup=(long,) * 12, scoring=("word " * 40,) * 12, unit=long,
            grid=VpGrid((1,) * 6, (1,) * 6, long, (long, long)),
            objectives=replace(extract_sheet.objectives, kinds=(long,) * 6, note=long), code=long[:30], address=long,
        )  # fmt: skip
        scale = 2.0
        page = picture(scoresheets([sheet], size, printed_at), scale=scale)
        width, height = page.size
        margin = int(10 * mm * scale)
        for edge in (
            (0, 0, margin, height), (width - margin, 0, width, height), (0, 0, width, margin),
            (0, height - margin, width, height),
        ):  # fmt: skip
            assert page.crop(edge).getextrema() == (255, 255), "a club's printer would cut this off"
        # The white between the two players' boxes.
        frame = frame_of(*SIZES[size])
        middle = (frame.left + frame.right) / 2
        top = SIZES[size][1] - frame.top + 82 + 9
        strip = page.crop(
            (
                round((middle - 4) * scale),
                round(top * scale),
                round((middle + 4) * scale),
                round((top + PLAYERS) * scale),
            )
        )
        assert strip.getextrema() == (255, 255), size


def test_long_names_are_cut_visibly(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    sheet = replace(extract_sheet, a=SheetPlayer("Bartholomew " * 30))
    text = page_texts(scoresheets([sheet], "A4", printed_at))[0]
    assert "Bartholomew Bartholomew Bartholomew" in text
    assert text.count("…") == 4  # in the box, on the map, in the grid, next to "Winner"


def test_long_scenario_is_cut_visibly(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    assert "…" not in page_texts(scoresheets([extract_sheet], "Letter", printed_at))[0]
    sheet = replace(extract_sheet, setup=("The same again. " * 12,) * 20)
    assert page_texts(scoresheets([sheet], "Letter", printed_at))[0].count("…") == 1


def test_the_map_is_to_scale(printed_at: datetime, extract_sheet: Scoresheet, picture: Picture) -> None:
    def page(x: float, y: float, owner: str) -> Image.Image:
        table = TableMap(36, 6, (MapMarker(x, y, "", "a" if owner == "a" else "b"), MapMarker(18, 18)))
        return picture(scoresheets([replace(extract_sheet, table_map=table)], "A4", printed_at), scale=4.0)

    # The same marker black and white differs only where it stands: its box is measured, not computed.
    centres = {}
    for x, y in ((6, 12), (30, 12), (6, 24)):
        box = ImageChops.difference(page(x, y, "a"), page(x, y, "b")).getbbox()
        assert box is not None
        assert box[2] - box[0] == pytest.approx(box[3] - box[1], abs=6)
        centres[x, y] = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    across = (centres[30, 12][0] - centres[6, 12][0]) / 24
    up = (centres[6, 12][1] - centres[6, 24][1]) / 12
    assert across == pytest.approx(up, rel=0.01)
    assert across > 4.0 * 4.5, "an inch of the table takes at least 4.5 points"


@pytest.mark.slow
def test_rulers_are_drawn_in_their_colours(
    printed_at: datetime, extract_sheet: Scoresheet, page_texts: Texts, coloured: Callable[[bytes], Image.Image]
) -> None:
    def pixels(colour: str, sheet: Scoresheet) -> int:
        drawn = coloured(scoresheets([sheet], "A4", printed_at))
        wanted = tuple(bytes.fromhex(colour))
        return sum(count for count, found in drawn.getcolors(1 << 24) or () if found == wanted)

    laid = MapMeasure(0, 10, 0, "Blue 10″", ((0, 10, "#0D9FE3"),))
    assert extract_sheet.table_map
    plain = replace(extract_sheet.table_map, across=(), up=(), depth_colour="")
    blue = replace(extract_sheet, table_map=replace(plain, across=(laid,)))
    assert pixels("0D9FE3", replace(extract_sheet, table_map=plain)) == 0
    one = pixels("0D9FE3", blue)
    two = pixels("0D9FE3", replace(extract_sheet, table_map=replace(plain, across=(laid,), up=(laid,))))
    assert one > 500
    assert two == pytest.approx(2 * one, rel=0.1), "upright as long as across"
    assert pixels("E6332B", extract_sheet) > pixels("E6332B", blue) == 0, "the strip's edge and a piece of a ruler"
    assert "Blue 10″" in page_texts(scoresheets([blue], "A4", printed_at))[0]


def test_round_without_tables_makes_one_page(printed_at: datetime, page_texts: Texts) -> None:
    texts = page_texts(scoresheets([], "Letter", printed_at))
    assert len(texts) == 1 and "No table plays in this round." in texts[0] and "Page 1 of 1" in texts[0]


def test_spare_sheet_has_lines_to_write_on(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts, picture: Picture
) -> None:
    spare = replace(
        extract_sheet,
        a=SheetPlayer("", "Origin", "Club"),
        b=SheetPlayer(" ", "Origin", leader="Leader"),
        url="",
        code="",
    )
    document = scoresheets([spare], "A4", printed_at)
    text = page_texts(document)[0]
    assert (
        "Player A" in text
        and "Name Club Origin Total" in text
        and "Name Origin Leader Total" in text
        and "Report the result" not in text
    )
    assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == []


@pytest.mark.slow
def test_300_sheets(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    document = scoresheets([replace(extract_sheet, table=n) for n in range(1, 301)], "A4", printed_at)
    pages = PdfReader(io.BytesIO(document)).pages
    assert len(pages) == 300
    assert "Page 300 of 300" in pages[299].extract_text()
    assert len(document) < 3_000_000


def test_time_without_a_zone_is_refused(extract_sheet: Scoresheet) -> None:
    with pytest.raises(ValueError, match="time zone"):
        scoresheets([extract_sheet], "A4", datetime(2026, 1, 1))  # noqa: DTZ001


def test_figures_stand_in_a_form_with_the_sums_that_a_pencil_needs(
    extract_sheet: Scoresheet, page_texts: Callable[[bytes], list[str]], printed_at: datetime
) -> None:
    rows = (
        FormRow("The force at the end", worth=(0, 10), choices=("Stood", "Routed")),
        FormRow("Models lost", worth=(1,)), FormRow("Of them leaders", worth=(2,)), FormRow("Left first", most=1),
    )  # fmt: skip
    form = ScoreForm(rows, rows, "a rout decides", to_enemy=True)
    sheet = replace(extract_sheet, form=form)
    (text,) = page_texts(scoresheets([sheet], "A4", printed_at))
    wanted = (
        "Report these", "a rout decides", "Stood", "Routed: 10 VP", "Models lost", "× 1 VP =", "× 2 VP =", "Left first",
        "VP for player A", "VP for player B",
    )  # fmt: skip
    assert [words for words in wanted if words not in text] == []
    assert "Victory points in each game round" not in text and "Locked Safe" not in text
    (half,) = page_texts(scoresheets([sheet], "A5", printed_at))
    assert "leaders, 2 VP each" in half and "× 2 VP =" not in half, "half a sheet has no room for every product"
    summed = replace(form, to_enemy=False, sums=("Own points left", "Enemy points killed"))
    (text,) = page_texts(scoresheets([replace(sheet, form=summed)], "A4", printed_at))
    assert text.count("Own points left") == text.count("Enemy points killed") == text.count("Total VP") == 2
    with pytest.raises(ValueError, match="same number"):
        VpGrid((1, 2), (1,))


def test_report_of_totals_or_of_the_outcome_has_its_own_boxes(
    extract_sheet: Scoresheet, page_texts: Callable[[bytes], list[str]], printed_at: datetime
) -> None:
    for total in (True, False):
        sheet = replace(extract_sheet, form=ScoreForm((), (), total=total))
        for size in ("A4", "A5"):
            (text,) = page_texts(scoresheets([sheet], size, printed_at))
            assert ("Report these" in text, text.count("Total VP")) == (total, 2 * total), size
            assert "Game round" not in text and "Winner" in text and "Ended early" in text, size


def test_few_choices_are_ticked_and_of_many_one_is_written(
    extract_sheet: Scoresheet, page_texts: Callable[[bytes], list[str]], printed_at: datetime
) -> None:
    for names, ticked in ((("Hackers", "Smashers"), True), (tuple(f"{n:02} Long names" for n in range(12)), False)):
        rows = (FormRow("Objective rolled", choices=names),)
        (text,) = page_texts(scoresheets([replace(extract_sheet, form=ScoreForm(rows, rows))], "A4", printed_at))
        assert {text.count(name) for name in names} == {2 if ticked else 1}, "many stand once, above the boxes"
        assert text.count("Objective rolled") == 2
