"""One game with its round, players and reports, and the game that a player plays now."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, and_, bindparam, case, exists, not_, or_
from sqlalchemy import select as select_rows
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from events.store.editions import system_of
from events.store.errors import Stale
from events.store.notices import is_reachable
from events.store.outcomes import as_reported
from events.store.rounds import newest_published, stage_in
from events.store.scenarios import scenario_by_id
from languages.words import N_, gettext
from models.event import Event, Round, RoundKind, RoundState
from models.play import Game, GameState, Player, Report, ReportSide
from validators.scenario import Scenario

# Built once: building a frequent query takes as long as running it.
REPORTS = (
    select(Report)
    .where(col(Report.game_id) == bindparam("game"), col(Report.withdrawn_at).is_(None))
    .order_by(col(Report.id))
)


def reports_of(s: Session, game: Game) -> Sequence[Report]:
    """The reports of a game that were not withdrawn, oldest first."""
    return s.exec(REPORTS, params={"game": game.id}).all()


def scenario_in(s: Session, event: Event, a_round: Round, game: Game) -> Scenario | None:
    """A game's scenario, without loading the round's other games."""
    chosen = game.scenario or a_round.scenario
    return as_reported(event, scenario_by_id(s, system_of(event), chosen)) if chosen else None


@dataclass(frozen=True)
class GameWithReports:
    game: Game
    round: Round
    a: Player
    b: Player | None
    """None for a bye."""
    others_open: bool
    """Whether another game of the round is still open."""
    reports: Sequence[Report]
    """The reports that were not withdrawn, oldest first."""
    reached: frozenset[int]
    """The ids of the players who can be notified. Loaded here to save a statement."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B; "" for B of a bye."""
        return self.a.name, self.b.name if self.b else ""


@cache
def _game_statement() -> Select[Any, *tuple[Any, ...]]:
    """The statement, built once. Not at import: an alias would configure the tables too early."""
    a, b = aliased(Player), aliased(Player)
    other = aliased(Game)
    is_open = and_(
        col(other.round_id) == Game.round_id, col(other.id) != Game.id, col(other.state) != GameState.CONFIRMED
    )
    return (
        select_rows(Game, Round, a, b, Report, exists().where(is_open), is_reachable(a.id), is_reachable(b.id))
        .join(Round, col(Round.id) == Game.round_id)
        .join(a, col(a.id) == Game.a_id)
        .outerjoin(b, col(b.id) == Game.b_id)
        .outerjoin(Report, and_(col(Report.game_id) == Game.id, col(Report.withdrawn_at).is_(None)))
        .where(col(Game.id) == bindparam("game"))
        .order_by(col(Report.id))
    )


def game_with_reports(s: Session, game_id: int) -> GameWithReports | None:
    rows = s.execute(_game_statement(), {"game": game_id}).all()
    if not rows:
        return None
    game, a_round, a, b, _, others_open, a_reached, b_reached = rows[0]
    reached = frozenset(player.id for player, can in ((a, a_reached), (b, b_reached)) if can and player is not None)
    return GameWithReports(
        game,
        a_round,
        a,
        b,
        others_open,
        [row[4] for row in rows if row[4] is not None],
        reached,
    )


def waits_for_opponent(player_id: int | BindParameter[int]) -> ColumnElement[bool]:
    """The condition that this player's own report of a game waits for the opponent to confirm it."""
    by_player = or_(
        and_(col(Report.side) == ReportSide.A, col(Game.a_id) == player_id),
        and_(col(Report.side) == ReportSide.B, col(Game.b_id) == player_id),
    )
    counts = and_(col(Report.game_id) == Game.id, col(Report.withdrawn_at).is_(None), not_(col(Report.by_sheet)))
    return and_(col(Game.state) == GameState.REPORTED, exists().where(by_player, counts))


EARLIER = N_("This form is for an earlier game. Reload the page.")
GONE = N_("This game is gone because the round was drawn again. Reload the page.")


def check_pairing(sent: int | None, now: int | None) -> None:
    """Check that a form names the game or the match that it would change. Raises Stale."""
    if sent is None or sent != now:
        raise Stale(gettext(EARLIER))


def own_game(s: Session, event: Event, player: Player) -> Game | None:
    """The player's oldest open game of a round robin, else the game or bye in the newest round.

    Games that the player has reported, and that only wait for the opponent, come after the other open ones.
    """
    newest, of_player = newest_published(s, event), or_(col(Game.a_id) == player.id, col(Game.b_id) == player.id)
    together = [kind for kind in RoundKind if stage_in(event, kind).opens_together]
    waits = and_(
        col(Round.kind).in_(together),
        col(Round.state) == RoundState.PUBLISHED,
        col(Game.state) != GameState.CONFIRMED,
    )
    query = select(Game).join(Round).where(Round.event_id == event.id, of_player)
    query = query.where(or_(col(Game.round_id) == newest, waits))
    urgent = case((and_(waits, not_(waits_for_opponent(player.id))), 0), (waits, 1), else_=2)
    return s.exec(query.order_by(urgent, col(Round.number))).first()
