"""The organiser's desk: the next step of an event for the visitor, the desk's groups, and the search."""

from collections.abc import Callable, Sequence

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import col, select

from events.charts.shares import dial
from events.desk.navigation import coming_event, deletion_steps, mail_steps, table_steps
from events.desk.readiness import KINDS, Group, board
from events.journal import queries as journal_queries
from events.journal.readers import Reader
from events.lists.queries import lists_in, lists_of_players
from events.public.listed import MOST_NAMED, how_far, winners
from events.registration.check_in import check_in_many, undo_entry, undoable_entry
from events.registration.conventions import clashes
from events.registration.one_click import done_entry, mark_paid_as_sent, redirect_back, saving_undoable
from events.registration.payments import give_back
from events.registration.search import LONGEST, MOST_FOUND, search
from events.store.act import Act
from events.store.clock_queries import RoundClock, clock_of
from events.store.players import places_taken, player_counts, players_by_id
from events.store.rounds import RoundView, current_round, is_unbegun, never_played
from events.store.verdicts import forces_of, terms_of
from events.visitors import access
from events.visitors.event_loading import loaded_in, players_in, warnings_of
from events.visitors.loading import event_rounds, managed_event, may_open, polled, require, views_of, visitor
from events.web.request import db, id_in, now
from languages.words import N_, gettext
from models.event import Event, EventState
from models.play import Game, GameState, Player, PlayerState
from service.health import copies_elsewhere
from service.settings import Settings

blueprint = Blueprint("desk", __name__)


MOST_AT_ONCE = 2000


def groups_of(event: Event) -> list[Group]:
    players = players_in(event)
    lists = lists_of_players(event, players, forces_of(event), terms_of(event), now())
    twice = {id_: [other.name for other in others] for id_, others in clashes(db(), visitor(), event, players).items()}
    groups = board(loaded_in(event), lists, clock_in_play(event), now(), warnings_of(event), twice)
    return [group for group in groups if group.kind.question(visitor(), event)]


def clock_in_play(event: Event) -> RoundClock | None:
    """The clock of the current round, by which the board's lines of tables read theirs."""
    view = current_round(views_of(event))
    return clock_of(event, view, event_rounds(event), now()) if view else None


