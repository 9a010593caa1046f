"""Who may read and change force lists: questions like those of ``access``, and the moments that answer them."""

from datetime import datetime

from events import access
from events.visitor import Visitor
from models.event import Event, EventState, ListsShown
from models.play import ForceList, ListSeal, Player, PlayerState


def lists_locked(event: Event, now: datetime) -> bool:
    """The list deadline has passed, or round 1 was published."""
    due = event.list_deadline is not None and now >= event.list_deadline
    return due or event.lists_locked_at is not None


def list_open(event: Event, player: Player, now: datetime) -> bool:
    """The player may still change the list: before the lock, or while an organiser has unlocked it."""
    if not lists_locked(event, now):
        return True
    if player.list_unlocked_at is None:
        return False
    return player.list_unlocked_until is None or now < player.list_unlocked_until


def lists_shown(event: Event, now: datetime) -> bool:
    """Everybody may read the lists: once it has happened, for good; never before they are locked."""
    if event.lists_revealed_at is not None:
        return True
    if not lists_locked(event, now):
        return False
    if event.lists_shown == ListsShown.AT_TIME:
        return event.lists_shown_from is not None and now >= event.lists_shown_from
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return event.state == EventState.FINISHED
    return event.lists_shown == ListsShown.AT_LOCK


def may_see_draft(visitor: Visitor, player: Player, event: Event) -> bool:
    """Read a player's list at any time, a draft too: the player and the staff who read lists. Nobody else, ever."""
    return access.may_read_lists(visitor, event) or visitor.is_player(player)


def may_see_force(visitor: Visitor, player: Player, event: Event, now: datetime, *, submitted: bool) -> bool:
    """Read a force as it is now: others only once it is submitted and locked, and lists are shown."""
    shown = submitted and lists_shown(event, now) and not list_open(event, player, now)
    public = access.may_see_event(visitor, event) and access.may_see_entry(visitor, event, player)
    return may_see_draft(visitor, player, event) or (shown and public)


def may_see_seal(
    visitor: Visitor, player: Player, event: Event, seal: ListSeal, force: ForceList | None, now: datetime
) -> bool:
    """Read a list as it was locked: others only once lists are shown, and never one that was or is a draft."""
    submitted = seal.submitted and force is not None and force.submitted
    shown = submitted and lists_shown(event, now)
    public = access.may_see_event(visitor, event) and access.may_see_entry(visitor, event, player)
    return may_see_draft(visitor, player, event) or (shown and public)


def may_edit_force(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Change a force: its owner while it is open, organisers until the event is over (the journal says so)."""
    if event.state == EventState.FINISHED:
        return False
    if access.may_change_lists(visitor, event):
        return True
    return visitor.is_player(player) and list_open(event, player, now) and player.state != PlayerState.DROPPED
