"""Every game through the same pages: a force built, handed in and printed, a result reported by its scenario's form."""

import re
from collections.abc import Callable
from random import Random

import pytest

from events.setup.actions import default_settings
from models.event import Event
from models.play import ForceList, Game, GameState, Report
from service.commands.demo import possible_answers
from tests.desk.test_printed import texts
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.restrictions import Restrictions
from validators.scenario import OPEN_END, Scenario

GAMES = list(SYSTEMS.values())
SCENARIOS = [(game, scenario) for game in GAMES for scenario in game.scenarios]
ADDRESS = "/e/of-every-game"


def event_of(stage: Stage, game: GameSystem, scenario: str = "") -> Event:
    """An event of this game with open registration, of which round 1 plays this scenario."""
    planned = default_settings(game.id, "", "", stage.clock().date(), "Europe/Berlin", stage.clock()).scenarios
    return stage.event("Of Every Game", game=game.id, scenarios=(scenario or planned[0], *planned[1:]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_force_is_built_handed_in_and_printed(
    game: GameSystem, enter: Callable[..., list[Person]], stage: Stage
) -> None:
    event = event_of(stage, game)
    (ada,) = enter(event, "Ada")
    edition = game.editions[0]
    for faction in edition.factions:
        sample = game.sample_force(Terms(edition, game.default_size), faction, 3)
        ada.open(f"{ADDRESS}/me/force")
        ada.press("Read the file", file=("force.json", game.export_force(sample, edition, "json")))
        assert stage.one(ForceList).document == sample
        page = ada.press("Save", inside="#builder")
        assert (page.status, page.flashes) == (200, "Saved.")
        assert stage.one(ForceList).document == sample, "the form holds the whole document"
        assert page.part("#verdict .badge") == "Legal"
        total = game.summarise(sample, edition).total
        assert page.part(".tally-value").startswith(f"{total} of {game.default_size} ")
    page = ada.press(f"Submit this {game.words.force}")
    assert "Submitted." in page.flashes
    player = stage.one(ForceList).player_id
    paper = ada.ask("GET", f"{ADDRESS}/players/{player}/force.pdf")
    assert (paper.status_code, paper.data[:5]) == (200, b"%PDF-")
    for known in game.export_formats:
        assert ada.ask("GET", f"{ADDRESS}/players/{player}/force.{known.id}").status_code == 200


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_an_empty_force_has_a_builder_and_is_not_taken(
    game: GameSystem, enter: Callable[..., list[Person]], stage: Stage
) -> None:
    event = event_of(stage, game)
    (ada,) = enter(event, "Ada")
    ada.open(f"{ADDRESS}/me/force")
    page = ada.press("Start", faction=game.editions[0].factions[-1])
    assert page.part(".tally-value").startswith(f"0 of {game.default_size}")
    assert page.part("#verdict .badge") == "Illegal"
    assert ada.press(f"Submit this {game.words.force}").status == 422


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS, ids=lambda one: one.id)
def test_a_result_is_reported_by_the_scenarios_own_form_and_agreed(
    game: GameSystem, scenario: Scenario, enter: Callable[..., list[Person]], stage: Stage
) -> None:
    event = event_of(stage, game, scenario.id)
    by_name = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (played,) = stage.publish(event, 1)
    a, b = by_name[stage.name(played.a_id)], by_name[stage.name(played.b_id)]
    page = a.open(f"{ADDRESS}/me/game")
    assert scenario.name in page.text
    answers = possible_answers(event, scenario, Random(4))
    told = {key.replace(".", "__"): str(value) for key, value in answers.items()}
    page = a.press("Send the result", **told)
    if "Please look again" in page.text:
        page = a.press("Send the result", sure=True)
    (report,) = stage.all(Report)
    expected = {q.key: 0 for q in scenario.questions if q.kind != "choice" and q.most} | answers
    assert dict(report.answers) == expected
    seen = b.open(f"{ADDRESS}/me/game").part("table.reports")
    assert all(q.label in seen for q in scenario.questions if q.kind == "figure" and expected.get(q.key))
    b.press("Yes, that is right")
    game_row = stage.one(Game)
    assert game_row.state == GameState.CONFIRMED
    score = game.score(scenario, expected)
    points = {row.name: row.vp for row in stage.standings(event)}
    assert (points[stage.name(played.a_id)], points[stage.name(played.b_id)]) == (score.a, score.b)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_pages_and_papers_of_an_event_know_the_game(
    game: GameSystem, enter: Callable[..., list[Person]], stage: Stage, olga: Person
) -> None:
    event = event_of(stage, game)
    enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for address in ("", "/rounds/1", "/standings", "/desk/settings", "/desk/restrictions"):
        assert olga.open(f"{ADDRESS}{address}").status == 200, address
    for address in ("/rounds/1/scoresheets.pdf", "/pack.pdf"):
        paper = olga.ask("GET", f"{ADDRESS}{address}")
        assert (paper.status_code, paper.data[:5]) == (200, b"%PDF-"), address
    for one in game.scenarios:
        shown = olga.open(f"{ADDRESS}/scenarios/{one.id}")
        assert shown.status == 200 and one.scoring[0][:20] in shown.text
    rules = olga.open(f"/rules/{game.id.replace('_', '-')}")
    assert all(rules.soup.find(id=rule.id) for rule in (*game.rules, *game.event_rules))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_pages_and_paper_call_things_as_the_game_does(
    game: GameSystem, olga: Person, enter: Callable[..., list[Person]], stage: Stage
) -> None:
    event = event_of(stage, game)
    words = game.words
    (ada,) = enter(event, "Ada")
    page = olga.open(f"{ADDRESS}/desk/restrictions")
    for label in (
        f"{words.factions.capitalize()} that may be played",
        f"A player keeps one {words.faction} for the whole event",
        f"Only fully painted {words.forces}",
    ):
        assert label in page.text
    assert f"each player fields {words.a_force} of the event" in page.text
    page = olga.press("Save", painted=True, faction_locked=True, most_copies="2 × Nobody", roster_size="")
    if words.force != "force":
        assert "how often a force" not in page.text
    settings = olga.open(f"{ADDRESS}/desk/settings")
    assert f"Fully painted {words.force}" in settings.text
    assert ("Write a scenario of your own" in settings.text) == (game.scenario_files is not None)
    assert olga.press("Save", painting_points="1").flashes == "Saved."
    assert f"name; club; {words.faction}. All but the name may" in olga.open(f"{ADDRESS}/desk/players").text
    if game.edition_files:
        new = olga.open(f"/desk/editions/{game.id.replace('_', '-')}/new").text
        assert ("BattleScribe catalogues" in new) == ("catalogues lack" in new) == game.edition_files.catalogues
    pack = " ".join(texts(ada.open(f"{ADDRESS}/pack.pdf")))
    assert f"{game.name}: a legal {words.force}" in pack
    assert f"The check of {words.a_force} cites it" in pack
    assert f"1 tournament point more for a fully painted {words.force}." in pack
    ada.open(f"{ADDRESS}/me/force")
    page = ada.press("Read the file", file=("force.json", b"{}"))
    assert f"This file cannot be read as {words.a_force}." in page.error_at("file")
    assert f"{words.force.capitalize()} file" in page.text
    assert f"{words.a_force} file of this service" in page.text.replace("A ", "a ").replace("An ", "an ")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_rules_that_an_event_adds_speak_as_the_game_does(game: GameSystem) -> None:
    """Battle Mode's words stand in no other game's rules; Caps only where Caps are paid."""
    told = " ".join(f"{rule.title}: {rule.text} {rule.source}" for rule in game.event_rules)
    adds = Restrictions(most_copies=(("Knife", 2),), painted=True, faction_locked=True, roster_size=900)
    terms = Terms(game.editions[0], game.default_size, adds)
    told += " ".join(f"{rule.title}: {rule.text}" for rule in game.rules_added(terms))
    for words in (
        f"a legal {game.words.force} of",
        f"fully painted {game.words.forces}",
        f"One {game.words.faction} for",
    ):
        assert words in told
    other = {"force", "forces", "faction", "factions"} - {
        game.words.force, game.words.forces, game.words.faction, game.words.factions
    }  # fmt: skip
    assert not other & set(re.findall(r"\w+", told.lower()))
    assert game.unit == "Caps" or "Caps" not in told


FIGURED = [(game, one) for game, one in SCENARIOS if any(q.kind == "figure" for q in one.questions)]


@pytest.mark.parametrize(("game", "scenario"), FIGURED, ids=lambda one: one.id)
def test_figures_that_the_scoring_reads_are_not_called_victory_points(
    game: GameSystem, scenario: Scenario, visitor: Person, stage: Stage
) -> None:
    event_of(stage, game, scenario.id)
    table = visitor.open(f"{ADDRESS}/scenarios/{scenario.id}").soup.select_one(".vp-table")
    assert table is not None
    assert table.caption is not None
    assert table.caption.get_text() == "What is reported"
    pack = " ".join(texts(visitor.open(f"{ADDRESS}/pack.pdf")))
    assert "What is reported Of one player A B" in pack
    for told in (table.get_text(), pack.partition("What is reported")[2].partition("How we read it")[0]):
        assert "no limit" not in told
        assert ("any number" in told) == any(q.most >= OPEN_END for q in scenario.questions if q.kind == "figure")
