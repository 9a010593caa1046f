"""What every view needs of a request: the session, the visitor, the time, the event of the address."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import abort, current_app, g, request, session, url_for
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session
from werkzeug.wrappers import Response

from events import access, access_play
from events.access import is_of_staff
from events.actions import locks, players
from events.brackets import format_pages, stage_of
from events.clock_reading import announcements_of, clock_of
from events.live import Mark, mark_of
from events.mail_settings import MailServer
from events.meetings import published_meeting
from events.moments import in_utc
from events.outcomes import ENDINGS, ending_words
from events.private_links import is_link_of, link_token, player_id_in
from events.public_address import LOOPBACK
from events.reading import edition_of, event_shown_at, list_size, player_of, round_of, system_of
from events.rounds_in_short import RoundInShort, rounds_in_short
from events.rulings import won_by_card, words_of
from events.settings import Settings
from events.sign_ins import new_sign_in, player_key, visitor_of
from events.soft_rules import soft_rules
from events.soft_scores import has_voted, is_judged, marks_open, vote_open
from events.team_reading import team_name
from events.views.figures import with_figures
from events.views.questions import question_of
from events.visitor import Visitor
from events.web.page_cache import shared
from events.web.snapshot import ClockFacts, Snapshot, clock_facts, snapshot_of
from models.db import write
from models.event import Event, Round, RoundState
from models.journal import NOBODY, Actor
from models.play import Game, Player
from validators import SYSTEMS
from validators.measures import measured

log = logging.getLogger(__name__)

LONGEST_ID = 2**31 - 1
MOST_ROUNDS = 1000


def now() -> datetime:
    """The server's time, the same for the whole request."""
    if "now" not in g:
        g.now = current_app.extensions["overseer_clock"]()
    moment: datetime = g.now
    return moment


def mail_server() -> MailServer | None:
    """Where mail is handed over; None where none is set. Nothing in a request ever speaks to it."""
    server: MailServer | None = current_app.extensions["overseer_mail"]
    return server


def db() -> Session:
    """The request's database session, for reading; changes go through ``changing``."""
    if "session" not in g:
        g.session = Session(current_app.extensions["overseer_engine"])
    opened: Session = g.session
    return opened


@contextmanager
def changing(event: Event | None = None, *, public: bool = True) -> Iterator[Session]:
    """Open the write transaction of a change. It commits at the end, or does nothing at all.

    ``public=False``: the change is one to the draft of a round, which only the staff see.
    """
    with write(db(), now(), event, _acting(event) if event is not None else NOBODY, public=public) as s:
        yield s


def visitor() -> Visitor:
    """Who sent the request, read afresh from the database: rights end the moment that they are taken."""
    if "visitor" not in g:
        g.visitor = visitor_of(db(), session, now())
    known: Visitor = g.visitor
    return known


def actor(event: Event) -> str:
    """What the journal calls the visitor: by the role in which they act here."""
    return _acting(event).name


def _acting(event: Event) -> Actor:
    return visitor().acting_in(event, at_desk=is_of_staff(request.url_rule.rule if request.url_rule else ""))


def event_or_404(slug: str, *, settle: bool = True) -> Event:
    """The event of the address, where the visitor may see it.

    ``settle``: store first what the deadline of the lists has done. A report is no matter of lists.
    """
    own = next((event for event in visitor().events.values() if event.slug == slug), None)
    event = own or event_shown_at(db(), slug, visitor().roles)
    if event is None or not access.may_see_event(visitor(), event):
        abort(404)
    g.event = event
    if settle:
        _store_what_the_clock_did(event)
    return event


def _store_what_the_clock_did(event: Event) -> None:
    """The first request after a deadline stores the lock; what anybody may see does not wait for it."""
    if not locks.is_due(db(), event, now(), _clock_facts(event).unlocked):
        return
    try:
        with changing(event) as s:
            locks.settle(s, event, now())
    except (DBAPIError, StaleDataError):
        # A full disk or a busy database: the clock says the same to the next request.
        log.warning("the lock of the lists of %s could not be stored", event.slug, exc_info=True)


def managed_event(slug: str) -> Event:
    """The event of a desk's address, where the visitor may do what the address is for (``questions``)."""
    event = event_or_404(slug)
    if not question_of(request.endpoint or "", request.view_args or {}, request.method)(visitor(), event):
        abort(403)
    return event


def player_or_404(event: Event, player_id: int) -> Player:
    """A player of this event by the id in the address."""
    player = player_of(db(), event, player_id) if player_id <= LONGEST_ID else None
    if player is None:
        abort(404)
    return player


def round_or_404(event: Event, number: int) -> Round:
    """The round of the address, drawn or not: for the desk."""
    the_round = round_of(db(), event, number) if number < MOST_ROUNDS else None
    if the_round is None:
        abort(404)
    return the_round


def shown_round_or_404(event: Event, number: int) -> Round:
    """The round of the address, once the visitor may see its pairings; what it was drawn from is not read before."""
    short = next((one for one in _rounds(event) if one.number == number), None)
    if short is None or not access_play.may_see_round(visitor(), event, short):
        abort(404)
    return db().get_one(Round, short.id)


def game_or_404(event: Event, game_id: int) -> Game:
    """A game at a table of a published round of this event, by the id in the address."""
    game = db().get(Game, game_id) if game_id <= LONGEST_ID else None
    if game is None or game.b_id is None:
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    if the_round.event_id != event.id or the_round.state != RoundState.PUBLISHED:
        abort(404)
    return game


def own_player_or_403(event: Event) -> Player:
    """The visitor's own entry."""
    player = visitor().player_in(event)
    if player is None:
        abort(403)
    return player


