"""Who takes part in which round: byes asked for, and stand-ins who come in only to make an odd field even."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.errors import Refused
from events.reading import placed, round_of, round_views
from models.event import Event, EventFormat, EventState, RoundKind, RoundState
from models.play import Player, PlayerState


def sitting_out(players: Sequence[Player], number: int) -> list[Player]:
    """Who asked for a bye in this round and holds a place, here or not."""
    return [player for player in placed(players) if number in (player.asked_byes or ())]


def in_the_field(players: Sequence[Player], number: int) -> list[Player]:
    """Who is drawn into this round: here, no stand-in, and without a bye asked for."""
    out = {player.id for player in sitting_out(players, number)}
    return [p for p in players if p.state == PlayerState.CHECKED_IN and not p.ringer and p.id not in out]


def stand_in(players: Sequence[Player], number: int) -> Player | None:
    """The stand-in of this round, where its field is odd: whoever of them is here and was entered first."""
    if len(in_the_field(players, number)) % 2 == 0:
        return None
    return next((p for p in players if p.state == PlayerState.CHECKED_IN and p.ringer), None)


def ask_bye(s: Session, event: Event, player: Player, number: int, actor: str, now: datetime) -> None:
    """The player will miss this round: not drawn, with a bye that counts as the event says. Asked twice, it is once.

    Raises Refused for a round that is published already, and for who holds no place.
    """
    asked = player.asked_byes or []
    if number in asked:
        return
    _check_round(s, event, number)
    if player.state not in (PlayerState.REGISTERED, PlayerState.CHECKED_IN):
        raise Refused(f"{player.name} holds no place.", "number")
    if player.ringer:
        raise Refused(f"{player.name} is a stand-in and sits out wherever the field is even.", "number")
    player.asked_byes = sorted([*asked, number])
    note(s, event, actor, now, "ask-bye", f"{player.name} asked for a bye in round {number}", player=player.id)


def withdraw_bye(s: Session, event: Event, player: Player, number: int, actor: str, now: datetime) -> None:
    """The player comes after all. Raises Refused for a round that is published already."""
    asked = player.asked_byes or []
    if number not in asked:
        return
    _check_round(s, event, number)
    player.asked_byes = [one for one in asked if one != number]
    note(s, event, actor, now, "withdraw-bye", f"{player.name} plays round {number} after all", player=player.id)


def make_ringer(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Mark a player as a stand-in. Raises Refused for one who has played or was drawn already."""
    _set_ringer(s, event, player, True, actor, now)


def unmake_ringer(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Let a stand-in take part like everybody. Raises Refused for one who has played or was drawn already."""
    _set_ringer(s, event, player, False, actor, now)


def _set_ringer(s: Session, event: Event, player: Player, ringer: bool, actor: str, now: datetime) -> None:
    if player.ringer == ringer:
        return
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    if any(player.id in (g.a_id, g.b_id) for view in round_views(s, event) for g in view.games):
        raise Refused(f"{player.name} was drawn into a round already: enter a stand-in as a player of their own.")
    player.ringer = ringer
    if ringer:
        player.asked_byes = None
    said = "is a stand-in" if ringer else "takes part like everybody"
    note(s, event, actor, now, "ringer", f"{player.name} {said}", player=player.id)


def _check_round(s: Session, event: Event, number: int) -> None:
    the_round = round_of(s, event, number)
    if the_round is None:
        raise Refused(f"This event has no round {number}.", "number")
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.", "number")
    if the_round.state == RoundState.PUBLISHED:
        raise Refused(f"Round {number} is published already: whoever does not come is marked at the game.", "number")
    if the_round.kind == RoundKind.KNOCKOUT or event.format == EventFormat.KNOCKOUT:
        raise Refused("In a knockout whoever does not come is out: mark it at the game.", "number")
    if event.team_size > 1:
        raise Refused("In a team event the captain leaves a board empty.", "number")
