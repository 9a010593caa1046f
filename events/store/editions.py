"""The game system of an event, and the editions of its force lists: shipped ones and the club's own.

The club's own editions are read once in each process.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlalchemy.orm import object_session
from sqlmodel import Session, col, select

from models.event import Event
from models.own import OwnEdition
from models.play import Player
from validators import SYSTEMS
from validators.contract import EditionInfo
from validators.game_system import GameSystem


def system_of(event: Event) -> GameSystem:
    return SYSTEMS[event.system]


def systems_of(s: Session) -> dict[str, GameSystem]:
    """All games of this club by id."""
    return SYSTEMS


def system_by_id(s: Session, system_id: str) -> GameSystem | None:
    """A game of this club; None if there is none with this id."""
    return SYSTEMS.get(system_id)


def editions_of(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """All editions of a game by id; the first is the default of a new event."""
    return {info.id: info for info in system.editions} | own_editions(s, system)


def editions_to_choose(s: Session, event: Event) -> dict[str, EditionInfo]:
    """The editions that an event may choose: not those that ship in part only, except its own."""
    system = system_of(event)
    partial = _shipped_in_part(system) - {event.edition}
    return {id_: info for id_, info in editions_of(s, system).items() if id_ not in partial}


def _shipped_in_part(system: GameSystem) -> set[str]:
    return {info.id for info in system.editions if info.partial}


def edition_offered(s: Session, system: GameSystem) -> EditionInfo:
    """The default edition of a new event: the newest complete edition that the club added since its last event of
    this game, else that event's edition unless it ships in part only, else the newest complete edition that ships.
    """
    mine = select(Event.edition, Event.created_at).where(Event.system == system.id)
    last = s.exec(mine.order_by(col(Event.id).desc())).first()
    for added in sorted(added_editions(s, system).values(), key=lambda an_added: an_added.at, reverse=True):
        info = edition_by_id(s, system, added.edition)
        if info is not None and not info.partial and (last is None or added.at >= last[1]):
            return info
    used = edition_by_id(s, system, last[0]) if last and last[0] not in _shipped_in_part(system) else None
    return used or system.editions[0]


def edition_of(event: Event) -> EditionInfo:
    system = system_of(event)
    shipped = next((info for info in system.editions if info.id == event.edition), None)
    if shipped is not None:
        return shipped
    own, s = event.own_edition, object_session(event)
    if s is not None and (own is None or own.edition != event.edition):  # the event has changed its edition since
        s.refresh(event, ["own_edition"])
        own = event.own_edition
    if own is None:
        raise LookupError(f"the edition {event.edition} of {event.slug} is not known here")
    return _read(system, own.edition, own.sha256, lambda: own.text)


def edition_by_id(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    """An edition, shipped or the club's own; None if there is none."""
    shipped = next((info for info in system.editions if info.id == edition_id), None)
    return shipped or own_edition(s, system, edition_id)


def factions_of(event: Event, player: Player | None = None) -> tuple[str, ...]:
    """The allowed factions: the player's if locked, else the event's restrictions, else the edition's."""
    if player is not None and player.faction and event.restrictions.faction_locked:
        return (player.faction,)
    return event.restrictions.factions or edition_of(event).factions


MOST_KEPT = 50
"""The most own editions of one game; all of them are cached."""


@dataclass(frozen=True)
class Added:
    edition: str
    name: str
    by: str
    at: datetime


def added_editions(s: Session, system: GameSystem) -> dict[str, Added]:
    """The origin of each own edition by its id. Does not read the files."""
    query = select(OwnEdition.edition, OwnEdition.name, OwnEdition.by, OwnEdition.at)
    return {row[0]: Added(*row) for row in s.exec(query.where(OwnEdition.system == system.id)).all()}


def own_editions(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """The club's own editions by id, newest first."""
    query = (
        select(OwnEdition.edition, OwnEdition.sha256)
        .where(OwnEdition.system == system.id)
        .order_by(col(OwnEdition.date).desc(), col(OwnEdition.id).desc())
    )
    return {edition_id: _stored(s, system, edition_id, sha256) for edition_id, sha256 in s.exec(query).all()}


def own_edition_row(s: Session, system: GameSystem, edition_id: str) -> OwnEdition | None:
    query = select(OwnEdition).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    return s.exec(query).first()


def own_edition(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    query = select(OwnEdition.sha256).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    sha256 = s.exec(query).first()
    return None if sha256 is None else _stored(s, system, edition_id, sha256)


def _stored(s: Session, system: GameSystem, edition_id: str, sha256: str) -> EditionInfo:
    text = select(OwnEdition.text).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    return _read(system, edition_id, sha256, lambda: s.exec(text).one())


def _read(system: GameSystem, edition_id: str, sha256: str, text: Callable[[], str]) -> EditionInfo:
    if system.edition_files is None:
        raise LookupError(f"{system.id} has a stored edition but no reader for editions")
    kept = kept_editions(system.id, edition_id, sha256)
    if not kept:
        kept.append(system.edition_files.read(text().encode()))
    return kept[0]


@lru_cache(maxsize=4 * MOST_KEPT)
def kept_editions(system_id: str, edition_id: str, sha256: str) -> list[EditionInfo]:
    """The cached edition. The hash is part of the key because an id can return with another file."""
    return []
