"""A game's own sheets: every block is drawn, nothing is cut, a long table has its heads on each page."""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from pypdf import PdfReader

from pdf.game_sheet import (
    SCALES,
    GameSheet,
    SheetBlock,
    SheetFigure,
    SheetFigures,
    SheetLines,
    game_sheets,
)
from pdf.page import SIZES, PageSize
from pdf.table import Col, Table
from pdf.tracks import SheetTrack

Texts = Callable[[bytes], list[str]]
NOW = datetime(2026, 11, 20, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
FIGURES = SheetFigures("Figures", tuple(SheetFigure(f"Figure {n}", f"{n} Caps", f"{n} + 0 = {n}") for n in range(9)))
TRACK = SheetTrack("Turns", (("Leadership", tuple(str(n) for n in range(1, 41))), ("Morale", ("",) * 3)))
LINES = SheetLines("Remarks", ("One thing.", "Another thing."))


def table(rows: int) -> Table:
    cells = tuple((f"Model {n} with a Long Barrel and whatever else it carries " * 2, str(n), "") for n in range(rows))
    columns = (Col("Model"), Col("Caps", "figure"), Col("Lost", "write"))
    return Table(columns, cells, ("Total", "1234", ""), title="Models")


def test_every_block_is_drawn_in_its_order(page_texts: Texts) -> None:
    for size in SIZES:
        sheet = GameSheet("Force list", ("Ada, Iron Club", "Survivors"), (FIGURES, table(3), TRACK, LINES))
        pages = page_texts(game_sheets([sheet], "Iron Open", size, NOW))
        assert len(pages) == (2 if size == "A5" else 1), size
        text = " ".join(pages)
        places = [
            text.index(word) for word in ("Ada, Iron Club", "Figure 8", "Model 2", "Total", "Leadership", "Another")
        ]
        assert places == sorted(places), size
        assert "8 + 0 = 8" in text, size
        assert all(f" {n}" in f" {text}" for n in range(1, 41)), "the boxes' small print"


def test_long_table_repeats_its_heads(page_texts: Texts) -> None:
    pages = page_texts(game_sheets([GameSheet("Army", ("Ada",), (table(90),))], "Iron Open", "A4", NOW))
    assert len(pages) > 2
    assert all("Caps" in page and "Lost" in page for page in pages)
    found = " ".join(pages)
    assert all(f"Model {n} with" in found for n in range(90))
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]


def test_each_sheet_begins_on_a_page_of_its_own(page_texts: Texts) -> None:
    sheets = [GameSheet(f"Character {n}", (), (LINES,)) for n in range(3)]
    pages = page_texts(game_sheets(sheets, "Iron Open", "A4", NOW))
    assert [f"Character {n}" in page for n, page in enumerate(pages)] == [True] * 3


def test_block_without_a_title_continues_the_one_before(page_texts: Texts) -> None:
    """Without headings there is room for more characters on a page."""
    track = SheetTrack("Turns", (("Morale", ("",) * 3),))
    character = (table(1), replace(LINES, title=""), replace(track, title=""))
    titled = (table(1), LINES, track)
    short, long = (
        page_texts(game_sheets([GameSheet("Characters", (), blocks * 30)], "Iron Open", "A4", NOW))
        for blocks in (character, titled)
    )
    assert len(short) < len(long)
    assert sum(page.count("Another thing.") for page in short) == 30
    assert "Remarks" not in " ".join(short)


def test_short_column_next_to_long_ones_breaks_no_word(page_texts: Texts) -> None:
    long = "Combat Armor, Combat Shotgun, Sniper Rifle and a great deal more that has to be carried by somebody " * 2
    figures = (Col(head, "figure") for head in (*"SPECIALM", "Wounds"))
    columns = (Col("Name"), Col("Rank"), *figures, Col("Carries"))
    block = Table(columns, (("Hatch (leader)", "Commander", *["6"] * 9, long),) * 3, title="Group")
    (text,) = page_texts(game_sheets([GameSheet("Roster", (), (block,))], "Open", "A4", NOW))
    assert text.count("Commander") == 3


def test_table_stays_with_its_title(page_texts: Texts) -> None:
    """However far down a table begins, its title and heads stand on the page of its first row."""
    parted = []
    for before in range(30, 48):
        above = SheetLines("Above", tuple(f"Line {n}" for n in range(before)))
        pages = page_texts(game_sheets([GameSheet("Army", (), (above, table(9)))], "Open", "A4", NOW))
        (first,) = (page for page in pages if "Models" in page)
        parted += [before] if "Model 0 with" not in first or "Lost" not in first else []
    assert not parted


def test_few_lines_take_no_page_of_their_own(page_texts: Texts) -> None:
    def pages(blocks: int, lines: int) -> int:
        some = SheetLines("Remarks", ("One line.",))
        last = SheetLines("Last", ("Another.",) * lines)
        return len(page_texts(game_sheets([GameSheet("Army", (), (some,) * blocks + (last,))], "Open", "A4", NOW)))

    whole = next(blocks for blocks in range(1, 60) if pages(blocks, 3) > 1)
    # With the usual white 14 remarks are the first that leave no room for the last block.
    assert whole > 15
    assert pages(3 * whole, 3) > 2, "what has no room has its further pages"


def test_a_part_stays_on_one_page_and_shared_names_stand_once(page_texts: Texts) -> None:
    one: tuple[SheetBlock, ...] = (
        SheetLines("One", ("Sentence",) * 3),
        SheetTrack("", (("Wounds", ("",) * 3), ("Rads", ("",) * 60))),
    )
    parts = tuple(part for _ in range(9) for part in one)
    turns = SheetTrack("Turns", tuple((f"Turn {n}", ("dice", "given")) for n in range(1, 7)))
    for size in SIZES:
        pages = page_texts(game_sheets([GameSheet("Ada", (), (*parts, turns))], "Open", size, NOW))
        assert len(pages) > 1 and all(page.count("One") == page.count("Rads") for page in pages), size
        assert sum(page.count("given") for page in pages) == 1, size


def test_a_page_is_filled_by_larger_type_but_no_column_is_squeezed(printed_at: datetime) -> None:
    def largest(block: SheetBlock, size: PageSize = "A4") -> float:
        sizes: list[float] = []
        document = PdfReader(io.BytesIO(game_sheets([GameSheet("Ada", (), (block,))], "Open", size, printed_at)))

        def seen(text: str, matrix: list[float], line: list[float], *_: object) -> None:
            if "Sentence" in text or "Carries" in text:
                sizes.append(matrix[0])

        document.pages[0].extract_text(visitor_text=seen)
        return max(sizes)

    assert largest(SheetLines("One", ("Sentence",) * 3)) == SCALES[0]
    assert largest(SheetLines("One", ("Sentence",) * 40)) < SCALES[0], "no page is added"
    wide = Table((Col("Carries"), *(Col(f"Figure {n}", "figure") for n in range(9))), (("Rifle", *["1000"] * 9),))
    assert largest(wide) > largest(wide, "A5")


def test_a_list_has_like_numbers_of_rows_on_its_pages(page_texts: Texts) -> None:
    columns = (Col("Here", "tick"), Col("Name", strong=True, size=14))
    for many in range(40, 70):
        rows = tuple(("", f"Player{n:03}") for n in range(many))
        pages = page_texts(
            game_sheets([GameSheet("Check-in", (), (Table(columns, rows, high=34),))], "Open", "A4", NOW)
        )
        each = [page.count("Player") for page in pages]
        assert sum(each) == many and (len(pages) == 1 or min(each) > 3), (many, each)
