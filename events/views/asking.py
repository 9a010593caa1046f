"""What templates ask before they show a link or a button, and what a view asks of one press."""

from typing import Any
from urllib.parse import urlsplit

from flask import abort, current_app, g
from werkzeug.exceptions import HTTPException

from events.views.questions import STAFF_QUESTIONS, Question, is_of_staff, question_of
from events.views.request import visitor
from models.event import Event


def require(question: Question, event: Event) -> None:
    """Refuse whoever may not: for what only one button of a page may do."""
    if not question(visitor(), event):
        abort(403)


def may_follow(address: str, method: str = "GET") -> bool:
    """Whether the visitor may follow a link, or with "POST" press a button, to an address of the event at hand.

    It is the question that the route itself asks; whatever is not the staff's asks none.
    """
    path = urlsplit(address).path
    try:
        rule, args = current_app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return False
    return not is_of_staff(rule.rule) or question_of(rule.endpoint, args)(visitor(), g.event)


STAFF_GLOBALS: dict[str, Any] = {"may_follow": may_follow, **STAFF_QUESTIONS}
