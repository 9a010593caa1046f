"""The service's luck is not asked for twice unseen: draws of rounds, challenges, roles at boards."""

import pytest
from flask import Flask

from events.journal.going_back import go_back, points_of
from events.results import challenges
from events.rounds import actions, team_boards
from events.setup import pairing_actions
from models.event import Event, Round
from models.journal import JournalEntry
from models.play import Player
from models.settings import BoardsMatched
from models.staff import Role
from tests.api.programs import Program, made_token
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, matches_in
from tests.seasons.test_ladder import begun, challenge

pytestmark = pytest.mark.proves("attack 101")


def back_to(stage: Stage, event: Event, words: str) -> None:
    """Go back to before the newest step with these words."""
    point = next(point for point in points_of(stage.s, stage.now(event)) if words in point.text)
    stage.do(event, go_back, point.id)


def test_each_draw_of_a_round_is_counted_and_the_round_says_so(
    app: Flask, stage: Stage, event: Event, visitor: Person, olga: Person
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    for count in (1, 2):
        stage.draw(event, 1, count)
        assert (stage.one(Round, number=1).outcome or {})["count"] == count
    stage.do(event, actions.discard_draw, 1)
    stage.draw(event, 1, 3)
    back_to(stage, event, "Drew round 1:")
    program = Program(app, made_token(stage, event, Role.ORGANISER))
    address = "/api/v1/events/iron-open/rounds/1/draw"
    assert program.post(address, seed=7).status_code == 200
    assert stage.one(Round, number=1).seed not in (7, None), "nobody chooses chance"
    assert "Draw 4 of this round" in olga.open("/e/iron-open/desk/rounds/1").text
    stage.draw(event, 1, 5)
    back_to(stage, event, "Drew round 1 anew")
    stage.do(event, actions.publish_round, 1)
    assert "Draw 4 of 5 of this round" in visitor.open("/e/iron-open/rounds/1").part("details.fold")


def test_challenge_taken_back_and_made_again_rolls_nothing_new(stage: Stage) -> None:
    event = begun(stage, "Ada", "Bo", "Cy")

    def seeds() -> list[int]:
        return [entry.details["seed"] for entry in stage.all(JournalEntry, verb="challenge")]

    for _ in range(2):
        game = challenge(stage, event, "Bo", "Ada")
        stage.do(event, challenges.withdraw_challenge, game, stage.one(Player, name="Bo"))
    first = stage.one(Round, number=1)
    scenario, seed = first.scenario, first.seed
    game = challenge(stage, event, "Bo", "Ada")
    assert len(set(seeds())) == 1
    stage.decide(event, game, 1, 3)
    stage.decide(event, challenge(stage, event, "Cy", "Bo"), 1, 3)
    challenge(stage, event, "Bo", "Ada")
    assert len(set(seeds())) == 3, "another pair, and the pair's second game, have lots of their own"
    assert (stage.one(Round, number=1).scenario, stage.one(Round, number=1).seed) == (scenario, seed)


def test_captains_who_choose_again_have_the_same_roles(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare", rounds=1, scenarios=("convoy",))
    stage.do(event, pairing_actions.set_teams, 3, BoardsMatched.CHOICE, False)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows")
    rolled = []
    for _ in range(2):
        stage.publish(event, 1)
        for match in matches_in(stage, event, 1):
            stage.do(event, team_boards.close_choice, match)
        rolled.append({(game.a_id, game.b_id): game.a_first for game in stage.games(event, 1)})
        back_to(stage, event, "Drew round 1")
    assert rolled[0] == rolled[1] and len(rolled[0]) == 6 and None not in rolled[0].values()
