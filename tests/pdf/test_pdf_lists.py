"""Pairings, standings, badges and certificates read back: every name finds room, each code is read."""

import re
from cProfile import Profile
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from itertools import pairwise

import pytest
import zxingcpp
from pypdf import PdfReader

from pdf import wall
from pdf.badges import BADGE_HEIGHT, Badge, draw_badges
from pdf.bracket import Bracket, BracketMatch, Side, draw_bracket
from pdf.page import PageSize
from pdf.rows import put_table
from pdf.signs import Certificate, draw_certificates
from pdf.table import MANY_ROWS, Col
from pdf.wall import (
    PairedMatch,
    PairedPlayer,
    PairingRow,
    RoundPairings,
    draw_pairings_by_name,
    draw_pairings_by_table,
)
from tests.kit.papers import page_texts, picture
from tests.pdf.samples import NASTY, PRINTED_AT, as_pdf, scoresheets
from validators.names import alphabetical, first_letters

SHEETS = (draw_pairings_by_table, draw_pairings_by_name)
SIZES_TO_PRINT: tuple[PageSize, ...] = ("A4", "Letter")

COLUMNS = (
    Col("#", "figure", strong=True), Col("Player", strong=True), Col("Club"), Col("Faction"),
    Col("W–D–L", "centre", meaning="wins, draws, losses"),
    Col("Byes", "centre"), Col("TP", "figure", strong=True, meaning="tournament points"),
    Col("SoS", "figure", meaning="strength of schedule"), Col("VP+", "figure", meaning="victory points scored"),
)  # fmt: skip


def test_bracket_of_any_size_has_every_name_whole() -> None:
    for size in SIZES_TO_PRINT:
        for depth, page_count in ((3, 1), (5, 2), (6, 5)):
            names = [f"P{n:02} Maximiliane von Hohenlohe-Langenburg und zu Schillingsfuerst" for n in range(2**depth)]
            firsts = [
                BracketMatch(Side(a, "1", "12", won=True), Side(b, "32"))
                for a, b in zip(names[::2], names[1::2], strict=True)
            ]
            later = [(f"Round{n}", [BracketMatch(Side(""), Side(""))] * 2 ** (depth - n)) for n in range(2, depth + 1)]
            third = BracketMatch(Side("Cleo"), Side("Dan"))
            document = as_pdf(draw_bracket, size, Bracket([("Round1", firsts), *later], third))
            pages = page_texts(document)
            assert len(pages) == page_count
            whole = " ".join(pages)
            assert whole.count("fuerst") == len(names) and "…" not in whole
            drawn = b"".join(
                one.get_data()
                for page in PdfReader(BytesIO(document)).pages
                if (one := page.get_contents()) is not None
            )
            assert min(float(one) for one in re.findall(rb" (\d+\.?\d*) Tf", drawn)) >= 7, (size, depth)
            assert all(whole.count(name) == 1 for name in (f"Round{depth}", "Third place", "Cleo")), (size, depth)


def a_round(tables: int, byes: int = 0) -> RoundPairings:
    rows = [PairingRow(None, PairedPlayer(f"Bye{n:03}")) for n in range(byes)]
    rows += [
        PairingRow(n, PairedPlayer(f"Anna{n:03}", "Reds", "Survivors"), PairedPlayer(f"Bert{n:03}", "Blues"))
        for n in range(tables, 0, -1)
    ]
    return RoundPairings(3, tuple(rows), "Raiders", "starts 14:15")


def final(rows: tuple[tuple[str, ...], ...]) -> wall.Standings:
    return wall.Standings("Final standings after round 4", COLUMNS, rows, ("TP", "SoS", "VP+"))


def a_row(rank: int, name: str = "Zofia") -> tuple[str, ...]:
    return (str(rank), f"{name}{rank:03}", "Vault 13", "Brotherhood of Steel", "2–1–0", "1", "7", "1.250", "31")


