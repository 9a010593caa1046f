"""Idempotency keys: a form that is submitted twice is stored once, and the second submission gets the first result.

A phone with JavaScript submits from its outbox (``static/outbox.js``) and reads JSON. Each answer repeats the key, so
that the sign-in page of a hotel's network is not mistaken for an answer. Without JavaScript the form is posted
normally.
"""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from flask import flash, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from sqlmodel import Session, select
from werkzeug.exceptions import BadRequest, HTTPException

from events.store.act import Act
from events.store.errors import Refused
from events.web.request import changing, db
from languages.words import N_, gettext
from models.capture import store_answer
from models.event import Event
from models.kept_answer import KeptAnswer
from models.play import Player
from validators.strict_json import canonical_text, sha256_of

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
IGNORED_FIELDS = ("csrf_token", "key")
"""Fields that may differ between two submissions of the same form."""
PERMANENT_ERRORS = {
    404: N_("This game can no longer be reported: its round may have been unpublished. Ask at the desk."),
    405: N_("This page has moved since you opened it. Open it again and send the form once more."),
    413: N_("The form is too large. Nothing was saved. Open the form again and enter less text."),
}
"""HTTP errors that resending does not fix, and their messages."""
KEY_REUSED = N_("This was sent before with other figures, and those were stored. Read them again to change them.")


class KeyReused(Refused):
    """The key was sent before with other fields."""


@dataclass(frozen=True)
class Submission:
    sender: str
    """The verified sender: a signed-in player, a sheet's code, or a browser; never a name from the form."""
    key: str
    """"" for a form without a key, whose result is not stored."""
    sha256: str


@dataclass(frozen=True)
class Result:
    message: str
    player_id: int | None = None
    """The player registered by a sign-up."""


def new_key() -> str:
    return secrets.token_urlsafe(18)


def submission_from(sender: str) -> Submission:
    """The submitted form with its key; ``sender`` is verified. Answers 400 to a repeated field, which is ambiguous."""
    key = request.form.get("key", "")
    names = [name for name, _ in request.form.items(multi=True)]
    if len(names) > len(set(names)):
        raise BadRequest(gettext("A field of this form was sent twice. Open the form again and send it once more."))
    content = [[name, value] for name, value in request.form.items() if name not in IGNORED_FIELDS]
    return Submission(sender, key if KEY.fullmatch(key) else "", sha256_of(canonical_text(content)))


def stored_result(s: Session, event: Event, submission: Submission) -> Result | None:
    """The stored result of this submission; None if there is none.

    Raises KeyReused if the key was used for other fields.
    """
    if not submission.key:
        return None
    query = select(KeptAnswer.sha256, KeptAnswer.said, KeptAnswer.player_id).where(
        KeptAnswer.event_id == event.id, KeptAnswer.who == submission.sender, KeptAnswer.key == submission.key
    )
    row = s.exec(query).first()
    if row is None:
        return None
    if row[0] != submission.sha256:
        raise KeyReused(gettext(KEY_REUSED))
    return Result(*row[1:])


def store_result(act: Act, submission: Submission, result: Result) -> None:
    """Store the result in the transaction of its change, so that both are stored or neither.

    The database rejects a second row with the same event, sender and key.
    """
    if submission.key:
        fields = {
            "event_id": act.event.id,
            "who": submission.sender,
            "key": submission.key,
            "sha256": submission.sha256,
        }
        store_answer(
            act.s.connection(), fields | {"said": result.message, "at": act.now, "player_id": result.player_id}
        )


def run_once(event: Event, submission: Submission, action: Callable[[Act], Result], *, public: bool = True) -> Result:
    """Run ``action`` and store its result under the submission's key, or return the stored result.

    Of two concurrent submissions with one key, the second waits for the event's lock and finds the stored result. Its
    write is rolled back, so the event's version does not rise. ``public`` as for ``changing``. Raises Refused, and as
    ``action`` does.
    """
    with changing(event, public=public) as act:
        stored = stored_result(act.s, event, submission)
        if stored is not None:
            act.s.rollback()
            return stored
        result = action(act)
        store_result(act, submission, result)
    return result


def enter_once(event: Event, submission: Submission, enter: Callable[[Act], Player]) -> Player | None:
    """Register a player, or return the player that this submission registered before; None if deleted since."""
    result = run_once(event, submission, lambda act: Result(gettext("You are signed up."), enter(act).id))
    return db().get(Player, result.player_id)


def fields_to_resend() -> dict[str, str]:
    try:
        return request.form.to_dict() if KEY.fullmatch(request.form.get("key", "")) else {}
    except HTTPException:  # the form is too large or malformed
        return {}


def from_outbox() -> bool:
    return request.headers.get("X-Outbox") == "1"


def _answer(status: int, **fields: str) -> ResponseReturnValue:
    """A JSON answer with the key, read from a header because the form may be too large."""
    key = request.headers.get("X-Outbox-Key", "")[:64] or fields_to_resend().get("key", "")
    return jsonify(key=key, **fields), status


def saved(message: str, next_page: str) -> ResponseReturnValue:
    """The answer to a stored submission: a redirect to the next page, or JSON for the outbox."""
    if not from_outbox():
        flash(message, "success")
        return redirect(next_page)
    return _answer(200, state="saved", said=message, go=next_page)


def refused(message: str, status: int, page: str = "", *, gone: bool = False) -> ResponseReturnValue:
    """The JSON answer to a submission that can never be stored as it is; ``page`` is the form with its values.

    ``gone`` is whether no form takes its entries any more.
    """
    return _answer(status, state="refused", said=message, page=page, gone="1" if gone else "")


def retry_response(state: str, message: str, status: int) -> ResponseReturnValue:
    """The JSON answer to a submission that first needs another step, named by ``state``."""
    return _answer(status, state=state, said=message, csrf=generate_csrf() if state == "token" else "")


def permanent_error(status: int) -> ResponseReturnValue | None:
    """The JSON answer to an HTTP error that resending does not fix; None for any other error.

    Transient errors (403, 408, 429, 5xx, a malformed body) get a page, so the phone resends later.
    """
    if request.method == "POST" and from_outbox() and status in PERMANENT_ERRORS:
        return refused(gettext(PERMANENT_ERRORS[status]), status)
    return None
