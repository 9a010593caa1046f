"""Rounds of teams: the draft and the order of boards at the desk, and the captain's page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.accounts import access
from events.accounts.loading import (
    event_or_404,
    managed_event,
    own_player_or_403,
    players_in,
    polled,
    round_or_404,
    team_event_or_404,
    view_in,
    views_of,
    visitor,
)
from events.play.errors import Refused
from events.play.players import placed
from events.play.roles import role_of
from events.play.rounds import RoundView, newest_view, public_round_views, request_drawn, round_view
from events.play.team_queries import (
    captain_of,
    choosing,
    chosen_by,
    here,
    order_of,
    own_match,
    playing,
    seat_id,
    team_of,
)
from events.rounds import actions, drawing, team_boards, team_draft
from events.rounds.draft import last_step
from events.rounds.draft_views import Line, Reason, draft_costs, publish_question, reasons, record_in_words
from events.rounds.endings import endings_in
from events.rounds.forms import SwapTeamsForm
from events.rounds.published_views import unpublishing
from events.rounds.queries import scores_of
from events.standings.queries import match_scheme_of, match_scores, matches_played, player_records, team_entrants
from events.standings.views import _own_team
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request
from events.tournament.pairing.seats import Pair
from events.tournament.records import records
from events.tournament.team_ranking import team_results
from events.web.forms import refusals_at
from events.web.idempotency import saving
from events.web.parsing import whole_number
from events.web.request import changing, db
from models.event import Event, Round, RoundState
from models.play import Player
from models.team import TeamMatch

blueprint = Blueprint("team_rounds", __name__)


def round_of_teams(event: Event, view: RoundView) -> dict[str, Any]:
    """Teams, boards and scores, for the page of a round of teams."""
    views, players = public_round_views(db(), event), players_in(event)
    return {
        "teams": {team.id: team for team in view.teams},
        "match_scores": match_scores(event, players, views, view.round.number),
        "boards": {
            match.id: sorted((g for g in view.games if g.match_id == match.id), key=lambda game: game.board or 0)
            for match in view.matches
        },
        # whether each team has chosen its order of boards
        "chosen": {m.id: {m.a_id: m.a_order is not None, m.b_id or 0: m.b_order is not None} for m in view.matches},
        "own_team": _own_team(event),
    }


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
    if request.method == "POST" and not may_choose:
        abort(403)
    chosen = chosen_by(match, team.id)
    order = order_of(event, players, team, chosen or ())
    form = _form(here(players, team), order)
    if form.validate_on_submit():
        wanted = [form[_board(number)].data or None for number in range(1, event.team_size + 1)]
        with refusals_at(form):
            with changing(event) as act:
                both = team_boards.choose_order(act, match, team.id, wanted)
            flash("Both captains have chosen: the boards are matched." if both else "Your boards are set.", "success")
            return redirect(url_for("player.today" if both else "team_rounds.own_board", slug=slug))
    other_id = match.b_id if match.a_id == team.id else match.a_id
    people = {one.id: one for one in players}
    page = render_template(
        "rounds/boards.html",
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


@dataclass(frozen=True)
class DraftMatch:
    """One match of a draft: both teams' records, their players by board, and the reasons for the pair."""

    match: TeamMatch
    a: Line
    b: Line | None
    boards: tuple[tuple[str, ...], tuple[str, ...]]
    """The players' names, "" for an empty board."""
    reasons: tuple[Reason, ...]
    locked: bool


def team_lines(
    event: Event, request_of_round: Request, players: Sequence[Player], views: Sequence[RoundView]
) -> Mapping[str, Line]:
    """All teams by seat id, with their records and the points used by the draw."""
    number = request_of_round.round
    book = player_records(event, players, views, number - 1)
    results, _ = team_results(matches_played(views, number - 1), book)
    so_far = records(results, team_entrants(event, views[0].teams, number - 1), match_scheme_of(event))
    seats = {seat.id: seat for seat in request_of_round.seats}
    return {
        id_: Line(team, record_in_words(seats.get(id_), so_far.get(id_), number))
        for team in views[0].teams
        if (id_ := seat_id(team.id))
    }


