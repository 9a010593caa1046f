"""The teams at the desk: made, put in order, dropped and brought back."""

from collections.abc import Callable

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.actions import teams
from events.actions.team_codes import renew_code
from events.errors import Refused
from events.reading import placed, players_of
from events.table_numbers import grouped
from events.team_reading import active, captain_of, is_team_event, members, teams_of
from events.typed import whole_number
from events.views.fields import name_text, show_at_field
from events.views.request import actor, changing, db, managed_event, now
from events.views.teams import team_or_404
from models.event import Event
from models.team import Team

blueprint = Blueprint("team_desk", __name__)
blueprint.add_app_template_filter(grouped, "grouped")


class TeamForm(FlaskForm):
    """A team by its name."""

    name = name_text("Team", 80)
    club = name_text("Club", 80, required=False)


@blueprint.route("/e/<slug>/desk/teams", methods=["GET", "POST"], endpoint="manage")
def teams_page(slug: str) -> ResponseReturnValue:
    """Every team with its players, who is in none, and a new one."""
    event = _managed(slug)
    form = TeamForm()
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                made = teams.make_team(s, event, form.name.data, form.club.data, actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            return redirect(url_for("team_desk.team", slug=slug, team_id=made.id))
    players = players_of(db(), event)
    rows = [(one, active(players, one), captain_of(players, one)) for one in teams_of(db(), event)]
    page = render_template(
        "desk/teams.html", form=form, rows=rows, alone=[p for p in placed(players) if p.team_id is None]
    )
    return page, 422 if form.errors or form.form_errors else 200


@blueprint.route("/e/<slug>/desk/teams/<int:team_id>", methods=["GET", "POST"])
def team(slug: str, team_id: int) -> ResponseReturnValue:
    """One team: its name, who sits at each board, its captain; drop, bring back, take apart."""
    event = _managed(slug)
    the_team = team_or_404(event, team_id)
    pressed = request.form.get("do", "")
    name = TeamForm(prefix="t", obj=the_team) if pressed == "name" else TeamForm(None, prefix="t", obj=the_team)
    boards = _boards_form(event, the_team, sent=pressed == "boards")
    form: FlaskForm | None = {"name": name, "boards": boards}.get(pressed)
    if form is not None and form.validate():
        try:
            with changing(event) as s:
                if pressed == "name":
                    teams.rename_team(s, event, the_team, name.name.data, name.club.data, actor(event), now())
                else:
                    people = {one.id: one for one in players_of(s, event)}
                    order = [people.get(boards[_board(n)].data) for n in range(1, event.team_size + 1)]
                    captain = people.get(boards.captain.data)
                    teams.seat_team(s, event, the_team, order, captain, actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Saved.", "success")
            return redirect(url_for("team_desk.team", slug=slug, team_id=team_id))
    page = render_template(
        "desk/team.html",
        team=the_team,
        name=name,
        boards=boards,
        fields=[boards[_board(n)] for n in range(1, event.team_size + 1)],
        gone=[one for one in members(players_of(db(), event), the_team) if one.state.value == "dropped"],
    )
    return page, 422 if form is not None else 200


TEAM_ACTIONS: dict[str, Callable[..., None]] = {
    "renew-code": renew_code,
    "drop": teams.drop_team,
    "reinstate": teams.reinstate_team,
    "remove": teams.remove_team,
}


@blueprint.post("/e/<slug>/desk/teams/<int:team_id>/<verb>")
def act(slug: str, team_id: int, verb: str) -> ResponseReturnValue:
    """One press: drop a team, bring it back, take it apart."""
    event = _managed(slug)
    the_team = team_or_404(event, team_id)
    if verb not in TEAM_ACTIONS:
        abort(404)
    try:
        with changing(event) as s:
            TEAM_ACTIONS[verb](s, event, the_team, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("team_desk.team", slug=slug, team_id=team_id))
    if verb == "remove":
        return redirect(url_for("team_desk.manage", slug=slug))
    return redirect(url_for("team_desk.team", slug=slug, team_id=team_id))


def _managed(slug: str) -> Event:
    event = managed_event(slug)
    if not is_team_event(event):
        abort(404)
    return event


def _board(number: int) -> str:
    return f"board{number}"


class SeatsForm(FlaskForm):
    """Made anew for each team, with a choice for each board."""

    captain = SelectField("Captain", coerce=whole_number)


def _boards_form(event: Event, the_team: Team, *, sent: bool) -> SeatsForm:
    players = players_of(db(), event)
    own, free = active(players, the_team), [p for p in placed(players) if p.team_id is None]
    names = {one.id: one.name for one in teams_of(db(), event)}
    others = [p for p in placed(players) if p.team_id not in (None, the_team.id)]
    choices = [
        SelectChoice("0", "Nobody"),
        *(SelectChoice(str(p.id), p.name) for p in own),
        *(SelectChoice(str(p.id), f"{p.name} (in no team)") for p in free),
        *(SelectChoice(str(p.id), f"{p.name} ({names[p.team_id or 0]})") for p in others),
    ]
    fields = {
        _board(n): SelectField(f"Board {n}", choices=choices, coerce=whole_number)
        for n in range(1, event.team_size + 1)
    }
    seats: list[int] = [0] * event.team_size
    for player in own:
        place = (player.board or 0) - 1
        seats[place if 0 <= place < len(seats) and not seats[place] else seats.index(0)] = player.id
    chosen = next((p.id for p in own if p.captain), 0)
    stored = {_board(n): one for n, one in enumerate(seats, start=1)} | {"captain": chosen}
    made = type("SeatsForm", (SeatsForm,), fields)
    form: SeatsForm = made(prefix="b", data=stored) if sent else made(None, prefix="b", data=stored)
    form.captain.choices = [SelectChoice("0", "Whoever sits at board 1"), *choices[1:]]
    return form
