"""``overseer edition``: check and compare editions of the force lists, without a database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from events.lists.edition_files import MOST_SENT, File, Understood, is_own_file, quoted, understand
from events.play.errors import Refused
from languages.stated import worded
from service.logs import say
from validators import SYSTEMS
from validators.contract import EditionInfo, UnreadableEdition
from validators.editions import EditionDifference, EditionNote, EditionReport, EditionTitle
from validators.faults import Fault
from validators.game_system import GameSystem


@dataclass(frozen=True)
class Editions:
    """The editions available to a command: shipped ones, and one named as an argument."""

    named: Mapping[str, EditionInfo] = field(default_factory=dict)
    """The named edition, by its game's id; empty if none was named."""

    def known(self, system: GameSystem) -> dict[str, EditionInfo]:
        """All editions of a game, by id."""
        named = self.named.get(system.id)
        return {info.id: info for info in system.editions} | ({named.id: named} if named else {})

    def default(self, system: GameSystem) -> EditionInfo | None:
        """The default for files that name no edition; None if the named one is another game's."""
        return self.named.get(system.id) if self.named else system.editions[0]


def named_edition(name: str) -> tuple[GameSystem, EditionInfo]:
    """The edition with an id, or in a file. Raises UnreadableEdition."""
    for system in SYSTEMS.values():
        for info in system.editions:
            if info.id == name:
                return system, info
    try:
        data = read_bounded(name)
    except (OSError, ValueError) as fault:
        known = ", ".join(info.id for system in SYSTEMS.values() for info in system.editions)
        wrong = f"{name[:80]!r} is no readable file and no edition. Editions: {known}"
        raise UnreadableEdition(Fault((), wrong)) from fault
    if data[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"PK", b"<")):
        wrong = (
            "catalogues are not an edition yet; first convert them with "
            "`overseer edition check --date YYYY-MM-DD --write edition.json FILE...`"
        )
        raise UnreadableEdition(Fault((), wrong, file=Path(name).name[:80]))
    unread: list[UnreadableEdition] = []
    for system in SYSTEMS.values():
        try:
            if system.edition_files is not None:
                return system, system.edition_files.read(data)
        except UnreadableEdition as unreadable:
            unread.append(unreadable)
    raise unread[0]


def read_bounded(name: str) -> bytes:
    """A file's bytes, at most one more than any file may have. Raises OSError, and ValueError for a NUL in its name."""
    with Path(name).open("rb") as stream:
        return stream.read(MOST_SENT + 1)


WHOLE, DOUBTFUL, UNREADABLE = 0, 1, 2
"""Exit statuses of a check; the highest of all editions is returned."""


@click.group()
def edition() -> None:
    """Check and compare editions of the force lists."""


@edition.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--id", "edition_id", default="", help="The edition's id. [default: the id in the files]")
@click.option("--name", default="", help="The edition's name. [default: the name in the files]")
@click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The date of the lists; required for catalogues, which contain no date.",
)
@click.option("--against", metavar="FILE_OR_ID", help="Report the differences from this edition.")
@click.option("--write", type=click.Path(path_type=Path), help="Write the edition to this new file.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each edition.")
@click.pass_context
def check(
    context: click.Context,
    files: tuple[str, ...],
    edition_id: str,
    name: str,
    date: datetime | None,
    against: str | None,
    write: Path | None,
    as_json: bool,
) -> None:
    """Read each FILE as an edition, and report how it was understood.

    A FILE is a complete edition as an edition file (JSON). All other FILEs together are the catalogues of one edition:
    a game system (.gst) with its .cat files, or a zip of them. Exit status: 0 all was understood, 1 something was left
    out or is in doubt, 2 a file could not be read.
    """
    title = EditionTitle(edition_id, name, date.date().isoformat() if date else "")
    before = _named(against, "--against") if against else None
    sets = _sets(files)
    if write is not None and len(sets) > 1:
        raise click.UsageError("--write writes one edition. Give the files of one edition only.")
    worst = WHOLE
    for label, found in sets:
        try:
            if isinstance(found, UnreadableEdition):
                raise found
            system, understood = _understood(found, title)
        except UnreadableEdition as unreadable:
            worst = UNREADABLE
            lines = [quoted(fault, found if isinstance(found, list) else []) for fault in unreadable.faults]
            lines_found = list(zip(map(str, unreadable.faults), lines, strict=True))
            say(_json(label, faults=lines_found) if as_json else _unreadable_text(label, lines_found))
            continue
        report = understood.report
        worst = max(worst, DOUBTFUL if report and (report.left_out or report.doubts) else WHOLE)
        difference = _difference(system, before, understood.info) if before else None
        if as_json:
            say(_json(label, understood=understood, difference=difference))
        else:
            say(_text(label, understood.info, report, difference))
        if write is not None:
            _write(write, understood.text)
    context.exit(worst)


@edition.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@click.pass_context
def diff(context: click.Context, before: str, after: str, as_json: bool) -> None:
    """Report the differences between the editions A and B.

    A and B are ids of shipped editions, or edition files. Exit status: 0 no verdict can differ, 1 verdicts can
    differ, 2 an edition could not be read.
    """
    (system, old), (other, new) = _named(before, "A"), _named(after, "B")
    if system is not other:
        raise click.UsageError(f"A is an edition of {system.name}, B of {other.name}.")
    difference = _difference(system, (system, old), new)
    if as_json:
        say(json.dumps(_difference_json(difference)))
    else:
        say("\n".join([f"{new.name}, compared with {old.name}", *_difference_text(difference, rows=True)]))
    context.exit(1 if difference.rows else 0)


