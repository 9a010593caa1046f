"""Pairings and standings read back."""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest
from pypdf import PdfReader

from pdf.page import PageSize
from pdf.table import Col
from pdf.wall import (
    PairedPlayer,
    PairingRow,
    RoundPairings,
    Standings,
    name_key,
    pairings_by_name,
    pairings_by_table,
    standings_sheet,
)
from tests.kit.papers import page_texts
from tests.pdf.samples import PRINTED_AT

Sheet = Callable[[RoundPairings, PageSize, datetime], bytes]
SHEETS: tuple[Sheet, ...] = (pairings_by_table, pairings_by_name)
SIZES_TO_PRINT: tuple[PageSize, ...] = ("A4", "Letter")

COLUMNS = (
    Col("#", "figure", strong=True), Col("Player", strong=True), Col("Club"), Col("Faction"),
    Col("W–D–L", "centre", meaning="wins, draws, losses"),
    Col("Byes", "centre"), Col("TP", "figure", strong=True, meaning="tournament points"),
    Col("SoS", "figure", meaning="strength of schedule"), Col("VP+", "figure", meaning="victory points scored"),
)  # fmt: skip


def a_round(tables: int, byes: int = 0) -> RoundPairings:
    rows = [PairingRow(None, PairedPlayer(f"Bye{n:03}")) for n in range(byes)]
    rows += [
        PairingRow(n, PairedPlayer(f"Anna{n:03}", "Reds", "Survivors"), PairedPlayer(f"Bert{n:03}", "Blues"))
        for n in range(tables, 0, -1)
    ]
    return RoundPairings("Open", 3, tuple(rows), "Raiders", "starts 14:15")


def final(rows: tuple[tuple[str, ...], ...]) -> Standings:
    return Standings("Open", 4, COLUMNS, rows, ("TP", "SoS", "VP+"), final=True)


def a_row(rank: int, name: str = "Zofia") -> tuple[str, ...]:
    return (str(rank), f"{name}{rank:03}", "Vault 13", "Brotherhood of Steel", "2–1–0", "1", "7", "1.250", "31")


def test_by_table_list_is_in_order_with_byes_last() -> None:
    for size in SIZES_TO_PRINT:
        (text,) = page_texts(pairings_by_table(a_round(5, byes=1), size, PRINTED_AT))
        order = [text.index(name) for name in ("Anna001", "Bert001", "Anna002", "Anna005", "Bert005", "Bye000")]
        assert order == sorted(order), size
        assert "Raiders · starts 14:15" in text and "Round 3 · Tables" in text and "Survivors · Reds" in text, size


@pytest.mark.slow
def test_60_tables_run_over_pages_and_lose_nobody() -> None:
    for sheet, size in product(SHEETS, SIZES_TO_PRINT):
        pairings = a_round(60, byes=1)
        document = sheet(pairings, size, PRINTED_AT)
        texts = page_texts(document)
        assert len(texts) > 1, (sheet, size)
        together = " ".join(texts)
        for row in pairings.rows:
            assert row.a.name in together, (sheet, size)
            assert row.b is None or row.b.name in together, (sheet, size)
        for number, text in enumerate(texts, 1):
            assert f"Page {number} of {len(texts)}" in text and "Open" in text, (sheet, size)


def test_by_name_list_has_table_and_opponent() -> None:
    (text,) = page_texts(pairings_by_name(a_round(5, byes=1), "A4", PRINTED_AT))
    compact = text.replace(" ", "")
    lines = [f"{n}Anna{n:03}Bert{n:03}" for n in range(1, 6)]
    lines += [f"{n}Bert{n:03}Anna{n:03}" for n in range(1, 6)] + ["ByeBye000nogamethisround"]
    places = [compact.index(line) for line in lines]
    assert places == sorted(places)
    assert "no game this round" in text


def test_long_names_keep_the_whole_width_of_a_list_by_name() -> None:
    rows = (PairingRow(1, PairedPlayer("Ada"), PairedPlayer("Wilhelmina " * 5)),)
    (text,) = page_texts(pairings_by_name(RoundPairings("Open", 1, rows), "A4", PRINTED_AT))
    assert "against Ada" in text and "against Wilhelmina" in text


def test_players_of_one_name_are_listed_with_their_clubs() -> None:
    rows = (
        PairingRow(1, PairedPlayer("Ada", "Reds"), PairedPlayer("Cy", "Greens")),
        PairingRow(2, PairedPlayer("Ada", "Blues"), PairedPlayer("Dee", "Greens")),
    )
    (text,) = page_texts(pairings_by_name(RoundPairings("Open", 1, rows), "A4", PRINTED_AT))
    assert "Reds Cy" in text and "Blues Dee" in text and "Greens" not in text


def test_names_are_sorted_without_their_accents() -> None:
    names = ["zoë", "Öz", "Oyelaran", "Łukasz", "Lukas", "Zoe", "Åsa", "Юлия"]
    assert sorted(names, key=name_key) == ["Åsa", "Lukas", "Łukasz", "Oyelaran", "Öz", "Zoe", "zoë", "Юлия"]


def test_round_without_pairings_says_what_to_do() -> None:
    for sheet in SHEETS:
        (text,) = page_texts(sheet(RoundPairings("Open", 1, ()), "Letter", PRINTED_AT))
        assert "No pairings yet: draw the round" in text and "Page 1 of 1" in text, sheet


def test_standings_with_their_tie_breaks() -> None:
    for size in SIZES_TO_PRINT:
        (text,) = page_texts(standings_sheet(final(tuple(a_row(n) for n in range(1, 11))), size, PRINTED_AT))
        assert "Final standings after round 4" in text, size
        legend = (
            "1. TP Tournament points 2. SoS Strength of schedule 3. VP+ Victory points scored W–D–L Wins, draws, losses"
        )
        assert f"Ranked in this order {legend}" in text, size
        for cell in a_row(7):
            assert cell in text, size
        order = [text.index(f"Zofia{n:03}") for n in range(1, 11)]
        assert order == sorted(order), size


def test_many_players_and_none_at_all() -> None:
    texts = page_texts(standings_sheet(final(tuple(a_row(n) for n in range(1, 101))), "Letter", PRINTED_AT))
    together = " ".join(texts)
    assert all(f"Zofia{n:03}" in together for n in range(1, 101))
    assert all("Player" in text and f"of {len(texts)}" in text for text in texts)
    nobody = replace(final(()), after_round=0, tie_breaks=(), note="Ranked by the bracket.")
    (text,) = page_texts(standings_sheet(nobody, "A4", PRINTED_AT))
    assert all(words in text for words in ("No players yet.", "before round 1", "Ranked by the bracket."))
    assert "Ranked in this order" not in text


def test_many_columns_turn_the_page() -> None:
    more = tuple(Col(f"Tie-break {n}", "figure") for n in range(8))
    wide = Standings("Open", 2, COLUMNS + more, tuple(a_row(n) + ("0.333",) * 8 for n in range(1, 30)))
    document = standings_sheet(wide, "A4", PRINTED_AT)
    box = PdfReader(io.BytesIO(document)).pages[0].mediabox
    assert box.width > box.height
    narrow = standings_sheet(final((a_row(1),)), "A4", PRINTED_AT)
    assert PdfReader(io.BytesIO(narrow)).pages[0].mediabox.width < box.width


def test_row_that_does_not_match_the_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="one text for each column"):
        final((("1", "Zofia"),))