def _rows(event: Event, view: RoundView, players: Sequence[Player], views: Sequence[RoundView]) -> list[DraftMatch]:
    asked = request_drawn(view.round)
    lines, people = team_lines(event, asked, players, views), {player.id: player.name for player in players}
    teams = {team.id: team for team in view.teams}
    roles = {
        id_: f" ({role.name})"
        for game in view.games
        for id_ in (game.a_id, game.b_id)
        if id_ is not None and (role := role_of(view.scenario_at(game), game, id_))
    }

    def names(team_id: int | None) -> tuple[str, ...]:
        if team_id is None:
            return ()
        order = order_of(event, players, teams[team_id])
        return tuple(people[one] + roles.get(one, "") if one is not None else "" for one in order)

    return [
        DraftMatch(
            match,
            lines[seat_id(match.a_id)],
            lines[seat_id(match.b_id)] if match.b_id is not None else None,
            (names(match.a_id), names(match.b_id)),
            reasons(
                asked,
                Pair(seat_id(match.a_id), seat_id(match.b_id) if match.b_id else "", notes_in(match.notes)),
                event.team_size,
            ),
            team_draft.is_locked(view.round, team_draft.team_seating(match)),
        )
        for match in view.matches
    ]


def team_round_page(event: Event, the_round: Round, form: SwapTeamsForm | None = None) -> ResponseReturnValue:
    """The page of a round in any state. A rejected ``form`` is shown as submitted, with its errors."""
    view, views, players = view_in(event, the_round), views_of(event), players_in(event)
    status, why_not = 422 if form is not None else 200, drawing.why_not_drawn(event, players, views, the_round.number)
    if the_round.state == RoundState.DRAWN:
        draft = render_template(
            "rounds/team_draft.html",
            view=view,
            views=views,
            rows=_rows(event, view, players, views),
            costs=draft_costs(view),
            last_step=last_step(the_round),
            locked=len(drawing.locked_in(the_round)),
            swap=form or _swap_form(view),
            why_not=why_not,
            stale=actions.STALE if drawing.is_stale(event, players, views, the_round.number) else "",
            question=publish_question(event, the_round.number, players),
        )
        return draft, status
    here = playing(view.teams, players)
    page = render_template(
        "rounds/desk_team_round.html",
        **round_of_teams(event, view),
        view=view,
        views=views,
        people={p.id: p for p in players},
        here=here,
        absent=[team for team in view.teams if team.dropped_after is None and team not in here],
        alone=[p for p in placed(players) if p.team_id is None],
        scenario=view.shared,
        scores=scores_of(event, view),
        endings=endings_in(event, view),
        why_not=why_not,
        costs=draft_costs(view) if the_round.outcome else None,
        back=unpublishing(event, the_round),
    )
    return page, status


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap-teams")
def swap(slug: str, number: int) -> ResponseReturnValue:
    """Exchange two teams of a draft."""
    event, the_round = _team_round(slug, number)
    form = _swap_form(round_view(db(), event, the_round))
    if form.validate_on_submit():
        try:
            with changing(event, public=False) as act:
                warnings = team_draft.swap_teams(act, number, form.one.data, form.other.data)
        except Refused as refused:
            form.form_errors.append(refused.message)
        else:
            flash("Swapped." + (" See the warning in the marked row." if warnings else ""), "success")
            for team, words in warnings.items():
                flash(words, f"at-row-{team}")
            return redirect(url_for("rounds.manage", slug=slug, number=number))
    return team_round_page(event, the_round, form)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/close-choice")
def close_choice(slug: str, number: int) -> ResponseReturnValue:
    """Close the captains' choice of one match, or of all open ones."""
    event, the_round = _team_round(slug, number)
    only = request.form.get("match", type=whole_number)
    view = round_view(db(), event, the_round)
    open_ones = [match for match in view.matches if choosing(the_round, match) and only in (None, match.id)]
    with saving(event, "The boards are matched." if open_ones else "Both choices are already closed.") as act:
        for match in open_ones:
            team_boards.close_choice(act, match)
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _team_round(slug: str, number: int) -> tuple[Event, Round]:
    event = team_event_or_404(managed_event(slug))
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
