"""From uploaded files to an edition: the project's own file, or another program's catalogues."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from events.play.errors import Refused
from languages.words import gettext
from validators.contract import Document, EditionInfo, UnreadableEdition
from validators.editions import EditionReport, EditionTitle
from validators.faults import Fault, too_large
from validators.game_system import EditionFiles
from validators.strict_json import MOST_BYTES

File = tuple[str, bytes]
"""An uploaded file's name and its bytes."""

MOST_SENT = 10_000_000
"""The most bytes of an upload; published catalogues have two million, unpacked."""
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
        raise Refused(gettext("Please choose a file."), "files")
    if not any(is_own_file(name, data) for name, data in files):
        return _of_catalogues(formats, files, title)
    if len(files) > 1:
        raise UnreadableEdition(Fault((), gettext("an edition file is complete; upload it alone")))
    return _as_stored(formats, _titled(formats, formats.read(files[0][1]), title), None)


def _of_catalogues(formats: EditionFiles, files: Sequence[File], title: EditionTitle) -> Understood:
    document, report = formats.read_catalogues(files, title if title.date else replace(title, date=_ANY_DAY))
    if not title.date:  # asked only after the files were read
        raise Refused(gettext("Enter the date of the lists: catalogues do not contain it."), "date")
    return _made(formats, document, report)


def _made(formats: EditionFiles, document: Document, report: EditionReport) -> Understood:
    try:
        info = formats.read(json.dumps(document, ensure_ascii=False).encode())
    except UnreadableEdition as unreadable:
        # The line numbers are those of a file made from the catalogues, which the user does not have.
        faults = (replace(fault, line=None) for fault in unreadable.faults)
        invalid = Fault((), gettext("the catalogues do not make a valid edition"))
        raise UnreadableEdition(invalid, *faults) from unreadable
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
        raise UnreadableEdition(Fault((), too_large(len(data), MOST_BYTES)))
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


def quoted(fault: Fault, files: Sequence[File]) -> str:
    """The line of the file that a fault names, shortened and printable; "" if it names none."""
    named = [data for name, data in files if fault.file == name or len(files) == 1]
    if not fault.line or not named or named[0].startswith(b"PK"):
        return ""
    lines = named[0].decode("utf-8", "replace").split("\n")
    number, column = fault.line, fault.column or 1
    if number > len(lines):
        return ""
    start = max(0, column - _LONGEST_QUOTE // 2) if column > _LONGEST_QUOTE else 0
    line = lines[number - 1].rstrip("\r")
    cut = "".join(sign if sign.isprintable() else "�" for sign in line[start : start + _LONGEST_QUOTE]).strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _LONGEST_QUOTE < len(line) else ''}"
