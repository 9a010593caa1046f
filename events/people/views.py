"""A person's own page, which keeps their entries of several events together."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.accounts.loading import visitor
from events.accounts.own_pages import entries_of
from events.web.request import db
from models.event import Event

blueprint = Blueprint("people", __name__)


@blueprint.get("/me")
def own_page() -> ResponseReturnValue:
    """The page of the person whom this browser has opened; how to open or make one, without one."""
    person = visitor().person
    if person is None:
        return render_template("people/none.html")
    entries = entries_of(db(), person)
    query = select(Event).where(col(Event.id).in_({one.event_id for one in entries}))
    events = {one.id: one for one in db().exec(query)}
    return render_template("people/page.html", person=person, entries=entries, events=events)
