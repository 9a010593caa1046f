"""The page cache: an event's public pages, rendered once for each public state of the event.

Each key holds the public stamp, which every request reads from the database, so no host uses an older state. Two uses:
finished pages for visitors who are not signed in (``cached_page``), and what the players' pages share (``shared``). As
long as each report gives an event another stamp, one render serves all requests that came before it began.
"""

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from threading import Condition, Lock
from typing import Any, ClassVar, ParamSpec, TypeVar, cast
from urllib.parse import urlencode
from weakref import WeakValueDictionary

from cachetools import TLRUCache, cached
from flask import current_app, g, make_response, redirect, request, session
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine, bindparam
from sqlmodel import col, select
from werkzeug.wrappers import Response

from events.store.visitor import Visitor
from events.web.language import language_for
from models.event import Event, EventState


@dataclass(frozen=True)
class Mark:
    """The state of an event for one visitor: equal marks mean equal pages."""

    text: str
    """Letters, digits and hyphens."""
    until: datetime | None
    """The next time at which the mark changes by time alone; None if none is known."""
    ticking: bool
    """Whether a round's clock runs: the seconds on pages change without the mark."""
    cache_bytes: ClassVar[int] = 400


Where = ParamSpec("Where")
Value = TypeVar("Value")
View = Callable[Where, ResponseReturnValue]
Key = tuple[int, str, str]
"""An event's id, a name, and the event's public stamp."""

MAX_BYTES = 64_000_000  # per process; the least recently used values are evicted first
NUMBER = re.compile("0|[1-9][0-9]{0,9}")
CLOCK_PAGE_LASTS = timedelta(seconds=20)  # without JavaScript the clock on a page does not move
NEVER = datetime.max.replace(tzinfo=UTC)
STATE = select(col(Event.id), col(Event.public_stamp), col(Event.language)).where(
    col(Event.slug) == bindparam("slug"), col(Event.state) != EventState.DRAFT
)


@dataclass(frozen=True)
class Page:
    packed: bytes
    mimetype: str
    mark: str
    until: datetime | None


class _Renders:
    def __init__(self) -> None:
        self.lock, self.begun, self.finished = Lock(), 0, 0
        self.page: Page | None = None

    def next(self, make: Callable[[], Page | Response]) -> Page | Response:
        """The first page whose render starts after this call. A response that is not a page is made for each caller."""
        before = self.begun
        with self.lock:
            if self.page is not None and self.finished > before:
                return self.page
            self.begun += 1
            made = make()
            if isinstance(made, Page):
                self.page, self.finished = made, self.begun
            return made


class PageCache:
    """Cached values by event, name and public stamp, for all threads of a process."""

    def __init__(self, clock: Callable[[], datetime], max_bytes: int = MAX_BYTES) -> None:
        self.values: TLRUCache[Key, Any, datetime] = TLRUCache(max_bytes, _expires, clock, _bytes_of)
        self._ready = Condition()
        self._get = cached(self.values, key=lambda key, make: key, condition=self._ready)(lambda key, make: make())
        self._renders: WeakValueDictionary[str, _Renders] = WeakValueDictionary()

    def get(self, event_id: int, name: str, stamp: str, make: Callable[[], Value]) -> Value:
        """The value for this state of the event. One caller makes it, others wait. Raises as ``make`` does.

        Values of other states under this name are evicted, because they are not needed again.
        """

        def only() -> Value:
            made = make()
            with self._ready:
                for key in [key for key in self.values if key[:2] == (event_id, name)]:
                    self.values.pop(key, None)
            return made

        return cast(Value, self._get((event_id, name, stamp), only))

    def page(self, read_key: Callable[[], Key | None], make: Callable[[], Page | Response]) -> Page | Response:
        """The page of the event's current state, or of a later one.

        ``read_key`` reads the state; None if it is hidden.
        """

        def render() -> Page | Response:
            now = read_key()
            return make() if now is None else self.get(*now, make)

        key = read_key()
        if key is None:
            return make()
        with self._ready:
            kept = self.values.get(key)
        return kept or self._renders.setdefault(key[1], _Renders()).next(render)


