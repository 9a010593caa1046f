"""What is kept about players, why, for how long and who sees it: of an event, or of the service."""

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from events.registration.questions import questions_of
from events.registration.retention import deletion_day
from events.visitors.loading import event_or_404
from events.web.request import db, mail_server
from models.event import Event
from service.health import KEPT_LONGEST
from service.settings import Settings

blueprint = Blueprint("privacy", __name__)


def privacy_notice(event: Event | None) -> str:
    """The event's notice, or else the service's: a text, or the address of a page; "" if there is none."""
    settings: Settings = current_app.extensions["overseer_settings"]
    return (event and event.privacy_notice) or settings.privacy_notice


@blueprint.get("/privacy")
def of_service() -> ResponseReturnValue:
    return render_template("hall/privacy.html", mails=mail_server() is not None, copies=KEPT_LONGEST)


@blueprint.get("/e/<slug>/privacy")
def of_event(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    return render_template(
        "hall/privacy.html",
        mails=event.mail_asked and mail_server() is not None,
        copies=KEPT_LONGEST,
        questions=questions_of(event),
        day=deletion_day(db(), event),
    )
