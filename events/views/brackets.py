"""What everybody sees of the formats beside Swiss: the bracket, and the cross table of a round robin."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events import access, access_play
from events.actions.standings import played, standings
from events.bracket_page import shown_bracket
from events.pairing.cross_table import cross_table
from events.public_rounds import public_round_views
from events.reading import completed_rounds, players_of, round_views
from events.views.request import db, event_or_404, polled, visitor
from models.event import EventFormat, RoundState

blueprint = Blueprint("brackets", __name__)


@blueprint.get("/e/<slug>/bracket")
def bracket(slug: str) -> ResponseReturnValue:
    """The knockout, round by round; organisers see a drawn round before it is published."""
    event = event_or_404(slug)
    views = (round_views if access.may_pair(visitor(), event) else public_round_views)(db(), event)
    seen = [v for v in views if access_play.may_see_round(visitor(), event, v.round)]
    found, third = shown_bracket(event, seen)
    if not found:
        abort(404)
    people = {p.id: p for p in players_of(db(), event)}
    return polled(render_template("event/bracket.html", rounds=found, third=third, people=people), event)


@blueprint.get("/e/<slug>/crosstable")
def crosstable(slug: str) -> ResponseReturnValue:
    """Who played how against whom in a round robin, in the order of the standings."""
    event = event_or_404(slug)
    views = public_round_views(db(), event)
    published = [v for v in views if v.round.state == RoundState.PUBLISHED]
    if event.format != EventFormat.ROUND_ROBIN or not published:
        abort(404)
    complete = completed_rounds(views)
    page = render_template(
        "event/crosstable.html",
        rows=standings(db(), event),
        cells=cross_table(played(event, published, len(published))),
        people={str(p.id): p for p in players_of(db(), event)},
        after=complete,
        playing=len(published) > complete,
    )
    return polled(page, event)
