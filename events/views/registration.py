"""Players: signing up, the private link, today's page."""

from collections.abc import Iterable

import segno
from flask import Blueprint, abort, flash, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from markupsafe import Markup
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired

from events import access
from events.actions import messages, players, teams
from events.clock_reading import rounds_in_short
from events.errors import Refused
from events.meetings import published_meeting, table_of
from events.reading import (
    factions_of,
    fielded_of,
    force_of,
    list_size,
    places_left,
    player_of,
    players_of,
    round_view,
    seals_by,
    system_of,
    terms_of,
    verdict_on,
)
from events.team_reading import captain_of, chosen_by, is_team_event, own_match, team_of
from events.views.fields import mail_address, show_at_field, text
from events.views.request import (
    actor,
    changing,
    db,
    event_or_404,
    now,
    own_player_or_403,
    player_by_token,
    polled,
    private_link,
    remember_player,
    visitor,
)
from events.words import shown_when
from models.event import Event, Round, RoundState
from models.play import Player
from validators.restrictions import from_document

blueprint = Blueprint("registration", __name__)


class RegisterForm(FlaskForm):
    """What a player gives to sign up."""

    name = text("Your name", 80, description="As it shall stand on pairings and standings.")
    club = text("Club", 80, required=False, description="Club mates do not meet in round 1 where that can be helped.")
    faction = SelectField("Faction", validate_choice=True)
    partner = text("Your partner’s name", 80, required=False, description="The two share one side and one force.")
    team = text(
        "Team",
        80,
        required=False,
        description="As your team mates write it: the first of you makes the team, the others join it. Leave it empty "
        "if you have none yet.",
    )
    mail = mail_address("Mail address", description="For messages from the organiser. Only organisers see it.")
    partner_needed = True
    mail_offered = True

    def offer(self, event: Event) -> None:
        """Fill the choice of factions from the event's edition; take out what this event does not ask."""
        if not event.doubles:
            del self.partner
        elif self.partner_needed:
            self.partner.validators = [DataRequired("Please fill in: your partner’s name."), *self.partner.validators]
            self.partner.flags.optional = False
        if not is_team_event(event):
            del self.team
        if not (event.mail_asked and self.mail_offered):
            del self.mail
        faction = system_of(event).words.faction
        self.faction.label.text = faction.capitalize()
        undecided = "Please choose" if from_document(event.restrictions).faction_locked else "Not decided yet"
        self.faction.choices = [SelectChoice("", undecided), *map(SelectChoice, factions_of(db(), event))]
        if from_document(event.restrictions).faction_locked:
            self.faction.description = f"You play this {faction} in the whole event; everybody sees it."
            self.faction.validators = [DataRequired(f"Please choose the {faction} that you will play.")]

    def asked(self, name: str) -> str:
        """What was typed as the partner, the team or the mail address; "" where the event does not ask for it."""
        return self[name].data or "" if name in self else ""


@blueprint.route("/e/<slug>/register", methods=["GET", "POST"])
def register(slug: str) -> ResponseReturnValue:
    """Sign up for an event; answered with the private link."""
    event = event_or_404(slug)
    if visitor().player_in(event):
        return redirect(url_for("registration.today", slug=slug))
    if not access.may_register(event):
        return render_template("event/closed.html"), 403
    form = RegisterForm()
    form.offer(event)
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                player = teams.enter(
                    s, event, form.name.data, form.club.data, form.faction.data, f"player {form.name.data}", now(),
                    team=form.asked("team"), partner=form.asked("partner"),
                )  # fmt: skip
                messages.give_address(s, event, player, form.asked("mail"), f"player {player.name}", now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            remember_player(player)
            return redirect(url_for("registration.link", slug=slug))
    left = places_left(event, players_of(db(), event))
    return render_template("event/register.html", form=form, places_left=left), 422 if form.errors else 200


@blueprint.get("/p/<token>")
def enter(token: str) -> ResponseReturnValue:
    """Exchange a private link for a cookie, so that it does not stay in the address bar."""
    player = player_by_token(token)
    if player is None:
        return render_template("account/used_link.html"), 404
    remember_player(player)
    event = db().get_one(Event, player.event_id)
    return redirect(url_for("registration.today", slug=event.slug))


@blueprint.get("/e/<slug>/me")
def today(slug: str) -> ResponseReturnValue:
    """The player's page: where to be, whom to play, what to do next."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    # Asked by every phone of the hall at once when a round is published: nothing of the others is read.
    published = [one for one in rounds_in_short(db(), event) if one.state == RoundState.PUBLISHED]
    view = round_view(db(), event, db().get_one(Round, published[-1].id)) if published else None
    game = next((g for g in view.games if player.id in (g.a_id, g.b_id)), None) if view else None
    match = own_match(view.matches, player.team_id) if view else None
    team = team_of(db(), event, player.team_id)
    force = force_of(db(), player)
    chosen = fielded_of(db(), game) if game else {}
    meeting = published_meeting(db(), event) if view is None else None
    seat = table_of(meeting, player.id) if meeting else None
    body = render_template(
        "me/today.html",
        sideboard=list_size(event) != event.size and game is not None and game.b_id is not None,
        chosen=len(chosen),
        own_choice=player.id in chosen,
        player=player,
        view=view,
        game=game,
        team_match=match,
        teams={one.id: one for one in view.teams} if view else {},
        captain=captain_of(players_of(db(), event), team) if team else None,
        order_chosen=match is not None and team is not None and chosen_by(match, team.id) is not None,
        names=_met(event, [game.a_id, game.b_id] if game else [], seat.players if seat else ()),
        scenario=view.scenario_at(game) if view and game else None,
        force=force,
        verdict=verdict_on(event, player, force, terms_of(db(), event)) if force else None,
        locked=access.lists_locked(event, now()),
        open=access.list_open(event, player, now()),
        may_edit=access.may_edit_force(visitor(), player, event, now()),
        seals=seals_by(db(), player),
        secret_until=shown_when(event),
        may_leave=access.may_leave(visitor(), player, event),
        may_report=game is not None and access.may_report(visitor(), event, game),
        meeting_table=seat,
    )
    return polled(body, event)


def _met(event: Event, *ids: Iterable[int | None]) -> dict[int, Player]:
    """These players of the event, by id."""
    wanted = {one for some in ids for one in some if one is not None}
    return {one: player for one in wanted if (player := player_of(db(), event, one)) is not None}


@blueprint.get("/e/<slug>/me/link")
def link(slug: str) -> ResponseReturnValue:
    """The private link, to keep: as text, and as a QR code to photograph."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    address = private_link(player)
    return render_template("me/link.html", player=player, address=address, qr=qr(address))


@blueprint.post("/e/<slug>/me/leave")
def leave(slug: str) -> ResponseReturnValue:
    """Withdraw before the event, or drop between rounds."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not access.may_leave(visitor(), player, event):
        abort(403)
    with changing(event) as s:
        players.drop(s, event, player, actor(event), now(), at_once=False)  # the game at hand is played yet
    flash("You have left the event. The organiser can bring you back.", "message")
    g.pop("visitor", None)
    return redirect(url_for("registration.today", slug=slug))


def qr(address: str) -> Markup:
    """An address as a QR code, an inline SVG."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=4, svgclass="qr-code", lineclass=None, omitsize=True))  # noqa: S704 - made of squares
