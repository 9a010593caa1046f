"""Queries on events: players, rounds with their games, lists, scenarios."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from itertools import takewhile
from typing import Any

from sqlalchemy import Select, and_, bindparam, exists, func, inspect, or_
from sqlalchemy import select as select_rows
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from events.play.editions import added_editions, judged, own_edition, own_editions
from events.play.figures import OF_VP, VP_SHARE
from events.play.notices import is_reachable
from events.play.outcomes import as_reported, winning_side
from events.play.rounds import RoundSummary, newest_published, round_summaries
from events.play.team_queries import is_team_event, matches_of, teams_of
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.journal import JournalEntry
from models.play import FieldedForce, ForceList, ForceStep, Game, GameState, ListSeal, Player, PlayerState, Report
from models.scenario import OwnScenario
from models.team import Team, TeamMatch
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, GameSystem, Terms, Verdict
from validators.restrictions import from_document
from validators.scenario import Scenario

# Never load only some columns of a table: such instances have crashed the interpreter (decision 0180).

# Built once: building a frequent query takes as long as running it.
BY_SLUG = select(Event).where(col(Event.slug) == bindparam("slug"))
SHOWN = BY_SLUG.where(or_(col(Event.state) != EventState.DRAFT, col(Event.id).in_(bindparam("desks", expanding=True))))
FORCE = select(ForceList).where(ForceList.player_id == bindparam("player"))
COUNTING = select(Report).where(col(Report.game_id) == bindparam("game"), col(Report.withdrawn_at).is_(None))
OLDEST_FIRST = COUNTING.order_by(col(Report.id))


def system_of(event: Event) -> GameSystem:
    """The game system of the event."""
    return SYSTEMS[event.system]


MIXED = (
    "The scenarios of the pool score on different scales, so the victory points of one round would not compare: keep "
    "one scenario, or choose the tie-break “VP share” instead of VP."
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
    return s.exec(select(Player).where(Player.event_id == event.id).order_by(col(Player.id))).all()


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


def places_taken(s: Session) -> dict[int, int]:
    """The number of players who hold a place, by event id; events without any are left out."""
    holds = col(Player.state).in_((PlayerState.REGISTERED, PlayerState.CHECKED_IN))
    return dict(s.exec(select(Player.event_id, func.count()).where(holds).group_by(col(Player.event_id))).all())


def rounds_of(s: Session, event: Event, after: int = 0) -> Sequence[Round]:
    """The event's rounds ``after`` a number, planned ones too, by number."""
    return s.exec(
        select(Round).where(Round.event_id == event.id, col(Round.number) > after).order_by(col(Round.number))
    ).all()


def round_of(s: Session, event: Event, number: int) -> Round | None:
    """The event's round with this number."""
    return s.exec(select(Round).where(Round.event_id == event.id, Round.number == number)).first()


def games_of(s: Session, a_round: Round) -> Sequence[Game]:
    """A round's games by table, byes last."""
    games = s.exec(select(Game).where(Game.round_id == a_round.id)).all()
    return sorted(games, key=lambda g: (g.table_number is None, g.table_number or 0, g.id))


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


def newest_seal(s: Session, player: Player) -> ListSeal | None:
    """A player's list as last locked; None before the first lock."""
    return next(reversed(seals_by(s, player)), None)


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
    return from_document(event.restrictions).list_size(event.size)


def fielded_of(s: Session, game: Game) -> dict[int, FieldedForce]:
    """The forces chosen for a game from the players' rosters, by player id."""
    return {one.player_id: one for one in s.exec(select(FieldedForce).where(FieldedForce.game_id == game.id))}


