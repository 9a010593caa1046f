"""Idempotency keys: a form that is sent twice is stored once, and the second gets the first answer.

A phone with script sends the form itself and reads JSON (``events/static/outbox.js``). Each of our answers carries the
key that was sent, so that no hotel's sign-in page is taken for ours. Without script the form is posted plainly.
"""

import re
import secrets
from collections.abc import Callable

from flask import flash, g, jsonify, make_response, redirect, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from sqlmodel import Session
from werkzeug.exceptions import BadRequest, HTTPException

from events.actions.kept_answers import Answer, Press, answer_before, keep_answer
from events.views.request import changing, db, now
from models.event import Event
from models.play import Player
from validators.canonical import canonical_text, sha256_of

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
NOT_CONTENT = ("csrf_token", "key")
"""Fields that may differ between two submissions of the same form."""
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
    """The submitted form with its key and a digest of its fields in their order. ``who`` is its verified sender.

    Answers 400 where a field is repeated: which of its values counts would be anybody's guess.
    """
    key = request.form.get("key", "")
    names = [name for name, _ in request.form.items(multi=True)]
    if len(names) > len(set(names)):
        raise BadRequest("A field of this form was sent twice. Open the form again and send it once more.")
    content = [[name, value] for name, value in request.form.items() if name not in NOT_CONTENT]
    return Press(who, key if KEY.fullmatch(key) else "", sha256_of(canonical_text(content)))


def stored_before(event: Event, press: Press) -> str | None:
    """The answer to this submission if it was stored before; looked up without a lock. Raises Refused."""
    before = answer_before(db(), event, press)
    return before.said if before is not None else None


def once(event: Event, press: Press, change: Callable[[Session], str]) -> str:
    """Make the change and store its answer, or return the stored answer. Raises what the change raises."""
    return _run_once(event, press, lambda s: Answer(change(s))).said


def entered_once(event: Event, press: Press, enter: Callable[[Session], Player]) -> Player | None:
    """Enter a player, or find the player whom this very submission entered before; None if that entry is gone."""
    entered = _run_once(event, press, lambda s: Answer("You are signed up.", enter(s).id)).player_id
    return db().get(Player, entered)


def _run_once(event: Event, press: Press, change: Callable[[Session], Answer]) -> Answer:
    """Of two submissions at the same moment one waits for the event's lock, and finds the other's answer."""
    g.once = bool(press.key)
    try:
        with changing(event) as s:
            before = answer_before(s, event, press)
            if before is not None:
                raise _StoredBefore(before)
            answer = change(s)
            keep_answer(s, event, press, answer, now())
    except _StoredBefore as stored:
        return stored.answer
    return answer


class _StoredBefore(Exception):
    """Rolls back a write that has nothing to do, so that it does not raise the event's version."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.said)
        self.answer = answer


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
