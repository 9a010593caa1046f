"""Every game on the pages: its rules and calculators, a list built and printed, a result in its scenario's form."""

from random import Random
from typing import Any

import pytest

from events.results.forms import scored_label
from events.store.roles import roles_answered
from models.event import Event
from models.play import ForceList, Game, GameState, Player, Report
from models.settings import ListsShown
from service.commands.demo import possible_answers
from tests.kit.lists import EVERY_GAME, MINE, event_of_game, file
from tests.kit.papers import texts
from tests.kit.person import SEND_RESULT, Enter, Person, words
from tests.kit.profiles import full_run
from tests.kit.skill_combatants import attributes, jim
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Document, Terms
from validators.game_system import GameSystem
from validators.scenario import Scenario

CALCULATORS = [(game.id.replace("_", "-"), calculator) for game in SYSTEMS.values() for calculator in game.calculators]
SHOT = "/rules/skill-combat/attack"


def results(person: Person) -> dict[str, str]:
    found = person.page.soup.select("#result .breakdown > div")
    return {words(one.dt): words(one.b) for one in found if one.dt and one.b}


def api(person: Person, address: str, status: int = 200) -> dict[str, Any]:
    answer = person.http.get(f"/api/v1{address}")
    assert answer.status_code == status and answer.is_json, answer.text
    parsed: dict[str, Any] = answer.get_json()
    return parsed


def test_calculators_open_with_the_documents_example(visitor: Person) -> None:
    for game, calculator in CALCULATORS:
        address = f"/rules/{game}/{calculator.id}"
        page = visitor.open(address)
        assert (page.status, page.part("#result-head")) == (200, "The document’s example"), address
        figures = api(visitor, address)["figures"]
        assert results(visitor) == {
            figure["label"]: f"{figure['value']} {figure['unit']}".strip() for figure in figures.values()
        }
        for ask in calculator.asks:
            assert page.soup.find(None, {"name": ask.key}), ask.key
        assert visitor.open(f"/rules/{game}").soup.find("a", href=address)
    for unknown in ("/rules/skill-combat/no-such", "/rules/battle-mode/attack", "/rules/golf/attack"):
        assert (visitor.open(unknown).status, visitor.open(f"/api/v1{unknown}").status) == (404, 404)


def test_missing_checkbox_has_the_examples_value(visitor: Person) -> None:
    for asked, outcome in (("", "Scratch"), ("&scratches=0", "Miss"), ("&scratches=0&scratches=1", "Scratch")):
        assert api(visitor, f"{SHOT}?roll=46{asked}")["figures"]["outcome"]["value"] == outcome, asked
    visitor.open(f"{SHOT}?roll=46&scratches=0")
    assert results(visitor)["A roll of 46"] == "Miss"
    box = visitor.page.soup.select_one("input[type=checkbox][name=scratches]")
    assert box is not None and not box.has_attr("checked")


def test_invalid_answer_is_refused_at_its_field_and_kept(visitor: Person) -> None:
    for field, typed, error in (
        ("roll", "101", "Enter a number from 1 to 100."),
        ("skill", "forty", "Enter a whole number."),
        ("distance", "9" * 5000, "Enter a number from 0 to 200."),
        ("part", "tail", "Not a valid choice."),
    ):
        page = visitor.open(f"{SHOT}?{field}={typed}")
        assert (page.status, page.part("#result-head")) == (422, "No result")
        assert error in page.error_at(field) and error in page.errors
        assert field == "part" or page.value(field) in (typed[:20], typed)
        faults = api(visitor, f"{SHOT}?{field}={typed}", 422)["faults"]
        assert (set(faults), error in faults[field]) == ({field}, True)
    assert api(visitor, f"{SHOT}?rol=6", 422) == {"faults": {"rol": ["rol is not a field of this calculator."]}}
    assert visitor.open(f"{SHOT}?rol=6").status == 200, "the page ignores it"


CHARACTER = "Character (character\u00a01)"


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(game="skill_combat")


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada")
    page = ada.open(MINE)
    assert "My side" in page.text and "text" not in page.part("details:has([name=file])"), "no text is read"
    assert ada.press("Start", faction="Raiders").part(".tally-value") == "0 of 40 SPECIAL points"
    return ada


def stored(stage: Stage) -> Document:
    stage.s.expire_all()
    document: Document = stage.all(ForceList)[0].document
    return document


