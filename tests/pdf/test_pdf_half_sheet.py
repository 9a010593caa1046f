"""Two scoresheets on a page, and the one of A5: nothing is lost, the codes are read, the knife leaves them in order."""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest
import zxingcpp
from PIL import Image, ImageChops
from pypdf import PdfReader

from events.desk.event_pack_views import table_map
from models.event import Event
from pdf.page import PageSize
from pdf.scoresheet import Each, scoresheets
from pdf.sheet_data import FormRow, ScoreForm, Scoresheet
from tests.pdf.conftest import KINDS
from validators import SYSTEMS

Texts = Callable[[bytes], list[str]]
Picture = Callable[..., Image.Image]
HALVES: tuple[tuple[PageSize, Each], ...] = (("A4", 2), ("Letter", 2), ("A5", 1), ("A5", 2))
SIZES_TO_CUT: tuple[PageSize, ...] = ("A4", "Letter")


def test_half_sheet_has_everything_of_a_whole_one(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    for size, each in HALVES:
        (text,) = page_texts(scoresheets([extract_sheet], size, printed_at, each))
        wanted = [
            *("TABLE", "7", "Autumn Wasteland Open", "Round 2 · 90 minutes", "Extract the Information"),
            *(
                "Zofia Wiśniewska", "Brotherhood of Steel · Vault 13 Kraków", "748 Caps",
                "Leader: Paladin Danse, Tactician",
            ),
            *("Miles O'Hara", "750 Caps", "Leader: Super Mutant Brute", "7K3 QX2", "at desk.example.org/g"),
            *(
                "within Red (6″)", "Black 12″", "Black + Red 18″", "0–3",
                "Hatched: nothing to score",
            ),
            *("Both players together: at most 3 VP a round", "Hackers", "Smashers", "Sum"),
            *("Each kind at most twice.", "Rounds", "Markers", "Total VP", "Winner", "A · Zofia", "B · Miles", "Draw"),
            *("Ended early", "A conceded", "B conceded", "Unfinished", "A agrees", "B agrees", "Judge, if called"),
            *("Time started", "Time ended", "Printed 2026-11-20 14:05 CET", "Page 1 of 1"),
            "From game round 2, for each marker once a round",
        ]  # fmt: skip
        assert [words for words in wanted if words not in text] == [], (size, each)
        assert not [kind for kind in KINDS if kind in text], "there is no room for them at 7 points"


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


def test_form_names_both_players_and_lists_what_is_rolled(
    extract_sheet: Scoresheet, printed_at: datetime, page_texts: Texts
) -> None:
    rolled = FormRow("Objective rolled", choices=tuple(f"{n} A Tale of {n} (Luck{n})" for n in range(1, 13)))
    sheet = replace(extract_sheet, form=ScoreForm((rolled,), (rolled,)))
    for size, each in HALVES:
        (text,) = page_texts(scoresheets([sheet], size, printed_at, each))
        assert (text.count("Zofia Wiś"), text.count("Miles O'Hara")) == (3, 3), "its box, its form, the winner's line"
        assert all(f"{n} Luck{n}" in text for n in range(1, 13)), (size, each)


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
    for size, each in HALVES:

        def page(
            most_a: tuple[int, ...], most_b: tuple[int, ...], size: PageSize = size, each: Each = each
        ) -> Image.Image:
            grid = replace(extract_sheet.grid, most_a=most_a, most_b=most_b, note="x")
            return picture(scoresheets([replace(extract_sheet, grid=grid)], size, printed_at, each), 0, 4.0)

        # One cell is impossible in any case, so that the note about hatching stands in each of them.
        free = (0, 3, 3, 3, 3, 3)
        plain = page(free, free)
        found = []
        for side in range(2):
            for n in range(1, 6):
                hatched = (*free[:n], 0, *free[n + 1 :])
                box = ImageChops.difference(plain, page(*((hatched, free) if side == 0 else (free, hatched)))).getbbox()
                assert box is not None, (size, each)
                assert 60 < box[2] - box[0] < 200 and 60 < box[3] - box[1] < 200, "a cell, and nothing else"
                found.append(box)
        for row in (found[:5], found[5:]):
            assert [box[0] for box in row] == sorted(box[0] for box in row) and len({box[1] for box in row}) == 1, (
                size,
                each,
            )
        assert found[0][3] <= found[5][1] + 8, "A above B"


@pytest.mark.slow
def test_qr_codes_lead_to_their_own_games(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    for (size, each), dpi in product(HALVES, (110, 200)):
        long = "https://a-rather-long-host-name-of-a-club.example.org:8443/sub/path/g/ABCDEFGHJK"
        urls = ["https://desk.example.org/g/7K3QX2", long, "https://desk.example.org/g/0O1I5S"]
        document = scoresheets([replace(extract_sheet, url=url) for url in urls], size, printed_at, each)
        pages = 3 if size == "A5" else 2
        found = [[c.text for c in zxingcpp.read_barcodes(picture(document, n, dpi / 72))] for n in range(pages)]
        upright = [sorted(codes) for codes in found]
        lying = [sorted(urls[n::2] if pages == 2 else urls[n : n + 1]) for n in range(pages)]
        assert upright == lying, (size, each, dpi)


@pytest.mark.slow
def test_cut_halves_are_in_the_order_of_tables(
    extract_sheet: Scoresheet, printed_at: datetime, picture: Picture
) -> None:
    for size in SIZES_TO_CUT:
        urls = [f"https://desk.example.org/g/{n:06}" for n in range(1, 8)]
        sheets = [replace(extract_sheet, table=n, url=url) for n, url in enumerate(urls, 1)]
        document = scoresheets(sheets, size, printed_at, 2)
        pages = [picture(document, n, 2.0) for n in range(4)]
        upper = [page.crop((0, 0, page.width, page.height // 2)) for page in pages]
        lower = [page.crop((0, page.height // 2, page.width, page.height)) for page in pages]
        read = [code.text for half in (*upper, *lower) for code in zxingcpp.read_barcodes(half)]
        assert read == urls, size
        outline = [str(getattr(one, "title", "")) for one in PdfReader(io.BytesIO(document)).outline[1]]
        assert outline == [f"Table {n}" for n in range(1, 8)], "in the order of the tables, however they lie"


def test_half_sheet_is_a_page_of_a5(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    lone = picture(scoresheets([extract_sheet], "A5", printed_at), 0, 1.0)
    upper = picture(scoresheets([extract_sheet], "A4", printed_at, 2), 0, 1.0)
    assert lone.width > lone.height
    assert lone.width == pytest.approx(upper.width, abs=1) and lone.height == pytest.approx(upper.height / 2, abs=1)


def test_nothing_leaves_its_piece(extract_sheet: Scoresheet, printed_at: datetime, picture: Picture) -> None:
    for size, each in HALVES:
        long = ("Bartholomew-" * 20)[:200]
        player = replace(extract_sheet.a, name=long, faction=long, club=long, force_total=123456789, leader=long)
        grid = replace(extract_sheet.grid, most_a=(1,) * 6, most_b=(1,) * 6, note="word " * 60, choice=(long, long))
        sheet = replace(
            extract_sheet, event=long, table=1234567890, a=player, b=player, scenario=long, setup=(long,) * 12,
            scoring=("word " * 40,) * 12, unit=long, grid=grid, code=long[:30], address=long,
            objectives=replace(extract_sheet.objectives, kinds=(long,) * 6, note=long),
        )  # fmt: skip
        page = picture(scoresheets([sheet, sheet], size, printed_at, each), 0, 2.0)
        margin = 56  # 10 mm at two pixels to a point
        inside = page.copy()
        inside.paste(255, (margin, margin, page.width - margin, page.height - margin))
        assert inside.getextrema() == (255, 255), (size, each)
        if size != "A5":
            middle = page.height // 2
            for above in (middle - 50, middle + 6):
                strip = page.crop((0, above, page.width, above + 44))
                assert strip.getextrema() == (255, 255), "white on both sides of the knife"
