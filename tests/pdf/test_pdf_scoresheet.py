"""Scoresheets, whole and half, read back: what must stand on them, maps to scale, codes, names of the world."""

import io
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from threading import Barrier

import pytest
import zxingcpp
from PIL import Image, ImageChops
from pypdf import PdfReader

from events.desk.event_pack_views import table_map
from models.event import Event
from pdf.fonts import draw_text
from pdf.page import PageSize, Paper, finish, new_paper, next_page
from pdf.scoresheet import Each, scoresheets
from pdf.sheet_data import FormRow, ScoreForm, Scoresheet, SheetPlayer, VpGrid
from pdf.table_map import MapMeasure
from tests.kit.boxes import faults
from tests.pdf.conftest import KINDS
from validators import SYSTEMS

Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]
HALVES: tuple[tuple[PageSize, Each], ...] = (("A4", 2), ("Letter", 2), ("A5", 1))
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("Letter", 1), *HALVES)


def test_sheet_has_everything_that_a_table_needs(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    wanted = (
        "TABLE", "7", "Autumn Wasteland Open", "Round 2 · 90 minutes", "Extract the Information", "Zofia Wiśniewska",
        "Brotherhood of Steel · Vault 13 Kraków", "748 Caps", "Leader: Paladin Danse, Tactician", "Miles O'Hara",
        "750 Caps", "Leader: Super Mutant Brute", "7K3 QX2", "at desk.example.org/g", "within Red (6″)", "Black 12″",
        "Black + Red 18″", "0–3", "Hatched: nothing to score", "Both players together: at most 3 VP a round",
        "Hackers", "Smashers", "Each kind at most twice.", "Rounds", "Markers", "Total VP", "Winner",
        "A · Zofia", "B · Miles", "Draw", "Ended early", "A conceded", "B conceded", "Unfinished", "A agrees",
        "B agrees", "Judge, if called", "Time started", "Time ended", "From game round 2, for each marker once a round",
    )  # fmt: skip
    whole = (
        "Report the result: scan the QR code or enter this code", "Setting up", "Scoring", *KINDS,
        *extract_sheet.setup, *extract_sheet.scoring,
    )  # fmt: skip
    for size, each in PLACES:
        (text,) = page_texts(scoresheets([extract_sheet], size, printed_at, each))
        assert [words for words in wanted if words not in text] == [], (size, each)
        if (size, each) in HALVES:
            assert not [kind for kind in KINDS if kind in text], "there is no room for them at 7 points"
        else:
            assert [words for words in whole if words not in text] == [], size


def test_long_texts_leave_out_whole_sentences(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    for size, each in HALVES:

        def text(scoring: tuple[str, ...], size: PageSize = size, each: Each = each) -> str:
            return page_texts(scoresheets([replace(extract_sheet, scoring=scoring)], size, printed_at, each))[0]

        short = text(("One marker.",))
        assert "One marker." in short and "scenario sheet" not in short, (size, each)
        assert "Setting up" not in short, "the table has a sheet of how it is set up"
        steps = tuple(f"Step {n} scores one of the many markers of this table, and ends here{n}." for n in range(30))
        long = text(steps)
        assert "… All of it is on the scenario sheet." in long, (size, each)
        shown = [n for n in range(30) if f"Step {n} scores" in long]
        assert shown == [n for n in range(30) if f"here{n}." in long], "no sentence is printed in part"
        assert shown == list(range(len(shown))) and 3 < len(shown) < 30, (size, each)


def test_what_is_too_long_is_cut_visibly(extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts) -> None:
    texts = (
        (extract_sheet, 0),
        (replace(extract_sheet, setup=("The same again. " * 12,) * 20), 1),
        (replace(extract_sheet, a=SheetPlayer("Bartholomew " * 30)), 4),  # box, map, grid, next to "Winner"
    )
    for sheet, cut in texts:
        assert page_texts(scoresheets([sheet], "Letter", printed_at))[0].count("…") == cut, sheet.a.name


def test_nothing_leaves_its_box(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    long = ("Bartholomew-" * 20)[:200]
    player = SheetPlayer(long, long, long, 123456789, long)
    sheet = replace(
        extract_sheet, event=long, table=1234567890, a=player,
        b=replace(player, name="山田太郎" * 50, club="김민수" * 60, leader="Юлия " * 40), scenario=long,
        setup=(long,) * 12, scoring=("word " * 40,) * 12, unit=long,
        grid=VpGrid((1,) * 6, (1,) * 6, "word " * 12, ("Hackers", "Smashers")), code=long[:30], address=long,
        objectives=replace(extract_sheet.objectives, kinds=(long,) * 6, note=long),
    )  # fmt: skip
    for size, each in PLACES:
        document = scoresheets([sheet, sheet], size, printed_at, each)
        assert list(faults(document)) == [], (size, each)
        if size != "A5" and each == 2:
            page = picture(document, 0, 2.0)
            for above in (page.height // 2 - 50, page.height // 2 + 6):
                strip = page.crop((0, above, page.width, above + 44))
                assert strip.getextrema() == (255, 255), "white on both sides of the knife"


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_the_whole_scoring_of_every_scenario_fits(
    system_id: str, extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    for size, each in HALVES:
        for one in SYSTEMS[system_id].scenarios:
            table = table_map(Event(system=system_id), one)  # type: ignore[call-arg]
            sheet = replace(extract_sheet, scenario=one.name, scoring=one.scoring, table_map=table)
            (text,) = page_texts(scoresheets([sheet], size, printed_at, each))
            assert "scenario sheet" not in text, (size, each, one.id)
            assert [line for line in one.scoring if line not in text] == [], (size, each, one.id)


@pytest.mark.slow
def test_cells_that_cannot_score_are_hatched(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    free = (0, 3, 3, 3, 3, 3)  # one is impossible in any case: the note about hatching stands on each
    for size, each in PLACES:

        def page(
            most_a: tuple[int, ...], most_b: tuple[int, ...], size: PageSize = size, each: Each = each
        ) -> Image.Image:
            sheet = replace(extract_sheet, grid=VpGrid(most_a, most_b))
            return picture(scoresheets([sheet], size, printed_at, each), 0, 4.0)

        plain, found = page(free, free), []
        for most in (((0, 0, 3, 3, 3, 3), free), ((0, 3, 3, 3, 3, 0), free), (free, (0, 0, 3, 3, 3, 3))):
            hatched = page(*most)
            box = ImageChops.difference(plain, hatched).getbbox()
            assert box is not None, (size, each)
            assert 60 < box[2] - box[0] < 280 and 60 < box[3] - box[1] < 200, "a cell, and nothing else"
            shades = hatched.crop((box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6)).tobytes()
            assert sum(shades) / len(shades) < 215
            assert max(shades) - min(shades) > 60, "the grey carries lines, for printers without tints"
            found.append(box)
        second, last, below = found
        assert second[0] < last[0] and second[1] == last[1] and second[0] == below[0], (size, each)
        assert second[3] <= below[1] + 8, "A above B"


@pytest.mark.slow
def test_qr_codes_lead_to_their_own_games_in_the_order_of_the_cut(
    extract_sheet: Scoresheet, printed_at: datetime, picture: Picture
) -> None:
    long = "https://a-rather-long-host-name-of-a-club.example.org:8443/sub/path/g/ABCDEFGHJK"
    urls = [*(f"https://desk.example.org/g/{code}" for code in ("7K3QX2", "AAAAAA", "0O1I5S", "000004")), long]
    sheets = [replace(extract_sheet, table=n, url=url) for n, url in enumerate(urls, 1)]
    for size, each in PLACES:
        document = scoresheets(sheets, size, printed_at, each)
        down = 2 if each == 2 and size != "A5" else 1
        for scale in (110 / 72, 4.0):
            pages = [picture(document, n, scale) for n in range(-(-len(urls) // down))]
            parts = [
                page.crop((0, page.height * part // down, page.width, page.height * (part + 1) // down))
                for part in range(down)
                for page in pages
            ]
            assert [code.text for part in parts for code in zxingcpp.read_barcodes(part)] == urls, (size, each, scale)
        outline = [str(getattr(one, "title", "")) for one in PdfReader(io.BytesIO(document)).outline[1]]
        assert outline == [f"Table {n}" for n in range(1, 6)], "in the order of the tables, however they lie"


def test_half_sheet_is_a_page_of_a5(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    lone = picture(scoresheets([extract_sheet], "A5", printed_at, 2), 0, 1.0)
    upper = picture(scoresheets([extract_sheet], "A4", printed_at, 2), 0, 1.0)
    assert lone.width > lone.height
    assert lone.width == pytest.approx(upper.width, abs=1) and lone.height == pytest.approx(upper.height / 2, abs=1)


def test_same_data_makes_the_same_bytes_in_any_thread(extract_sheet: Scoresheet, printed_at: datetime) -> None:
    sheets = [replace(extract_sheet, table=n, a=SheetPlayer("山田太郎 مريم Юлия")) for n in (1, 2)]
    once = scoresheets(sheets, "A4", printed_at)
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
    (text,) = page_texts(scoresheets([], "Letter", printed_at))
    assert "No table plays in this round." in text and "Page 1 of 1" in text


@pytest.mark.slow
def test_300_sheets(extract_sheet: Scoresheet, printed_at: datetime) -> None:
    document = scoresheets([replace(extract_sheet, table=n) for n in range(1, 301)], "A4", printed_at)
    pages = PdfReader(io.BytesIO(document)).pages
    assert len(pages) == 300
    assert "Page 300 of 300" in pages[299].extract_text()
    assert len(document) < 3_000_000


def test_time_without_a_zone_is_refused(extract_sheet: Scoresheet) -> None:
    with pytest.raises(ValueError, match="time zone"):
        scoresheets([extract_sheet], "A4", datetime(2026, 1, 1))  # noqa: DTZ001


def test_figures_stand_in_a_form_with_the_sums_that_a_pencil_needs(
    extract_sheet: Scoresheet, page_texts: Texts, printed_at: datetime
) -> None:
    rows = (
        FormRow("The force at the end", worth=(0, 10), choices=("Stood", "Routed")),
        FormRow("Models lost", worth=(1,)), FormRow("Of them leaders", worth=(2,)), FormRow("Left first", most=1),
    )  # fmt: skip
    form = ScoreForm(rows, rows, "a rout decides", to_enemy=True)
    sheet = replace(extract_sheet, form=form)
    (text,) = page_texts(scoresheets([sheet], "A4", printed_at))
    wanted = (
        "Report these", "a rout decides", "Stood", "Routed: 10 VP", "Models lost, 1 VP each", "× 2 VP =", "Left first",
        "Result", "A scores what B lost",
    )  # fmt: skip
    assert [words for words in wanted if words not in text] == []
    assert "Victory points in each game round" not in text and "Locked Safe" not in text
    (half,) = page_texts(scoresheets([sheet], "A5", printed_at))
    assert [words for words in wanted if words.replace("lost,", "lost") not in half] == []
    summed = replace(form, to_enemy=False, sums=("Own points left", "Enemy points killed"))
    (text,) = page_texts(scoresheets([replace(sheet, form=summed)], "A4", printed_at))
    assert text.count("Own points left") == text.count("Enemy points killed") == text.count("Total VP") == 2
    with pytest.raises(ValueError, match="same number"):
        VpGrid((1, 2), (1,))


def test_report_of_totals_or_of_the_outcome_has_its_own_boxes(
    extract_sheet: Scoresheet, page_texts: Texts, printed_at: datetime
) -> None:
    for total in (True, False):
        sheet = replace(extract_sheet, form=ScoreForm((), (), total=total))
        for size in ("A4", "A5"):
            (text,) = page_texts(scoresheets([sheet], size, printed_at))
            assert ("Report these" in text, text.count("Result total VP")) == (False, total), size
            assert "Game round" not in text and "Winner" in text and "Ended early" in text, size


def test_few_choices_are_ticked_and_of_many_one_is_written(
    extract_sheet: Scoresheet, page_texts: Texts, printed_at: datetime
) -> None:
    rolled = tuple(f"{n} A Tale of {n} (Luck{n})" for n in range(1, 13))
    for names, stands in ((("Hackers", "Smashers"), 2), (rolled, 1)):
        rows = (FormRow("Objective rolled", choices=names),)
        sheet = replace(extract_sheet, form=ScoreForm(rows, rows))
        (text,) = page_texts(scoresheets([sheet], "A4", printed_at))
        assert {text.count(name) for name in names} == {stands}, "many stand once, above the boxes"
        assert text.count("Objective rolled") == 2
        for size, each in HALVES:
            (text,) = page_texts(scoresheets([sheet], size, printed_at, each))
            assert (text.count("Zofia Wiś"), text.count("Miles O'Hara")) == (3, 3), "its box, its form, the winner's"
            assert [name for name in names if name not in text] == [], (size, each)
    longer = (*rows, *(FormRow(f"Line {n}", most=1) for n in range(1, 6)))
    full = replace(extract_sheet, form=ScoreForm(longer, longer))
    (text,) = page_texts(scoresheets([full], "Letter", printed_at, 2))
    assert all(f"{n} Luck{n}" in text for n in range(1, 13)), "where there is no room, without their names"


def test_parts_of_a_sum_have_lines_with_their_names(
    extract_sheet: Scoresheet, page_texts: Texts, printed_at: datetime
) -> None:
    def text(a: tuple[str, ...], b: tuple[str, ...], each: int) -> str:
        row = FormRow("HP left", worth=(1,), parts="Character")
        sheet = replace(extract_sheet, form=ScoreForm((replace(row, names=a),), (replace(row, names=b),)))
        return page_texts(scoresheets([sheet], "A4", printed_at, 1 if each == 1 else 2))[0]

    two, more = ("Jim", "Ash"), tuple(f"Trooper {n}" for n in range(5))
    for each, most in ((1, 5), (2, 3)):
        named = text(two, more[:most], each)
        assert [name for name in (*two, *more[:most]) if named.count(name) != 1] == [], each
        for unknown in (text((), (), each), text(two, (), each)):
            assert unknown.count("Character") == 2 and "HP left, 1 VP each" in unknown, each
