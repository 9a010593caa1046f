"""The awards as everybody reads them once they are published; whoever gives them sees the page before."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events import access_play
from events.actions.award_winners import decided
from events.views.request import db, event_or_404, polled, visitor
from events.web.page_cache import cached_page

blueprint = Blueprint("awards", __name__)


@blueprint.get("/e/<slug>/awards")
@cached_page()
def page(slug: str) -> ResponseReturnValue:
    """Who won what, the highest award first."""
    event = event_or_404(slug)
    if not access_play.may_see_awards(visitor(), event):
        abort(404)
    found = [one for one in decided(db(), event) if one.winners]
    return polled(render_template("event/awards.html", awards=found), event)