@blueprint.get("/e/<slug>/desk/ready/<key>")
def readiness_group(slug: str, key: str) -> ResponseReturnValue:
    event = managed_event(slug)
    if key not in KINDS:
        abort(404)
    require(KINDS[key].question, event)
    groups = groups_of(event)
    page = render_template(
        "desk/ready.html",
        key=key,
        kind=KINDS[key],
        group=next((group for group in groups if group.key == key), None),
        others=[group for group in groups if group.key != key],
        clock=clock_in_play(event),
        done=done_entry(event),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/ready/<verb>")
def check_in_several(slug: str, verb: str) -> ResponseReturnValue:
    event = managed_event(slug)
    if verb not in SEVERAL:
        abort(404)
    ids = {id_in(raw) for raw in request.form.getlist("chosen")[:MOST_AT_ONCE]} - {None}
    did: list[int] = []
    with saving_undoable(event, did) as act:
        everybody = players_by_id(event)
        SEVERAL[verb](act, [everybody[id_] for id_ in everybody if id_ in ids])
    if not ids:
        flash(gettext("Nothing was done: tick at least one player first."), "error")
    return redirect_back(event, url_for("desk.desk", slug=slug), did)


@blueprint.post("/e/<slug>/desk/presses/<int:entry_id>/undo")
def undo_press(slug: str, entry_id: int) -> ResponseReturnValue:
    """Undo a check-in or a payment, for all of its players."""
    event = managed_event(slug)
    entry = undoable_entry(db(), event, entry_id)
    if entry is None:
        abort(404)
    if done_entry(event, entry_id) is None:
        abort(403)
    with saving_undoable(event, [], gettext("Undone.")) as act:
        undo_entry(act, entry)
    return redirect_back(event, url_for("desk.desk", slug=slug), [])


def _check_in(act: Act, chosen: Sequence[Player]) -> None:
    for refusal in check_in_many(act, chosen)[1]:
        flash(refusal, "error")


SEVERAL: dict[str, Callable[[Act, Sequence[Player]], object]] = {
    "check-in": _check_in, "paid": mark_paid_as_sent, "give-back": give_back,
}  # fmt: skip


@blueprint.get("/desk")
def desk_home() -> ResponseReturnValue:
    """The events that the visitor helps to run, newest first, with the visitor's roles."""
    who = visitor()
    if who.account is None:
        return redirect(url_for("accounts.sign_in"))
    query = (
        select(Event).where(col(Event.id).in_(who.roles)).order_by(col(Event.starts_on).desc(), col(Event.id).desc())
    )
    events = db().exec(query).all()
    kept = [event for event in events if event.cancelled_at is None]
    over = [event for event in kept if event.state == EventState.FINISHED]
    settings: Settings = current_app.extensions["overseer_settings"]
    return render_template(
        "desk/home.html",
        elsewhere=settings.backup_to
        and access.may_run_club(who)
        and copies_elsewhere(settings.data, settings.backup_to),
        events=events,
        unplayed=[event for event in events if never_played(event, now())],
        counts=player_counts(db(), events),
        roles=who.roles,
        how_far=how_far(db(), [event for event in kept if event.state == EventState.IN_PROGRESS], now()),
        won={event.id: winners(event) for event in over[:MOST_NAMED]},
    )


@blueprint.get("/e/<slug>/desk")
def desk(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    entered = players_in(event)
    views = views_of(event)
    latest = journal_queries.found(db(), Reader(visitor(), event), journal_queries.Wanted())
    playing = [view for view in views if view.state == "playing"]
    clock = clock_of(event, playing[-1], event_rounds(event), now()) if playing else None
    late = clock is not None and clock.reading.over
    page = render_template(
        "desk/desk.html",
        steps=[
            *(mail_steps(event) if may_open("messages.all") else ()),
            *(table_steps(event) if may_open("settings.change_section", section="tables") else ()),
            *(deletion_steps(event) if may_open("settings.overview") else ()),
        ],
        coming=coming_event(event),
        clock=clock,
        # Tables that are still playing need attention once the time is over; until then the clock's tables show them.
        groups=[group for group in groups_of(event) if late or group.key != "playing"],
        opened=request.args.get("open", ""),
        done=done_entry(event),
        dials=progress_dials(event, entered, count=player_counts(db(), [event])[event.id]),
        tables=tables_in(playing[-1]) if playing else [],
        journal=journal_queries.folded_lines(db(), journal_queries.joined_lines(entry for entry, _ in latest))[:5],
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/desk/search")
def search_page(slug: str) -> ResponseReturnValue:
    """Players by name, club, team, table or sheet code, with the staff's data of each; ``?q=``.

    Redirects to the only match, unless ``show=list``, as while typing.
    """
    event = managed_event(slug)
    typed = request.args.get("q", "").strip()[:LONGEST]
    lists = access.may_read_lists(visitor(), event)
    found_players, count, view = search(db(), event, typed, now(), lists=lists)
    if count == 1 and request.args.get("show") != "list":
        return redirect(url_for("players.player_details", slug=slug, player_id=found_players[0].player.id))
    return render_template(
        "desk/search.html",
        typed=typed,
        found=found_players,
        more=max(0, count - MOST_FOUND),
        view=view,
        lists=lists,
        name_warnings=warnings_of(event) if found_players else {},
    )


SIGNS = {GameState.CONFIRMED: "check", GameState.REPORTED: "clock", GameState.DISPUTED: "cross"}
SAID = {
    GameState.OPEN: N_("playing"), GameState.CONFIRMED: N_("done"), GameState.REPORTED: N_("one report"),
    GameState.DISPUTED: N_("disputed"),
}  # fmt: skip


def progress_dials(event: Event, players: Sequence[Player], *, count: int) -> list[tuple[Markup, str]]:
    """A ring, with its words, for each thing to complete before the first round. ``count``: players with a place."""
    rings: list[tuple[str, int, int]] = []
    if is_unbegun(event):
        if event.places:
            rings.append((gettext("places taken"), places_taken(event, players), event.places))
        submitted, needed = lists_in(db(), event, players)
        if needed:
            rings.append((gettext("lists submitted"), submitted, needed))
    if event.state == EventState.REGISTRATION and event.season is None:
        rings.append((gettext("checked in"), sum(p.state == PlayerState.CHECKED_IN for p in players), count))
    return [
        (dial(f"dial-{i}", part, whole, f"{part}/{whole}", words), words)
        for i, (words, part, whole) in enumerate(rings)
    ]


def tables_in(view: RoundView) -> list[tuple[Game, str, str | None]]:
    """The round's games at a table, in the order of the tables, each with its state in a word and its icon."""
    words = SAID if view.now.begun else SAID | {GameState.OPEN: N_("waiting")}
    games = sorted((game for game in view.games if game.table_number), key=lambda game: game.table_number or 0)
    return [(game, gettext(words[game.state]), SIGNS.get(game.state)) for game in games]
