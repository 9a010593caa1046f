"""From an uploaded file to an edition."""

import json
from dataclasses import dataclass

from validators.contract import EditionInfo, UnreadableEdition
from validators.editions import EditionTitle
from validators.faults import Fault, too_large
from validators.game_system import EditionFiles
from validators.strict_json import MOST_BYTES

_LONGEST_QUOTE = 120


@dataclass(frozen=True)
class Understood:
    """An edition as it would be stored: with its file as the game writes it."""

    info: EditionInfo
    text: str


def understand(formats: EditionFiles, data: bytes, title: EditionTitle) -> Understood:
    """The edition in this file; ``title`` replaces the file's own id, name and date. Raises UnreadableEdition."""
    info = formats.read(data)
    given = {"id": title.id, "name": title.name, "date": title.date}
    given = {key: value for key, value in given.items() if value}
    if given:
        info = formats.read(json.dumps(json.loads(formats.write(info)) | given).encode())
    written = formats.write(info)
    if len(written) > MOST_BYTES:
        raise UnreadableEdition(Fault((), too_large(len(written), MOST_BYTES)))
    return Understood(info, written.decode())


def quoted(fault: Fault, data: bytes) -> str:
    """The line of the file that a fault names, shortened and printable; "" if it names none."""
    if not fault.line or data.startswith(b"PK"):
        return ""
    lines = data.decode("utf-8", "replace").split("\n")
    number, column = fault.line, fault.column or 1
    if number > len(lines):
        return ""
    start = max(0, column - _LONGEST_QUOTE // 2) if column > _LONGEST_QUOTE else 0
    line = lines[number - 1].rstrip("\r")
    cut = "".join(sign if sign.isprintable() else "�" for sign in line[start : start + _LONGEST_QUOTE]).strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _LONGEST_QUOTE < len(line) else ''}"
