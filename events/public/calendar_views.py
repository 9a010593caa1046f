"""An event, and a player's games, as entries for calendars (iCalendar, RFC 5545)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar
from flask import Blueprint, Response, abort
from icalendar.enums import STATUS

from events.accounts import access
from events.accounts.event_loading import players_in, public_views_in
from events.accounts.loading import event_or_404, player_or_404, visitor
from events.seasons.league_queries import fixture_of
from events.setup.archive_now import club_fingerprint
from events.setup.day import closes_at
from events.store.clock_queries import planned_of
from events.store.rounds import RoundView, ends_of
from events.tournament.season import season_in, window_of
from events.web.answers import name_file
from events.web.request import local_day, now, outside_url
from languages.words import gettext
from models.event import Event
from models.play import Game, Player

blueprint = Blueprint("calendar", __name__)

MAKER = "-//Overseer//Tournament desk//EN"
Moment = date | datetime


@blueprint.get("/e/<slug>/event.ics")
def calendar_entry(slug: str) -> Response:
    """The event as one calendar entry, or the rounds of a season as one each. A newer download replaces them.

    It says nothing that hidden changes move: neither the event's version nor the time of its last change.
    """
    event = event_or_404(slug)
    season = season_in(event.season)
    page = outside_url("public.event", slug=slug)
    if season is None or season.by_challenge:
        starts, ends = span(event)
        return _calendar(event, [_entry(event, "", event.name, starts, ends, page)])
    windows = [(number, *window_of(season, event.starts_on, number)) for number in range(1, event.rounds + 1)]
    return _calendar(
        event,
        [
            _entry(
                event,
                f"-round-{number}",
                gettext("%(event)s: round %(number)s", event=event.name, number=number),
                opens,
                last + timedelta(days=1),
                page,
            )
            for number, opens, last in windows
        ],
    )


@blueprint.get("/e/<slug>/players/<int:player_id>/games.ics")
def own_calendar(slug: str, player_id: int) -> Response:
    """The published games of a player: at their round's time, in a season on the agreed day or the last one."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    if not access.may_see_entry(visitor(), event, player):
        abort(404)
    views, people = public_views_in(event), {entrant.id: entrant for entrant in players_in(event)}
    starts = planned_of(event, [view.round for view in views])
    entries = [
        _game(event, view, game, people[game.b_id if game.a_id == player.id else game.a_id], starts)
        for view in views
        for game in view.games
        if game.b_id is not None and player.id in (game.a_id, game.b_id)
    ]
    return _calendar(event, entries, f"-{player.id}")


def _game(
    event: Event, view: RoundView, game: Game, opponent: Player, starts: Mapping[int, datetime]
) -> icalendar.Event:
    number, page = view.round.number, outside_url("public.event", slug=event.slug)
    fixture = fixture_of(event, number, game, local_day(event))
    title = gettext(
        "%(event)s, round %(number)s: against %(name)s", event=event.name, number=number, name=opponent.name
    )
    first: Moment
    last: Moment
    if fixture is not None:
        agreed = fixture.arranged.standing
        first = agreed or fixture.due
        title, last = title if agreed else gettext("Play by today: %(title)s", title=title), first + timedelta(days=1)
    elif number in starts:
        first, last = starts[number], starts[number] + timedelta(minutes=view.round.minutes or event.round_minutes)
    else:
        first, last = event.starts_on, ends_of(event) + timedelta(days=1)
    if game.table_number and fixture is None:
        title += ", " + gettext("table %(table)s", table=game.table_number)
    return _entry(event, f"-game-{game.id}", title, first, last, page)


def _entry(event: Event, part: str, title: str, starts: Moment, ends: Moment, page: str) -> icalendar.Event:
    """An entry whose id stays the same; ``part`` ends the id of a part of the event.

    Its sequence rises with time, not with changes: calendars take the newer of two files.
    """
    return icalendar.Event.new(
        uid=_id_of(event, part),
        stamp=now(),
        sequence=int((now() - event.created_at).total_seconds()),
        summary=title,
        location=event.place or None,
        description=event.description or None,
        url=page or None,
        start=starts,
        end=ends,
        status=STATUS.CANCELLED if event.cancelled_at else STATUS.CONFIRMED,
    )


def _id_of(event: Event, part: str) -> str:
    """An id that no other club's event has."""
    return f"{event.slug}{part}@{club_fingerprint()}.overseer"


def _calendar(event: Event, entries: Sequence[icalendar.Event], part: str = "") -> Response:
    calendar = icalendar.Calendar.new(prodid=MAKER, uid=_id_of(event, part), subcomponents=[*entries])
    calendar.add_missing_timezones()
    answer = Response(calendar.to_ical(), mimetype="text/calendar; charset=utf-8")
    return name_file(answer, f"{event.slug}{part}.ics")


def span(event: Event) -> tuple[Moment, Moment]:
    """The beginning and the end: with hours if the event says when it starts, otherwise whole days.

    Without a planned end, or if it was played earlier, an event of one day takes eight hours. The end of whole days
    is the day after, as iCalendar wants it.
    """
    if not event.starts_at:
        return event.starts_on, ends_of(event) + timedelta(days=1)
    zone = ZoneInfo(event.timezone)
    starts = datetime.combine(event.starts_on, time.fromisoformat(event.starts_at), zone)
    planned = closes_at(event)
    ends = planned.astimezone(zone) if planned and planned > starts else starts + timedelta(hours=8)
    last = datetime.combine(ends_of(event), ends.timetz())
    return starts, max(ends, last)
