"""What everybody sees of teams: who is in them, their matches, their standings."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from events import access, access_play
from events.actions.standings import scheme_of
from events.actions.team_standings import match_scores, team_standings
from events.pairing.teams import team_tie_breaks
from events.public_rounds import public_round_views
from events.reading import RoundView, completed_rounds, players_of
from events.team_reading import (
    active,
    captain_of,
    is_team_event,
    members,
    own_match,
    seat_id,
    team_of,
    teams_of,
)
from events.typed import whole_number
from events.views.paper import pdf_answer, printed_at
from events.views.request import db, event_or_404, polled, visitor
from events.views.round_papers import team_standings_after
from events.visitor import Visitor
from events.web.page_cache import cached_page
from models.award import TeamRuling
from models.event import Event
from models.play import Player
from models.team import Team, TeamMatch
from pdf.standings import standings_sheet

blueprint = Blueprint("teams", __name__)


@blueprint.get("/e/<slug>/teams")
@cached_page()
def teams(slug: str) -> ResponseReturnValue:
    """The event's teams with their players, board by board."""
    event = team_event_or_404(slug)
    everybody = players_of(db(), event)
    players = _shown(event, everybody)
    # A team of sign-ups that all wait for approval waits with them.
    known = [team for team in teams_of(db(), event) if members(players, team) or not members(everybody, team)]
    rows = [(team, active(players, team), captain_of(players, team)) for team in known]
    alone = [p for p in players if p.team_id is None and p.state.value in ("registered", "checked_in")]
    return polled(render_template("event/teams.html", rows=rows, alone=alone), event)


@blueprint.get("/e/<slug>/teams/<int:team_id>")
@cached_page()
def team(slug: str, team_id: int) -> ResponseReturnValue:
    """A team: its players and its matches so far."""
    event = team_event_or_404(slug)
    the_team = team_or_404(event, team_id)
    views, players = public_round_views(db(), event), players_of(db(), event)
    played = []
    for view in views:
        match = own_match(view.matches, the_team.id) if view.state in ("playing", "complete") else None
        if match is not None:
            a, b = match_scores(event, players, views, view.round.number)[match.id]
            own, other = (a, b) if match.a_id == the_team.id else (b, a)
            played.append((view, match, own, other))
    page = render_template(
        "event/team.html",
        team=the_team,
        teams={one.id: one for one in teams_of(db(), event)},
        members=members(_shown(event, players), the_team),
        captain=captain_of(_shown(event, players), the_team),
        played=played,
        rulings=_rulings(event, the_team),
    )
    return polled(page, event)


def _shown(event: Event, players: Sequence[Player]) -> list[Player]:
    """The players that everybody may read of."""
    return [player for player in players if access.may_see_entry(Visitor(), event, player)]


@blueprint.get("/e/<slug>/standings/teams")
@cached_page("after")
def standings_page(slug: str) -> ResponseReturnValue:
    """The standings of the teams after the last complete round, or after an earlier one."""
    event = team_event_or_404(slug)
    (after, complete), scheme = _after(event), scheme_of(event)
    page = render_template(
        "event/team_standings.html",
        rows=team_standings(db(), event, after) if after else [],
        teams={seat_id(one.id): one for one in teams_of(db(), event)},
        own=_own_seat(event),
        after=after,
        complete=complete,
        tie_breaks=team_tie_breaks(scheme),
        scheme=scheme,
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/standings/teams.pdf")
def standings_pdf(slug: str) -> ResponseReturnValue:
    """The same on paper."""
    event = team_event_or_404(slug)
    after, complete = _after(event)
    told = team_standings_after(event, after, complete)
    name = f"team-standings-after-{after}"
    return pdf_answer(event, name, lambda size: standings_sheet(told, size, printed_at(event)))


def round_of_teams(event: Event, view: RoundView) -> dict[str, Any]:
    """What the page of a round of teams shows beside its games: the teams, each match's boards and score."""
    views, players = public_round_views(db(), event), players_of(db(), event)
    return {
        "teams": {team.id: team for team in view.teams},
        "match_scores": match_scores(event, players, views, view.round.number),
        "boards": {
            match.id: sorted((g for g in view.games if g.match_id == match.id), key=lambda game: game.board or 0)
            for match in view.matches
        },
        "chosen": {match.id: _who_chose(match) for match in view.matches},
        "own_team": _own_team(event),
    }


def team_or_404(event: Event, team_id: int) -> Team:
    """A team of this event by the id in the address."""
    the_team = team_of(db(), event, team_id) if team_id < 2**31 else None
    if the_team is None:
        abort(404)
    return the_team


def team_event_or_404(slug: str) -> Event:
    """The event of the address, where teams play in it."""
    event = event_or_404(slug)
    if not is_team_event(event):
        abort(404)
    return event


def _after(event: Event) -> tuple[int, int]:
    complete = completed_rounds(public_round_views(db(), event))
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    return after, complete


def _rulings(event: Event, the_team: Team) -> list[TeamRuling]:
    """What the staff ruled about a team, for those who may read the reasons."""
    if not access_play.may_read_team_rulings(visitor(), event, the_team):
        return []
    return [one for one in event.team_rulings if one.team_id == the_team.id]


def _own_team(event: Event) -> int | None:
    own = visitor().player_in(event)
    return own.team_id if own else None


def _own_seat(event: Event) -> str:
    own = _own_team(event)
    return seat_id(own) if own else ""


def _who_chose(match: TeamMatch) -> Mapping[int, bool]:
    """Whether each team has chosen; what it chose is not said here."""
    return {match.a_id: match.a_order is not None, match.b_id or 0: match.b_order is not None}
