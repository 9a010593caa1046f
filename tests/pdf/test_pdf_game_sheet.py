"""A game's own sheets: every block is drawn, and nothing is cut."""

import io
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from pypdf import PdfReader

from events.desk.force_sheets import game_sheets_of, on_paper, printed
from events.play.verdicts import terms_of
from pdf.game_sheet import LISTS, SCALES, GameSheet, SheetBlock, SheetMap, draw_game_sheets
from pdf.page import SIZES, PageSize
from pdf.table import Col, Table, column_widths
from pdf.tracks import tracks
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places
from tests.kit.profiles import at_length
from tests.kit.stage import Stage
from tests.pdf.samples import as_pdf
from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import Column, Derived, Facts, Lines, Track
from validators.sheet import Table as Figures

FIGURES = Facts("Figures", tuple(Derived(f"Figure {n}", f"{n} Caps", f"{n} + 0 = {n}") for n in range(9)))
TRACK = Track("Turns", (("Leadership", tuple(str(n) for n in range(1, 41))), ("Morale", ("",) * 3)))
LINES = Lines("Remarks", ("One thing.", "Another thing."))


def table(rows: int) -> Table:
    cells = tuple((f"Model {n} with a Long Barrel and whatever else it carries " * 2, str(n), "") for n in range(rows))
    columns = (Col("Model"), Col("Caps", "figure"), Col("Lost", "write"))
    return Table(columns, cells, ("Total", "1234", ""), title="Models")


def drawn(blocks: tuple[SheetBlock, ...], size: PageSize = "A4") -> list[str]:
    return page_texts(as_pdf(draw_game_sheets, size, [GameSheet("Army", ("Ada, Iron Club",), blocks)]))


def test_every_block_is_drawn_in_its_order() -> None:
    for size in SIZES:
        pages = drawn((FIGURES, table(3), TRACK, LINES), size)
        assert len(pages) == 1, size
        text = " ".join(pages)
        order = "Ada, Iron Club", "Figure 8", "8 + 0 = 8", "Model 2", "Total", "Leadership", "Another"
        found = [text.index(word) for word in order]
        assert found == sorted(found), size
        assert all(f" {n}" in f" {text}" for n in range(1, 41)), "the boxes' small print"
    sheets = [GameSheet(f"Character {n}", (), (LINES,)) for n in range(3)]
    pages = page_texts(as_pdf(draw_game_sheets, "A4", sheets))
    assert [f"Character {n}" in page for n, page in enumerate(pages)] == [True] * 3, "each on a page of its own"


def test_printed_on_both_sides_each_player_begins_a_new_leaf() -> None:
    sheets = [GameSheet("Army", (), (LINES,), owner=owner) for owner in ("Ada", "Bea", "Bea", "Cy")]
    once, both = (page_texts(as_pdf(draw_game_sheets, "A4", sheets, 1, sides)) for sides in (1, 2))
    assert len(once) == 4
    assert [bool(page) for page in both] == [True, False, True, True, True, False]


def test_places_of_a_map_do_not_touch_and_no_road_crosses_their_letters() -> None:
    near = SheetMap("", ((40, 40, ""), (44, 40, ""), (40, 90, "SN"), (40, 99, "")), ((0, 2), (2, 3)))
    document = as_pdf(draw_game_sheets, "A4", [GameSheet("Map", (), (near,))])
    page = picture(document, 0, 4.0)
    ones, twos, ((letters, low), *_) = places(document, 0, "1", "2", "SN")
    one, two, y = next((one, two, y) for one, y in ones for two, other in twos if y == other and abs(one - two) < 40)
    middle = round(2 * (one + two)), page.height - round(4 * (y + 2))
    assert page.getpixel(middle) == 255, "white between two places"
    row = [page.getpixel((round(4 * letters) + n, page.height - round(4 * (low - 1.2)))) for n in range(-9, 9)]
    assert set(row) == {255}, "no line below the letters"


