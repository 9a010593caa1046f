"""The organiser's decisions on several lists: approve the legal ones, let players play without a list."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from events.lists.queries import Entry
from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import force_of
from models.event import Event, EventState
from models.play import Player


def approve_legal(s: Session, event: Event, found: Sequence[Entry], actor: str, now: datetime) -> list[Player]:
    """Approve the submitted lists that are legal without queries. Returns the players of the newly approved."""
    done = []
    for one in found:
        if one.force is not None and {"submitted", "legal"} <= one.states and "approved" not in one.states:
            one.force.approved_at = now
            done.append(one.player)
    if len(done) == 1:
        note(s, event, actor, now, "approve-list", f"Approved the list of {done[0].name}", player=done[0].id)
    elif done:
        text = f"Approved {len(done)} lists: {_names(done)}"
        note(s, event, actor, now, "approve-lists", text, players=[player.id for player in done])
    return done


def waive(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Let a player play without a list. Raises Refused if one is submitted, or the event is over."""
    _check_running(event)
    force = force_of(s, player)
    if force is not None and force.submitted:
        raise Refused(f"{player.name} has submitted a list. Send it back first.")
    if player.list_waived_at is None:
        player.list_waived_at = now
        note(s, event, actor, now, "waive-list", f"{player.name} plays without a list", player=player.id)


def waive_missing(s: Session, event: Event, found: Sequence[Entry], actor: str, now: datetime) -> list[Player]:
    """The same for all players whose list is missing. Returns them."""
    _check_running(event)
    done = [one.player for one in found if one.missing]
    for player in done:
        player.list_waived_at = now
    if len(done) == 1:
        note(s, event, actor, now, "waive-list", f"{done[0].name} plays without a list", player=done[0].id)
    elif done:
        text = f"{len(done)} players play without a list: {_names(done)}"
        note(s, event, actor, now, "waive-lists", text, players=[player.id for player in done])
    return done


def expect(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Expect a list of the player again."""
    _check_running(event)
    if player.list_waived_at is not None:
        player.list_waived_at = None
        note(s, event, actor, now, "expect-list", f"{player.name} needs a list again", player=player.id)


def _names(players: Sequence[Player]) -> str:
    return ", ".join(player.name for player in players)


def _check_running(event: Event) -> None:
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
