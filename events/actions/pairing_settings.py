"""What an event's rounds are drawn and ranked by: each part of the page "Pairing" is stored by its own action."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from events.actions.events import check_pool
from events.actions.journal import note
from events.errors import Refused
from events.pairing.draw_rules import event_document, rules_of_event
from events.pairing.rules import Rules
from events.pairing.standings import chosen
from events.reading import rounds_of
from events.table_numbers import MOST_TABLES
from events.team_reading import is_team_event
from models.endings import ConcededVp, NotPlayed
from models.event import AskedBye, AvoidClubs, Event, EventState, RoundState


@dataclass(frozen=True)
class RoomSettings:
    """Where rounds are played, and whether each table draws its scenario."""

    tables: int | None = None
    """None: one for each game."""
    tables_out: tuple[int, ...] = ()
    """Tables out of order."""
    top_tables: bool = True
    scenario_per_table: bool = False


FINAL = "The event is closed and its standings are final. Open it again at the desk to change this."


def set_draw_rules(s: Session, event: Event, rules: Rules, avoid_clubs: AvoidClubs, actor: str, now: datetime) -> None:
    """How the rounds to come are drawn; one that is drawn already stays as it is, and says so. Raises Refused."""
    before = event_document(rules_of_event(event.draw_rules)) | {"avoid_clubs": event.avoid_clubs.value}
    after = event_document(rules) | {"avoid_clubs": avoid_clubs.value}
    if note_change(s, event, actor, now, "Changed how rounds are drawn", before, after):
        event.draw_rules, event.avoid_clubs = event_document(rules), avoid_clubs


def set_room(s: Session, event: Event, room: RoomSettings, actor: str, now: datetime) -> None:
    """Where the rounds to come are played, and whether each table draws its scenario. Raises Refused."""
    if room.tables is not None and (beyond := [table for table in room.tables_out if table > room.tables]):
        raise Refused(f"There is no table {beyond[0]}: the event has {room.tables}.", "tables_out")
    left = set(range(1, (room.tables or MOST_TABLES) + 1)) - set(room.tables_out)
    if not left:
        raise Refused("No table is left to play on.", "tables_out")
    if room.scenario_per_table and is_team_event(event):
        raise Refused("In a team event all tables of a round play one scenario.", "scenario_per_table")
    if room.scenario_per_table != event.scenario_per_table:
        _check_scenarios(s, event, per_table=room.scenario_per_table)
    before, after = asdict(room_settings(event)), asdict(room)
    if note_change(s, event, actor, now, "Changed the tables", before, after):
        event.tables, event.tables_out = room.tables, list(room.tables_out)
        event.top_tables, event.scenario_per_table = room.top_tables, room.scenario_per_table


def room_settings(event: Event) -> RoomSettings:
    """The tables and scenarios of the event as they stand."""
    return RoomSettings(event.tables, tuple(event.tables_out or ()), event.top_tables, event.scenario_per_table)


def _check_scenarios(s: Session, event: Event, *, per_table: bool) -> None:
    rounds = rounds_of(s, event)
    chosen = [one.scenario for one in rounds if one.scenario is not None]
    to_draw = sum(one.state == RoundState.PLANNED and one.scenario is None for one in rounds)
    if per_table and to_draw and not event.scenario_pool:
        raise Refused("The pool has no scenario that a table could draw.", "scenario_per_table")
    if not per_table:
        try:
            check_pool(to_draw, event.scenario_pool, chosen)
        except Refused as refused:
            raise Refused(refused.message, "scenario_per_table") from refused


@dataclass(frozen=True)
class Counting:
    """What rounds without a game and games not played out count for, and what bounds the VP difference."""

    bye_vp: int | None
    """None: the mean of the winners."""
    asked_bye: AskedBye
    late_points: int
    vp_cap: int | None
    """None: no limit."""
    conceded_vp: ConcededVp = ConcededVp.BYE
    not_played: NotPlayed = NotPlayed.NOTHING


def set_counting(s: Session, event: Event, counting: Counting, actor: str, now: datetime) -> None:
    """The same for all rounds, those played before as well. Raises Refused."""
    before = {name: getattr(event, name) for name in Counting.__dataclass_fields__}
    if note_change(s, event, actor, now, "Changed what rounds without a game count for", before, asdict(counting)):
        for name, value in asdict(counting).items():
            setattr(event, name, value)


def set_tie_breaks(s: Session, event: Event, tie_breaks: Sequence[str], actor: str, now: datetime) -> None:
    """What parts players of equal points, in this order. Raises Refused."""
    try:
        chosen(tie_breaks)
    except ValueError as error:
        raise Refused(f"These tie-breaks cannot be: {error}.", "tie_breaks") from error
    before, after = {"tie_breaks": list(event.tie_breaks)}, {"tie_breaks": list(tie_breaks)}
    if note_change(s, event, actor, now, "Changed the tie-breaks", before, after):
        event.tie_breaks = list(tie_breaks)


def note_change(
    s: Session, event: Event, actor: str, now: datetime, text: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> bool:
    """Whether anything differs; then the journal has what, before and after. Raises Refused once the event is over."""
    changed = {key: [before[key], after[key]] for key in after if before[key] != after[key]}
    if changed and event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if changed:
        note(s, event, actor, now, "change-pairing", f"{text}: {', '.join(changed)}", changed=changed)
    return bool(changed)
