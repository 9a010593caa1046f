"""Events, and a player's games, as entries for calendars (iCalendar, RFC 5545)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar
from flask import Blueprint, Response, abort, request
from icalendar.enums import STATUS, TRANSP
from sqlmodel import col, select

from events.public.news import id_of, news_of
from events.public.series_table import series_events
from events.public.zone_rules import zone_rules
from events.seasons.league_queries import fixture_of
from events.store.clock_queries import planned_of
from events.store.journal import last_change
from events.store.rounds import RoundView, ends_of
from events.store.visitor import Visitor
from events.tournament.season import window_of
from events.visitors import access
from events.visitors.event_loading import players_in, public_views_in
from events.visitors.loading import event_or_404, event_rounds, player_or_404, visitor
from events.web.answers import name_file
from events.web.club_id import club_id
from events.web.request import db, local_day, now, outside_url
from languages.words import gettext
from models.event import Event, Round
from models.parts import load_parts
from models.play import Game, Player

blueprint = Blueprint("calendar", __name__)

MAKER = "-//Overseer//Tournament desk//EN"
EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
"""Sequences are the seconds since then: more than the seconds since its creation, which an event had before."""
REFRESH = timedelta(hours=3)
KEPT = timedelta(days=366)
"""How long the club's calendar has an event that is over."""
Moment = date | datetime
Rounds = Sequence[Round]


@blueprint.get("/e/<slug>/event.ics")
def calendar_entry(slug: str) -> Response:
    """The event as one calendar entry, or the rounds of a season as one each. A newer download replaces them."""
    event = event_or_404(slug)
    return _calendar(id_of(event), event.name, [event], _entries(event, event_rounds(event)), slug)


@blueprint.get("/events.ics")
def club_calendar() -> Response:
    """The events on the front page, to subscribe to: as everybody reads them."""
    since = now().date() - KEPT
    rows = db().exec(select(Event).where(col(Event.ends_on) >= since).order_by(col(Event.starts_on), col(Event.id)))
    events = [event for event in rows if access.is_listed_for(Visitor(), event)]
    return _subscription("events", gettext("Events"), events)


@blueprint.get("/series/<slug>/events.ics")
def series_calendar(slug: str) -> Response:
    events = series_events(db(), Visitor(), slug) or abort(404)
    return _subscription(f"series-{slug}", events[-1].series, events)


