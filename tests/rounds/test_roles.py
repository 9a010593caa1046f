"""Roles of a scenario with different sides: drawn, stored with the game, shown, with their own limits."""

from random import Random

import pytest

from events.results.actions import Doubtful
from events.rounds import actions as rounds_actions
from events.rounds import draft
from events.setup import pairing_actions
from events.store.roles import role_of, roles_of
from models.event import Event
from models.journal import ChangeSet
from models.play import Absent, FieldedForce, Game, GameState, Player, Report, ReportSide
from models.settings import BoardsMatched
from tests.kit.armies import SYSTEM, army, squires
from tests.kit.papers import texts
from tests.kit.person import Enter, Person
from tests.kit.stage import Round, Stage
from tests.kit.team_events import enter_teams

HUNT, CONVOY = "treasure-hunt", "convoy"
ROUND, ME, JOURNAL = "/e/iron-open/rounds/1", "/e/iron-open/me", "/e/iron-open/desk/journal"


def event_of(stage: Stage, *scenarios: str) -> Event:
    return stage.event(game="fallout_warfare", rounds=len(scenarios), scenarios=scenarios)


def firsts(stage: Stage, event: Event, number: int) -> dict[tuple[int, int], int]:
    """The player with the first role in each pair of a round, by pair."""
    pairs = {}
    for game in stage.games(event, number):
        if game.b_id is None:
            assert game.a_first is None, "a bye has no role"
        else:
            assert game.a_first is not None
            pairs[min(game.a_id, game.b_id), max(game.a_id, game.b_id)] = game.a_id if game.a_first else game.b_id
    return pairs


def expected(seed: int, pair: tuple[int, int], had: dict[int, int]) -> int:
    """The rule, implemented again: the player with fewer first roles; on equal counts, by the seed."""
    number, other = pair
    if had.get(number, 0) != had.get(other, 0):
        return number if had.get(number, 0) < had.get(other, 0) else other
    return Random(f"{seed}/{number}/{other}").choice([number, other])


def finish(stage: Stage, event: Event, number: int) -> None:
    for game in stage.games(event, number):
        if game.b_id is not None:
            scenario = stage.one(Round, event_id=event.id, number=number).scenario
            roles = roles_of(SYSTEM.scenario(str(scenario)), game)
            answers = {"a.role": roles["a"].name, "b.role": roles["b"].name}
            stage.report(event, game, ReportSide.ORGANISER, answers, version=game.version)


def test_roles_are_drawn_from_the_seed_and_alternate_between_rounds(stage: Stage) -> None:
    event = event_of(stage, HUNT, CONVOY, HUNT)
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    drawn = set()
    for seed in range(6):
        stage.draw(event, 1, seed)
        found = firsts(stage, event, 1)
        assert found == {pair: expected(seed, pair, {}) for pair in found}, seed
        drawn |= {first == pair[0] for pair, first in found.items()}
    assert drawn == {True, False}, "either player of a pair can have it"
    had: dict[int, int] = {}
    for number in (1, 2, 3):
        stage.publish(event, number, seed=number)
        found = firsts(stage, event, number)
        assert found == {pair: expected(number, pair, had) for pair in found}, number
        for pair, first in found.items():
            for player in pair:
                had[player] = had.get(player, 0) + (1 if player == first else -1)
        finish(stage, event, number)


def test_no_show_does_not_count_as_having_had_a_role(stage: Stage) -> None:
    event = event_of(stage, HUNT, HUNT)
    ada, bo = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1, seed=1)
    stage.no_show(event, game, Absent.BOTH)
    for seed in range(6):  # in which each of them has it
        stage.draw(event, 2, seed)
        assert firsts(stage, event, 2) == {(ada.id, bo.id): expected(seed, (ada.id, bo.id), {})}, seed


