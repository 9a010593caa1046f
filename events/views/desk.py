"""The organiser's desk: what to do now, players and check-in, lists, the journal."""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import col, select
from wtforms import BooleanField, SelectField
from wtforms.fields import SelectChoice

from events import access, journal_pages
from events.actions import arrivals, payments, players, taking_part, teams
from events.actions import events as event_actions
from events.actions.pasted import Pasted, parts_of_line, register_pasted
from events.doubles import first_name
from events.errors import Refused
from events.finding import history
from events.journal_readers import Reader
from events.list_points import list_points
from events.reading import (
    factions_of,
    forces_of,
    placed,
    places_left,
    players_of,
    seals_of,
    system_of,
    terms_of,
)
from events.table_numbers import MOST_TABLES
from events.team_reading import names_of, teams_of
from events.views.byes import ByeForm, part_in_rounds
from events.views.desk_parts import views_of, warnings_of
from events.views.fields import lines, name_text, number, show_at_field
from events.views.link_mails import can_mail_link
from events.views.player_table import player_table
from events.views.press import pressed
from events.views.readiness import groups_of, list_entry, steps_of
from events.views.registration import RegisterForm, qr
from events.views.request import (
    actor,
    changing,
    db,
    managed_event,
    now,
    player_or_404,
    polled,
    private_link,
    visitor,
)
from events.views.way_back import done_line, noted, way_back
from models.event import Event

blueprint = Blueprint("desk", __name__)


class WalkInForm(RegisterForm):
    """A player at the desk."""

    name = name_text("Name", 80)
    here = BooleanField("Check in at once", default=True)
    partner_needed = mail_offered = code_asked = False


class PasteForm(FlaskForm):
    """Many players at once."""

    names = lines(
        "List of names",
        40_000,
        required=True,
    )


class PlayerForm(FlaskForm):
    """What the organiser can correct of a player."""

    name = name_text("Name", 80)
    partner = name_text("Partner", 80, required=False)
    club = name_text("Club", 80, required=False)
    faction = SelectField("Faction")
    painted = BooleanField("The force is fully painted")
    list_points_set = number("Points for the list", -100, 100, required=False)
    painting = number(
        "Painting", 0, 100, required=False, description="Your own figure. Empty: as it is judged or voted, else 0."
    )
    sportsmanship = number(
        "Sportsmanship", 0, 100, required=False, description="Your own figure. Empty: as opponents mark, else 0."
    )
    fixed_table = number("Fixed table", 1, MOST_TABLES, required=False)


@blueprint.get("/desk")
def home() -> ResponseReturnValue:
    """Every event that the visitor helps to run, newest first, with what they are there."""
    who = visitor()
    if who.account is None:
        return redirect(url_for("account.sign_in"))
    query = (
        select(Event).where(col(Event.id).in_(who.roles)).order_by(col(Event.starts_on).desc(), col(Event.id).desc())
    )
    found = db().exec(query).all()
    counts = {event.id: len(placed(players_of(db(), event))) for event in found}
    return render_template("desk/home.html", events=found, counts=counts, roles=who.roles)


@blueprint.get("/e/<slug>/desk")
def desk(slug: str) -> ResponseReturnValue:
    """One page that says what to do now."""
    event = managed_event(slug)
    entered = players_of(db(), event)
    views = views_of(event)
    latest = journal_pages.found(db(), Reader(visitor(), event), journal_pages.Wanted())
    page = render_template(
        "desk/desk.html",
        steps=steps_of(event, entered, views),
        groups=groups_of(event, entered, views),
        opened=request.args.get("open", ""),
        done=done_line(event),
        players=placed(entered),
        here=sum(p.state == "checked_in" for p in entered),
        waiting=sum(p.state == "waiting" for p in entered),
        places_left=places_left(event, entered),
        views=views,
        journal=[entry for entry, _ in latest[:8]],
    )
    return polled(page, event)


@blueprint.route("/e/<slug>/desk/players", methods=["GET", "POST"], endpoint="players")
def players_page(slug: str) -> ResponseReturnValue:
    """The players with their states, walk-ins, a pasted list of names."""
    event = managed_event(slug)
    # Each form reads only its own press: the other keeps its defaults.
    pressed = request.form.get("do", "")
    walk_in = WalkInForm(prefix="w") if pressed == "walk-in" else WalkInForm(None, prefix="w")
    paste = PasteForm(prefix="p") if pressed == "paste" else PasteForm(None, prefix="p")
    first, *others = parts_of_line(event)
    paste.names.description = (
        f"One player a line: {'; '.join((first, *others))}. All but the {first} may be left out; tabs from a "
        "spreadsheet are taken as well."
    )
    walk_in.offer(event)
    pasted: list[Pasted] = []
    if pressed == "walk-in" and walk_in.validate():
        try:
            with changing(event) as s:
                player = teams.enter(
                    s, event, walk_in.name.data, walk_in.club.data, walk_in.faction.data, actor(event), now(),
                    here=walk_in.here.data, team=walk_in.asked("team"), partner=walk_in.asked("partner"),
                )  # fmt: skip
        except Refused as refused:
            show_at_field(walk_in, refused)
        else:
            flash(f"{player.name} is entered.", "success")
            return redirect(url_for("desk.players", slug=slug))
    if pressed == "paste" and paste.validate():
        try:
            with changing(event) as s:
                pasted = register_pasted(s, event, paste.names.data, actor(event), now())
        except Refused as refused:
            show_at_field(paste, refused)
        else:
            # The lines that could not be taken stay in the box, to be mended and sent again.
            paste.names.data = "\n".join(line.line for line in pasted if line.player is None)
    entered = players_of(db(), event)
    wrong = walk_in.errors or paste.errors
    page = render_template(
        "desk/players.html",
        table=player_table(event, entered, warnings_of(event), request.args, now()),
        select_all=request.args.get("select") == "all",
        teams=names_of(teams_of(db(), event)),
        entered=len(entered),
        expected=sum(p.state == "registered" for p in entered),
        forces=forces_of(db(), event) if access.may_read_lists(visitor(), event) else {},
        done=done_line(event),
        walk_in=walk_in,
        paste=paste,
        pasted=pasted,
        places_left=places_left(event, entered),
        here=sum(p.state == "checked_in" for p in entered),
    )
    return page, 422 if wrong else 200


