"""Queries on events: players, editions, force lists and verdicts on them, scenarios.

The club's own editions are read once in each process, and verdicts on forces are cached.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from sqlalchemy import and_, bindparam, func, or_
from sqlmodel import Session, col, select

from events.play.outcomes import as_reported
from events.tournament.figures import OF_VP, VP_SHARE
from models.edition import OwnEdition
from models.event import Event, EventState, Round, RoundState
from models.play import FieldedForce, ForceList, ForceStep, Game, ListSeal, Player, PlayerState, Report
from models.scenario import OwnScenario
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, GameSystem, Terms, Verdict
from validators.restrictions import Restrictions, from_document
from validators.scenario import Role, Scenario

# Never load only some columns of a table: such instances have crashed the interpreter (decision 0180).

# Built once: building a frequent query takes as long as running it.
BY_SLUG = select(Event).where(col(Event.slug) == bindparam("slug"))
SHOWN = BY_SLUG.where(or_(col(Event.state) != EventState.DRAFT, col(Event.id).in_(bindparam("desks", expanding=True))))
PLAYERS = select(Player).where(col(Player.event_id) == bindparam("event")).order_by(col(Player.id))
ROUNDS = select(Round).where(col(Round.event_id) == bindparam("event")).order_by(col(Round.number))
ONE_ROUND = select(Round).where(col(Round.event_id) == bindparam("event"), col(Round.number) == bindparam("number"))
GAMES = select(Game).where(col(Game.round_id).in_(bindparam("rounds", expanding=True)))
OWN_SCENARIOS = select(OwnScenario).where(col(OwnScenario.system) == bindparam("system")).order_by(col(OwnScenario.id))
FORCE = select(ForceList).where(ForceList.player_id == bindparam("player"))
COUNTING = select(Report).where(col(Report.game_id) == bindparam("game"), col(Report.withdrawn_at).is_(None))
OLDEST_FIRST = COUNTING.order_by(col(Report.id))


def system_of(event: Event) -> GameSystem:
    """The game system of the event."""
    return SYSTEMS[event.system]


MIXED = (
    "The scenarios of the pool score on different scales, so the victory points of one round cannot be compared. "
    "Keep one scenario, or choose the tie-break “VP share” instead of VP."
)


def mixed_scales(system: GameSystem, tie_breaks: Collection[str], scenarios: Collection[str]) -> bool:
    """Whether the tie-breaks would add victory points of these scenarios although their scales differ."""
    adds = VP_SHARE not in tie_breaks and not set(OF_VP).isdisjoint(tie_breaks)
    return adds and not system.scoring.one_scale and len(set(scenarios)) > 1


def event_by_slug(s: Session, slug: str) -> Event | None:
    """The event with this slug."""
    return s.exec(BY_SLUG, params={"slug": slug}).first()


def event_shown_at(s: Session, slug: str, desks: Collection[int]) -> Event | None:
    """The event with this slug; a draft only if its id is in ``desks``, at the same cost as an unknown slug."""
    return s.exec(SHOWN, params={"slug": slug, "desks": [*desks]}).first()


def players_of(s: Session, event: Event) -> Sequence[Player]:
    """All players, dropped ones too, in the order of registration."""
    return s.exec(PLAYERS, params={"event": event.id}).all()


def players_by_id(s: Session, event: Event) -> dict[int, Player]:
    """All players by id, dropped ones too."""
    return {player.id: player for player in players_of(s, event)}


def player_of(s: Session, event: Event, player_id: int) -> Player | None:
    """A player of this event; None for a player of another event."""
    player = s.get(Player, player_id)
    return player if player is not None and player.event_id == event.id else None


def placed(players: Sequence[Player]) -> list[Player]:
    """The players who hold a place: registered or checked in."""
    return [p for p in players if p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)]


def player_counts(s: Session, events: Iterable[Event]) -> dict[int, int]:
    """The number of players by event id: those who hold a place or, once the event has started, those who took part.

    Players who are checked in or were paired in a published round took part, except stand-ins.
    """
    found = {event.id: 0 for event in events}
    holds = col(Player.state).in_((PlayerState.REGISTERED, PlayerState.CHECKED_IN))
    sits = or_(col(Game.a_id) == Player.id, col(Game.b_id) == Player.id)
    paired = select(Game.id).join(Round).where(sits, Round.state == RoundState.PUBLISHED).exists()
    took_part = and_(~col(Player.ringer), or_(col(Player.state) == PlayerState.CHECKED_IN, paired))
    started = col(Event.state).in_((EventState.IN_PROGRESS, EventState.FINISHED))
    counted = or_(and_(~started, holds), and_(started, took_part))
    query = select(Player.event_id, func.count()).join(Event).where(counted, col(Event.id).in_(found))
    return found | dict(s.exec(query.group_by(col(Player.event_id))).all())


def rounds_of(s: Session, event: Event) -> Sequence[Round]:
    """The event's rounds, planned ones too, by number."""
    return s.exec(ROUNDS, params={"event": event.id}).all()


