"""The desk's page of penalties, bonuses and cards: the list with reasons, a form to give one, taking one back."""

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NoneOf

from events.accounts import access
from events.accounts.loading import actor, managed_event, visitor
from events.play.errors import Refused
from events.play.parsing import whole_number
from events.play.queries import players_of, round_views, rounds_of
from events.play.reporting import knows_vp
from events.play.rulings import soft_rules
from events.play.team_queries import is_team_event, seat_id, teams_of
from events.registration.rulings import (
    Follows,
    Given,
    give_ruling,
    give_team_ruling,
    take_back_ruling,
    take_back_team_ruling,
)
from events.web.forms import number, show_at_field, text
from events.web.idempotency import saving
from events.web.request import LONGEST_ID, changing, db, now
from models.award import Card, Ruling, TeamRuling
from models.event import Event, RoundState
from models.play import Player
from models.team import Team

blueprint = Blueprint("ruling", __name__)


MOST_POINTS, MOST_VP = 100, 1000
NOBODY = "0"


@dataclass(frozen=True)
class RulingRow:
    """A ruling as the desk lists it; ``endpoint`` takes it back."""

    whom: str
    of: Ruling | TeamRuling
    endpoint: str
    card: Card | None = None
    disqualifies: bool = False


class RulingForm(FlaskForm):
    """A penalty, bonus or card for a player or a team."""

    player = SelectField("Player", [NoneOf([NOBODY], message="Choose a player.")])
    round_number = SelectField("For", coerce=whole_number)
    points = number("Tournament points", -MOST_POINTS, MOST_POINTS, description="Less than 0 is a penalty.", default=0)
    vp = number("Victory points", -MOST_VP, MOST_VP, description="Less than 0 is a penalty.", default=0)
    card = RadioField(
        "Card",
        choices=[SelectChoice("", "None"), SelectChoice("yellow", "Yellow"), SelectChoice("red", "Red")],
        default="",
    )
    follows = RadioField(
        "A red card costs",
        choices=[
            SelectChoice(Follows.NOTHING.value, "Nothing: no red card"),
            SelectChoice(Follows.GAME_LOST.value, "The game of that round, whatever its result"),
            SelectChoice(Follows.DISQUALIFIED.value, "The event: disqualified, and out at once"),
        ],
        default="",
    )
    reason = text("Reason", 300, description="Only the player and the staff read it. Everybody sees the points.")

    def offer(self, event: Event, *, cards: bool) -> None:
        """Fill the choices of players, teams and rounds; ``cards``: the visitor may give cards."""
        people = sorted(players_of(db(), event), key=lambda p: p.name_key)
        self.player.choices = [SelectChoice(NOBODY, "Choose"), *(SelectChoice(str(p.id), p.name) for p in people)]
        if is_team_event(event):
            self.player.label.text = "Team or player"
            self.player.choices = [
                SelectChoice(NOBODY, "Choose"),
                *(SelectChoice(seat_id(t.id), t.name, optgroup="Teams") for t in _in_order(event)),
                *(SelectChoice(str(p.id), p.name, optgroup="Players") for p in people),
            ]
            self.reason.description = (
                "Only the player, or the team’s players, and the staff read it. Everybody sees the points."
            )
        published = [one.number for one in rounds_of(db(), event) if one.state == RoundState.PUBLISHED]
        self.round_number.choices = [
            SelectChoice("0", "The whole event"),
            *(SelectChoice(str(n), f"Round {n}") for n in reversed(published)),
        ]
        if not knows_vp(event):
            del self.vp
        if not cards:
            del self.card, self.follows
        elif soft_rules(event).second_yellow:
            self.card.description = "The second yellow card of a player is a red one."

    def given(self) -> Given:
        """The ruling as typed."""
        return Given(
            self.reason.data,
            self.points.data,
            self.vp.data if self.vp else 0,
            Card(self.card.data) if self.card and self.card.data else None,
            self.round_number.data or None,
            Follows(self.follows.data) if self.follows else Follows.NOTHING,
        )