@blueprint.get("/e/<slug>/players/<int:player_id>/games.ics")
def own_calendar(slug: str, player_id: int) -> Response:
    """The published games of a player: at their round's time, in a season on the agreed day or the last one."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    if not access.may_see_entry(visitor(), event, player):
        abort(404)
    views, people = public_views_in(event), {entrant.id: entrant for entrant in players_in(event)}
    starts = planned_of(event, [view.round for view in views])
    games = [
        (view, game, people[other_id])
        for view in views
        for game in view.games
        if player.id in (game.a_id, game.b_id)
        and (other_id := game.b_id if game.a_id == player.id else game.a_id) is not None
    ]
    changed = last_change(db(), event, "game", [game.id for _, game, _ in games])
    news = max(news_of(event, now()), changed or EPOCH)
    entries = [_game(event, view, game, opponent, starts, news) for view, game, opponent in games]
    part = f"-{player.id}"
    return _calendar(id_of(event, part), event.name, [event], entries, f"{slug}{part}")


def _entries(event: Event, rounds: Rounds) -> list[icalendar.Event]:
    season = event.season
    if season is None or season.by_challenge:
        starts, ends = _span(event, rounds)
        return [_entry(event, "", event.name, starts, ends)]
    entries = []
    for number in range(1, event.rounds + 1):
        opens, last = window_of(season, event.starts_on, number)
        title = gettext("%(event)s: round %(number)s", event=event.name, number=number)
        entries.append(_entry(event, f"-round-{number}", title, opens, last + timedelta(days=1)))
    return entries


def _game(
    event: Event, view: RoundView, game: Game, opponent: Player, starts: Mapping[int, datetime], news: datetime
) -> icalendar.Event:
    number = view.round.number
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
        first = starts[number].astimezone(ZoneInfo(event.timezone))
        last = first + timedelta(minutes=view.round.minutes or event.round_minutes)
    else:
        first, last = event.starts_on, ends_of(event) + timedelta(days=1)
    if game.table_number and fixture is None:
        title += ", " + gettext("table %(table)s", table=game.table_number)
    return _entry(event, f"-game-{game.id}", title, first, last, news)


def _entry(
    event: Event, part: str, title: str, starts: Moment, ends: Moment, news: datetime | None = None
) -> icalendar.Event:
    """An entry whose id stays the same; ``part`` ends the id of a part of the event.

    Calendars take the newer of two files: its sequence and stamp rise with ``news``, by default the event's.
    """
    news = news or news_of(event, now())
    return icalendar.Event.new(
        uid=id_of(event, part),
        stamp=news,
        last_modified=news,
        sequence=int((news - EPOCH).total_seconds()),
        summary=title,
        location=event.place or None,
        description=event.description or None,
        url=outside_url("public.event", slug=event.slug) or None,
        start=starts,
        end=ends,
        status=STATUS.CANCELLED if event.cancelled_at else STATUS.CONFIRMED,
        # Nobody plays all days of a window.
        transparency=TRANSP.TRANSPARENT if event.season or event.cancelled_at else TRANSP.OPAQUE,
    )


def _subscription(part: str, name: str, events: Sequence[Event]) -> Response:
    load_parts(events, "schedule")
    entries = [entry for event in events for entry in _entries(event, event.schedule)]
    return _calendar(f"{part}@{club_id()}.overseer", name, events, entries, part)


def _calendar(id_: str, name: str, events: Iterable[Event], entries: Sequence[icalendar.Event], file: str) -> Response:
    """The file, unchanged as long as its entries are."""
    days = [day.year for entry in entries for day in (entry.start, entry.end)] or [now().year]
    zones = {event.timezone for event in events} or {"UTC"}  # a calendar without any part would be invalid
    rules = [zone_rules(zone, min(days), max(days)) for zone in sorted(zones)]
    calendar = icalendar.Calendar.new(prodid=MAKER, uid=id_, name=name, subcomponents=[*rules, *entries])
    for name_of_refresh in ("REFRESH-INTERVAL", "X-PUBLISHED-TTL"):  # Outlook reads the second
        calendar.add(name_of_refresh, icalendar.vDuration(REFRESH), {"VALUE": "DURATION"})
    answer = Response(calendar.to_ical(), mimetype="text/calendar")
    answer.add_etag(weak=True)
    answer.make_conditional(request)
    return name_file(answer, f"{file}.ics")


def _closes_at(event: Event, rounds: Rounds) -> datetime | None:
    """The planned end of the last round; None if a start is missing."""
    at = planned_of(event, rounds).get(rounds[-1].number) if rounds else None
    return at + timedelta(minutes=event.round_minutes) if at else None


def _span(event: Event, rounds: Rounds) -> tuple[Moment, Moment]:
    """The beginning and the end: with hours if the event says when it starts, otherwise whole days.

    Without a planned end, or if it was played earlier, an event of one day takes eight hours. The end of whole days
    is the day after, as iCalendar wants it.
    """
    if not event.starts_at:
        return event.starts_on, ends_of(event) + timedelta(days=1)
    zone = ZoneInfo(event.timezone)
    starts = datetime.combine(event.starts_on, time.fromisoformat(event.starts_at), zone)
    planned = _closes_at(event, rounds) if event.season is None else None
    ends = planned.astimezone(zone) if planned and planned > starts else starts + timedelta(hours=8)
    last = datetime.combine(ends_of(event), ends.timetz())
    return starts, max(ends, last)