PLAYER_ACTIONS: dict[str, Callable[..., None]] = {
    "check-in": players.check_in,
    "check-in-painted": players.check_in_painted,
    "undo-check-in": players.undo_check_in,
    "give-place": players.give_place,
    "drop": players.drop,
    "drop-later": partial(players.drop, at_once=False),
    "check-in-paid": arrivals.check_in_paid,
    "paid": payments.mark_one_paid,
    "unpaid": payments.mark_one_unpaid,
    "reinstate": players.reinstate,
    "renew-link": players.renew_link,
    "stand-in": taking_part.make_ringer,
    "no-stand-in": taking_part.unmake_ringer,
}


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/<verb>")
def act_on_player(slug: str, player_id: int, verb: str) -> ResponseReturnValue:
    """One press: check in, drop, bring back, give a place, renew the private link."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    if verb not in PLAYER_ACTIONS:
        abort(404)
    did: list[int] = []
    with noted(event, did) as s:
        PLAYER_ACTIONS[verb](s, event, player, actor(event), now())
    if request.form.get("back"):
        return way_back(event, url_for("desk.player", slug=slug, player_id=player_id), did)
    if verb in ("check-in", "check-in-painted", "undo-check-in"):
        return redirect(url_for("desk.players", slug=slug, _anchor=f"player-{player_id}"))
    return redirect(url_for("desk.player", slug=slug, player_id=player_id))


@blueprint.route("/e/<slug>/desk/players/<int:player_id>", methods=["GET", "POST"])
def player(slug: str, player_id: int) -> ResponseReturnValue:
    """One player: corrections, the private link, drop or bring back."""
    event = managed_event(slug)
    the_player = player_or_404(event, player_id)
    form = PlayerForm(obj=the_player)
    if request.method == "GET":
        form.name.data = first_name(the_player.name, the_player.partner)
        form.painting.data, form.sportsmanship.data = players.by_hand(the_player)
    if not (event.doubles or the_player.partner):
        del form.partner
    factions = factions_of(db(), event)
    words = system_of(event).words
    form.faction.label.text, form.painted.label.text = words.faction.capitalize(), f"The {words.force} is fully painted"
    form.faction.choices = [SelectChoice("", "Not decided yet"), *map(SelectChoice, factions)]
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                players.change_player(
                    s, event, the_player, form.name.data, form.club.data, form.faction.data, form.painted.data,
                    form.list_points_set.data, actor(event), now(), partner=form.partner.data if form.partner else "",
                    marks=(form.painting.data, form.sportsmanship.data),
                    fixed_table=form.fixed_table.data,
                )  # fmt: skip
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Saved.", "success")
            return redirect(url_for("desk.player", slug=slug, player_id=player_id))
    # Only staff who may see the link are sent it; the others can mail it to the player.
    address = private_link(the_player) if access.may_see_private_links(visitor(), event) else ""
    reckoned = list_points(event, the_player, seals_of(db(), event).get(the_player.id, ()), terms_of(db(), event))
    page = render_template(
        "desk/player.html",
        player=the_player,
        form=form,
        address=address,
        qr=qr(address) if address else "",
        can_mail_link=can_mail_link(event, the_player),
        reckoned=reckoned,
        byes=ByeForm(None),
        played=history(db(), event, the_player),
        list_entry=list_entry(event, the_player),
        **part_in_rounds(event, the_player),
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/open-registration")
def open_registration(slug: str) -> ResponseReturnValue:
    """Show the event to everybody."""
    return _step(managed_event(slug), event_actions.open_registration, "Registration is open.")


@blueprint.post("/e/<slug>/desk/finish")
def finish(slug: str) -> ResponseReturnValue:
    """Close the event."""
    return _step(managed_event(slug), event_actions.finish, "The event is closed; the standings are final.")


@blueprint.post("/e/<slug>/desk/reopen")
def reopen(slug: str) -> ResponseReturnValue:
    """Open a closed event again, for a correction."""
    return _step(managed_event(slug), event_actions.reopen, "The event is open again.")


def _step(event: Event, action: Callable[..., None], said: str) -> ResponseReturnValue:
    with pressed(event, said) as s:
        action(s, event, actor(event), now())
    return redirect(url_for("desk.desk", slug=event.slug))
