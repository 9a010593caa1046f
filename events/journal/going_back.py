"""Going back: an event's rounds, results and rulings as they were before a step. Itself a step, which can be undone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table
from sqlmodel import Session, SQLModel, col, select

from events.journal.invariants import check_event
from events.journal.replay import Rows, rebuilt
from events.store.act import Act
from events.store.campaign import keep_rolls, rows_of, step_of
from events.store.errors import Refused, Stale
from events.store.journal import note, said_of
from languages.message import Text, joined, message, worded
from languages.words import N_, gettext
from models.captured import (
    class_of,
    columns_of,
    followed,
    hashes_in,
    lengthened,
    long_values,
    of_event,
    plain,
    table_of,
    typed,
)  # fmt: skip
from models.event import Event
from models.facts import Back, fact_of
from models.journal import JournalEntry
from models.kept_answer import KeptAnswer
from models.play import Game

GOES_ALONG = {"lock-list", "lock-lists", "reveal-lists"}
"""Kinds of entries written as part of another step."""
STEPS = (
    "adopt-draw", "cut", "discard-draw", "draw-round", "drop", "drop-team", "finish-event", "go-back", "lock-lists",
    "match-boards", "open-again", "publish-awards", "publish-round", "reopen-event", "reveal-lists", "ruling",
    "unpublish-round", "change-settings", "clear-awards",
)  # fmt: skip
"""The kinds of steps to go back to: those with large effects and no other way to undo them."""
WHOLE = ("round", "round_draw", "team_match", "game", "fielded_force", "report", "ruling", "team_ruling", "award",
         "award_pick", "campaign_step")  # fmt: skip
"""Tables that are restored completely: newer rows are deleted, deleted rows return."""
ENTERED = ("team", "player")
"""Tables whose newer rows stay, because players hold private links to them; older rows are restored."""
MOST_POINTS = 60


@dataclass(frozen=True)
class Point:
    """A step before which the event can be restored."""

    id: int
    """The id of the step's write."""
    at: datetime
    by: str
    said: Text
    since: int
    """The number of listed steps after it."""

    @property
    def text(self) -> str:
        return worded(self.said)


def points_of(s: Session, event: Event) -> list[Point]:
    """The listed steps, newest first; empty before the journal begins."""
    if event.journal_from is None:
        return []
    query = (
        select(JournalEntry)
        .where(JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(STEPS))
        .where(col(JournalEntry.change_set_id) > event.journal_from)
        .order_by(col(JournalEntry.id).desc())
        .limit(MOST_POINTS)
    )
    by_write: dict[int, list[JournalEntry]] = {}
    for entry in s.exec(query):
        by_write.setdefault(entry.change_set_id or 0, []).insert(0, entry)
    # Counts only listed steps: that a captain chose again, or a player voted, is secret.
    return [_point(id_, noted, newer) for newer, (id_, noted) in enumerate(by_write.items())]


def _point(id_: int, noted: Sequence[JournalEntry], since: int) -> Point:
    """One write as a step, by the actor of its main entry, since the clock may have added others."""
    step, *along = sorted(noted, key=lambda entry: entry.verb in GOES_ALONG)
    return Point(id_, step.at, step.actor, joined([said_of(entry) for entry in (step, *along)], "; "), since)


def go_back(act: Act, point_id: int) -> Point:
    """Restore the event's play to its state before a step. Raises Stale for a step that is not listed, and Refused."""
    s, event = act.s, act.event
    point = next((point for point in points_of(s, event) if point.id == point_id), None)
    if point is None:
        raise Stale(gettext("This step is no longer listed. Reload the page."))
    _restore(act, point_id)
    # Submissions since then must not get their stored results, which are being deleted.
    for answer in s.exec(select(KeptAnswer).where(KeptAnswer.event_id == event.id, col(KeptAnswer.at) >= point.at)):
        s.delete(answer)
    note(act, "go-back", message("Went back to before: %(step)s", step=point.said), of=point.id)
    s.flush()  # the check reads the tables
    broken = [
        problem.what for problem in check_event(s, event) if problem.promise != "I8"
    ]  # this write is not in the journal yet
    if broken:
        raise Refused(gettext("The event cannot go back so far: %(why)s.", why=broken[0]))
    return point


