"""Invariants of the database, checked by ``overseer doctor``, before going back, and by the tests.

The ids are those of docs/assurance/guarantees.md. I1 and I3 (exactly what was acknowledged is stored) need the client's
acknowledgements. I6 holds by construction: standings are calculated each time and never stored.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.exc import NoResultFound
from sqlmodel import Session, col, func, select

from events.journal.replay import replay
from events.results.reports import latest, state_by_reports
from events.store.campaign import faults
from events.store.outcomes import ended
from events.store.players import placed
from events.store.rounds import is_unbegun, round_views
from events.tournament.endings import Ending
from models.event import Event, RoundState
from models.kept_answer import KeptAnswer
from models.play import GameState
from validators.contract import UnreadableEdition
from validators.scenario import UnreadableScenario

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, UnreadableScenario, UnreadableEdition)
"""Errors raised by values that only a damaged disk can contain, such as an unknown state."""


@dataclass(frozen=True)
class Broken:
    """A broken invariant: its id, the event ("" for the whole database), and the fault."""

    promise: str
    event: str
    what: str


def check_invariants(s: Session) -> list[Broken]:
    """All broken invariants, the database's own first. Changes nothing. Use a session with one snapshot."""
    if broken := [*check_database(s)]:
        return broken  # in a damaged file the other checks prove nothing
    broken = [*_keys(s)]
    for event in s.exec(select(Event).order_by(col(Event.id))):
        broken += check_event(s, event)
    return broken


def check_event(s: Session, event: Event) -> list[Broken]:
    try:
        broken = (*check_play(s, event), *_journal(s, event))
    except UNREADABLE as failed:
        return [Broken("I8", event.slug, f"its stored rows cannot be read ({type(failed).__name__})")]
    return [Broken(promise, event.slug, what) for promise, what in broken]


def check_play(s: Session, event: Event) -> Iterator[tuple[str, str]]:
    """The broken invariants of an event's rounds, games and places, without reading its journal."""
    yield from (
        *_rounds(event),
        *_games(s, event),
        *_places(event),
        *(("I12", what) for what in faults(s, event)),
    )


def check_database(s: Session) -> Iterator[Broken]:
    """I9: the database file's integrity, and foreign keys, in any version."""
    connection = s.connection()
    if connection.dialect.name == "sqlite":
        for (finding,) in connection.execute(text("PRAGMA integrity_check")):
            if finding != "ok":
                yield Broken("I9", "", f"the file is damaged: {finding}")
        for table, row, parent, _ in connection.execute(text("PRAGMA foreign_key_check")):
            yield Broken("I9", "", f"{table} {row} refers to a missing row of {parent}")
    else:
        for (name,) in connection.execute(text("SELECT conname FROM pg_constraint WHERE NOT convalidated")):
            yield Broken("I9", "", f"the rule {name} of the database is not enforced")


def _keys(s: Session) -> Iterator[Broken]:
    """I2: each submission is stored once."""
    once = (col(KeptAnswer.event_id), col(KeptAnswer.who), col(KeptAnswer.key))
    for who in s.exec(select(KeptAnswer.who).group_by(*once).having(func.count() > 1)):
        yield Broken("I2", "", f"one submission of {who} has two stored answers")


def _rounds(event: Event) -> Iterator[tuple[str, str]]:
    """I4 and I7: rounds are consecutive, and each has every drawn player exactly once."""
    views = round_views(event)
    numbers = [view.round.number for view in views]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "I7", f"the rounds are numbered {', '.join(map(str, numbers))}"
    states = [view.round.state for view in views]
    order = [RoundState.PUBLISHED, RoundState.DRAWN, RoundState.PLANNED]
    if [order.index(state) for state in states] != sorted(order.index(state) for state in states):
        yield "I7", "a round is published before an earlier round"
    if states.count(RoundState.DRAWN) > 1:
        yield "I7", "two rounds are drawn and not published"
    if is_unbegun(event) and RoundState.PUBLISHED in states:
        yield "I7", f"a round is published while the event is {event.state.value}"
    player_ids = {player.id for player in event.players}
    for view in views:
        where = f"round {view.round.number}"
        seated = Counter(id_ for game in view.games for id_ in (game.a_id, game.b_id) if id_ is not None)
        for id_, times in seated.items():
            if times > 1:
                yield "I4", f"{where}: player {id_} is paired {times} times"
            if id_ not in player_ids:
                yield "I4", f"{where}: player {id_} belongs to another event"
        tables = Counter(game.table_number for game in view.games if game.table_number is not None)
        yield from (("I4", f"{where}: {table} is not a table number") for table in tables if table < 1)
        yield from (("I4", f"{where}: table {table} is assigned {n} times") for table, n in tables.items() if n > 1)
        if view.round.state == RoundState.PLANNED and view.games:
            yield "I4", f"{where}: it has games but is not drawn"
        if view.round.state == RoundState.DRAWN and not view.teams:
            drawn = {int(seat["id"]) for seat in (view.round.inputs or {}).get("seats", [])}
            missing = sorted(drawn - seated.keys())
            third = event.third_place and view.round.bracket == 2  # the only loser of a semi-final has no game
            if len(missing) > third:
                yield "I4", f"{where}: players {', '.join(map(str, missing))} were drawn but are not paired"


def _games(s: Session, event: Event) -> Iterator[tuple[str, str]]:
    """I5: the result of a game follows from its reports."""
    for view in round_views(event):
        for game in view.games:
            if game.b_id is None or game.absent is not None:
                continue
            scenario = view.scenario_at(game)
            where = f"round {view.round.number}, table {game.table_number}"
            if scenario is None:
                if game.state != GameState.OPEN:
                    yield "I5", f"{where}: a result without a scenario"
                continue
            state, counts = state_by_reports(scenario, latest(s, game))
            if state != game.state:
                yield "I5", f"{where}: its state is {game.state.value}, but its reports give {state.value}"
            elif counts is not None and ended(counts) != ended(game):
                yield "I5", f"{where}: its ending differs from its reports"
            elif counts is not None and game.answers != (
                None if counts.ending == Ending.NOT_PLAYED else counts.answers
            ):
                yield "I5", f"{where}: its figures differ from its reports"


def _journal(s: Session, event: Event) -> Iterator[tuple[str, str]]:
    """I8: the journal accounts for every row."""
    if event.journal_from is None:
        return
    try:
        difference = replay(s, event).difference
    except NoResultFound:
        yield "I8", "the first write of its journal is missing"
        return
    if difference is not None:
        column = f".{difference.column}" if difference.column else ""
        yield "I8", f"the journal does not account for {difference.table} {difference.row_id}{column}"


def _places(event: Event) -> Iterator[tuple[str, str]]:
    """I11: no more players hold a place than the event has."""
    holding = len(placed(event.players))
    if event.places is not None and holding > event.places:
        yield "I11", f"{holding} players hold {event.places} places"


def in_lines(broken: Sequence[Broken]) -> list[str]:
    return [f"{problem.promise}  {problem.event + ': ' if problem.event else ''}{problem.what}" for problem in broken]
