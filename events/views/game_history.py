"""How a game's result came about, version by version: for its two players and the staff."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events import access, access_play
from events.actions import results
from events.result_history import history_of
from events.views.game_parts import game_context
from events.views.request import db, event_or_404, game_or_404, visitor
from models.play import Game

blueprint = Blueprint("game_history", __name__)
blueprint.add_app_template_global(access_play.may_see_versions, "may_see_versions")
blueprint.add_app_template_global(access.may_enter_result, "may_enter_result")
blueprint.add_app_template_global(access.leaves_to_others, "leaves_to_others")


@blueprint.get("/e/<slug>/games/<int:game_id>")
def history(slug: str, game_id: int) -> ResponseReturnValue:
    """Every version of the result: who, when, from what to what, and why."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)
    if not access_play.may_see_versions(visitor(), event, game):
        abort(403)
    context = game_context(event, game)
    names = {"a": context["a"].name, "b": context["b"].name}
    return render_template(
        "event/game.html", versions=history_of(db(), event, game, context["scenario"], names), **context
    )


@blueprint.app_template_global()
def why_decided(game: Game) -> str:
    """The reason of the desk's word on a game; "" without one."""
    return results.why_decided(db(), game)
