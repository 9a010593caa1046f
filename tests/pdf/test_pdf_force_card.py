"""Force cards: every model and cost of every game, two to a sheet, long forces on further cards."""

from collections.abc import Callable
from datetime import datetime

import pytest

from pdf.force_card import ForceCard, Gear, Unit, force_cards
from pdf.table import BELOW, Col, Table
from validators import SYSTEMS
from validators.contract import Terms

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
            priced = [part.cost for part in one.parts if part.cost is not None]
            assert one.alone is None or one.cost == one.alone + sum(priced), one
            assert one.alone is not None or not priced or one.cost == sum(priced), one
        units = tuple(
            Unit(one.name, str(one.cost), one.marks, tuple(Gear(p.text, str(p.cost or ""), p.how) for p in one.parts))
            for one in found
        )
        (text,) = page_texts(force_cards([card(units, every_cost=True)], "Iron Open", "A5", printed_at))
        for one in found:
            for words in (*one.name.split(), *one.marks, str(one.cost)):
                assert words in text, (game, words)
            assert all(part.how in text for part in one.parts), "the judge sees the sums"
        assert all(word in text for word in LONG.split()) and "Checked by" in text
        (text,) = page_texts(force_cards([card(units[:1])], "Iron Open", "A5", printed_at))
        assert SEAL in text


def test_two_cards_share_a_sheet_and_a_long_force_goes_on(printed_at: datetime, page_texts: Texts) -> None:
    short, long = (tuple(Unit(f"Model {n}", "10", gear=(Gear("Rifle"),) * 3) for n in range(many)) for many in (5, 90))
    assert len(page_texts(force_cards([card(short)] * 2, "Iron Open", "A4", printed_at))) == 1
    pages = page_texts(force_cards([card(long)], "Iron Open", "A5", printed_at))
    assert len(pages) > 1
    assert all(f"Model {n}" in " ".join(pages) for n in range(90))
    assert "Continued on the next card" in pages[0] and "Continued" not in pages[-1]


def test_table_of_figures_stands_on_the_card(printed_at: datetime, page_texts: Texts) -> None:
    table = Table((Col("Weapon"), Col("At 10", "centre")), ((f"Minigun{BELOW}Big Guns", "79+"),))
    gear = (Gear("HP 31"), Gear("With a +: the roll", table=table), Gear("Stimpak"))
    (text,) = page_texts(force_cards([card((Unit("Cinder", "40", gear=gear),))] * 2, "Iron Open", "A4", printed_at))
    assert all(words in text for words in ("Weapon", "At 10", "Minigun", "Big Guns", "79+", "With a +", "Stimpak"))
