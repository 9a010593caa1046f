"""The order of boards: chosen by captains on their page, closed at the desk."""

from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.rounds import team_boards
from events.store.games import check_pairing
from events.store.rounds import newest_view, round_view
from events.store.team_queries import (
    captain_of,
    checked_in_by_board,
    choosing,
    chosen_by,
    order_at_boards,
    own_match,
    team_of,
)
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import (
    event_or_404,
    managed_event,
    own_player_or_403,
    polled,
    round_or_404,
    team_event_or_404,
    visitor,
)
from events.web.forms import SiteForm, refusals_at
from events.web.parsing import whole_number
from events.web.request import changing, db, id_sent, saving
from languages.words import gettext
from models.play import Player

blueprint = Blueprint("team_rounds", __name__)


@blueprint.route("/e/<slug>/me/boards", methods=["GET", "POST"])
def own_board(slug: str) -> ResponseReturnValue:
    """The order of boards: the captain sets it, team mates can read it."""
    event = team_event_or_404(event_or_404(slug))
    player = own_player_or_403(event)
    players, view = players_in(event), newest_view(db(), event)
    team = team_of(db(), event, player.team_id)
    match = own_match(view.matches, player.team_id) if view else None
    if view is None or match is None or match.b_id is None or team is None:
        abort(404)
    if not access.may_see_order(visitor(), event, match, team.id):
        abort(403)
    captain = captain_of(players, team)
    may_choose = access.may_choose_boards(visitor(), event, match, captain)
    closed = team_boards.how_matched(db(), event, match, team.id) if match.matched_at else ""
    if request.method == "POST" and not may_choose:
        why = closed or gettext("%(name)s is your captain and sets the boards.", name=captain.name if captain else "")
        flash(gettext("Not stored. %(why)s", why=why), "error")
        return redirect(url_for("team_rounds.own_board", slug=slug))
    chosen = chosen_by(match, team.id)
    order = chosen if match.matched_at and chosen else order_at_boards(event, players, team, chosen or ())
    form = _form(checked_in_by_board(players, team), order)
    if form.validate_on_submit():
        check_pairing(id_sent("match"), match.id)
        wanted = [form[_board(number)].data or None for number in range(1, view.now.team_size + 1)]
        with refusals_at(form):
            with changing(event) as act:
                both = team_boards.choose_order(act, match, team.id, wanted)
            flash(
                gettext("Both captains have chosen: the boards are matched.")
                if both
                else gettext("Your boards are set."),
                "success",
            )
            return redirect(url_for("player.today" if both else "team_rounds.own_board", slug=slug))
    other_id = match.b_id if match.a_id == team.id else match.a_id
    people = {member.id: member for member in players}
    page = render_template(
        "rounds/boards.html",
        form=form,
        fields=[form[_board(number)] for number in range(1, view.now.team_size + 1)],
        view=view,
        match=match,
        team=team,
        other=team_of(db(), event, other_id),
        captain=captain,
        may_choose=may_choose,
        closed=closed,
        chosen=chosen is not None,
        other_chosen=chosen_by(match, other_id) is not None,
        order=[None if number is None else people[number] for number in order],
    )
    if request.method == "POST":
        return page, 422
    return polled(page, event)


def _board(number: int) -> str:
    return f"board{number}"


def _form(there: Sequence[Player], order: Sequence[int | None]) -> FlaskForm:
    choices = [SelectChoice("0", gettext("Nobody")), *(SelectChoice(str(player.id), player.name) for player in there)]
    fields = {
        _board(number): SelectField(gettext("Board %(number)s", number=number), choices=choices, coerce=whole_number)
        for number in range(1, len(order) + 1)
    }
    stored = {_board(number): id_ or 0 for number, id_ in enumerate(order, start=1)}
    form: FlaskForm = type("BoardsForm", (SiteForm,), fields)(data=stored)
    return form


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/close-choice")
def close_choice(slug: str, number: int) -> ResponseReturnValue:
    """Close the captains' choice of one match, or of all open ones."""
    event = team_event_or_404(managed_event(slug))
    the_round = round_or_404(event, number)
    only = request.form.get("match", type=whole_number)
    view = round_view(event, the_round)
    open_ones = [match for match in view.matches if choosing(the_round, match) and only in (None, match.id)]
    with saving(
        event, gettext("The boards are matched.") if open_ones else gettext("Both choices are already closed.")
    ) as act:
        for match in open_ones:
            team_boards.close_choice(act, match)
    return redirect(url_for("rounds.manage_round", slug=slug, number=number))
