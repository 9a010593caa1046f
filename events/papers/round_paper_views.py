"""A round's papers: pairings, standings so far, table numbers, table set-ups and scenarios."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.papers.event_pack import scenario_pages
from events.papers.round_paper import bracket_on_paper, table_setups_of
from events.rounds.bracket_page import bracket_or_404
from events.rounds.inputs import usable_blocks
from events.store.players import placed
from events.store.rounds import round_view
from events.visitors.event_loading import players_in
from events.visitors.loading import event_or_404, managed_event, shown_round_or_404, views_of
from events.web.answers import pdf_answer
from events.web.request import outside_url
from models.event import Event
from pdf.bracket import draw_bracket
from pdf.scenario_page import draw_scenario_sheets, draw_table_setups
from pdf.signs import TableStand, draw_table_stands

blueprint = Blueprint("round_paper", __name__)


@blueprint.get("/e/<slug>/desk/table-numbers.pdf")
def stands(slug: str) -> ResponseReturnValue:
    """Standing table numbers for the event's tables, or those that its players need."""
    event = managed_event(slug)
    stands = [
        TableStand(number, outside_url("rounds.table_page", slug=slug, number=number)) for number in _tables(event)
    ]
    return pdf_answer(event, "table-numbers", draw_table_stands, stands)


@blueprint.get("/e/<slug>/rounds/<int:number>/setup.pdf")
def setups(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    view = round_view(event, shown_round_or_404(event, number))
    tables = table_setups_of(event, view)
    name = f"round-{number}-setup"
    return pdf_answer(event, name, draw_table_setups, tables)


@blueprint.get("/e/<slug>/scenarios.pdf")
def scenarios(slug: str) -> ResponseReturnValue:
    """A sheet for each public scenario: those of the rounds, and those that may be drawn."""
    event = event_or_404(slug)
    pages = scenario_pages(event)
    return pdf_answer(event, "scenarios", draw_scenario_sheets, pages)


@blueprint.get("/e/<slug>/bracket.pdf")
def bracket_paper(slug: str) -> ResponseReturnValue:
    """The bracket on one page, as its page shows it to the visitor."""
    event = event_or_404(slug)
    sheet = bracket_on_paper(event, *bracket_or_404(event))
    return pdf_answer(event, "bracket", draw_bracket, sheet)


def _tables(event: Event) -> list[int]:
    players = players_in(event)
    fixed = {player.fixed_table for player in players if player.fixed_table}
    free = usable_blocks(event, 1, len(placed(players)) // 2, fixed)
    if event.tables is not None:
        return free
    used = {game.table_number for view in views_of(event) for game in view.games if game.table_number}
    return sorted({*free, *used})
