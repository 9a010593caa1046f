"""A group as a file, and a file as a group: the project's own JSON, and plain text to read."""

import json

from validators.contract import Document, EditionInfo, ForceFormat, Imported, UnreadableForce
from validators.fallout_skirmish.check import line
from validators.fallout_skirmish.force import SYSTEM_ID, read_force
from validators.fallout_skirmish.priced import price
from validators.strict_json import read_json

FORMATS = (
    ForceFormat("json", "Group file (.json)", "application/json"),
    ForceFormat("txt", "Plain text (.txt)", "text/plain"),
)


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file of one of ``FORMATS``. Raises KeyError for another."""
    return {"json": _json, "txt": _text}[format_id](document, edition)


def import_force(name: str, data: bytes, edition: EditionInfo) -> Imported:
    """A group file of this service, read by this edition; its name counts for nothing.

    Raises UnreadableForce: no other program's files of this game are known.
    """
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start and start not in b'{["0123456789-tfn':
        raise UnreadableForce(
            "the file: no group file of this service (.json); no other program's files of Fallout Skirmish are known"
        )
    parsed = read_json(data)
    notes: tuple[str, ...] = ()
    if isinstance(parsed, dict) and isinstance(named := parsed.get("edition"), str) and named != edition.id:
        if parsed.get("system") == SYSTEM_ID:
            notes = (f"The file was made with the edition {named[:80]!r}; it was read by “{edition.name}”.",)
        parsed = parsed | {"edition": edition.id}
    document = read_force(parsed, edition)
    return Imported(document, "group file (.json)", None, price(document, edition.lists).total, notes)


def _json(document: Document, edition: EditionInfo) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _text(document: Document, edition: EditionInfo) -> bytes:
    group = price(document, edition.lists)
    lines = [f"{document['name'] or 'Group'} ({group.force_name}, Fallout Skirmish)", edition.name, ""]
    lines += [f"{line(one)} [{one.caps}]" for one in group.characters]
    turfs = ", ".join(group.turfs) or "none"
    lines += ["", f"Turfs: {turfs}", f"Total: {group.total} Caps. Rating: {group.rating}."]
    return ("\n".join(lines) + "\n").encode()
