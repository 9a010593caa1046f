"""Scoresheets, whole and half, read back: before the game, after it with the figures in their boxes, and blank."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from itertools import product
from threading import Barrier

import pytest
import zxingcpp
from PIL import ImageChops
from pypdf import PdfReader

from events.desk.event_pack import table_map
from events.desk.scoresheets import blank_sheet, score_form
from events.web.parsing import LENGTH
from models.event import Event
from pdf.cuts import Each
from pdf.fonts import draw_text
from pdf.page import Frame, PageSize, Paper, finish, new_paper, next_page
from pdf.scoresheet import scoresheets
from pdf.sheet_data import FormRow, MarkerGrid, ScoreForm, SheetPlayer, SheetResult, SideResult, VpGrid
from pdf.sheet_head import CODE
from pdf.sheet_scenario import fill
from pdf.table_map import TableMap
from pdf.tracks import whole_models
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places
from tests.pdf.samples import EXTRACT, KINDS, LONG, PRINTED_AT
from validators import SYSTEMS
from validators.contract import Terms
from validators.measures import Measure
from validators.sheet import Track

WHOLE: tuple[PageSize, ...] = ("A4", "Letter")
HALVES: tuple[tuple[PageSize, Each], ...] = (("A4", 2), ("Letter", 2), ("A5", 1))
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("Letter", 1), *HALVES)


def test_sheet_has_everything_that_a_table_needs() -> None:
    wanted = (
        "TABLE", "7", "Autumn Wasteland Open", "Round 2 · 90 minutes", "Extract the Information", "Zofia Wiśniewska",
        "Brotherhood of Steel · Vault 13 Kraków", "748 Caps", "Leader: Paladin Danse, Tactician", "Miles O'Hara",
        "750 Caps", "Leader: Super Mutant Brute", "7K3 QX2", "at desk.example.org/g", "within Red (6″)", "Black 12″",
        "Black + Red 18″", "0–3", "Hatched: nothing to score", "Both players together: at most 3 VP a round",
        "Hackers", "Smashers", "Each kind at most twice.", "Rounds", "Markers", "Total VP", "Winner",
        "A · Zofia", "B · Miles", "Draw", "Ended early", "A conceded", "B conceded", "Unfinished", "A agrees",
        "B agrees", "Judge, if called", "Time started", "Time ended", "From game round 2, for each marker once a round",
    )  # fmt: skip
    whole = (
        "Report the result: scan the QR code or enter this code", "Set-up", "Scoring", *KINDS,
        *EXTRACT.setup, *EXTRACT.scoring,
    )  # fmt: skip
    for size, each in PLACES:
        text, *_ = page_texts(scoresheets([EXTRACT], size, PRINTED_AT, each))
        assert [words for words in wanted if words not in text] == [], (size, each)
        named = [kind for kind in KINDS if kind in text]
        assert named == list(KINDS), (size, each)
        if (size, each) not in HALVES:
            assert [words for words in whole if words not in text] == [], size


def test_long_texts_leave_out_whole_sentences() -> None:
    steps = tuple(f"Step {n} scores one of the many markers of this table, and ends here{n}." for n in range(30))
    for size, each in HALVES:
        (short, _), (long, back) = (
            page_texts(scoresheets([replace(EXTRACT, scoring=scoring)], size, PRINTED_AT, each))
            for scoring in (("One marker.",), steps)
        )
        assert "One marker." in short and "scenario sheet" not in short, (size, each)
        assert "Set-up • See the back." in long and all(step in back for step in EXTRACT.setup), (size, each)
        assert "… All of it is on the scenario sheet." in long, (size, each)
        shown = [n for n in range(30) if f"Step {n} scores" in long]
        assert shown == [n for n in range(30) if f"here{n}." in long], "no sentence is printed in part"
        assert shown == list(range(len(shown))) and 3 < len(shown) < 30, (size, each)


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_half_sheets_have_set_up_turns_losses_and_notes_on_the_back(system_id: str) -> None:
    system = SYSTEMS[system_id]
    event = Event(system=system_id, name="Open", round_minutes=90, size=system.default_size)  # type: ignore[call-arg]
    for (size, each), scenario in product(HALVES, system.scenarios):
        blank = blank_sheet(event, 1, scenario)
        bare = replace(blank, scenario="", setup=(), table_map=TableMap(48, 0, ()))
        document = scoresheets([blank, bare], size, PRINTED_AT, each)
        pages = [" ".join(text.split()) for text in page_texts(document)]
        wanted = [" ".join(step.split()) for step in (*blank.setup, *blank.order)]
        played = [
            *(one.title for one in blank.losses),
            *(words for words, _ in (blank.turns.rows if blank.turns else ())),
        ]
        assert [words for words in (*wanted, *played, "Notes") if words not in pages[1]] == [], (scenario.id, size)
        assert "Set-up and notes" in pages[-1] and [one for one in played if one not in pages[-1]] == [], size
        assert list(faults(document)) == [], (scenario.id, size)


def test_what_is_too_long_is_cut_visibly() -> None:
    for sheet, cut in (
        (EXTRACT, 0),
        (replace(EXTRACT, setup=("The same again. " * 12,) * 20), 1),
        (replace(EXTRACT, a=SheetPlayer("Bartholomew " * 30)), 1),
    ):
        assert page_texts(scoresheets([sheet], "Letter", PRINTED_AT))[0].count("…") == cut, sheet.a.name


def test_names_clubs_and_roles_are_whole_on_every_paper() -> None:
    name, club = LONG[:60], "Wasteland Wargaming Society of Greater Manchester and Salford"
    player = SheetPlayer(name, "Brotherhood of Steel", club, 185, role="Scavengers", fielded=150)
    rows = FormRow("End", choices=("Stood", "Routed")), FormRow("Models lost", worth=(3,))
    totals = {side: replace(getattr(RESULT, side), total=219) for side in "ab"}
    form, told = ScoreForm(rows, rows), replace(RESULT, **totals, winner=f"Winner: {name}")
    short = replace(EXTRACT.objectives, note="No kind more than twice")
    for (size, each), b in product(PLACES, (EXTRACT.b, replace(player, club=""))):
        sheet = replace(EXTRACT, a=player, b=b, unit="points", objectives=short)
        for one in (sheet, replace(sheet, form=form, result=told, url="", code="")):
            document = scoresheets([one], size, PRINTED_AT, each)
            text, *_ = page_texts(document)
            assert text.count("…") <= (0 if each == 1 and size != "A5" else 2) * (one.result is None), (size, each)
            joined = text.replace("- ", "").replace("-", "").replace("\x02", "")
            assert all(words.replace("-", "") in joined for words in (name, club, "Role: Scavengers")), (size, each)
            assert list(faults(document)) == [], (size, each)
            assert ("tick one" in text) is (one.result is None and bool(one.form)), "a record asks for nothing"


def test_total_is_whole_on_every_paper() -> None:
    for unit in ("points", "SPECIAL points", "Caps"):
        player = replace(EXTRACT.a, force_total=11999, fielded=11500, name="W" * 60, leader="Leader: Officer " * 4)
        for size, each in PLACES:
            text, *_ = page_texts(scoresheets([replace(EXTRACT, a=player, unit=unit)], size, PRINTED_AT, each))
            assert f"11500 of 11999 {unit}" in text, (size, each)


def test_edges_have_letters_and_no_players() -> None:
    document = scoresheets([EXTRACT], "A4", PRINTED_AT)
    (((_, b),), ((_, a),)) = places(document, 0, "Edge B", "Edge A")
    assert a < b
    assert len(places(document, 0, EXTRACT.a.name)[0]) == 2, "box, winner"


def test_losses_and_turns_are_ticked_next_to_a_small_map() -> None:
    for system_id, own, turned in (
        ("fallout_warfare", "Losses, with the points", ""), ("new_vegas", "Losses: tick each wound", "Turns:"),
        ("skill_combat", "HP: tick each point lost", "Turns:"), ("fallout_skirmish", "", "5: 10+"),
    ):  # fmt: skip
        system = SYSTEMS[system_id]
        terms = Terms(system.editions[0], system.default_size)
        forces = [system.forces.sample(terms, faction, 1) for faction in terms.edition.factions[:2]]
        losses = tuple(system.papers.losses(one, terms.edition) for one in forces) if system.papers.losses else ()
        for scenario, size in product(system.scenarios, WHOLE):
            form, title = score_form(scenario), system.papers.losses_title(scenario)
            shown = replace(
                EXTRACT, scenario=scenario.name, setup=scenario.setup, scoring=scenario.scoring, form=form,
                table_map=TableMap(48, 6, ()), turns=system.papers.turns,
                losses=tuple(replace(one, title=title) for one in losses),
            )  # fmt: skip
            document = scoresheets([shown], size, PRINTED_AT)
            (text,) = page_texts(document)
            assert own in text and turned in text, (scenario.id, size)
            assert list(faults(document)) == [], (scenario.id, size)
            names = {words for one in losses for words, _ in one.rows}
            assert [words for words in names if words not in text] == [], (scenario.id, size)
            assert "Edge A" in text, "a map on every sheet"


def test_sheets_of_a_round_have_the_same_parts_in_the_same_type() -> None:
    few = Track("Losses", (("1: Squire", ("14",)), ("2 × Scribe", ("5", "5"))))
    many = replace(few, rows=tuple((f"{n}: Squire, squadleader with SMG", ("11",) * 5) for n in range(1, 16)))
    sheets = [replace(EXTRACT, table=n, losses=(one, few)) for n, one in enumerate((few, many, few), 1)]
    for size in WHOLE:
        document, opened = scoresheets(sheets, size, PRINTED_AT), []
        for number in range(3):
            wanted = ("Edge A", "Set-up", "Losses", "Victory points in", "Total VP", "Winner")
            opened.append([(round(x), round(y)) for found in places(document, number, *wanted) for x, y in found[:1]])
        assert opened[0] == opened[1] == opened[2], size
        assert list(faults(document)) == [], size


def test_rows_of_losses_end_with_a_whole_model() -> None:
    wounds = ("1", "", "", "2", "", "", "3", "", "")
    assert [whole_models(wounds, across) for across in (2, 3, 5, 6, 8, 9)] == [3, 3, 3, 6, 6, 9]
    assert whole_models(("1", "2", "3"), 2) == 2 and whole_models(("",) * 8, 5) == 5, "one box each"


def test_each_unit_of_the_losses_has_a_row_and_all_boxes_a_column() -> None:
    names = "1: Squire, squadleader with a Grenade", "Dog", "6 × Wolf"
    boxes = ("F", None, "14"), ("F", None, "5"), ("F", None, *map(str, range(21, 27)))
    fielded = Track("Losses", tuple(zip(names, boxes, strict=True)))
    for size in WHOLE:
        document = scoresheets([replace(EXTRACT, losses=(fielded, fielded))], size, PRINTED_AT)
        letters, *found = places(document, 0, "F", "Squire", "Dog", "6 × Wolf", "14", "21", "26")
        (_, squire), (_, dog), (_, wolf), (hero, _), (first, beast), (_, last) = (one[0] for one in found)
        assert squire > dog + 8 and dog > wolf + 8, (size, "each on a row of its own")
        assert hero == pytest.approx(first, abs=1) and beast == pytest.approx(last, abs=1), (size, "one column")
        assert len({round(x) for x, _ in letters if x < hero}) == 1, (size, "what is fielded has a column, too")


def test_sheets_of_one_scenario_need_no_room_for_another() -> None:
    long = replace(EXTRACT, scenario="Long", setup=EXTRACT.setup * 7)
    for size in WHOLE:
        alone = places(scoresheets([EXTRACT], size, PRINTED_AT), 0, "Set-up", "Total VP")
        assert places(scoresheets([EXTRACT, long], size, PRINTED_AT), 0, "Set-up", "Total VP") == alone, size


def test_winner_is_ticked_by_whole_names_or_by_the_sides() -> None:
    for size, each in PLACES:
        text, *_ = page_texts(scoresheets([replace(EXTRACT, a=SheetPlayer(LONG[:60]))], size, PRINTED_AT, each))
        named = f"A · {LONG[:60]}" in text and "B · Miles O'Hara" in text
        assert named is (each == 1 and size != "A5") and named is not ("Player A Player B Draw" in text), (size, each)


def test_nothing_leaves_its_box() -> None:
    long = ("Bartholomew-" * 20)[:200]
    player = SheetPlayer(long, long, long, 123456789, long)
    sheet = replace(
        EXTRACT, event=long, table=1234567890, a=player,
        b=replace(player, name="山田太郎" * 50, club="김민수" * 60, leader="Юлия " * 40), scenario=long,
        setup=(long,) * 12, scoring=("word " * 40,) * 12, unit=long,
        grid=VpGrid((1,) * 6, (1,) * 6, "word " * 12, ("Hackers", "Smashers")), code=long[:30], address=long,
        objectives=replace(EXTRACT.objectives, kinds=(long,) * 6, note=long),
    )  # fmt: skip
    for size, each in PLACES:
        document = scoresheets([sheet, sheet], size, PRINTED_AT, each)
        assert list(faults(document, cut=True)) == [], (size, each)
        if size != "A5" and each == 2:
            page = picture(document, 0, 2.0)
            for above in (page.height // 2 - 50, page.height // 2 + 6):
                strip = page.crop((0, above, page.width, above + 44))
                assert strip.getextrema() == (255, 255), "white on both sides of the knife"


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_the_whole_scoring_of_every_scenario_fits(system_id: str) -> None:
    for size, each in HALVES:
        for one in SYSTEMS[system_id].scenarios:
            table = table_map(Event(system=system_id), one)  # type: ignore[call-arg]
            assert [(m.x, m.y, m.owner) for m in table.markers] == [(m.x, m.y, m.owner) for m in one.markers], one.id
            order = ("Sequence of A:", "Sequence of B:") if SYSTEMS[system_id].papers.turn_order else ()
            sheet = replace(EXTRACT, scenario=one.name, scoring=one.scoring, table_map=table, order=order)
            text, *_ = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
            assert "… All of it" not in text, (size, each, one.id)
            assert [line for line in one.scoring if " ".join(line.split()) not in text] == [], (size, each, one.id)
            (full,) = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
            shown = {"Example" in text, "Example" in full, table.example, system_id == "fallout_skirmish"}
            assert len(shown) == 1, (size, each, one.id)


@pytest.mark.slow
def test_cells_that_cannot_score_are_hatched() -> None:
    free = (0, 3, 3, 3, 3, 3)  # one box is always impossible, so every sheet has the note about hatching
    for size, each in (PLACES[0], *HALVES[1:]):
        sheets = [
            replace(EXTRACT, grid=VpGrid(*most))
            for most in ((free, free), ((0, 0, *free[2:]), free), ((*free[:5], 0), free), (free, (0, 0, *free[2:])))
        ]
        plain, *pages = (picture(scoresheets([one], size, PRINTED_AT, each), 0, 4.0) for one in sheets)
        found = []
        for hatched in pages:
            box = ImageChops.difference(plain, hatched).getbbox()
            assert box is not None, (size, each)
            assert 60 < box[2] - box[0] < 340 and 60 < box[3] - box[1] < 200, "a cell, and nothing else"
            shades = hatched.crop((box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6)).tobytes()
            assert sum(shades) / len(shades) < 215
            assert max(shades) - min(shades) > 60, "the grey carries lines, for printers without tints"
            found.append(box)
        second, last, below = found
        assert second[0] < last[0] and second[1] == last[1] and second[0] == below[0], (size, each)
        assert second[3] <= below[1] + 8, "A above B"


@pytest.mark.slow
def test_qr_codes_lead_to_their_own_games_in_the_order_of_the_cut() -> None:
    long = "https://a-rather-long-host-name-of-a-club.example.org:8443/sub/path/g/ABCDEFGHJK"
    urls = [*(f"https://desk.example.org/g/{code}" for code in ("7K3QX2", "0O1I5S", "000004")), long]
    sheets = [replace(EXTRACT, table=n, url=url) for n, url in enumerate(urls, 1)]
    for (size, each), down in ((PLACES[0], 1), (("Letter", 2), 2), (("A5", 2), 1)):
        document = scoresheets(sheets, size, PRINTED_AT, each)
        fronts = range(0, len(PdfReader(io.BytesIO(document)).pages), 1 if (size, each) == PLACES[0] else 2)
        pages = [picture(document, n, 110 / 72) for n in fronts]
        parts = [
            page.crop((0, page.height * part // down, page.width, page.height * (part + 1) // down))
            for part in range(down)
            for page in pages
        ]
        assert [code.text for part in parts for code in zxingcpp.read_barcodes(part)] == urls, (size, each)
        outline = [str(getattr(one, "title", "")) for one in PdfReader(io.BytesIO(document)).outline[1]]
        assert outline == [f"Table {n}" for n in range(1, 5)], "in the order of the tables, however they lie"


def test_documents_that_end_at_the_same_moment_have_their_own_letters() -> None:
    papers = []
    for _ in range(8):
        paper = new_paper("A4", title="Letters", event="Iron Open", printed_at=PRINTED_AT)
        for line, first in enumerate(range(0xC0, 0x4E0, 32)):
            draw_text(paper.canvas, 40, 40 + 20 * line, "".join(map(chr, range(first, first + 32))), 9)
        next_page(paper)
        papers.append(paper)
    usual, together = sys.getswitchinterval(), Barrier(len(papers))

    def ended(paper: Paper) -> bytes:
        together.wait(60)
        return finish(paper)

    sys.setswitchinterval(1e-6)  # threads take turns in the middle of a font
    try:
        with ThreadPoolExecutor(len(papers)) as pool:
            assert len(set(pool.map(ended, papers))) == 1
    finally:
        sys.setswitchinterval(usual)


@pytest.mark.slow
def test_rulers_are_drawn_in_their_colours() -> None:
    laid = Measure(0, 10, 0, "Blue 10″", ((0, 10, "#0D9FE3"),))
    assert EXTRACT.table_map
    plain = replace(EXTRACT.table_map, across=(), up=(), depth_colour="")

    def pixels(colour: str, drawn: TableMap) -> int:
        document = scoresheets([replace(EXTRACT, table_map=drawn)], "A4", PRINTED_AT)
        found = picture(document, scale=4.0, mode="RGB").getcolors(1 << 24) or ()
        return sum(count for count, colours in found if colours == tuple(bytes.fromhex(colour)))

    blue, none = replace(plain, across=(laid,)), pixels("0D9FE3", plain)
    one, two = pixels("0D9FE3", blue), pixels("0D9FE3", replace(blue, up=(laid,)))
    assert one > 500 > none == 0
    assert two == pytest.approx(2 * one, rel=0.1), "upright as long as across"
    assert pixels("E6332B", EXTRACT.table_map) > pixels("E6332B", blue) == 0, "the strip's edge and a piece of a ruler"


def test_figures_stand_in_a_form_with_the_sums_that_a_pencil_needs() -> None:
    rows = (
        FormRow("The force at the end", worth=(0, 10), choices=("Stood", "Routed")),
        FormRow("Models lost", worth=(1,)), FormRow("Of them leaders", worth=(2,)), FormRow("Left first", most=1),
    )  # fmt: skip
    form = ScoreForm(rows, rows, "a rout decides")
    sheet = replace(EXTRACT, form=form)
    text, *_ = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
    wanted = (
        "Report these", "A rout decides", "Stood", "Routed: 10 VP", "Models lost", "× 1 VP =", "× 2 VP =", "Left first",
    )  # fmt: skip
    assert [words for words in wanted if words not in text] == []
    assert "Victory points in each game round" not in text and "Locked Safe" not in text
    assert text.count("Total VP of A") == text.count("Total VP of B") == 1
    half, *_ = page_texts(scoresheets([sheet], "A5", PRINTED_AT))
    assert [words for words in wanted if words not in half] == []
    killed = (FormRow("Points killed", worth=(1,)),)
    for size in ("A4", "A5"):
        text, *_ = page_texts(scoresheets([replace(sheet, form=replace(form, a=killed, b=killed))], size, PRINTED_AT))
        assert " ".join(text.split()).count("Points killed, 1 VP each") == 2, size
        assert text.count("Total VP of A") == text.count("Total VP of B") == 1, "the only number is the total"
    summed = replace(form, sums=("Kept by {own}", "Lost by {enemy}"))
    for paper, each in PLACES:
        text, *_ = page_texts(scoresheets([replace(sheet, form=summed)], paper, PRINTED_AT, each))
        flat = " ".join(text.split())
        sums = ("Kept by A", "Kept by B", "Lost by A", "Lost by B", "Total VP")
        assert [flat.count(words) for words in sums] == [1, 1, 1, 1, 2], paper
    for total in (True, False):
        for size, each in (PLACES[0], HALVES[2]):
            own = replace(sheet, form=ScoreForm((), (), total=total))
            text, *_ = page_texts(scoresheets([own], size, PRINTED_AT, each))
            totals = text.count("Total VP of A"), text.count("Total VP of B")
            assert ("Report these" in text, totals) == (total, (total, total)), size
            assert "Game round" not in text and "Winner" in text and "Ended early" in text, size


def test_grids_of_unlike_length_and_a_time_without_a_zone_are_refused() -> None:
    with pytest.raises(ValueError, match="same number"):
        VpGrid((1, 2), (1,))
    with pytest.raises(ValueError, match="time zone"):
        scoresheets([EXTRACT], "A4", datetime(2026, 1, 1))  # noqa: DTZ001


def test_labels_of_both_players_break_alike() -> None:
    for width in range(12, 40, 4):
        wide, narrow = (FormRow(f"Lost {letter * width}", worth=(1,)) for letter in "mi")
        form = ScoreForm((wide, FormRow("Left", worth=(1,))), (narrow, FormRow("Left", worth=(1,))))
        document = scoresheets([replace(EXTRACT, form=form)], "A4", PRINTED_AT)
        a, b = sorted(y for _, y in places(document, 0, "each")[0])[:2]
        assert a == b, width


def test_warfare_sheets_have_all_their_texts() -> None:
    event = Event(system="fallout_warfare", name="Open", round_minutes=90, size=200)  # type: ignore[call-arg]
    for scenario in SYSTEMS["fallout_warfare"].scenarios:
        (text,) = page_texts(scoresheets([blank_sheet(event, 1, scenario)], "Letter", PRINTED_AT))
        assert scenario.scoring[-1] in " ".join(text.split()), scenario.id
        assert "… All of it" not in text and "Own " not in text, scenario.id


def test_few_choices_are_ticked_and_of_many_one_is_written() -> None:
    rolled = tuple(f"{n} A Tale of {n} (Luck{n})" for n in range(1, 13))
    for names, stands in ((("Hackers", "Smashers"), 2), (rolled, 1)):
        rows = (FormRow("Objective rolled", choices=names),)
        sheet = replace(EXTRACT, form=ScoreForm(rows, rows))
        text, *_ = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
        assert {text.count(name) for name in names} == {stands}, "many stand once, above the boxes"
        assert text.count("Objective rolled") == (2 if stands == 2 else 3), "a list has a heading"
        for size, each in HALVES:
            text, *_ = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
            assert (text.count("Zofia Wiś"), text.count("Miles O'Hara")) == (2, 2), "its box, the winner's"
            short = names if stands == 2 else [f"{n} Luck{n}" for n in range(1, 13)]
            assert [name for name in short if name not in text] == [], "of many, half a page has no names"


def test_texts_may_fill_their_room_to_the_last_point() -> None:
    blocks = (("Scoring", ("The last side standing wins.", "Each HP left scores 1 VP.")),)
    found = fill((Frame(0, 0, 200, 400),), blocks, 8)
    assert found and fill((Frame(0, found[1], 200, 400),), blocks, 8)
    assert not fill((Frame(0, found[1] + 5, 200, 400),), blocks, 8)


SENTENCES = ("Decided in game round 6.", "Confirmed Fri 20 Nov, 15:31 by Miles O'Hara.")
RESULT = SheetResult(
    SideResult((None, 3, 2, 1, 2, 1), "Smashers", 2, 11), SideResult((None, 1, 1, 2, 0, 1), "", 0, 5), SENTENCES,
    "Winner: Zofia Wiśniewska",
)  # fmt: skip
FILLED: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("Letter", 2), ("A5", 1))


def test_reported_figures_are_in_their_boxes() -> None:
    a = SideResult((None, 811, 812, 813, 814, 815), "Smashers", 808, 817)
    b = SideResult((None, 821, 822, 823, 824, 825), "", 809, 827)
    sheet = replace(EXTRACT, setup=("They take the computers.",), url="", code="", result=replace(RESULT, a=a, b=b))
    sheet = replace(sheet, order=("Zofia acts first.",))
    for size, each in FILLED:
        document = scoresheets([sheet], size, PRINTED_AT, each)
        (text,) = page_texts(document)
        wanted = (
            *SENTENCES,
            RESULT.winner,
            "808",
            "VP 817 : 827",
            "They take the computers.",
        )
        assert [words for words in wanted if words not in text] == [], (size, each)
        unwanted = (
            "Zofia acts first.",
            "The game lasts 6",
            "Scoring",
            "Report the result",
            "A agrees",
            "Time ended",
            "Set-up",
            "Winner A",
        )
        assert not [words for words in unwanted if words in text], (size, each)
        assert "Black 12″" in text, "a map on all records"
        rows = [[str(figure) for figure in side.figures if figure] for side in (a, b)]
        upper, lower = places(document, 0, *rows[0], "4065", "808"), places(document, 0, *rows[1], "4115", "809")
        for row in (upper, lower):
            across = [x for ((x, _),) in row]
            assert across == sorted(across), "from left to right: the rounds, their sum, the markers"
            assert max(y for ((_, y),) in row) - min(y for ((_, y),) in row) < 1, "on one line"
        assert upper[0][0][1] > lower[0][0][1] + 10, "A above B"
        assert text.count("817") == text.count("827") == 2, "its sum, and the score"


def test_record_names_the_choice_and_a_game_without_one_has_no_table() -> None:
    for size, each in FILLED:
        chosen, none, nothing = (
            page_texts(scoresheets([replace(EXTRACT, result=result)], size, PRINTED_AT, each))[0]
            for result in (
                RESULT, replace(RESULT, a=replace(RESULT.a, choice="")),
                replace(RESULT, a=SideResult(), b=SideResult(), winner="Nobody has won"),
            )
        )  # fmt: skip
        assert chosen.count("Smashers") == 1 and "Choice" in chosen and "Hackers" not in chosen, (size, each)
        assert "Smashers" not in none and "Choice" not in none and "Rounds Markers Total VP" in none, (size, each)
        assert "Victory points" not in nothing and "Nobody has won" in nothing and SENTENCES[0] in nothing, (size, each)


def test_long_reason_is_complete_on_a_page_and_referred_to_on_a_half() -> None:
    reason = " ".join(f"Word{n}" for n in range(140))
    sentences = (SENTENCES[0], f"Decided by a judge: {reason}", SENTENCES[1])
    sheet = replace(EXTRACT, result=replace(RESULT, sentences=sentences))
    (whole,) = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
    assert all(f"Word{n}" in whole for n in range(140)) and SENTENCES[1] in whole
    (half,) = page_texts(scoresheets([sheet], "Letter", PRINTED_AT, 2))
    assert SENTENCES[0] in half
    assert "Word139" in half or "… All of it is on the scenario sheet." in half


@pytest.mark.slow
def test_blank_sheet_has_lines_and_no_qr_code() -> None:
    assert CODE == LENGTH, "a box for each character"
    asked = SheetPlayer("", "Faction", "Club", leader="Leader")
    blank = replace(EXTRACT, table=None, a=asked, b=replace(asked, name=" "), url="", code="", address="")
    nothing = replace(
        blank, scenario="", setup=(), scoring=(), table_map=TableMap(36, 0, ()), grid=VpGrid((None,) * 6, (None,) * 6),
        objectives=MarkerGrid((), 0),
    )  # fmt: skip
    for size, each in FILLED:
        whole = (size, each) == ("A4", 1)
        for sheet, scenario in ((blank, True), (nothing, False)):
            document = scoresheets([sheet] * 2, size, PRINTED_AT, each)
            text = " ".join(page_texts(document))
            assert text.count("Name Faction Caps Leader Club" if whole else "Name Club Faction Caps") == 4, (size, each)
            (_, name), (_, faction) = (found[0] for found in places(document, 0, "Name", "Faction"))
            assert name - faction > (6 if size == "Letter" else 8) * 72 / 25.4 - 0.1, "a line for the name alone"
            assert ("Extract the Information" in text) == scenario == ("Black 12″" in text), (size, each)
            assert {"18", "24", "30", "36"} <= {*text.split()}, "the inches of the table that a map is drawn on"
            assert "Blank sheet" in text and "Report the result" not in text and "None" not in text, (size, each)
            assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == [], (size, each)


def test_blank_sheets_for_any_scenario_have_the_same_parts_on_all_papers() -> None:
    for system in SYSTEMS.values():
        event = Event(system=system.id, name="Open", round_minutes=90, size=system.default_size)  # type: ignore[call-arg]
        for scenario in system.scenarios[:1]:
            sheet = blank_sheet(event, 1, scenario)
            rules = sheet.order[:1] + sheet.scoring[-3:]
            forms = {score_form(one) for one in system.scenarios} if sheet.form else {None}
            form = forms.pop() if len(forms) == 1 else ScoreForm(*((FormRow(""),) * 5,) * 2)
            sheet = replace(
                sheet, scenario="", setup=(), scoring=rules, order=(), table_map=TableMap(24, 0, ()), form=form
            )
            for size, each in PLACES:
                document = scoresheets([sheet], size, PRINTED_AT, each)
                text = " ".join(page_texts(document))
                wanted = ("In every scenario", "Set-up and notes", *rules)
                wanted += (system.papers.losses_title(None),)
                assert [words for words in wanted if " ".join(words.split()) not in text] == [], (system.id, size, each)
                assert {"6", "12", "18", "24"} <= {*text.split()}, "the inches of an empty map"
                assert list(faults(document)) == [], (system.id, size, each)


def test_blank_sheets_have_a_box_for_each_figure_that_is_asked() -> None:
    row = FormRow("HP left", worth=(1,))
    form = ScoreForm(*((FormRow("How it ended", choices=("Standing", "Down", "Given up", "Fled")), row),) * 2)
    nobody = SheetPlayer("", "Origin", "Club")
    blank = replace(EXTRACT, table=None, a=nobody, b=nobody, scenario="", form=form, url="")
    for size, each in PLACES:
        text, *_ = page_texts(scoresheets([blank], size, PRINTED_AT, each))
        assert text.count("HP left, 1 VP each") == 2, (size, each)
    rows = SYSTEMS["skill_combat"].papers.blank_losses.rows
    assert [boxes[-1] for _, boxes in rows] == ["40", "40"], "more than a character has HP"


def test_record_of_a_form_has_each_value_once() -> None:
    rows = (
        FormRow("End", worth=(0, 10), choices=("Stood", "Routed")), FormRow("Models lost", worth=(3,)),
        FormRow("Left first", most=1), FormRow("Chests", 6),
    )  # fmt: skip
    result = replace(
        RESULT, a=SideResult((14, 1, 5), "Routed", None, 52), b=SideResult((17, 0, 4), "Stood", None, 51), winner="Draw"
    )  # fmt: skip
    sheet = replace(EXTRACT, form=ScoreForm(rows, rows), result=result)
    for size, each in FILLED:
        document = scoresheets([sheet], size, PRINTED_AT, each)
        (text,) = page_texts(document)
        wanted = (
            "End: Routed 10 VP", "Models lost 14 × 3 = 42 VP", "Left first yes", "Chests 5", "Total VP 52",
            "End: Stood 0 VP", "Models lost 17 × 3 = 51 VP", "Left first no", "Chests 4", "Total VP 51",
        )  # fmt: skip
        assert [words for words in wanted if words not in text] == [], (size, each)
        assert "0–6" not in text and "VP each" not in text and list(faults(document)) == [], (size, each)
        ((a, _),), ((b, _),) = places(document, 0, "Total VP 52", "Total VP 51")
        assert a < b
    killed, summed = FormRow("Points killed", worth=(1,)), ScoreForm(rows, rows, sums=("Left of {own}", "{enemy} lost"))
    alone = replace(sheet, form=ScoreForm((killed,), (killed,)))
    for size, each in FILLED:
        (text,) = page_texts(scoresheets([alone], size, PRINTED_AT, each))
        assert "14 VP" in text and text.count("Total VP") == 2, "a total can differ from the figure"
        same = replace(result, a=SideResult((52,), "", None, 52), b=SideResult((51,), "", None, 51))
        (text,) = page_texts(scoresheets([replace(alone, result=same)], size, PRINTED_AT, each))
        assert "52 VP" in text and "Total VP" not in text, "it is the only number"
        parts = replace(result, a=replace(result.a, parts=(77, 78)), b=replace(result.b, parts=(79, 80)))
        (text,) = page_texts(scoresheets([replace(sheet, form=summed, result=parts)], size, PRINTED_AT, each))
        assert "Left of A 77 VP" in text and "A lost 80 VP" in text, "what the total is the sum of"
    long = (FormRow("Rolled", choices=("9 The Power of the Atom (Endurance)",) * 9),)
    told = replace(result, a=SideResult((), long[0].choices[0], None, 73))
    for size, each in FILLED:
        document = scoresheets([replace(sheet, form=ScoreForm(long, long), result=told)], size, PRINTED_AT, each)
        text = page_texts(document)[0]
        assert "Atom (Endurance)" in text and "…" not in text and "73" in text


def test_losses_say_what_the_scenario_counts() -> None:
    papers = SYSTEMS["fallout_warfare"].papers
    titles = {one.id: papers.losses_title(one) for one in SYSTEMS["fallout_warfare"].scenarios}
    assert "R retreated, X wrong edge" in titles["skirmish"] and "R retreated" in papers.losses_title(None)
    assert not [id_ for id_, title in titles.items() if "retreated" in title and id_ != "skirmish"]
    for system in SYSTEMS.values():
        assert bool(system.papers.losses) == bool(system.papers.losses_title(None)), "a blank sheet has the title too"
