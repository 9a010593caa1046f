"""A game's own sheets: every block is drawn, and nothing is cut."""

import io
from dataclasses import replace

from pypdf import PdfReader

from events.papers.force_sheets import game_sheets_of, on_paper, printed
from events.store.verdicts import terms_of
from pdf.game_sheet import GameSheet, SheetBlock, draw_game_sheets
from pdf.page import SIZES, PageSize
from pdf.table import Col, Table
from tests.kit.papers import page_texts
from tests.kit.stage import Stage
from tests.pdf.samples import as_pdf
from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import Column, Derived, LabelledFigures, Lines, Track
from validators.sheet import Table as Figures

FIGURES = LabelledFigures("Figures", tuple(Derived(f"Figure {n}", f"{n} Caps", f"{n} + 0 = {n}") for n in range(9)))
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


def test_block_without_a_title_continues_the_one_before() -> None:
    """Without headings there is room for more characters on a page."""
    track = Track("Turns", (("Morale", ("",) * 3),))
    character = (table(1), replace(LINES, title=""), replace(track, title=""))
    titled = (table(1), LINES, track)
    short, long = (drawn(blocks * 30) for blocks in (character, titled))
    assert len(short) < len(long)
    assert sum(page.count("Another thing.") for page in short) == 30
    assert "Remarks" not in " ".join(short)


def test_table_stays_with_its_title() -> None:
    parted = []
    for before in range(30, 48, 2):
        above = Lines("Above", tuple(f"Line {n}" for n in range(before)))
        pages = drawn((above, table(9)))
        (first,) = (page for page in pages if "Models" in page)
        parted += [before] if "Model 0 with" not in first or "Lost" not in first else []
    assert not parted


def test_a_part_stays_on_one_page() -> None:
    row: tuple[SheetBlock, ...] = (
        Lines("One", ("Sentence",) * 3),
        Track("", (("Wounds", ("",) * 3), ("Rads", ("",) * 60))),
    )
    parts = tuple(part for _ in range(9) for part in row)
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


def test_table_that_goes_on_has_the_title_of_its_group_again() -> None:
    rows = Table((Col("Round"),), [(str(n),) for n in range(80)])
    sheet = GameSheet("Groups", (), (Lines("Ada · rating 900", ("Holds",)), rows))
    pages = page_texts(as_pdf(draw_game_sheets, "A4", [sheet]))
    assert len(pages) > 1 and all(text.count("Ada · rating 900") == 1 for text in pages)


def test_each_page_of_a_sheet_has_what_is_short_on_it(stage: Stage) -> None:
    event = stage.event("Cup", game="fallout_skirmish")
    terms = terms_of(event)
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
                drawn(tuple(printed(block) if isinstance(block, Figures) else block for block in sheet.blocks), "A5")
            )
            heads_of = (column.head for block in sheet.blocks if isinstance(block, Figures) for column in block.columns)
            assert all(word in text for head in heads_of for word in head.split()), system.id


def test_column_that_is_empty_on_all_of_a_sheet_is_left_out() -> None:
    def heads(*rules: str) -> list[list[str]]:
        columns = Column("Carries"), Column("Rules"), Column("Gained", "write")
        tables = on_paper(Figures("", columns, (("Gun", rule, ""),)) for rule in rules)
        return [[column.head for column in table.columns] for table in tables if isinstance(table, Table)]

    assert heads("", "") == [["Carries", "Gained"]] * 2
    assert heads("", "Big Gun") == [["Carries", "Rules", "Gained"]] * 2
