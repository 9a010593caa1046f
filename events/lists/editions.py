"""Editions: from uploaded files to an edition, and the club's own editions, added and removed.

A stored edition never changes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session, col, select

from events.play.errors import Refused
from events.play.event_rules import known_as
from events.play.parsing import name_key
from events.play.queries import MOST_KEPT, added_editions
from models.edition import OwnEdition
from models.event import Event
from models.play import ForceList, ListSeal, Player
from validators import SYSTEMS
from validators.canonical import sha256_of
from validators.contract import Document, EditionFiles, EditionInfo, UnreadableEdition
from validators.editions import EditionReport, EditionTitle
from validators.strict_json import MOST_BYTES

File = tuple[str, bytes]
"""An uploaded file's name and its bytes."""

MOST_SENT = 10_000_000
"""The most bytes of an upload; published catalogues have two million, unpacked."""
_LINE = re.compile(r"\bline (\d{1,7})(?:, column (\d{1,7}))?", re.ASCII)
_LONGEST_QUOTE = 120
_ANY_DAY = "2000-01-01"
"""The date with which catalogues without one are checked for faults; nothing is stored with it."""


@dataclass(frozen=True)
class Understood:
    """An edition as it would be stored: its file as the game writes it, and the report of an import."""

    info: EditionInfo
    text: str
    report: EditionReport | None = None


def understand(formats: EditionFiles, files: Sequence[File], title: EditionTitle) -> Understood:
    """The edition in these files; ``title`` replaces the file's own id, name and date.

    Raises UnreadableEdition, or Refused if something is missing that the files do not contain.
    """
    if not files:
        raise Refused("Please choose a file.", "files")
    if not any(is_own_file(name, data) for name, data in files):
        return _of_catalogues(formats, files, title)
    if len(files) > 1:
        raise UnreadableEdition("the upload: an edition file is complete; upload it alone")
    return _as_stored(formats, _titled(formats, formats.read(files[0][1]), title), None)


def _of_catalogues(formats: EditionFiles, files: Sequence[File], title: EditionTitle) -> Understood:
    document, report = formats.read_catalogues(files, title if title.date else replace(title, date=_ANY_DAY))
    if not title.date:  # asked only after the files were read
        raise Refused("Enter the date of the lists: catalogues do not contain it.", "date")
    return _made(formats, document, report)


def _made(formats: EditionFiles, document: Document, report: EditionReport) -> Understood:
    try:
        info = formats.read(json.dumps(document, ensure_ascii=False).encode())
    except UnreadableEdition as unreadable:
        # The line numbers are those of a file made from the catalogues, which the user does not have.
        faults = (_LINE.sub("", fault).lstrip(", ") for fault in unreadable.faults)
        raise UnreadableEdition("the catalogues do not make a valid edition", *faults) from unreadable
    return _as_stored(formats, info, report)


def settled(formats: EditionFiles, read: Understood, answers: Mapping[str, str]) -> Understood:
    """The edition of an import with the organiser's answers, by question id.

    Raises UnreadableEdition if they leave nothing. The project's own files have no questions.
    """
    if read.report is None:
        return read
    report = read.report.answered(answers)
    return _made(formats, formats.settle(json.loads(read.text), report), report)


def _as_stored(formats: EditionFiles, info: EditionInfo, report: EditionReport | None) -> Understood:
    """An edition with its file. Raises UnreadableEdition if the file is too long."""
    data = formats.write(info)
    if len(data) > MOST_BYTES:
        raise UnreadableEdition(f"the file: written out it has {len(data)} bytes, at most {MOST_BYTES} are kept")
    return Understood(info, data.decode(), report)


def is_own_file(name: str, data: bytes) -> bool:
    """Whether this is a file of the project's own kind, by its bytes or its name; otherwise a catalogue."""
    if data.startswith(b"PK"):
        return False
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return start in (b"{", b"[") or name.lower().endswith(".json")


def _titled(formats: EditionFiles, info: EditionInfo, title: EditionTitle) -> EditionInfo:
    given = {"id": title.id, "name": title.name, "date": title.date}
    given = {key: value for key, value in given.items() if value}
    if not given:
        return info
    return formats.read(json.dumps(json.loads(formats.write(info)) | given).encode())


def quoted(fault: str, files: Sequence[File]) -> str:
    """The line of the file that a fault names, shortened and printable; "" if it names none."""
    found = _LINE.search(fault)
    named = [data for name, data in files if fault.startswith(f"{name}:") or len(files) == 1]
    if not found or not named or named[0].startswith(b"PK"):
        return ""
    lines = named[0].decode("utf-8", "replace").split("\n")
    number, column = int(found[1]), int(found[2] or 1)
    if not 1 <= number <= len(lines):
        return ""
    start = max(0, column - _LONGEST_QUOTE // 2) if column > _LONGEST_QUOTE else 0
    line = lines[number - 1].rstrip("\r")
    cut = "".join(sign if sign.isprintable() else "�" for sign in line[start : start + _LONGEST_QUOTE]).strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _LONGEST_QUOTE < len(line) else ''}"


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
