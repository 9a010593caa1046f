"""The seating of the player meeting, as a visitor may see it."""

from flask import abort

from events.accounts import access
from events.accounts.loading import visitor
from events.play.clock_queries import meeting_of
from events.web.request import db
from models.event import Event
from models.meeting import Meeting


def seen_meeting(event: Event) -> Meeting:
    """The seating of the event; 404 if there is none, or only a draft that the visitor may not see."""
    meeting = meeting_of(db(), event)
    if meeting is None or (meeting.published_at is None and not access.may_pair(visitor(), event)):
        abort(404)
    return meeting
