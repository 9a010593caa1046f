"""A database that is full, damaged, busy, gone or another version's: what visitors are told, and the staff is warned.

Nothing here asks the database. What was read of it by others is in ``events.trouble`` and ``events.shape``.
"""

import logging
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import current_app, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response

from events.backups import backups_in, folder_of
from events.shape import Shape
from events.trouble import DAMAGED, Watched, ask_for_a_look
from events.views.watched import LEAST_ROOM, request_id, told_path
from events.visitor import Visitor
from events.web.idempotency import fields_to_resend

log = logging.getLogger("overseer")

REMEMBERED = 300.0
"""So many seconds a process warns the staff after a write found no room."""
NAMED = 5
"""So many copies are named to whoever runs the server."""
UNSURE = (
    "If you were sending something, it may or may not have been stored: look again before you send it anew. "
    "A phone that says “not confirmed yet” asks by itself."
)


@dataclass(frozen=True)
class Words:
    """What is told of one kind of failure."""

    status: int
    title: str
    text: str
    retry: int
    """Seconds after which it is worth another try."""


FULL = Words(507, "The server has no room", f"Its disk is full, so that nothing new can be stored. {UNSURE}", 30)
BROKEN_DISK = Words(503, "The server’s disk does not answer", f"Something could not be read or written. {UNSURE}", 30)
READ_ONLY = Words(503, "Nothing can be stored", f"The server may only read its data at the moment. {UNSURE}", 30)
GONE = Words(503, "The data is not at hand", f"The server cannot open its database at the moment. {UNSURE}", 10)
BUSY = Words(503, "Too much at once", f"The database is busy. {UNSURE}", 5)
NO_MEMORY = Words(503, "Too much at once", f"The server has no memory left at the moment. {UNSURE}", 10)
CLOSED = Words(
    503, "The data cannot be read", "Something of what is stored here is damaged, and nothing of it is shown.", 60
)
LEFT_BEHIND = Words(
    503,
    "Another version is at work",
    "The data belongs to another version of Overseer by now: this server shows and stores nothing of it any more. "
    "Whoever runs it: stop this one and go on with the newer one. Nothing was stored of what you were sending; a phone "
    "that says “not confirmed yet” sends it again by itself.",
    10,
)
BY_SQLITE = {5: BUSY, 6: BUSY, 7: BUSY, 8: READ_ONLY, 10: BROKEN_DISK, 11: CLOSED, 13: FULL, 14: GONE, 26: CLOSED}
"""By SQLite's primary result code."""
BY_STATE = {"53100": FULL, "25006": READ_ONLY, "58030": BROKEN_DISK, "XX001": CLOSED, "XX002": CLOSED}
"""By PostgreSQL's SQLSTATE."""
BY_CLASS = {"08": GONE, "40": BUSY, "53": BUSY, "55": BUSY, "57": GONE}
"""By the class of the SQLSTATE, its first two characters."""


def words_for(error: DBAPIError | MemoryError) -> Words | None:
    """What is told of a database's error, or of want of memory; None for one that is a fault of ours."""
    if isinstance(error, MemoryError):
        return NO_MEMORY
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return BY_SQLITE.get(code & 0xFF)
    state = getattr(error.orig, "sqlstate", None)
    if state:
        return BY_STATE.get(state) or BY_CLASS.get(state[:2])
    return GONE if error.connection_invalidated or type(error).__name__ == "OperationalError" else None


def show_trouble(error: DBAPIError | MemoryError) -> ResponseReturnValue | None:
    """The page for a failure of the database or its disk, or for want of memory; None for anything else."""
    words = words_for(error)
    if words is None:
        return None
    number = request_id()
    failed = "no memory" if isinstance(error, MemoryError) else f"{error.orig}"
    what = "server" if words is NO_MEMORY else "database"
    log.error("%s %s at %s %s: %s", what, number, request.method, told_path(), failed)
    if words is FULL:
        current_app.extensions["overseer_full_at"] = time.monotonic()
    if words is CLOSED:
        ask_for_a_look(_watched().data)
    return _page(words, reference=number, resend=fields_to_resend())


def show_left_behind(error: BaseException) -> ResponseReturnValue | None:
    """The page for whatever failed while another version has the database; None where this one still has it."""
    if _shape().look():
        return None
    log.error("left behind at %s %s: %s", request.method, told_path(), error)
    return _page(LEFT_BEHIND)


def refuse_while_closed() -> ResponseReturnValue | None:
    """Answer every request but those for files of ours while nothing of the database may be served."""
    if request.endpoint == "static" or request.blueprint == "watched":
        return None
    known = _watched().now()
    if known is None or not known.closed:
        # Not the request's own time: that begins when all of it was read, or a form begun in time would be in time.
        moment = current_app.extensions["overseer_clock"]()
        return None if _shape().fits(moment) else _page(LEFT_BEHIND)
    if known.closed == DAMAGED:
        return _page(CLOSED, copies=_copies())
    text = f"The organisers are going back to an earlier copy of the data. It takes a minute. {UNSURE}"
    return _page(Words(503, "One moment", text, 10))


def _page(words: Words, **more: Any) -> Response:
    g.visitor, g.event = Visitor(), None  # the page asks the database nothing
    page = make_response(render_template("trouble.html", words=words, **more), words.status)
    page.headers["Retry-After"] = str(words.retry)
    return page


def _copies() -> Sequence[Any]:
    try:
        return backups_in(folder_of(_watched().data))[:NAMED]
    except OSError:
        return ()


def _shape() -> Shape:
    found: Shape = current_app.extensions["overseer_shape"]
    return found


def _watched() -> Watched:
    found: Watched = current_app.extensions["overseer_watched"]
    return found


def little_room() -> str:
    """What the staff is warned of, in a sentence; "" where there is room."""
    failed = current_app.extensions.get("overseer_full_at")
    if failed is not None and time.monotonic() - failed < REMEMBERED:
        return "The server’s disk is full: something could not be stored a moment ago. Make room there at once."
    try:
        free = shutil.disk_usage(_watched().data).free
    except OSError:
        return "The server’s data folder cannot be looked at. Tell whoever runs the server."
    if free < LEAST_ROOM:
        return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk: make room there soon."
    return ""


def doubts() -> Sequence[str]:
    """What was found to be wrong with what this page shows: its event, or all where it has none; and the club."""
    known, event = _watched().now(), g.get("event")
    if known is None:
        return ()
    return known.lines if event is None else (*known.events.get(event.slug, ()), *known.events.get("", ()))


TROUBLE_GLOBALS: dict[str, Any] = {"little_room": little_room, "event_doubts": doubts}
