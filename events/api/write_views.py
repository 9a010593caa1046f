"""Writes of the interface: the actions of the desk's and the players' buttons, under their permissions."""

import json
from collections.abc import Callable
from functools import partial

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events.api.admission import add_reading_headers, admit_program
from events.api.described import Empty, Sent, described_write
from events.api.player_items import payment_item, player_item
from events.api.writes import (
    Confirmation,
    Done,
    GivenBack,
    Leaving,
    NewDraw,
    NewList,
    NewPayment,
    NewPlayer,
    NewReport,
    Publication,
    Recorded,
    Registered,
    Reported,
    StoredList,
    answers_to,
)
from events.lists import actions as lists
from events.registration import check_in, leaving, payments, team_actions
from events.results import actions as results
from events.results.actions import Agreement, Claim, Doubtful, Origin
from events.results.queries import changes_published
from events.results.reports import SHEET, latest, source_of, waiting
from events.rounds import actions as rounds
from events.rounds import drawing
from events.store.act import Act
from events.store.editions import edition_of, system_of
from events.store.errors import Refused, Stale
from events.store.games import scenario_in
from events.store.players import DETAILS
from events.store.verdicts import terms_of, verdict_on
from events.tournament.endings import Ending
from events.tournament.scores import Ended, completed
from events.visitors import access
from events.visitors.loading import event_or_404, game_or_404, player_or_404, round_or_404, visitor
from events.web.answers import BrokenRules, WrongRequest
from events.web.idempotency import KEY, KeyReused, Result, Submission, run_once
from events.web.request import db
from models.base import new_seed
from models.event import Event, Round
from models.play import Game, GameState, Player, ReportSide
from validators.contract import UnreadableForce
from validators.strict_json import canonical_text, sha256_of

_STATES = {"check": "Please check", "left out": "Left out"}
blueprint = Blueprint("write", __name__, url_prefix="/api/v1")
blueprint.before_request(admit_program)
blueprint.after_request(add_reading_headers)


def _allow(allowed: bool) -> None:
    if not allowed:
        abort(403)


def _run(event: Event, sent: Sent, action: Callable[[Act], Result], *, public: bool = True) -> Result:
    """Run the action once under the request's key. Raises Refused.

    What a repeated request could no longer do, ``action`` itself has to forbid: it then gets its first answer.
    """
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise WrongRequest("Use 16 to 64 letters, digits, hyphens and underscores.", "Idempotency-Key")
    who = visitor()
    player = who.player_in(event)
    sender = f"token {who.token_id}" if player is None else f"program of player {player.id}"
    content = [request.method, request.path, json.dumps(sent.model_dump(mode="json"), sort_keys=True)]
    try:
        return run_once(event, Submission(sender, key or "", sha256_of(canonical_text(content))), action, public=public)
    except KeyReused:
        raise Refused("This key was sent before with other content. Use a new one.", "Idempotency-Key") from None


def _done(
    event: Event, sent: Sent, message: str, action: Callable[[Act], object], *, public: bool = True
) -> ResponseReturnValue:
    def act_once(act: Act) -> Result:
        action(act)
        return Result(message)

    return Done(said=_run(event, sent, act_once, public=public).message).model_dump(mode="json")


@blueprint.post("/events/<slug>/players")
@described_write(Registered, NewPlayer, 201)
def register_player(sent: NewPlayer, slug: str) -> ResponseReturnValue:
    """Register a player, with a place if one is free, otherwise on the waiting list."""
    event = event_or_404(slug)
    _allow(access.may_change_players(visitor(), event))
    details = {name: getattr(sent, name) for name in DETAILS}
    if sent.partner and not event.doubles:
        raise Refused("In this event players play alone.", "partner")

    def enter(act: Act) -> Result:
        player = team_actions.enter_team(
            act, sent.name, details, sent.faction, here=sent.here, team=sent.team, partner=sent.partner
        )
        return Result(f"{player.name} is registered.", player.id)

    result = _run(event, sent, enter)
    row = db().get(Player, result.player_id)
    shown = player_item(event, row) if row is not None else None
    return Registered(said=result.message, player=shown).model_dump(mode="json"), 201