def round_of(s: Session, event: Event, number: int) -> Round | None:
    """The event's round with this number."""
    return s.exec(ONE_ROUND, params={"event": event.id, "number": number}).first()


def games_of(s: Session, a_round: Round) -> Sequence[Game]:
    """A round's games by table, byes last."""
    return games_by_round(s, [a_round])[a_round.id]


def games_by_round(s: Session, rounds: Iterable[Round]) -> dict[int, list[Game]]:
    """The games of these rounds by the round's id, each round's by table, byes last."""
    found: dict[int, list[Game]] = {one.id: [] for one in rounds}
    for game in s.exec(GAMES, params={"rounds": [*found]}):
        found[game.round_id].append(game)
    for games in found.values():
        games.sort(key=lambda g: (g.table_number is None, g.table_number or 0, g.id))
    return found


def reports_of(s: Session, game: Game) -> Sequence[Report]:
    """The reports of a game that were not withdrawn, oldest first."""
    return s.exec(OLDEST_FIRST, params={"game": game.id}).all()


def force_of(s: Session, player: Player) -> ForceList | None:
    """A player's force list; None if there is none."""
    return s.exec(FORCE, params={"player": player.id}).first()


def force_steps(s: Session, force: ForceList, *, undone: bool) -> Sequence[ForceStep]:
    """The force's earlier or undone documents, newest last."""
    wanted = select(ForceStep).where(ForceStep.force_list_id == force.id, ForceStep.undone == undone)
    return s.exec(wanted.order_by(col(ForceStep.id))).all()


def forces_of(s: Session, event: Event) -> dict[int, ForceList]:
    """All force lists of the event, by player id."""
    lists = s.exec(select(ForceList).join(Player).where(Player.event_id == event.id)).all()
    return {force.player_id: force for force in lists}


def seals_of(s: Session, event: Event) -> dict[int, list[ListSeal]]:
    """All sealed lists of the event by player id, each player's oldest first."""
    query = select(ListSeal).join(Player).where(Player.event_id == event.id).order_by(col(ListSeal.id))
    found: dict[int, list[ListSeal]] = {}
    for seal in s.exec(query):
        found.setdefault(seal.player_id, []).append(seal)
    return found


def seals_by(s: Session, player: Player) -> Sequence[ListSeal]:
    """One player's sealed lists, oldest first."""
    return s.exec(select(ListSeal).where(ListSeal.player_id == player.id).order_by(col(ListSeal.id))).all()


