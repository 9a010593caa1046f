"""For every view: the database session, the time, write transactions, ids sent, absolute URLs and QR codes."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from itertools import count
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import segno
from flask import abort, current_app, flash, g, request, session, url_for
from markupsafe import Markup, escape
from sqlalchemy.exc import InvalidRequestError
from sqlmodel import Session

from events.store.act import Act
from events.store.errors import Refused
from events.tournament.clock import local_date
from events.web.parsing import number_or_none
from languages.dates import dated
from models.db import write
from models.event import Event
from models.journal import NOBODY, Actor
from service.settings import LOOPBACK, MailServer, Settings

_FIGURE = re.compile(r"(?<![\w.-])(\d+(?: ×)?)(?!\w|[.,]\d)")


def with_figures(text: str) -> Markup:
    parts = _FIGURE.split(text)
    marked = [Markup("<b class='num'>{}</b>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)]
    return Markup("").join(marked)


def now() -> datetime:
    """The server's time, the same for the whole request."""
    if "now" not in g:
        g.now = current_app.extensions["overseer_clock"]()
    moment: datetime = g.now
    return moment


PAPERS_CHOSEN = "papers"
"""The name, in the cookie, of what was last chosen in this browser's print room."""


def paper_choice(name: str) -> str | None:
    """What the address chooses for papers, else what was last chosen in this browser; None for neither."""
    chosen: str | None = request.args.get(name, session.get(PAPERS_CHOSEN, {}).get(name))
    return chosen


def keep_paper_choices(chosen: Mapping[str, str]) -> None:
    """For the page that chooses: this browser keeps, of what is chosen, the part that its address names."""
    asked = {name: text for name, text in chosen.items() if name in request.args}
    if asked:
        session[PAPERS_CHOSEN] = session.get(PAPERS_CHOSEN, {}) | asked


def mail_server() -> MailServer | None:
    """The mail server in the settings; None if there is none. Requests never connect to it."""
    server: MailServer | None = current_app.extensions["overseer_mail"]
    return server


def db() -> Session:
    """The request's database session, for reading. Changes go through ``changing``."""
    if "session" not in g:
        g.session = Session(current_app.extensions["overseer_engine"])
    opened: Session = g.session
    return opened


@contextmanager
def changing(event: Event, *, public: bool = True, other: Event | None = None) -> Iterator[Act]:
    """Open a write transaction on an event, which commits at the end of the block or rolls back.

    ``public=False`` means that only staff can see the change, such as one to a draft. 403 for a visitor whose role or
    sign-in ended while the change waited for others. ``other`` is a second event that the change concerns, for which
    the caller checks the permission in the block.
    """
    acting: Callable[[Event], Actor] = current_app.extensions["overseer_actor"]
    actor, version = acting(event), event.version
    with _written(event, actor, public=public, other=other) as s:
        # A player was loaded with the event, and has the same link if the event has not changed: no statement more.
        if actor.role != "player" or event.version != version + 1:
            g.pop("visitor", None)
            if acting(event).role != actor.role:
                abort(403)
        yield Act(s, event, actor.name, now())


@contextmanager
def changing_club() -> Iterator[Session]:
    """As ``changing``, for a change that belongs to no event, such as one to an account."""
    with _written(None, NOBODY) as s:
        yield s


@contextmanager
def _written(
    event: Event | None, actor: Actor, *, public: bool = True, other: Event | None = None
) -> Iterator[Session]:
    g.pop("loaded", None)  # rows can have changed since they were loaded for the page
    try:
        with write(db(), now(), event, actor, public=public, other=other) as s:
            yield s
    except Refused:
        for row in list(db()):  # the rollback emptied them, and the page that shows the refusal needs them
            with suppress(InvalidRequestError):  # deleted since
                db().refresh(row)
        raise
    finally:
        g.pop("loaded", None)


@contextmanager
def saving(event: Event, message: str = "", *, public: bool = True) -> Iterator[Act]:
    """``changing`` for a button: flashes ``message`` on success, or the message of a Refused, which rolls back."""
    with flashing(message), changing(event, public=public) as act:
        yield act


@contextmanager
def flashing(message: str) -> Iterator[None]:
    """Flash ``message`` after a change, or the message of a Refused, which has rolled it back."""
    try:
        yield
    except Refused as refused:
        flash(refused.message, "error")
    else:
        if message:
            flash(message, "success")


def id_sent(name: str) -> int | None:
    """The id in this form field; None if it is invalid."""
    return id_in(request.form.get(name, ""))


def id_asked(name: str) -> int | None:
    """The id in this query parameter; None if it is invalid."""
    return id_in(request.args.get(name, ""))


def id_in(text: str) -> int | None:
    """The id or version in a text; None if it is invalid."""
    return number_or_none(text)


def without_tabs() -> None:
    """Mark the request's page as one without the event's tabs, so that nothing is loaded for them."""
    g.without_tabs = True


def outside_url(endpoint: str, **values: Any) -> str:
    """An absolute URL for other devices; "" if only this computer could open it.

    It is under OVERSEER_ADDRESS if set, else under the request's host name. "localhost" is replaced by this machine's
    network address if phones can reach it.
    """
    settings: Settings = current_app.extensions["overseer_settings"]
    server = settings.public or request.host_url.rstrip("/")
    if urlsplit(server).hostname in LOOPBACK:
        server = settings.address_for_phones
    return server + url_for(endpoint, **values) if server else ""


def printed_address() -> str:
    """The page's address for paper, without the server if no other device can open it."""
    root = outside_url("public.home")
    return root.rstrip("/") + request.full_path.removesuffix("?") if root else request.path


def local(moment: datetime | None, event: Event, form: str = "%a %-d %b %Y, %H:%M") -> str:
    """A formatted time in the event's time zone; "" for None."""
    return dated(moment.astimezone(ZoneInfo(event.timezone)), form) if moment else ""


def local_day(event: Event) -> date:
    return local_date(now(), event.timezone)


def qr(address: str) -> Markup:
    """An address as a QR code in inline SVG."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=4, svgclass="qr-code", lineclass=None, omitsize=True))  # noqa: S704 - made of squares


CELL = re.compile(r"<t[dh]\b([^>]*)")


def under(cells: Markup, heads: Sequence[str], figures: Container[int], bare: Container[int], labelled: bool) -> Markup:
    """A row's cells with what their place in the table gives them: the look of figures, and the head as their label.

    What a cell says itself stays.
    """
    place = count()

    def given(cell: re.Match[str]) -> str:
        at, own = next(place), cell[1]
        figure = ' class="num"' if at in figures and "class=" not in own else ""
        head = escape(heads[at]).striptags() if labelled and at < len(heads) and at not in bare else ""
        label = f' data-label="{escape(head)}"' if head and "data-label=" not in own else ""
        return f"{cell[0]}{figure}{label}"

    return Markup(CELL.sub(given, cells))  # noqa: S704 - the cells are markup, the head is escaped


def without_indents(html: str) -> Markup:
    """HTML of templates without their indents and empty lines; it may have no text of several lines."""
    return Markup(re.sub(r"\n\s+", "\n", html))  # noqa: S704 - what a template made