def test_draft_changes_and_exchanges_keep_roles(stage: Stage) -> None:
    event = event_of(stage, HUNT)
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed", "Fay")
    stage.draw(event, 1, seed=4)
    before, games = firsts(stage, event, 1), stage.games(event, 1)
    stage.do(event, draft.swap, 1, games[0].a_id, games[1].a_id)
    swapped = firsts(stage, event, 1)
    assert swapped == {pair: expected(4, pair, {}) for pair in swapped} != before
    stage.do(event, draft.set_table, 1, games[2].a_id, 1)
    assert firsts(stage, event, 1) == swapped
    stage.do(event, draft.set_scenario, 1, games[2].a_id, "skirmish")
    assert [game.a_first for game in stage.games(event, 1) if game.a_id == games[2].a_id] == [None]
    for _ in range(3):
        stage.do(event, draft.undo_draft_change, 1)
    assert firsts(stage, event, 1) == before, "every step is taken back"
    stage.do(event, rounds_actions.publish_round, 1)
    number, other = games[0].a_id, games[1].a_id
    mark = rounds_actions.exchange(stage.s, event, stage.one(Round, number=1), number, other).mark
    stage.do(event, rounds_actions.exchange_players, 1, number, other, mark)
    assert firsts(stage, event, 1) == swapped
    stage.do(event, rounds_actions.unpublish, 1)
    assert firsts(stage, event, 1) == swapped


@pytest.fixture
def table(enter: Enter, stage: Stage, olga: Person) -> tuple[Event, Game, dict[str, Person]]:
    """A treasure hunt of two players: the game, and the browsers by role."""
    event = event_of(stage, HUNT)
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    for player in stage.all(Player):
        stage.force(event, player, army(squires(5), squires(5), squires(5)))  # 61 points each
    (game,) = stage.publish(event, 1)
    scenario = SYSTEM.scenario(HUNT)
    players = (game.a_id, game.b_id)
    roles = {role.name: people[stage.name(id_)] for id_ in players if (role := role_of(scenario, game, id_))}
    return event, game, roles


def test_pages_and_papers_name_roles(table: tuple[Event, Game, dict[str, Person]], stage: Stage, olga: Person) -> None:
    _, game, people = table
    roles = roles_of(SYSTEM.scenario(HUNT), game)
    named = {stage.name(game.a_id): roles["a"].name, stage.name(game.b_id): roles["b"].name}
    for role, points in (("Scavengers", 150), ("Raiders", 200)):
        page = people[role].open(ME)
        assert f"Your role: {role} . Field at most {points} points of your list" in page.text
        assert "The scenario adds a figure with a Minigun, and a hero of level 1 with Lockpick (5)." in page.text
        form = people[role].open(f"{ME}/game")
        assert (form.value("a.role"), form.value("b.role")) == (roles["a"].name, roles["b"].name)
    for address in (ROUND, "/e/iron-open/desk/rounds/1"):
        row = olga.open(address).rows("table.pairings")[0]
        assert all(name in cell and role in cell for cell, (name, role) in zip(row[1:3], named.items(), strict=True))
    assert [row[0] for row in olga.open(f"{ROUND}?order=name").rows("table.pairings")] == [
        f"{name} {role}" for name, role in sorted(named.items())
    ]
    (sheet,) = texts(olga.open(f"{ROUND}/scoresheets.pdf"))
    (setup,) = texts(olga.open(f"{ROUND}/setup.pdf"))
    for role in named.values():
        assert f"Brotherhood of Steel · Role: {role}" in sheet
    assert "6: ammunition for the first figure with a Minigun" in sheet
    assert sheet.count("only if Raiders left first") == 1, "in the raiders' column"
    for words in (f"Player A: {roles['a'].name}.", "2 heroes with Lockpick (5)", "6 chests in the circle"):
        assert words in setup, words
    lines = olga.ask("GET", f"{ROUND}/round.csv").get_data(as_text=True).replace(";", ",").splitlines()
    assert lines[0].endswith("Role A,Role B")
    assert lines[1].endswith(f"{roles['a'].name},{roles['b'].name}")
    rules = olga.open(f"/e/iron-open/scenarios/{HUNT}").text
    assert "Roles, drawn with the round: Scavengers, at most 150 points. Raiders, at most 200 points." in rules