def journal_of(s: Session, event: Event, limit: int = 500) -> Sequence[JournalEntry]:
    """The event's journal, newest first."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id).order_by(col(JournalEntry.id).desc())
    return s.exec(query.limit(limit)).all()


@dataclass(frozen=True)
class RoundView:
    """A round with its games and its scenario."""

    round: Round
    games: tuple[Game, ...]
    scenario: Scenario | None
    """None until it is drawn, and if each table has its own scenario."""
    matches: tuple[TeamMatch, ...] = ()
    """In a team event: the matches of the games."""
    teams: tuple[Team, ...] = ()
    """In a team event: all teams."""
    team_size: int = 1
    tied: tuple[Game, ...] = ()
    """Drawn games of a knockout without a decision on who advances."""
    own: Mapping[str, Scenario] = field(default_factory=dict)
    """The scenarios of tables that have their own, by id."""
    season: bool = False
    """Whether it is a round of a season, whose results count at once."""

    def scenario_at(self, game: Game) -> Scenario | None:
        """The scenario of a game: its table's own or the round's; None until it is drawn."""
        return self.own[game.scenario] if game.scenario else self.scenario

    @property
    def played(self) -> tuple[Scenario, ...]:
        """The scenarios of all tables, each once; before the draw the round's, if chosen."""
        found = {s.id: s for game in self.games if game.b_id and (s := self.scenario_at(game))}
        return tuple(found.values()) or ((self.scenario,) if self.scenario else ())

    @property
    def announced(self) -> tuple[Scenario, ...]:
        """The scenarios of ``played`` that the public may see: before publication only chosen ones, not drawn ones."""
        if self.round.state == RoundState.PUBLISHED:
            return self.played
        return (self.scenario,) if self.scenario and not self.round.scenario_drawn else ()

    @property
    def shared(self) -> Scenario | None:
        """The scenario of all tables; None if they differ or it is not drawn yet."""
        return self.played[0] if len(self.played) == 1 else None

    @property
    def complete(self) -> bool:
        """Whether the round is published, every match has its boards, and every game is decided."""
        return self.round.state == RoundState.PUBLISHED and not self.open_games

    @property
    def counts(self) -> bool:
        """Whether the standings count the round's results: once complete, in a season also before."""
        in_season = self.season and self.round.kind != RoundKind.KNOCKOUT
        return self.complete or (in_season and self.round.state == RoundState.PUBLISHED)

    @property
    def choosing(self) -> int:
        """The number of matches whose captains still choose their boards."""
        return sum(m.matched_at is None for m in self.matches)

    @property
    def open_games(self) -> int:
        """The number of open games: without a result, not known yet, or an undecided draw in a knockout."""
        waiting = sum(g.state != GameState.CONFIRMED for g in self.games)
        return waiting + self.choosing * self.team_size + len(self.tied)

    @property
    def state(self) -> str:
        """The round's state on pages: planned, drawn, playing or complete."""
        if self.complete:
            return "complete"
        return "playing" if self.round.state == RoundState.PUBLISHED else self.round.state.value


def round_views(s: Session, event: Event, after: int = 0) -> list[RoundView]:
    """The rounds of the event ``after`` a number, with their games."""
    known = scenarios_of(s, event)
    teams = tuple(teams_of(s, event)) if is_team_event(event) else ()
    return [view_of(s, event, r, known, teams) for r in rounds_of(s, event, after)]


def scenario_in(s: Session, event: Event, a_round: Round | RoundSummary, game: Game) -> Scenario | None:
    """A game's scenario, without loading the round's other games."""
    chosen = game.scenario or a_round.scenario
    return as_reported(event, scenario_by_id(s, event.system, chosen)) if chosen else None


def round_view(s: Session, event: Event, a_round: Round) -> RoundView:
    """One round of the event."""
    teams = tuple(teams_of(s, event)) if is_team_event(event) else ()
    return view_of(s, event, a_round, scenarios_of(s, event), teams)


def view_of(
    s: Session, event: Event, a_round: Round, known: Mapping[str, Scenario], teams: tuple[Team, ...]
) -> RoundView:
    """A round with its games; ``known`` are the event's scenarios, ``teams`` its teams."""
    matches, games = tuple(matches_of(s, a_round)) if teams else (), tuple(games_of(s, a_round))
    scenario = known[a_round.scenario] if a_round.scenario else None
    own = {game.scenario: known[game.scenario] for game in games if game.scenario}
    view = RoundView(
        a_round, games, scenario, matches, teams, event.team_size, own=own, season=event.season is not None
    )
    open_to_draw = [g for g in games if a_round.kind == RoundKind.KNOCKOUT and g.goes_through is None]
    return replace(
        view,
        tied=tuple(g for g in open_to_draw if winning_side(event, a_round.number, view.scenario_at(g), g) == "draw"),
    )


def current_round(views: Sequence[RoundView]) -> RoundView | None:
    """The newest published round."""
    published = [v for v in views if v.round.state == RoundState.PUBLISHED]
    return published[-1] if published else None


def completed_rounds(views: Sequence[RoundView]) -> int:
    """The number of rounds that count in the standings: the complete ones, in a season all published ones."""
    return sum(1 for _ in takewhile(lambda view: view.counts, views))


def turn_order(s: Session, event: Event, a: Document | None, b: Document | None) -> str:
    """The turn order of both forces, in words; "" without one, or if a force is unknown or fielded in part."""
    order = system_of(event).papers.turn_order
    if order is None or a is None or b is None or list_size(event) != event.size:
        return ""
    return order(a, b, edition_of(s, event))


