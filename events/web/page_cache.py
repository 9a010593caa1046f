"""The page cache: what everybody sees of an event, made once for each public state of it.

Each key holds the event's public stamp, which every request reads from the database. A value of an older state is never
used, on any host. However many requests wait for a value, one of them makes it. Two uses: finished pages for visitors
who are not signed in (``cached_page``), and data or rendered parts for the players' pages (``shared``). Pages of staff
and players, forms, flashed messages and refusals are never kept.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from threading import Condition
from typing import Any, ParamSpec, TypeVar, cast

from cachetools import LRUCache, TLRUCache, cached
from flask import current_app, g, make_response, request, session
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine, bindparam
from sqlmodel import col, select
from werkzeug.wrappers import Response

from events.live import Mark
from events.visitor import Visitor
from models.event import Event, EventState

Where = ParamSpec("Where")
Value = TypeVar("Value")
Key = tuple[int, str, str]
"""An event's id, a name, and the event's public stamp."""

MAX_BYTES = 64_000_000
"""Of one process. The least recently used values are dropped first."""
MAX_URL = 500
CLOCK_PAGE_LASTS = timedelta(seconds=20)
"""A page with a running clock is made again after this time: without script it shows the time at which it was made."""
NEVER = datetime.max.replace(tzinfo=UTC)
STATE = select(col(Event.id), col(Event.public_stamp)).where(
    col(Event.slug) == bindparam("slug"), col(Event.state) != EventState.DRAFT
)


@dataclass(frozen=True)
class Page:
    """A finished page: its HTML in gzip, and when time alone makes it old."""

    packed: bytes
    mimetype: str
    mark: str
    until: datetime | None


class PageCache:
    """Values by event, name and public stamp, for all threads of a process."""

    def __init__(self, clock: Callable[[], datetime], max_bytes: int = MAX_BYTES) -> None:
        """An empty cache of at most so many bytes, by this clock."""
        self._values: TLRUCache[Key, Any, datetime] = TLRUCache(max_bytes, _expires, clock, _bytes_of)
        self._newest: LRUCache[tuple[int, str], str] = LRUCache(2000)
        self._lock = Condition()
        self._get = cached(self._values, key=lambda key, make: key, condition=self._lock)(self._make)

    def get(self, event_id: int, name: str, stamp: str, make: Callable[[], Value]) -> Value:
        """The value of this state of the event; one caller makes it, others wait. Raises what ``make`` raises."""
        return cast(Value, self._get((event_id, name, stamp), make))

    def _make(self, key: Key, make: Callable[[], Any]) -> Any:
        value = make()
        with self._lock:  # nobody asks for an older state again
            self._values.pop((*key[:2], self._newest.get(key[:2], "")), None)
            self._newest[key[:2]] = key[2]
        return value

    def names(self) -> list[str]:
        """The names of all values that are kept."""
        with self._lock:
            return [name for _, name, _ in self._values]


def _expires(key: Key, value: Any, now: datetime) -> datetime:
    """Until when a value is kept; a plain response is not."""
    return now if isinstance(value, Response) else getattr(value, "until", None) or NEVER


def _bytes_of(value: Any) -> int:
    if isinstance(value, Page):
        return len(value.packed)
    return len(value) if isinstance(value, str) else value.cache_bytes


def shared(event: Event, name: str, make: Callable[[], Value]) -> Value:
    """What all players of the event see under this name: ``make`` it once for each public state of the event."""
    cache: PageCache = current_app.extensions["overseer_page_cache"]
    return cache.get(event.id, name, event.public_stamp, make)


def cached_page(
    *arguments: str,
) -> Callable[[Callable[Where, ResponseReturnValue]], Callable[Where, ResponseReturnValue]]:
    """Cache a view's pages for visitors who are not signed in. The view ends with ``polled``; its address has a slug.

    ``arguments`` are the query arguments that it reads; pages with any other argument are not cached.
    """

    def decorate(view: Callable[Where, ResponseReturnValue]) -> Callable[Where, ResponseReturnValue]:
        @wraps(view)
        def answer(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
            state = _state(str(kwargs["slug"])) if _is_cacheable(arguments) else None
            if state is None:
                return view(*args, **kwargs)
            cache: PageCache = current_app.extensions["overseer_page_cache"]
            made = cache.get(
                state[0], request.url, state[1], lambda: _page(lambda: make_response(view(*args, **kwargs)))
            )
            return _response(made) if isinstance(made, Page) else made

        return answer

    return decorate


def never_cached() -> None:
    """Called by a view whose page shows something that can change without the event's public stamp."""
    g.never_cached = True


def _is_cacheable(arguments: tuple[str, ...]) -> bool:
    if "session" in g or any(name in session for name in ("organiser", "players", "_flashes")):
        return False  # what the request's database session has read may be older than the state
    known = all(name in arguments and len(values) == 1 for name, values in request.args.lists())
    return known and len(request.url) <= MAX_URL


def _state(slug: str) -> tuple[int, str] | None:
    """The event's id and public stamp as stored now; None if everybody may not see it."""
    engine: Engine = current_app.extensions["overseer_engine"]
    with engine.connect() as connection:
        row = connection.execute(STATE, {"slug": slug}).first()
    return None if row is None else (row.id, row.public_stamp)


def _page(view: Callable[[], Response]) -> Page | Response:
    """The view's page if everybody may have it, otherwise its response."""
    g.for_cache = True
    response, mark = view(), cast(Mark | None, g.get("mark"))
    own = session.modified or "csrf_token" in g or g.get("never_cached") or g.get("visitor") != Visitor()
    if response.status_code != 200 or mark is None or own or response.is_streamed:
        return response
    until = mark.until
    if mark.ticking:
        soon = current_app.extensions["overseer_clock"]() + CLOCK_PAGE_LASTS
        until = min(soon, until or soon)
    return Page(gzip.compress(response.get_data(), 6, mtime=0), response.mimetype or "", mark.text, until)


def _response(page: Page) -> Response:
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(page.packed if takes_gzip else gzip.decompress(page.packed), mimetype=page.mimetype)
    if takes_gzip:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Server-Now"] = current_app.extensions["overseer_clock"]().isoformat()
    response.set_etag(page.mark, weak=True)
    return response.make_conditional(request)
