"""The projector's pages for the hall, without sign-in: they follow the event and turn automatically."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from flask import Blueprint, abort, current_app, g, render_template, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from events.public.projector import (
    FIND_TABLES,
    ROWS,
    TURNING,
    VIEWS,
    Moment,
    Slide,
    fit,
    line_showing,
    showing,
    slides,
)
from events.results.calls import open_calls
from events.results.queries import last_report
from events.rounds.endings import endings
from events.standings.awards import Decided, decided, prizes
from events.standings.loading import is_corrected_in, live_in, standings_in
from events.standings.published_awards import is_embargoed, published_rows
from events.standings.raffle import ON_SCREEN_FOR, ROLLS_FOR, Raffle, raffle_of
from events.store.clock_queries import RoundClock, announcements_of, clock_of, planned_of
from events.store.outcomes import missing
from events.store.players import by_name, placed
from events.store.rounds import RoundView, current_round, no_opponent
from events.store.scoring import knows_vp, vp_word
from events.store.team_queries import names_of
from events.store.visitor import Visitor
from events.tournament.live import Live, Span
from events.tournament.ranking import Row, podium
from events.tournament.tournament import Tournament
from events.visitors.conventions import seen_events
from events.visitors.event_loading import players_in, public_views_in, tournament_in
from events.visitors.loading import event_or_404, event_rounds, polled, visitor_mark
from events.web.page_cache import cached_page
from events.web.request import db, now, outside_url, qr
from languages.words import gettext, minus
from models.announcement import Announcement
from models.event import Event, EventState
from models.journal import JournalEntry
from models.play import Game, GameState, Player
from validators.names import first_letters

blueprint = Blueprint("projector", __name__)


@dataclass(frozen=True)
class ProjectorRow:
    """One row of a list: a large label, one or two names, and small notes next to them."""

    label: str
    name: str
    other: str = ""
    note: str = ""
    other_note: str = ""
    done: bool = False
    game: Game | None = None
    """The game of a table with a result, to show its ending."""
    won: str = ""
    """The winner: "a" for the first name, "b" for the second."""
    players: Sequence[Player | None] = (None, None)
    """The people of the names, for their portraits; None for a team or nobody."""
    stage: str = ""
    """Of a game in a round with several stages."""
    span: Span | None = None
    """Where a row of a running round can still end."""


@dataclass(frozen=True)
class Screen:
    moment: Moment
    slide: Slide
    lines: Sequence[ProjectorRow]
    view: RoundView | None
    clock: RoundClock | None
    t: Tournament
    after: int
    """The round of the standings: the last complete one, or the one before while the last is held back."""
    live: Live | None
    """The standings of a running round, from its first result on."""
    announcement: Announcement | None
    players: int
    next_start: datetime | None
    """The planned start of round 1, or of the round after the last complete one, unless it has passed."""
    prize: Decided | None
    """The award shown last at the prize-giving; the others stay secret."""
    raffle: Raffle
    rolls: bool
    until: datetime | None
    """The next time at which the slide or the announcement changes."""
    corrected: bool
    """Whether published awards and final standings are being corrected: the screen shows the published ones."""
    calls: Sequence[int] = ()
    """The tables waiting for a judge."""

    @property
    def letters(self) -> str:
        """The letters with which the names of one of several pages begin: "A to E"; "" for other slides."""
        if self.slide.view != "names" or self.slide.pages == 1:
            return ""
        return first_letters(self.lines[0].name, self.lines[-1].name)


@blueprint.get("/e/<slug>/hall")
@cached_page()
def turning(slug: str) -> ResponseReturnValue:
    """The screen that turns through the currently relevant views."""
    return _page(event_or_404(slug), "")


EACH = 60
"""Seconds for which the screen of a convention shows each of its events."""
PRESSES = ("show-award", "announce", "call-judge")
"""What the hall must see at once, by its entries in the journal; the raffle's prizes are shown as awards are."""


@blueprint.get("/c/<slug>/hall")
def of_convention(slug: str) -> ResponseReturnValue:
    """The screen that turns through the events of a convention: those in progress, else all that are not over."""
    return turning(slug=_on_screen(slug))


@blueprint.get("/c/<slug>/hall/version")
def convention_version(slug: str) -> ResponseReturnValue:
    return screen_version(slug=_on_screen(slug))


