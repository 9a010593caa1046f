"""The shared data of all players' own pages, loaded once for each state of the event.

It contains only what every player may see, and nothing that changes with time alone: the published rounds, the
standings after each complete one, the players. No force, draft or message. Games of incomplete rounds may have changed
since, so a player's own ones (``own_games``) and other own rows are read with each request, and permissions are checked
then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqlmodel import Session, col, select

from events.play.clock_queries import timed_games
from events.play.outcomes import score_of, winning_side
from events.play.queries import RoundView, current_round, players_by_id, public_round_views
from events.play.rounds import RoundSummary, round_summaries
from events.play.team_queries import is_team_event
from events.results.calls import Call, open_calls
from events.standings.awards import decided, held_back
from events.standings.queries import conceded_vp, standings_after_each
from events.standings.ranking import Row
from models.event import Event, EventState, RoundState
from models.message import Delivery
from models.play import ForceList, Game, GameState, Player
from validators.scenario import Outcome, Score


@dataclass(frozen=True)
class Counted:
    """The parts of a game that count: the winner and the figures; empty before it is decided."""

    winner: Outcome | None = None
    score: Score | None = None


@dataclass(frozen=True)
class Snapshot:
    """An event as its players see it. Its rows belong to no session and are never changed."""

    cache_bytes: ClassVar[int] = 11_000_000
    """Its size in bytes with 500 players after five rounds."""
    rounds: Sequence[RoundSummary]
    view: RoundView | None
    """The newest published round."""
    complete: bool
    """Whether that round is complete."""
    timed: Sequence[Game]
    """Its games with extra time that are still being played."""
    played: Mapping[int, Sequence[tuple[RoundView, Game]]]
    """Each player's games and byes in published rounds, in order."""
    held: bool
    """The standings after the last round wait for the awards; they are not here."""
    standings: Sequence[Mapping[int, Row]]
    """The standings after each complete round, in order, by player; empty in team events."""
    people: Mapping[int, Player]
    with_list: frozenset[int]
    """The players who have a force list, submitted or a draft."""
    submitted: frozenset[int]
    """The players whose list is submitted."""
    incomplete: frozenset[int]
    """The ids of the published rounds that are not complete."""
    results: Mapping[int, Counted]
    """The counting result of each game in the complete rounds."""
    won: Mapping[int, Sequence[str]]
    """The titles of each player's published awards; empty before the event is closed."""
    ruled: frozenset[int]
    """Players with a ruling on them or their team. Its text is not here, because only they may read it."""
    written: frozenset[int]
    """Players with messages from the organiser."""
    conceded: Mapping[int, int]
    """By conceded game, the winner's VP that count where they exceed those scored."""
    calls: Mapping[int, Call]
    """The open calls for a judge, by game."""


def snapshot_of(s: Session, event: Event) -> Snapshot:
    """Load the event's current state, in this session's transaction."""
    with Session(s.connection()) as own:  # in its own session state: the caller's rows stay untouched
        return _read(own, own.get_one(Event, event.id))


def _read(s: Session, event: Event) -> Snapshot:
    rounds = public_round_views(s, event)
    views = [view for view in rounds if view.round.state == RoundState.PUBLISHED]
    view = current_round(views)
    played: dict[int, list[tuple[RoundView, Game]]] = {}
    for one in views:
        for game in one.games:
            for player_id in (game.a_id, game.b_id):
                if player_id is not None:
                    played.setdefault(player_id, []).append((one, game))
    people = players_by_id(s, event)
    standings = [] if is_team_event(event) else standings_after_each(s, event, views, [*people.values()])
    held = held_back(event, rounds)
    lists = s.exec(
        select(ForceList.player_id, ForceList.submitted_at).join(Player).where(Player.event_id == event.id)
    ).all()
    found = Snapshot(
        rounds=round_summaries(s, event),
        view=view,
        complete=view is not None and view.complete,
        timed=timed_games(view) if view else (),
        played=played,
        held=held,
        standings=[{int(row.id): row for row in rows} for rows in (standings[:-1] if held else standings)],
        people=people,
        incomplete=frozenset(one.round.id for one in views if not one.complete),
        with_list=frozenset(id_ for id_, _ in lists),
        submitted=frozenset(id_ for id_, at in lists if at is not None),
        results={game.id: counted(event, one, game) for one in views if one.complete for game in one.games},
        won=_won(s, event),
        ruled=frozenset(one.player_id for one in event.rulings) | _of_ruled_teams(event, people),
        conceded=conceded_vp(s, event, views, [*people.values()]),
        calls={call.game_id: call for call in open_calls(s, event)},
        written=frozenset(s.exec(select(Delivery.player_id).join(Player).where(Player.event_id == event.id))),
    )
    s.expunge_all()
    return found


def _won(s: Session, event: Event) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    if event.state == EventState.FINISHED and event.awards_published_at is not None:
        for one in decided(s, event):
            for winner in one.winners:
                found.setdefault(winner.id, []).append(one.title)
    return found


def _of_ruled_teams(event: Event, people: Mapping[int, Player]) -> set[int]:
    teams = {one.team_id for one in event.team_rulings}
    return {id_ for id_, player in people.items() if player.team_id in teams}


def own_games(s: Session, known: Snapshot, player: Player) -> dict[int, Game]:
    """A player's games of incomplete rounds by id, as they are now."""
    ids = [game.id for view, game in known.played.get(player.id, ()) if view.round.id in known.incomplete]
    return {game.id: game for game in s.exec(select(Game).where(col(Game.id).in_(ids)))} if ids else {}


def counted(event: Event, view: RoundView, game: Game) -> Counted:
    """The counting result of a game in this round."""
    if game.b_id is None or (game.state != GameState.CONFIRMED and game.absent is None):
        return Counted()
    number, scenario = view.round.number, view.scenario_at(game)
    score = score_of(event, number, scenario, game) if game.absent is None else None
    return Counted(score.outcome if score else winning_side(event, number, scenario, game), score)
