"""What every view needs of a request: the database session, the time, a change, whole addresses."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import current_app, g, request, url_for
from markupsafe import Markup, escape
from sqlmodel import Session

from models.db import write
from models.event import Event
from models.journal import NOBODY
from service.settings import LOOPBACK, MailServer, Settings

_FIGURE = re.compile(r"(?<![\w.-])(\d+(?: ×)?)(?!\w|[.,]\d)")


def with_figures(text: str) -> Markup:
    """The sentence with its whole numbers marked up; everything else in it is escaped."""
    parts = _FIGURE.split(text)
    marked = [Markup("<b class='num'>{}</b>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)]
    return Markup("").join(marked)


LONGEST_ID = 2**31 - 1
MOST_ROUNDS = 1000


def now() -> datetime:
    """The server's time, the same for the whole request."""
    if "now" not in g:
        g.now = current_app.extensions["overseer_clock"]()
    moment: datetime = g.now
    return moment


def mail_server() -> MailServer | None:
    """Where mail is handed over; None where none is set. Nothing in a request ever speaks to it."""
    server: MailServer | None = current_app.extensions["overseer_mail"]
    return server


def db() -> Session:
    """The request's database session, for reading; changes go through ``changing``."""
    if "session" not in g:
        g.session = Session(current_app.extensions["overseer_engine"])
    opened: Session = g.session
    return opened


@contextmanager
def changing(event: Event | None = None, *, public: bool = True) -> Iterator[Session]:
    """Open the write transaction of a change. It commits at the end, or does nothing at all.

    ``public=False``: the change is one to the draft of a round, which only the staff see.
    """
    actor = current_app.extensions["overseer_actor"](event) if event is not None else NOBODY
    with write(db(), now(), event, actor, public=public) as s:
        yield s


def outside_url(endpoint: str, **values: Any) -> str:
    """A whole address to hand out: under OVERSEER_ADDRESS where it is set, else under the name that was asked for.

    A name of this machine alone is replaced by its address in the network, where phones can reach that.
    """
    settings: Settings = current_app.extensions["overseer_settings"]
    here = urlsplit(request.host_url).hostname in LOOPBACK
    if server := settings.public or (settings.address_for_phones if here else ""):
        return server + url_for(endpoint, **values)
    return url_for(endpoint, **values, _external=True)


def local(moment: datetime | None, event: Event, form: str = "%a %-d %b %Y, %H:%M") -> str:
    """A moment as a clock at the event's place shows it."""
    return moment.astimezone(ZoneInfo(event.timezone)).strftime(form) if moment else ""
