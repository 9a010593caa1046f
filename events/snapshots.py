"""What the pages of all players of an event share: read once for each public stamp of it, and kept by each process.

Only what every player may see is in it, and nothing that time alone changes: the published rounds, the standings after
each complete one, who plays, what is announced. No force, no draft of a round, no message. A player's own rows are read
with each request, and what may be seen is asked of ``access`` then.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from markupsafe import Markup
from sqlalchemy import Engine
from sqlmodel import Session, col, select

from events.actions.standings import standings_over
from events.clock_reading import announcements_of, timed_games, turns_of
from events.outcomes import score_of, winning_side
from events.pairing.standings import Row
from events.public_rounds import public_round_views
from events.reading import RoundView, completed_rounds, current_round, players_by_id
from events.rounds_in_short import RoundInShort, rounds_in_short
from events.since import Point, point_of, untouched
from events.team_reading import is_team_event
from models.announcement import Announcement
from models.event import Event, RoundState
from models.message import Delivery
from models.play import ForceList, Game, GameState, Player
from validators.scenario import Outcome, Score

Key = tuple[int, datetime]
"""An event by its row and when it was made: the row's number may be another's after it was deleted."""
MOST_EVENTS = 20
"""So many events are kept by a process; the one that was asked for the longest ago goes first."""


@dataclass(frozen=True)
class Snapshot:
    """An event as its players saw it at one moment. Its rows belong to no session: they are read, never changed."""

    state: str
    rounds: Sequence[RoundInShort]
    view: RoundView | None
    """The newest published round."""
    complete: bool
    """That round is."""
    timed: Sequence[Game]
    """Its games with time of their own that are still being played."""
    played: Mapping[int, Sequence[tuple[RoundView, Game]]]
    """By player: the games and byes of the published rounds, the first round's first."""
    standings: Sequence[Mapping[int, Row]]
    """After each complete round, the first's first, by player; empty where teams are ranked."""
    people: Mapping[int, Player]
    with_list: frozenset[int]
    """The players who have a force list, submitted or a draft."""
    submitted: frozenset[int]
    """The players whose list is submitted."""
    announced: Sequence[Announcement]
    turns: Sequence[datetime]
    """When time alone changes what the running round's clock says."""
    results: Mapping[int, tuple[Outcome | None, Score | None]]
    """By game with a counting result: who won, and the figures."""
    unlocked: Sequence[datetime]
    """When lists that were unlocked for a time are locked again."""
    ruled: frozenset[int]
    """Players about whom, or whose team, there is a ruling; what it says and why is theirs to read, and not here."""
    written: frozenset[int]
    """Players to whom the organiser wrote."""
    behind: Sequence[RoundView]
    """The first rounds, as many as are complete: they are taken over from one to the next until they change."""
    point: Point | None
    """The write after which all of this was read."""
    finished: dict[str, Markup] = field(default_factory=dict, repr=False)
    """Parts of pages that are the same for all players, rendered once (``views.today``)."""


def snapshot_of(s: Session, event: Event, before: Snapshot | None = None) -> Snapshot:
    """Read an event as it is now. The session is for this alone: it loses all of its rows.

    Complete rounds are read and counted again only where something that they depend on was written since ``before``:
    results come in every second while a round is played, and half a hall looks after each.
    """
    state, point = event.public_stamp, point_of(s, event)
    rounds = rounds_in_short(s, event)
    if before is not None and (
        before.point is None or not untouched(s, event, before.point, {view.round.id for view in before.behind})
    ):
        before = None
    behind = before.behind if before else ()
    views = [*behind, *(v for v in public_round_views(s, event, len(behind)) if v.round.state == RoundState.PUBLISHED)]
    view = current_round(views)
    played: dict[int, list[tuple[RoundView, Game]]] = {}
    for one in views:
        for game in one.games:
            for player_id in (game.a_id, game.b_id):
                if player_id is not None:
                    played.setdefault(player_id, []).append((one, game))
    complete = completed_rounds(views)
    people = players_by_id(s, event)
    standings = [*before.standings] if before else []
    if not is_team_event(event):
        for after in range(len(standings) + 1, complete + 1):
            standings.append({int(row.id): row for row in standings_over(s, event, views, after)})
    of_event = select(ForceList.player_id, ForceList.submitted_at).join(Player).where(Player.event_id == event.id)
    lists = s.exec(of_event).all()
    found = Snapshot(
        state=state,
        rounds=rounds,
        view=view,
        complete=view is not None and view.complete,
        timed=timed_games(view) if view else (),
        played=played,
        standings=standings,
        people=people,
        with_list=frozenset(id_ for id_, _ in lists),
        submitted=frozenset(id_ for id_, at in lists if at is not None),
        announced=announcements_of(s, event),
        turns=turns_of(s, event),
        results=_results(event, views[len(behind) :])
        | {
            game.id: before.results[game.id]
            for view in behind
            for game in view.games
            if before and game.id in before.results
        },
        unlocked=[player.list_unlocked_until for player in people.values() if player.list_unlocked_until],
        ruled=frozenset(one.player_id for one in event.rulings) | _of_ruled_teams(event, people),
        written=frozenset(s.exec(select(Delivery.player_id).join(Player).where(Player.event_id == event.id))),
        behind=views[:complete],
        point=point,
    )
    s.expunge_all()
    return found


def _of_ruled_teams(event: Event, people: Mapping[int, Player]) -> set[int]:
    teams = {one.team_id for one in event.team_rulings}
    return {id_ for id_, player in people.items() if player.team_id in teams}


def _results(event: Event, views: Sequence[RoundView]) -> dict[int, tuple[Outcome | None, Score | None]]:
    found = {}
    for view in views:
        for game in view.games:
            if game.b_id is not None and (game.state == GameState.CONFIRMED or game.absent is not None):
                scenario = view.scenario_at(game)
                score = score_of(event, view.round.number, scenario, game) if game.absent is None else None
                found[game.id] = (winning_side(event, view.round.number, scenario, game), score)
    return found


class Snapshots:
    """The newest snapshot of each event, used by all threads of a process."""

    def __init__(self, engine: Engine, most: int = MOST_EVENTS) -> None:
        """Keep none yet; read from this database."""
        self._engine, self._most = engine, most
        self._kept: OrderedDict[Key, Snapshot] = OrderedDict()
        self._making: dict[Key, Lock] = {}
        self._lock = Lock()

    def held(self, event: Event) -> Snapshot | None:
        """The snapshot of the event as it was read, if it was made already."""
        with self._lock:
            key = (event.id, event.created_at)
            found = self._kept.get(key)
            if found is None or found.state != event.public_stamp:
                return None
            self._kept.move_to_end(key)
            return found

    def of(self, event: Event) -> Snapshot:
        """A snapshot of the event as it is stored now: made by the first who asks, while others wait."""
        found = self.held(event)
        if found is not None:
            return found
        key = (event.id, event.created_at)
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            with Session(self._engine) as s:
                stored = s.exec(select(Event).where(col(Event.id) == event.id)).one()
                found = self.held(stored)  # what was read a moment ago may be older than what others have made
                if found is None:
                    found = snapshot_of(s, stored, self._kept.get(key))
            with self._lock:
                if self._kept.get(key) is not found:
                    self._kept[key] = found
                    while len(self._kept) > self._most:
                        gone, _ = self._kept.popitem(last=False)
                        self._making.pop(gone, None)
            return found
