"""A game's own sheets and force cards: every block and every cost is drawn, and nothing is cut."""

import io
import re
from dataclasses import replace
from itertools import pairwise, product

import pypdfium2 as pdfium
import pytest
from pypdf import PdfReader

from events.desk.force_sheets import card_unit, game_sheets_of, on_paper, printed
from events.play.verdicts import terms_of
from languages.words import unbroken
from pdf.card_head import ForceCard, Gear, Unit
from pdf.force_card import draw_force_cards
from pdf.game_sheet import LISTS, SCALES, GameSheet, SheetBlock, SheetMap, draw_game_sheets
from pdf.page import SIZES, PageSize
from pdf.table import BELOW, Col, Table, column_widths
from pdf.tracks import tracks
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places
from tests.kit.profiles import at_length
from tests.kit.stage import Stage
from tests.pdf.samples import as_pdf
from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import CardPart, CardUnit, Column, Derived, Facts, Lines, Track
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


LONG = "Bartholomew Maximilian von und zu Hohenstaufen the Third Jr."
NUMBER = "List no. 01234567"


def card(units: tuple[Unit, ...], *, signed: bool = False) -> ForceCard:
    return ForceCard(
        LONG, "Vault 13", "Survivors", "Leader: Piper", "750", "of 750 Caps", units, "Legal", "✓", kind="Card",
        number=NUMBER, game="Battle Mode", signed=signed,
    )  # fmt: skip


@pytest.mark.parametrize("size", at_length(SIZES, ["A5"]))
@pytest.mark.parametrize("game", SYSTEMS)
def test_card_has_every_model_and_its_costs_add_up(game: str, size: PageSize) -> None:
    """Cards on A5 are drawn for every third faction, on the larger papers for each."""
    system = SYSTEMS[game]
    edition = system.editions[0]
    for seed, faction in enumerate(edition.factions):
        force = system.forces.sample(Terms(edition, system.default_size), faction, seed)
        found = system.papers.card(force, edition)
        assert sum(one.cost or 0 for one in found) == system.forces.summarise(force, edition).total
        for one, copy in product(found, ("player", "judge", "opponent")):
            tables = [part.block for part in one.parts if copy in part.on and isinstance(part.block, Figures)]
            rows = [row for table in tables if table.columns[-1].head == "Points" for row in table.rows]
            priced = [part.cost for part in one.parts if part.cost is not None]
            priced += [int(row[-1].split()[-1]) for row in rows]
            assert one.alone is None or one.cost == one.alone + sum(priced), one
            assert one.alone is not None or not priced or one.cost == sum(priced), one
            ticked = [row[-2:] for table in tables for row in table.rows if table.columns[-1].kind == "boxes"]
            out_of_play = sum(int(each.split()[0]) * int(boxes) for each, boxes in ticked)
            assert not ticked or one.cost == out_of_play, "what the opponent ticks"
        if size == "A5" and seed % 3:
            continue
        units = tuple(card_unit(one, "judge") for one in found)
        text = " ".join(page_texts(as_pdf(draw_force_cards, "A5", [card(units, signed=True)])))
        for one in found:
            for words in (*one.name.split(), *one.marks, str(one.cost or one.name)):
                assert words in text, (game, words)
            assert all(part.how in text for part in one.parts), "the judge sees the sums"
        assert all(word in text for word in LONG.split()) and "Checked by" in text
        for copy in ("player", "judge", "opponent"):
            cards = tuple(card_unit(one, copy) for one in found)
            text = " ".join(page_texts(as_pdf(draw_force_cards, size, [card(cards)])))
            assert "…" not in text, (game, copy, size, "nothing is cut")
        text = " ".join(page_texts(as_pdf(draw_force_cards, "A5", [card(units[:1])])))
        assert NUMBER in text and "Iron Open · Battle Mode" in text


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("skill_combat", {"AP left": "player", "HP lost": "player opponent", "Adds up from": "judge"}),
        ("fallout_warfare", {" each": "opponent"}),
        (
            "new_vegas",
            {"Wounds": "player opponent judge", "Out of play": "", "Each": "opponent"}
            | {"Strength needed": "player judge", "Assault weapons": "player opponent judge"},
        ),
        ("battle_mode", {"Out of play": ""}),
    ],
)
def test_each_copy_has_what_its_reader_ticks(game: str, said: dict[str, str]) -> None:
    system = SYSTEMS[game]
    edition = system.editions[0]
    found = system.papers.card(
        system.forces.sample(Terms(edition, system.default_size), edition.factions[0], 1), edition
    )
    for copy in ("player", "opponent", "judge"):
        one = replace(card(tuple(card_unit(unit, copy) for unit in found)), ticks="Tick when out of play")
        text = " ".join(page_texts(as_pdf(draw_force_cards, "A5", [one])))
        assert {words: words in text for words in said} == {words: copy in whose for words, whose in said.items()}, copy


