"""The public pages of teams, and their pages at the desk."""

from collections.abc import Callable, Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.accounts.browser import client_of_request
from events.registration import leaving, team_actions
from events.registration.forms import JoinTeamForm, SeatsForm, TeamForm, show_refused
from events.registration.team_codes import renew_code
from events.rounds.taking_part import on_leaving
from events.store.errors import Refused
from events.store.players import placed
from events.store.team_queries import active, captain_of, members, own_match, teams_of
from events.store.visitor import Visitor
from events.visitors import access
from events.visitors.event_loading import players_in, public_views_in, tournament_in
from events.visitors.loading import (
    event_or_404,
    managed_event,
    own_player_or_403,
    polled,
    team_event_or_404,
    team_or_404,
    visitor,
)
from events.web.forms import refusals_at
from events.web.page_cache import cached_page
from events.web.parsing import grouped, whole_number
from events.web.request import changing
from languages.words import gettext
from models.award import TeamRuling
from models.event import Event
from models.play import Player
from models.team import Team

blueprint = Blueprint("teams", __name__)


@blueprint.get("/e/<slug>/teams")
@cached_page()
def teams(slug: str) -> ResponseReturnValue:
    event = team_event_or_404(event_or_404(slug))
    everybody = players_in(event)
    players = _shown(event, everybody)
    # A team is not public while all its players wait for approval.
    shown = [team for team in teams_of(event) if members(players, team) or not members(everybody, team)]
    rows = [(team, members(players, team), captain_of(players, team)) for team in shown]
    alone = [p for p in players if p.team_id is None and p.state.value in ("registered", "checked_in")]
    return polled(render_template("registration/teams.html", rows=rows, alone=alone), event)


@blueprint.get("/e/<slug>/teams/<int:team_id>")
@cached_page()
def public_team(slug: str, team_id: int) -> ResponseReturnValue:
    event = team_event_or_404(event_or_404(slug))
    the_team = team_or_404(event, team_id)
    t, players, played = tournament_in(event), players_in(event), []
    for view in public_views_in(event):
        match = own_match(view.matches, the_team.id) if view.state in ("playing", "complete") else None
        if match is not None:
            a, b = t.match_scores(view.round.number)[view.matches.index(match)]
            ours, other = (a, b) if match.a_id == the_team.id else (b, a)
            played.append((view, match, ours, other))
    page = render_template(
        "registration/team.html",
        team=the_team,
        teams={row.id: row for row in teams_of(event)},
        members=members(_shown(event, players), the_team),
        captain=captain_of(_shown(event, players), the_team),
        played=played,
        rulings=_rulings(event, the_team),
    )
    return polled(page, event)


def _shown(event: Event, players: Sequence[Player]) -> list[Player]:
    """The players whose entries are public."""
    return [player for player in players if access.may_see_entry(Visitor(), event, player)]


def _rulings(event: Event, the_team: Team) -> list[TeamRuling]:
    """The team's penalties and bonuses, if the visitor may read the reasons."""
    if not access.may_read_team_rulings(visitor(), event, the_team):
        return []
    return [ruling for ruling in event.team_rulings if ruling.team_id == the_team.id]


blueprint.add_app_template_filter(grouped, "grouped")


@blueprint.route("/e/<slug>/me/team", methods=["GET", "POST"])
def find_team(slug: str) -> ResponseReturnValue:
    """For a player without a team: join one by its code, or start one."""
    event = team_event_or_404(event_or_404(slug))
    player = own_player_or_403(event)
    if not access.may_join_team(visitor(), event, player):
        return redirect(url_for("player.today", slug=slug))
    form, status = JoinTeamForm(), 422
    if form.validate_on_submit():
        typed = (form.team.data, form.team_code.data, client_of_request())
        try:
            with changing(event) as act:
                joined = team_actions.choose_team(act, player, *typed)
        except Refused as refused:
            status = show_refused(form, refused)
        else:
            flash(gettext("You are in the team %(team)s.", team=joined.name), "success")
            return redirect(url_for("player.today", slug=slug))
    return render_template("registration/find_team.html", form=form), status if form.errors else 200


@blueprint.route("/e/<slug>/desk/teams", methods=["GET", "POST"], endpoint="manage")
def teams_page(slug: str) -> ResponseReturnValue:
    event = team_event_or_404(managed_event(slug))
    form = TeamForm()
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                made = team_actions.make_team(act, form.name.data, form.club.data)
            return redirect(url_for("teams.team", slug=slug, team_id=made.id))
    players = players_in(event)
    rows = [(row, active(players, row), captain_of(players, row)) for row in teams_of(event)]
    page = render_template(
        "registration/desk_teams.html", form=form, rows=rows, alone=[p for p in placed(players) if p.team_id is None]
    )
    return page, 422 if form.errors or form.form_errors else 200


