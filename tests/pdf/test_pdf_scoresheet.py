"""What scoresheets say, whole and half: before the game, after it with what was reported, and blank."""

import io
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any

import pytest
import zxingcpp
from pypdf import PdfReader

from events.papers.scoresheets import blank_sheet, score_form
from events.web.parsing import LENGTH, LONGEST_REASON
from models.event import Event
from pdf.sheet_data import FormRow, MarkerGrid, ScoreForm, SheetPlayer, VpGrid
from pdf.sheet_head import CODE
from pdf.table_map import TableMap
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, places, type_size
from tests.pdf.samples import EXTRACT, FILLED, HALVES, KINDS, LONG, PLACES, PRINTED_AT, RESULT, SENTENCES, scoresheets
from validators import SYSTEMS


def test_sheet_has_everything_that_a_table_needs() -> None:
    wanted = (
        "TABLE", "7", "Autumn Wasteland Open", "Round 2 · 90 minutes", "Extract the Information", "Zofia Wiśniewska",
        "Brotherhood of Steel · Vault 13 Kraków", "748 Caps", "Leader: Paladin Danse, Tactician", "Miles O'Hara",
        "750 Caps", "Leader: Super Mutant Brute", "7K3 QX2", "at desk.example.org/g", "0–3",
        "Hatched: nothing to score", "Both players together: at most 3 VP a round",
        "Hackers", "Smashers", "Each kind at most twice.", "Markers", "Total VP", "Winner",
        "A · Zofia", "B · Miles", "Draw", "Ended early", "A conceded", "B conceded", "Unfinished", "A agrees",
        "B agrees", "Judge, if called", "Time started", "Time ended", "From game round 2, for each marker once a round",
    )  # fmt: skip
    mapped = "within Red (6″)", "Black 12″", "Black + Red 18″"
    whole = (
        "Report the result: scan the QR code or enter", "Set-up", "Scoring", *KINDS,
        *EXTRACT.setup, *EXTRACT.scoring,
    )  # fmt: skip
    for size, each in PLACES:
        text, *back = page_texts(scoresheets([EXTRACT], size, PRINTED_AT, each))
        assert [words for words in wanted if words not in text] == [], (size, each)
        assert [words for words in mapped if words not in (back or [text])[0]] == [], (size, each)
        named = [kind for kind in KINDS if kind in text]
        assert named == list(KINDS), (size, each)
        if (size, each) not in HALVES:
            assert [words for words in whole if words not in text] == [], size


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_half_sheets_have_set_up_turns_and_losses_on_the_back_and_lines_for_notes_without_a_scenario(
    system_id: str,
) -> None:
    system = SYSTEMS[system_id]
    event = Event(system=system_id, name="Open", round_minutes=90, size=system.default_size)  # type: ignore[call-arg]
    for (size, each), scenario in product(HALVES, system.scenarios):
        blank = blank_sheet(event, 1, scenario)
        bare = replace(blank, scenario="", setup=(), table_map=TableMap(48, 0, ()))
        document = scoresheets([blank, bare], size, PRINTED_AT, each)
        pages = [" ".join(text.split()) for text in page_texts(document)]
        wanted = [" ".join(step.split()) for step in (*blank.setup, *blank.order)]
        played = [
            *(loss.title for loss in blank.losses),
            *(words for words, _ in (blank.turns.rows if blank.turns else ())),
        ]
        assert [words for words in (*wanted, *played) if words not in pages[1]] == [], (scenario.id, size)
        assert "Set-up and notes" in " ".join(pages) and [text for text in played if text not in pages[-1]] == [], size
        assert list(faults(document)) == [], (scenario.id, size)


def test_sides_are_named_by_as_many_words_as_fit_or_by_their_letters() -> None:
    rows = (FormRow("Models lost", worth=(3,)),)
    for size, each in PLACES:
        for name, said in ((LONG[:60], "Bartholomew"), ("W" * 30 + " Ada", ""), ("", "")):
            sheet = replace(EXTRACT, a=SheetPlayer(name, "Faction", "Club"), form=ScoreForm(rows, rows))
            text, *_ = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
            assert (f"A · {said} " if said else "Winner A B Draw") in text, (size, each, name)
    assert text.count("A B Models lost") == 1, "a sheet without names"


