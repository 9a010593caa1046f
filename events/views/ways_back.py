"""The ways back of an event: the steps that its owner can go back to before."""

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.actions import ways_back
from events.views.press import pressed
from events.views.request import actor, db, managed_event, now

blueprint = Blueprint("ways_back", __name__)


@blueprint.get("/e/<slug>/desk/ways-back")
def page(slug: str) -> ResponseReturnValue:
    """The steps, the newest first."""
    event = managed_event(slug)
    return render_template("desk/ways_back.html", points=ways_back.points_of(db(), event))


@blueprint.post("/e/<slug>/desk/ways-back/<int:point_id>")
def go(slug: str, point_id: int) -> ResponseReturnValue:
    """Go back to before a step."""
    event = managed_event(slug)
    said = "The event is back where it was. This step is listed too: it can be taken back in the same way."
    with pressed(event, said) as s:
        ways_back.go_back(s, event, point_id, actor(event), now())
    return redirect(url_for(".page", slug=slug))
