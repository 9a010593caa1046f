"""How a person did in events, against whom, and the lists and open events of a person. What it reads of an event is
public: published rounds with confirmed results, and the standings that everybody reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.accounts.own_pages import whose
from events.standings.published_awards import is_embargoed
from events.standings.queries import standings_of
from events.store.outcomes import own_score
from events.store.players import players_by_id
from events.store.team_queries import seat_id
from events.store.visitor import Visitor
from events.tournament.boards import Board
from events.visitors import access
from events.web.parsing import name_key
from models.event import Event, EventState
from models.person import Person
from models.play import ForceList, Player, PlayerState
from validators.scenario import Side

NOBODY = Visitor()
RESULTS = ("win", "draw", "loss")


@dataclass(frozen=True, slots=True)
class Met:
    """A game at the table with a confirmed result, from one player's side."""

    other: int
    result: str
    """One of ``RESULTS``."""
    vp: tuple[int, int] | None
    """The player's and the opponent's victory points, if they are known."""


@dataclass(frozen=True)
class Came:
    """How the players of an event did, as its public pages say."""

    of: int
    """The number of ranks."""
    places: Mapping[int, int]
    """Each player's rank, in a team event that of the team; without disqualified players."""
    games: Mapping[int, Sequence[Met]]
    names: Mapping[int, str]

    @property
    def cache_bytes(self) -> int:
        return 500 + 200 * len(self.names) + 120 * sum(map(len, self.games.values()))


def load_came(s: Session, event: Event) -> Came:
    table, people = standings_of(event), players_by_id(event)
    t = table.t
    after = t.counted - is_embargoed(s, event, t)
    rows = [row for row in (table.after(after) if after > 0 else ()) if not row.disqualified]
    ranks = {row.id: row.rank for row in rows}
    games: dict[int, list[Met]] = {}
    for board in t.boards.values():
        for id_, met in _met(board):
            games.setdefault(id_, []).append(met)
    places = {
        id_: ranks[seat]
        for id_, player in people.items()
        for seat in (str(id_), seat_id(player.team_id or 0))
        if seat in ranks
    }
    return Came(len(rows), places, games, {id_: player.name for id_, player in people.items()})


def _met(board: Board) -> list[tuple[int, Met]]:
    """Both sides of a game, if it was played and its result is confirmed."""
    winner = board.winner
    if board.b is None or board.absent is not None or not board.confirmed or winner is None:
        return []
    a, b = int(board.a), int(board.b)
    sides: tuple[tuple[int, int, Side], ...] = ((a, b, "a"), (b, a, "b"))
    games = []
    for id_, other, side in sides:
        points = own_score(board.score, side)
        result = "draw" if winner == "draw" else "win" if winner == side else "loss"
        games.append((id_, Met(other, result, (points.own, points.other) if points and points.known else None)))
    return games


@dataclass(frozen=True)
class OwnEvent:
    event: Event
    player: Player
    came: Came | None
    """None before the event has begun."""
    never_played: bool = False
    """Whether the event's last day passed before it began."""

    @property
    def games(self) -> Sequence[Met]:
        return () if self.came is None else self.came.games.get(self.player.id, ())

    @property
    def place(self) -> int | None:
        """The rank of the player or the team."""
        return None if self.came is None else self.came.places.get(self.player.id)

    @property
    def over(self) -> bool:
        """Whether nothing is to come: the event has ended, is cancelled, or the player has left it."""
        ended = self.never_played or self.event.state == EventState.FINISHED or self.event.cancelled_at is not None
        return ended or self.player.state == PlayerState.DROPPED


def record_of_games(games: Sequence[Met]) -> tuple[int, int, int]:
    """Wins, draws and losses."""
    wins, draws, losses = (sum(game.result == result for game in games) for result in RESULTS)
    return wins, draws, losses


@dataclass(frozen=True)
class Opponent:
    """Somebody whom a person has played, with all games between both."""

    name: str
    person: Person | None
    """The opponent's own page, if everybody may read it. None: told by the name alone."""
    games: Sequence[Met]
    vp: tuple[int, int] | None
    """The sums of victory points; None if some are not known, or of games that count differently."""

    @property
    def record(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the person whose page it is."""
        return record_of_games(self.games)


def opponents(s: Session, own: Sequence[OwnEvent]) -> list[Opponent]:
    """Head to head: those whom the person met in these events, the most frequent first.

    Opponents who show their own page are one person in all events; the others are told by their names.
    """
    mine = {own_event.player.id for own_event in own}
    met = [
        (own_event, game, own_event.came.names[game.other])
        for own_event in own
        if own_event.came is not None
        for game in own_event.games
        if game.other not in mine
    ]
    people = {id_: page for id_, page in whose(s, {game.other for _, game, _ in met}).items() if page.shown}
    rows: dict[int | str, list[tuple[OwnEvent, Met, str]]] = {}
    for row in met:
        person = people.get(row[1].other)
        rows.setdefault(person.id if person else name_key(row[2]), []).append(row)
    listed = []
    for games in rows.values():
        person, scores = people.get(games[0][1].other), [game.vp for _, game, _ in games if game.vp is not None]
        comparable = len(scores) == len(games) and len({own_event.event.system for own_event, *_ in games}) == 1
        vp = (sum(a for a, _ in scores), sum(b for _, b in scores)) if comparable else None
        name = person.public_name if person else games[0][2]
        listed.append(Opponent(name, person, [game for _, game, _ in games], vp))
    return sorted(listed, key=lambda opponent: (-len(opponent.games), name_key(opponent.name)))


def public_entries(entries: Sequence[tuple[Event, Player]]) -> list[tuple[Event, Player]]:
    """Those of the entries that everybody can find on the pages of the club's events."""
    return [
        (event, player)
        for event, player in entries
        if access.is_listed_for(NOBODY, event) and access.may_see_entry(NOBODY, event, player)
    ]


def open_events(s: Session, entered: Sequence[tuple[Event, Player]], now: datetime) -> list[Event]:
    """The club's events that take sign-ups now, without those entered, the next one first."""
    query = select(Event).where(Event.state == EventState.REGISTRATION, ~col(Event.unlisted))
    entered_ids = {event.id for event, _ in entered}
    events = s.exec(query.order_by(col(Event.starts_on), col(Event.id)))
    return [event for event in events if event.id not in entered_ids and access.may_register(event, now)]


@dataclass(frozen=True)
class OwnList:
    """A person's list of an event, and the events for which it can be used again."""

    event: Event
    player: Player
    force: ForceList
    targets: Sequence[tuple[Event, bool]]
    """Each with whether the person has a list there, which would be replaced."""


def own_lists(s: Session, entries: Sequence[tuple[Event, Player]], now: datetime) -> list[OwnList]:
    """The lists of these entries, the newest event first."""
    by_id = {player.id: (event, player) for event, player in entries}
    forces = {
        force_list.player_id: force_list
        for force_list in s.exec(select(ForceList).where(col(ForceList.player_id).in_(by_id)))
    }
    takes = [
        (event, player)
        for event, player in entries
        if event.cancelled_at is None and access.may_edit_force(Visitor(players={event.id: player}), player, event, now)
    ]
    return [
        OwnList(
            event, player, forces[id_],
            [(to, entry.id in forces) for to, entry in takes if to.system == event.system and to.id != event.id],
        )
        for id_, (event, player) in by_id.items()
        if id_ in forces
    ]  # fmt: skip