def _expires(key: Key, value: Any, now: datetime) -> datetime:
    """The time until which a value is kept; plain responses are not kept."""
    return now if isinstance(value, Response) else getattr(value, "until", None) or NEVER


def _bytes_of(value: Any) -> int:
    return len(value.packed) if isinstance(value, Page) else len(value) if isinstance(value, str) else value.cache_bytes


def kept_in_public(event: Event, name: str, make: Callable[[], Value]) -> Value:
    """A value without words under this name; ``make`` it once for each public state of the event."""
    cache: PageCache = current_app.extensions["overseer_page_cache"]
    return cache.get(event.id, name, event.public_stamp, make)


def shared(event: Event, name: str, make: Callable[[], Value]) -> Value:
    """A value shared by all players' own pages under this name; ``make`` it once for each state of the event.

    It has no words, or ``name`` says in which language.
    """
    cache: PageCache = current_app.extensions["overseer_page_cache"]
    return cache.get(event.id, name, event.players_stamp, make)


def cached_page(
    *numbers: str, others: tuple[str, ...] = (), **words: str
) -> Callable[[View[Where]], View[Where]]:  # fmt: skip
    """Decorator: cache a view's pages for visitors who are not signed in. The view ends with ``polled``; its address
    has a slug.

    ``numbers`` are the query arguments that it reads as numbers, ``words`` those with the one value that differs from
    none, ``others`` those with which a page is not cached. Any further argument or value costs a redirect to the
    address without it. In the interface an address with arguments is not cached: its items are.
    """

    def decorate(view: View[Where]) -> View[Where]:
        @wraps(view)
        def answer(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
            if _is_signed_in() or (request.args and request.path.startswith("/api/")):
                return view(*args, **kwargs)
            arguments = {
                name: value
                for name, value in request.args.items()
                if name in others or words.get(name) == value or (name in numbers and NUMBER.fullmatch(value))
            }
            if len(arguments) < len([*request.args.items(multi=True)]):
                return redirect(f"{request.path}?{urlencode(arguments)}" if arguments else request.path)
            if not arguments.keys().isdisjoint(others):
                return view(*args, **kwargs)
            cache: PageCache = current_app.extensions["overseer_page_cache"]
            made = cache.page(
                partial(_state, str(kwargs["slug"])), lambda: _page(lambda: make_response(view(*args, **kwargs)))
            )
            return _response(made) if isinstance(made, Page) else made

        return answer

    return decorate


def never_cached() -> None:
    """Keep this request's page out of the cache, because it depends on more than the public stamp."""
    g.never_cached = True


def _is_signed_in() -> bool:
    """Whether the visitor may have a page of their own; also if data was loaded, which may be older than the state."""
    return "session" in g or any(name in session for name in ("organiser", "players", "person", "_flashes"))


def _state(slug: str) -> Key | None:
    """The request's key by the event's stored state; None if visitors may not see the event."""
    engine: Engine = current_app.extensions["overseer_engine"]
    with engine.connect() as connection:
        row = connection.execute(STATE, {"slug": slug}).first()
    if row is None:
        return None
    g.language = language_for(row.language)
    return row.id, f"{request.url} {g.language}", row.public_stamp


def _page(view: Callable[[], Response]) -> Page | Response:
    """The view's page if everyone may see it, otherwise its response."""
    g.for_cache = True
    response, mark = view(), cast(Mark | None, g.get("mark"))
    is_personal = session.modified or "csrf_token" in g or g.get("never_cached") or g.get("visitor") != Visitor()
    if response.status_code != 200 or mark is None or is_personal or response.is_streamed:
        return response
    soon = current_app.extensions["overseer_clock"]() + CLOCK_PAGE_LASTS
    until = min(soon, mark.until or soon) if mark.ticking else mark.until
    return Page(gzip.compress(response.get_data(), 6, mtime=0), response.mimetype or "", mark.text, until)


def _response(page: Page) -> Response:
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(page.packed if packed else gzip.decompress(page.packed), mimetype=page.mimetype)
    response.headers.update({"Content-Encoding": "gzip"} if packed else {})
    response.vary.add("Accept-Encoding")
    response.headers["Server-Now"] = current_app.extensions["overseer_clock"]().isoformat()
    response.set_etag(page.mark, weak=True)
    return response.make_conditional(request)