@blueprint.route("/e/<slug>/desk/teams/<int:team_id>", methods=["GET", "POST"])
def team(slug: str, team_id: int) -> ResponseReturnValue:
    event = team_event_or_404(managed_event(slug))
    the_team = team_or_404(event, team_id)
    pressed = request.form.get("do", "")
    name = TeamForm(prefix="t", obj=the_team) if pressed == "name" else TeamForm(None, prefix="t", obj=the_team)
    boards = _boards_form(event, the_team, sent=pressed == "boards")
    form: FlaskForm | None = {"name": name, "boards": boards}.get(pressed)
    if form is not None and form.validate():
        with refusals_at(form):
            with changing(event) as act:
                if pressed == "name":
                    team_actions.rename_team(act, the_team, name.name.data, name.club.data)
                else:
                    people = {player.id: player for player in event.players}
                    order = [people.get(boards[_board(n)].data) for n in range(1, event.team_size + 1)]
                    captain = people.get(boards.captain.data)
                    team_actions.seat_team(act, the_team, order, captain)
            flash(gettext("Saved."), "success")
            return redirect(url_for("teams.team", slug=slug, team_id=team_id))
    page = render_template(
        "registration/desk_team.html",
        team=the_team,
        name=name,
        boards=boards,
        fields=[boards[_board(n)] for n in range(1, event.team_size + 1)],
        gone=[member for member in members(players_in(event), the_team) if member.state.value == "dropped"],
        lost=[
            f"{player.name}: {lost}"
            for player in active(players_in(event), the_team)
            if (lost := on_leaving(event, player))
        ],
    )
    return page, 422 if form is not None else 200


TEAM_ACTIONS: dict[str, Callable[..., None]] = {
    "renew-code": renew_code,
    "drop": leaving.drop_team,
    "reinstate": leaving.reinstate_team,
    "remove": team_actions.remove_team,
}


@blueprint.post("/e/<slug>/desk/teams/<int:team_id>/<verb>")
def change_team(slug: str, team_id: int, verb: str) -> ResponseReturnValue:
    event = team_event_or_404(managed_event(slug))
    the_team = team_or_404(event, team_id)
    if verb not in TEAM_ACTIONS:
        abort(404)
    try:
        with changing(event) as act:
            TEAM_ACTIONS[verb](act, the_team)
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("teams.team", slug=slug, team_id=team_id))
    if verb == "remove":
        return redirect(url_for("teams.manage", slug=slug))
    return redirect(url_for("teams.team", slug=slug, team_id=team_id))


def _board(number: int) -> str:
    return f"board{number}"


def _boards_form(event: Event, the_team: Team, *, sent: bool) -> SeatsForm:
    players = players_in(event)
    mates, free = active(players, the_team), [p for p in placed(players) if p.team_id is None]
    names = {row.id: row.name for row in teams_of(event)}
    others = [p for p in placed(players) if p.team_id not in (None, the_team.id)]
    choices = [
        SelectChoice("0", gettext("Nobody")),
        *(SelectChoice(str(p.id), p.name) for p in mates),
        *(SelectChoice(str(p.id), gettext("%(name)s (in no team)", name=p.name)) for p in free),
        *(SelectChoice(str(p.id), f"{p.name} ({names[p.team_id or 0]})") for p in others),
    ]
    fields = {
        _board(n): SelectField(gettext("Board %(n)s", n=n), choices=choices, coerce=whole_number)
        for n in range(1, event.team_size + 1)
    }
    seats: list[int] = [0] * event.team_size
    for player in mates:
        place = (player.board or 0) - 1
        seats[place if 0 <= place < len(seats) and not seats[place] else seats.index(0)] = player.id
    chosen = next((p.id for p in mates if p.captain), 0)
    stored = {_board(n): number for n, number in enumerate(seats, start=1)} | {"captain": chosen}
    made = type("SeatsForm", (SeatsForm,), fields)
    form: SeatsForm = made(prefix="b", data=stored) if sent else made(None, prefix="b", data=stored)
    form.captain.choices = [SelectChoice("0", gettext("The player at board 1")), *choices[1:]]
    return form
