"""The order in which forces are printed."""

from events.desk.event_pack import day_of
from events.play.rounds import public_round_views
from events.setup.event_rules import day_words
from events.web.request import db
from models.event import Event
from pdf.wall import RoundPlan


def plan_of(event: Event) -> RoundPlan:
    """The plan of the day."""
    where = " · ".join(filter(None, (event.starts_on.strftime("%A %-d %B %Y"), event.place)))
    return RoundPlan(event.name, where, tuple(day_of(event, public_round_views(db(), event))), tuple(day_words(event)))
