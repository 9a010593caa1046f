"""What programs read before people: robots.txt and security.txt (RFC 9116)."""

from datetime import timedelta

from flask import Blueprint, Response, abort, current_app, url_for
from sqlmodel import col, select

from events.store.visitor import Visitor
from events.visitors import access
from events.web.request import db, now
from models.event import Event
from service.settings import Settings

blueprint = Blueprint("crawler", __name__)

VALID = timedelta(days=365)
"""How long a copy of security.txt may be used."""


@blueprint.get("/robots.txt")
def robots() -> Response:
    """The pages that search engines may read: the front page, the rules, and the events on the front page."""
    events = db().exec(select(Event).order_by(col(Event.id)))
    shown = [url_for("public.event", slug=event.slug) for event in events if access.is_listed_for(Visitor(), event)]
    allowed = ["/$", "/static/", "/rules/", *(f"{path}{end}" for path in shown for end in ("$", "/"))]
    lines = ["User-agent: *", *(f"Allow: {text}" for text in allowed), "Disallow: /"]
    return Response("\n".join(lines) + "\n", mimetype="text/plain")


@blueprint.get("/.well-known/security.txt")
def security() -> Response:
    """Where to report a vulnerability of this service; 404 if its operator has set no contact."""
    settings: Settings = current_app.extensions["overseer_settings"]
    if not settings.security_contact:
        abort(404)
    lines = {
        "Contact": settings.security_contact,
        "Expires": (now() + VALID).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "Preferred-Languages": "en",
    }
    return Response("".join(f"{name}: {value}\n" for name, value in lines.items()), mimetype="text/plain")