def test_block_without_a_title_continues_the_one_before() -> None:
    """Without headings there is room for more characters on a page."""
    track = Track("Turns", (("Morale", ("",) * 3),))
    character = (table(1), replace(LINES, title=""), replace(track, title=""))
    titled = (table(1), LINES, track)
    short, long = (drawn(blocks * 30) for blocks in (character, titled))
    assert len(short) < len(long)
    assert sum(page.count("Another thing.") for page in short) == 30
    assert "Remarks" not in " ".join(short)


def test_what_a_title_says_after_a_colon_is_below_it() -> None:
    for block in (replace(LINES, title="Turns: tick each"), replace(table(1), title="Turns", note="Tick each")):
        document = as_pdf(draw_game_sheets, "A5", [GameSheet("Army", (), (block,))])
        ((_, title),), ((_, note),) = places(document, 0, "Turns", "Tick each")
        assert 10 < title - note < 20


def test_table_stays_with_its_title() -> None:
    parted = []
    for before in range(30, 48, 2):
        above = Lines("Above", tuple(f"Line {n}" for n in range(before)))
        pages = drawn((above, table(9)))
        (first,) = (page for page in pages if "Models" in page)
        parted += [before] if "Model 0 with" not in first or "Lost" not in first else []
    assert not parted


def test_few_lines_take_no_page_of_their_own() -> None:
    def pages(blocks: int, lines: int) -> int:
        some = Lines("Remarks", ("One line.",))
        last = Lines("Last", ("Another.",) * lines)
        return len(drawn((some,) * blocks + (last,)))

    whole = next(blocks for blocks in range(1, 60) if pages(blocks, 3) > 1)
    # With the usual space 14 remarks are the first that leave no room for the last block.
    assert whole > 15
    assert pages(3 * whole, 3) > 2, "what has no room has its further pages"


def test_a_part_stays_on_one_page() -> None:
    one: tuple[SheetBlock, ...] = (
        Lines("One", ("Sentence",) * 3),
        Track("", (("Wounds", ("",) * 3), ("Rads", ("",) * 60))),
    )
    parts = tuple(part for _ in range(9) for part in one)
    for size in SIZES:
        pages = drawn(parts, size)
        assert len(pages) > 1 and all(page.count("One") == page.count("Rads") for page in pages), size


def largest(block: SheetBlock, size: PageSize = "A4", owner: str = "Ada") -> float:
    """The largest type of "Sentence" or "Carries" on the first page, as a multiple of the usual."""
    sizes: list[float] = []
    document = PdfReader(io.BytesIO(as_pdf(draw_game_sheets, size, [GameSheet("Ada", (), (block,), owner)])))

    def seen(text: str, matrix: list[float], line: list[float], _: object, type_size: float) -> None:
        if "Sentence" in text or "Carries" in text:
            sizes.append(round(matrix[0] * line[0] * type_size / 10, 3))

    document.pages[0].extract_text(visitor_text=seen)
    return max(sizes)


def test_a_page_is_filled_by_larger_type_but_no_column_is_squeezed() -> None:
    assert largest(Lines("One", ("Sentence",) * 3)) == SCALES[0]
    assert largest(Lines("One", ("Sentence",) * 3), owner="") == LISTS[0], "no other sheet is laid next to a list"
    assert largest(Lines("One", ("Sentence",) * 40)) < SCALES[0], "no page is added"
    wide = Table((Col("Carries"), *(Col(f"Figure {n}", "figure") for n in range(9))), (("Rifle", *["1000"] * 9),))
    assert largest(wide) > largest(wide, "A5")


def test_space_between_blocks_shrinks_before_a_page_is_added_and_grows_on_a_page_with_room() -> None:
    one = Lines("One", ("Sentence",) * 3)
    most = {size: max(n for n in range(6, 20) if len(drawn((one,) * n, size)) == 1) for size in SIZES}
    assert most["A4"] > 9, "9 blocks fill the page with the usual space"
    assert most["A5"] < most["Letter"] <= most["A4"]

    def ends(blocks: int) -> float:
        sheets = [GameSheet("Army", (), (one,) * many) for many in (blocks, most["A4"])]
        return min(y for _, y in places(as_pdf(draw_game_sheets, "A4", sheets), 0, "Sentence")[0])

    assert ends(7) < 200, "the sheet is spread over its page"


