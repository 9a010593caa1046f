"""Pages that are the same for all who are not signed in: rendered once for each state of it that they can see.

No page of an organiser or of a player comes from here or goes here, nor one with a message or a form of its reader's.
An answer that a view refused (404 for an unpublished round) is never kept.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import ParamSpec

from flask import current_app, g, make_response, request, session
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine, bindparam
from sqlmodel import col, select
from werkzeug.wrappers import Response

from events.finished import Finished, Shelf
from events.live import Mark
from events.since import only_results
from events.views.request import now, visitor
from events.visitor import Visitor
from models.event import Event, EventState

Where = ParamSpec("Where")

LONGEST_ADDRESS = 500
WITH_CLOCK = timedelta(seconds=20)
"""So long a page with a running clock is sent: its figure without script is that of the moment when it was made."""
STATE = select(col(Event.id), col(Event.version), col(Event.public_stamp)).where(
    col(Event.slug) == bindparam("slug"), col(Event.state) != EventState.DRAFT
)


@dataclass(frozen=True)
class State:
    """An event as it is stored at a moment."""

    event_id: int
    version: int
    text: str
    """Another one with each write that visitors may see something of."""


def kept(
    *arguments: str, rests: bool = True
) -> Callable[[Callable[Where, ResponseReturnValue]], Callable[Where, ResponseReturnValue]]:
    """Keep a view's pages for visitors who are not signed in. The view ends with ``polled``; its address has a slug.

    ``arguments`` are the only ones that may follow the question mark; with others a page is made anew each time.
    ``rests``: where results come in many a second, the page may be a quarter of a second old.
    """

    def keep(view: Callable[Where, ResponseReturnValue]) -> Callable[Where, ResponseReturnValue]:
        @wraps(view)
        def answer(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
            shelf: Shelf = current_app.extensions["overseer_shelf"]
            turn = shelf.turn()
            state = _state(str(kwargs.get("slug", ""))) if _for_everybody(arguments) else None
            if state is None:
                return view(*args, **kwargs)
            made = shelf.get_or_make(
                request.url, state.text, now(), turn,
                lambda: _finish(state, lambda: make_response(view(*args, **kwargs))),
                lambda older: rests and _only_results(older, state),
            )  # fmt: skip
            return _sent(made) if isinstance(made, Finished) else made

        return answer

    return keep


def not_for_everybody() -> None:
    """Said by a view: this answer shows what the event's stamps do not tell, and is made anew each time."""
    g.not_kept = True


def _for_everybody(arguments: tuple[str, ...]) -> bool:
    """Whether the answer is the same for all who ask so: nobody is signed in, and no message waits for them."""
    if any(name in session for name in ("organiser", "players", "_flashes")):
        return False
    known = all(name in arguments and len(values) == 1 for name, values in request.args.lists())
    return known and len(request.url) <= LONGEST_ADDRESS


def _state(slug: str) -> State | None:
    """The event as it is stored now; None where there is none that everybody may see."""
    engine: Engine = current_app.extensions["overseer_engine"]
    with engine.connect() as connection:
        row = connection.execute(STATE, {"slug": slug}).first()
    return None if row is None else State(row.id, row.version, row.public_stamp)


def _only_results(older: Finished, state: State) -> bool:
    """Whether nothing but results came in since a page was made: a round that is published is seen at once."""
    engine: Engine = current_app.extensions["overseer_engine"]
    with engine.connect() as connection:
        return only_results(connection, state.event_id, older.version, state.version)


def _finish(state: State, view: Callable[[], Response]) -> Finished | Response:
    """Let the view answer; its page is finished where everybody may have it."""
    g.keeping = True
    response = view()
    mark: Mark | None = g.get("mark")
    own = session.modified or "csrf_token" in g or g.get("not_kept", False) or visitor() != Visitor()
    if response.status_code != 200 or mark is None or own or response.is_streamed:
        return response
    until = mark.until
    if mark.ticking:
        until = min(now() + WITH_CLOCK, until or now() + WITH_CLOCK)
    packed = gzip.compress(response.get_data(), 6, mtime=0)
    return Finished(state.text, state.version, until, mark.text, response.mimetype or "", packed)


def _sent(finished: Finished) -> Response:
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(finished.packed if packed else gzip.decompress(finished.packed), mimetype=finished.mimetype)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Server-Now"] = now().isoformat()
    response.set_etag(finished.mark, weak=True)
    return response.make_conditional(request)
