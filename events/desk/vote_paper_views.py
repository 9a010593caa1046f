"""Slips to vote on, for players without phones."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events.accounts.loading import managed_event
from events.play.rulings import Sports, soft_rules
from events.web.answers import pdf_answer
from languages.words import gettext
from models.event import Event
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.table import Col, Table

blueprint = Blueprint("vote_paper", __name__)
SLIPS, MOST = 12, 4
"""The slips of a print, which fill pages of two, three and four; the most on a page."""


@blueprint.get("/e/<slug>/desk/votes.pdf")
def vote_slips(slug: str) -> ResponseReturnValue:
    """Slips with the event's questions; 404 if players neither vote nor mark."""
    event = managed_event(slug)
    asked = _questions(event) or abort(404)
    marks = max((marks for _, marks in asked), key=len)
    columns = Col(""), Col("", "write", share=0.35), *(Col("", "centre", share=0.35 / len(marks)) for _ in marks)
    rows = [(label, "", *(own or [""] * len(marks))) for label, own in ((gettext("Your name"), ()), *asked)]
    best, worst = gettext("5: a model opponent"), gettext("1: the staff should know")
    note = f"{best} · {worst}" if soft_rules(event).sports == Sports.SCALE else ""
    slip = GameSheet(gettext("Votes and marks"), (note,) if note else (), (Table(columns, rows, size=11.0),))
    return pdf_answer(event, "votes", draw_game_sheets, [slip] * SLIPS, MOST)


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