@blueprint.post("/events/<slug>/players/<int:player_id>/check-in")
@described_write(Done, Empty)
def check_player_in(sent: Sent, slug: str, player_id: int) -> ResponseReturnValue:
    """Check a player in; a player’s own token does so in the event’s window."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    is_own = visitor().is_player(player)
    _allow(is_own or access.may_check_in(visitor(), event))
    arrive = check_in.check_in_self if is_own else check_in.check_in
    return _done(event, sent, f"{player.name} is checked in.", lambda act: arrive(act, player))


@blueprint.post("/events/<slug>/players/<int:player_id>/payment")
@described_write(Recorded, NewPayment)
def record_payment(sent: NewPayment, slug: str, player_id: int) -> ResponseReturnValue:
    """Add a payment. A provider’s webhook may send it again: the same reference counts once in the event.

    A token of the area *Check-in* sends nothing: what is still due is then paid in cash.
    """
    event = event_or_404(slug)

    def pay(act: Act, player: Player) -> None:
        if not access.may_see_money(visitor(), event):
            _allow(not sent.model_fields_set)
            payments.mark_paid(act, [player])
            return
        if sent.currency.upper() not in ("", event.fee_currency):
            raise Refused(f"Payments of this event are in {event.fee_currency or 'no currency yet'}.", "currency")
        payments.record_payment(act, player, sent.amount, sent.how, sent.reference)

    _allow(access.may_mark_paid(visitor(), event))
    return _payment(event, sent, player_or_404(event, player_id), "{name}’s payment is recorded.", pay)


@blueprint.post("/events/<slug>/players/<int:player_id>/given-back")
@described_write(Recorded, GivenBack)
def give_payment_back(sent: GivenBack, slug: str, player_id: int) -> ResponseReturnValue:
    """Record what a player was given back, in full or in part, beside what was given back before."""
    event = event_or_404(slug)
    _allow(access.may_see_money(visitor(), event))

    def give(act: Act, player: Player) -> None:
        if not payments.give_back(act, [player], sent.amount):
            raise Refused(f"Nothing is due back to {player.name}.")

    return _payment(event, sent, player_or_404(event, player_id), "{name}’s payment is given back.", give)


def _payment(
    event: Event, sent: Sent, player: Player, message: str, action: Callable[[Act, Player], None]
) -> ResponseReturnValue:
    def act_once(act: Act) -> Result:
        action(act, player)
        return Result(message.format(name=player.name))

    said = _run(event, sent, act_once).message
    shown = payment_item(event, player) if access.may_see_money(visitor(), event) else None
    return Recorded(said=said, payment=shown).model_dump(mode="json")


@blueprint.post("/events/<slug>/players/<int:player_id>/drop")
@described_write(Done, Leaving)
def drop_player(sent: Leaving, slug: str, player_id: int) -> ResponseReturnValue:
    """Let a player leave. By a player’s own token they still play the current game."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)

    def leave(act: Act) -> None:
        is_own = access.may_leave(visitor(), player, event)
        _allow(is_own or access.may_change_players(visitor(), event))
        leaving.drop(act, player, at_once=sent.at_once and not is_own)

    return _done(event, sent, f"{player.name} is dropped.", leave)


