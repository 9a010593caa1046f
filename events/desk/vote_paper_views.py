"""Slips to vote on, for players without phones."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events.accounts.loading import managed_event
from events.play.rulings import Sports, soft_rules
from events.web.answers import pdf_answer
from languages.words import gettext
from models.event import Event
from pdf.signs import VoteSlip, draw_vote_slips

blueprint = Blueprint("vote_paper", __name__)


@blueprint.get("/e/<slug>/desk/votes.pdf")
def vote_slips(slug: str) -> ResponseReturnValue:
    """A page of slips with the event's questions; 404 if players neither vote nor mark."""
    event = managed_event(slug)
    questions = tuple(_questions(event)) or abort(404)
    best, worst = gettext("5: a model opponent"), gettext("1: the staff should know")
    note = f"{best} · {worst}" if soft_rules(event).sports == Sports.SCALE else ""
    return pdf_answer(event, "votes", draw_vote_slips, VoteSlip(event.name, note, questions))


def _questions(event: Event) -> list[tuple[str, tuple[str, ...]]]:
    """The vote, and the marks for opponents, each with what is circled on the slip."""
    rules = soft_rules(event)
    asked = [(gettext("Best painted force"), ())] if rules.by_vote else []
    if rules.sports == Sports.FAVOURITE:
        return [*asked, (gettext("Favourite opponent"), ())]
    thumbs = gettext("thumb up"), gettext("thumb down")
    marks = {Sports.SCALE: tuple("12345"), Sports.THUMBS: thumbs}.get(rules.sports, ())
    opponents = range(1, event.rounds + 1) if marks else ()
    return [*asked, *((gettext("Opponent of round %(number)s", number=n), marks) for n in opponents)]
