"""Every game's roster is fielded by its parts, and the choice stands ticked when one comes back."""

from collections.abc import Callable

import pytest

from events.results.actions import bounds_of
from models.event import Event
from models.play import FieldedForce, Player
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.restrictions import Restrictions
from validators.scenario import Side

MINE = "/e/of-every-game/me/fielded"


def event_of(stage: Stage, game: GameSystem) -> Event:
    """An event of this game with open registration."""
    return stage.event("Of Every Game", game=game.id)


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
def test_a_part_of_the_roster_is_chosen_and_stays_ticked(
    game: GameSystem, enter: Callable[..., list[Person]], olga: Person, stage: Stage
) -> None:
    event = event_of(stage, game)
    ada, _ = enter(event, "Ada", "Bo")
    larger = game.default_size * 2
    olga.open("/e/of-every-game/desk/restrictions")
    olga.press("Save", roster_size=str(larger), choose_minutes="5")
    terms = Terms(game.editions[0], game.default_size, Restrictions(roster_size=larger))
    roster = game.sample_force(terms, game.editions[0].factions[0], 5)
    for player in stage.all(Player):
        stage.force(event, player, roster)
    stage.publish(event, 1)
    places = list(range(len(game.summarise(roster, terms.edition).lines)))
    while not game.check_force(game.part_of(roster, places), terms.fielded).legal:
        places.pop()
        assert places, "no first part of the roster is legal"
    ada.open(MINE)
    page = ada.press("Field these", places=[str(place) for place in places])
    assert page.status == 200
    assert stage.one(FieldedForce).document == game.part_of(roster, places)
    ticked = [int(str(box["value"])) for box in page.soup.select("input[name=places]") if box.has_attr("checked")]
    assert ticked == places
    if game.bounds is not None:
        (played,) = stage.games(event, 1)
        side: Side = "a" if stage.name(played.a_id) == "Ada" else "b"
        bounds = bounds_of(stage.s, event, played, game.scenarios[0])
        assert bounds == game.bounds(game.scenarios[0], side, game.part_of(roster, places), terms.edition)
        assert bounds != game.bounds(game.scenarios[0], side, roster, terms.edition), (
            "a result is held to what is fielded"
        )
