"""Who hears of what: stores notices to players, in the transaction of the change that they are about.

They are stored only for players who can be reached, by mail or on a device; ``events.messages.notices`` sends them.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, exists, or_, select

from models.dispatch import Device, Dispatch, DispatchKind, NoticeOff, Occasion, queued
from models.message import Contact
from models.play import Game, GameState, Player, PlayerState, ReportSide


def notified_of_round(games: Iterable[Game], players: Iterable[Player]) -> set[int]:
    """The players to notify of a published round; all who are checked in if teams still choose their boards."""
    id_s = {id_ for game in games for id_ in (game.a_id, game.b_id) if id_ is not None}
    return id_s or {player.id for player in players if player.state == PlayerState.CHECKED_IN}


def to_confirm(game: Game, side: ReportSide, *, by_sheet: bool) -> set[int]:
    """The players who must act on a stored report: the opponent, or both of a paper sheet or of reports that differ."""
    disputed = game.state == GameState.DISPUTED
    if side == ReportSide.ORGANISER or game.b_id is None or not (disputed or game.state == GameState.REPORTED):
        return set()
    if by_sheet or disputed:
        return {game.a_id, game.b_id}
    return {game.b_id if side == ReportSide.A else game.a_id}


def notified_of_report(game: Game, before: GameState, side: ReportSide, *, corrected: bool) -> set[int]:
    """The players to notify of an organiser's report: both, if it ends their dispute or corrects their result."""
    ended = side == ReportSide.ORGANISER and (corrected or before == GameState.DISPUTED)
    return {id_ for id_ in (game.a_id, game.b_id) if id_ is not None} if ended else set()


def is_reachable(player_id: Any) -> ColumnElement[bool]:
    """The condition that a player has confirmed a mail address or allowed notices on a device."""
    mail = exists().where(col(Contact.player_id) == player_id, col(Contact.confirmed_at).is_not(None))
    return or_(mail, exists().where(col(Device.player_id) == player_id))


def about_game(kind: str, game: Game, verb: str, day: date, now: datetime | None = None) -> str:
    """The key of a season's notice: the game, the event and the day; with the time if it can happen again."""
    return f"{kind} {game.id} {verb} {day.isoformat()}" + (f" {int(now.timestamp())}" if now else "")


def notify(s: Session, occasion: Occasion, about: str, player_ids: Iterable[int], now: datetime) -> None:
    """Store a notice for each of these players who can be reached, wants it, and has none for ``about`` yet."""
    ids = sorted(set(player_ids))
    if not ids:
        return
    off = exists().where(col(NoticeOff.player_id) == col(Player.id), col(NoticeOff.occasion) == occasion)
    already_noted = exists().where(
        col(Dispatch.player_id) == col(Player.id), col(Dispatch.occasion) == occasion, col(Dispatch.about) == about
    )
    reached = (
        select(Player.id, Player.event_id)
        .where(col(Player.id).in_(ids), is_reachable(col(Player.id)), ~off, ~already_noted)
        .order_by(col(Player.id))
    )
    s.add_all(
        queued(DispatchKind.PUSH, now, event_id=event_id, player_id=id_, occasion=occasion, about=about)
        for id_, event_id in s.exec(reached).all()
    )
