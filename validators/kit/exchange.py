"""Importing and exporting forces as files: the project's own JSON, and plain text for readers (export only)."""

import json
from collections.abc import Callable, Mapping, Sequence

from languages.words import ENGLISH, N_, gettext, in_sentence, speaking
from validators.contract import (
    NO_ANSWERS,
    Document,
    EditionInfo,
    ForceFormat,
    ForceSummary,
    Imported,
    ListAnswers,
    UnreadableForce,
)
from validators.faults import of_file
from validators.game_system import ForceFiles
from validators.strict_json import read_json


def own_files(
    game: str,
    read: Callable[[object, EditionInfo], Document],
    summarise: Callable[[Document, EditionInfo], ForceSummary],
    lines: Callable[[Document, EditionInfo], Sequence[str]],
    label: str = N_("Force file (.json)"),
) -> ForceFiles:
    """The force files of a game that reads no other program's formats; ``lines`` makes the plain text."""
    formats = (
        ForceFormat("json", label, "application/json"),
        ForceFormat("txt", N_("Plain text (.txt)"), "text/plain"),
    )

    def export(document: Document, edition: EditionInfo, format_id: str) -> bytes:
        if format_id == "txt":
            with speaking(ENGLISH):  # a file is the same for all readers
                return "\n".join((*lines(document, edition), "")).encode()
        if format_id != "json":
            raise KeyError(format_id)
        return json_file(document)

    def import_(
        _name: str, data: bytes, edition: EditionInfo, _own: str = "", /, answers: ListAnswers = NO_ANSWERS
    ) -> Imported:
        start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if start and start not in b'{["0123456789-tfn':
            only = N_("only force files of this service (.json) are read for %(game)s")
            raise UnreadableForce(of_file(gettext(only, game=game)))
        return read_own(data, edition, read, summarise, label)

    return ForceFiles(formats, import_, export)


def json_file(document: Document) -> bytes:
    """A document as the bytes of the project's own file."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def read_own(
    data: bytes,
    edition: EditionInfo,
    read: Callable[[object, EditionInfo], Document],
    summarise: Callable[[Document, EditionInfo], ForceSummary],
    label: str,
) -> Imported:
    """From the bytes of the project's own file to the force; one of another edition is read with this one, with a note.

    Raises UnreadableForce.
    """
    parsed = read_json(data)
    if other := other_file(parsed):
        raise UnreadableForce(of_file(other))
    notes: tuple[str, ...] = ()
    if isinstance(parsed, dict) and isinstance(named := parsed.get("edition"), str) and named != edition.id:
        other = N_("The file was made with the edition %(named)s; it was read by “%(edition)s”.")
        notes = (gettext(other, named=repr(named[:80]), edition=edition.name),)
        parsed = parsed | {"edition": edition.id}
    document = read(parsed, edition)
    return Imported(document, in_sentence(gettext(label)), None, summarise(document, edition).total, notes)


_OTHERS: Mapping[str, tuple[str, ...]] = {
    N_("the archive of an event of this service, not a force"): ("format", "tables"),
    N_("a scenario file of this service, not a force"): ("setup", "scoring"),
    N_("an edition file of this service, not a force"): ("factions",),
}
"""Other JSON files, recognised by fields that no force has."""
_OF_A_FORCE = {"system", "edition", "faction", "models", "squads"}


def other_file(parsed: object) -> str:
    """What kind of JSON this is, as the end of a sentence, if it is not a force; "" if it may be a force."""
    if not isinstance(parsed, dict) or not parsed:
        return ""
    for words, fields in _OTHERS.items():
        if all(field in parsed for field in fields):
            return gettext(words)
    if _OF_A_FORCE & set(parsed):
        return ""
    text = ", ".join("".join(c if c.isprintable() else "?" for c in key[:30]) for key in list(parsed)[:5])
    return gettext("JSON of another program (with the fields %(fields)s), not a force", fields=text)