@blueprint.post("/events/<slug>/players/<int:player_id>/list")
@described_write(StoredList, NewList)
def write_list(sent: NewList, slug: str, player_id: int) -> ResponseReturnValue:
    """Store a player’s list, and submit it if asked. A player’s own token may do so until the lock."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    staff = access.may_change_lists(visitor(), event)
    _allow(staff or visitor().is_player(player))
    data = sent.force.encode(errors="surrogatepass") if isinstance(sent.force, str) else json.dumps(sent.force).encode()
    files = system_of(event).forces.files
    try:
        read = files.import_("", data, edition_of(event), player.faction, answers=sent.answers)
    except UnreadableForce as unreadable:
        faults = tuple(("force", fault) for fault in unreadable.faults[:20])
        raise Refused("The list cannot be read.", also=faults) from None

    text = f"The list of {player.name} is {'submitted' if sent.submit else 'a draft'}."

    def store(act: Act) -> Result:
        stored = player.force_list
        if stored is not None and stored.submitted and not sent.submit:
            raise Refused("This list is submitted. Send “submit” to replace it by another.", "submit")
        force = lists.save_force(act, player, read.document, by_organiser=staff)
        verdict = verdict_on(act.event, player, force, terms_of(act.event))
        if sent.submit and not verdict.legal:
            rules = [(problem.rule, problem.message) for problem in verdict.problems]
            raise BrokenRules("The list is not legal, so nothing was stored.", rules)
        if sent.submit:
            lists.submit_force(act, player)
        return Result(text)

    result = _run(event, sent, store)
    unread = [line for line in read.lines if line.state in ("check", "left out")]
    written = [*(line.written for line in unread), *(question.sentence for question in read.questions)]
    force = system_of(event).forces.summarise(read.document, edition_of(event))
    stored = player.force_list
    asked = verdict_on(event, player, stored, terms_of(event)).queries if stored is not None else ()
    questions = [
        *(f"{_STATES[line.state]}, line {line.number}: {line.written}" for line in unread),
        *(question.sentence for question in read.questions),
        *read.notes,
        *(finding.message for finding in asked if not any(map(finding.message.__contains__, written))),
    ]
    details = {"faction": force.faction, "total": force.total, "questions": questions}
    details |= {"lines": read.lines, "asked": read.questions}
    return StoredList(said=result.message, **details).model_dump(mode="json")


@blueprint.post("/events/<slug>/rounds/<int:number>/draw")
@described_write(Done, NewDraw)
def draw_a_round(sent: NewDraw, slug: str, number: int) -> ResponseReturnValue:
    """Draw a round as a draft, which organisers see at the desk; nobody reads it here."""
    event = event_or_404(slug)
    _allow(access.may_pair(visitor(), event))
    round_or_404(event, number)
    message = f"Round {number} is drawn. Publish it when it is right."
    return _done(event, sent, message, lambda act: drawing.draw_round(act, number, new_seed()), public=False)


@blueprint.post("/events/<slug>/cut")
@described_write(Done, NewDraw)
def cut_to_a_knockout(sent: NewDraw, slug: str) -> ResponseReturnValue:
    """Make the cut once the rounds before it are complete, and draw the first round of its knockout as a draft."""
    event = event_or_404(slug)
    _allow(access.may_pair(visitor(), event))
    message = "The cut is made and its first round drawn. Publish it when it is right."
    return _done(event, sent, message, lambda act: rounds.make_cut(act, None, new_seed()), public=False)


@blueprint.post("/events/<slug>/rounds/<int:number>/publish")
@described_write(Done, Publication)
def publish_drawn(sent: Publication, slug: str, number: int) -> ResponseReturnValue:
    """Publish a drawn round. The first one starts the event and locks the lists."""
    event = event_or_404(slug)
    _allow(access.may_pair(visitor(), event))
    round_or_404(event, number)
    publish = partial(rounds.publish_round, sure=sent.sure)
    return _done(event, sent, f"Round {number} is published.", lambda act: publish(act, number))


@blueprint.post("/events/<slug>/games/<int:game_id>/report")
@described_write(Reported, NewReport)
def report_a_game(sent: NewReport, slug: str, game_id: int) -> ResponseReturnValue:
    """Report a result. By a token of staff it decides the game, or corrects it; by a player’s own it waits."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)

    def report(act: Act) -> GameState:
        side = _side(event, game)
        scenario = scenario_in(db(), event, db().get_one(Round, game.round_id), game)
        assert scenario is not None  # noqa: S101 - drawn together with the games
        if sent.ending == Ending.DECIDED and sent.awarded is None:
            raise Refused("Say who wins the game, or that it is a draw.", "awarded")
        how = Ended(sent.ending, sent.awarded, sent.reason if sent.ending == Ending.DECIDED else "")
        answers = answers_to(scenario.questions, sent.answers)
        answers = {} if how.how == Ending.NOT_PLAYED else completed(scenario, answers, how)
        origin = Origin(sent.reason if side == ReportSide.ORGANISER else "")
        decides = game.state == GameState.DISPUTED or how.how == Ending.DECIDED
        corrects = results.corrects(game, answers, how) or changes_published(db(), event, game)
        if side == ReportSide.ORGANISER and not sent.reason and (decides or corrects):
            raise Refused("Give the reason: both players read it.", "reason")
        return results.report(act, game, Claim(side, answers, sent.version, sent.sure, how, origin))

    return _reported(event, game, sent, report)


