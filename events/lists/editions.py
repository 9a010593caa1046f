"""The club's own editions: added and removed. A stored edition never changes."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session, col, select

from events.lists.edition_files import Understood
from events.play.errors import Refused
from events.play.event_rules import known_as
from events.play.parsing import name_key
from events.play.queries import MOST_KEPT, added_editions
from models.edition import OwnEdition
from models.event import Event
from models.play import ForceList, ListSeal, Player
from validators import SYSTEMS
from validators.canonical import sha256_of
from validators.contract import EditionInfo


def edition_uses(s: Session, system_id: str, edition_id: str) -> Sequence[Event]:
    """The events that use an edition, or have a force or sealed list made with it."""
    named = col(ForceList.document)["edition"].as_string() == edition_id
    # A seal is canonical JSON, which escapes quotes inside names, so this text can only be the field itself.
    sealed = col(ListSeal.text).contains(f'"edition":"{edition_id}"', autoescape=True)
    forces = select(Player.event_id).join(ForceList).where(named)
    seals = select(Player.event_id).join(ListSeal).where(sealed)
    used = or_(col(Event.edition) == edition_id, col(Event.id).in_(forces), col(Event.id).in_(seals))
    return s.exec(select(Event).where(Event.system == system_id, used).order_by(col(Event.id))).all()


def check_new(s: Session, system_id: str, info: EditionInfo) -> None:
    """Raise Refused if the id or the name is taken, no faction may be fielded, or too many editions are stored."""
    system = SYSTEMS[system_id]
    own = added_editions(s, system)
    if info.id in {known.id for known in system.editions} | own.keys():
        raise Refused(
            f"The id {info.id} is taken, and stored editions never change. Enter another id.",
            "id",
        )
    names = [known.name for known in system.editions] + [one.name for one in own.values()]
    if name_key(info.name) in map(name_key, names):
        raise Refused(f"The name {info.name} is taken. Enter another name.", "name")
    if not info.factions:
        raise Refused("No faction of this edition may be fielded. Allow at least one.", "files")
    if len(own) >= MOST_KEPT:
        raise Refused(f"There are already {MOST_KEPT} editions, the limit. Remove an unused one first.")


def add_edition(s: Session, system_id: str, understood: Understood, actor: str, now: datetime) -> OwnEdition:
    """Store a new edition; an identical one is returned unchanged. Raises Refused."""
    _lock(s, system_id)
    info, sha256 = understood.info, sha256_of(understood.text)
    same = (OwnEdition.system == system_id, OwnEdition.edition == info.id, OwnEdition.sha256 == sha256)
    known = s.exec(select(OwnEdition).where(*same)).first()
    if known is not None:
        return known
    check_new(s, system_id, info)
    row = OwnEdition(
        system=system_id,
        edition=info.id,
        name=info.name,
        date=info.date,
        text=understood.text,
        sha256=sha256,
        report=understood.report.as_json() if understood.report else None,
        at=now,
        by=actor[:120],
    )
    s.add(row)
    return row


def earlier_answers(s: Session, system_id: str, origin: str) -> tuple[str, Mapping[str, str]]:
    """The name of the newest stored edition from the same catalogues, with its stored answers; "" and none."""
    same = (OwnEdition.system == system_id, col(OwnEdition.report)["origin"].as_string() == origin)
    newest = (col(OwnEdition.at).desc(), col(OwnEdition.id).desc())
    found = s.exec(select(OwnEdition.name, OwnEdition.report).where(*same).order_by(*newest)).first()
    return (found[0], (found[1] or {})["answers"]) if found and origin else ("", {})


def remove_edition(s: Session, system_id: str, edition_id: str) -> None:
    """Delete an edition that no event uses. Raises Refused."""
    _lock(s, system_id)
    mine = select(OwnEdition).where(OwnEdition.system == system_id, OwnEdition.edition == edition_id)
    row = s.exec(mine.with_for_update()).first()
    if row is None:
        raise Refused("This edition was removed in the meantime. Choose another.")
    used = edition_uses(s, system_id, edition_id)
    if used:
        names = ", ".join(known_as(event) for event in used)
        raise Refused(f"It cannot be removed: {names} {'uses' if len(used) == 1 else 'use'} it.")
    s.delete(row)


def _lock(s: Session, system_id: str) -> None:
    """Lock all events of this game, so that none can choose an edition in the meantime."""
    s.exec(select(Event).where(Event.system == system_id).order_by(col(Event.id)).with_for_update()).all()
