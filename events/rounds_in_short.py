"""Rounds without what they were drawn from, which is long; and a game with its round, its players and its reports."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, inspect, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from models.event import Event, Round, RoundKind, RoundState
from models.play import Game, Player, Report


@dataclass(frozen=True)
class RoundInShort:
    """A round without what it was drawn from; a copy to be read. Its names are those of the row.

    Every other column that a page of a game shows of its round: a template says nothing of one that is missing.
    """

    id: int
    event_id: int
    number: int
    scenario: str | None
    scenario_drawn: bool
    state: RoundState
    kind: RoundKind
    bracket: int | None
    planned_at: datetime | None
    started_at: datetime | None
    minutes: int | None
    paused_at: datetime | None
    paused_seconds: int
    extra_seconds: int
    stopped_at: datetime | None
    published_at: datetime | None


# No rows with columns left out: such instances of our tables have crashed the interpreter (decision 114).
IN_SHORT: Select[tuple[object, ...]] = select(*(inspect(Round).columns[field.name] for field in fields(RoundInShort)))
OF_EVENT = IN_SHORT.where(col(Round.event_id) == bindparam("event")).order_by(col(Round.number))
BY_ID = IN_SHORT.where(col(Round.id) == bindparam("id"))


def rounds_in_short(s: Session, event: Event) -> list[RoundInShort]:
    """The event's rounds by number."""
    return [RoundInShort(**row) for row in s.connection().execute(OF_EVENT, {"event": event.id}).mappings()]


def round_in_short(s: Session, round_id: int) -> RoundInShort:
    """The round with this id. What the session has changed and not stored yet is not in it. Raises NoResultFound."""
    return RoundInShort(**s.connection().execute(BY_ID, {"id": round_id}).mappings().one())


@dataclass(frozen=True)
class GameAtHand:
    """A game with its round, its players and its reports, read with one statement."""

    game: Game
    round: RoundInShort
    a: Player
    b: Player | None
    """None for a bye."""
    reports: Sequence[Report]
    """Those that count, oldest first."""


@cache
def _at_hand() -> Select[Any]:
    """The statement, put together once; not at import, because an alias completes the tables' configuration."""
    a, b = aliased(Player), aliased(Player)
    columns = [inspect(Round).columns[field.name] for field in fields(RoundInShort)]
    return (
        select(Game, a, b, Report, *columns)
        .join(Round, col(Round.id) == Game.round_id)
        .join(a, col(a.id) == Game.a_id)
        .outerjoin(b, col(b.id) == Game.b_id)
        .outerjoin(Report, and_(col(Report.game_id) == Game.id, col(Report.withdrawn_at).is_(None)))
        .where(col(Game.id) == bindparam("game"))
        .order_by(col(Report.id))
    )


def game_at_hand(s: Session, game_id: int) -> GameAtHand | None:
    """The game with this id and what belongs to it; None where there is none."""
    rows = s.execute(_at_hand(), {"game": game_id}).all()
    if not rows:
        return None
    game, a, b, _, *columns = rows[0]
    return GameAtHand(game, RoundInShort(*columns), a, b, [row[3] for row in rows if row[3] is not None])
