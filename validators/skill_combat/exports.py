"""A side as a file, in and out: the project's own JSON both ways, and plain text for reading."""

import json

from validators.contract import Document, EditionInfo, ForceFormat, Imported, UnreadableForce
from validators.skill_combat.character import Character, looked_up
from validators.skill_combat.edition import SPECIAL
from validators.skill_combat.figures import all_figures
from validators.skill_combat.force import read_force
from validators.strict_json import read_json

FORMATS = (
    ForceFormat("json", "Force file (.json)", "application/json"),
    ForceFormat("txt", "Plain text (.txt)", "text/plain"),
)


def import_force(name: str, data: bytes, edition: EditionInfo) -> Imported:
    """A file of the project's own, to a document. Raises UnreadableForce for any other."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise UnreadableForce("the file: only a force file of this service (.json) is read for skill combat")
    parsed = read_json(data)
    notes: tuple[str, ...] = ()
    if isinstance(parsed, dict) and isinstance(parsed.get("edition"), str) and parsed["edition"] != edition.id:
        notes = (f"It names the edition {parsed['edition'][:40]}; it was read by {edition.name}.",)
        parsed = parsed | {"edition": edition.id}
    document = read_force(parsed, edition)
    total = looked_up(document, edition.lists).total
    return Imported(document, "a force file of this service", None, total, notes)


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file of one of ``FORMATS``. Raises KeyError for another."""
    return {"json": _json, "txt": _text}[format_id](document, edition)


def _json(document: Document, edition: EditionInfo) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _text(document: Document, edition: EditionInfo) -> bytes:
    side = looked_up(document, edition.lists)
    head = f"{side.name or 'Side'}: {side.origin}, {side.total} SPECIAL points"
    return "\n".join([head, *(line for one in side.characters for line in _lines(one)), ""]).encode()


def _lines(one: Character) -> list[str]:
    gear = [weapon.name for weapon in one.weapons] + ([one.worn.name] if one.worn else [])
    gear += [f"{item.count} × {item.name}" for item in one.items]
    figures = all_figures(one.special, one.level, one.armour)
    return [
        "",
        f"{one.name}, level {one.level}",
        ", ".join(f"{name} {one.special[name]}" for name in SPECIAL),
        *(f"  {figure.label}: {figure.value} ({figure.how})" for figure in figures),
        *(f"  {line.name}: {one.skill(line.entry).value if line.entry else line.points} %" for line in one.skills),
        f"  Carries: {', '.join(gear) or 'nothing'}",
    ]
