"""What follows when the whole service goes back to a copy of its database: old keys end, and every journal says so."""

import secrets
from collections.abc import Mapping
from datetime import datetime

from sqlmodel import Session, col, select

from events.actions.journal import note
from models.base import new_secret
from models.event import Event
from models.people import Account, SetUpLink
from models.play import Player
from models.staff import Invitation

Link = tuple[int, int, str]
"""A private link's player: row, event, name as it is compared."""


def generations(s: Session) -> dict[Link, int]:
    """How often each private link was renewed, as the database knows it now."""
    query = select(Player.id, Player.event_id, Player.name_key, Player.link_generation)
    return {(id_, event_id, name): generation for id_, event_id, name, generation in s.exec(query)}


def end_old_keys(s: Session, now: datetime) -> None:
    """Sign everybody out, and end the set-up links that were open: they may have been used, or ended, since."""
    for account in s.exec(select(Account)):
        account.session_key = secrets.token_urlsafe(24)
    for link in s.exec(select(SetUpLink).where(col(SetUpLink.used_at).is_(None))):
        link.used_at = now


def note_restored(s: Session, event: Event, renewed: Mapping[Link, int], made: datetime, now: datetime) -> None:
    """End what could be used again: open invitations, renewed private links, and every player's sign-ins."""
    open_still = select(Invitation).where(
        Invitation.event_id == event.id, col(Invitation.used_at).is_(None), col(Invitation.withdrawn_at).is_(None)
    )
    for invitation in s.exec(open_still):
        invitation.withdrawn_at = now
    for player in s.exec(select(Player).where(Player.event_id == event.id)):
        newer = renewed.get((player.id, player.event_id, player.name_key), 0)
        if newer > player.link_generation:
            player.link_generation = newer
        player.session_key = new_secret()
    said = f"The whole service went back to its copy of {made:%Y-%m-%d %H:%M UTC}"
    note(s, event, "shell", now, "go-back", said, made=made.isoformat())
