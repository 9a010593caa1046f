"""The sideboard pages: choose a part of the roster in secret; both are shown when both have chosen."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectMultipleField
from wtforms.widgets import CheckboxInput, ListWidget

from events.accounts import access
from events.accounts.loading import (
    actor,
    event_or_404,
    game_or_404,
    managed_event,
    own_player_or_403,
    player_or_404,
    polled,
    visitor,
)
from events.lists import sideboard
from events.play.errors import Refused
from events.play.event_rules import shown_when
from events.play.in_play import own_game
from events.play.parsing import whole_number
from events.play.queries import (
    edition_of,
    fielded_of,
    force_of,
    list_size,
    players_by_id,
    system_of,
)
from events.play.roles import fields_a_part, role_of
from events.web.forms import show_at_field
from events.web.idempotency import saving
from events.web.request import changing, db, now
from models.event import Event
from models.play import Game, Player
from validators.contract import Document, ForceSummary

blueprint = Blueprint("sideboard", __name__)


class FieldForm(FlaskForm):
    """The models of the roster that are fielded, by their places in it."""

    places = SelectMultipleField(
        "Fielded", coerce=whole_number, option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False)
    )


@blueprint.route("/e/<slug>/me/fielded", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """A player's choice for the current game."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    game = own_game(db(), event, player)
    if game is None or game.b_id is None or not fields_a_part(event, sideboard.played(db(), event, game), game):
        abort(404)
    return _choose(event, game, player)


@blueprint.route("/e/<slug>/desk/games/<int:game_id>/fielded/<int:player_id>", methods=["GET", "POST"])
def theirs(slug: str, game_id: int, player_id: int) -> ResponseReturnValue:
    """The organiser chooses for a player, or sees who has chosen."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    player = player_or_404(event, player_id)
    if player.id not in (game.a_id, game.b_id):
        abort(404)
    if not fields_a_part(event, sideboard.played(db(), event, game), game):
        abort(404)
    return _choose(event, game, player)


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/choose-again")
def again(slug: str, game_id: int) -> ResponseReturnValue:
    """Delete both choices and the clock of a table."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    with saving(event, "Both choose again.") as s:
        sideboard.choose_again(s, event, game, actor(event), now())
    return redirect(url_for("results_desk.decide", slug=slug, game_id=game_id))


def _choose(event: Event, game: Game, player: Player) -> ResponseReturnValue:
    roster = force_of(db(), player)
    form = FieldForm()
    summary = system_of(event).forces.summarise(roster.document, edition_of(db(), event)) if roster else None
    form.places.choices = [(place, line) for place, (line, _) in enumerate(summary.lines)] if summary else []
    pressed, considered = request.form.get("do", ""), None
    if request.method == "POST" and form.validate():
        try:
            if pressed == "look":
                considered = sideboard.consider(db(), event, game, player, form.places.data, now())
            else:
                with changing(event) as s:
                    if pressed == "start":
                        sideboard.start_clock(s, event, game, actor(event), now())
                    else:
                        sideboard.choose(s, event, game, player, form.places.data, actor(event), now())
                return redirect(request.path)
        except Refused as refused:
            show_at_field(form, refused)
            if pressed == "choose" and form.places.data:
                with suppress(Refused):
                    considered = sideboard.consider(db(), event, game, player, form.places.data, now())
    ends_at = sideboard.ends_at(event, game)
    role = role_of(sideboard.played(db(), event, game), game, player.id)
    page = render_template(
        "lists/fielded.html",
        form=form,
        game=game,
        player=player,
        summary=summary,
        verdict=considered.verdict if considered else None,
        ticked=_ticked(event, form, game, player),
        total=considered.verdict.total if considered else 0,
        overtime=ends_at is not None and now() > ends_at,
        sides=_sides(event, game),
        ends_at=ends_at,
        left_out=considered.left_out if considered else "",
        now_iso=now().isoformat(),
        mine=visitor().player_in(event) is player,
        secret_until="" if access.lists_shown(event, now()) else shown_when(event),
        role=role,
        size=min(role.size, list_size(event)) if role else event.size,
    )
    if form.errors or form.form_errors:
        return page, 422
    # A page with a running clock is not cached: it contains the server's time.
    return polled(page, event) if request.method == "GET" and ends_at is None else page


def _ticked(event: Event, form: FieldForm, game: Game, player: Player) -> list[int]:
    """The ticked places: those that were sent, otherwise the stored choice."""
    if request.method == "POST":
        return form.places.data or []
    roster, fielded = force_of(db(), player), fielded_of(db(), game).get(player.id)
    if roster is None or fielded is None:
        return []
    left = _parts(event, fielded.document)
    ticked = []
    for place, part in enumerate(_parts(event, roster.document)):
        if part in left:
            left.remove(part)
            ticked.append(place)
    return ticked


def _parts(event: Event, document: Document) -> list[Document]:
    """Each line of a force as a force of its own, without the name, which may have changed."""
    system = system_of(event)
    lines = system.forces.summarise(document, edition_of(db(), event)).lines
    return [system.forces.part_of(document, [place]) | {"name": ""} for place in range(len(lines))]


@dataclass(frozen=True)
class SideOfTable:
    """One player at the table: roster and fielded force, if the visitor may see them, and the time of the choice."""

    player: Player
    roster: ForceSummary | None
    chosen_at: datetime | None
    fielded: ForceSummary | None


def _sides(event: Event, game: Game) -> list[SideOfTable]:
    people, chosen = players_by_id(db(), event), fielded_of(db(), game)
    edition, system = edition_of(db(), event), system_of(event)
    sides = []
    for player in (people[id_] for id_ in (game.a_id, game.b_id) if id_ is not None):
        roster, fielded = force_of(db(), player), chosen.get(player.id)
        submitted = roster is not None and roster.submitted
        readable = access.may_see_force(visitor(), player, event, now(), submitted=submitted)
        seen = fielded is not None and access.may_see_fielded(visitor(), player, len(chosen))
        sides.append(
            SideOfTable(
                player,
                system.forces.summarise(roster.document, edition) if roster and readable else None,
                fielded.chosen_at if fielded else None,
                system.forces.summarise(fielded.document, edition) if fielded and seen else None,
            )
        )
    return sides