def test_draft_shows_roles_and_paper_entry_begins_with_them(stage: Stage, olga: Person) -> None:
    event = event_of(stage, HUNT)
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.draw(event, 1)
    roles = roles_of(SYSTEM.scenario(HUNT), game)
    (row,) = olga.open("/e/iron-open/desk/rounds/1").rows("table.pairings")
    assert roles["a"].name in row[1] and roles["b"].name in row[2]
    stage.publish(event, 1)
    page = olga.open("/e/iron-open/desk/rounds/1/entry?table=1")
    assert (page.value("a.role"), page.value("b.role")) == (roles["a"].name, roles["b"].name)
    first = stage.name(game.a_id if game.a_first else game.b_id)
    *_, draw, _ = stage.all(ChangeSet)
    assert f"has the first role after: {first}" in olga.open(f"{JOURNAL}/{draw.id}").text
    teams = stage.event("Team Cup", game="fallout_warfare", rounds=1, scenarios=(HUNT,))
    stage.do(teams, pairing_actions.set_teams, 2, BoardsMatched.ORDER, False)
    enter_teams(stage, teams, "Reds", "Blues")
    stage.draw(teams, 1)
    assert olga.open("/e/team-cup/desk/rounds/1").part("table.pairings").count("(Scavengers)") == 2


def test_roles_unlike_the_draw_need_confirming(table: tuple[Event, Game, dict[str, Person]], stage: Stage) -> None:
    event, game, _ = table
    roles = roles_of(SYSTEM.scenario(HUNT), game)
    other = {"a.role": roles["b"].name}
    with pytest.raises(Doubtful, match="Did they exchange them") as asked:
        stage.report(event, game, ReportSide.A, other, sure=False)
    assert [doubt.refused for doubt in asked.value.doubts] == [False]
    assert stage.all(Report) == []
    as_drawn = {"a.role": roles["a"].name, "b.role": roles["b"].name}
    assert stage.report(event, game, ReportSide.A, as_drawn, sure=False) == GameState.REPORTED
    assert stage.report(event, game, ReportSide.B, other) == GameState.DISPUTED


def test_fielded_force_follows_role(table: tuple[Event, Game, dict[str, Person]], stage: Stage, olga: Person) -> None:
    _, game, people = table
    hunters, raiders = people["Scavengers"], people["Raiders"]
    assert "Choose my army for this game" in hunters.open(ME).text
    assert "Scavengers: 150 points of the list" in hunters.open(f"{ME}/fielded").text
    page = hunters.press("Field these models", places=["0", "1", "2"])
    assert (page.status, "over the 150 of the Scavengers" in page.text) == (422, True)
    assert stage.all(FieldedForce) == []
    hunters.press("Field these models", places=["1", "2"])
    raiders.press("Field these models", at=f"{ME}/fielded", places=["0", "1", "2"])
    assert [len(fielded_force.document["squads"]) for fielded_force in stage.all(FieldedForce)] == [2, 3]
    assert "Both players have chosen" in hunters.open(f"{ME}/fielded").text
    assert "Army of Ada" in olga.open(f"/e/iron-open/desk/games/{game.id}").text


def test_no_clock_runs_while_one_player_has_no_list(enter: Enter, stage: Stage) -> None:
    event = event_of(stage, HUNT)
    ada, _ = enter(event, "Ada", "Bo")
    stage.force(event, stage.one(Player, name="Ada"), army(squires(5), squires(5)))
    (game,) = stage.publish(event, 1)
    page = ada.press("Field these models", at=f"{ME}/fielded", places=["0", "1"])
    assert len(stage.all(FieldedForce)) == 1
    assert stage.now(game).choosing_since is None
    assert "The clock can start once both have a list." in page.part("main header")
