"""A round and the standings as text, in pieces that fit into one message of a chat."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events.public.chat_text import PIECE, chat_pieces, round_lines, standings_lines
from events.standings.loading import asked_round, is_corrected_in, is_ranked, standings_in
from events.standings.titles import standings_title
from events.visitors.event_loading import players_in, public_views_in, tournament_in
from events.visitors.loading import event_or_404, shown_round_or_404
from events.web.request import local_day, now
from languages.words import gettext
from models.event import RoundState

blueprint = Blueprint("chat", __name__)


@blueprint.get("/e/<slug>/rounds/<int:number>/text")
def round_text(slug: str, number: int) -> ResponseReturnValue:
    event = event_or_404(slug)
    if shown_round_or_404(event, number).state != RoundState.PUBLISHED:
        abort(404)
    people = {player.id: player for player in players_in(event)}
    lines = round_lines(event, public_views_in(event), number, people, now())
    return render_template(
        "hall/chat.html",
        title=gettext("Round %(number)s as text", number=number),
        pieces=chat_pieces(lines),
        most=PIECE,
    )


@blueprint.get("/e/<slug>/standings/text")
def standings_text(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    after, _ = asked_round(event)
    title = standings_title(event, tournament_in(event), after, local_day(event), corrected=is_corrected_in(event))
    lines = standings_lines(event, title, standings_in(event).after(after) if is_ranked(event, after) else [])
    return render_template("hall/chat.html", title=gettext("Standings as text"), pieces=chat_pieces(lines), most=PIECE)
