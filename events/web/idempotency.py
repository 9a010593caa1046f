"""Idempotency keys: a form that is submitted twice is stored once, and the second submission gets the first result.

A phone with script submits a form from its outbox (``events/static/outbox.js``) and reads JSON. Each of those answers
repeats the key that was sent, so the sign-in page of a hotel's network is never mistaken for an answer of ours. Without
script the same form is posted as any other.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import flash, jsonify, make_response, redirect, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from sqlalchemy import bindparam
from sqlmodel import Session, col, select
from werkzeug.exceptions import BadRequest, HTTPException

from events.errors import Refused
from events.views.request import changing, db, now
from models.capture import store_answer
from models.event import Event
from models.kept_answer import KeptAnswer
from models.play import Player
from validators.canonical import canonical_text, sha256_of

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
IGNORED_FIELDS = ("csrf_token", "key")
"""Fields that may differ between two submissions of the same form."""
PERMANENT_ERRORS = {
    404: "There is nothing to report here any more: the round may have been taken back. Ask at the desk.",
    405: "This page has moved since you opened it. Open it again and send the form once more.",
    410: "There is nothing to report here any more. Ask at the desk.",
    413: "The form is too large, so nothing of it was read. Open the form again.",
}
"""HTTP errors that sending again does not fix, and what the phone says: the same words for every sender."""
BY_KEY = select(KeptAnswer.sha256, KeptAnswer.said, KeptAnswer.player_id).where(
    col(KeptAnswer.event_id) == bindparam("event_id"),
    col(KeptAnswer.who) == bindparam("sender"),
    col(KeptAnswer.key) == bindparam("key"),
)


class KeyReused(Refused):
    """The key was used before for other fields: those were stored, and nothing of these is."""

    def __init__(self) -> None:
        super().__init__(
            "This form was sent before with other figures, and those were stored. Open the form again to change them."
        )


@dataclass(frozen=True)
class Submission:
    """One submission of a form: its sender, its idempotency key, and a digest of its fields in their order."""

    sender: str
    """The sender as the server knows it: a signed-in player, a sheet's code, a browser. Never a typed name."""
    key: str
    """ "" for a form without a key: its result is not stored."""
    sha256: str


@dataclass(frozen=True)
class Result:
    """What a submission was answered when it was stored."""

    message: str
    player_id: int | None = None
    """The player whom a sign-up entered."""


def new_key() -> str:
    """A key for one form that nobody can guess."""
    return secrets.token_urlsafe(18)


def submission_from(sender: str) -> Submission:
    """The submitted form with its key and a digest of its fields in their order. ``sender`` is verified.

    Answers 400 where a field is repeated: it would be unclear which of its values counts.
    """
    key = request.form.get("key", "")
    names = [name for name, _ in request.form.items(multi=True)]
    if len(names) > len(set(names)):
        raise BadRequest("A field of this form was sent twice. Open the form again and send it once more.")
    content = [[name, value] for name, value in request.form.items() if name not in IGNORED_FIELDS]
    return Submission(sender, key if KEY.fullmatch(key) else "", sha256_of(canonical_text(content)))


def stored_result(s: Session, event: Event, submission: Submission) -> Result | None:
    """The stored result of this submission; None if there is none. Raises KeyReused."""
    if not submission.key:
        return None
    asked = {"event_id": event.id, "sender": submission.sender, "key": submission.key}
    found = s.connection().execute(BY_KEY, asked).first()
    if found is None:
        return None
    sha256, message, player_id = found
    if sha256 != submission.sha256:
        raise KeyReused
    return Result(message, player_id)


def store_result(s: Session, event: Event, submission: Submission, result: Result, now: datetime) -> None:
    """Store the result in the transaction of its change, so that both are stored or neither is.

    The database forbids a second row with the same event, sender and key.
    """
    if submission.key:
        store_answer(
            s.connection(),
            {
                "event_id": event.id,
                "who": submission.sender,
                "key": submission.key,
                "sha256": submission.sha256,
                "said": result.message,
                "at": now,
                "player_id": result.player_id,
            },
        )


def run_once(event: Event, submission: Submission, action: Callable[[Session], Result]) -> Result:
    """Run ``action`` and store its result under the submission's key, or return the stored result.

    Of two concurrent submissions with one key the second waits for the event's lock and finds the stored result. Its
    write is rolled back, so that the event's version does not rise. Raises what the action raises, and KeyReused.
    """
    with changing(event) as s:
        stored = stored_result(s, event, submission)
        if stored is not None:
            s.rollback()
            return stored
        result = action(s)
        store_result(s, event, submission, result, now())
    return result


def enter_once(event: Event, submission: Submission, enter: Callable[[Session], Player]) -> Player | None:
    """Enter a player, or find the player whom this very submission entered before; None if that entry is gone."""
    result = run_once(event, submission, lambda s: Result("You are signed up.", enter(s).id))
    return db().get(Player, result.player_id)


def fields_to_resend() -> Sequence[tuple[str, str]]:
    """The submitted fields of a form with a key, which can be sent again; empty for any other form."""
    try:
        return [*request.form.items()] if KEY.fullmatch(request.form.get("key", "")) else ()
    except HTTPException:  # the form is too large, or broken
        return ()


# ---- answers to a phone's outbox


def from_outbox() -> bool:
    """Whether the request was sent by a phone's outbox, which reads JSON."""
    return request.headers.get("X-Outbox") == "1"


def _sent_key() -> str:
    """The key as the outbox sends it: in a header as well, because the form may be too large to be read."""
    if in_header := request.headers.get("X-Outbox-Key", ""):
        return in_header[:64]
    try:
        return request.form.get("key", "")
    except HTTPException:
        return ""


def saved(message: str, next_page: str) -> ResponseReturnValue:
    """The answer to a submission that is stored, now or before: the next page, or JSON for the outbox."""
    if not from_outbox():
        flash(message, "success")
        return redirect(next_page)
    return jsonify(state="saved", key=_sent_key(), said=message, go=next_page)


def refused(message: str, status: int, page: str = "") -> ResponseReturnValue:
    """The outbox's answer to a submission that can never be stored as it is; ``page``: the form with what was typed."""
    return make_response(jsonify(state="refused", key=_sent_key(), said=message, page=page), status)


def not_yet(state: str, message: str, status: int) -> ResponseReturnValue:
    """The outbox's answer to a submission that can be stored after another step, which ``state`` names."""
    csrf = generate_csrf() if state == "token" else ""
    return make_response(jsonify(state=state, key=_sent_key(), said=message, csrf=csrf), status)


def permanent_error(status: int) -> ResponseReturnValue | None:
    """The outbox's answer to an HTTP error that remains however often the form is sent; None for any other error.

    An error that may pass (403, 408, 429, 5xx, a broken body) is answered with a page: the phone sends again later.
    """
    if request.method != "POST" or not from_outbox() or status not in PERMANENT_ERRORS:
        return None
    return refused(PERMANENT_ERRORS[status], status)
