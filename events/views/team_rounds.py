"""A round of teams at the desk: the draft with its reasons, teams swapped by hand, the choice of boards, results."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.actions import drawing, team_boards, team_draft
from events.errors import Refused
from events.outcomes import score_of
from events.reading import RoundView, placed, players_of, round_view, round_views
from events.team_reading import choosing, is_team_event, playing
from events.typed import whole_number
from events.views.draft_page import publish_question
from events.views.draft_rows import draft_costs
from events.views.press import pressed
from events.views.published import taking_back
from events.views.request import actor, changing, db, managed_event, now, round_or_404
from events.views.team_drafts import team_draft_page
from events.views.teams import round_of_teams
from models.event import Event, Round, RoundState

blueprint = Blueprint("team_rounds", __name__)


class SwapTeamsForm(FlaskForm):
    """Two teams who change places."""

    one = SelectField("Team", [NumberRange(min=1, message="Choose a team.")], coerce=whole_number)
    other = SelectField("changes places with", [NumberRange(min=1, message="Choose a team.")], coerce=whole_number)


def team_round_page(
    event: Event, the_round: Round, question: str, form: SwapTeamsForm | None = None
) -> ResponseReturnValue:
    """The round in whatever state it is; ``question`` is asked before it is published."""
    if the_round.state == RoundState.DRAWN:
        swap = form or _swap_form(round_view(db(), event, the_round))
        return team_draft_page(event, the_round, question, swap, 422 if form is not None else 200)
    view, views, players = round_view(db(), event, the_round), round_views(db(), event), players_of(db(), event)
    scenario = view.shared
    scores = {g.id: score for g in view.games if (score := score_of(event, the_round.number, scenario, g))}
    here = playing(view.teams, players)
    page = render_template(
        "desk/team_round.html",
        **round_of_teams(event, view),
        view=view,
        views=views,
        people={p.id: p for p in players},
        here=here,
        absent=[team for team in view.teams if team.dropped_after is None and team not in here],
        alone=[p for p in placed(players) if p.team_id is None],
        scenario=scenario,
        scores=scores,
        why_not=drawing.why_not_drawn(event, players, views, the_round.number),
        costs=draft_costs(view) if the_round.outcome else None,
        back=taking_back(event, the_round),
    )
    return page, 422 if form is not None else 200


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap-teams")
def swap(slug: str, number: int) -> ResponseReturnValue:
    """Let two teams of a draft change places."""
    event, the_round = _team_round(slug, number)
    form = _swap_form(round_view(db(), event, the_round))
    if form.validate_on_submit():
        try:
            with changing(event, public=False) as s:
                told = team_draft.swap_teams(s, event, number, form.one.data, form.other.data, actor(event), now())
        except Refused as refused:
            form.form_errors.append(refused.message)
        else:
            flash("Swapped." + (" Mind: " + "; ".join(told) + "." if told else ""), "success")
            return redirect(url_for("rounds.manage", slug=slug, number=number))
    return team_round_page(event, the_round, publish_question(event, number, players_of(db(), event)), form)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/close-choice")
def close_choice(slug: str, number: int) -> ResponseReturnValue:
    """End the captains' choice of one match, or of all that are still open."""
    event, the_round = _team_round(slug, number)
    only = request.form.get("match", type=whole_number)
    view = round_view(db(), event, the_round)
    open_ones = [match for match in view.matches if choosing(the_round, match) and only in (None, match.id)]
    with pressed(event, "The boards are matched." if open_ones else "No choice is open there.") as s:
        for match in open_ones:
            team_boards.close_choice(s, event, match, actor(event), now())
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _team_round(slug: str, number: int) -> tuple[Event, Round]:
    event = managed_event(slug)
    if not is_team_event(event):
        abort(404)
    return event, round_or_404(event, number)


def _swap_form(view: RoundView) -> SwapTeamsForm:
    form = SwapTeamsForm()
    names = {team.id: team.name for team in view.teams}
    seated = [
        SelectChoice(str(team), f"{names[team]} ({f'block {match.block}' if match.block else 'bye'})")
        for match in view.matches
        for team in (match.a_id, match.b_id)
        if team is not None
    ]
    seated.sort(key=lambda choice: choice.label.casefold())
    form.one.choices = form.other.choices = [SelectChoice("0", "Choose a team"), *seated]
    return form