@blueprint.route("/e/<slug>/desk/rulings", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    """All rulings of the event, and a form for one more."""
    event = managed_event(slug)
    chosen = request.args.get("player", NOBODY)
    form = RulingForm(data={"player": chosen, "points": 0, "vp": 0})
    form.offer(event, cards=access.may_give_cards(visitor(), event))
    if form.validate_on_submit():
        whom = next(one for id_, one in _everybody(event) if id_ == form.player.data)
        if not access.may_rule_on(visitor(), event, own_game=_is_of_own_game(event, whom)):
            abort(403)
        try:
            with changing(event) as s:
                if isinstance(whom, Team):
                    give_team_ruling(s, event, whom, form.given(), actor(event), now())
                else:
                    give_ruling(s, event, whom, form.given(), actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            who = "whose players read" if isinstance(whom, Team) else "who reads"
            flash(f"Stored for {whom.name}, {who} it with its reason.", "success")
            return redirect(url_for("ruling.manage", slug=slug))
    page = render_template(
        "registration/rulings.html",
        form=form,
        rulings=_given(event),
        rules=soft_rules(event),
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/rulings/<int:ruling_id>/take-back")
def take_back(slug: str, ruling_id: int) -> ResponseReturnValue:
    """Take a player's ruling back; a card needs the permission to give cards."""
    event = managed_event(slug)
    ruling = db().get(Ruling, ruling_id) if ruling_id <= LONGEST_ID else None
    if ruling is None or ruling.event_id != event.id:
        abort(404)
    if ruling.card is not None and not access.may_give_cards(visitor(), event):
        abort(403)
    player = db().get_one(Player, ruling.player_id)
    if not access.may_rule_on(visitor(), event, own_game=_is_of_own_game(event, player)):
        abort(403)
    with saving(event, "Taken back: it no longer counts.") as s:
        take_back_ruling(s, event, ruling, actor(event), now())
    return redirect(url_for("ruling.manage", slug=slug))


@blueprint.post("/e/<slug>/desk/rulings/of-teams/<int:ruling_id>/take-back")
def take_back_of_team(slug: str, ruling_id: int) -> ResponseReturnValue:
    """Take a team's ruling back."""
    event = managed_event(slug)
    ruling = db().get(TeamRuling, ruling_id) if ruling_id <= LONGEST_ID else None
    if ruling is None or ruling.event_id != event.id:
        abort(404)
    team = db().get_one(Team, ruling.team_id)
    if not access.may_rule_on(visitor(), event, own_game=_is_of_own_game(event, team)):
        abort(403)
    with saving(event, "Taken back: it no longer counts.") as s:
        take_back_team_ruling(s, event, ruling, actor(event), now())
    return redirect(url_for("ruling.manage", slug=slug))


def _everybody(event: Event) -> Iterator[tuple[str, Player | Team]]:
    """Every player and team with their value in the form."""
    yield from ((str(player.id), player) for player in players_of(db(), event))
    yield from ((seat_id(team.id), team) for team in teams_of(db(), event))


def _is_of_own_game(event: Event, whom: Player | Team) -> bool:
    """Whether the ruling concerns the visitor, an opponent of a published game, or the team of either."""
    me = visitor().player_in(event)
    if me is None:
        return False
    games = [game for view in round_views(db(), event) for game in view.games]
    ids = {me.id} | {id_ for game in games if me.id in (game.a_id, game.b_id) for id_ in (game.a_id, game.b_id)}
    own = [player for player in players_of(db(), event) if player.id in ids]
    if isinstance(whom, Team):
        return any(player.team_id == whom.id for player in own)
    return whom.id in ids or (me.team_id is not None and whom.team_id in {player.team_id for player in own})


def _in_order(event: Event) -> list[Team]:
    return sorted(teams_of(db(), event), key=lambda team: team.name_key)


def _given(event: Event) -> list[RulingRow]:
    """All rulings, the newest first."""
    names = {id_: one.name for id_, one in _everybody(event)}
    of_players = [
        RulingRow(names[str(one.player_id)], one, "ruling.take_back", one.card, one.disqualifies)
        for one in event.rulings
    ]
    of_teams = [RulingRow(names[seat_id(one.team_id)], one, "ruling.take_back_of_team") for one in event.team_rulings]
    return sorted((*of_players, *of_teams), key=lambda one: one.of.at)[::-1]
