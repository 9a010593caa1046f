"""Force cards: every model and every cost is drawn, and nothing is cut."""

import re
from dataclasses import replace
from itertools import product

import pypdfium2 as pdfium
import pytest

from events.papers.force_sheets import card_unit
from languages.words import with_nbsp
from pdf.force_card import ForceCard, Gear, Unit, draw_force_cards
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.page import SIZES, PageSize
from pdf.table import BELOW, Col, Table
from tests.kit.papers import page_texts, places
from tests.kit.profiles import full_run
from tests.pdf.samples import as_pdf
from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import CardPart, CardUnit, Lines, Track
from validators.sheet import Table as Figures

LONG = "Bartholomew Maximilian von und zu Hohenstaufen the Third Jr."
NUMBER = "List no. 01234567"


def card(units: tuple[Unit, ...], *, signed: bool = False) -> ForceCard:
    return ForceCard(
        LONG, "Vault 13", "Survivors", "Leader: Piper", "750", "of 750 Caps", units, "Legal", "✓", kind="Card",
        number=NUMBER, game="Battle Mode", signed=signed,
    )  # fmt: skip


@pytest.mark.parametrize("size", full_run(SIZES, ["A5"]))
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
    bounds = [int(part) for ((first, last),) in parts[1:] for part in (first, last)]
    assert (bounds[0], bounds[-1]) == (1, 12)
    assert bounds[1:-1:2] == [bound - 1 for bound in bounds[2::2]], "each card goes on where the one before ended"
    assert len({*heights_of(document, "Rifle")}) == 1


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
        ("opponent", Gear(f"{with_nbsp('Metal Armor')}; {with_nbsp('Perk Rifle Man')}; {with_nbsp('2 × Knife')}; Saw")),
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
