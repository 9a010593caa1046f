"""What lists of events say of each: how far an event in progress is, and who won a finished one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func
from sqlmodel import Session, col, select

from events.standings.queries import standings_of
from events.store.clock_queries import facts_of_clock, planned_of
from events.store.rounds import is_last_round
from events.tournament.circuit import Place
from events.tournament.clock import read
from events.web.page_cache import shared
from events.web.parsing import name_key
from models.event import Event, Round, RoundState
from models.parts import load_parts
from models.play import Game, GameState

MOST_NAMED = 24
"""Finished events, the newest first, whose winners a list names: each needs its standings once."""


@dataclass(frozen=True)
class HowFar:
    number: int
    """Its newest published round."""
    of: int | None
    """Its rounds; None while their number is open."""
    games: int
    """The games of that round, of a season those of all rounds."""
    results: int
    """Those of them with a confirmed result."""
    begun: bool
    """Whether the round was started, or a result is in."""
    planned_at: datetime | None
    ends_at: datetime | None
    """The end of the round while its clock runs."""


def how_far(s: Session, events: Sequence[Event], now: datetime) -> dict[int, HowFar]:
    """How far each of these events is, by its id; without events that have no published round."""
    load_parts(events, "schedule")
    published = {round_.id for event in events for round_ in event.schedule if round_.state == RoundState.PUBLISHED}
    counted, far = _counted(s, published), {}
    for event in events:
        newest = [round_ for round_ in event.schedule if round_.id in published][-1:]
        if newest:
            far[event.id] = _how_far(event, event.schedule, newest[0], counted, now)
    return far


def _counted(s: Session, rounds: Iterable[int]) -> dict[int, tuple[int, int, int]]:
    """By round: its games of two players, those with a confirmed result, and those with any."""
    reported = (col(Game.state) != GameState.OPEN) & col(Game.absent).is_(None)
    query = select(
        Game.round_id,
        func.count(),
        func.sum(case((col(Game.state) == GameState.CONFIRMED, 1), else_=0)),
        func.sum(case((reported, 1), else_=0)),
    ).where(col(Game.round_id).in_(rounds), col(Game.b_id).is_not(None))
    return {id_: (games, int(sure), int(some)) for id_, games, sure, some in s.exec(query.group_by(col(Game.round_id)))}


def _how_far(
    event: Event,
    rounds: Sequence[Round],
    newest: Round,
    counted: dict[int, tuple[int, int, int]],
    now: datetime,
) -> HowFar:
    shown = [newest] if event.season is None else rounds
    figures = [counted.get(summary.id, (0, 0, 0)) for summary in shown]
    games, results, some = (sum(column) for column in zip(*figures, strict=True))
    reading = read(facts_of_clock(event, newest), event.clock_rules, now)
    plan = [summary for summary in rounds if newest.bracket is not None or summary.bracket is None]  # no draft of a cut
    return HowFar(
        number=newest.number,
        of=plan[-1].number if is_last_round(event, plan, plan[-1].number) else None,
        games=games,
        results=results,
        begun=newest.started_at is not None or some > 0,
        planned_at=planned_of(event, rounds).get(newest.number),
        ends_at=reading.ends_at if not reading.over else None,
    )


@dataclass(frozen=True)
class Places:
    """The ranks in a finished event."""

    rows: tuple[Place, ...]

    @property
    def cache_bytes(self) -> int:
        return 100 + 300 * len(self.rows)


def winners(event: Event) -> tuple[str, ...]:
    """The names in first place of a finished event."""
    return tuple(place.name for place in finishing_places(event) if place.rank == 1)


def finishing_places(event: Event) -> tuple[Place, ...]:
    """The ranks in a finished event, of teams in a team event, cached; disqualified players have none."""

    def made() -> Places:
        rows = standings_of(event).after()
        return Places(tuple(Place(name_key(row.name), row.name, row.rank) for row in rows if not row.disqualified))

    return shared(event, "places", made).rows