def test_each_sheet_has_the_largest_type_that_takes_no_further_page() -> None:
    sheets = [GameSheet("Army", (), (Lines("One", ("Sentence",) * many),)) for many in (3, 40)]
    document = PdfReader(io.BytesIO(as_pdf(draw_game_sheets, "A4", sheets)))
    sizes: list[float] = []

    def seen(text: str, matrix: list[float], line: list[float], _: object, type_size: float) -> None:
        if "Sentence" in text:
            sizes.append(round(matrix[0] * line[0] * type_size, 3))

    for page in document.pages:
        page.extract_text(visitor_text=seen)
    assert len({*sizes}) == 2 and sizes[0] > sizes[-1] >= 10


def test_table_that_goes_on_has_the_title_of_its_group_again() -> None:
    rows = Table((Col("Round"),), [(str(n),) for n in range(80)])
    sheet = GameSheet("Groups", (), (Lines("Ada · rating 900", ("Holds",)), rows))
    pages = page_texts(as_pdf(draw_game_sheets, "A4", [sheet]))
    assert len(pages) > 1 and all(text.count("Ada · rating 900") == 1 for text in pages)


@pytest.mark.parametrize("factions", at_length([1, 4], [1]))
def test_letter_needs_hardly_more_pages_than_a4(factions: int) -> None:
    """The sheets of the first ``factions`` of each game."""
    for system in SYSTEMS.values():
        terms, count = Terms(system.editions[0], system.default_size), dict.fromkeys(SIZES, 0)
        for seed, faction in enumerate(terms.edition.factions[:factions]):
            for sheet in system.papers.sheets(system.forces.sample(terms, faction, seed), terms):
                for size in SIZES:
                    count[size] += len(drawn(on_paper(sheet.blocks), size))
        assert count["Letter"] <= 1.25 * count["A4"] and count["A5"] <= 2 * count["A4"], (system.id, count)


@pytest.mark.slow
def test_a_list_has_like_numbers_of_rows_on_its_pages() -> None:
    columns = (Col("Here", "tick"), Col("Name", strong=True, size=14))
    for many in range(40, 52):
        rows = tuple(("", f"Player{n:03}") for n in range(many))
        pages = drawn((Table(columns, rows, row_height=34),))
        each = [page.count("Player") for page in pages]
        assert sum(each) == many and (len(pages) == 1 or min(each) > 3), (many, each)


def test_boxes_of_a_figure_stay_in_a_row_and_apart_from_those_of_the_next() -> None:
    table = Table((Col("Figures"), Col("Lost", "boxes")), (("Scout", "6"), ("Mutant", "6×2"), ("Hero", "1×60")))
    document = PdfReader(io.BytesIO(as_pdf(draw_game_sheets, "A5", [GameSheet("Army", (), (table,))])))
    contents = document.pages[0].get_contents()
    assert contents is not None
    drawn_boxes = re.findall(r"(\S+) (\S+) (\S+) (\S+) re", contents.get_data().decode())
    rows: dict[str, list[float]] = {}
    for x, y, width, height in drawn_boxes:
        if width == height:
            rows.setdefault(y, []).append(float(x))
    counts = [len(row) for row in rows.values()]
    assert counts[0] == 6 and sum(counts) == 6 + 12 + 60
    pairs = [one for one in rows.values() if len(one) % 2 == 0][1]
    steps = [round(b - a, 1) for a, b in pairwise(pairs)]
    assert min(steps[1::2]) > max(steps[::2]), "the boxes of a figure are together"


def test_boxes_without_labels_are_larger() -> None:
    boxes = tuple(map(str, range(1, 9)))
    alone, labelled = (tracks(Track("", ((label, boxes),)), 520.0)[0] for label in ("", "Hit points"))
    assert alone.height > labelled.height * 1.2


