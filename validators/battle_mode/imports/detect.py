"""Importing a Battle Mode force from a file of any known format, recognised by its content."""

from validators.battle_mode.bounded_files import is_archive
from validators.battle_mode.check import summarise
from validators.battle_mode.force import read_force
from validators.battle_mode.imports.assemble import assemble
from validators.battle_mode.imports.battlescribe import read_tree, read_xml, unpacked
from validators.battle_mode.imports.texts import TEXTS
from validators.battle_mode.sheets import FORMATS, export_force
from validators.contract import EditionInfo, Imported, UnreadableForce
from validators.game_system import ForceFiles
from validators.kit.exchange import read_own
from validators.strict_json import read_json, text_of

MOST_TEXT = 200_000
"""The most bytes of a text force; long ones have under five thousand."""
_JSON_WORDS = (b"null", b"true", b"false")


def read_any(_name: str, data: bytes, edition: EditionInfo) -> Imported:
    """From a file's bytes to its force, read with this edition.

    Raises UnreadableForce for a file that is not a force, is damaged or hostile, or is of another game.
    """
    game = edition.lists.file.game or ""
    if is_archive(data):
        return assemble(read_tree(read_xml(unpacked(data)), "BattleScribe roster (.rosz)", game), edition)
    content = data.removeprefix(b"\xef\xbb\xbf").strip()
    if content.startswith(b"<"):
        return assemble(read_tree(read_xml(data), "BattleScribe roster (.ros)", game), edition)
    if content[:1] in (b"", b"{", b"[") or content in _JSON_WORDS:  # the JSON reader says what is wrong with it
        parsed = read_json(data)
        if isinstance(parsed, dict) and "roster" in parsed:
            return assemble(read_tree(parsed, "New Recruit JSON", game), edition)
        return read_own(data, edition, read_force, summarise, "Force file (.json)")
    text = text_of(data)
    if len(data) > MOST_TEXT:
        raise UnreadableForce(f"the file: {len(data)} bytes of text, at most {MOST_TEXT} are read")
    for is_such_text, read_text in TEXTS:
        if is_such_text(text):
            return assemble(read_text(text), edition)
    raise UnreadableForce(
        "the file: neither a force file nor a list of a known program. Write each model of a text in a line with its "
        "costs, such as “2x Settler (80 caps)”; the first line may be a title"
    )


FILES = ForceFiles(FORMATS, read_any, export_force)
"""The force files of Battle Mode: imports from many programs, exports in the formats of ``sheets``."""