def test_a_form_is_a_table_with_the_sums_that_a_pencil_needs() -> None:
    rows = (
        FormRow("The force at the end", worth=(0, 10), choices=("Stood", "Routed")),
        FormRow("Models lost", worth=(1,)), FormRow("Of them leaders", worth=(2,)), FormRow("Left first", most=1),
        FormRow("Chests", 6),
    )  # fmt: skip
    form = ScoreForm(rows, rows, "a rout decides; leaders count twice")
    sheet = replace(EXTRACT, form=form)
    wanted = (
        "Report these", "A rout decides; leaders count twice", "The force at the end: tick one", "Models lost",
        "Of them leaders", "Left first", "Total VP", "Chests (0–6)",
    )  # fmt: skip
    cells = {"Stood": 2, "Routed: 10 VP": 2, "× 1 =": 0, "× 2 =": 2}
    for size, each in PLACES:
        flat, *_ = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
        assert [flat.count(words) for words in wanted] == [1] * len(wanted), "each row is named once"
        assert {words: flat.count(words) for words in cells} == cells, (size, each)
        assert "Victory points in each game round" not in flat and "Locked Safe" not in flat
    killed = (FormRow("Points killed", worth=(1,)),)
    for size, each in PLACES:
        alone = replace(sheet, form=replace(form, a=killed, b=killed))
        text, *_ = page_texts(scoresheets([alone], size, PRINTED_AT, each))
        assert "Total VP: Points killed, 1 VP each" in text, "the only number is the total"
    summed = replace(form, sums=("Points kept", "Enemy points lost"))
    for paper, each in PLACES:
        text, *_ = page_texts(scoresheets([replace(sheet, form=summed)], paper, PRINTED_AT, each))
        shown = [text.index(words) for words in ("A rout decides", "Left first", *summed.sums, "Total VP")]
        assert shown == sorted(shown), "the note is beside the title, the sums are below the rows"
    for total in (True, False):
        for size, each in (PLACES[0], HALVES[2]):
            own = replace(sheet, form=ScoreForm((), (), total=total))
            text, *_ = page_texts(scoresheets([own], size, PRINTED_AT, each))
            assert ("Report these" in text, text.count("Total VP")) == (total, total), size
            assert "Game round" not in text and "Winner" in text and "Ended early" in text, size


def test_one_fact_has_one_box_and_a_seldom_figure_says_when() -> None:
    once = FormRow("APC left", most=1, once=True)
    form = ScoreForm((FormRow("Chests", 6), once), (FormRow("Chests", 6, hint="only if A left first"), once))
    apart = replace(form, a=(form.a[0], replace(once, once=False)), b=(form.b[0], replace(once, once=False)))
    for size, each in PLACES:
        shared, own = (scoresheets([replace(EXTRACT, form=a_form)], size, PRINTED_AT, each) for a_form in (form, apart))
        assert "only if A left first" in page_texts(shared)[0]
        assert _rectangles(own) == _rectangles(shared) + 2, (size, each, "another cell, with a box to tick")


def _rectangles(document: bytes) -> int:
    """The number of rectangles in the figures of the first page."""
    found: Any = PdfReader(io.BytesIO(document)).pages[0]["/Resources"]
    return sum(one.get_object().get_data().count(b" re") for one in found["/XObject"].values())


def test_grids_of_unlike_length_and_a_time_without_a_zone_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        scoresheets([replace(EXTRACT, grid=VpGrid((1, 2), (1,)))], "A4", PRINTED_AT)
    with pytest.raises(ValueError, match="time zone"):
        scoresheets([EXTRACT], "A4", datetime(2026, 1, 1))  # noqa: DTZ001


def test_few_choices_are_ticked_and_of_many_one_is_written() -> None:
    rolled = tuple(f"{n} A Tale of {n} (Luck{n})" for n in range(1, 13))
    for names, stands in ((("Hackers", "Smashers"), 2), (rolled, 1)):
        rows = (FormRow("Objective rolled", choices=names),)
        sheet = replace(EXTRACT, form=ScoreForm(rows, rows))
        text, *_ = page_texts(scoresheets([sheet], "A4", PRINTED_AT))
        assert {text.count(name) for name in names} == {stands}, "many stand once, above the boxes"
        assert text.count("Objective rolled") == (1 if stands == 2 else 2), "a list has a heading"
        for size, each in HALVES:
            text, back = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
            assert min(text.count("Zofia Wiś"), text.count("Miles O'Hara")) >= 2, "its box, the winner's"
            found = text if stands == 2 else back
            assert [name for name in names if name not in found] == [], "many are on the back of half a page"


def test_records_say_what_was_reported_and_have_no_map() -> None:
    sheet = replace(EXTRACT, setup=("They take the computers.",), url="", code="", result=RESULT)
    sheet = replace(sheet, order=("Zofia acts first.",))
    for size, each in FILLED:
        document = scoresheets([sheet], size, PRINTED_AT, each)
        (text,) = page_texts(document)
        wanted = (
            *SENTENCES, RESULT.winner, "Scenario Extract the Information", "Choice Smashers –",
            "Game round 2 811 VP 821 VP", "Markers 808 VP 809 VP", "Result 11 VP · Won 5 VP · Lost",
            "How it ended", "History",
        )  # fmt: skip
        assert [words for words in wanted if words not in text] == [], (size, each)
        unwanted = (
            "Zofia acts first.", "They take the computers.", "The game lasts 6", "Scoring", "Report the result",
            "A agrees", "Time ended", "Set-up", "Winner A", "Black 12″", "Edge A",
        )  # fmt: skip
        assert not [words for words in unwanted if words in text], (size, each)
        assert list(faults(document)) == [], (size, each)


