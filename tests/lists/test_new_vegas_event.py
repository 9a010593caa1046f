"""An event of the SNAFU game on the pages: lists, and results by losses and a rout."""

import pytest

from events.play.event_rules import scenario_limits
from models.event import Event
from models.play import Player
from tests.kit.lists import MINE, Enter
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Terms

PAGE = "/e/iron-open/me/game"
GAME = SYSTEMS["new_vegas"]


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of the SNAFU game whose first round is an open battle."""
    return stage.event(game="new_vegas", rounds=1, scenarios=("open-battle",))


def test_result_beyond_the_list_is_refused_and_a_rout_is_shown(stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    page = people[0].open(MINE)
    page = people[0].press("Read the list", text="++ Army Roster ++")
    assert "Only force files of this service (.json) are read for the SNAFU game" in page.text
    edition = GAME.editions[0]
    sample = GAME.forces.sample(Terms(edition, GAME.default_size), edition.factions[0], 3)
    more = 1 + sum(model["count"] for squad in sample["squads"] for model in squad["models"])
    for player in stage.all(Player):
        stage.force(event, player, sample)
    (game,) = stage.publish(event, 1)
    a, b = people if stage.name(game.a_id) == "Ada" else people[::-1]
    a.open(PAGE)
    page = a.press("Send the result", **{"a.lost": "1", "a.leaders": "2", "a.rout": "Stood", "b.rout": "Stood"})
    assert page.status == 422
    assert "Player A: 2 with Charisma among 1 models lost in all cannot be" in page.text
    assert page.value("a.leaders") == "2", "the typed answers are kept"
    answers = {"a.lost": "2", "a.leaders": "1", "a.rout": "Routed", "b.rout": "Stood"}
    page = a.press("Send the result", **answers, **{"b.lost": str(more)})
    assert page.status == 422
    assert f"Player B, models lost: {more} is more than the list holds" in page.errors
    a.press("Send the result", **{"b.lost": "1"})
    page = b.open(PAGE)
    assert "Models lost 2 Of them with Charisma 1" in page.part("table.reports")
    assert "Routed" in page.part("table.reports")


def test_limits_of_a_scenario_are_described() -> None:
    battle = GAME.scenario("open-battle")
    assert scenario_limits(battle) == [f"6 game rounds; {battle.round_note}."]
    hold = SYSTEMS["battle_mode"].scenario("hold-the-line")
    assert scenario_limits(hold)[0] == "6 game rounds, scoring from game round 2; at most 2 VP a player in each."
