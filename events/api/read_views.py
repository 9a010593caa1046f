"""Reads of the interface: what the pages of an event show to everybody, cached as the pages are."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flask import Blueprint, abort, current_app, json, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, Field
from sqlmodel import col, select
from werkzeug.wrappers import Response

from events.api import reads
from events.api.admission import add_reading_headers, admit_program
from events.api.described import Cursor, Nothing, described_read, paged
from events.api.player_items import payment_item, player_item
from events.api.reads import NOBODY, Keyed
from events.api.schemas import (
    AnnouncementItem,
    AwardItem,
    EventItem,
    GameDetail,
    GameItem,
    ListItem,
    Number,
    PaymentItem,
    PlayerItem,
    RatingItem,
    RoundItem,
    SeriesItem,
    StandingItem,
)
from events.public.ratings_page import has_ratings, rankings
from events.public.series_table import series_events, series_table
from events.standings.loading import asked_round, standings_in
from events.store.games import scenario_in
from events.store.outcomes import lone_board
from events.store.players import player_counts
from events.store.rounds import round_view
from events.visitors import access
from events.visitors.event_loading import players_in, public_views_in
from events.visitors.loading import (
    event_or_404,
    game_or_404,
    player_or_404,
    polled,
    shown_round_or_404,
    visitor,
    visitor_mark,
)
from events.web.page_cache import PageCache, cached_page
from events.web.request import db, now
from models.event import Event, Round

blueprint = Blueprint("read", __name__, url_prefix="/api/v1")
blueprint.before_request(admit_program)
blueprint.after_request(add_reading_headers)


class After(Cursor):
    """After which round."""

    after: Number | None = Field(None, ge=0, le=100, description="The round; by default the last complete one.")


def as_json(event: Event | None, value: Any) -> Response:
    """The value as JSON; with the event's mark, or that of the text, as ETag; and 304 if it is unchanged."""
    text = json.dumps(value)
    if event is not None:
        response = polled(text, event)
    else:
        response = Response(text)
        response.add_etag(weak=True)
        response.make_conditional(request)
    response.mimetype = "application/json"
    return response


def _one(event: Event, item: BaseModel) -> Response:
    return as_json(event, item.model_dump(mode="json"))


def _rows(items: Iterable[Keyed]) -> list[tuple[int, dict[str, Any]]]:
    return [(key, item.model_dump(mode="json")) for key, item in items]


def _page(event: Event | None, rows: Sequence[tuple[int, dict[str, Any]]], asked: Cursor) -> Response:
    """A page of the collection."""
    wanted = list(filter(None, getattr(asked, "fields", "").split(",")))
    rest = [(key, item) for key, item in rows if asked.cursor is None or key > asked.cursor]
    shown = rest[: asked.limit]
    following = str(shown[-1][0]) if len(rest) > len(shown) else None
    entries = [{name: item[name] for name in wanted} if wanted else item for _, item in shown]
    return as_json(event, {"items": entries, "next": following})


def _kept(event: Event, asked: Cursor, made: Callable[[], Iterable[Keyed]]) -> Response:
    """A page of a collection whose items are made once for each state of the event, whatever part is asked for."""
    cache: PageCache = current_app.extensions["overseer_page_cache"]
    name = f"items of {request.path} {getattr(asked, 'after', None)}"
    text = cache.get(event.id, name, visitor_mark(event).text, lambda: json.dumps(_rows(made())))
    return _page(event, json.loads(text), asked)


@blueprint.get("/events")
@described_read(*paged(EventItem))
def list_events(asked: Cursor) -> ResponseReturnValue:
    """The events of the front page, oldest first."""
    listed = [
        event for event in db().exec(select(Event).order_by(col(Event.id))) if access.is_listed_for(NOBODY, event)
    ]
    counts = player_counts(db(), listed)
    items = ((event.id, reads.event_item(event, counts[event.id], now())) for event in listed)
    return _page(None, _rows(items), asked)


@blueprint.get("/events/<slug>")
@cached_page()
@described_read(EventItem)
def get_event(_: Nothing, slug: str) -> ResponseReturnValue:
    """An event."""
    event = event_or_404(slug)
    return _one(event, reads.event_item(event, player_counts(db(), [event])[event.id], now()))