def _restore(act: Act, before: int) -> None:
    s, event = act.s, act.event
    assert event.journal_from is not None  # noqa: S101 - points have one
    then, _ = rebuilt(s, event, event.journal_from, before)
    tables = [table for table in followed() if table.name in (*WHOLE, *ENTERED) and table.name != "event"]
    wanted = {table.name: _typed(s, event, table, then[table.name]) for table in (*tables, Event.__table__)}  # type: ignore[attr-defined]
    here = {table.name: _stored(s, event, table) for table in tables}
    again = _moved(here["game"], wanted["game"])  # other games may have these seats now, so delete and add them again
    below = _below(again, here)
    _forget_seen_choices(here, wanted)
    steps = [step_of(row) for row in rows_of(s, event) if row.id not in wanted["campaign_step"]]
    for table in reversed(tables):
        for id_, row in here[table.name].items():
            gone = table.name in WHOLE and id_ not in wanted[table.name]
            if gone or id_ in below.get(table.name, set()):
                s.delete(row)
        s.flush()  # foreign keys and seats need this order
    _set(event, wanted["event"].get(event.id, {}))
    for table in tables:
        model = class_of(table)
        for id_, values in wanted[table.name].items():
            there = here[table.name].get(id_)
            if there is None or id_ in below.get(table.name, set()):
                taken = s.get(model, id_)
                if taken is not None:
                    text = N_("The event cannot go back so far: ids of its rows are used by another event now.")
                    raise Refused(gettext(text))
                new_version = {"version": there.version + 1} if isinstance(there, Game) else {}
                s.add(model(id=id_, **values | new_version))
            else:
                _set(there, values)
        s.flush()  # foreign keys need this order
    keep_rolls(s, event, steps, act.now)


def _forget_seen_choices(
    here: Mapping[str, Mapping[int, Any]], wanted: Mapping[str, dict[int, dict[str, Any]]]
) -> None:
    """Leave out a choice of boards or forces that one side alone had made then, unless it still stands so.

    It may have been shown since, as both had chosen: the other side would choose again knowing it.
    """
    for id_, row in wanted["team_match"].items():
        orders, now = (row["a_order"], row["b_order"]), here["team_match"].get(id_)
        if orders.count(None) == 1 and (now is None or now.matched_at or (now.a_order, now.b_order) != orders):
            row["a_order"] = row["b_order"] = None
    alone = Counter(row["game_id"] for row in wanted["fielded_force"].values())
    still = Counter(row.game_id for row in here["fielded_force"].values())
    for id_, row in list(wanted["fielded_force"].items()):
        if alone[row["game_id"]] == 1 and not (id_ in here["fielded_force"] and still[row["game_id"]] == 1):
            del wanted["fielded_force"][id_]


def _typed(s: Session, event: Event, table: Table, rows: Rows) -> dict[int, dict[str, Any]]:
    long = long_values(s, event.id, {mark for row in rows.values() for mark in hashes_in(row)})
    columns = {column.name: column for column in columns_of(table)}
    return {
        id_: {name: typed(columns[name], value) for name, value in lengthened(row, long).items() if name in columns}
        for id_, row in rows.items()
    }


def _stored(s: Session, event: Event, table: Table) -> dict[int, SQLModel]:
    model: Any = class_of(table)
    return {row.id: row for row in s.exec(select(model).where(of_event(table, event.id)))}


def _moved(here: Mapping[int, SQLModel], wanted: Mapping[int, Mapping[str, Any]]) -> set[int]:
    """Games of rounds whose seats change. No two games may share a seat, not even between two statements."""
    seats = ("round_id", "a_id", "b_id", "table_number")
    moved = {
        wanted[id_]["round_id"]
        for id_, row in here.items()
        if id_ in wanted and any(getattr(row, name) != wanted[id_].get(name) for name in seats)
    }
    return {id_ for id_ in here if id_ in wanted and wanted[id_]["round_id"] in moved}


def _below(games: set[int], here: Mapping[str, Mapping[int, SQLModel]]) -> dict[str, set[int]]:
    ids = {"game": games}
    for name in ("fielded_force", "report"):
        ids[name] = {id_ for id_, row in here[name].items() if getattr(row, "game_id") in games}  # noqa: B009
    return ids


def _set(row: SQLModel, values: Mapping[str, Any]) -> None:
    """Restore a row, except for the columns that stay: lists stay public, old links invalid, payments marked."""
    columns = {column.name: column for column in columns_of(table_of(row))}
    stays = {name for name, column in columns.items() if fact_of(column).back == Back.STAYS}
    changed = False
    for name, value in values.items():
        if name not in stays and plain(columns[name], getattr(row, name)) != plain(columns[name], value):
            setattr(row, name, value)
            changed = True
    if changed and isinstance(row, Game):
        row.version += 1  # forms from before must stay outdated
