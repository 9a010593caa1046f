"""Force cards: every model and cost of every game, two to a sheet, long forces on further cards."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from events.desk.force_sheets import card_unit
from pdf.force_card import ForceCard, Gear, Unit, force_cards
from pdf.table import BELOW, Col, Table
from pdf.tracks import SheetTrack
from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import Table as Figures

Texts = Callable[[bytes], list[str]]
LONG = "Bartholomew Maximilian von und zu Hohenstaufen the Third Jr."
SEAL = "0123456789abcdef" * 4


def card(units: tuple[Unit, ...], *, every_cost: bool = False) -> ForceCard:
    return ForceCard(
        LONG, "Vault 13", "Survivors", "Leader: Piper", "750", "of 750 Caps", units, "Legal", legal=True, kind="Card",
        seal=SEAL, every_cost=every_cost,
    )  # fmt: skip


@pytest.mark.parametrize("game", SYSTEMS)
def test_card_has_every_model_and_its_costs_add_up(game: str, printed_at: datetime, page_texts: Texts) -> None:
    system = SYSTEMS[game]
    edition = system.editions[0]
    for seed, faction in enumerate(edition.factions):
        force = system.forces.sample(Terms(edition, system.default_size), faction, seed)
        found = system.papers.card(force, edition)
        assert sum(one.cost for one in found) == system.forces.summarise(force, edition).total
        for one in found:
            tables = [part.block for part in one.parts if isinstance(part.block, Figures)]
            rows = [row for table in tables if table.columns[-1].head == "Points" for row in table.rows]
            priced = [part.cost for part in one.parts if part.cost is not None]
            priced += [int(row[-1].partition("\n")[0]) for row in rows]
            assert one.alone is None or one.cost == one.alone + sum(priced), one
            assert one.alone is not None or not priced or one.cost == sum(priced), one
        units = tuple(map(card_unit, found))
        text = " ".join(page_texts(force_cards([card(units, every_cost=True)], "Iron Open", "A5", printed_at)))
        for one in found:
            for words in (*one.name.split(), *one.marks, str(one.cost)):
                assert words in text, (game, words)
            assert all(part.how in text for part in one.parts), "the judge sees the sums"
        assert all(word in text for word in LONG.split()) and "Checked by" in text
        text = " ".join(page_texts(force_cards([card(units[:1])], "Iron Open", "A5", printed_at)))
        assert SEAL in text


def test_two_cards_share_a_sheet_and_a_long_force_goes_on(printed_at: datetime, page_texts: Texts) -> None:
    short, long = (tuple(Unit(f"Model {n}", "10", gear=(Gear("Rifle"),) * 3) for n in range(many)) for many in (5, 90))
    assert len(page_texts(force_cards([card(short)] * 2, "Iron Open", "A4", printed_at))) == 1
    pages = page_texts(force_cards([card(long)], "Iron Open", "A5", printed_at))
    assert len(pages) > 1
    assert all(f"Model {n}" in " ".join(pages) for n in range(90))
    assert "Continued on the next card" in pages[0] and "Continued" not in pages[-1]


def test_figures_and_boxes_stand_on_the_card_and_take_no_further_one(printed_at: datetime, page_texts: Texts) -> None:
    table = Table((Col("Weapon"), Col("At 10", "centre")), ((f"Minigun{BELOW}Big Guns", "79+"),))
    track = SheetTrack("", (("HP lost", tuple(map(str, range(1, 32)))),))
    gear = (Gear("HP 31"), Gear("With a +: the roll", block=table), Gear("Stimpak"), Gear("", block=track))
    for many, every_cost, boxes in ((1, False, 1), (1, True, 0), (5, False, 0)):
        cards = [card((Unit("Cinder", "40", gear=gear),) * many, every_cost=every_cost)] * 2
        (text,) = page_texts(force_cards(cards, "Iron Open", "A4", printed_at))
        assert all(words in text for words in ("Weapon", "At 10", "Minigun", "Big Guns", "79+", "With a +", "Stimpak"))
        assert text.count("HP lost 1 2 3 4 5 6 7 8 9 10") == 2 * boxes, (many, every_cost)


def test_boxes_say_when_they_are_ticked(printed_at: datetime, page_texts: Texts) -> None:
    for ticks in ("Tick when checked", ""):
        one = replace(card((Unit("Cinder", "40"),)), ticks=ticks)
        (text,) = page_texts(force_cards([one], "Iron Open", "A5", printed_at))
        assert ("Tick" in text) is bool(ticks)
