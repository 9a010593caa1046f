"""``overseer roster``: check forces in the shell, without a database."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO

import click

from service.logs import say
from validators import SYSTEMS
from validators.contract import (
    Choice,
    Document,
    EditionInfo,
    Finding,
    Imported,
    LineRead,
    Terms,
    UnreadableEdition,
    UnreadableForce,
    Verdict,
)
from validators.editions import EditionTitle
from validators.faults import Fault
from validators.game_system import GameSystem, understand
from validators.kit.exchange import other_file
from validators.strict_json import MOST_BYTES, canonical_text, is_json, read_json, sha256_of

LEGAL, ILLEGAL, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all forces is returned."""


@dataclass(frozen=True)
class Source:
    """Where a force came from: the file, and the line of a .jsonl file."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}, line {self.line}"


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


def _named_edition(name: str) -> tuple[GameSystem, EditionInfo]:
    """The edition with an id, or in a file. Raises UnreadableEdition."""
    for system in SYSTEMS.values():
        for info in system.editions:
            if info.id == name:
                return system, info
    try:
        with Path(name).open("rb") as stream:  # ValueError: a NUL byte in the file's name
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as fault:
        known = ", ".join(info.id for system in SYSTEMS.values() for info in system.editions)
        wrong = f"{name[:80]!r} is no readable file and no edition. Editions: {known}"
        raise UnreadableEdition(Fault((), wrong)) from fault
    unread: list[UnreadableEdition] = []
    for system in SYSTEMS.values():
        try:
            if system.edition_files is not None:
                return system, understand(system.edition_files, data, EditionTitle()).info
        except UnreadableEdition as unreadable:
            unread.append(unreadable)
    raise unread[0]


@click.group()
def roster() -> None:
    """Check force files."""


@roster.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--size",
    type=click.IntRange(1, 1_000_000),
    help="The event's size, in the game's own unit (Caps). [default: the game's own]",
)
@click.option(
    "--edition",
    metavar="FILE_OR_ID",
    help="The edition for files without one: the id of a shipped edition, or an edition file. [default: the newest]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each force, in order.")
@click.pass_context
def check(context: click.Context, files: tuple[str, ...], size: int | None, edition: str | None, as_json: bool) -> None:
    """Check each force in each FILE against the rules for one size.

    A FILE contains one force: the service's own JSON, a .ros or .rosz, New Recruit's JSON, or a list builder's text. A
    .jsonl FILE contains one JSON force a line; "-" is standard input with one force. Exit status: 0 all are legal, 1
    some are not, 2 some could not be read.
    """
    editions = _editions(edition)
    worst = LEGAL
    for source, data in _forces(files):
        try:
            if isinstance(data, UnreadableForce):
                raise data
            system, info, verdict, imported = _judge(source, data, size, editions)
        except UnreadableForce as unreadable:
            worst = UNREADABLE
            say(_unreadable_json(source, unreadable) if as_json else _unreadable_text(source, unreadable))
        else:
            worst = max(worst, LEGAL if verdict.legal else ILLEGAL)
            at = size or system.default_size
            say(
                _json_line(source, system, info, verdict, imported)
                if as_json
                else _verdict_text(source, system, info, verdict, at, imported)
            )
    context.exit(worst)


@roster.command(name="hash")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def print_hash(context: click.Context, files: tuple[str, ...]) -> None:
    """Print the SHA-256 of each FILE, as published for lists when they lock.

    A FILE is the sealed file of a list, in JSON. Its canonical form is hashed (sorted keys, no spaces, UTF-8), so a
    copy with another layout has the same SHA-256. "-" is standard input. Exit status: 0 all are hashed, 2 some could
    not be read.
    """
    worst = LEGAL
    for source, data in _forces(files):
        try:
            if isinstance(data, UnreadableForce):
                raise data
            say(f"{_hash(data)}  {source}")
        except UnreadableForce as unreadable:
            worst = UNREADABLE
            say(_unreadable_text(source, unreadable))
    context.exit(worst)


def _hash(data: bytes) -> str:
    try:
        return sha256_of(canonical_text(read_json(data)))
    except ValueError as fault:  # half of a character, or a number beyond the limits
        raise UnreadableForce("the file: contains text or a number that JSON cannot represent") from fault


def _forces(files: Iterable[str]) -> Iterator[tuple[Source, bytes | UnreadableForce]]:
    """Every force of every file as bytes, or the reason why it could not be read."""
    for name in files:
        try:
            if name == "-":
                with click.open_file(name, "rb") as stream:
                    yield Source("standard input"), stream.read(MOST_BYTES + 1)
            elif name.lower().endswith(".jsonl"):
                with Path(name).open("rb") as stream:
                    yield from _lines(name, stream)
            else:
                with Path(name).open("rb") as stream:
                    yield Source(name), stream.read(MOST_BYTES + 1)
        except (OSError, ValueError) as fault:  # ValueError: a NUL byte in the file's name
            reason = getattr(fault, "strerror", None) or str(fault)
            yield Source(name), UnreadableForce(f"the file: {reason}")


def _lines(name: str, stream: BinaryIO) -> Iterator[tuple[Source, bytes | UnreadableForce]]:
    """The non-empty lines of a .jsonl file. A line that is far too long is not kept in memory."""
    number, flag = 0, False
    while data := stream.readline(MOST_BYTES + 2):
        number += 1
        rest = data
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MOST_BYTES)
        if data.strip():
            flag = True
            yield Source(name, number), data.strip(b"\r\n")
    if not flag:
        yield Source(name), UnreadableForce("the file: contains no force")


def _editions(name: str | None) -> Editions:
    """The shipped editions and the named one."""
    if name is None:
        return Editions()
    try:
        system, info = _named_edition(name)
    except UnreadableEdition as unreadable:
        raise click.BadParameter("\n".join(map(str, unreadable.faults)), param_hint="--edition") from unreadable
    return Editions({system.id: info})


def _judge(
    source: Source, data: bytes, size: int | None, editions: Editions
) -> tuple[GameSystem, EditionInfo, Verdict, Imported | None]:
    """The verdict on a force, by default at the game's own size, with its game and edition; with notes on how another
    program's format was read.
    """
    parsed = read_json(data) if is_json(data) else None
    if not is_json(data) or (isinstance(parsed, dict) and "roster" in parsed):
        system, imported, info = _import(source, data, editions)
        return system, info, system.checks.check(imported.document, Terms(info, size or system.default_size)), imported
    system, document, info = _own(parsed, editions)
    return system, info, system.checks.check(document, Terms(info, size or system.default_size)), None


def _own(parsed: object, editions: Editions) -> tuple[GameSystem, Document, EditionInfo]:
    """The game and the edition named in a force file, and the force. Raises UnreadableForce."""
    named = parsed.get("system") if isinstance(parsed, dict) else None
    system = SYSTEMS.get(named) if isinstance(named, str) else None
    if system is not None:
        edition = parsed.get("edition") if isinstance(parsed, dict) else None
        known = editions.known(system)
        if isinstance(edition, str) and edition not in known:
            raise UnreadableForce(f"edition: {edition[:80]!r} is not a known edition; known: {', '.join(known)}")
        info = known[edition] if isinstance(edition, str) else system.editions[0]
        return system, system.forces.read(parsed, info), info
    games = ", ".join(SYSTEMS)
    if not isinstance(parsed, dict):
        raise UnreadableForce('the file: a force is a JSON object, {"system": ...}')
    if other := other_file(parsed):
        raise UnreadableForce(f"the file: {other}")
    if "system" not in parsed:
        raise UnreadableForce(f"system: is missing; known: {games}")
    shown = f"{named[:80]!r}" if isinstance(named, str) else "this value"
    raise UnreadableForce(f"system: {shown} is not a known game; known: {games}")


def _import(source: Source, data: bytes, editions: Editions) -> tuple[GameSystem, Imported, EditionInfo]:
    """Another program's file, read by the first game that recognises it. Raises UnreadableForce."""
    refusals: list[UnreadableForce] = []
    for system in SYSTEMS.values():
        info = editions.default(system)
        if info is None:
            continue
        try:
            return system, system.forces.files.import_(source.file, data, info), info
        except UnreadableForce as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _json_line(
    source: Source, system: GameSystem, info: EditionInfo, verdict: Verdict, imported: Imported | None
) -> str:
    line = {"file": source.file, "line": source.line} | verdict.as_json()
    if imported:
        line |= {"system": system.id, "edition": info.id}
        line |= {"format": imported.format, "stated": imported.stated, "notes": imported.notes}
        line["lines"] = [asdict(read) for read in imported.lines]
        line["questions"] = [asdict(question) for question in imported.questions]
    return json.dumps(line)


