"""The club's events as a feed (Atom, RFC 4287): a reader of feeds, or a club's site, shows a new event by itself."""

from datetime import UTC, datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Blueprint, Response, request, url_for
from sqlmodel import col, select

from events.public.news import id_of, news_of
from events.store.rounds import days_of, never_played
from events.store.visitor import Visitor
from events.visitors import access
from events.web.club_id import club_id
from events.web.request import db, local, now, outside_url
from languages.words import N_, gettext, language
from models.event import Event, EventState

blueprint = Blueprint("feed", __name__)

MOST = 50
"""Events, the newest first."""
ATOM = "http://www.w3.org/2005/Atom"
STATES = {
    EventState.REGISTRATION: N_("Registration is open."),
    EventState.IN_PROGRESS: N_("It is being played."),
    EventState.FINISHED: N_("It is over: see its standings."),
}


@blueprint.get("/events.atom")
def events_feed() -> Response:
    """The events on the front page, as everybody reads them."""
    rows = db().exec(select(Event).order_by(col(Event.created_at).desc(), col(Event.id).desc()))
    events = [row for row in rows if access.is_listed_for(Visitor(), row)][:MOST]
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": language()})
    newest = max((news_of(event, now()) for event in events), default=datetime.fromtimestamp(0, UTC))
    _texts(feed, id=f"urn:overseer:{club_id()}", title=gettext("Events"), updated=newest.isoformat())
    SubElement(feed, "author").append(_text("name", "Overseer"))
    SubElement(feed, "link", rel="self", href=_address("feed.events_feed"))
    for event in events:
        entry = SubElement(feed, "entry")
        updated = news_of(event, now()).isoformat()
        _texts(entry, id=f"urn:overseer:{id_of(event)}", title=event.name, updated=updated)
        _texts(entry, published=event.created_at.isoformat(), summary=_summary(event))
        SubElement(entry, "link", rel="alternate", href=_address("public.event", slug=event.slug))
    answer = Response(tostring(feed, "utf-8", xml_declaration=True), mimetype="application/atom+xml")
    answer.add_etag(weak=True)
    answer.make_conditional(request)
    return answer


def _address(endpoint: str, **values: Any) -> str:
    return outside_url(endpoint, **values) or url_for(endpoint, **values)


def _summary(event: Event) -> str:
    days = ", ".join(filter(None, [days_of(event, "%-d %B %Y"), event.starts_at, event.place]))
    state = gettext("It was not played.") if never_played(event, now()) else gettext(STATES[event.state])
    if event.state == EventState.REGISTRATION and access.registration_window(event, now()) == "before":
        state = gettext("Registration opens on %(day)s", day=local(event.registration_opens, event)) + "."
    state = gettext("It was called off.") if event.cancelled_at else state
    return f"{days}. {state}"


def _texts(parent: Element, **texts: str) -> None:
    for name, text in texts.items():
        parent.append(_text(name, text))


def _text(name: str, text: str) -> Element:
    element = Element(name)
    element.text = text
    return element