def test_boxes_say_when_they_are_ticked() -> None:
    for ticks in ("Tick when checked", ""):
        one = replace(card((Unit("Cinder", "40"),)), ticks=ticks)
        (text,) = page_texts(as_pdf(draw_force_cards, "A5", [one]))
        assert ("Tick" in text) is bool(ticks)


def test_two_cards_share_a_sheet_and_a_long_force_goes_on() -> None:
    short, long = (tuple(Unit(f"Model {n}", "10", gear=(Gear("Rifle"),) * 3) for n in range(many)) for many in (5, 90))
    assert len(page_texts(as_pdf(draw_force_cards, "A4", [card(short)] * 2))) == 1
    pages = page_texts(as_pdf(draw_force_cards, "A5", [card(long)]))
    assert len(pages) > 1
    assert all(f"Model {n}" in " ".join(pages) for n in range(90))
    assert "Continued on the next card" in pages[0] and "Continued" not in pages[-1]


def heights_of(document: bytes, words: str) -> list[float]:
    """The height of the type of these words on each page."""
    read = [page.get_textpage() for page in pdfium.PdfDocument(document)]
    boxes = [page.get_charbox(found[0]) for page in read if (found := page.search(words).get_next())]
    return [round(top - bottom, 2) for _, bottom, _, top in boxes]


def test_a_long_force_names_the_parts_on_its_cards() -> None:
    units = tuple(Unit(f"Squad {n}", "10", gear=(Gear(f"Rifle {n}"),) * 9) for n in range(1, 13))
    document = as_pdf(draw_force_cards, "A5", [card(units[:2]), card(units)])
    parts = [re.findall(r"Squad (\d+) – Squad (\d+)", page) for page in page_texts(document)]
    assert parts[0] == [] and all(len(part) == 1 for part in parts[1:]) and len(parts) > 2
    bounds = [int(one) for ((first, last),) in parts[1:] for one in (first, last)]
    assert (bounds[0], bounds[-1]) == (1, 12)
    assert bounds[1:-1:2] == [one - 1 for one in bounds[2::2]], "each card goes on where the one before ended"
    assert len({*heights_of(document, "Rifle")}) == 1


def test_cards_of_a_document_have_one_type_size() -> None:
    units = tuple(Unit(f"Model {n}", "10", gear=(Gear("Rifle"),)) for n in range(9))
    short, long = card(units[:3]), card(units)
    (alone,) = heights_of(as_pdf(draw_force_cards, "A5", [short]), "Rifle")
    heights = heights_of(as_pdf(draw_force_cards, "A5", [*[short] * 4, long]), "Rifle")
    assert len({*heights}) == 1 and heights[0] < alone


def test_findings_are_below_each_other() -> None:
    found = tuple(f"Squad {n} has no leader" for n in range(2, 10))
    document = as_pdf(draw_force_cards, "A5", [replace(card((Unit("Cinder", "40"),)), findings=found)])
    spots = places(document, 0, *(f"Squad {n} has" for n in range(2, 10)))
    assert len({left for ((left, _),) in spots}) == 1


def test_each_card_has_two_lines_for_notes_or_more() -> None:
    figures = Gear("", Table((Col("Weapon"),), (("Minigun",),) * 60))
    for gear, models in ((Gear("Rifle"), (2, 9, 12, 19)), (figures, (1,))):
        for many in models:
            units = tuple(Unit(f"Model {n}", "10", gear=(gear,)) for n in range(many))
            texts = page_texts(as_pdf(draw_force_cards, "A5", [card(units)]))
            assert all("Notes" in text for text in texts), many


def test_every_model_has_its_figures_and_boxes_on_the_card() -> None:
    table = Table((Col("Weapon"), Col("At 10", "centre")), ((f"Minigun{BELOW}Big Guns", "79+"),))
    track = Track("", (("HP lost", tuple(map(str, range(1, 32)))),))
    gear = (Gear("HP 31"), Gear("With a +: the roll", block=table), Gear("Stimpak"), Gear("", block=track))
    for many in (1, 5):
        cards = [card((Unit("Cinder", "40", gear=gear),) * many)] * 2
        text = " ".join(page_texts(as_pdf(draw_force_cards, "A4", cards)))
        assert all(words in text for words in ("Weapon", "At 10", "Minigun", "Big Guns", "79+", "With a +", "Stimpak"))
        assert text.count("HP lost 1 2 3 4 5 6 7 8 9 10") == 2 * many


