"""What is drawn later does not follow from any number that can be read before."""

import random
import re

import pytest
from flask import Flask

from models.event import Round
from models.play import Player
from tests.kit.formats import NAMES
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.seasons.test_ladder import answer_of, begun, challenge

PAGES = ("", "/standings", "/season", "/journal", "/rounds/1", "/rounds/1/verify", "/me", "/pairings.json")
CHALLENGES = (("Cy", "Di"), ("Ed", "Flo"), ("Gus", "Hal"), ("Cy", "Ed"), ("Di", "Flo"), ("Gus", "Ida"), ("Hal", "Jo"))


def seeds(known: int, number: int, table: int) -> tuple[int | str, ...]:
    """Seeds that a draw at a table of a round could have, if it followed from a known number."""
    return f"{known + number}/{table - 1}", f"{known}/{table - 1}", known + number + table


def numbers_read(*people: Person) -> set[int]:
    """Every number of four digits and more on the event's pages that these people can open."""
    pages = [person.ask("GET", f"/e/iron-open{page}").get_data(as_text=True) for person in people for page in PAGES]
    return {int(found) for page in pages for found in re.findall(r"\d{4,19}", page)}


@pytest.mark.proves("attack 77")
def test_scenarios_of_challenges_follow_from_no_number_read_before(
    stage: Stage, visitor: Person, app: Flask, link_of: Links
) -> None:
    event = begun(stage, *NAMES, kind="challenge")
    stage.set(event, scenario_per_table=True)
    challenge(stage, event, "Ada", "Bo")
    known = numbers_read(visitor, browser(app, link_of, stage.one(Player, name="Cy"))) | {stage.now(event).seed}
    assert len(known) > 1
    drawn = {}
    for own, other in CHALLENGES:
        game = challenge(stage, event, own, other)
        drawn[stage.one(Round, id=game.round_id).number, game.table_number or 0] = game.scenario
        stage.do(event, answer_of, game, stage.one(Player, name=other), accept=False)
    pool = event.scenario_pool
    for way in range(3):
        guessed = [{at: random.Random(seeds(n, *at)[way]).choice(pool) for at in drawn} for n in known]
        assert drawn not in guessed
    assert len(set(drawn.values())) > 1