def test_by_table_list_is_in_order_with_byes_last() -> None:
    (text,) = page_texts(as_pdf(draw_pairings_by_table, "A4", a_round(5, byes=1)))
    order = [text.index(name) for name in ("Anna001", "Bert001", "Anna002", "Anna005", "Bert005", "Bye000")]
    assert order == sorted(order)
    assert "Raiders · starts 14:15" in text and "Round 3 · Tables" in text and "Survivors · Reds" in text


def test_by_name_list_has_table_and_opponent() -> None:
    (text,) = page_texts(as_pdf(draw_pairings_by_name, "A4", a_round(5, byes=1)))
    compact = text.replace(" ", "")
    lines = [f"{n}Anna{n:03}againstBert{n:03}" for n in range(1, 6)]
    lines += [f"{n}Bert{n:03}againstAnna{n:03}" for n in range(1, 6)] + ["ByeBye000nogamethisround"]
    places = [compact.index(line) for line in lines]
    assert places == sorted(places)
    assert "no game this round" in text
    rows = (PairingRow(1, PairedPlayer("Ada"), PairedPlayer("Wilhelmina " * 5)),)
    (text,) = page_texts(as_pdf(draw_pairings_by_name, "A4", RoundPairings(1, rows)))
    assert "against Ada" in text and "against Wilhelmina" in text, "long names keep the whole width"


def test_players_of_one_name_are_listed_with_their_clubs_and_all_without_accents_in_order() -> None:
    rows = (
        PairingRow(1, PairedPlayer("Ada", "Reds"), PairedPlayer("Cy", "Greens")),
        PairingRow(2, PairedPlayer("Ada", "Blues"), PairedPlayer("Dee", "Greens")),
    )
    (text,) = page_texts(as_pdf(draw_pairings_by_name, "A4", RoundPairings(1, rows)))
    assert "Reds · against Cy" in text and "Blues · against Dee" in text and "Greens" not in text
    names = ["zoë", "Öz", "Oyelaran", "Łukasz", "Lukas", "Zoe", "Åsa", "Юлия"]
    assert sorted(names, key=alphabetical) == ["Åsa", "Lukas", "Łukasz", "Oyelaran", "Öz", "Zoe", "zoë", "Юлия"]