@blueprint.get("/events/<slug>/players")
@cached_page()
@described_read(*paged(PlayerItem))
def list_players(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The players of an event, by id."""
    event = event_or_404(slug)
    return _kept(event, asked, lambda: reads.player_items(event, players_in(event)))


@blueprint.get("/events/<slug>/players/<int:player_id>")
@cached_page()
@described_read(PlayerItem)
def get_player(_: Nothing, slug: str, player_id: int) -> ResponseReturnValue:
    """A player."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    if not access.may_see_entry(NOBODY, event, player):
        abort(404)
    return _one(event, player_item(event, player))


@blueprint.get("/events/<slug>/payments")
@described_read(*paged(PaymentItem), with_token=True)
def list_payments(asked: Cursor, slug: str) -> ResponseReturnValue:
    """What each player pays, has paid and is due back, by id. Only with a token that may mark players as paid."""
    event = event_or_404(slug)
    if not access.may_see_money(visitor(), event):
        abort(403)
    players = event.players
    return _page(None, _rows((player.id, payment_item(event, player)) for player in players), asked)


@blueprint.get("/events/<slug>/lists")
@cached_page()
@described_read(*paged(ListItem))
def list_lists(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The locked lists by their players’ ids, once everybody may read them; before that none."""
    event = event_or_404(slug)
    return _kept(event, asked, lambda: reads.list_items(event, players_in(event), now()))


@blueprint.get("/events/<slug>/rounds")
@cached_page()
@described_read(*paged(RoundItem))
def list_rounds(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The rounds of an event, planned ones too. A round that is drawn and not published reads as planned.

    Before round 1 of a knockout or round robin they are those that its players now would play.
    """
    event = event_or_404(slug)
    return _kept(
        event,
        asked,
        lambda: reads.round_items(event, public_views_in(event), player_counts(db(), [event])[event.id], now()),
    )


@blueprint.get("/events/<slug>/announcements")
@described_read(*paged(AnnouncementItem))
def list_announcements(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The announcements that the pages show now, oldest first."""
    event = event_or_404(slug)
    return _page(None, _rows(reads.announcement_items(db(), event, now())), asked)


@blueprint.get("/events/<slug>/rounds/<int:number>/games")
@cached_page()
@described_read(*paged(GameItem))
def list_games(asked: Cursor, slug: str, number: int) -> ResponseReturnValue:
    """The games of a published round by table, with pairings and results."""
    event = event_or_404(slug)
    the_round = shown_round_or_404(event, number)
    return _kept(event, asked, lambda: reads.game_items([round_view(event, the_round)]))


@blueprint.get("/events/<slug>/results")
@cached_page()
@described_read(*paged(GameItem))
def list_results(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The games of all published rounds, by round and table."""
    event = event_or_404(slug)
    return _kept(event, asked, lambda: reads.game_items(public_views_in(event)))


@blueprint.get("/events/<slug>/games/<int:game_id>")
@cached_page()
@described_read(GameDetail)
def get_game(_: Nothing, slug: str, game_id: int) -> ResponseReturnValue:
    """A game of a published round, with the questions that a report of it answers."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)
    the_round = db().get_one(Round, game.round_id)
    board = lone_board(event, the_round.number, scenario_in(db(), event, the_round, game), game)
    return _one(event, reads.game_detail(game, board))


@blueprint.get("/events/<slug>/standings")
@cached_page()
@described_read(*paged(StandingItem, After))
def list_standings(asked: After, slug: str) -> ResponseReturnValue:
    """The standings after the last complete round or an earlier one; in a team event those of the teams."""
    event = event_or_404(slug)
    return _kept(event, asked, lambda: reads.standing_items(event, standings_in(event), asked_round(event)[0]))


@blueprint.get("/events/<slug>/awards")
@cached_page()
@described_read(*paged(AwardItem))
def list_awards(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The awards, once they are published; before that there is nothing at this address."""
    event = event_or_404(slug)
    if not access.may_see_awards(NOBODY, event):
        abort(404)
    return _kept(event, asked, lambda: reads.award_items(db(), event))


@blueprint.get("/ranking/<system_id>")
@described_read(*paged(RatingItem))
def list_ratings(asked: Cursor, system_id: str) -> ResponseReturnValue:
    """The club’s ranking in a game system, provisional ratings last; without a ranking nothing is at this address."""
    rows = rankings() if has_ratings() else {}
    if system_id not in rows:
        abort(404)
    return _page(None, _rows(reads.rating_items(rows[system_id][0])), asked)


@blueprint.get("/series/<slug>")
@described_read(*paged(SeriesItem))
def list_series(asked: Cursor, slug: str) -> ResponseReturnValue:
    """The points table of a series; no items without a table."""
    events = series_events(db(), NOBODY, slug) or abort(404)
    return _page(None, _rows(reads.series_items(series_table(events))), asked)
