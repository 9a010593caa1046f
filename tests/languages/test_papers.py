"""What papers say of scenarios and tables: in the pretend language no English word is left, whatever the game."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import permutations
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from events.papers.event_pack import scenario_pages
from events.papers.round_paper import table_setups_of
from events.papers.scoresheets import score_form
from events.visitors.event_loading import public_views_in
from languages.catalogues import translated
from languages.words import gettext, speaking
from pdf.page import clock_text
from pdf.scenario_page import PackScenario, TableSetup
from pdf.sheet_data import FEW
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Event, Stage
from tests.languages.test_desk import WORDED
from validators import SYSTEMS
from validators.contract import Terms
from validators.measures import measured
from validators.sheet import CardPart, CardUnit, LabelledFigures, Lines, Sheet, Table, Track

ENGLISH = re.compile(r"[a-z]{3}")


def of_scenario(page: PackScenario) -> Iterator[str]:
    """The texts of a scenario's page."""
    yield from (marker.label for marker in page.table_map.markers)
    yield from (page.played, page.summary, *page.setup, *page.readings)
    for title, said in page.parts:
        yield from (title, *said)
    for row in page.worth:
        yield from row


def of_table(setup: TableSetup) -> Iterator[str]:
    """The texts of a table's set-up. The map names a piece of scenery by the text before a comma."""
    yield from (*setup.steps, *setup.needs, *(f"{spot.name}⟧" for spot in setup.spots if spot.name))


def unworded(text: str) -> str:
    """The part of a text that no catalogue was asked for."""
    while WORDED.search(text):
        text = WORDED.sub("", text)
    return text


def papers(app: Flask, event: Event, code: str) -> tuple[list[PackScenario], list[TableSetup]]:
    with app.test_request_context(), speaking(code):
        return scenario_pages(event), table_setups_of(event, public_views_in(event)[0])


def drawn(stage: Stage, game: str) -> Event:
    """An event in which every scenario of the game may be drawn, with a round published."""
    event = stage.event(game=game, rounds=2, scenario_pool=tuple(scenario.id for scenario in SYSTEMS[game].scenarios))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    return event


