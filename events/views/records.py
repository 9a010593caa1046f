"""Scoresheets filled in with the result, for the records: a round's for the desk, a game's for its two players too."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events import access_play
from events.reading import players_by_id, round_view
from events.result_history import history_of
from events.views.paper import each_asked, pdf_answer, printed_at
from events.views.request import db, event_or_404, game_or_404, managed_event, round_or_404, visitor
from events.views.table_sheets import filled_sheet, forces_on_sheets, has_result, scenario_of, sheet_of
from models.event import Event, Round
from models.play import Game
from pdf.scoresheet import scoresheets
from pdf.sheet_data import Scoresheet

blueprint = Blueprint("records", __name__)
blueprint.add_app_template_global(has_result, "has_result")
blueprint.add_app_template_test(has_result, "has_result")


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/records.pdf")
def of_round(slug: str, number: int) -> ResponseReturnValue:
    """The sheets of a round's games that are over, by table; 404 where none is."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    over = [game for game in round_view(db(), event, the_round).games if has_result(game)]
    if not over:
        abort(404)
    return _answer(event, the_round, over, f"round-{number}-records")


@blueprint.get("/e/<slug>/games/<int:game_id>/sheet.pdf")
def of_game(slug: str, game_id: int) -> ResponseReturnValue:
    """The sheet of one game that is over, for its two players and the desk; 404 while it is not."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)
    if not access_play.may_see_versions(visitor(), event, game):
        abort(403)
    if not has_result(game):
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    return _answer(event, the_round, [game], f"round-{the_round.number}-table-{game.table_number}")


def _answer(event: Event, the_round: Round, games: list[Game], name: str) -> ResponseReturnValue:
    view, people, forces = round_view(db(), event, the_round), players_by_id(db(), event), forces_on_sheets(event)

    def filled(game: Game) -> Scoresheet:
        scenario = scenario_of(view, game)
        sheet = sheet_of(event, the_round.number, scenario, game, people, forces)
        names = {"a": sheet.a.name, "b": sheet.b.name}
        return filled_sheet(event, sheet, scenario, game, history_of(db(), event, game, scenario, names))

    pages, each = [filled(game) for game in games], each_asked()
    return pdf_answer(event, name, lambda size: scoresheets(pages, size, printed_at(event), each))
