"""The players of an event, and who holds a place."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import and_, func, or_
from sqlmodel import Session, col, select

from events.store.rulings import disqualified
from models.event import Event, EventState, Round, RoundState
from models.facts import Fact, ReadBy, facts_of
from models.play import Game, Player, PlayerState
from models.team import Team
from validators.names import alphabetical

DETAILS: Mapping[str, Fact] = {name: fact for name, fact in facts_of("player").items() if fact.asked}
"""The lines of text that sign-up asks players for, by column: their club."""
PUBLIC_DETAILS = {name: fact for name, fact in DETAILS.items() if fact.read_by == ReadBy.ALL}
HOLDS = col(Player.state).in_((PlayerState.REGISTERED, PlayerState.CHECKED_IN))


def by_name(player: Player | Team) -> tuple[str, str]:
    return alphabetical(player.name)


def players_by_id(event: Event) -> dict[int, Player]:
    """All players by id, dropped ones too."""
    return {player.id: player for player in event.players}


def player_of(s: Session, event: Event, player_id: int) -> Player | None:
    """A player of this event; None for a player of another event."""
    player = s.get(Player, player_id)
    return player if player is not None and player.event_id == event.id else None


def has_check_in(event: Event) -> bool:
    """Whether staff see players before they play: in a season only to check their painting."""
    return event.season is None or event.restrictions.painted


def state_with_place(event: Event) -> PlayerState:
    return PlayerState.REGISTERED if has_check_in(event) else PlayerState.CHECKED_IN


def has_place(player: Player) -> bool:
    return player.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)


def placed(players: Sequence[Player]) -> list[Player]:
    return [player for player in players if has_place(player)]


def player_counts(s: Session, events: Iterable[Event]) -> dict[int, int]:
    """The number of players by event id: those who hold a place or, once the event has started, those who took part.

    Players who are checked in or were paired in a published round took part, except stand-ins.
    """
    numbers = {event.id: 0 for event in events}
    sits = or_(col(Game.a_id) == Player.id, col(Game.b_id) == Player.id)
    paired = select(Game.id).join(Round).where(sits, Round.state == RoundState.PUBLISHED).exists()
    took_part = and_(~col(Player.ringer), or_(col(Player.state) == PlayerState.CHECKED_IN, paired))
    started = col(Event.state).in_((EventState.IN_PROGRESS, EventState.FINISHED))
    counted = or_(and_(~started, HOLDS), and_(started, took_part))
    query = select(Player.event_id, func.count()).join(Event).where(counted, col(Event.id).in_(numbers))
    return numbers | dict(s.exec(query.group_by(col(Player.event_id))).all())


def places_taken(event: Event, players: Sequence[Player]) -> int:
    """The number of places taken: one by each entry, and by a team those of all its players."""
    return _taken(event, _entries(players))


def _entries(players: Sequence[Player]) -> Counter[int | None]:
    return Counter(player.team_id for player in placed(players))


def _taken(event: Event, entries: Mapping[int | None, int]) -> int:
    """``entries``: the number of players with a place by team, None for those without one."""
    return sum(number if team_id is None else max(number, event.team_size) for team_id, number in entries.items())


def places_left(event: Event, players: Sequence[Player]) -> int | None:
    """The number of places free for newcomers; None if there is no limit."""
    return None if event.places is None else _left(event, _entries(players), bool(waiting_list(players)))


def _left(event: Event, entries: Mapping[int | None, int], waits: bool) -> int:
    """The free places; 0 where they are too few for the team that ``waits`` for them, which nobody overtakes."""
    free = max(0, (event.places or 0) - _taken(event, entries))
    return 0 if waits and not event.approval and free < event.team_size else free


def is_full(event: Event, players: Sequence[Player]) -> bool:
    """Whether everybody who signs up is refused: no waiting list, and no place, not even for the player of a team."""
    if event.waiting_list or places_left(event, players) != 0:
        return False
    return not any(gets_place(event, players, team_id) for team_id in _entries(players).keys() - {None})


def places_left_in(s: Session, events: Sequence[Event]) -> dict[int, int]:
    """``places_left`` by id of the events that have a limit."""
    entries: dict[int, dict[int | None, int]] = {event.id: {} for event in events}
    query = select(Player.event_id, Player.team_id, func.count()).where(HOLDS, col(Player.event_id).in_(entries))
    for event_id, team_id, number in s.exec(query.group_by(col(Player.event_id), col(Player.team_id))):
        entries[event_id][team_id] = number
    waits = select(Player.event_id).where(Player.state == PlayerState.WAITING, ~col(Player.held)).distinct()
    waited = set(s.exec(waits.where(col(Player.event_id).in_(entries))))
    return {event.id: _left(event, entries[event.id], event.id in waited) for event in events if event.places}


def gets_place(event: Event, players: Sequence[Player], team_id: int | None, *, others_wait: bool = False) -> bool:
    """Whether an entry gets a place: the one rule for sign-ups, moves, and those who wait.

    A team needs places for all its players at once, and holds them for those who come later. Players without a team do
    not overtake ``others_wait``: all teams need as many. ``team_id`` is None for no team, and 0 for a new one.
    """
    if event.places is None or (others_wait and team_id is None):
        return event.places is None
    entries = _entries(players)
    if team_id is not None and 0 < entries[team_id] < event.team_size:
        return entries.total() < event.places
    needed = 1 if team_id is None else event.team_size
    return _taken(event, entries) + needed <= event.places


def is_held(player: Player) -> bool:
    """Whether the player's sign-up is held: staff decide about it. The mark of one who left says nothing."""
    return player.held and player.state == PlayerState.WAITING


def waiting_list(players: Iterable[Player]) -> list[Player]:
    """The waiting list: those who wait for a place, in the order in which they get one; no held sign-ups."""
    waiting = [player for player in players if player.state == PlayerState.WAITING and not player.held]
    return sorted(waiting, key=lambda player: (player.registered_at, player.id))


def unanswered(event: Event, player: Player) -> list[str]:
    """The required questions that a player has not answered, before the event begins; none of who has left."""
    if event.state != EventState.REGISTRATION or player.state == PlayerState.DROPPED or player.ringer:
        return []
    given = player.answers or {}
    return [
        question["label"]
        for question in event.questions or ()
        if question["required"] and not given.get(question["id"])
    ]


def entry_state(event: Event, player: Player) -> str:
    """The player's state as pages show it: who waits is "held", waits for "approval", or is "waiting" for a place.

    A player who left by a ruling is "disqualified". Nobody is "checked_in" where there is no check-in.
    """
    if player.state == PlayerState.CHECKED_IN and not has_check_in(event):
        return "registered"
    if player.state == PlayerState.DROPPED and player.id in disqualified(event):
        return "disqualified"
    if is_held(player):
        return "held"
    return "approval" if event.approval and player.state == PlayerState.WAITING else player.state.value


def awaits_approval(event: Event, player: Player) -> bool:
    return entry_state(event, player) in ("held", "approval")
