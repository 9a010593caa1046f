"""Paper for the tables: their numbers to stand on them, how each is set up, and the scenarios by themselves."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.actions.room import tables_of
from events.public_rounds import public_round_views
from events.reading import RoundView, placed, players_of, round_view, round_views, system_of
from events.views.pack import scenarios_told
from events.views.paper import pdf_answer, printed_at, setup_steps, table_map
from events.views.request import db, event_or_404, managed_event, shown_round_or_404
from models.event import Event
from models.play import Game
from pdf.scenario_page import scenario_sheets
from pdf.table_setup import ScenerySpot, TableSetup, table_setups
from pdf.table_stands import table_stands
from validators.scenario import Scenario
from validators.scenery import Scenery, layout

blueprint = Blueprint("table_papers", __name__)


@blueprint.get("/e/<slug>/desk/table-numbers.pdf")
def stands(slug: str) -> ResponseReturnValue:
    """The numbers of the tables that the event has, or, where none are set, of those that its players need."""
    event = managed_event(slug)
    return pdf_answer(
        event, "table-numbers", lambda size: table_stands(event.name, _tables(event), size, printed_at(event))
    )


@blueprint.get("/e/<slug>/rounds/<int:number>/setup.pdf")
def setups(slug: str, number: int) -> ResponseReturnValue:
    """How each table of a drawn round is set up, by number."""
    event = managed_event(slug)
    view = round_view(db(), event, shown_round_or_404(event, number))
    told = table_setups_of(event, view)
    name = f"round-{number}-setup"
    return pdf_answer(event, name, lambda size: table_setups(event.name, told, size, printed_at(event)))


@blueprint.get("/e/<slug>/scenarios.pdf")
def scenarios(slug: str) -> ResponseReturnValue:
    """A sheet for each scenario that everybody may know of: those of the rounds, and those that may be drawn."""
    event = event_or_404(slug)
    told = scenarios_told(event, public_round_views(db(), event))
    return pdf_answer(event, "scenarios", lambda size: scenario_sheets(event.name, told, size, printed_at(event)))


def _tables(event: Event) -> list[int]:
    players = players_of(db(), event)
    fixed = {player.fixed_table for player in players if player.fixed_table}
    free = tables_of(event, len(placed(players)) // 2, fixed)
    if event.tables is not None:
        return free
    used = {game.table_number for view in round_views(db(), event) for game in view.games if game.table_number}
    return sorted({*free, *used})


def table_setups_of(event: Event, view: RoundView) -> list[TableSetup]:
    """The sheets of the tables at which somebody plays, by number."""
    played = sorted((game for game in view.games if game.table_number and game.b_id), key=_number)
    return [_setup(event, view, _number(game), scenario) for game in played if (scenario := view.scenario_at(game))]


def _number(game: Game) -> int:
    return game.table_number or 0


def _setup(event: Event, view: RoundView, table: int, scenario: Scenario) -> TableSetup:
    scenery = system_of(event).scenery
    # By the table and not by the round: scenery that need not be moved is not moved.
    pieces = layout(scenery, scenario, f"{event.slug}, table {table}") if scenery else ()
    dark = scenery.kinds[0] if scenery else ""
    return TableSetup(
        table=table,
        round_number=view.round.number,
        scenario=scenario.name,
        table_map=table_map(event, scenario),
        spots=tuple(ScenerySpot(p.x, p.y, p.kind, p.kind == dark) for p in pieces),
        across=scenery.across if scenery else 0.0,
        steps=(*(_asked(scenery) if scenery else ()), *setup_steps(event, scenario)),
    )


def _asked(scenery: Scenery) -> tuple[str, ...]:
    return (
        f"{scenery.pieces} pieces of scenery ({scenery.fewest} to {scenery.most} in a game for fun), more than "
        f"{scenery.ruler} ({scenery.apart:g}″) between any two, as many on each half.",
        "The map shows one fair way: either half is the other turned about the middle. Any other that keeps to this "
        "will do.",
    )
