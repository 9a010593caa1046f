"""The plan of an event's day: check-in, rounds, breaks, the end."""

from datetime import datetime, timedelta

from sqlmodel import col, func, select

from events.store.clock_queries import planned_of
from events.store.rounds import RoundView, each_table_draws
from events.visitors.event_loading import public_views_in
from events.visitors.loading import event_rounds
from events.web.request import db, local
from languages.words import gettext
from models.event import Event
from models.play import Report
from pdf.wall import PlannedRound

MINUTE = timedelta(minutes=1)
NIGHT = timedelta(hours=8)
"""What is as long or longer is no break of the plan."""


def day_of(event: Event) -> list[PlannedRound]:
    """The day's schedule: check-in, rounds, coming breaks longer than the usual one, awards, end.

    Each time is the actual one if it is known, otherwise the planned one.
    """
    views = [view for view in public_views_in(event) if view.stage.has_rounds]
    starts = planned_of(event, event_rounds(event))
    known = [at for view in views if (at := view.round.started_at or starts.get(view.round.number))]
    first = event.check_in_from or next(iter(known), event.created_at)
    rest = timedelta(minutes=event.clock_rules.break_minutes)
    day, last, ended = list[PlannedRound](), None, None
    begun = any(view.now.begun for view in views)
    if event.check_in_from:
        until = local(event.check_in_until, event, "%H:%M")
        check_in = gettext("Check-in to %(until)s", until=until) if until else gettext("Check-in")
        day.append(PlannedRound(0, hour_of(event, first, first), 0, check_in))
    for view in views:
        number, minutes = view.round.number, view.round.minutes or event.round_minutes
        at = view.round.started_at or starts.get(number)
        if at and last and rest < at - last < NIGHT and not view.round.started_at:
            day.append(PlannedRound(0, hour_of(event, last, first), (at - last) // MINUTE, gettext("Break")))
        start = hour_of(event, at, first) if at else ""
        last = at + timedelta(minutes=minutes) if at else None
        ended = _ended(view, at, last) if view is views[-1] else view.round.stopped_at
        last = ended or last
        real = view.round.started_at is not None if begun and at else None
        length = minutes if event.season is None else 0
        day.append(PlannedRound(number, start, length, scenario_words(event, view), real))
    if last and event.season is None:
        end = gettext("End, then awards") if event.awards else gettext("End")
        day.append(PlannedRound(0, hour_of(event, last, first), 0, end, ended is not None if begun else None))
    return day


def _ended(view: RoundView, starts: datetime | None, ends: datetime | None) -> datetime | None:
    """When a complete round ended: its clock was stopped, or its last result came before its planned end."""
    if view.round.stopped_at or starts is None or ends is None or not view.now.complete:
        return view.round.stopped_at if view.now.complete else None
    first = select(func.min(Report.at)).where(col(Report.game_id).in_([game.id for game in view.games]))
    came = max(db().exec(first.group_by(col(Report.game_id))).all(), default=None)
    return came if came and starts < came < ends else None


def scenario_words(event: Event, view: RoundView) -> str:
    """The round's scenario in a few words, if it is public."""
    shown = view.announced
    if not shown and each_table_draws(event):
        return gettext("Each table its own scenario, drawn with the round")
    return (
        shown[0].name
        if len(shown) == 1
        else gettext("Each table has its own scenario")
        if shown
        else gettext("Scenario drawn with the round")
    )


def hour_of(event: Event, at: datetime, first: datetime) -> str:
    """The time, with its weekday if the event has several days or that of ``first``, its first time, is over."""
    day = "%Y-%m-%d"
    is_one_day = event.ends_on == event.starts_on and local(at, event, day) == local(first, event, day)
    return local(at, event, "%H:%M" if is_one_day else "%a %H:%M")
