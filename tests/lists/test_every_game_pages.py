"""Every game on the same pages: a force built, submitted and printed, a result reported in its scenario's form."""

from random import Random

import pytest

from events.play.rounds import roles_answered
from models.play import ForceList, Game, GameState, Player, Report
from service.commands.made_up import possible_answers
from tests.kit.lists import EVERY_GAME, Enter, event_of_game
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.profiles import at_length
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.scenario import Scenario

GAMES = list(SYSTEMS.values())
SCENARIOS = [(game, scenario) for game in GAMES for scenario in game.scenarios]
USUAL = {
    (game.id, *sorted({question.kind for question in scenario.questions})): (game, scenario)
    for game, scenario in reversed(SCENARIOS)
}
"""One scenario of each game for each set of kinds of questions."""
of_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@of_every_game
def test_force_is_built_submitted_and_printed(game: GameSystem, enter: Enter, stage: Stage) -> None:
    event = event_of_game(stage, game)
    ada, bo = enter(event, "Ada", "Bo")
    edition = game.editions[0]
    bo.open(f"{EVERY_GAME}/me/force")
    page = bo.press("Start", faction=edition.factions[-1])
    assert page.part(".tally-value").startswith(f"0 of {game.default_size}")
    assert (page.part(".builder-verdict b"), page.part("#verdict li")) == ("Nothing added yet", ""), (
        "nothing is wrong yet"
    )
    assert bo.press(f"Submit this {game.words.force}").status == 422
    player = stage.one(Player, name="Ada").id
    for faction in edition.factions:
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
    for known in game.forces.files.formats:
        assert ada.ask("GET", f"{EVERY_GAME}/players/{player}/force.{known.id}").status_code == 200


@pytest.mark.parametrize("case", at_length(SCENARIOS, USUAL.values()), ids=lambda case: case[1].id)
def test_result_is_reported_in_the_scenarios_form(
    case: tuple[GameSystem, Scenario], enter: Enter, stage: Stage
) -> None:
    game, scenario = case
    event = event_of_game(stage, game, scenario.id)
    by_name = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (played,) = stage.publish(event, 1)
    a, b = by_name[stage.name(played.a_id)], by_name[stage.name(played.b_id)]
    assert scenario.name in a.open(f"{EVERY_GAME}/me/game").text
    answers = possible_answers(event, scenario, Random(4), roles=roles_answered(scenario, played))
    page = a.press("Send the result", **{key.replace(".", "__"): str(value) for key, value in answers.items()})
    if "Please check" in page.text:
        a.press("Yes, send it")
    (report,) = stage.all(Report)
    expected = {q.key: 0 for q in scenario.questions if q.kind != "choice" and q.most} | answers
    assert dict(report.answers) == expected
    shown = b.open(f"{EVERY_GAME}/me/game").part("table.reports")
    assert all(q.label in shown for q in scenario.questions if q.kind == "figure" and expected.get(q.key))
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
    settings = olga.open(f"{EVERY_GAME}/desk/settings")
    assert ("Write a scenario of your own" in settings.text) == (game.scenario_files is not None)
    assert olga.press("Save", painting_points="1").flashes == "Saved."
    if game.edition_files:
        new = olga.open(f"/desk/editions/{game.id.replace('_', '-')}/new").text
        assert ("BattleScribe catalogues" in new) == game.edition_files.catalogues
    pack = " ".join(texts(ada.open(f"{EVERY_GAME}/pack.pdf")))
    assert f"1 tournament point more for a fully painted {words.force}." in pack
    ada.open(f"{EVERY_GAME}/me/force")
    page = ada.press("Read the list", file=("force.json", b"{}"))
    assert f"This file cannot be read as {words.a_force}." in page.error_at("file")
    stage.publish(event, 1)
    for address in ("", "/rounds/1", "/standings"):
        assert olga.open(f"{EVERY_GAME}{address}").status == 200, address
    paper = olga.ask("GET", f"{EVERY_GAME}/rounds/1/scoresheets.pdf")
    assert (paper.status_code, paper.data[:5]) == (200, b"%PDF-")
    rules = olga.open(f"/rules/{game.id.replace('_', '-')}")
    assert all(rules.soup.find(id=rule.id) for rule in (*game.checks.rules, *game.checks.event_rules))