def test_gear_is_added_and_removed(ada: Person, stage: Stage) -> None:
    ada.press("Read the list", inside="details", file=file(jim()))
    shown = {words(one.dt): words(one.b) for one in ada.page.soup.select("#m0 .breakdown > div") if one.dt and one.b}
    assert (shown["Health Points"], shown["AP back, standing"], shown["Small Guns"]) == ("33", "+12", "30 %")
    ada.open(str(ada.page.soup.select(".builder-total")[0]["href"]))
    assert ada.page.part("#result .first b") == "44 %", "the figures of the document's example"
    ada.press("Delete and start again", at=MINE, faction="Raiders")
    ada.press("Add a character", at=MINE)
    assert ada.page.part(".tally-value") == "35 of 40 SPECIAL points"
    assert not {"Add a character", "Duplicate"} & set(map(words, ada.page.soup("button"))), "the side is full"
    ada.press(f"Add weapon to {CHARACTER}", m0__add_weapon="With its own figures")
    ada.press("Save", inside="#builder", m0__w0__name="Laser", m0__w0__damage="9", m0__w0__stat="PE", m0__armour="own")
    assert stored(stage)["models"][0]["weapons"][0]["own"]["damage"] == 9
    ada.press("Save", inside="#builder", m0__armour__name="Plates", m0__armour__ac="7")
    own = {"ac": 7, "dc": 0, "jc": 0, "resistance": 0}
    assert stored(stage)["models"][0]["armour"] == {"name": "Plates", "own": own}
    assert "Laser brings its own figures" in ada.page.part("#verdict")
    ada.press(f"Add item to {CHARACTER}", m0__add_item="Jet")
    for what in ("Laser", "Jet"):
        ada.press(f"Take out {what}")
    ada.press("Save", inside="#builder", m0__armour="")
    model = stored(stage)["models"][0]
    assert (model["weapons"], model["items"], model["armour"]) == ([], [], None)
    ada.press(f"Add weapon to {CHARACTER}", m0__add_weapon="10mm Pistol", m0__armour="Leather Jacket")
    model = stored(stage)["models"][0]
    assert (model["weapons"], model["armour"]["name"]) == ([{"name": "10mm Pistol", "own": None}], "Leather Jacket")


def test_order_of_turns_is_on_page_and_scoresheet(enter: Enter, stage: Stage, event: Event, olga: Person) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    for person, name, perception in ((ada, "Ash", 8), (bo, "Bolt", 3)):
        person.open(MINE)
        special = attributes(PE=perception, CH=1)
        person.press("Read the list", inside="details", file=file(jim(name=name, special=special)))
        person.press("Submit this side")
    assert "Sequence" not in ada.open("/e/iron-open/me").text, "there is no game yet"
    game = stage.publish(event, 1)[0]
    ash, bolt = ("A", "B") if stage.name(game.a_id) == "Ada" else ("B", "A")
    order = f"The order by Sequence: Ash ({ash}) 16; Bolt ({bolt}) 6."
    for person in (ada, bo):
        assert order in person.open("/e/iron-open/me").text
    paper = "/e/iron-open/rounds/1/scoresheets.pdf"
    (sheet,) = texts(olga.open(paper))
    (setup,) = texts(olga.open("/e/iron-open/rounds/1/setup.pdf"))
    assert f"Order of turns, by Sequence 1. Ash ({ash}) 16 2. Bolt ({bolt}) 6" in setup
    assert order in sheet and "HP: tick each point lost A Ash" in sheet and "Seq." not in sheet
    stage.set(event, lists_shown=ListsShown.AFTER_EVENT, lists_revealed_at=None)
    assert "by Sequence:" not in ada.open("/e/iron-open/me").text, "the lists are secret"
    (sheet,) = texts(olga.open(paper))
    assert sheet.count("Seq. ____") == 4 and "Ash" not in sheet, "lines to write on"
    (blank,) = texts(olga.open("/e/iron-open/desk/rounds/1/blank-sheets.pdf?count=1&scenario=none"))
    assert "HP left" in blank and "All act by Sequence" in blank and "of 40" in blank, "all scenarios share these"
    assert "Each player rolls" not in blank and "What scores for A" not in blank


