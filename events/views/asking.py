"""What templates ask before they show a link or a button, and what a view asks of one press."""

from typing import Any
from urllib.parse import urlsplit

from flask import abort, current_app, g, request
from werkzeug.exceptions import HTTPException

from events import access
from events.access import is_of_staff
from events.reading import event_by_slug
from events.roles import WORDS
from events.views.questions import STAFF_QUESTIONS, Question, question_of
from events.views.request import db, visitor
from models.event import Event


def require(question: Question, event: Event) -> None:
    """Refuse whoever may not: for what only one button of a page may do."""
    if not question(visitor(), event):
        abort(403)


def may_follow(address: str, method: str = "GET") -> bool:
    """Whether the visitor may follow a link, or with "POST" press a button, to an address.

    It is the question that the route itself asks; whatever is not the staff's asks none.
    """
    path = urlsplit(address).path or request.path
    try:
        rule, args = current_app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return False
    if not is_of_staff(rule.rule):
        return True
    event = g.get("event")
    if event is None or event.slug != args["slug"]:
        event = event_by_slug(db(), args["slug"])
    return event is not None and question_of(rule.endpoint, args, method)(visitor(), event)


STAFF_GLOBALS: dict[str, Any] = {
    "may_follow": may_follow,
    "may_run_club": access.may_run_club,
    "may_see_event": lambda event: access.may_see_event(visitor(), event),
    "role_words": WORDS,
    **STAFF_QUESTIONS,
}
