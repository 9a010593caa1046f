"""Failures of the database or its disk: the page for visitors and the warning for staff. Uses no database."""

import logging
import time
from dataclasses import dataclass

from flask import current_app, g, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from events.play.visitor import Visitor
from events.web.idempotency import fields_to_resend
from events.web.monitoring import logged_path, request_id
from service.health import is_damaged, last_check, room_warning
from service.settings import Settings

log = logging.getLogger("overseer")

REMEMBERED = 60.0
"""Seconds for which staff are warned after a write failed for lack of disk space."""
UNSURE = (
    "If you were sending something, it may or may not have been stored: check before you send it again. "
    "A phone that says “not confirmed yet” asks by itself."
)


@dataclass(frozen=True)
class Words:
    """The page for one kind of failure."""

    status: int
    title: str
    text: str
    retry: int
    """Seconds for the Retry-After header."""


FULL = Words(507, "The server’s disk is full", f"Its disk is full, so nothing new can be stored. {UNSURE}", 30)
GONE = Words(503, "The database is not available", f"The server cannot read or change it at the moment. {UNSURE}", 10)
BUSY = Words(503, "The server is busy", f"It cannot answer at the moment. {UNSURE}", 5)
DAMAGED = Words(
    503,
    "The database is damaged",
    "Some of its data cannot be read. Administrator: stop Overseer, keep a copy of the data folder, run `overseer "
    f"doctor`, then `overseer restore newest`. {UNSURE}",
    60,
)
BY_SQLITE = {5: BUSY, 6: BUSY, 7: BUSY, 8: GONE, 10: GONE, 13: FULL, 14: GONE}
"""By SQLite's primary result code."""
BY_STATE = {"53100": FULL, "25006": GONE, "58030": GONE, "08": GONE, "40": BUSY, "53": BUSY, "55": BUSY, "57": GONE}
"""By PostgreSQL's SQLSTATE, or its class: the first two characters."""


def words_for(error: DBAPIError | MemoryError) -> Words | None:
    """The page for a database error, or for lack of memory; None for an error in our own code."""
    if isinstance(error, MemoryError):
        return BUSY
    if is_damaged(error):
        return DAMAGED
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return BY_SQLITE.get(code & 0xFF)
    if state := getattr(error.orig, "sqlstate", None):
        return BY_STATE.get(state) or BY_STATE.get(state[:2])
    return GONE if error.connection_invalidated or type(error).__name__ == "OperationalError" else None


def show_failure(error: DBAPIError | MemoryError) -> ResponseReturnValue | None:
    """The page for a failure of the database or its disk, or for lack of memory; None for anything else."""
    words, number = words_for(error), request_id()
    if words is None:
        return None
    what, failed = ("server", "no memory") if isinstance(error, MemoryError) else ("database", f"{error.orig}")
    log.error("%s %s at %s %s: %s", what, number, request.method, logged_path(), failed)
    if words is FULL:
        current_app.extensions["overseer_full_at"] = time.monotonic()
    g.visitor, g.event = Visitor(), None  # so that the page needs no database
    page = render_template("web/database_failure.html", words=words, reference=number, resend=fields_to_resend())
    return page, words.status, {"Retry-After": str(words.retry)}


def server_warning() -> str:
    """A warning for staff about the server's disk or database, in a sentence; "" if all is well."""
    failed = current_app.extensions.get("overseer_full_at")
    if failed is not None and time.monotonic() - failed < REMEMBERED:
        return "The server’s disk was full a moment ago: something could not be stored. Make room there at once."
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        if nearly_full := room_warning(settings.data):
            return nearly_full
    except OSError:
        return "The server’s data folder cannot be read. Tell the administrator."
    if found := last_check(settings.data):
        return f"The daily check of the database failed: {found[0]}. Tell the administrator: `overseer doctor`."
    return ""
