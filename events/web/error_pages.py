"""Error pages: rejected requests without a form, conflicts, HTTP errors, and our own errors."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from flask import Flask, Response, current_app, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.orm.exc import ObjectDeletedError, StaleDataError
from werkzeug.exceptions import HTTPException

from events.store.errors import Refused
from events.store.visitor import Visitor
from events.web import idempotency
from events.web.answers import is_interface, problem, refusal
from events.web.idempotency import fields_to_resend, from_outbox, permanent_error, retry_response
from events.web.language import answer_a_person
from events.web.monitoring import count, logged_path, request_id
from events.web.request import without_tabs
from languages.words import N_, gettext
from models.db import Unstorable
from service.health import copies_elsewhere, is_damaged, last_check, room_warning
from service.settings import Settings
from service.system import system

log = logging.getLogger("overseer")
Made = TypeVar("Made")
Instead = TypeVar("Instead")

KEPT = ("Allow", "Location", "Retry-After", "WWW-Authenticate")
"""The headers of an HTTP error that its page keeps."""
REMEMBERED = 60.0
"""How long, in seconds, staff are warned after a write failed for lack of disk space."""
INTERFACE = {
    403: "The token is for another event, or its area does not cover this.",
    404: "There is nothing at this address, or it is not public.",
}
"""What the interface says where pages speak to people."""
UNSURE = N_(
    "If you sent a form, it may or may not have been stored: check before you send it again. A phone that shows “not "
    "confirmed yet” sends it again by itself."
)


@dataclass(frozen=True)
class Words:
    status: int
    title: str
    text: str
    retry: int
    """Seconds for the Retry-After header."""


FULL = Words(507, N_("The server’s disk is full"), N_("Its disk is full, so nothing new can be stored."), 30)
GONE = Words(503, N_("The database is not available"), N_("The server cannot read or change it at the moment."), 10)
BUSY = Words(503, N_("The server is busy"), N_("It cannot answer at the moment."), 5)
DAMAGED = Words(
    503,
    N_("The database is damaged"),
    N_(
        "Some of its data cannot be read. Administrator: stop Overseer, keep a copy of the data folder, run `overseer "
        "doctor`, then `overseer restore newest`."
    ),
    60,
)
BY_SQLITE = {5: BUSY, 6: BUSY, 7: BUSY, 8: GONE, 10: GONE, 13: FULL, 14: GONE}
"""By SQLite's primary result code."""
BY_STATE = {"53100": FULL, "25006": GONE, "58030": GONE, "08": GONE, "40": BUSY, "53": BUSY, "55": BUSY, "57": GONE}
"""By PostgreSQL's SQLSTATE, or its class (the first two characters)."""


def words_for(error: DBAPIError | MemoryError) -> Words | None:
    """The page for a database error, or for lack of memory; None for a bug in our code."""
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
    """The page for a failure of the database or its disk, or for lack of memory; None for any other error."""
    words, number = words_for(error), request_id()
    if words is None:
        return None
    what, failed = ("server", "no memory") if isinstance(error, MemoryError) else ("database", f"{error.orig}")
    log.error("%s %s at %s %s: %s", what, number, request.method, logged_path(), failed)
    if words is FULL:
        current_app.extensions["overseer_full_at"] = time.monotonic()
    g.visitor, g.event = Visitor(), None  # so that the page needs no database
    words = replace(words, title=gettext(words.title), text=f"{gettext(words.text)} {gettext(UNSURE)}")
    if is_interface():
        page: str | Response = problem(words.status, words.title, words.text)
    else:
        page = render_template("web/database_failure.html", words=words, reference=number, resend=fields_to_resend())
    return page, words.status, {"Retry-After": str(words.retry)}


def server_warning() -> str:
    """A warning for staff about the server's disk or database, in a sentence; "" if all is well."""
    failed = current_app.extensions.get("overseer_full_at")
    if failed is not None and time.monotonic() - failed < REMEMBERED:
        return gettext(
            "The server’s disk was full a moment ago, and a change was not stored. Free disk space on the server now."
        )
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        if nearly_full := room_warning(settings.data):
            return nearly_full
    except OSError:
        return gettext("The server’s data folder cannot be read. Tell the administrator.")
    if texts := last_check(settings.data):
        return gettext(
            "The daily check of the database failed: %(fault)s. Tell the administrator: `overseer doctor`.",
            fault=texts[0],
        )
    if settings.backup_to and (fault := copies_elsewhere(settings.data, settings.backup_to).fault):
        return gettext("The copies elsewhere failed: %(fault)s. Tell the administrator.", fault=fault[:200])
    return ""


def answer_errors(app: Flask) -> None:
    app.register_error_handler(Refused, show_refusal)
    app.register_error_handler(CSRFError, show_old_form)
    for kind in NOT_SAVED:
        app.register_error_handler(kind, show_not_saved)
    for kind in (DBAPIError, MemoryError):
        app.register_error_handler(kind, lambda error: show_failure(error) or show_fault(error))
    app.register_error_handler(HTTPException, show_http_error)
    app.register_error_handler(Exception, show_fault)


