"""Where the parts of scoresheets are drawn, and that long texts fit."""

import io
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from threading import Barrier

import pytest
import zxingcpp
from PIL import ImageChops
from pypdf import PdfReader

from events.papers.event_pack import table_map
from events.papers.scoresheets import score_form
from models.event import Event
from pdf.fonts import draw_text
from pdf.page import Paper, finish, new_paper, next_page
from pdf.sheet_data import FormRow, ScoreForm, SheetPlayer, VpGrid
from pdf.table_map import TableMap, draw_map
from pdf.tracks import whole_models
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places
from tests.pdf.samples import EXTRACT, HALVES, LONG, PLACES, PRINTED_AT, RESULT, WHOLE, scoresheets
from validators import SYSTEMS
from validators.contract import Terms
from validators.measures import Measure
from validators.sheet import Track


def test_long_texts_leave_out_whole_sentences() -> None:
    steps = tuple(f"Step {n} scores one of the many markers of this table, and ends here{n}." for n in range(30))
    for size, each in HALVES:
        (short, _), (long, back) = (
            page_texts(scoresheets([replace(EXTRACT, scoring=scoring)], size, PRINTED_AT, each))
            for scoring in (("One marker.",), steps)
        )
        assert "One marker." in short and "scenario sheet" not in short, (size, each)
        assert "Set-up: see the back" in long and all(step in back for step in EXTRACT.setup), (size, each)
        assert "… All of it is on the scenario sheet." in long, (size, each)
        shown = [n for n in range(30) if f"Step {n} scores" in long]
        assert shown == [n for n in range(30) if f"here{n}." in long], "no sentence is printed in part"
        assert shown == list(range(len(shown))) and 3 < len(shown) < 30, (size, each)


def test_what_is_too_long_is_cut_visibly() -> None:
    for sheet, cut in (
        (EXTRACT, 0),
        (replace(EXTRACT, setup=("The same again. " * 12,) * 30), 1),
        (replace(EXTRACT, a=SheetPlayer("Bartholomew " * 30)), 1),
    ):
        assert page_texts(scoresheets([sheet], "Letter", PRINTED_AT))[0].count("…") == cut, sheet.a.name


def test_names_clubs_and_roles_are_whole_on_every_paper() -> None:
    name, club = LONG[:60], "Wasteland Wargaming Society of Greater Manchester and Salford"
    player = SheetPlayer(name, "Brotherhood of Steel", club, 185, role="Scavengers", fielded=150)
    rows = FormRow("End", choices=("Stood", "Routed")), FormRow("Models lost", worth=(3,))
    form, reported = ScoreForm(rows, rows), replace(RESULT, totals=(219, 219), winner=f"Winner: {name}")
    short = replace(EXTRACT.objectives, note="No kind more than twice")
    for (size, each), b in product(PLACES, (EXTRACT.b, replace(player, club=""))):
        sheet = replace(EXTRACT, a=player, b=b, unit="points", objectives=short)
        for part in (sheet, replace(sheet, form=form, result=reported, url="", code="")):
            document = scoresheets([part], size, PRINTED_AT, each)
            text, *_ = page_texts(document)
            assert text.count("…") <= (0 if each == 1 and size != "A5" else 2) * (part.result is None), (size, each)
            joined = text.replace("- ", "").replace("-", "").replace("\x02", "")
            assert all(words.replace("-", "") in joined for words in (name, club, "Role: Scavengers")), (size, each)
            assert list(faults(document)) == [], (size, each)
            assert ("tick one" in text) is (part.result is None and bool(part.form)), "a record asks for nothing"


def test_long_names_are_whole_beside_the_losses_of_a_back() -> None:
    lost = Track("Losses", (("1: Squire", ("14",)),))
    sheet = replace(EXTRACT, a=SheetPlayer(LONG[:60]), losses=(lost, lost))
    for size, each in PLACES:
        back = page_texts(scoresheets([sheet], size, PRINTED_AT, each))[1:]
        assert all("…" not in text and LONG[:60] in " ".join(text.split()) for text in back), (size, each)


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


NO_MAP = {"treasure-hunt", "objectives"}
"""The scenarios whose sheets on Letter have no map in this test, so that the rules are in type that can be read."""