GAMES = list(SYSTEMS.values())
SCENARIOS = [(game, scenario) for game in GAMES for scenario in game.scenarios]
USUAL = {
    (game.id, *sorted({question.kind for question in scenario.questions})): (game, scenario)
    for game, scenario in reversed(SCENARIOS)
}
"""One scenario of each game for each set of kinds of questions."""
of_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@of_every_game
@pytest.mark.parametrize("most", full_run([1, 99], [1]))
def test_force_is_built_submitted_and_printed(most: int, game: GameSystem, enter: Enter, stage: Stage) -> None:
    """A force of one faction, with ``--long`` of each: test_every_builder.py sends forces of each back unchanged."""
    event = event_of_game(stage, game)
    ada, bo = enter(event, "Ada", "Bo")
    edition = next(edition for edition in game.editions if edition.id == event.edition)
    page = bo.press("Start", at=f"{EVERY_GAME}/me/force", faction=edition.factions[-1])
    assert page.part(".tally-value").startswith(f"0 of {game.default_size}")
    assert (page.part(".builder-verdict b"), page.part("#verdict li")) == ("Nothing added yet", "")
    assert bo.press(f"Submit this {game.words.force}").status == 422
    player = stage.one(Player, name="Ada").id
    for faction in edition.factions[:most]:
        sample = game.forces.sample(Terms(edition, game.default_size), faction, 3)
        ada.open(f"{EVERY_GAME}/me/force")
        ada.press("Read the list", file=("force.json", game.forces.files.export(sample, edition, "json")))
        assert stage.one(ForceList, player_id=player).document == sample
        page = ada.press("Save", inside="#builder")
        assert (page.status, page.flashes) == (200, "Saved.")
        assert stage.one(ForceList, player_id=player).document == sample, "the form holds the whole document"
        assert page.part(".builder-verdict b") == "Legal"
        total = game.forces.summarise(sample, edition).total
        assert page.part(".tally-value").startswith(f"{total} of {game.default_size} ")
    assert "Submitted." in ada.press(f"Submit this {game.words.force}").flashes
    links = [str(a["href"]) for a in ada.open(f"{EVERY_GAME}/players/{player}").soup.select("a[href*='force.pdf']")]
    assert len(links) == 1 + game.papers.has_sheets
    for link in links:
        paper = ada.ask("GET", link)
        assert (paper.status_code, paper.data[:5]) == (200, b"%PDF-")


@pytest.mark.parametrize("case", full_run(SCENARIOS, USUAL.values()), ids=lambda case: case[1].id)
def test_result_is_reported_by_scenario(case: tuple[GameSystem, Scenario], enter: Enter, stage: Stage) -> None:
    game, scenario = case
    event = event_of_game(stage, game, scenario.id)
    by_name = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (played,) = stage.publish(event, 1)
    a, b = by_name[stage.name(played.a_id)], by_name[stage.name(played.b_id)]
    assert scenario.name in a.open(f"{EVERY_GAME}/me/game").text
    answers = possible_answers(event, scenario, Random(4), roles=roles_answered(scenario, played))
    page = a.press(SEND_RESULT, **{key.replace(".", "__"): str(value) for key, value in answers.items()})
    if "Please check" in page.text:
        a.press("Yes, send it")
    (report,) = stage.all(Report)
    expected = {q.key: 0 for q in scenario.questions if q.kind != "choice" and q.most} | answers
    assert dict(report.answers) == expected
    shown = b.open(f"{EVERY_GAME}/me/game").part("table.reports")
    assert all(
        scored_label(scenario, q) in shown for q in scenario.questions if q.kind == "figure" and expected.get(q.key)
    )
    b.agree()
    assert stage.one(Game).state == GameState.CONFIRMED
    score = game.scoring.score(scenario, expected)
    with stage.changing(event):
        event.tie_breaks = ["vp"]  # as scored, not in shares
    points = {row.name: row.vp for row in stage.standings(event)}
    assert (points[stage.name(played.a_id)], points[stage.name(played.b_id)]) == (score.a, score.b)


@of_every_game
def test_pages_and_paper_use_the_games_words(game: GameSystem, olga: Person, enter: Enter, stage: Stage) -> None:
    event = event_of_game(stage, game)
    words = game.words
    ada, _ = enter(event, "Ada", "Bo")
    page = olga.open(f"{EVERY_GAME}/desk/restrictions")
    assert f"{words.factions.capitalize()} that may be played" in page.text
    assert f"each player fields {words.a_force} of the event" in page.text
    olga.press("Save", painted=True, faction_locked=True, most_copies="2 × Nobody", roster_size="")
    settings = olga.open(f"{EVERY_GAME}/desk/settings/rounds")
    assert ("Write a scenario of your own" in settings.text) == (game.scenario_files is not None)
    assert olga.press("Save", at=f"{EVERY_GAME}/desk/settings/points", painting_points="1").flashes == "Saved."
    told = ada.open(EVERY_GAME).text
    assert f"1 tournament point more for a fully painted {words.force}." in told
    ada.open(f"{EVERY_GAME}/me/force")
    only_json = f"Only force files of this service (.json) are read for the {game.name}"
    assert (only_json in ada.page.text) == (len(game.forces.files.formats) == 1)
    page = ada.press("Read the list", file=("force.json", b"{}"))
    assert f"This cannot be read as {words.a_force}." in page.error_at("file")
    rules = olga.open(f"/rules/{game.id.replace('_', '-')}").soup
    entries = [(str(entry["id"]), " ".join(entry.get_text().split())) for entry in rules.select("[id]")]
    for rule in (*game.checks.rules, *game.checks.event_rules):
        (text,) = [text for id_, text in entries if id_ == rule.id]
        assert not [part for part in (rule.text, rule.source) if part not in text], rule.id
        folds = [fold.get_text(" ", strip=True) for fold in rules.select("details:not([open]) > summary")]
        assert f"{rule.title} {rule.id}" in folds, rule.id
