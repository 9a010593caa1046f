"""From the rows of a team event to pure matches, the teams' standings, and the seats of the next draw."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlmodel import Session

from events.actions.standings import entrants, played, scheme_of
from events.pairing.results import Entrant, Record, records, seats_from
from events.pairing.seats import Seat
from events.pairing.standings import Row
from events.pairing.teams import Board, Match, Worth, block_of, match_boards, match_worth, team_results
from events.pairing.teams import team_standings as rank
from events.reading import RoundView, completed_rounds, players_of, round_views
from events.rulings import Ruled, bonus_words, teams_ruled
from events.soft_rules import Counts, soft_rules
from events.team_reading import here, playing, seat_id
from models.event import Event
from models.play import Player
from models.team import Team, TeamMatch


def team_entrants(event: Event, teams: Sequence[Team], last: int) -> list[Entrant]:
    """The teams as the standings after round ``last``, and the next draw, see them: with what rulings gave the team."""
    where, rulings = soft_rules(event).rulings_count, teams_ruled(event, last)
    return [
        Entrant(
            id=seat_id(team.id),
            name=team.name,
            club=team.club,
            dropped_after=team.dropped_after,
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
    """The boards of a match by players' ids; none while its captains choose."""
    if match.matched_at is None or match.a_order is None or match.b_order is None:
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


def player_records(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], after: int
) -> dict[str, Record]:
    """The players' records of the rounds up to ``after``, without bonuses."""
    return records(played(event, views, after), entrants(event, players), scheme_of(event))


def team_standings(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings of the teams after a round; without one, after the last complete round."""
    views, players = round_views(s, event), players_of(s, event)
    complete = completed_rounds(views)
    last = complete if after is None else min(after, complete)
    book = player_records(event, players, views, last)
    field = team_entrants(event, ranked_field(views, players, last), last)
    return rank(matches_played(views, last), field, book, scheme_of(event))


def ranked_field(views: Sequence[RoundView], players: Sequence[Player], last: int) -> list[Team]:
    """The teams that stand in the standings after round ``last``: whoever has met anybody, or is here by then."""
    met = {seat for match in matches_played(views, last) for seat in (match.a, match.b)}
    return [
        team
        for team in (views[0].teams if views else ())
        if seat_id(team.id) in met or (team.entered_round <= max(last, 1) and here(players, team))
    ]


def team_seats(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, *, ranked: bool
) -> list[Seat]:
    """The seats of the teams that are here by now for round ``number``, ``ranked`` with their places."""
    teams = views[0].teams
    now = {seat_id(team.id) for team in playing(teams, players)}
    book = player_records(event, players, views, number - 1)
    scheme = scheme_of(event)
    results, _ = team_results(matches_played(views, number - 1), book)
    field = [
        replace(one, entered_round=min(one.entered_round, number)) if one.id in now else one
        for one in team_entrants(event, teams, number - 1)
    ]
    fixed = {seat_id(team.id): fixed_block(event, players, team) for team in teams}
    seats = [
        replace(seat, fixed_table=fixed[seat.id])
        for seat in seats_from(results, field, scheme, number)
        if seat.id in now
    ]
    if not ranked:
        return seats
    places = {row.id: row.rank for row in rank(matches_played(views, number - 1), field, book, scheme)}
    return [replace(seat, rank=places[seat.id]) for seat in seats]


def fixed_block(event: Event, players: Sequence[Player], team: Team) -> int | None:
    """The block of the one table at which somebody of this team can play; of several the lowest board's."""
    tables = [player.fixed_table for player in here(players, team) if player.fixed_table is not None]
    return block_of(tables[0], event.team_size) if tables else None


def match_scores(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int
) -> Mapping[int, tuple[Worth, Worth]]:
    """What both teams of each match of a round have made so far, by the match's row."""
    book = player_records(event, players, views, number)
    view = views[number - 1]
    pure = matches_played([view], 1)
    return {row.id: match_worth(match, book) for row, match in zip(view.matches, pure, strict=True)}