@blueprint.post("/events/<slug>/games/<int:game_id>/confirm")
@described_write(Reported, Confirmation)
def confirm_report(sent: Confirmation, slug: str, game_id: int) -> ResponseReturnValue:
    """Confirm the report that waits; by a player’s own token the opponent’s."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)

    def agree_as_seen(act: Act) -> GameState:
        side = _side(event, game)
        if side == ReportSide.ORGANISER and game.state == GameState.DISPUTED and not sent.reason:
            raise Refused("Give the reason: both players read it.", "reason")
        if game.version != sent.version:
            raise Stale("The report has changed since you read it.")
        origin = Origin(sent.reason if side == ReportSide.ORGANISER else "")
        return results.agree(act, game, Agreement(side, _source(act.s, game, sent), sent.version, origin=origin))

    return _reported(event, game, sent, agree_as_seen)


def _source(s: Session, game: Game, sent: Confirmation) -> str:
    """Whose report is confirmed. Raises Refused if none waits."""
    if sent.report_of is not None:
        return SHEET if sent.report_of == "sheet" else ReportSide(sent.report_of)
    report = waiting(latest(s, game))
    if report is None:
        raise Refused("No report waits to be confirmed.")
    return source_of(report)


def _side(event: Event, game: Game) -> ReportSide:
    """The side for which the sender reports: a player's own, otherwise the desk's; 403 if they may not.

    Raises Refused for a player whose game is decided.
    """
    player = visitor().player_in(event)
    if player is not None and access.may_report(visitor(), event, game):
        return ReportSide.A if player.id == game.a_id else ReportSide.B
    if player is not None and player.id in (game.a_id, game.b_id):
        raise Refused("Your result can no longer be changed here: ask the desk.")
    _allow(access.may_enter_result(visitor(), event, game))
    return ReportSide.ORGANISER


def _reported(event: Event, game: Game, sent: Sent, action: Callable[[Act], GameState]) -> ResponseReturnValue:
    """Run a report, and answer with the game's state. Raises Refused with the questions or the version concerned."""
    game_id = game.id
    try:
        result = _run(event, sent, lambda act: Result(f"The result is {action(act).value}."))
    except Doubtful as doubtful:
        wrong = [(f"answers.{key}", doubt.message) for doubt in doubtful.doubts for key in doubt.keys or ("",)]
        help_ = "" if any(doubt.refused for doubt in doubtful.doubts) else " If it is right, send “sure”."
        raise Refused(f"{doubtful.message}{help_}", also=tuple(wrong)) from None
    except Stale as stale:
        version = db().get_one(Game, game_id).version
        raise Stale(stale.message, also=(("version", f"The game’s version is {version}."),)) from None
    now = db().get_one(Game, game_id)
    return Reported(said=result.message, state=now.state, version=now.version).model_dump(mode="json")