def places_left(event: Event, players: Sequence[Player]) -> int | None:
    """The number of free places; None if there is no limit."""
    return None if event.places is None else max(0, event.places - len(placed(players)))


def first_open_round(views: Sequence[RoundView]) -> int:
    """The number of the first incomplete round, or of the last round."""
    return next((v.round.number for v in views if not v.complete), len(views))


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
    query = select(OwnScenario).where(OwnScenario.system == system_id).order_by(col(OwnScenario.id))
    return s.exec(query).all()


def own_scenario(s: Session, system_id: str, slug: str) -> OwnScenario | None:
    """A scenario of the club's own; None if there is none."""
    return s.exec(select(OwnScenario).where(OwnScenario.system == system_id, OwnScenario.slug == slug)).first()


@dataclass(frozen=True)
class GameWithReports:
    """A game with its round, players and reports, loaded by one statement."""

    game: Game
    round: RoundSummary
    a: Player
    b: Player | None
    """None for a bye."""
    others_open: bool
    """Whether another game of the round is still open."""
    reports: Sequence[Report]
    """The reports that were not withdrawn, oldest first."""
    reached: frozenset[int]
    """The ids of the players who can be notified. Loaded here to save a statement."""


@cache
def _game_statement() -> Select[Any]:
    """The statement, built once. Not at import: an alias would configure the tables too early."""
    a, b = aliased(Player), aliased(Player)
    columns = [inspect(Round).columns[field.name] for field in fields(RoundSummary)]
    other = aliased(Game)
    is_open = and_(
        col(other.round_id) == Game.round_id, col(other.id) != Game.id, col(other.state) != GameState.CONFIRMED
    )
    return (
        select_rows(Game, a, b, Report, exists().where(is_open), is_reachable(a.id), is_reachable(b.id), *columns)
        .join(Round, col(Round.id) == Game.round_id)
        .join(a, col(a.id) == Game.a_id)
        .outerjoin(b, col(b.id) == Game.b_id)
        .outerjoin(Report, and_(col(Report.game_id) == Game.id, col(Report.withdrawn_at).is_(None)))
        .where(col(Game.id) == bindparam("game"))
        .order_by(col(Report.id))
    )


def game_with_reports(s: Session, game_id: int) -> GameWithReports | None:
    """The game with this id, its round, players and reports; None if there is none."""
    rows = s.execute(_game_statement(), {"game": game_id}).all()
    if not rows:
        return None
    game, a, b, _, others_open, a_reached, b_reached, *columns = rows[0]
    reached = frozenset(one.id for one, can in ((a, a_reached), (b, b_reached)) if can and one is not None)
    return GameWithReports(
        game,
        RoundSummary(*columns),
        a,
        b,
        others_open,
        [row[3] for row in rows if row[3] is not None],
        reached,
    )


def owes(event: Event, player: Player) -> bool:
    """Whether the player holds a place in an event with a fee and is not marked as paid."""
    here = player.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)
    return bool(event.fee) and here and player.paid_at is None


def newest_view(s: Session, event: Event) -> RoundView | None:
    """The newest published round with its games; None before the first."""
    round_id = newest_published(s, event)
    return round_view(s, event, s.get_one(Round, round_id)) if round_id is not None else None


def public_round_views(s: Session, event: Event, after: int = 0) -> list[RoundView]:
    """The rounds of the event ``after`` a number; only the published ones with their games."""
    known = scenarios_of(s, event)
    teams = tuple(teams_of(s, event)) if is_team_event(event) else ()
    query = select(Round).where(
        Round.event_id == event.id, Round.state == RoundState.PUBLISHED, col(Round.number) > after
    )
    published = {one.number: one for one in s.exec(query)}
    views = []
    for short in round_summaries(s, event):
        if short.number in published:
            views.append(view_of(s, event, published[short.number], known, teams))
        elif short.number > after:
            planned = _planned(short)
            scenario = known[planned.scenario] if planned.scenario else None
            views.append(RoundView(planned, (), scenario, (), teams, event.team_size))
    return views


def is_seen_as_draft(a_round: Round) -> bool:
    """Whether the bracket shows an unpublished round of this kind."""
    return a_round.kind != RoundKind.SWISS


def _planned(short: RoundSummary) -> Round:
    """An unpublished round as planned, without its draw; a copy that belongs to no session."""
    values = asdict(short) | {"state": RoundState.PLANNED}
    if short.scenario_drawn:
        values |= {"scenario": None, "scenario_drawn": False}
    return Round(**values)
