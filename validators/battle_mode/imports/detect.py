"""Any force file to a force: what a file is, is told by what stands in it, not by its name."""

from validators.battle_mode.force import read_force
from validators.battle_mode.imports.archive import is_archive, unpacked
from validators.battle_mode.imports.assemble import assemble
from validators.battle_mode.imports.battlescribe_text import is_battlescribe_text, read_battlescribe_text
from validators.battle_mode.imports.battlescribe_tree import read_tree
from validators.battle_mode.imports.battlescribe_xml import read_xml
from validators.battle_mode.imports.builder_text import is_builder_text, read_builder_text
from validators.battle_mode.imports.workshop_url import is_workshop_url, read_workshop_url
from validators.battle_mode.priced import price
from validators.contract import EditionInfo, Imported, UnreadableForce
from validators.strict_json import MOST_BYTES, read_json

MOST_TEXT = 200_000
"""Bytes of a text that is a force; a long one is under five thousand."""
_JSON_WORDS = ("null", "true", "false")


def read_any(name: str, data: bytes, edition: EditionInfo) -> Imported:
    """A file's name and bytes to the force in it, read by this edition.

    Raises UnreadableForce for what is no force file, a damaged or hostile one, or one of another game.
    """
    if is_archive(data):
        return assemble(read_tree(read_xml(unpacked(data)), "BattleScribe roster (.rosz)"), edition)
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<":
        return assemble(read_tree(read_xml(data), "BattleScribe roster (.ros)"), edition)
    if start in (b"", b"{", b"["):
        return _from_json(data, edition)
    text = _text(data)
    if is_workshop_url(text):
        return assemble(read_workshop_url(text), edition)
    if is_battlescribe_text(text):
        return assemble(read_battlescribe_text(text), edition)
    if is_builder_text(text):
        return assemble(read_builder_text(text), edition)
    if text.strip() in _JSON_WORDS:
        return _from_json(data, edition)  # which says what is wrong with that
    raise UnreadableForce("the file: neither a force file nor the list of a program that is known here")


def _from_json(data: bytes, edition: EditionInfo) -> Imported:
    parsed = read_json(data)
    if isinstance(parsed, dict) and "roster" in parsed and "system" not in parsed:
        return assemble(read_tree(parsed, "New Recruit JSON"), edition)
    notes: tuple[str, ...] = ()
    if isinstance(parsed, dict) and isinstance(named := parsed.get("edition"), str) and named != edition.id:
        notes = (f"The file was made with the edition {named[:80]!r}; it was read by “{edition.name}”.",)
        parsed = parsed | {"edition": edition.id}
    document = read_force(parsed, edition)
    return Imported(document, "force file (.json)", None, price(document, edition.lists).total, notes)


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise UnreadableForce(f"the file: {len(data)} bytes, at most {MOST_BYTES} are read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UnreadableForce(f"the file: not UTF-8 text (byte {fault.start})") from fault
    if len(data) > MOST_TEXT:
        raise UnreadableForce(f"the file: {len(data)} bytes of text, at most {MOST_TEXT} are read")
    return text
