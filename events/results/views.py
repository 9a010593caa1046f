"""A player's report of a game: the form, its live check, and agreeing to a report."""

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from events.results.forms import asked_sides, scored_label
from events.results.report_page import NOT_NOW, Reporter, late, report_on, turned_away
from events.store.errors import Stale
from events.store.games import EARLIER, GameWithReports, game_with_reports, own_game
from events.visitors import access
from events.visitors.loading import actor, event_or_404, own_player_or_403, visitor
from events.web.error_pages import show_refusal
from events.web.idempotency import from_outbox, retry_response, submission_from
from events.web.parsing import number_or_none
from events.web.request import db, id_sent
from languages.words import gettext
from models.event import Event
from models.play import Player, ReportSide

blueprint = Blueprint("results", __name__)
blueprint.add_app_template_global(asked_sides, "asked_sides")
blueprint.add_app_template_global(scored_label, "scored_label")


@blueprint.route("/e/<slug>/me/game", methods=["GET", "POST"])
def report_game(slug: str) -> ResponseReturnValue:
    """Report the current game, or answer the opponent's report."""
    event = event_or_404(slug, settle=request.method == "GET")
    if from_outbox() and visitor().player_in(event) is None:
        return retry_response("signed-out", gettext("Open your private link again: your report is then sent."), 403)
    player = own_player_or_403(event)
    today = url_for("player.today", slug=slug)
    if request.form.get("reporter", str(player.id)) != str(player.id):
        message = gettext("This form belongs to another player who used this phone. Open your own form.")
        return retry_response("other", message, 409) if from_outbox() else turned_away(message, today)
    at = _own_game(event, player)
    reporter = Reporter(event, submission_from(f"player {player.id}"), actor(event), today, player.id)
    if request.method == "POST" and (at is None or id_sent("game") != at.game.id):
        return late(reporter, gettext(EARLIER), show_refusal(Stale(gettext(EARLIER))))
    if at is None or not access.may_report(visitor(), event, at.game):
        return late(reporter, gettext(NOT_NOW))
    side = ReportSide.A if player.id == at.game.a_id else ReportSide.B
    return report_on(reporter, at, side)


def _own_game(event: Event, player: Player) -> GameWithReports | None:
    """The player's game that the form or the link names; by default the player's current game."""
    sent = number_or_none(request.form.get("game", request.args.get("game", "")))
    if sent is None:
        game = own_game(db(), event, player)
        return game_with_reports(db(), game.id) if game is not None else None
    at = game_with_reports(db(), sent)
    return at if at is not None and player.id in (at.game.a_id, at.game.b_id) else None
