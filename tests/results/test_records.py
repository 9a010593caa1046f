"""Scoresheets after the game, for the desk and its two players; blank ones; a box for every question."""

from collections.abc import Callable
from datetime import datetime
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from events.desk.scoresheets import blank_sheet
from events.play.outcomes import PLAYED_OUT, Ended
from events.results import actions as results_actions
from models.endings import Awarded, Ending
from models.event import Event
from models.play import Game, Player, ReportSide
from models.staff import Role
from pdf.page import PageSize
from pdf.scoresheet import Each, scoresheets
from tests.accounts.test_roles_matrix import signed_in
from tests.desk.test_printed import codes, texts
from tests.desk.test_printed import words as words_of
from tests.kit.forces import read_force
from tests.kit.lists import PIPER, event_of_game
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from validators import SYSTEMS
from validators.contract import GameSystem
from validators.scenario import OPEN_END, Answers

HOME = "/e/iron-open"
Told = Callable[[ReportSide, Answers, Ended], None]


@pytest.fixture
def game(stage: Stage, event: Event, enter: Callable[..., list[Person]]) -> tuple[Game, Person, Person, Person]:
    """Ada's game with Bo in round 1, both of them, and Cy who plays at another table."""
    ada, bo, cy, _ = enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    games = stage.publish(event, 1)
    ids = {stage.name(p.id): p.id for p in stage.all(Player)}
    own = next(one for one in games if ids["Ada"] in (one.a_id, one.b_id))
    people = {"Ada": ada, "Bo": bo, "Cy": cy}
    other = next(name for name in ("Bo", "Cy", "Dee") if ids[name] in (own.a_id, own.b_id))
    stranger = next(person for name, person in people.items() if name not in ("Ada", other))
    return own, ada, people.get(other, bo), stranger


@pytest.fixture
def told(stage: Stage, event: Event, game: tuple[Game, Person, Person, Person]) -> Told:
    """A report of that game."""

    def report(side: ReportSide, answers: Answers, how: Ended = PLAYED_OUT) -> None:
        row = stage.now(game[0])
        by = stage.name(row.a_id if side == ReportSide.A else row.b_id) if side != ReportSide.ORGANISER else BY
        with stage.changing(event) as s:
            results_actions.report(
                s, event, s.get_one(Game, row.id), side, answers,
                version=row.version, sure=True, by=by, now=stage.clock(), how=how,
            )  # fmt: skip

    return report


def text(page: Page) -> str:
    (found,) = texts(page)
    return found


def test_the_desk_and_the_two_players_print_what_was_reported(
    game: tuple[Game, Person, Person, Person], told: Told, olga: Person, visitor: Person, stage: Stage
) -> None:
    row, ada, _, stranger = game
    sheet, records = f"{HOME}/games/{row.id}/sheet.pdf", f"{HOME}/desk/rounds/1/records.pdf"
    figures = {"a.r2": 2, "a.objectives": 3, "b.r3": 1, "b.objectives": 0}
    told(ReportSide.A, figures, PLAYED_OUT)
    assert ada.open(sheet).status == olga.open(sheet).status == olga.open(records).status == 404, "not over yet"
    told(ReportSide.B, figures, PLAYED_OUT)
    a, b = stage.name(row.a_id), stage.name(row.b_id)
    for page in (ada.open(sheet), olga.open(sheet), olga.open(records), olga.open(f"{records}?each=2")):
        found = text(page)
        for words in (f"{a} 5 VP, {b} 1 VP: {a} has won.", "Confirmed", f"by {b}: 5 : 1, {a} wins.", "Filled in from"):
            assert words in found
        assert codes(page) == [] and row.code[:5] not in found, "it leads to no form any more"
        assert "Corrected" not in found
    assert [stranger.open(sheet).status, visitor.open(sheet).status, ada.open(records).status] == [403, 403, 403]
    assert sheet in [str(link["href"]) for link in ada.open(f"{HOME}/games/{row.id}").soup.select("main a")]
    assert records in "".join(str(link["href"]) for link in olga.open(f"{HOME}/desk/print").soup.select(".sheets a"))