def test_each_of_several_pages_says_its_letters_from_60_names_on() -> None:
    for many in (59, 60):
        rows = [PairingRow(n, PairedPlayer(f"Anna{n:02}"), PairedPlayer(f"Łukasz{n:02}")) for n in range(many // 2)]
        rows += [PairingRow(None, PairedPlayer("Bo"))] * (many % 2)
        pages = page_texts(as_pdf(draw_pairings_by_name, "A5", RoundPairings(3, tuple(rows), "Raiders")))
        heads = list(dict.fromkeys(page.partition(" Iron Open ")[0] for page in pages))
        if many == 59:
            assert len(pages) > 1 and heads == ["Round 3 · Find your table"]
        else:
            assert heads[0].startswith("Round 3 · A to Anna") and heads[-1].endswith("to L"), (
                "the round and the letters"
            )
            ends = [head.removeprefix("Round 3 · ").split(" to ") for head in heads]
            assert all(one[-1] < other[0] for one, other in pairwise(ends)), "no range begins in the one before"
            assert all("Find your table · Raiders" in page for page in pages)


def test_letters_of_pages_are_as_many_as_tell_them_apart() -> None:
    assert first_letters("Ada", "Hal Noe", "", "Hetty") == "A to Ha"
    assert first_letters("Hetty", "Maud", "Hal Noe", "Noor") == "He to M"
    assert first_letters("Łukasz Nowak", "Łukasz Żur", "Łukasz Dąb", "Łukasz żuz") == "Lukasz N to Lukasz Zur"
    assert first_letters("Bo " * 20 + "b", "Cy", "Bo " * 20 + "a", "") == "Bo … B to C", "names that begin alike"
    assert first_letters("Al", "Bartholomew Maximilian A", "", "Bartholomew Maximilian B") == "A to Bartholomew … A"
    assert first_letters("Bartholomew Maximilian B", "Cy", "Bartholomew Maximilian A", "") == "Bartholomew … B to C"
    assert first_letters("Abe", "Ada") == "A"


def test_games_of_a_knockout_are_named() -> None:
    rows = [
        PairingRow(n, PairedPlayer(f"Anna {n}"), PairedPlayer(f"Bo {n}"), stage=stage, scenario=scenario)
        for n, (stage, scenario) in enumerate((("Final", "Raiders"), ("Game for third place", "")), 1)
    ]
    pairings = RoundPairings(4, tuple(rows), starts="from 10:05, 90 minutes")
    for draw in (draw_pairings_by_table, draw_pairings_by_name):
        (text,) = page_texts(as_pdf(draw, "A4", pairings))
        assert "Final" in text and "Game for third place" in text and "from 10:05" in text
    assert "Bo 1 Final Raiders" in page_texts(as_pdf(draw_pairings_by_table, "A4", pairings))[0]


def test_boards_of_a_match_stay_together_below_both_teams() -> None:
    def match(number: int) -> PairedMatch:
        boards = [
            PairingRow(3 * number + n, PairedPlayer(f"A{number}-{n}"), PairedPlayer(f"B{number}-{n}"), board=n)
            for n in range(1, 3 + number % 5)
        ]
        return PairedMatch(f"Team A{number} {'Long ' * 12}", f"Team B{number}", tuple(boards))

    matches = (*map(match, range(20)), PairedMatch("Choosers", "Others", tables="43–45"), PairedMatch("Resting"))
    rows = tuple(row for match in matches for row in match.boards)
    document = as_pdf(draw_pairings_by_table, "Letter", RoundPairings(3, rows, matches=matches))
    pages = page_texts(document)
    assert len(pages) > 1
    for number in range(20):
        (page,) = (page for page in pages if f"Team A{number} " in page)
        parts = [f"Team A{number} ", f"Team B{number}"]
        parts += [f"{3 * number + n} board {n} A{number}-{n} v B{number}-{n}" for n in range(1, 3 + number % 5)]
        places = [page.index(part) for part in parts]
        assert places == sorted(places)
    assert "Choosers v Others 43–45 The captains choose their boards Resting Bye" in pages[-1]


def test_sheet_of_nothing_has_one_page_that_says_so() -> None:
    nothing = RoundPairings(1, ())
    for document, words in (
        *((as_pdf(sheet, "Letter", nothing), "No pairings yet: draw the round") for sheet in SHEETS),
        (as_pdf(draw_badges, "A4", []), "No players yet."),
        (scoresheets([], "Letter", PRINTED_AT), "No table plays in this round."),
    ):
        (text,) = page_texts(document)
        assert words in text and "Page 1 of 1" in text, words


def test_standings_with_their_tie_breaks() -> None:
    (text,) = page_texts(as_pdf(wall.draw_standings, "A4", final(tuple(a_row(n) for n in range(1, 11)))))
    assert "Final standings after round 4" in text
    legend = (
        "1. TP Tournament points 2. SoS Strength of schedule 3. VP+ Victory points scored W–D–L Wins, draws, losses"
    )
    assert f"Ranked in this order {legend}" in text
    assert [cell for cell in a_row(7) if cell not in text] == []
    order = [text.index(f"Zofia{n:03}") for n in range(1, 11)]
    assert order == sorted(order)


@pytest.mark.sweep
def test_very_many_rows_are_laid_out_once() -> None:
    times = []
    for count in (MANY_ROWS, MANY_ROWS + 1):
        rows = tuple((str(place), f"P{place}") for place in range(1, count + 1))
        profile = Profile()
        profile.runcall(as_pdf, wall.draw_standings, "A4", wall.Standings("Standings", COLUMNS[:2], rows))
        times += [entry.callcount for entry in profile.getstats() if entry.code == put_table.__code__]
    assert times[0] > 1 and times[1] == 1


def test_standings_before_the_end_of_round_1_say_so() -> None:
    nobody = replace(final(()), title="Standings before round 1", tie_breaks=(), note="Ranked by the bracket.")
    (text,) = page_texts(as_pdf(wall.draw_standings, "A4", nobody))
    assert all(words in text for words in ("No round is over yet.", "before round 1", "Ranked by the bracket."))
    assert "Ranked in this order" not in text


def test_many_columns_turn_the_page() -> None:
    more = tuple(Col(f"Tie-break {n}", "figure") for n in range(8))
    wide = wall.Standings("After round 2", COLUMNS + more, tuple(a_row(n) + ("0.333",) * 8 for n in range(1, 30)))
    for standings, turned in ((wide, True), (final((a_row(1),)), False)):
        box = PdfReader(BytesIO(as_pdf(wall.draw_standings, "A4", standings))).pages[0].mediabox
        assert (box.width > box.height) is turned


LINK = "https://overseer.example.org/p/WzEsMF0.abcdefghijklmnopqrstuvwxyz0"


@pytest.mark.slow
def test_badges_have_player_and_qr_code() -> None:
    given = [Badge(name, f"Faction {n}", f"Club {n}", f"{LINK}{n:02}") for n, name in enumerate(NASTY)]
    document = as_pdf(draw_badges, "Letter", given)
    texts = page_texts(document)
    assert len(texts) == -(-len(given) // 6)
    for n, shown in enumerate(NASTY.values()):
        for words in (f"Faction {n}", f"Club {n}", *([shown] if shown.isascii() else [])):
            assert words in texts[n % len(texts)], "in an order for stack cutting"
    found = [code.text for page in range(len(texts)) for code in zxingcpp.read_barcodes(picture(document, page, 3.0))]
    assert sorted(found) == [badge.address for badge in given]


def test_private_code_is_on_the_strip_alone() -> None:
    for private in (True, False):
        given = [Badge("Zofia Wiśniewska", "Survivors", "Vault 13", LINK, private)]
        shot = picture(as_pdf(draw_badges, "A4", given), 0, 4.0)
        black = next(y for y in range(shot.height) if shot.getpixel((480, y)) == 0 and shot.getpixel((560, y)) == 0)
        edge = black + int(BADGE_HEIGHT * 4)
        worn, strip = shot.crop((0, black, shot.width, edge)), shot.crop((0, edge + 8, shot.width, edge + 4 * 80))
        assert [code.text for code in zxingcpp.read_barcodes(worn)] == ([] if private else [LINK])
        assert [code.text for code in zxingcpp.read_barcodes(strip)] == ([LINK] if private else [])


ADA = Certificate("Ada Lovelace", "Champion", "Survivors · rank 1 of 8", "Town Hall · 5 December 2026", ("Judge",))


def test_certificate_has_every_text_on_the_chosen_paper() -> None:
    for wide, shape in ((True, (841.9, 595.3)), (False, (595.3, 841.9))):
        (page,) = PdfReader(BytesIO(as_pdf(draw_certificates, "A4", [ADA], wide))).pages
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(shape, abs=0.1)
        text = page.extract_text()
        for words in ("Certificate", ADA.name, ADA.title, ADA.line, "Iron Open", ADA.when, "Judge", "given to"):
            assert words in text, (wide, words)


def test_each_certificate_has_a_page_and_the_time_changes_the_date_alone() -> None:
    several = [ADA, Certificate("Bo", "Wooden spoon", "", "")]
    pages = PdfReader(BytesIO(as_pdf(draw_certificates, "A4", several))).pages
    assert [page.extract_text().split("\n")[4] for page in pages] == ["Ada Lovelace", "Bo"]
    first, later = (
        as_pdf(draw_certificates, "A4", several, at=PRINTED_AT + timedelta(hours=hours)) for hours in (0, 1)
    )
    assert len([1 for a, b in zip(first, later, strict=True) if a != b]) < 80, "dates and fingerprint"
    with pytest.raises(ValueError, match="No page"):
        as_pdf(draw_certificates, "A4", [])