def editions_of(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """All editions of a game by id; the first is the default of a new event."""
    return {info.id: info for info in system.editions} | own_editions(s, system)


def edition_offered(s: Session, system: GameSystem) -> EditionInfo:
    """The default edition of a new event: the newest complete edition that the club added since its last event of
    this game, else that event's edition, else the newest complete edition that ships.
    """
    mine = select(Event.edition, Event.created_at).where(Event.system == system.id)
    last = s.exec(mine.order_by(col(Event.id).desc())).first()
    for added in sorted(added_editions(s, system).values(), key=lambda one: one.at, reverse=True):
        info = edition_by_id(s, system, added.edition)
        if info is not None and not info.partial and (last is None or added.at >= last[1]):
            return info
    used = edition_by_id(s, system, last[0]) if last else None
    return used or system.editions[0]


def edition_of(s: Session, event: Event) -> EditionInfo:
    """The edition of the event's force lists."""
    found = edition_by_id(s, system_of(event), event.edition)
    if found is None:
        raise LookupError(f"the edition {event.edition} of {event.slug} is not known here")
    return found


def edition_by_id(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    """An edition, shipped or the club's own; None if there is none."""
    shipped = next((info for info in system.editions if info.id == edition_id), None)
    return shipped or own_edition(s, system, edition_id)


def factions_of(s: Session, event: Event, player: Player | None = None) -> tuple[str, ...]:
    """The allowed factions: the player's if locked, else the event's restrictions, else the edition's."""
    if player is not None and player.faction and from_document(event.restrictions).faction_locked:
        return (player.faction,)
    return from_document(event.restrictions).factions or edition_of(s, event).factions


def terms_of(s: Session, event: Event) -> Terms:
    """The terms by which the event's forces are checked."""
    return Terms(edition_of(s, event), event.size, from_document(event.restrictions))


def terms_for(terms: Terms, player: Player) -> Terms:
    """The event's terms for one player."""
    return replace(terms, faction=player.faction) if terms.restrictions.faction_locked else terms


def verdict_on(event: Event, player: Player, force: ForceList, terms: Terms) -> Verdict:
    """The verdict on a player's force by the event's terms."""
    return verdict_of(event, force.document, terms_for(terms, player))


def verdict_of(event: Event, document: Document, terms: Terms) -> Verdict:
    """The verdict on a document by these terms."""
    return judged(event.system, document, terms)


def list_size(event: Event) -> int:
    """The points of a list: with a sideboard the roster's size, else the event's."""
    return from_document(event.restrictions).roster_size or event.size


def fielded_of(s: Session, game: Game) -> dict[int, FieldedForce]:
    """The forces chosen for a game from the players' rosters, by player id."""
    return {one.player_id: one for one in s.exec(select(FieldedForce).where(FieldedForce.game_id == game.id))}


def turn_order(s: Session, event: Event, a: Document | None, b: Document | None) -> tuple[str, ...]:
    """The turn order of both forces; () without one, or if a force is unknown or fielded in part."""
    order = system_of(event).papers.turn_order
    if order is None or a is None or b is None or list_size(event) != event.size:
        return ()
    return order(a, b, edition_of(s, event))


def places_left(event: Event, players: Sequence[Player]) -> int | None:
    """The number of free places; None if there is no limit."""
    return None if event.places is None else max(0, event.places - len(placed(players)))


def scenarios_of(s: Session, event: Event) -> Mapping[str, Scenario]:
    """All scenarios of the event's game, by id, with the questions that the event's reports ask."""
    return {id_: as_reported(event, one) for id_, one in known_scenarios(s, event.system).items()}


def known_scenarios(s: Session, system_id: str) -> Mapping[str, Scenario]:
    """All scenarios of a game by id, with all their questions: shipped ones first, then the club's own by name."""
    game = SYSTEMS[system_id]
    files = game.scenario_files
    own = [files.read(row.document) for row in own_scenarios(s, system_id)] if files else []
    return {scenario.id: scenario for scenario in (*game.scenarios, *sorted(own, key=lambda one: one.name.casefold()))}


def scenario_by_id(s: Session, system_id: str, scenario_id: str) -> Scenario:
    """A scenario of a game, shipped or the club's own. Raises LookupError if there is none."""
    game = SYSTEMS[system_id]
    shipped = next((one for one in game.scenarios if one.id == scenario_id), None)
    row = own_scenario(s, system_id, scenario_id) if shipped is None else None
    if row is not None and game.scenario_files:
        return game.scenario_files.read(row.document)
    if shipped is None:
        raise LookupError(f"no scenario {scenario_id} is known here")
    return shipped


def own_scenarios(s: Session, system_id: str) -> Sequence[OwnScenario]:
    """The club's own scenarios for a game, oldest first."""
    return s.exec(OWN_SCENARIOS, params={"system": system_id}).all()


def own_scenario(s: Session, system_id: str, slug: str) -> OwnScenario | None:
    """A scenario of the club's own; None if there is none."""
    return s.exec(select(OwnScenario).where(OwnScenario.system == system_id, OwnScenario.slug == slug)).first()


def owes(event: Event, player: Player) -> bool:
    """Whether the player holds a place in an event with a fee and is not marked as paid."""
    here = player.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)
    return bool(event.fee) and here and player.paid_at is None


MOST_KEPT = 50
"""The most own editions of one game; all of them are cached."""


@dataclass(frozen=True)
class Added:
    """The account that added an edition, and when."""

    edition: str
    name: str
    by: str
    at: datetime


def added_editions(s: Session, system: GameSystem) -> dict[str, Added]:
    """The origin of each own edition by its id. Does not read the files."""
    query = select(OwnEdition.edition, OwnEdition.name, OwnEdition.by, OwnEdition.at)
    return {row[0]: Added(*row) for row in s.exec(query.where(OwnEdition.system == system.id)).all()}


def own_editions(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """The club's own editions by id, newest first."""
    query = (
        select(OwnEdition.edition, OwnEdition.sha256)
        .where(OwnEdition.system == system.id)
        .order_by(col(OwnEdition.date).desc(), col(OwnEdition.id).desc())
    )
    return {edition_id: _read(s, system, edition_id, sha256) for edition_id, sha256 in s.exec(query).all()}


def own_edition_row(s: Session, system: GameSystem, edition_id: str) -> OwnEdition | None:
    """The row of an own edition; None if there is none."""
    query = select(OwnEdition).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    return s.exec(query).first()


def own_edition(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    """An own edition; None if there is none."""
    query = select(OwnEdition.sha256).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    sha256 = s.exec(query).first()
    return None if sha256 is None else _read(s, system, edition_id, sha256)


def _read(s: Session, system: GameSystem, edition_id: str, sha256: str) -> EditionInfo:
    if system.edition_files is None:
        raise LookupError(f"{system.id} has a stored edition but no reader for editions")
    kept = _kept(system.id, edition_id, sha256)
    if not kept:
        query = select(OwnEdition.text).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
        kept.append(system.edition_files.read(s.exec(query).one().encode()))
    return kept[0]


@lru_cache(maxsize=4 * MOST_KEPT)
def _kept(system_id: str, edition_id: str, sha256: str) -> list[EditionInfo]:
    """The cached edition. The hash is part of the key because an id can return with another file."""
    return []


class _Edition:
    """A cache key that compares editions by identity: two with the same name can differ."""

    __slots__ = ("info",)

    def __init__(self, info: EditionInfo) -> None:
        self.info = info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Edition) and other.info is self.info

    def __hash__(self) -> int:
        return id(self.info)


def judged(system: str, document: Document, terms: Terms) -> Verdict:
    """The cached verdict on a document by these terms."""
    text = json.dumps(document, separators=(",", ":"))
    asked = terms.size, terms.restrictions, terms.faction, terms.role, terms.grown, tuple(terms.rules_when_grown)
    return _judged(system, _Edition(terms.edition), asked, text)


@lru_cache(maxsize=2000)
def _judged(
    system: str,
    edition: _Edition,
    asked: tuple[int, Restrictions, str, Role | None, bool, tuple[str, ...]],
    text: str,
) -> Verdict:
    return SYSTEMS[system].checks.check(json.loads(text), Terms(edition.info, *asked))
