"""Every game through the same pages: a force built, handed in and printed, a result reported by its scenario's form."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from random import Random

import pytest

from events.actions import events as event_actions
from events.actions.demonstration import possible_answers
from models.event import Event
from models.play import ForceList, Game, GameState, Report
from tests.actions.stage import BY, Stage
from tests.views.person import Person
from tests.views.test_printed import texts
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.scenario import OPEN_END, Scenario

GAMES = list(SYSTEMS.values())
SCENARIOS = [(game, scenario) for game in GAMES for scenario in game.scenarios]
ADDRESS = "/e/of-every-game"


def event_of(stage: Stage, game: GameSystem, scenario: str = "") -> Event:
    """An event of this game with open registration, of which round 1 plays this scenario."""
    with stage.changing() as s:
        wanted = event_actions.default_settings(
            game.id, "Of Every Game", "Town Hall", date(2026, 12, 5), "Europe/Berlin", stage.clock()
        )
        wanted = replace(wanted, scenarios=(scenario or wanted.scenarios[0], *wanted.scenarios[1:]))
        event = event_actions.create_event(s, wanted, BY, stage.clock())
    with stage.changing(event) as s:
        event_actions.open_registration(s, event, BY, stage.clock())
    return event


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