def _unreadable_json(source: Source, unreadable: UnreadableForce) -> str:
    return json.dumps(
        {
            "file": source.file,
            "line": source.line,
            "legal": False,
            "total": None,
            "problems": [],
            "queries": [],
            "error": str(unreadable),
        }
    )


def _unreadable_text(source: Source, unreadable: UnreadableForce) -> str:
    return "\n".join([f"! UNREADABLE  {source}", *(f"    {fault}" for fault in unreadable.faults)])


def _verdict_text(
    source: Source, system: GameSystem, info: EditionInfo, verdict: Verdict, size: int, imported: Imported | None
) -> str:
    word = "✓ LEGAL" if verdict.legal else "✗ ILLEGAL"
    lines = [f"{word}  {source}: {verdict.total} of {size} {system.unit}"]
    if imported:
        stated = "" if imported.stated is None else f"; the file says {imported.stated} {system.unit}"
        lines += [f"    taken for a list of {system.name} (“{info.name}”); --edition names another"]
        lines += [f"    read as {imported.format}{stated}", *(f"    {note}" for note in imported.notes)]
        lines += [_line_text(read) for read in imported.lines]
        lines += [f"    {question.sentence} {_choices_text(question.choices)}" for question in imported.questions]
    for problem in verdict.problems:
        lines += _finding_text("✗", problem)
    for query in verdict.queries:
        lines += _finding_text("?", query)
    return "\n".join(lines)


def _line_text(read: LineRead) -> str:
    """A line of a text, what was read from it, and what is asked about it."""
    cost = "" if read.caps is None else f"[{read.caps}]"
    ours = "; ".join(filter(None, (read.ours, read.parts, read.note)))
    return " ".join(filter(None, (f"    {read.number:3} {read.state}:", read.written, "->" * bool(ours), ours, cost,
                                  _choices_text(read.choices))))  # fmt: skip


def _choices_text(choices: Sequence[Choice]) -> str:
    return f"({' / '.join(choice.label for choice in choices)})" if choices else ""


def _finding_text(sign: str, finding: Finding) -> list[str]:
    fix = [f"      {finding.fix}"] if finding.fix else []
    return [f"  {sign} {finding.rule}: {finding.message}", *fix]