def test_a_corrected_result_says_so_and_a_judges_word_has_its_reason(
    game: tuple[Game, Person, Person, Person], told: Told, olga: Person, stage: Stage
) -> None:
    row = game[0]
    a, b = stage.name(row.a_id), stage.name(row.b_id)
    figures = {"a.objectives": 4, "b.objectives": 1}
    for side in (ReportSide.A, ReportSide.B):
        told(side, figures, PLAYED_OUT)
    told(ReportSide.ORGANISER, figures, Ended(Ending.DECIDED, Awarded.B, "An illegal model."))
    found = text(olga.open(f"{HOME}/games/{row.id}/sheet.pdf"))
    for words in (
        f"{a} 4 VP, {b} 1 VP: {b} has won.", "Decided by a judge: An illegal model.", "Corrected",
        f"Before: 4 : 1, {a} wins.", "Confirmed",
    ):  # fmt: skip
        assert words in found
    assert found.index("Corrected") < found.index("Confirmed"), "the newest word first"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (Ending.CONCEDED_A, "{a} conceded."),
        (Ending.UNFINISHED, "Unfinished when time was called"),
        (Ending.NOT_PLAYED, "Not played, though both were there."),
    ],
)
def test_a_game_that_was_not_played_out_says_how_it_ended(
    game: tuple[Game, Person, Person, Person], told: Told, olga: Person, stage: Stage, how: Ending, words: str
) -> None:
    row = game[0]
    answers = {} if how == Ending.NOT_PLAYED else {"a.objectives": 2, "b.objectives": 1}
    told(ReportSide.ORGANISER, answers, Ended(how))
    found = text(olga.open(f"{HOME}/games/{row.id}/sheet.pdf"))
    a, b = stage.name(row.a_id), stage.name(row.b_id)
    assert words.format(a=a) in found
    won = {Ending.CONCEDED_A: f"{b} has won", Ending.UNFINISHED: f"{a} has won"}.get(how, "Nobody has won")
    assert won in found


def test_blank_sheets_for_spare_tables(game: tuple[Game, Person, Person, Person], olga: Person) -> None:
    blank = f"{HOME}/desk/rounds/1/blank-sheets.pdf"
    scenario = olga.open(f"{HOME}/desk/rounds/1").part("h1").removeprefix("Round 1: ")
    pages = olga.open(f"{blank}?count=4")
    assert len(texts(pages)) == 4 and codes(pages) == []
    assert all(scenario in page and "Round 1" in page and "Ada" not in page for page in texts(pages))
    bare = olga.open(f"{blank}?count=4&scenario=none&each=2")
    assert len(texts(bare)) == 2 and not any(scenario in page for page in texts(bare))
    assert all("Sum" in page and "Locked Safe" in page for page in texts(bare)), "all its scenarios have these"
    for wrong in ("0", "3", "-1", "1000000", "x"):
        assert olga.open(f"{blank}?count={wrong}").status == 404
    assert olga.open(f"{HOME}/desk/rounds/99/blank-sheets.pdf").status == 404


def test_a_blank_sheet_tells_nobody_a_scenario_that_is_not_published(
    app: Flask, stage: Stage, event: Event, olga: Person, enter: Callable[..., list[Person]]
) -> None:
    enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    stage.hire(event, "Mo", Role.CHECK_IN)
    address = f"{HOME}/desk/rounds/1/blank-sheets.pdf?count=1"
    scenario = olga.open(f"{HOME}/desk/rounds/1").part("h1").removeprefix("Round 1: ")
    assert scenario in text(olga.open(address))
    assert scenario not in text(signed_in(app, "Mo").open(address))


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda one: one.id)
def test_every_question_of_every_scenario_has_its_box(stage: Stage, system: GameSystem) -> None:
    event = event_of_game(stage, system)
    at = datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Berlin"))
    papers: list[tuple[PageSize, Each]] = [("A4", 1), ("A4", 2), ("Letter", 1), ("Letter", 2), ("A5", 1)]
    for (size, each), scenario in product(papers, system.scenarios):
        (found,) = words_of(scoresheets([blank_sheet(event, 1, scenario)], size, at, each))
        where = (size, each, scenario.id)
        assert scenario.name in found and scenario.scoring[0][:12] in found, where
        asked = [q for q in scenario.questions if q.side == "a"]
        figures = [q for q in asked if q.kind in ("vp", "figure")]
        for limit in {f"0–{q.most}" for q in figures if 0 < q.most < OPEN_END}:
            assert found.count(limit) >= 2, (where, limit)
        assert ("Hatched: nothing to score" in found) == any(q.most == 0 for q in figures), where
        for question in figures:
            assert question.game_round or question.label in found, (where, question.label)
        for question in asked:
            if question.kind == "choice":
                boxed = all(found.count(choice) >= 2 for choice in question.choices)
                assert boxed or found.count(question.label) == 2, (where, question.label)
            elif question.kind == "objectives":
                assert found.count("Completed: 1 VP") == 2 and all(k in found for k in scenario.objective_kinds), where
        assert found.count("TOTAL VP") + found.count("VP by the scoring") == 2, where
        for part in scenario.round_note.split("; "):
            assert part in found, (where, part)
