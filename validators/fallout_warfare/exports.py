"""An army as a file: the project's own JSON, which is read back, and plain text to read."""

import json
from collections.abc import Callable, Mapping

from validators.contract import Document, EditionInfo, ForceFormat, Imported, UnreadableForce
from validators.fallout_warfare.check import figures_line
from validators.fallout_warfare.force import read_force
from validators.fallout_warfare.priced import price
from validators.strict_json import read_json

FORMATS = (
    ForceFormat("json", "Force file (.json)", "application/json"),
    ForceFormat("txt", "Plain text (.txt)", "text/plain"),
)


def import_force(name: str, data: bytes, edition: EditionInfo) -> Imported:
    """A force file of this service, understood. Raises UnreadableForce for anything else."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise UnreadableForce(
            f"{name}: this is no force file; Fallout: Warfare armies are read from the .json saved here"
        )
    document = read_force(read_json(data), edition)
    return Imported(document, "Force file (.json)", None, price(document, edition.lists).total)


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file of one of ``FORMATS``. Raises KeyError for another."""
    return _WRITERS[format_id](document, edition)


def _json(document: Document, edition: EditionInfo) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _text(document: Document, edition: EditionInfo) -> bytes:
    army = price(document, edition.lists)
    lines = [f"Fallout: Warfare army of {army.faction_name}, {army.total} points"]
    if document["name"]:
        lines.append(document["name"])
    for squad in army.squads:
        lines += ["", f"Squad {squad.place + 1}{f', {squad.name}' if squad.name else ''} [{squad.points}]"]
        lines += [f"  {figures_line(model)} [{model.points}]" for model in squad.models]
    if army.vehicles or army.mines:
        lines.append("")
    lines += [f"{drive.name} [{drive.points}]" for drive in army.vehicles]
    if army.mines:
        lines.append(f"{army.mines} mines [{army.mine_points}]")
    return "\n".join([*lines, ""]).encode()


_WRITERS: Mapping[str, Callable[[Document, EditionInfo], bytes]] = {"json": _json, "txt": _text}
