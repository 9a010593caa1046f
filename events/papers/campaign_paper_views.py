"""The book of a campaign as PDF."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.accounts.loading import event_or_404
from events.papers.campaign_book import campaign_book
from events.seasons.loading import campaign_or_404
from events.web.answers import pdf_answer
from pdf.game_sheet import draw_game_sheets

blueprint = Blueprint("campaign_paper", __name__)


@blueprint.get("/e/<slug>/campaign/book.pdf")
def book(slug: str) -> ResponseReturnValue:
    event = campaign_or_404(event_or_404(slug))
    return pdf_answer(event, "campaign", draw_game_sheets, [campaign_book(event)])