def error_page(status: int, title: str, message: str) -> ResponseReturnValue:
    if is_interface():
        return problem(status, title, message)
    without_tabs()
    shown = {"code": status, "heading": title, "text": message}
    try:
        return render_template("web/error.html", **shown), status
    except Exception:
        # The database may have failed: render the page as for a visitor, which needs no query.
        g.visitor, g.event = Visitor(), None
        return render_template("web/error.html", **shown), status


def show_refusal(refused: Refused) -> ResponseReturnValue:
    """The page for a Refused that no form handled."""
    if from_outbox() and request.method == "POST":
        return idempotency.refused(refused.message, refused.status)
    if is_interface():
        return refusal(refused)
    title = gettext("Changed in the meantime") if refused.status == 409 else gettext("Not possible")
    return error_page(refused.status, title, refused.message)


def show_old_form(_: CSRFError) -> ResponseReturnValue:
    """A form from another sign-in or browser, or a forged one.

    A phone's outbox gets a token for its current sign-in, which other sites cannot read, and resends the form.
    """
    if from_outbox():
        return retry_response("token", "", 400)
    return error_page(
        400,
        gettext("This form is out of date"),
        gettext(
            "You signed in or out after you opened this form. Nothing was stored. Go back, reload the page and send "
            "the form again."
        ),
    )


STALE = (
    409,
    N_("Changed in the meantime"),
    N_("Another person changed this a moment ago. Nothing was saved. Reload the page and try again."),
)
UNSTORABLE = (
    400,
    N_("Cannot be stored"),
    N_("The form contains a text or number that cannot be stored. Nothing was saved. Go back and enter it again."),
)
INCOMPLETE = (400, N_("Incomplete request"), N_("Nothing was saved. Go back and send the form again."))
NOT_SAVED: dict[type[Exception], tuple[int, str, str]] = {
    StaleDataError: STALE, IntegrityError: STALE, ObjectDeletedError: STALE, Unstorable: UNSTORABLE,
    DataError: UNSTORABLE, **dict.fromkeys(system.BAD_REQUESTS, INCOMPLETE),
}  # fmt: skip
"""The pages for a concurrent change or a deleted row, for a value that passed the forms but that no database can store,
and for a chunked body that is malformed or ends early; the rest of its connection is never read as a request.
"""


def show_not_saved(error: Exception) -> ResponseReturnValue:
    """The page for a request whose changes were rolled back. The log has a conflict's words, but no value."""
    status, title, text = next(page for kind, page in NOT_SAVED.items() if isinstance(error, kind))
    if title != INCOMPLETE[1]:
        what, reason = ("collision", error) if status == 409 else ("not kept", type(error).__name__)
        log.warning("%s at %s %s: %s", what, request.method, logged_path(), reason)
    return error_page(status, gettext(title), gettext(text))


def show_http_error(error: HTTPException) -> ResponseReturnValue:
    """HTTP errors. A phone's outbox gets JSON for errors that resending does not fix."""
    answer = permanent_error(error.code or 500)
    if answer is not None:
        return answer
    answer_a_person(turned_away=error.code == 403)
    words_by_status = {
        403: (
            gettext("No access"),
            gettext(
                "Players: open your private link again on this device. If you lost it, ask the event’s organiser for a "
                "new one; from it you can also make a new page of your events. Organisers: sign in, "
                "then open this page again."
            ),
        ),
        404: (gettext("Page not found"), gettext("This page does not exist, or you have no access to it.")),
        401: (gettext("Token not valid"), error.description or ""),
        405: (gettext("Method not allowed"), gettext("This address does not accept that kind of request.")),
        413: (gettext("Too large"), _too_large()),
        429: (gettext("Too many requests"), gettext(error.description or N_("Wait a minute, then try again."))),
    }
    title, message = words_by_status.get(error.code or 500, (gettext("Request failed"), error.description or ""))
    if is_interface():
        message = INTERFACE.get(error.code or 500, message)
    if error.response is not None:
        return error.response
    page = make_response(error_page(error.code or 500, title, message))
    page.headers.extend((k, v) for k, v in error.get_headers() if k in KEPT)
    return page


def _too_large() -> str:
    whole, form = (
        f"{(size or 0) / 1_000_000:g}" for size in (request.max_content_length, request.max_form_memory_size)
    )
    return gettext(
        "This page accepts at most %(whole)s MB with files and %(form)s MB of text in a form. Nothing was saved. "
        "Send a smaller file or less text.",
        whole=whole,
        form=form,
    )


def try_part(name: str, make: Callable[[], Made], otherwise: Instead) -> Made | Instead:
    """A part of a page; ``otherwise`` if it cannot be made: the page then names it, the error is logged and counted.

    Raises errors that have a page of their own: the database's, lack of memory, HTTP errors.
    """
    try:
        return make()
    except (DBAPIError, MemoryError, HTTPException):
        raise
    except Exception as error:
        log.exception("fault %s at %s %s: %s", request_id(), request.method, logged_path(), name)
        count("parts_failed")
        g.setdefault("failed_parts", {})[name] = error
        return otherwise


def show_fault(error: Exception) -> ResponseReturnValue:
    """An error of ours, logged under the number shown on the page."""
    number = request_id()
    log.exception("fault %s at %s %s", number, request.method, logged_path(), exc_info=error)
    return error_page(
        500,
        gettext("Server error"),
        gettext(
            "Something went wrong on the server. It was logged as %(number)s. No partial change was stored.",
            number=number,
        ),
    )
