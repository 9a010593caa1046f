"""The captain's page: the order of the own team's boards for the match at hand, in secret until both are in."""

from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events import access_play
from events.actions import team_boards
from events.errors import Refused
from events.newest_round import newest_view
from events.reading import players_of
from events.team_reading import captain_of, chosen_by, here, order_of, own_match, team_of
from events.typed import whole_number
from events.views.fields import show_at_field
from events.views.request import actor, changing, db, now, own_player_or_403, polled, visitor
from events.views.teams import team_event_or_404
from models.play import Player

blueprint = Blueprint("team_boards", __name__)


@blueprint.route("/e/<slug>/me/boards", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """The captain sets the boards; team mates may look at what was chosen."""
    event = team_event_or_404(slug)
    player = own_player_or_403(event)
    players, view = players_of(db(), event), newest_view(db(), event)
    team = team_of(db(), event, player.team_id)
    match = own_match(view.matches, player.team_id) if view else None
    if view is None or match is None or match.b_id is None or team is None:
        abort(404)
    if not access_play.may_see_order(visitor(), event, match, team.id):
        abort(403)
    captain = captain_of(players, team)
    may_choose = access_play.may_choose_boards(visitor(), event, match, captain)
    if request.method == "POST" and not may_choose:
        abort(403)
    chosen = chosen_by(match, team.id)
    order = order_of(event, players, team, chosen or ())
    form = _form(here(players, team), order)
    if form.validate_on_submit():
        wanted = [form[_board(number)].data or None for number in range(1, event.team_size + 1)]
        try:
            with changing(event) as s:
                both = team_boards.choose_order(s, event, match, team.id, wanted, actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Both captains have chosen: the boards are matched." if both else "Your boards are set.", "success")
            return redirect(url_for("registration.today" if both else "team_boards.mine", slug=slug))
    other_id = match.b_id if match.a_id == team.id else match.a_id
    people = {one.id: one for one in players}
    page = render_template(
        "me/boards.html",
        form=form,
        fields=[form[_board(number)] for number in range(1, event.team_size + 1)],
        view=view,
        match=match,
        team=team,
        other=team_of(db(), event, other_id),
        captain=captain,
        may_choose=may_choose,
        chosen=chosen is not None,
        other_chosen=chosen_by(match, other_id) is not None,
        order=[None if one is None else people[one] for one in order],
    )
    if request.method == "POST":
        return page, 422
    return polled(page, event)


def _board(number: int) -> str:
    return f"board{number}"


def _form(there: Sequence[Player], order: Sequence[int | None]) -> FlaskForm:
    choices = [SelectChoice("0", "Nobody"), *(SelectChoice(str(one.id), one.name) for one in there)]
    fields = {
        _board(number): SelectField(f"Board {number}", choices=choices, coerce=whole_number)
        for number in range(1, len(order) + 1)
    }
    stored = {_board(number): one or 0 for number, one in enumerate(order, start=1)}
    form: FlaskForm = type("BoardsForm", (FlaskForm,), fields)(data=stored)
    return form