@pytest.mark.parametrize("game", SYSTEMS)
def test_scenarios_and_tables_are_in_the_readers_language(
    game: str, app: Flask, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pseudo = offer_pseudo(monkeypatch, whole=False)
    pages, tables = papers(app, drawn(stage, game), CODE)
    assert len(pages) == len(SYSTEMS[game].scenarios) and len(tables) == 1
    texts = [text for page in pages for text in of_scenario(page)]
    left = {unworded(text) for text in [*texts, *(text for table in tables for text in of_table(table))]}
    assert {text for text in left if ENGLISH.search(text)} == set()
    missed = {text for text in pseudo.missed if ENGLISH.search(unworded(text))}
    assert missed == set(), "shown, and in no catalogue"


@pytest.mark.parametrize("game", SYSTEMS)
def test_questions_and_notes_are_in_the_readers_language(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The labels of reports and scoresheets, and the figures in the notes of game rounds."""
    offer_pseudo(monkeypatch, whole=False)
    with speaking(CODE):
        for scenario in SYSTEMS[game].scenarios:
            asked = [question.said for question in scenario.questions]
            form = [row for row in score_form(scenario).a if len(row.choices) <= FEW]  # more are names, as printed
            rows = [text for row in form for text in (row.label, *row.choices)]
            notes = [str(figure) for note in scenario.round_notes for figure in note.figures.values()]
            markers = [marker.said for marker in scenario.markers]
            left = {unworded(text) for text in (*asked, *rows, *notes, *markers)}
            assert {text for text in left if ENGLISH.search(text)} == set(), scenario.id


BARE = re.compile(r"[^\W\d][:;] ")
"""A colon or semicolon with its English space."""


@pytest.mark.parametrize("game", SYSTEMS)
def test_french_has_its_spaces_where_texts_are_put_together(game: str) -> None:
    system = SYSTEMS[game]
    terms = Terms(system.editions[0], system.default_size)
    force = system.forces.sample(terms, terms.edition.factions[0], 1)
    with speaking("fr"):
        said = [line for line, _ in system.forces.summarise(force, terms.edition).lines]
        for scenario in system.scenarios:
            measures = measured(scenario, system.rulers)
            said += [scenario.round_note, scenario.objective_note, measures.key, *measures.words]
    assert [text for text in said if BARE.search(text)] == []


def test_what_a_marker_is_worth_is_said_once() -> None:
    scenario, own = SYSTEMS["fallout_skirmish"].scenarios
    with speaking("de"):
        assert [row.label for row in score_form(scenario).a][-2:] == ["Marker 4: 4 SP", "Marker 5: 5 SP"]
        lines = [marker.said for marker in own.markers]
        assert lines == ["Linie 1/5", "Linie 2/4", "Linie 3", "Linie 4/2", "Linie 5/1"]
        assert own.round_note.endswith("Linie 1 von A ist Linie 5 von B")


def test_proposed_scenery_is_described_in_the_readers_language(app: Flask, stage: Stage) -> None:
    """Names and counts of pieces are figures of a sentence, where the test above does not see them."""
    _, (table,) = papers(app, drawn(stage, "battle_mode"), "de")
    assert "ein Quadrat, gerade gelegt, blockiert die Sichtlinie, eine Scheibe gibt Deckung" in " ".join(table.steps)
    _, (table,) = papers(app, drawn(stage, "new_vegas"), "de")
    assert "4 Quadrate: Gebäude, schwer; 4 Balken: Linie, leicht" in " ".join(table.steps)


@pytest.mark.parametrize("code", translated())
def test_step_that_refers_to_a_list_is_cut_before_its_colon(code: str, app: Flask, stage: Stage) -> None:
    pages, _ = papers(app, drawn(stage, "fallout_skirmish"), code)
    with speaking(code):
        end = gettext("%(step)s: see the list of objectives.", step="")
    steps = [step for page in pages for step in page.setup if step.endswith(end)]
    assert len(steps) == len(pages)
    assert [step for step in steps if ":" in step.removesuffix(end) or step.removesuffix(end)[-1].isspace()] == []


def test_label_for_the_second_role_is_in_the_readers_language() -> None:
    hunt = next(scenario for scenario in SYSTEMS["fallout_warfare"].scenarios if scenario.id == "treasure-hunt")
    with speaking("de"):
        hints = [row.hint for row in score_form(hunt, {"a": hunt.roles[-1]}).a]
        assert gettext("only if {} left first").format(gettext("Raiders")) in hints, hints
    assert not any("left first" in hint for hint in hints)


PRINTED = {"Sequence", "Detection (DC)"}
"""Names of figures that a document prints."""


def heads_of(shown: object) -> Iterator[str]:
    """Titles and heads of the blocks of a sheet or a card."""
    match shown:
        case tuple():
            for one in shown:
                yield from heads_of(one)
        case Sheet() | CardUnit():
            yield from heads_of(shown.blocks if isinstance(shown, Sheet) else shown.parts)
        case CardPart():
            yield from heads_of(shown.block)
        case Table():
            yield from (shown.title, *(column.head for column in shown.columns))
        case LabelledFigures() | Lines() | Track():
            yield shown.title


@pytest.mark.parametrize("game", SYSTEMS)
def test_own_sheets_and_cards_are_in_the_readers_language(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch, whole=False)
    system = SYSTEMS[game]
    terms = Terms(system.editions[0], system.default_size)
    force = system.forces.sample(terms, terms.edition.factions[0], 1)
    with speaking(CODE):
        found = [*heads_of(system.papers.sheets(force, terms)), *heads_of(system.papers.card(force, terms.edition))]
    left = {text for text in found if ENGLISH.search(unworded(text)) and not text.endswith(" Caps")}  # names
    assert left <= PRINTED


AS_PRINTED = {"2 AP: heals 1 wound; or ignores one as it is lost", "the group’s leader only"}
"""Of the editions' columns of special rules, as are attacks."""
WORD = re.compile(r"(?<![\w’'-])[a-z]{4}")
"""An English word that is no name."""


@pytest.mark.parametrize("game", SYSTEMS)
def test_price_lists_are_in_the_readers_language(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch, whole=False)
    files = SYSTEMS[game].edition_files
    assert files is not None
    with speaking(CODE):
        lists = [price_list for edition in SYSTEMS[game].editions for price_list in files.price_lists(edition)]
        said = {gettext(price_list.note) for price_list in lists}
        said |= {text for price_list in lists for row in price_list.rows for text in (row.cost, *row.notes)}
    left = {text for text in map(unworded, said) if WORD.search(text)}
    assert {text for text in left - AS_PRINTED if not text.startswith(("Melee", "Ranged"))} == set()


def test_differences_of_editions_are_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch, whole=False)
    for game in ("battle_mode", "fallout_skirmish"):
        system = SYSTEMS[game]
        assert system.edition_files is not None
        with speaking(CODE):
            for before, after in permutations(system.editions, 2):
                found = system.edition_files.compare(before, after)
                said = {*found.summary, *(gettext(row.what) for row in found.rows)}
                said |= {text for row in found.rows for text in (row.before, row.after) if " " in text}
                assert {text for text in map(unworded, said) if WORD.search(text)} == set()


def test_notes_on_editions_are_in_the_readers_language(visitor: Person) -> None:
    visitor.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    page = visitor.open("/rules/battle-mode").text
    assert "Check costs and options" not in page and "the source gives no cost" not in page


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "20 Nov 2026, 14:05 CET"), ("de", "20. Nov. 2026, 14:05 MEZ"), ("fr", "20 nov. 2026, 14:05 CET")],
)
def test_moment_of_printing_is_in_the_papers_language(code: str, said: str) -> None:
    with speaking(code):
        assert clock_text(datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Berlin"))) == said
