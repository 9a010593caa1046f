"""The desk's search: one field at the head of every page of the event, for staff."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from events import access
from events.finding import MOST_FOUND, search
from events.name_search import LONGEST
from events.views.request import db, managed_event, now, visitor

blueprint = Blueprint("search", __name__)


@blueprint.get("/e/<slug>/desk/search")
def page(slug: str) -> ResponseReturnValue:
    """Players by name, club, team, table or the code of a sheet, with what staff need of each; ``?q=``."""
    event = managed_event(slug)
    typed = request.args.get("q", "").strip()[:LONGEST]
    lists = access.may_read_lists(visitor(), event)
    found, count, view = search(db(), event, typed, now(), lists=lists)
    return render_template(
        "desk/search.html", typed=typed, found=found, more=max(0, count - MOST_FOUND), view=view, lists=lists
    )
