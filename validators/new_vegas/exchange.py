"""A force as a file and back: the project's own JSON in and out, and plain text out."""

import json

from validators.contract import Document, EditionInfo, ForceFormat, Imported, UnreadableForce
from validators.new_vegas.check import model_words, summarise
from validators.new_vegas.force import SYSTEM_ID, read_force
from validators.new_vegas.force_rules import UNIT
from validators.new_vegas.muster import muster
from validators.strict_json import read_json

FORMATS = (
    ForceFormat("json", "Force file (.json)", "application/json"),
    ForceFormat("txt", "Plain text (.txt)", "text/plain"),
)


def import_force(name: str, data: bytes, edition: EditionInfo) -> Imported:
    """A force file of this game. Raises UnreadableForce for anything else, saying what it is not.

    One that was made with another edition is read by this one, and says so.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        raise UnreadableForce("the file: only force files of this service (.json) are read for the SNAFU game")
    parsed = read_json(data)
    if not isinstance(parsed, dict) or parsed.get("system") != SYSTEM_ID:
        raise UnreadableForce(f'the file: no force file of the SNAFU game ("system": "{SYSTEM_ID}")')
    other, notes = parsed.get("edition"), list[str]()
    if isinstance(other, str) and other != edition.id:
        notes.append(f"The file names the edition {other[:40]!r}; it was read by {edition.name}.")
        parsed = parsed | {"edition": edition.id}
    document = read_force(parsed, edition)
    total = summarise(document, edition).total
    return Imported(document, "a force file of this service", None, total, tuple(notes))


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file of one of ``FORMATS``. Raises KeyError for another."""
    return {"json": _json, "txt": _text}[format_id](document, edition)


def _json(document: Document, edition: EditionInfo) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _text(document: Document, edition: EditionInfo) -> bytes:
    force = muster(document, edition.lists)
    lines = [document["name"] or "Force", f"{force.faction}, {edition.name}", ""]
    for squad in force.squads:
        lines += [f"{squad.name} ({squad.class_name}), {squad.points} {UNIT}"]
        lines += [f"  {model_words(line)}" for line in squad.lines]
        lines.append("")
    if force.own_weapons:
        lines += ["Own weapons", *(f"  {weapon.name}: {weapon.figures}" for weapon in force.own_weapons), ""]
    lines += [
        f"{force.total} {UNIT}, {force.models} models, {force.leadership_dice} leadership dice, "
        f"{force.markers} force markers",
        "Scores: Strength, Perception, Endurance, Charisma, Intelligence, Agility, Luck",
        "",
    ]
    return "\n".join(lines).encode()
