"""The desk's page of penalties, bonuses and cards: the list with reasons, and forms to give or withdraw one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events.registration.forms import NOBODY, Follows, Given, RulingForm
from events.registration.leaving import drop
from events.rounds.formats import why_settled
from events.rounds.taking_part import on_leaving
from events.standings.soft_scores import FINAL
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.rounds import games_of, round_of
from events.store.rulings import cards_of, disqualified, ruling_text, standing_rulings
from events.store.scoring import adjustments_of
from events.store.team_queries import seat_id, teams_of
from events.store.tournaments import tournament_of
from events.tournament.tournament import lost_by_card
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import managed_event, views_of, visitor
from events.web.forms import refusals_at
from events.web.request import changing, db, saving
from languages.message import Text, message
from languages.words import N_, gettext
from models.award import Card, Ruling, TeamRuling
from models.event import Event, EventState, RoundState
from models.play import Player, PlayerState
from models.team import Team


def is_red(event: Event, player: Player, card: Card | None) -> bool:
    """Whether the card counts as red: it is red, or it is the player's second yellow and the event's rules say so."""
    second = card == Card.YELLOW and cards_of(standing_rulings(event), player.id, Card.YELLOW) > 0
    return card == Card.RED or (second and event.soft_rules.second_yellow)


def give_ruling(act: Act, whom: Player | Team, given: Given) -> Ruling | TeamRuling:
    """Give a player or a team a penalty or a bonus, or a player a card. Raises Refused.

    A disqualified player is dropped at once. A game lost by a card keeps its victory points.
    """
    s, event = act.s, act.event
    if isinstance(whom, Team) and (given.card is not None or given.follows):
        raise Refused(gettext("Cards go to players: choose a player of the team."), "card")
    values: dict[str, Any] = {
        "round_number": given.round_number, "after_round": _published_rounds(event, given),
        "points": given.points, "vp": given.vp, "reason": given.reason, "by": act.actor, "at": act.now,
    }  # fmt: skip
    ruling: Ruling | TeamRuling
    if isinstance(whom, Team):
        ruling, more = TeamRuling(**values, team_id=whom.id), {}
        event.team_rulings.append(ruling)
    else:
        _check_follows(event, whom, given)
        lost, disqualified_ = given.follows == Follows.GAME_LOST, given.follows == Follows.DISQUALIFIED
        if lost:
            _check_lost_game(event, whom, given)
        if disqualified_ and whom.state != PlayerState.DROPPED:
            drop(act, whom)
        ruling = Ruling(**values, player_id=whom.id, card=given.card, loses_game=lost, disqualifies=disqualified_)
        more = {"card": given.card, "follows": given.follows}
        event.rulings.append(ruling)
    s.flush()  # assigns the ruling's id for the journal
    line = message("%(name)s: %(ruling)s. %(reason)s", name=whom.name, ruling=ruling_text(ruling), reason=ruling.reason)
    _note(act, "ruling", line, ruling, points=given.points, vp=given.vp, round=given.round_number, **more)
    return ruling


def _note(act: Act, verb: str, sentence: Text, ruling: Ruling | TeamRuling, **more: Any) -> None:
    """Note a ruling in the journals of its player, or of the team and its current players."""
    if isinstance(ruling, Ruling):
        note(act, verb, sentence, player=ruling.player_id, ruling=ruling.id, **more)
    else:
        ids = [player.id for player in act.event.players if player.team_id == ruling.team_id]
        note(act, verb, sentence, team=ruling.team_id, players=ids, team_ruling=ruling.id, **more)


def whom_of(s: Session, ruling: Ruling | TeamRuling) -> Player | Team:
    return s.get_one(Player, ruling.player_id) if isinstance(ruling, Ruling) else s.get_one(Team, ruling.team_id)


def _published_rounds(event: Event, given: Given) -> int:
    """The number of published rounds. Raises Refused if nothing is given, or for an unpublished round."""
    if event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL))
    if not (given.points or given.vp or given.card):
        raise Refused(gettext("Enter points or VP, or choose a card."), "points")
    published = sum(round_.state == RoundState.PUBLISHED for round_ in event.schedule)
    if given.round_number is not None and not 1 <= given.round_number <= published:
        raise Refused(
            gettext("Round %(round_number)s is not published.", round_number=given.round_number), "round_number"
        )
    return published


def _check_follows(event: Event, player: Player, given: Given) -> None:
    red = is_red(event, player, given.card)
    if red and given.follows == Follows.NOTHING:
        text = gettext("A red card costs the game or the event. Choose which.")
        second = gettext(
            "The second yellow card of %(name)s is a red card: it costs the game or the event. Choose which.",
            name=player.name,
        )
        raise Refused(text if given.card == Card.RED else second, "follows")
    if not red and given.follows != Follows.NOTHING:
        raise Refused(gettext("Only a red card costs a game or the event. Choose “Nothing” or a red card."), "follows")
    if given.follows == Follows.DISQUALIFIED and player.id in disqualified(event):
        raise Refused(gettext("%(player)s is disqualified already.", player=player.name), "follows")


def _check_lost_game(event: Event, player: Player, given: Given) -> None:
    number = given.round_number
    the_round = round_of(event, number) if number is not None else None
    if number is None or the_round is None:
        raise Refused(gettext("Choose the round of the lost game."), "round_number")
    game = next((game for game in games_of(the_round) if player.id in (game.a_id, game.b_id)), None)
    if game is None or game.b_id is None:
        raise Refused(
            gettext("%(player)s has no game in round %(number)s.", player=player.name, number=number), "round_number"
        )
    lost = lost_by_card(adjustments_of(event))
    if (number, str(player.id)) in lost:
        raise Refused(
            gettext(
                "%(player)s has lost the game of round %(number)s by a card already.", player=player.name, number=number
            ),
            "round_number",
        )
    if any((number, str(id_)) in lost for id_ in (game.a_id, game.b_id)):
        raise Refused(
            gettext("The opponent has already lost this game by a card, and one player must win."), "round_number"
        )
    if settled := why_settled(tournament_of(event), number):
        raise Refused(settled, "round_number")


def take_back_ruling(act: Act, ruling: Ruling | TeamRuling) -> None:
    """Withdraw a ruling: it no longer counts but stays in the list. Does nothing if it is withdrawn. Raises Refused.

    A disqualified player stays dropped until staff reinstate the player.
    """
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext(FINAL))
    if ruling.taken_back_at is not None:
        return
    lost = isinstance(ruling, Ruling) and ruling.loses_game
    the_round = round_of(act.event, ruling.round_number or 0) if lost else None
    if the_round and (settled := why_settled(tournament_of(act.event), the_round.number)):
        raise Refused(settled)
    ruling.taken_back_at, ruling.taken_back_by = act.now, act.actor
    sentence = message("%(name)s: withdrew %(ruling)s", name=whom_of(act.s, ruling).name, ruling=ruling_text(ruling))
    _note(act, "take-back-ruling", sentence, ruling)


blueprint = Blueprint("ruling", __name__)


@dataclass(frozen=True)
class RulingRow:
    """A ruling in the desk's list; ``endpoint`` withdraws it."""

    whom: str
    of: Ruling | TeamRuling
    endpoint: str
    card: Card | None = None
    disqualifies: bool = False


