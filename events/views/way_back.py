"""Where a press on the desk leads back to, and the line that says what was done, with the press that takes it back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events import access
from events.actions.arrivals import newest_press, press_of
from events.name_search import LONGEST
from events.readiness import KINDS
from events.views.press import id_asked, pressed
from events.views.questions import Question
from events.views.request import db, visitor
from models.event import Event
from models.journal import JournalEntry

ASKED: dict[str, Question] = {
    "check-in": access.may_check_in,
    "paid": access.may_mark_paid,
    "unpaid": access.may_mark_paid,
}
"""By the journal's verb: what the press asked, and its taking back asks again."""


@contextmanager
def noted(event: Event, did: list[int], said: str = "") -> Iterator[Session]:
    """A press as ``pressed``; ``did`` gets the id of the journal's line where it can be taken back by one press."""
    with pressed(event, said) as s:
        before = newest_press(s, event)
        yield s
        s.flush()  # makes the id of the journal's line
        after = newest_press(s, event)
        if after is not None and (before is None or after.id != before.id):
            did.append(after.id)


def way_back(event: Event, otherwise: str, did: list[int]) -> ResponseReturnValue:
    """Back to the page that the form's field ``back`` names, with what was ``did``; ``otherwise`` to that address."""
    args: dict[str, Any] = {"did": did[0]} if did else {}
    place, _, group = request.form.get("back", "").partition(":")
    if group in KINDS and place == "desk":
        return redirect(url_for("desk.desk", slug=event.slug, open=group, **args, _anchor=f"group-{group}"))
    if group in KINDS and place == "group":
        return redirect(url_for("readiness.group", slug=event.slug, key=group, **args))
    if place == "door":
        return redirect(url_for("door.page", slug=event.slug, **args))
    if place == "search":
        return redirect(url_for("search.page", slug=event.slug, q=group[:LONGEST], **args))
    if place == "players" and args:
        return redirect(url_for("desk.players", slug=event.slug, **args))
    return redirect(otherwise)


def done_line(event: Event) -> JournalEntry | None:
    """What the page before did, where it can be taken back: the journal's line that ``?did=`` names."""
    entry = press_of(db(), event, id_asked("did") or 0)
    return entry if entry is not None and ASKED[entry.verb](visitor(), event) else None
