"""Reading scenarios: those of the games, and those that the club has written."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session, col, select

from models.event import Event
from models.scenario import OwnScenario
from validators import SYSTEMS
from validators.scenario import Scenario


def scenarios_of(s: Session, event: Event) -> Mapping[str, Scenario]:
    """Every scenario that the event can be played with, by id."""
    return known_scenarios(s, event.system)


def known_scenarios(s: Session, system_id: str) -> Mapping[str, Scenario]:
    """Every scenario of a game by id: its own, then those that the club has written, by name."""
    game = SYSTEMS[system_id]
    files = game.scenario_files
    own = [files.read(row.document) for row in own_scenarios(s, system_id)] if files else []
    return {scenario.id: scenario for scenario in (*game.scenarios, *sorted(own, key=lambda one: one.name.casefold()))}


def scenario_by_id(s: Session, system_id: str, scenario_id: str) -> Scenario:
    """One scenario of a game, its own or the club's. Raises LookupError where there is none of this id."""
    game = SYSTEMS[system_id]
    shipped = next((one for one in game.scenarios if one.id == scenario_id), None)
    row = own_scenario(s, system_id, scenario_id) if shipped is None else None
    if row is not None and game.scenario_files:
        return game.scenario_files.read(row.document)
    if shipped is None:
        raise LookupError(f"no scenario {scenario_id} is known here")
    return shipped


def own_scenarios(s: Session, system_id: str) -> Sequence[OwnScenario]:
    """The scenarios that the club has written for a game, oldest first."""
    query = select(OwnScenario).where(OwnScenario.system == system_id).order_by(col(OwnScenario.id))
    return s.exec(query).all()


def own_scenario(s: Session, system_id: str, slug: str) -> OwnScenario | None:
    """A scenario of the club's own; None where it is the game's, or nobody's."""
    return s.exec(select(OwnScenario).where(OwnScenario.system == system_id, OwnScenario.slug == slug)).first()