def test_losses_and_turns_are_ticked_next_to_a_small_map() -> None:
    for system_id, own, turned in (
        ("fallout_warfare", "Losses, with the points", ""), ("new_vegas", "Losses: tick each wound", "Turns:"),
        ("skill_combat", "HP: tick each point lost", "Turns:"), ("fallout_skirmish", "", "10+ 9+ 8+"),
    ):  # fmt: skip
        system = SYSTEMS[system_id]
        terms = Terms(system.editions[0], system.default_size)
        forces = [system.forces.sample(terms, faction, 1) for faction in terms.edition.factions[:2]]
        losses = tuple(system.papers.losses(force, terms.edition) for force in forces) if system.papers.losses else ()
        for scenario, size in product(system.scenarios, WHOLE):
            form, title = score_form(scenario), system.papers.losses_title(scenario)
            shown = replace(
                EXTRACT, scenario=scenario.name, setup=scenario.setup, scoring=scenario.scoring, form=form,
                table_map=TableMap(48, 6, ()), turns=system.papers.turns,
                losses=tuple(replace(loss, title=title) for loss in losses),
            )  # fmt: skip
            document = scoresheets([shown], size, PRINTED_AT)
            (text,) = page_texts(document)
            assert own in text and turned in text, (scenario.id, size)
            assert list(faults(document)) == [], (scenario.id, size)
            names = {words for loss in losses for words, _ in loss.rows}
            assert [words for words in names if words not in text] == [], (scenario.id, size)
            assert ("Edge A" in text) != (size == "Letter" and scenario.id in NO_MAP), (scenario.id, size)


def test_rows_of_losses_end_with_a_whole_model() -> None:
    wounds = ("1", "", "", "2", "", "", "3", "", "")
    assert [whole_models(wounds, across) for across in (2, 3, 5, 6, 8, 9)] == [3, 3, 3, 6, 6, 9]
    assert whole_models(("1", "2", "3"), 2) == 2 and whole_models(("",) * 8, 5) == 4, "one box each"
    assert [whole_models(("",) * 10, across) for across in (8, 9, 10, 18)] == [5, 5, 10, 10]


def test_losses_name_weapons_only_to_tell_figures_of_a_squad_apart() -> None:
    system = SYSTEMS["fallout_warfare"]
    terms = Terms(system.editions[0], system.default_size)
    assert system.papers.losses
    for faction in terms.edition.factions:
        squads = list[list[str]]()
        for label, _ in system.papers.losses(system.forces.sample(terms, faction, 1), terms.edition).rows:
            squads += [[]] * bool(re.match(r"\d+: ", label))
            squads[-1] = [*squads[-1], re.sub(r"^(\d+: )?(\d+ × )?| \(\d+\)$", "", label)]
        for squad in squads:
            kinds = [one.partition(" with ")[0] for one in squad]
            assert [" with " in one for one in squad] == [kinds.count(kind) > 1 for kind in kinds], squad


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
        for scenario in SYSTEMS[system_id].scenarios:
            table = table_map(Event(system=system_id), scenario)  # type: ignore[call-arg]
            assert [(m.x, m.y, m.owner) for m in table.markers] == [(m.x, m.y, m.owner) for m in scenario.markers], (
                scenario.id
            )
            order = ("Sequence of A:", "Sequence of B:") if SYSTEMS[system_id].papers.turn_order else ()
            sheet = replace(EXTRACT, scenario=scenario.name, scoring=scenario.scoring, table_map=table, order=order)
            text, back = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
            assert "… All of it" not in text, (size, each, scenario.id)
            assert [line for line in scenario.scoring if " ".join(line.split()) not in text] == [], (
                size,
                each,
                scenario.id,
            )
            (full,) = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
            shown = {"Example" in text + back, "Example" in full, table.example, system_id == "fallout_skirmish"}
            assert len(shown) == 1, (size, each, scenario.id)


@pytest.mark.slow
def test_cells_that_cannot_score_are_hatched() -> None:
    free = (0, 3, 3, 3, 3, 3)  # one box is always impossible, so every sheet has the note about hatching
    for size, each in (PLACES[0], *HALVES[1:]):
        sheets = [
            replace(EXTRACT, grid=VpGrid(*most))
            for most in ((free, free), ((0, 0, *free[2:]), free), ((*free[:5], 0), free), (free, (0, 0, *free[2:])))
        ]
        plain, *pages = (picture(scoresheets([sheet], size, PRINTED_AT, each), 0, 4.0) for sheet in sheets)
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
        assert second[0] < last[0] and abs(second[1] - last[1]) <= 1 and abs(second[0] - below[0]) <= 1, (size, each)
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


def convoy() -> TableMap:
    return table_map(Event(system="fallout_warfare"), next(  # type: ignore[call-arg]
        scenario for scenario in SYSTEMS["fallout_warfare"].scenarios if scenario.id == "convoy"
    ))  # fmt: skip


def test_strips_along_the_edges_are_named_on_a_map_of_any_size() -> None:
    paper = new_paper("A4", event="Open", printed_at=PRINTED_AT)
    for side in range(88, 312):
        draw_map(paper.canvas, 50, 50, side, convoy())
        next_page(paper)
    texts = page_texts(finish(paper))
    assert [side for side, text in enumerate(texts, 88) if text.count("raiders") < 2] == []


def test_edge_that_belongs_to_a_role_is_no_players() -> None:
    sheet = replace(EXTRACT, table_map=convoy())
    for size, each in PLACES:
        text = " ".join(page_texts(scoresheets([sheet], size, PRINTED_AT, each)))
        assert "Edge" not in text and "North: convoy comes in" in text, size
