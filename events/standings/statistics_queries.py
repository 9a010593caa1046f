"""What statistics read of an event: its published rounds, confirmed games and shown lists, by columns, without rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, select
from sqlmodel import Session, col

from events.standings.statistics_figures import Chosen, Played, Tally, Timed, tally_event
from events.store.editions import system_of
from events.store.outcomes import as_reported
from events.store.rounds import stage_in
from events.store.scenarios import known_scenarios
from events.store.scoring import adjustments_of, play_rules
from events.store.verdicts import terms_of
from events.tournament.pairing.notes import PAIRED_DOWN, NoteKind
from events.tournament.scores import Ended, score
from events.tournament.tournament import lost_by_card, won_by_card
from events.visitors.access import lists_shown
from events.web.parsing import series_slug
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.play import ForceList, Game, GameState, Player, Report, ReportSide
from validators.scenario import Scenario

OF_EVENT = col(Round.event_id) == bindparam("event")
PUBLISHED = col(Round.state) == RoundState.PUBLISHED
ROUNDS = select(
    col(Round.id), col(Round.started_at), col(Round.stopped_at), col(Round.minutes), col(Round.paused_seconds),
    col(Round.extra_seconds),
).where(OF_EVENT, PUBLISHED, col(Round.started_at).is_not(None))  # fmt: skip
GAMES: Select[Any] = (
    select(
        col(Round.number), col(Round.kind), col(Round.scenario).label("round_scenario"), col(Game.scenario),
        col(Game.a_id), col(Game.b_id), col(Game.answers), col(Game.ending), col(Game.awarded), col(Game.a_first),
        col(Game.notes),
    )
    .join(Round)
    .where(OF_EVENT, PUBLISHED, col(Game.b_id).is_not(None), col(Game.state) == GameState.CONFIRMED)
    .order_by(col(Round.number), col(Game.id))
)  # fmt: skip
REPORTS = (
    select(col(Game.round_id), func.min(col(Report.at)))
    .join(Game, col(Report.game_id) == col(Game.id)).join(Round, col(Game.round_id) == col(Round.id))
    .where(OF_EVENT, PUBLISHED, col(Report.side) != ReportSide.ORGANISER)
    .group_by(col(Game.round_id), col(Report.game_id))
)  # fmt: skip
LISTS = select(col(ForceList.player_id), col(ForceList.document)).join(Player).where(
    col(Player.event_id) == bindparam("event"), col(ForceList.submitted_at).is_not(None),
    col(Player.list_unlocked_at).is_(None),
)  # fmt: skip
FACTIONS = select(col(Player.id), col(Player.faction)).where(col(Player.event_id) == bindparam("event"))


def has_statistics(event: Event) -> bool:
    """Whether the event is over, and so all that is counted is public and final."""
    return event.state == EventState.FINISHED and event.cancelled_at is None


def counted_events(s: Session, series: str = "") -> list[Event]:
    """The club's public events that are over, or those of the series of this address, oldest first."""
    query = select(Event).where(col(Event.state) == EventState.FINISHED, ~col(Event.unlisted))
    events = s.scalars(query.order_by(col(Event.starts_on), col(Event.id)))
    return [event for event in events if has_statistics(event) and (not series or series_slug(event.series) == series)]


def load_tally(s: Session, event: Event, now: datetime) -> Tally:
    asked, rows = {"event": event.id}, s.connection().execute
    factions: dict[int, str] = dict(rows(FACTIONS, asked).all())
    lists = _lists(s, event) if lists_shown(event, now) else ()
    times = () if event.season is not None else _times(rows(ROUNDS, asked), rows(REPORTS, asked))
    return tally_event(played_games(s, event), factions, lists, times)


def _lists(s: Session, event: Event) -> Iterator[Chosen]:
    """The lists as anyone reads them. Names that players give to their models say nothing."""
    checks, terms = system_of(event).checks, terms_of(event)
    for player, document in s.connection().execute(LISTS, {"event": event.id}):
        force = checks.priced(document, terms)
        held = [held for held in checks.held(force) if not held.same]
        things = frozenset(("model" if thing.model else "item", thing.name) for thing in held)
        yield Chosen(player, terms.list_size - force.total, things)


def _times(rounds: Iterable[Any], reports: Iterable[Any]) -> Iterator[Timed]:
    """The rounds played by a clock. One ends when its clock was stopped, or with the last game reported."""
    first: dict[int, list[datetime]] = {}
    for id_, at in reports:
        first.setdefault(id_, []).append(at)
    for id_, started, stopped, minutes, paused, extra in rounds:
        reported = first.get(id_, [])
        end = stopped or max(reported, default=None)
        if end is not None:
            due = started + timedelta(minutes=minutes or 0, seconds=paused + extra)
            left = tuple(_minutes(due - at) for at in reported)
            yield Timed(_minutes(end - started), _minutes(due - end), left)


def _minutes(time: timedelta) -> int:
    return round(time.total_seconds() / 60)


def played_games(s: Session, event: Event) -> Iterator[Played]:
    """The event's games with a score: a no-show and a game that was not played have no answers."""
    scenarios = {id_: as_reported(event, entry) for id_, entry in known_scenarios(s, system_of(event)).items()}
    lost, rules = lost_by_card(adjustments_of(event)), play_rules(event)
    win = rules.scheme.win
    by_points = [kind for kind in RoundKind if stage_in(event, kind).by_points and not rules.teams]
    for row in s.connection().execute(GAMES, {"event": event.id}):
        scenario = scenarios.get(row.scenario or row.round_scenario or "")
        if scenario is None or row.answers is None:
            continue
        card = won_by_card(lost, row.number, str(row.a_id), str(row.b_id))
        points = score(rules.system, scenario, row.answers, Ended(row.ending, row.awarded), card)
        if points is not None:
            paired_by_points = row.kind in by_points and row.number > 1
            yield Played(
                row.a_id,
                row.b_id,
                scenario.id,
                {"a": 2, "draw": 1, "b": 0}[points.outcome],
                _sides(scenario, row),
                (points.a, points.b) if points.known else None,
                _gap(row.notes, win) if win and paired_by_points else None,
            )


def _sides(scenario: Scenario, row: Row[Any]) -> tuple[str, str]:
    roles = scenario.roles_drawn(row.a_first)
    return (roles["a"].name, roles["b"].name) if roles else ("", "")


def _gap(notes: Sequence[Mapping[str, Any]], win: int) -> float | None:
    """How far apart the players were, in wins: a pair that is on equal points has no note on it."""
    kinds = {note["kind"] for note in notes}
    if NoteKind.STAND_IN in kinds:
        return None
    return next((round((note["high"] - note["low"]) / win, 2) for note in notes if note["kind"] in PAIRED_DOWN), 0.0)