@blueprint.route("/e/<slug>/desk/rulings", methods=["GET", "POST"])
def manage_rulings(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    chosen = request.args.get("player", NOBODY)
    form = RulingForm(data={"player": chosen, "points": 0, "vp": 0})
    form.offer(event, cards=access.may_give_cards(visitor(), event))
    if form.validate_on_submit():
        whom = next(entrant for id_, entrant in _everybody(event) if id_ == form.player.data)
        if not access.may_rule_on(visitor(), event, own_game=_is_of_own_game(event, whom)):
            abort(403)
        with refusals_at(form):
            _check_sure(event, whom, form)
            with changing(event) as act:
                give_ruling(act, whom, form.given())
            of_team = N_("Stored. The players of %(name)s can read it with its reason.")
            text = of_team if isinstance(whom, Team) else N_("Stored. %(name)s can read it with its reason.")
            flash(gettext(text, name=whom.name), "success")
            return redirect(url_for("ruling.manage_rulings", slug=slug))
    page = render_template(
        "registration/rulings.html",
        form=form,
        rulings=_given(event),
        of_teams=bool(event.team_rulings),
        rules=event.soft_rules,
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/rulings/<int:ruling_id>/take-back")
def withdraw_ruling(slug: str, ruling_id: int) -> ResponseReturnValue:
    """Withdraw a player's ruling; a card needs the permission to give cards."""
    return _take_back(slug, db().get(Ruling, ruling_id))


@blueprint.post("/e/<slug>/desk/rulings/of-teams/<int:ruling_id>/take-back")
def take_back_of_team(slug: str, ruling_id: int) -> ResponseReturnValue:
    return _take_back(slug, db().get(TeamRuling, ruling_id))


def _take_back(slug: str, ruling: Ruling | TeamRuling | None) -> ResponseReturnValue:
    event = managed_event(slug)
    if ruling is None or ruling.event_id != event.id:
        abort(404)
    if isinstance(ruling, Ruling) and ruling.card is not None and not access.may_give_cards(visitor(), event):
        abort(403)
    if not access.may_rule_on(visitor(), event, own_game=_is_of_own_game(event, whom_of(db(), ruling))):
        abort(403)
    words = gettext("Withdrawn: it no longer counts.")
    if isinstance(ruling, Ruling) and ruling.disqualifies:  # the player's games went on without the player
        words += " " + gettext("Bring the player back on their own page.")
    with saving(event, words) as act:
        take_back_ruling(act, ruling)
    return redirect(url_for("ruling.manage_rulings", slug=slug))


def _check_sure(event: Event, whom: Player | Team, form: RulingForm) -> None:
    """Ask before games change: name them. Raises Refused until the box is ticked."""
    given = form.given()
    if not isinstance(whom, Player) or given.follows != Follows.DISQUALIFIED or form.sure.data:
        return
    leaves = whom.state != PlayerState.DROPPED and is_red(event, whom, given.card)
    if leaves and (words := on_leaving(event, whom)):
        raise Refused(
            gettext("%(whom)s leaves at once. %(words)s Tick the box to go on.", whom=whom.name, words=words), "sure"
        )


def _everybody(event: Event) -> Iterator[tuple[str, Player | Team]]:
    """All players and teams with their values in the form."""
    yield from ((str(player.id), player) for player in players_in(event))
    yield from ((seat_id(team.id), team) for team in teams_of(event))


def _is_of_own_game(event: Event, whom: Player | Team) -> bool:
    """Whether the ruling concerns the visitor, an opponent of a published game, or the team of either."""
    me = visitor().player_in(event)
    if me is None:
        return False
    games = [game for view in views_of(event) for game in view.games]
    ids = {me.id} | {id_ for game in games if me.id in (game.a_id, game.b_id) for id_ in (game.a_id, game.b_id)}
    opponents = [player for player in players_in(event) if player.id in ids]
    if isinstance(whom, Team):
        return any(player.team_id == whom.id for player in opponents)
    return whom.id in ids or (me.team_id is not None and whom.team_id in {player.team_id for player in opponents})


def _given(event: Event) -> list[RulingRow]:
    """All rulings, the newest first."""
    names = {id_: whom.name for id_, whom in _everybody(event)}
    of_players = [
        RulingRow(names[str(ruling.player_id)], ruling, "ruling.withdraw_ruling", ruling.card, ruling.disqualifies)
        for ruling in event.rulings
    ]
    of_teams = [
        RulingRow(names[seat_id(ruling.team_id)], ruling, "ruling.take_back_of_team") for ruling in event.team_rulings
    ]
    return sorted((*of_players, *of_teams), key=lambda row: row.of.at)[::-1]