def private_link(player: Player) -> str:
    """The player's private address, to hand out; it ends when the link is renewed."""
    return outside_url("registration.enter", token=link_token(current_app.secret_key, player))


def outside_url(endpoint: str, **values: Any) -> str:
    """A whole address to hand out: under OVERSEER_ADDRESS where it is set, else under the name that was asked for.

    A name of this machine alone is replaced by its address in the network, where phones can reach that.
    """
    settings: Settings = current_app.extensions["overseer_settings"]
    here = urlsplit(request.host_url).hostname in LOOPBACK
    if server := settings.public or (settings.address_for_phones if here else ""):
        return server + url_for(endpoint, **values)
    return url_for(endpoint, **values, _external=True)


def player_by_token(token: str) -> Player | None:
    """The player whose private link has this token; None if it is nobody's, or was renewed."""
    id_ = player_id_in(token)
    player = db().get(Player, id_) if id_ is not None else None
    return player if player is not None and is_link_of(current_app.secret_key, token, player) else None


def remember_player(player: Player) -> None:
    """Sign this browser in as the player."""
    session.permanent = True
    if not visitor().is_player(player):  # a sign-in that still holds stays as it is
        one = new_sign_in(player.id, player_key(player), now())
        session["players"] = session.get("players", {}) | {str(player.event_id): one}
    g.pop("visitor", None)


def mark(event: Event) -> Mark:
    """The mark of the event for the visitor, the same for the whole request."""
    if "mark" not in g:
        g.mark = mark_of(event, visitor(), now(), _clock_facts(event).turns)
    found: Mark = g.mark
    return found


def polled(body: str, event: Event) -> Response:
    """A page that follows the event: sent again only when the event's mark is another one for this visitor."""
    response = Response(body, mimetype="text/html")
    response.set_etag(mark(event).text, weak=True)
    response.headers["Server-Now"] = now().isoformat()
    # What is kept for others is made whole, whatever this visitor has already.
    return response if g.get("for_cache") else response.make_conditional(request)


def local(moment: datetime | None, event: Event, form: str = "%a %-d %b %Y, %H:%M") -> str:
    """A moment as a clock at the event's place shows it."""
    return moment.astimezone(ZoneInfo(event.timezone)).strftime(form) if moment else ""


def template_context() -> dict[str, Any]:
    """What every template may use."""
    who = visitor()
    event = g.get("event")
    return {
        "signed_in": who.account.name if who.account else None,
        "visitor": who,
        "me": who.player_in(event) if event is not None else None,
        "event": event,
        "system": system_of(event) if event is not None else None,
        "edition": edition_of(db(), event) if event is not None else None,
        "sees_desk": event is not None and access.may_see_desk(who, event),
        "runs_club": access.may_run_club(who),
        "now_text": now().strftime("%Y-%m-%d %H:%M UTC"),
    }


def snapshot(event: Event) -> Snapshot:
    """What the pages of all players of the event share."""
    g.snapshot = shared(event, "snapshot", lambda: snapshot_of(db(), event))
    found: Snapshot = g.snapshot
    return found


def _clock_facts(event: Event) -> ClockFacts:
    return shared(event, "clock", lambda: clock_facts(db(), event))


def _rounds(event: Event) -> Sequence[RoundInShort]:
    """The event's rounds, read once for all that a page asks of them."""
    if "snapshot" in g:
        known: Snapshot = g.snapshot
        return known.rounds
    if "rounds" not in g:
        g.rounds = rounds_in_short(db(), event)
    found: Sequence[RoundInShort] = g.rounds
    return found


def lost_side(game: Game) -> str:
    """The side of the event's game that is lost by a card, "A" or "B"; "" where none is."""
    event: Event = g.event
    if not event.rulings:
        return ""
    number = next((one.number for one in _rounds(event) if one.id == game.round_id), 0)
    return {"a": "B", "b": "A", None: ""}[won_by_card(event, number, game)]


def latest_round(event: Event) -> int:
    """The number of the newest round that is published; 1 before the first is."""
    return max((one.number for one in _rounds(event) if one.state == RoundState.PUBLISHED), default=1)


# Functions and tables that templates and their macros may use; macros see no context, only these.
TEMPLATE_GLOBALS: dict[str, Any] = {
    "outside_url": outside_url,
    "endings": ENDINGS,
    "ending_words": ending_words,
    "measured": lambda scenario, system: measured(scenario, system.rulers),
    "local": local,
    "utc_beside": lambda iso, zone: in_utc(datetime.fromisoformat(iso), zone),
    "systems": SYSTEMS,
    "paint_first": players.paint_first,
    "with_figures": with_figures,
    "list_size": list_size,
    "team_name": lambda player: team_name(db(), player),
    "round_clock": lambda event, view: clock_of(event, view, _rounds(event), now()),
    "announced": lambda event: announcements_of(db(), event),
    "event_mark": lambda event: mark(event).text,
    "server_time": lambda: now().isoformat(),
    "hour_now": lambda event: local(now(), event, "%H:%M"),
    "latest_round": latest_round,
    "stage_of": stage_of,
    "meeting_shown": lambda event: published_meeting(db(), event) is not None,
    "card_loss": lost_side,
    "rulings_words": words_of,
    "vote_open": vote_open,
    "has_voted": lambda player: has_voted(db(), player),
    "is_judged": lambda player: is_judged(db(), player),
    "marks_open": marks_open,
    "soft_rules": soft_rules,
    "format_pages": lambda event: format_pages(event, _rounds(event)),
}
