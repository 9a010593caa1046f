"""Changes that one click makes and one click undoes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from flask import redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from events.registration.check_in import newest_undoable, rights_asked, undoable_entry
from events.registration.payments import CASH, WAYS, mark_paid
from events.registration.search import LONGEST
from events.store.act import Act
from events.visitors import access
from events.visitors.loading import visitor
from events.web.request import db, id_asked, saving
from models.event import Event
from models.journal import JournalEntry
from models.play import Player

PRESSED, MOST_KEPT = "pressed", 8
"""The browser's newest presses, each with its account: their entries."""
PAGES = {
    "desk": "desk.desk", "door": "check_in.check_in_queue", "money": "money.money_page", "players": "players.players",
    "standings": "standings.standings_page",
}  # fmt: skip
"""Pages by the name in the form's field ``back``."""


def mark_paid_as_sent(act: Act, players: Sequence[Player]) -> None:
    """Mark players as paid, by the way that the form has chosen, else in cash. Raises Refused."""
    how = request.form.get("how", CASH)
    mark_paid(act, players, how if how in WAYS else CASH)


@contextmanager
def saving_undoable(event: Event, did: list[int], message: str = "") -> Iterator[Act]:
    """``saving`` that appends the id of its journal entry to ``did`` if one click can undo it."""
    with saving(event, message) as act:
        before = newest_undoable(act.s, event)
        yield act
        act.s.flush()  # assigns the journal entry's id
        after = newest_undoable(act.s, event)
        if after is not None and (before is None or after.id != before.id):
            did.append(after.id)
    if did:
        session[PRESSED] = [_own(did[0]), *session.get(PRESSED, [])][:MOST_KEPT]


def _own(entry_id: int) -> list[int]:
    account = visitor().account
    return [account.id if account else 0, entry_id]


def redirect_back(event: Event, otherwise: str, did: list[int]) -> ResponseReturnValue:
    """Redirect to the page in the form's field ``back``, else to ``otherwise``, with the entry to undo."""
    args: dict[str, Any] = {"did": did[0]} if did else {}
    place, _, group = request.form.get("back", "").partition(":")
    if not group and place in PAGES:
        return redirect(url_for(PAGES[place], slug=event.slug, **args))
    if place == "desk" and group.isidentifier():
        return redirect(url_for("desk.desk", slug=event.slug, open=group, **args, _anchor=f"group-{group}"))
    if place == "group" and group.isidentifier():
        return redirect(url_for("desk.readiness_group", slug=event.slug, key=group, **args))
    if place == "search":
        return redirect(url_for("desk.search_page", slug=event.slug, q=group[:LONGEST], show="list", **args))
    if place == "results" and group.isdecimal() and len(group) < 4:
        return redirect(url_for("results_desk.results_page", slug=event.slug, number=group))
    return redirect(otherwise)


def done_entry(event: Event, entry_id: int | None = None) -> JournalEntry | None:
    """The journal entry with this id, or in ``?did=``, if the visitor can undo it."""
    entry = undoable_entry(db(), event, entry_id or id_asked("did") or 0)
    if entry is None:
        return None
    is_own = _own(entry.id) in session.get(PRESSED, [])
    return entry if access.may_undo_press(visitor(), event, rights_asked(db(), entry), is_own=is_own) else None
