"""The page of a round of teams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import render_template
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.accounts.event_loading import desk_tournament_in, loaded_in, tournament_in, view_in
from events.play.players import placed
from events.play.roles import role_of
from events.play.rounds import RoundView, request_drawn
from events.play.team_queries import order_at_boards, playing, seat_id
from events.play.tournaments import Loaded
from events.rounds.draft_page import (
    Line,
    Reason,
    draft_costs,
    publish_notes,
    publish_question,
    reasons,
    record_in_words,
)
from events.rounds.endings import endings_in
from events.rounds.forms import SwapTeamsForm
from events.rounds.inputs import redraw_of
from events.rounds.outcome import is_locked, last_step, locked_in
from events.rounds.queries import scores_of, why_not_drawn
from events.rounds.unpublishing import unpublishing
from events.standings.loading import own_team
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request
from events.tournament.pairing.seats import Pair
from events.tournament.standings import Standings
from events.tournament.tournament import NO_EXTRAS, Tournament
from events.web.request import db
from languages.words import gettext
from models.event import Event, Round, RoundState
from models.team import Team, TeamMatch
from validators.names import alphabetical


def round_of_teams(event: Event, view: RoundView) -> dict[str, Any]:
    """Teams, boards and scores, for the page of a round of teams."""
    t = tournament_in(event) if view.round.state == RoundState.PUBLISHED else desk_tournament_in(event)
    worth = t.match_scores(view.round.number)
    return {
        "teams": {team.id: team for team in view.teams},
        # both teams' scores so far
        "match_scores": {match.id: of_both for match, of_both in zip(view.matches, worth, strict=True)},
        "boards": {
            match.id: sorted((g for g in view.games if g.match_id == match.id), key=lambda game: game.board or 0)
            for match in view.matches
        },
        # whether each team has chosen its order of boards
        "chosen": {m.id: {m.a_id: m.a_order is not None, m.b_id or 0: m.b_order is not None} for m in view.matches},
        "own_team": own_team(event),
    }


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


def team_lines(t: Tournament, teams: Sequence[Team], request_of_round: Request) -> Mapping[str, Line]:
    """These teams by seat id, with their records and the points used by the draw."""
    number = request_of_round.round
    so_far = Standings(t, NO_EXTRAS).records(number - 1)
    seats = {seat.id: seat for seat in request_of_round.seats}
    return {
        id_: Line(team, record_in_words(seats.get(id_), so_far.get(id_), number))
        for team in teams
        if (id_ := seat_id(team.id))
    }


def _rows(loaded: Loaded, view: RoundView) -> list[DraftMatch]:
    event, players, asked = loaded.event, loaded.players, request_drawn(view.round)
    lines, people = team_lines(loaded.t, view.teams, asked), {player.id: player.name for player in players}
    teams = {team.id: team for team in view.teams}
    roles = {
        id_: f" ({role.said})"
        for game in view.games
        for id_ in (game.a_id, game.b_id)
        if id_ is not None and (role := role_of(view.scenario_at(game), game, id_))
    }

    def names(team_id: int | None) -> tuple[str, ...]:
        if team_id is None:
            return ()
        order = order_at_boards(event, players, teams[team_id])
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
                view.now.team_size,
            ),
            is_locked(view.round, seat_id(match.a_id), seat_id(match.b_id) if match.b_id else None),
        )
        for match in view.matches
    ]


def team_round_page(event: Event, the_round: Round, form: SwapTeamsForm | None = None) -> ResponseReturnValue:
    """The page of a round in any state. A rejected ``form`` is shown as submitted, with its errors."""
    view, loaded = view_in(event, the_round), loaded_in(event)
    views, players = loaded.views, loaded.players
    status, why_not = 422 if form is not None else 200, why_not_drawn(loaded, the_round.number)
    if the_round.state == RoundState.DRAWN:
        draft = render_template(
            "rounds/team_draft.html",
            view=view,
            views=views,
            rows=_rows(loaded, view),
            costs=draft_costs(view),
            last_step=last_step(the_round),
            locked=len(locked_in(the_round)),
            swap=form or swap_teams_form(view),
            why_not=why_not,
            redraw=redraw_of(db(), loaded, the_round.number),
            question=publish_question(event, the_round.number, publish_notes(event, the_round.number, players)),
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
        scores=scores_of(view),
        endings=endings_in(event, view),
        why_not=why_not,
        costs=draft_costs(view) if the_round.outcome else None,
        back=unpublishing(event, the_round),
    )
    return page, status


def swap_teams_form(view: RoundView) -> SwapTeamsForm:
    """The form that exchanges two teams of a draft."""
    form = SwapTeamsForm()
    names = {team.id: team.name for team in view.teams}
    seated = [
        SelectChoice(str(team), f"{names[team]} ({place})")
        for match in view.matches
        for place in (gettext("block %(block)s", block=match.block) if match.block else gettext("bye"),)
        for team in (match.a_id, match.b_id)
        if team is not None
    ]
    seated.sort(key=lambda choice: alphabetical(choice.label))
    form.one.choices = form.other.choices = [SelectChoice("0", gettext("Choose a team")), *seated]
    return form
