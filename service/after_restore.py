"""What a restored copy does not know: renewed links, ended sign-ins and erasures since it was made.

They are read before the restore and repeated in the copy, so that nothing that was ended or erased comes back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Engine, inspect
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlmodel import Session, col, select

from events.play.act import Act
from events.play.journal import note
from events.play.visitor import SHELL
from events.registration.actions import renew_link
from events.registration.erasure import erase_again
from languages.stated import stated
from models.base import new_secret
from models.erasure import Erasure
from models.event import Event
from models.people import Account, SetUpLink
from models.person import Person
from models.play import Player
from models.staff import Invitation

Link = tuple[int, int, str]
"""The player of a private link: row, event, and normalised name."""


def generations(s: Session) -> dict[Link, int]:
    """How often each private link was renewed, by the current database."""
    query = select(Player.id, Player.event_id, Player.name_key, Player.link_generation)
    return {(id_, event_id, name): generation for id_, event_id, name, generation in s.exec(query)}


def end_old_keys(s: Session, now: datetime) -> None:
    """Sign everyone out, and end the open set-up links, which may have been used or ended since the copy."""
    for one in (*s.exec(select(Account)), *s.exec(select(Person))):
        one.session_key = new_secret()
    for link in s.exec(select(SetUpLink).where(col(SetUpLink.used_at).is_(None))):
        link.used_at = now


def note_restored(s: Session, event: Event, renewed: Mapping[Link, int], made: datetime, now: datetime) -> None:
    """End everything that could be reused: open invitations, renewed private links, and every player's sign-ins."""
    open_still = select(Invitation).where(
        Invitation.event_id == event.id, col(Invitation.used_at).is_(None), col(Invitation.withdrawn_at).is_(None)
    )
    for invitation in s.exec(open_still):
        invitation.withdrawn_at = now
    act = Act(s, event, SHELL, now)
    for player in s.exec(select(Player).where(Player.event_id == event.id)):
        newer = renewed.get((player.id, player.event_id, player.name_key), 0)
        if newer > player.link_generation:
            player.link_generation = newer - 1
            renew_link(act, player)  # ends what a thief's device had before
        player.session_key = new_secret()
    said = stated("The whole service went back to its copy of %(at)s", at=f"{made:%Y-%m-%d %H:%M UTC}")
    note(act, "go-back", said, made=made.isoformat())


@dataclass(frozen=True)
class Known:
    """What the database knew before a restore and the copy may not know."""

    links: Mapping[Link, int] = field(default_factory=dict)
    """How often each private link was renewed."""
    erased: Sequence[tuple[int, int, str]] = ()
    """The erasures of players' data: event, player, and when."""


def repeat_erasures(s: Session, event: Event, known: Known, now: datetime) -> None:
    """Erase again whom the copy still names. A player who registered after the erasure is another one."""
    for event_id, player_id, at in known.erased:
        player = s.get(Player, player_id) if event_id == event.id else None
        done = select(Erasure).where(Erasure.event_id == event_id, Erasure.player_id == player_id)
        if player is None or player.event_id != event.id or s.exec(done).first() is not None:
            continue
        if player.registered_at <= datetime.fromisoformat(at):
            erase_again(Act(s, event, SHELL, now), player)


def known_before(engine: Engine) -> Known:
    """What the database knows that the copy may not; nothing if it cannot tell."""
    try:
        with Session(engine) as s:
            links = generations(s)
            if not inspect(engine).has_table("erasure"):  # of an older version
                return Known(links)
            return Known(links, [(one.event_id, one.player_id, one.at.isoformat()) for one in s.exec(select(Erasure))])
    except DBAPIError as failed:
        if engine.dialect.name == "postgresql" and not isinstance(failed, ProgrammingError):
            raise  # the connection was lost; without the answer, ended links would become valid again
        return Known()  # another program's database, another version's, or damaged
