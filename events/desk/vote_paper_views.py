"""Slips to vote on, for players without phones."""

from collections.abc import Iterator

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events.accounts.event_loading import players_in, tournament_in
from events.accounts.loading import managed_event
from events.play.players import by_name, placed
from events.play.rulings import SoftRules, Sports, soft_rules
from events.web.answers import pdf_answer
from languages.words import gettext
from models.event import Event
from models.play import Player
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.table import Col, Table

blueprint = Blueprint("vote_paper", __name__)
BLANK, MOST = 12, 4
"""The slips if there are no players yet, which fill pages of two, three and four; the most on a page."""


@blueprint.get("/e/<slug>/desk/votes.pdf")
def vote_slips(slug: str) -> ResponseReturnValue:
    """A slip for each player, with the opponents met so far, or blank slips; 404 if players neither vote nor mark."""
    event = managed_event(slug)
    rules = soft_rules(event)
    if not rules.by_vote and rules.sports == Sports.OFF:
        abort(404)
    thumbs = gettext("thumb up"), gettext("thumb down")
    marks = {Sports.SCALE: tuple("12345"), Sports.THUMBS: thumbs}.get(rules.sports, ())
    columns = Col(""), Col("", "write", share=0.35), *(Col("", "centre", share=0.35 / len(marks)) for _ in marks)
    best, worst = gettext("5: a model opponent"), gettext("1: the staff should know")
    meaning = f"{best} · {worst}" if rules.sports == Sports.SCALE else ""
    people = players_in(event)
    names = {player.id: player.name for player in people}

    def slip(player: Player | None) -> GameSheet:
        rows = [(label, "", *[""] * len(marks)) for label in _lines(rules, player)]
        rows += [(label, "", *marks) for label in (_opponents(event, names, player) if marks else ())]
        title = player.name if player else gettext("Votes and marks")
        return GameSheet(title, (meaning,) if meaning else (), (Table(columns, rows, size=11.0),))

    slips = [slip(player) for player in sorted(placed(people), key=by_name)] or [slip(None)] * BLANK
    return pdf_answer(event, "votes", draw_game_sheets, slips, MOST)


def _lines(rules: SoftRules, player: Player | None) -> Iterator[str]:
    """What is answered with a name."""
    if player is None:
        yield gettext("Your name")
    if rules.by_vote:
        yield gettext("Best painted force")
    if rules.sports == Sports.FAVOURITE:
        yield gettext("Favourite opponent")


def _opponents(event: Event, names: dict[int, str], player: Player | None) -> Iterator[str]:
    """The opponents to mark: by name in the rounds that are published, without byes."""
    met = {a_round.number: a_round.boards for a_round in tournament_in(event).published if player}
    for number in range(1, event.rounds + 1):
        if number not in met:
            yield gettext("Opponent of round %(number)s", number=number)
        for board in met.get(number, ()):
            if player and str(player.id) in (board.a, board.b) and board.b:
                other = board.b if board.a == str(player.id) else board.a
                yield gettext("%(name)s, round %(n)s", name=names[int(other)], n=number)
