"""Importing a Battle Mode force from a file of any known format and encoding, recognised by its content."""

import codecs
import re

from languages.words import N_
from validators.battle_mode.bounded_files import is_archive
from validators.battle_mode.check import summarise
from validators.battle_mode.force import read_force
from validators.battle_mode.imports import address
from validators.battle_mode.imports.battlescribe import read_xml, unpacked, written_list
from validators.battle_mode.imports.lines import is_page, lines_of, text_of_json, text_of_page
from validators.battle_mode.imports.names import Names, words_of
from validators.battle_mode.imports.own_text import read_own_roster, read_own_text
from validators.battle_mode.imports.reader import Reader
from validators.battle_mode.imports.rows import imported
from validators.battle_mode.imports.settle import Settled
from validators.battle_mode.imports.words import meanings
from validators.battle_mode.imports.written import WrittenList
from validators.battle_mode.sheets import FORMATS, export_force
from validators.contract import NO_ANSWERS, EditionInfo, Imported, ListAnswers
from validators.game_system import ForceFiles
from validators.kit.exchange import read_own
from validators.strict_json import MOST_BYTES, is_json, read_json, text_of

_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]{0,100}\?>")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,300}\?>")
_WINDOWS = ("windows-1252", "cp1252", "iso-8859-1", "latin-1", "latin1", "iso-8859-15")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def as_utf8(data: bytes) -> bytes:
    """The file as UTF-8, without the declaration of another encoding; unchanged if it is UTF-8 or no text.

    A file that declares no encoding and is not UTF-8 is read as Windows-1252 if it holds no control characters.
    """
    text = _decoded(data)
    if text is None:
        start = data.removeprefix(codecs.BOM_UTF8)
        return start.lstrip() if start.lstrip()[:1] == b"<" else data
    return _DECLARATION.sub("", text, count=1).lstrip("\ufeff").encode(errors="surrogatepass")


def _decoded(data: bytes) -> str | None:
    encoding = _encoding(data)
    try:
        return data.decode(encoding) if encoding else None
    except UnicodeDecodeError:
        return None


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for start, encoding in ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if data.startswith(start):
            return encoding
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8)[:600])
    name = declared[1].decode().casefold() if declared else ""
    if name in _WINDOWS:
        return "cp1252"
    if name:
        return ""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "" if _CONTROL.search(data) else "cp1252"
    return ""


_PROGRAM = re.compile(r"\s*\+\+ .{1,80}\(.{1,80} - (.{1,80})\) \[(\d+) Caps\] \+\+\s*$", re.MULTILINE)
TEXT = N_("pasted text")


def read_list(
    written: WrittenList, edition: EditionInfo, own: str, answers: ListAnswers, names: Names | None = None
) -> Imported:
    """The force of these lines. ``own`` is the player's faction. Raises UnreadableForce."""
    reader = Reader(written, names or Names(edition.lists), own, answers)
    reader.read()
    return imported(Settled(reader, edition.lists, answers), edition)


def read_text(text: str, edition: EditionInfo, own: str, answers: ListAnswers) -> Imported:
    """The force of a text. Raises UnreadableForce."""
    if own_text := read_own_text(text, edition):
        return own_text
    names = Names(edition.lists)

    def is_name(words: str) -> bool:
        key = "".join(words_of(words))
        return bool(names.whole(key, "")) or meanings().get(key) in ("leader", "heroic", "card")

    lines = tuple(lines_of(text, is_name))
    head = _PROGRAM.match(text)
    written = WrittenList(TEXT, lines, faction=head[1] if head else "")
    return read_list(written, edition, own, answers, names)


def read_any(
    _name: str, data: bytes, edition: EditionInfo, own: str = "", /, answers: ListAnswers = NO_ANSWERS
) -> Imported:
    """From a file's bytes to its force, read with this edition; ``own`` is the faction of the player, if it is known.

    Raises UnreadableForce for a file that is not a force, is damaged or hostile, or is of another game.
    """
    if is_archive(data):
        roster = read_xml(as_utf8(unpacked(data)))
        return _read_roster(roster, N_("BattleScribe roster (.rosz)"), edition, own, answers)
    if len(data) <= MOST_BYTES:
        data = as_utf8(data)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<") and not is_page(data):
        return _read_roster(read_xml(data), N_("BattleScribe roster (.ros)"), edition, own, answers)
    if is_json(data):  # the JSON reader says what is wrong with it
        parsed = read_json(data)
        if isinstance(parsed, dict) and "roster" in parsed:
            return _read_roster(parsed, "New Recruit JSON", edition, own, answers)
        if isinstance(parsed, list) and any(isinstance(entry, str | dict) and entry for entry in parsed):
            return read_text(text_of_json(parsed), edition, own, answers)
        return read_own(data, edition, read_force, summarise, N_("Force file (.json)"))
    text = text_of(data)
    if address.is_address(text):
        return read_list(address.written_list(text), edition, own, answers)
    return read_text(text_of_page(text) if is_page(data) else text, edition, own, answers)


def _read_roster(parsed: object, format_name: str, edition: EditionInfo, own: str, answers: ListAnswers) -> Imported:
    written = written_list(parsed, format_name, edition.lists.file.game or "")
    return read_own_roster(written, edition) or read_list(written, edition, own, answers)


FILES = ForceFiles(FORMATS, read_any, export_force)
"""The force files of Battle Mode: imports from many programs, exports in the formats of ``sheets``."""