def _on_screen(slug: str) -> str:
    """The address of the event that the screen of this convention shows now. Read apart, so that its page is cached."""
    with Session(current_app.extensions["overseer_engine"]) as s:
        events = seen_events(s, Visitor(), slug) or abort(404)
        by_id = {event.id: event for event in events}
        since = (col(JournalEntry.event_id).in_(by_id), JournalEntry.at > now() - timedelta(seconds=EACH))
        query = select(JournalEntry.event_id).where(col(JournalEntry.verb).in_(PRESSES), *since)
        press = s.exec(query.order_by(col(JournalEntry.id).desc())).first()
    if press is not None:
        return by_id[press].slug
    played = [event for event in events if event.state == EventState.IN_PROGRESS and event.cancelled_at is None]
    shown = played or [event for event in events if event.state != EventState.FINISHED] or events
    return shown[int(now().timestamp()) // EACH % len(shown)].slug


@blueprint.get("/e/<slug>/hall/<view>")
@cached_page()
def fixed(slug: str, view: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    if view not in VIEWS:
        abort(404)
    return _page(event, view)


@blueprint.get("/e/<slug>/hall/version")
@blueprint.get("/e/<slug>/hall/<view>/version")
@cached_page()
def screen_version(slug: str, view: str = "") -> ResponseReturnValue:
    """The version mark of a screen: the event's, the slide and the announcement."""
    event = event_or_404(slug)
    if view and view not in VIEWS:
        abort(404)
    _mark(event, screen(event, view))
    answer = polled(visitor_mark(event).text, event)
    answer.mimetype = "text/plain"
    return answer


def _page(event: Event, view: str) -> ResponseReturnValue:
    shown = screen(event, view)
    _mark(event, shown)
    address = outside_url("public.event", slug=event.slug)
    page = render_template(
        "hall/hall.html",
        screen=shown,
        awards_follow=shown.t.played_out and event.awards_published_at is None and bool(event.awards),
        endings=endings(event, [line.game for line in shown.lines if line.game is not None]),
        address=address,
        code=qr(address) if address else "",
        fit=fit,
        fixed=view,
        news=f"{request.path}/version",
    )
    return polled(page, event)


def _mark(event: Event, shown: Screen) -> None:
    """Set the version mark for this screen."""
    plain = visitor_mark(event)
    ends = [at for at in (plain.until, shown.until) if at is not None]
    text = f"{plain.text}-{shown.slide.view}-{shown.slide.page}-{shown.announcement.id if shown.announcement else 0}"
    g.mark = replace(plain, text=text, until=min(ends, default=None))


def screen(event: Event, fixed_on: str) -> Screen:
    """A screen's current content: a turning screen (``fixed_on`` "") or one fixed on a view."""
    t, view, rounds = tournament_in(event), current_round(public_views_in(event)), event_rounds(event)
    clock = clock_of(event, view, rounds, now()) if view else None
    moment, since, ends = _moment(event, view, clock)
    held = is_embargoed(db(), event, t)
    turning = TURNING[moment]
    if moment == Moment.BETWEEN and event.awards and not event.awards_published_at and t.final:
        turning = ("awards",) if event.awards_shown else ("welcome",)
    raffle = raffle_of(db(), event)
    raffled_at = raffle.shown.prize.shown_at if raffle.shown else None
    raffle_turns = [raffled_at + ROLLS_FOR, raffled_at + ON_SCREEN_FOR] if raffled_at else []
    if raffled_at and now() < raffle_turns[-1] and (moment != Moment.FINDING or raffled_at > since):
        turning = ("raffle",)
    wanted, after = (fixed_on,) if fixed_on else turning, t.counted - held
    live = live_in(event, of_teams=t.rules.teams) if t.counted or t.decided else None
    lists: dict[str, list[ProjectorRow]] = {}
    if "podium" in wanted and event.state == EventState.FINISHED:
        first = podium(_rows(event, t.counted))
        ranked = zip(_ranked(event, first), first, strict=True)
        lists["podium"] = [replace(line, note=str(row.merit)) for line, row in ranked]
    if "names" in wanted:
        lists["names"] = _names(event, view)
    if "pairings" in wanted:
        lists["pairings"] = _pairings(event, view)
    corrected = is_corrected_in(event)
    published = published_rows(event, t) if corrected else []
    if "standings" in wanted and published:
        lists["standings"] = [replace(line, note="") for line in _ranked(event, published)]
    elif "standings" in wanted:
        lists["standings"] = _ranked(event, live.rows if live else _rows(event, after), live)
    slide, turns = showing(slides(wanted, {name: len(lines) for name, lines in lists.items()}), since, now())
    current = announcements_of(db(), event, now())
    place, changes = line_showing(len(current), current[0].at if current else now(), now())
    begins = planned_of(event, rounds).get(t.counted + 1)
    run = prizes(decided(db(), event)) if slide.view == "awards" and event.awards_shown else []
    coming = [at for at in (turns, changes, ends, begins, *raffle_turns) if at is not None and at > now()]
    return Screen(
        moment=moment,
        slide=slide,
        lines=lists.get(slide.view, [])[slide.rows if slide.view in ROWS else slice(None)],
        view=view,
        clock=clock,
        t=t,
        after=after,
        live=None if published else live,
        announcement=current[place] if current else None,
        players=len(placed(players_in(event))),
        next_start=begins if begins is None or not t.counted or begins > now() else None,
        prize=run[min(event.awards_shown, len(run)) - 1] if run else None,
        raffle=raffle,
        rolls=bool(raffle_turns) and now() < raffle_turns[0],
        until=min(coming, default=None),
        corrected=bool(published) or (corrected and slide.view == "awards"),
        calls=tuple(call.table for call in open_calls(db(), event) if not call.taken_by),
    )


def _moment(event: Event, view: RoundView | None, clock: RoundClock | None) -> tuple[Moment, datetime, datetime | None]:
    """The phase of the day, its start, and when it ends by time alone."""
    if event.state == EventState.FINISHED:
        return Moment.OVER, event.changed_at, None
    if view is None or view.round.published_at is None:
        return Moment.BEFORE, event.created_at, None
    if clock is None:
        return Moment.BETWEEN, last_report(db(), view.round) or view.round.published_at, None
    started = view.round.started_at
    if started is not None and (clock.reading.last_game_round or clock.reading.over):
        return Moment.ENDING, started, None
    if started is None or now() < started + FIND_TABLES:
        return Moment.FINDING, view.round.published_at, started + FIND_TABLES if started else None
    return Moment.PLAYING, started, None


def _names(event: Event, view: RoundView | None) -> list[ProjectorRow]:
    """All seated players by name, with their tables; none in a season."""
    if view is None or view.stage.by_days:
        return []
    people = {player.id: player for player in players_in(event)}
    seated = [
        (people[id_], str(game.table_number or no_opponent(game)))
        for game in view.games
        for id_ in (game.a_id, game.b_id)
        if id_ is not None
    ]
    seated.sort(key=lambda row: (by_name(row[0]), row[0].id))
    return [ProjectorRow(label, player.name) for player, label in seated]


def _pairings(event: Event, view: RoundView | None) -> list[ProjectorRow]:
    """The round's tables with the byes last; in a team event its matches; none in a season."""
    if view is None or view.stage.by_days:
        return []
    if view.matches:
        teams, size = names_of(view.teams), view.now.team_size
        return [
            ProjectorRow(
                f"{(match.block - 1) * size + 1}–{match.block * size}" if match.block else gettext("bye"),
                teams[match.a_id],
                teams[match.b_id] if match.b_id else "",
            )
            for match in view.matches
        ]
    people = {player.id: player for player in players_in(event)}
    lines = []
    for game, board in zip(view.games, view.now.boards, strict=True):
        done = game.state == GameState.CONFIRMED and game.b_id is not None
        note = other_note = ""
        if done and (score := board.score) is not None:
            note, other_note = score.shown("a"), score.shown("b")
        elif done and game.absent:
            gone = missing(game, game.absent)
            note, other_note = (gettext("absent") if number in gone else "" for number in (game.a_id, game.b_id))
        a, b = people[game.a_id], people[game.b_id] if game.b_id else None
        lines.append(
            ProjectorRow(
                str(game.table_number or no_opponent(game)), a.name, b.name if b else "", note, other_note, done,
                game if done else None, (board.through or "") if done else "", (a, b), view.title_of(game),
            )
        )  # fmt: skip
    return lines


def _rows(event: Event, complete: int) -> list[Row]:
    return standings_in(event).after(complete) if complete else []


def _ranked(event: Event, rows: Sequence[Row], live: Live | None = None) -> list[ProjectorRow]:
    people = {str(player.id): player for player in players_in(event)}
    lines = []
    for row in rows:
        place = str(row.how.get("place") or row.how.get("ladder", ""))
        vp = f"{minus(row.vp)} {vp_word(event)}" if knows_vp(event) and not place else ""
        more = [vp, str(row.gone)]
        lines.append(
            ProjectorRow(
                gettext("out") if row.disqualified else str(row.rank),
                row.name,
                other="" if place else minus(row.points),
                note=place or ("" if live else row.record),
                span=live.spans.get(row.id) if live else None,
                other_note=", ".join(filter(None, more)),
                players=(people.get(row.id),),
            )
        )
    return lines