def _named(name: str, hint: str) -> tuple[GameSystem, EditionInfo]:
    try:
        return named_edition(name)
    except UnreadableEdition as unreadable:
        raise click.BadParameter("\n".join(map(str, unreadable.faults)), param_hint=hint) from unreadable


def _sets(names: Sequence[str]) -> list[tuple[str, list[File] | UnreadableEdition]]:
    """The files of each edition, under its name; all catalogues are one edition, the last."""
    sets: list[tuple[str, list[File] | UnreadableEdition]] = []
    catalogues: list[File] = []
    for name in names:
        try:
            data = read_bounded(name)
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            sets.append((name, UnreadableEdition(Fault((), f"the file: {reason}"))))
            continue
        if len(data) > MOST_SENT:
            sets.append((name, UnreadableEdition(Fault((), f"the file: more than {MOST_SENT} bytes"))))
        elif is_own_file(name, data):
            sets.append((name, [(Path(name).name, data)]))
        else:
            catalogues.append((Path(name).name, data))
    if catalogues:
        more = f" and {len(catalogues) - 1} more" if len(catalogues) > 1 else ""
        sets.append((f"{catalogues[0][0]}{more}", catalogues))
    return sets


def _understood(files: list[File], title: EditionTitle) -> tuple[GameSystem, Understood]:
    """The edition, from the first game that can read it. Raises UnreadableEdition."""
    unread: list[UnreadableEdition] = []
    for system in SYSTEMS.values():
        if system.edition_files is None:
            continue
        try:
            return system, understand(system.edition_files, files, title)
        except Refused as refused:
            unread.append(UnreadableEdition(Fault((), refused.message, file=f"--{refused.field}")))
        except UnreadableEdition as unreadable:
            unread.append(unreadable)
    raise unread[0]


def _difference(system: GameSystem, before: tuple[GameSystem, EditionInfo], after: EditionInfo) -> EditionDifference:
    if before[0] is not system or system.edition_files is None:
        raise click.UsageError(f"{after.name} is an edition of {system.name}, {before[1].name} is not.")
    return system.edition_files.compare(before[1], after)


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as fault:
        raise click.BadParameter(f"{path}: {fault.strerror}", param_hint="--write") from fault


def _counts(info: EditionInfo) -> dict[str, int]:
    return {kind: len(names) for kind, names in info.names}


def _text(label: str, info: EditionInfo, report: EditionReport | None, difference: EditionDifference | None) -> str:
    doubtful = report is not None and bool(report.left_out or report.doubts)
    counts = ", ".join(f"{count} {kind.lower()}" for kind, count in _counts(info).items() if count)
    lines = [
        f"{'? DOUBTS' if doubtful else '✓ READ'}  {label}: {info.name} ({info.id}), {info.date}",
        f"    {', '.join(info.factions)}",
        f"    {counts}",
    ]
    if report:
        lines += [f"    {worded(sentence)}" for sentence in report.readings]
        lines += [f"  ? {_note_text(note)}" for note in report.doubts]
        lines += [f"  − {_note_text(note)}" for note in report.left_out]
        lines += [f"    and {report.more} more"] if report.more else []
    return "\n".join(lines + (_difference_text(difference) if difference else []))


def _note_text(note: EditionNote) -> str:
    return f"{note.name}: {note.words}{f' ({note.place})' if note.place else ''}"


def _difference_text(difference: EditionDifference, *, rows: bool = False) -> list[str]:
    lines = [f"    {sentence}" for sentence in difference.summary]
    if rows:
        lines += [
            f"  {row.faction or row.kind} · {row.name} · {row.what}: {row.before or '–'} → {row.after or '–'}"
            for row in difference.rows
        ]
    return lines


def _unreadable_text(label: str, faults: list[tuple[str, str]]) -> str:
    lines_found = [line for fault, quote in faults for line in (f"    {fault}", *([f"      {quote}"] if quote else []))]
    return "\n".join([f"! UNREADABLE  {label}", *lines_found])


def _difference_json(difference: EditionDifference) -> dict[str, Any]:
    return {"summary": difference.summary, "rows": [vars(row) for row in difference.rows]}


def _report_json(report: EditionReport) -> dict[str, Any]:
    """The report with its notes in words."""
    in_words: dict[str, Any] = {"readings": [worded(one) for one in report.readings]}
    for kind, notes in (("left_out", report.left_out), ("doubts", report.doubts)):
        in_words[kind] = [asdict(note) | {"says": note.words} for note in notes]
    return report.as_json() | in_words


def _json(
    label: str,
    *,
    understood: Understood | None = None,
    difference: EditionDifference | None = None,
    faults: Sequence[tuple[str, str]] = (),
) -> str:
    info, report = (understood.info, understood.report) if understood else (None, None)
    shown: dict[str, Any] = {"file": label, "edition": None, "report": _report_json(report) if report else None}
    if info:
        shown["edition"] = {key: getattr(info, key) for key in ("id", "name", "date", "source", "factions")}
        shown["edition"]["counts"] = _counts(info)
    shown["difference"] = _difference_json(difference) if difference else None
    shown["faults"] = [{"says": says, "line": quote} for says, quote in faults]
    return json.dumps(shown)