def test_each_page_of_a_sheet_has_what_is_short_on_it(stage: Stage) -> None:
    event = stage.event("Cup", game="fallout_skirmish")
    terms = terms_of(stage.s, event)
    (player,) = stage.enter(event, "Bo")
    force = SYSTEMS["fallout_skirmish"].forces.sample(terms, terms.edition.factions[-1], 1)
    sheets = game_sheets_of(event, player, force | {"models": force["models"] * 3}, terms)
    pages = page_texts(as_pdf(draw_game_sheets, "A4", sheets[-1:]))
    assert len(pages) > 1 and all("RoF: Rate of fire" in page for page in pages)


def test_no_word_of_a_short_column_is_broken() -> None:
    long = "Combat Armor, Combat Shotgun, Sniper Rifle and a great deal more that has to be carried by somebody " * 2
    figures = (Col(head, "figure") for head in (*"SPECIALM", "Wounds"))
    columns = (Col("Name"), Col("Rank"), *figures, Col("Carries"))
    (text,) = drawn((Table(columns, (("Hatch (leader)", "Commander", *["6"] * 9, long),) * 3, title="Group"),))
    assert text.count("Commander") == 3
    columns = Col("Name", strong=True, size=14, share=0.27), Col("Note", "write", share=0.32), Col("Faction")
    (text,) = drawn((Table(columns, (("Ada Featherstonehaugh-Li", "", "Enclave"),), keep_size=True),))
    assert "Featherstonehaugh" in text, "a name gets smaller instead"


def test_no_word_of_a_head_is_broken() -> None:
    heads = ("Attacks (A)", "Negates armour (AP)", "Fire power (FP)", "Leadership dice", "Immunocompromised")
    for size in SIZES:
        columns = (Col("Weapon"), *(Col(head, "figure") for head in heads), Col("Rules"))
        (page,) = drawn((Table(columns, (("Knife", *"20119", ""),)),), size)
        assert all(word in page for head in heads for word in head.split()), size
    for system in SYSTEMS.values():
        terms = Terms(system.editions[0], system.default_size)
        for sheet in system.papers.sheets(system.forces.sample(terms, terms.edition.factions[0], 1), terms):
            text = " ".join(
                drawn(tuple(printed(one) if isinstance(one, Figures) else one for one in sheet.blocks), "A5")
            )
            heads_of = (one.head for block in sheet.blocks if isinstance(block, Figures) for one in block.columns)
            assert all(word in text for head in heads_of for word in head.split()), system.id


def test_columns_of_alike_tables_of_a_sheet_stand_in_line() -> None:
    heads = (Column("XP", "centre"), Column("Wounds", "boxes"))
    tables = on_paper(Figures(name, heads, ((xp, wounds),)) for name, xp, wounds in (("A", "0", "1"), ("B", "50", "3")))
    first, second = (column_widths(one, 300.0) for one in tables if isinstance(one, Table))
    assert first == second


def test_the_last_page_has_its_share_of_the_blocks() -> None:
    character = Lines("Character", ("Sentence",) * 6)
    for size in SIZES:
        for many in range(8, 13):
            each = [page.count("Character") for page in drawn((character,) * many, size)]
            assert len(each) == 1 or min(each) >= max(each) - 2, (size, many, each)


def test_table_in_halves_has_two_columns_only_where_one_has_no_room() -> None:
    games = [(f"Round {n}", "", "") if n % 4 == 0 else (f"Ada{n}", "beat", f"Bo{n}") for n in range(72)]
    for count, across in ((20, 1), (60, 2), (72, 2)):
        columns, heads = (Col("", share=0.4), Col("", "fixed"), Col("")), frozenset(range(0, count, 4))
        fought = Table(columns, games[:count], title="Battles", ruled=True, halves=True, groups=heads)
        document = as_pdf(draw_game_sheets, "A4", [GameSheet("Book", (), (fought,))])
        found = [x for at in places(document, 0, "Ada1", f"Ada{count - 1}") for x, _ in at[:1]]
        assert (max(found) - min(found) > 200) == (across == 2), count
        assert len(page_texts(document)) == 1 and list(faults(document)) == [], count
