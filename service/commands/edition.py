"""``overseer edition``: check and compare editions of the force lists, without a database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from events.lists.edition_files import Understood, quoted, understand
from service.logs import say
from validators import SYSTEMS
from validators.contract import EditionInfo, UnreadableEdition
from validators.editions import EditionDifference, EditionTitle
from validators.faults import Fault
from validators.game_system import GameSystem
from validators.strict_json import MOST_BYTES


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
    system, understood = _understood(data, EditionTitle())
    return system, understood.info


def _understood(data: bytes, title: EditionTitle) -> tuple[GameSystem, Understood]:
    """The edition, from the first game that can read it. Raises UnreadableEdition."""
    unread: list[UnreadableEdition] = []
    for system in SYSTEMS.values():
        try:
            if system.edition_files is not None:
                return system, understand(system.edition_files, data, title)
        except UnreadableEdition as unreadable:
            unread.append(unreadable)
    raise unread[0]


def read_bounded(name: str) -> bytes:
    """A file's bytes, at most one more than any file may have. Raises OSError, and ValueError for a NUL in its name."""
    with Path(name).open("rb") as stream:
        return stream.read(MOST_BYTES + 1)


@click.group()
def edition() -> None:
    """Check and compare editions of the force lists."""


@edition.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--id", "edition_id", default="", help="The edition's id. [default: the id in the file]")
@click.option("--name", default="", help="The edition's name. [default: the name in the file]")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="The lists' date. [default: the date in the file]")
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
    """Read each FILE as an edition file, and report what is in it.

    Exit status: 0 all were read, 2 a file could not be read.
    """
    title = EditionTitle(edition_id, name, date.date().isoformat() if date else "")
    before = _named(against, "--against") if against else None
    if write is not None and len(files) > 1:
        raise click.UsageError("--write writes one edition. Give the file of one edition only.")
    status = 0
    for file in files:
        data = b""
        try:
            data = _read(file)
            system, understood = _understood(data, title)
        except UnreadableEdition as unreadable:
            status = 2
            lines = [(str(fault), quoted(fault, data)) for fault in unreadable.faults]
            say(_json(file, faults=lines) if as_json else _unreadable_text(file, lines))
            continue
        difference = _difference(system, before, understood.info) if before else None
        if as_json:
            say(_json(file, info=understood.info, difference=difference))
        else:
            say(_text(file, understood.info, difference))
        if write is not None:
            _write(write, understood.text)
    context.exit(status)


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


def _read(name: str) -> bytes:
    try:
        return read_bounded(name)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise UnreadableEdition(Fault((), f"the file: {reason}")) from fault


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


def _text(label: str, info: EditionInfo, difference: EditionDifference | None) -> str:
    counts = ", ".join(f"{count} {kind.lower()}" for kind, count in _counts(info).items() if count)
    lines = [
        f"✓ READ  {label}: {info.name} ({info.id}), {info.date}",
        f"    {', '.join(info.factions)}",
        f"    {counts}",
    ]
    return "\n".join(lines + (_difference_text(difference) if difference else []))


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


def _json(
    label: str,
    *,
    info: EditionInfo | None = None,
    difference: EditionDifference | None = None,
    faults: Sequence[tuple[str, str]] = (),
) -> str:
    shown: dict[str, Any] = {"file": label, "edition": None}
    if info:
        shown["edition"] = {key: getattr(info, key) for key in ("id", "name", "date", "source", "factions")}
        shown["edition"]["counts"] = _counts(info)
    shown["difference"] = _difference_json(difference) if difference else None
    shown["faults"] = [{"says": says, "line": quote} for says, quote in faults]
    return json.dumps(shown)
