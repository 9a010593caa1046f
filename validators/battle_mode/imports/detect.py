"""Importing a Battle Mode force from a file of any known format, recognised by its content."""

from languages.words import N_
from validators.battle_mode.bounded_files import is_archive
from validators.battle_mode.check import summarise
from validators.battle_mode.force import read_force
from validators.battle_mode.imports import address
from validators.battle_mode.imports.battlescribe import read_xml, unpacked, written_list
from validators.battle_mode.imports.encodings import as_utf8
from validators.battle_mode.imports.lines import is_page, text_of_json, text_of_page
from validators.battle_mode.imports.own_roster import read_own_roster
from validators.battle_mode.imports.read_list import read_list, read_text
from validators.battle_mode.sheets import FORMATS, export_force
from validators.contract import NO_ANSWERS, EditionInfo, Imported, ListAnswers
from validators.game_system import ForceFiles
from validators.kit.exchange import read_own
from validators.strict_json import MOST_BYTES, is_json, read_json, text_of


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