def test_gear_adds_up_to_the_cost_of_its_model_but_for_an_opponent() -> None:
    parts = CardPart("Metal Armor", 40), CardPart("Perk Rifle Man"), CardPart("2 × Knife", 20, "2 × 10")
    unit = CardUnit("Cinder", 110, ("Merc",), (*parts, CardPart("Saw", 0, "built in")), alone=50)
    sum_ = (
        ("Without gear", "50"), ("Metal Armor", "+40"), ("Perk Rifle Man", ""), ("2 × Knife: 2 × 10", "+20"),
        ("Saw: built in", ""),
    )  # fmt: skip
    for copy, said in (
        ("opponent", Gear(f"{unbroken('Metal Armor')}; {unbroken('Perk Rifle Man')}; {unbroken('2 × Knife')}; Saw")),
        ("player", Gear("", costs=sum_)),
        ("judge", Gear("", costs=sum_)),
    ):
        assert card_unit(unit, copy).gear == (said,)
        assert card_unit(replace(unit, parts=()), copy).gear == ()
    judged = card_unit(unit, "judge")
    long = replace(judged, gear=judged.gear * 5)
    for size in SIZES:
        pages = page_texts(as_pdf(draw_force_cards, size, [card((long,) * 17)]))
        assert len(pages) > 1
        assert all(5 * text.count("Merc") == text.count("Perk Rifle Man") for text in pages), "models are whole"


def test_columns_of_all_squads_stand_in_line_under_the_heads_of_each_card() -> None:
    columns = (Col("Models"), *(Col(f"Score {n}", "figure") for n in range(6)), Col("Out of play", "boxes"))
    rows = [(name, *"12345", "777", number) for name, number in (("Officer with a Varmint Rifle", "1"), ("Scout", "7"))]
    units = tuple(Unit(f"Squad {n}", "9", gear=(Gear("", block=Table(columns, (row,))),)) for n, row in enumerate(rows))
    document = as_pdf(draw_force_cards, "A5", [card(units)])
    assert page_texts(document)[0].count("Out of play") == 1
    search, lefts = pdfium.PdfDocument(document)[0].get_textpage().search("777"), []
    while found := search.get_next():
        lefts.append(search.textpage.get_charbox(found[0])[0])
    assert len(lefts) == 2 and lefts[0] == pytest.approx(lefts[1], abs=0.1)
    for many, parts in ((6, 1), (12, 2)):
        texts = page_texts(as_pdf(draw_force_cards, "A4", [card((units * 5)[:many])] * 2))
        assert (len(texts), " ".join(texts).count("Out of play")) == (parts, 2 * parts), many


def test_numbered_boxes_below_their_labels_have_one_left_edge_and_rows_of_fifteen() -> None:
    rows = ("HP lost", tuple(map(str, range(101, 139)))), ("AP by turn", tuple(map(str, range(201, 211))))
    unit = Unit("Cinder", "40", gear=(Gear("Stimpak"), Gear("", block=Track("", rows))))
    document = as_pdf(draw_force_cards, "Letter", [replace(card((unit,)), ticks="Tick when out of play")] * 2)
    wanted = ("Stimpak", "HP lost", "AP by turn", "101", "116", "131", "201")
    page, lefts = pdfium.PdfDocument(document)[0].get_textpage(), []
    for words in wanted:
        found = page.search(words).get_next()
        assert found, words
        lefts.append(page.get_charbox(found[0])[0] - 2 * words.isdecimal())
    assert lefts == pytest.approx([lefts[0]] * len(wanted), abs=1.0)


def test_a_mark_stays_on_the_line_of_its_name_and_a_number_with_its_noun() -> None:
    gear = tuple(Gear(f"{'Rifle, ' * many}3 × VATS") for many in range(12))
    unit = Unit("Lieutenant Colonel Autumn", "93", ("Commander", "Leader"), gear)
    document = as_pdf(draw_force_cards, "A5", [card((unit,))])
    (text,) = page_texts(document)
    assert text.count("3 × VATS") == len(gear)
    ((_, name),), ((_, mark),) = places(document, 0, "Lieutenant", "Commander")
    assert name == pytest.approx(mark, abs=2.0)


@pytest.mark.parametrize("size", SIZES)
def test_head_has_the_whole_title_and_event_where_both_are_long(size: PageSize) -> None:
    event = "The Greater Manchester and Salford Wasteland Open Championship"
    title = "Bartholomew Maximilian von und zu Hohenstaufen-Featherstone: Army sheet"
    (printed,) = page_texts(
        as_pdf(draw_game_sheets, size, [GameSheet(title, (), (Lines("", ("None.",)),))], event=event)
    )
    foot_at = printed.rindex("None.")
    assert "Army sheet" in printed[:foot_at] and "Championship" in printed[:foot_at], printed


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
