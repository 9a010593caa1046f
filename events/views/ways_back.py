"""The ways back of an event: the steps that its owner can go back to before, and what a check found to be wrong."""

from flask import Blueprint, current_app, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.actions import ways_back
from events.trouble import Watched, ask_for_a_look
from events.views.press import pressed
from events.views.request import actor, db, managed_event, now
from events.views.trouble import doubts

blueprint = Blueprint("ways_back", __name__)


@blueprint.get("/e/<slug>/desk/ways-back")
def page(slug: str) -> ResponseReturnValue:
    """The steps, the newest first."""
    event = managed_event(slug)
    damaged = ways_back.DAMAGED if doubts() and ways_back.journal_is_damaged(db(), event) else ""
    return render_template("desk/ways_back.html", points=ways_back.points_of(db(), event), damaged=damaged)


@blueprint.post("/e/<slug>/desk/ways-back/<int:point_id>")
def go(slug: str, point_id: int) -> ResponseReturnValue:
    """Go back to before a step."""
    event = managed_event(slug)
    said = "The event is back where it was. This step is listed too: it can be taken back in the same way."
    with pressed(event, said) as s:
        ways_back.go_back(s, event, point_id, actor(event), now())
    return redirect(url_for(".page", slug=slug))


@blueprint.post("/e/<slug>/desk/ways-back/mend")
def mend(slug: str) -> ResponseReturnValue:
    """Put every row to what the journal says of it."""
    event = managed_event(slug)
    with pressed(event, "Every row is what the journal says again. The check looks anew within a minute.") as s:
        ways_back.mend(s, event, actor(event), now())
    watched: Watched = current_app.extensions["overseer_watched"]
    ask_for_a_look(watched.data)
    return redirect(url_for(".page", slug=slug))
