"""Calls for a judge: players call, staff answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.accounts import limits
from events.accounts.limits import CALLS, TooMany
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_takes_place, note
from languages.message import message
from languages.words import N_, gettext
from models.call import JudgeCall
from models.event import Event, EventState, Round, RoundState
from models.play import Game, Player


@dataclass(frozen=True)
class Call:
    game_id: int
    table: int
    player_id: int
    name: str
    at: datetime
    taken_by: str
    """The staff member on the way; "" until someone accepts."""


def open_calls(s: Session, event: Event) -> Sequence[Call]:
    """The open calls of an event, the oldest first; none once the event is over."""
    if event.state != EventState.IN_PROGRESS:
        return ()
    query = (
        select(JudgeCall, col(Game.table_number), col(Player.name))
        .join(Game, col(Game.id) == JudgeCall.game_id)
        .join(Round, col(Round.id) == Game.round_id)
        .join(Player, col(Player.id) == JudgeCall.player_id)
        .where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED, col(JudgeCall.closed_at).is_(None))
        .order_by(col(JudgeCall.id))
    )
    return tuple(
        Call(judge_call.game_id, table or 0, judge_call.player_id, name, judge_call.at, judge_call.taken_by)
        for judge_call, table, name in s.exec(query)
    )


def _open_call(s: Session, game: Game) -> JudgeCall | None:
    return s.exec(select(JudgeCall).where(JudgeCall.game_id == game.id, col(JudgeCall.closed_at).is_(None))).first()


def _note_call(act: Act, verb: str, text: str, game: Game, name: str = "") -> None:
    number = act.s.get_one(Round, game.round_id).number
    note(act, verb, message(text, round=number, table=game.table_number, name=name), game=game.id)


def call_judge(act: Act, game: Game, player: Player) -> None:
    """Call a judge to the player's table; does nothing if a call is open there. Raises Refused and TooMany."""
    if act.event.state != EventState.IN_PROGRESS or game.b_id is None:
        raise Refused(gettext("There is no game now to call a judge to. Go to the desk."))
    check_takes_place(act.event)
    if _open_call(act.s, game) is not None:
        return
    if limits.count_attempt(act.s, {CALLS: str(player.id)}, act.now) is not None:
        raise TooMany(gettext("You have called a judge many times. Go to the desk."))
    act.s.add(JudgeCall(game_id=game.id, player_id=player.id, at=act.now))
    text = N_("Round %(round)s, table %(table)s: %(name)s called a judge")
    _note_call(act, "call-judge", text, game, player.name)


def cancel_call(act: Act, game: Game, player: Player) -> None:
    """Cancel the player's own call; does nothing without one. Raises Refused for the opponent's call."""
    judge_call = _open_call(act.s, game)
    if judge_call is None:
        return
    if judge_call.player_id != player.id:
        raise Refused(gettext("Your opponent called the judge: only they can cancel the call."))
    judge_call.closed_at, judge_call.closed_by = act.now, act.actor
    text = N_("Round %(round)s, table %(table)s: %(name)s cancelled the call")
    _note_call(act, "close-call", text, game, player.name)


def take_call(act: Act, game: Game, by: str) -> None:
    """Record that ``by`` is on the way. Raises Refused if the call is closed."""
    judge_call = _open_call(act.s, game)
    if judge_call is None:
        raise Refused(gettext("This call is closed already."))
    if judge_call.taken_at is not None and judge_call.taken_by != by:
        raise Refused(gettext("%(taken_by)s is on the way already.", taken_by=judge_call.taken_by))
    if judge_call.taken_at is None:
        judge_call.taken_at, judge_call.taken_by = act.now, by
        text = N_("Round %(round)s, table %(table)s: %(name)s answers the call for a judge")
        _note_call(act, "take-call", text, game, by)


def close(act: Act, game: Game) -> None:
    """Close the call to a table; does nothing if it is closed already."""
    judge_call = _open_call(act.s, game)
    if judge_call is not None:
        judge_call.closed_at, judge_call.closed_by = act.now, act.actor
        _note_call(act, "close-call", N_("Round %(round)s, table %(table)s: the call for a judge is closed"), game)
