"""The address that every page of an event asks whether anything changed: a mark, or 304."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.views.request import event_or_404, mark, polled
from events.web.page_cache import cached_page

blueprint = Blueprint("live", __name__)


@blueprint.get("/e/<slug>/version")
@cached_page()
def version(slug: str) -> ResponseReturnValue:
    """The mark of the event for this visitor, as text; 304 to whoever asks with the mark that still holds."""
    event = event_or_404(slug)
    answer = polled(mark(event).text, event)
    answer.mimetype = "text/plain"
    return answer
