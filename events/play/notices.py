"""Which players are notified of what; each notice is stored once, in the change that it tells of.

Rows are stored only for players who can be reached, by mail or on a device. ``events.messages.notices`` sends them.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, exists, or_, select

from models.message import Contact
from models.notice import Device, Notice, NoticeOff, Occasion
from models.play import Game, GameState, Player, PlayerState, ReportSide


def seated(games: Iterable[Game], players: Iterable[Player]) -> set[int]:
    """Who hears that a round is published: its players; where teams have yet to seat theirs, all who are here."""
    found = {id_ for game in games for id_ in (game.a_id, game.b_id) if id_ is not None}
    return found or {player.id for player in players if player.state == PlayerState.CHECKED_IN}


def to_confirm(game: Game, side: ReportSide, *, by_sheet: bool) -> set[int]:
    """Who has to confirm a stored report: the opponent, or both players where nobody knows who sent it."""
    if game.state != GameState.REPORTED or side == ReportSide.ORGANISER or game.b_id is None:
        return set()
    return {game.a_id, game.b_id} if by_sheet else {game.b_id if side == ReportSide.A else game.a_id}


def answered(game: Game, before: GameState, side: ReportSide, *, corrected: bool) -> set[int]:
    """Who hears of an organiser's report: both players, if it ends their dispute or corrects their result."""
    ended = side == ReportSide.ORGANISER and (corrected or before == GameState.DISPUTED)
    return {id_ for id_ in (game.a_id, game.b_id) if id_ is not None} if ended else set()


def is_reached(player_id: Any) -> ColumnElement[bool]:
    """The condition that a player has given a mail address or allowed notices on a device."""
    mail = exists().where(col(Contact.player_id) == player_id, col(Contact.mail) != "")
    return or_(mail, exists().where(col(Device.player_id) == player_id))


def about_game(kind: str, game: Game, verb: str, day: date, now: datetime | None = None) -> str:
    """What a notice of a season is about: a game, what happened, the day named, and the moment where it may recur."""
    return f"{kind} {game.id} {verb} {day.isoformat()}" + (f" {int(now.timestamp())}" if now else "")


def notify(s: Session, occasion: Occasion, about: str, player_ids: Iterable[int], now: datetime) -> None:
    """Store a notice for each of these players who can be reached, wants it, and has none about this yet."""
    ids = sorted(set(player_ids))
    if not ids:
        return
    off = exists().where(col(NoticeOff.player_id) == col(Player.id), col(NoticeOff.occasion) == occasion)
    known = exists().where(
        col(Notice.player_id) == col(Player.id), col(Notice.occasion) == occasion, col(Notice.about) == about
    )
    reached = (
        select(Player.id)
        .where(col(Player.id).in_(ids), is_reached(col(Player.id)), ~off, ~known)
        .order_by(col(Player.id))
    )
    s.add_all(
        Notice(player_id=id_, occasion=occasion, about=about, at=now, next_try=now) for id_ in s.exec(reached).all()
    )
