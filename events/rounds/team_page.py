"""The page of a round of teams."""

from collections.abc import Sequence
from typing import Any

from events.accounts.event_loading import desk_tournament_in, tournament_in
from events.play.players import placed
from events.play.rounds import RoundView
from events.play.team_queries import playing
from events.standings.loading import own_team
from models.event import Event, RoundState
from models.play import Player
from models.team import Team


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
        "own_team": own_team(event),
    }


def teams_to_draw(teams: Sequence[Team], players: Sequence[Player]) -> dict[str, Any]:
    """Before a round of teams is drawn: how many have players here, which have none, and players in no team."""
    here = playing(teams, players)
    return {
        "here": len(here),
        "absent": [team for team in teams if team.dropped_after is None and team not in here],
        "alone": [p for p in placed(players) if p.team_id is None],
    }
