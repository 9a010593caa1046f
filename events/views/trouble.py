"""Failures of the database or its disk: the page that visitors get, and the warning that staff see.

Nothing here asks the database.
"""

import logging
import shutil
import time
from dataclasses import dataclass
from typing import Any

from flask import current_app, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response

from events.keeping import last_check
from events.settings import Settings
from events.views.watched import LEAST_ROOM, request_id, told_path
from events.visitor import Visitor
from events.web.idempotency import fields_to_resend

log = logging.getLogger("overseer")

REMEMBERED = 300.0
"""Seconds for which a process warns the staff after a write found no room."""
UNSURE = (
    "If you were sending something, it may or may not have been stored: look again before you send it again. "
    "A phone that says “not confirmed yet” asks by itself."
)


@dataclass(frozen=True)
class Words:
    """The page for one kind of failure."""

    status: int
    title: str
    text: str
    retry: int
    """Seconds after which another try makes sense."""


FULL = Words(507, "The server has no room", f"Its disk is full, so nothing new can be stored. {UNSURE}", 30)
BROKEN_DISK = Words(503, "The server’s disk does not answer", f"Something could not be read or written. {UNSURE}", 30)
READ_ONLY = Words(503, "Nothing can be stored", f"The server can only read its data at the moment. {UNSURE}", 30)
GONE = Words(503, "The database is not available", f"The server cannot open it at the moment. {UNSURE}", 10)
BUSY = Words(503, "Too much at once", f"The database is busy. {UNSURE}", 5)
NO_MEMORY = Words(503, "Too much at once", f"The server has no memory left at the moment. {UNSURE}", 10)
DAMAGED = Words(
    503,
    "The database is damaged",
    "Some of its data cannot be read. Administrator: stop Overseer, keep a copy of the data folder, run `overseer "
    f"doctor`, then `overseer restore newest`. {UNSURE}",
    60,
)
BY_SQLITE = {5: BUSY, 6: BUSY, 7: BUSY, 8: READ_ONLY, 10: BROKEN_DISK, 11: DAMAGED, 13: FULL, 14: GONE, 26: DAMAGED}
"""By SQLite's primary result code."""
BY_STATE = {"53100": FULL, "25006": READ_ONLY, "58030": BROKEN_DISK, "XX001": DAMAGED, "XX002": DAMAGED}
"""By PostgreSQL's SQLSTATE."""
BY_CLASS = {"08": GONE, "40": BUSY, "53": BUSY, "55": BUSY, "57": GONE}
"""By the class of the SQLSTATE, its first two characters."""


def words_for(error: DBAPIError | MemoryError) -> Words | None:
    """The page for a database error, or for lack of memory; None for an error in our own code."""
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
    """The page for a failure of the database or its disk, or for lack of memory; None for anything else."""
    words = words_for(error)
    if words is None:
        return None
    number = request_id()
    failed = "no memory" if isinstance(error, MemoryError) else f"{error.orig}"
    what = "server" if words is NO_MEMORY else "database"
    log.error("%s %s at %s %s: %s", what, number, request.method, told_path(), failed)
    if words is FULL:
        current_app.extensions["overseer_full_at"] = time.monotonic()
    return _page(words, number)


def _page(words: Words, number: str) -> Response:
    g.visitor, g.event = Visitor(), None  # the page asks the database nothing
    page = make_response(
        render_template("trouble.html", words=words, reference=number, resend=fields_to_resend()), words.status
    )
    page.headers["Retry-After"] = str(words.retry)
    return page


def server_warning() -> str:
    """A warning for staff about the server's disk or database, in a sentence; "" where all is well."""
    failed = current_app.extensions.get("overseer_full_at")
    if failed is not None and time.monotonic() - failed < REMEMBERED:
        return "The server’s disk is full: something could not be stored a moment ago. Make room there at once."
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        free = shutil.disk_usage(settings.data).free
    except OSError:
        return "The server’s data folder cannot be read. Tell the administrator."
    if free < LEAST_ROOM:
        return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk: make room there soon."
    if found := last_check(settings.data):
        return f"The daily check of the database failed: {found[0]}. Tell the administrator: `overseer doctor`."
    return ""


TROUBLE_GLOBALS: dict[str, Any] = {"server_warning": server_warning}
