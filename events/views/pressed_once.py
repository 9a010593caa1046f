"""Forms that are stored once, however often they are sent: their keys, and the answers to a phone's outbox.

A phone with script sends the form itself and reads JSON (``events/static/outbox.js``). Every such answer carries the
key that was sent, so that no hotel's sign-in page can be taken for ours. Without script the form is posted plainly.
"""

import re
import secrets
from collections.abc import Callable

from flask import flash, g, jsonify, make_response, redirect, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from sqlmodel import Session
from werkzeug.exceptions import HTTPException

from events.actions.kept_answers import Press, answer_before, keep_answer
from events.views.request import changing, db, now
from models.event import Event
from validators.canonical import canonical_text, sha256_of

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
NOT_CONTENT = ("csrf_token", "key")
"""Fields that may change while what the form says stays the same."""
NEVER = {
    404: "There is nothing to report here any more: the round may have been taken back. Ask at the desk.",
    405: "This page has moved since it was opened. Open it anew and send it again.",
    410: "There is nothing to report here any more. Ask at the desk.",
    413: "It is larger than any report: nothing of it was read. Open the form anew.",
}
"""What no sending anew can cure, and what the phone says of it: the same words to everybody, whatever they know."""


def new_key() -> str:
    """A key for one form, that nobody guesses."""
    return secrets.token_urlsafe(18)


def from_outbox() -> bool:
    """Whether a phone's outbox asks, which reads JSON."""
    return request.headers.get("X-Outbox") == "1"


def press_by(who: str) -> Press:
    """The press that the request is, by ``who`` sends it. A key of another shape is none."""
    key = request.form.get("key", "")
    content = sorted([name, value] for name, value in request.form.items(multi=True) if name not in NOT_CONTENT)
    return Press(who, key if KEY.fullmatch(key) else "", sha256_of(canonical_text(content)))


def stored_before(press: Press) -> str | None:
    """What this press was answered when it was stored; looked up without any lock. Raises Refused."""
    return answer_before(db(), press)


def once(event: Event, press: Press, change: Callable[[Session], str]) -> str:
    """Make the change and keep its answer, or give the answer of the first time. Raises what the change raises.

    Of two at the same moment one waits for the event's lock and finds the other's answer; it changes nothing.
    """
    g.once = bool(press.key)
    try:
        with changing(event) as s:
            before = answer_before(s, press)
            if before is not None:
                raise _StoredBefore(before)
            said = change(s)
            keep_answer(s, event, press, said, now())
    except _StoredBefore as stored:
        return stored.said
    return said


class _StoredBefore(Exception):
    """Ends a write that has nothing to do: the press is stored, and was answered this."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def _key_sent() -> str:
    """The key of the press as a phone sends it: beside the form as well, which may be too large to be read."""
    if beside := request.headers.get("X-Outbox-Key", ""):
        return beside[:64]
    try:
        return request.form.get("key", "")
    except HTTPException:
        return ""


def saved(said: str, back: str) -> ResponseReturnValue:
    """The answer to what is stored, now or before: the next page, or word of it for the outbox."""
    if not from_outbox():
        flash(said, "success")
        return redirect(back)
    return jsonify(state="saved", key=_key_sent(), said=said, go=back)


def refused(said: str, status: int, page: str = "") -> ResponseReturnValue:
    """The outbox's answer to what is not stored and never will be as it is; ``page``: the form with what was typed."""
    answer = jsonify(state="refused", key=_key_sent(), said=said, page=page)
    return make_response(answer, status)


def not_yet(state: str, said: str, status: int) -> ResponseReturnValue:
    """The outbox's answer to what can be stored once something else is put right: ``state`` says what."""
    csrf = generate_csrf() if state == "token" else ""
    return make_response(jsonify(state=state, key=_key_sent(), said=said, csrf=csrf), status)


def never_stored(status: int) -> ResponseReturnValue | None:
    """The outbox's answer to an HTTP error that stays one however often the report is sent; None for any other.

    What may pass (403, 408, 429, 5xx and a form that came in pieces) is answered as a page: the phone sends it again.
    """
    if request.method != "POST" or not from_outbox() or status not in NEVER:
        return None
    return refused(NEVER[status], status)