def test_record_of_a_game_without_a_result_has_no_table() -> None:
    nothing = replace(RESULT, rows=(), totals=(None, None), winner="Nobody has won", won=())
    only = replace(RESULT, rows=(("Points killed", "52 VP", "51 VP"),), totals=(52, 51))
    for size, each in FILLED:
        text, two = (
            page_texts(scoresheets([replace(EXTRACT, result=result)], size, PRINTED_AT, each))[0]
            for result in (nothing, only)
        )
        assert "Reported" not in text and "Nobody has won" in text and SENTENCES[0] in text, (size, each)
        assert "Points killed 52 VP · Won 51 VP · Lost" in two and "Total VP" not in two, "it is the only number"
        assert "Notes" in text and "Notes" in two, "lines to write on fill what a short table leaves"


def test_the_longest_reason_is_complete_on_a_record() -> None:
    reason = " ".join(f"Word{n}" for n in range(74))
    assert len(reason) >= LONGEST_REASON
    sentences = (SENTENCES[0], f"Decided by a judge: {reason}", SENTENCES[1])
    sheet = replace(EXTRACT, result=replace(RESULT, sentences=sentences))
    for size, each in FILLED:
        (record,) = page_texts(scoresheets([sheet], size, PRINTED_AT, each))
        assert all(f"Word{n}" in record for n in range(74)) and SENTENCES[1] in record, size


def test_a_history_without_room_on_a_record_loses_its_oldest_sentences() -> None:
    many = tuple(f"Corrected by Miles O’Hara for the {n}th time, {'for a reason ' * 20}." for n in range(40))
    for size, each in FILLED:
        document = scoresheets([replace(EXTRACT, result=replace(RESULT, history=many))], size, PRINTED_AT, each)
        (text,) = page_texts(document)
        assert "the 39th time" in text and "the 0th time" not in text and "History …" in text, (size, each)
        assert "Result 11 VP · Won 5 VP · Lost" in text and SENTENCES[0] in text and list(faults(document)) == [], (
            size,
            each,
        )


def test_records_are_two_to_a_page() -> None:
    record = replace(EXTRACT, result=RESULT)
    for size, each in FILLED:
        assert len(page_texts(scoresheets([record] * 3, size, PRINTED_AT, each))) == (3 if size == "A5" else 2), size


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
            assert {"12", "24", "36"} <= {*text.split()}, "the inches of the table that a map is drawn on"
            assert "Blank sheet" in text and "Report the result" not in text and "None" not in text, (size, each)
            assert zxingcpp.read_barcodes(picture(document, 0, 3.0)) == [], (size, each)


def test_blank_sheets_for_any_scenario_have_the_same_parts_on_all_papers() -> None:
    for system in SYSTEMS.values():
        event = Event(system=system.id, name="Open", round_minutes=90, size=system.default_size)  # type: ignore[call-arg]
        for scenario in system.scenarios[:1]:
            sheet = blank_sheet(event, 1, scenario)
            rules = sheet.order[:1] + sheet.scoring[-3:]
            forms = {score_form(a_scenario) for a_scenario in system.scenarios} if sheet.form else {None}
            form = forms.pop() if len(forms) == 1 else ScoreForm(*((FormRow(""),) * 5,) * 2)
            sheet = replace(
                sheet, scenario="", setup=(), scoring=rules, order=(), table_map=TableMap(24, 0, ()), form=form
            )
            for size, each in PLACES:
                document = scoresheets([sheet], size, PRINTED_AT, each)
                text = " ".join(page_texts(document))
                wanted = ("In every scenario", "Set-up and notes", *rules)
                wanted += (system.papers.blank_losses.title or system.papers.losses_title(None),)
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
        assert "Total VP: HP left, 1 VP each" in text, (size, each)
    rows = SYSTEMS["skill_combat"].papers.blank_losses.rows
    assert [boxes[-1] for _, boxes in rows] == ["45", "45"], "STR 10 and EN 10: 15 + 10 + 2 × 10"


def test_long_answers_are_whole_on_records() -> None:
    answer = "9 The Power of the Atom (Endurance)"
    told = replace(RESULT, rows=(("Own over a wrong edge, points", answer, answer),), totals=(73, 73))
    uneven = replace(RESULT, rows=(("Objective rolled", answer, "10 Slave Hunt (Charisma)"),))
    for size, each in FILLED:
        document = scoresheets([replace(EXTRACT, result=uneven)], size, PRINTED_AT, each)
        assert type_size(document, "9 The") == type_size(document, "10 Slave"), (size, each)
        document = scoresheets([replace(EXTRACT, result=told)], size, PRINTED_AT, each)
        text = page_texts(document)[0]
        assert text.count(answer) == 2 and "…" not in text and list(faults(document)) == [], (size, each)


def test_losses_say_what_the_scenario_counts() -> None:
    papers = SYSTEMS["fallout_warfare"].papers
    titles = {scenario.id: papers.losses_title(scenario) for scenario in SYSTEMS["fallout_warfare"].scenarios}
    assert "R retreated, X wrong edge" in titles["skirmish"] and "R retreated" in papers.losses_title(None)
    assert not [id_ for id_, title in titles.items() if "retreated" in title and id_ != "skirmish"]
    for system in SYSTEMS.values():
        assert bool(system.papers.losses) == bool(system.papers.losses_title(None)), "a blank sheet has the title too"
