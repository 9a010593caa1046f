"""The standings of teams, and the records of their players."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from events.play.outcomes import CONCEDED, score_of
from events.play.players import players_of
from events.play.rounds import RoundView, completed_rounds, round_views
from events.play.rulings import Counts, Ruled, bonus_words, soft_rules, teams_ruled
from events.play.team_queries import checked_in_by_board, is_team_event, seat_id
from events.standings.queries import dropped_within, entrants, match_scheme_of, played, scheme_of, standings
from events.tournament.figures import Entrant
from events.tournament.ranking import Row
from events.tournament.records import Record, records
from events.tournament.team_ranking import (
    Board,
    Match,
    Worth,
    match_boards,
    match_worth,
    team_ranking_rows,
)
from models.event import Event
from models.play import GameState, Player
from models.team import Team, TeamMatch


def team_entrants(event: Event, teams: Sequence[Team], last: int) -> list[Entrant]:
    """The teams as entrants of the standings after round ``last`` and of the next draw, with rulings on teams."""
    where, rulings = soft_rules(event).rulings_count, teams_ruled(event, last)
    return [
        Entrant(
            id=seat_id(team.id),
            name=team.name,
            club=team.club,
            dropped_after=dropped_within(event, team.dropped_after, last),
            entered_round=team.entered_round,
            bonus=given.points if where == Counts.POINTS else 0,
            bonus_for=bonus_words(given.points),
            conduct=given.points if where == Counts.TIE_BREAK else 0,
            vp_ruled=given.vp if where == Counts.POINTS else 0,
            moves=given.moves,
        )
        for team in teams
        for given in (rulings.get(team.id, Ruled()),)
    ]


def boards_of(match: TeamMatch) -> tuple[Board, ...]:
    """The boards of a match with players' ids; none while its captains choose them."""
    if match.a_order is None or match.b_order is None:
        return ()
    a, b = ([None if one is None else str(one) for one in order] for order in (match.a_order, match.b_order))
    return match_boards(a, b)


def matches_played(views: Sequence[RoundView], after: int) -> list[Match]:
    """Every match of the rounds up to ``after``, with its boards."""
    return [
        Match(
            view.round.number,
            seat_id(match.a_id),
            None if match.b_id is None else seat_id(match.b_id),
            match.block,
            boards_of(match),
        )
        for view in views[:after]
        for match in view.matches
    ]


def conceded_vp(
    s: Session, event: Event, views: Sequence[RoundView], players: Sequence[Player]
) -> dict[int, tuple[int, int]]:
    """By conceded game of the complete rounds: the winner's id and VP, where more count than were scored."""
    scheme, complete = scheme_of(event), completed_rounds(views)
    games = [
        (view, game)
        for view in views[:complete]
        for game in view.games
        if game.ending in CONCEDED and game.state == GameState.CONFIRMED
    ]
    if not games or scheme.shares:
        return {}
    book = player_records(event, players, views, complete)
    found = {}
    for view, game in games:
        score = score_of(event, view.round.number, view.scenario_at(game), game)
        for id_, scored in ((game.a_id, score.a), (game.b_id, score.b)) if score else ():
            for one in book[str(id_)].games:
                if id_ is not None and one.round == view.round.number and one.vp > scored:
                    found[game.id] = id_, one.vp
    return found


def player_records(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], after: int
) -> dict[str, Record]:
    """The players' records from the rounds up to ``after``, without bonuses."""
    return records(played(event, views, after), entrants(event, players), scheme_of(event))


def team_standings(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings of the teams after a round, by default the last complete one."""
    views, players = round_views(s, event), players_of(s, event)
    complete = completed_rounds(views)
    last = complete if after is None else min(after, complete)
    book = player_records(event, players, views, last)
    field = team_entrants(event, ranked_field(views, players, last), last)
    return team_ranking_rows(matches_played(views, last), field, book, match_scheme_of(event))


def ranked_rows(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings after a round, by default the last complete one: of the teams in a team event, else of players."""
    return (team_standings if is_team_event(event) else standings)(s, event, after)


def ranked_field(views: Sequence[RoundView], players: Sequence[Player], last: int) -> list[Team]:
    """The teams in the standings after round ``last``: those with a match, and those present by then."""
    met = {seat for match in matches_played(views, last) for seat in (match.a, match.b)}
    return [
        team
        for team in (views[0].teams if views else ())
        if seat_id(team.id) in met or (team.entered_round <= max(last, 1) and checked_in_by_board(players, team))
    ]


def match_scores(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int
) -> Mapping[int, tuple[Worth, Worth]]:
    """Both teams' scores so far in each match of a round, by the match's row id."""
    book = player_records(event, players, views, number)
    view = views[number - 1]
    pure = matches_played([view], 1)
    return {row.id: match_worth(match, book) for row, match in zip(view.matches, pure, strict=True)}
