"""``overseer roster``: forces checked from the shell, without a database."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click

from validators import SYSTEMS
from validators.contract import Finding, GameSystem, UnreadableForce, Verdict
from validators.strict_json import MOST_BYTES, read_json

LEGAL, ILLEGAL, UNREADABLE = 0, 1, 2
"""Exit codes; the highest that any force asks for is given."""


@dataclass(frozen=True)
class Source:
    """Where a force stands: the file, and the line of a .jsonl file."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}, line {self.line}"


@click.group()
def roster() -> None:
    """Check force files."""


@roster.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--size",
    type=click.IntRange(1, 1_000_000),
    default=750,
    show_default=True,
    help="The event's size, in the game's own unit (Caps).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each force, in order.")
@click.pass_context
def check(context: click.Context, files: tuple[str, ...], size: int, as_json: bool) -> None:
    """Judge each force in each FILE at a size.

    A FILE is JSON and holds one force; one whose name ends in .jsonl holds a force a line; "-" is standard
    input with one force. Exit status: 0 all are legal, 1 some are not, 2 some could not be read.
    """
    worst = LEGAL
    for source, data in _forces(files):
        try:
            if isinstance(data, UnreadableForce):
                raise data
            system, verdict = _judge(data, size)
        except UnreadableForce as unreadable:
            worst = UNREADABLE
            _say(_unreadable_json(source, unreadable) if as_json else _unreadable_text(source, unreadable))
        else:
            worst = max(worst, LEGAL if verdict.legal else ILLEGAL)
            _say(_json_line(verdict) if as_json else _verdict_text(source, system, verdict, size))
    context.exit(worst)


def _forces(files: Iterable[str]) -> Iterator[tuple[Source, bytes | UnreadableForce]]:
    """Every force of every file as bytes, or the reason why there are none."""
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
    """The lines of a .jsonl file that are not blank. One that is far too long is not kept in memory."""
    number, found = 0, False
    while data := stream.readline(MOST_BYTES + 2):
        number += 1
        rest = data
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MOST_BYTES)
        if data.strip():
            found = True
            yield Source(name, number), data.strip(b"\r\n")
    if not found:
        yield Source(name), UnreadableForce("the file: it holds no force")


def _judge(data: bytes, size: int) -> tuple[GameSystem, Verdict]:
    parsed = read_json(data)
    named = parsed.get("system") if isinstance(parsed, dict) else None
    system = SYSTEMS.get(named) if isinstance(named, str) else None
    if system is None:
        known = ", ".join(SYSTEMS)
        if not isinstance(parsed, dict):
            raise UnreadableForce('the file: a force is a JSON object, {"system": ...}')
        if "system" not in parsed:
            raise UnreadableForce(f"system: is missing; known: {known}")
        shown = f"{named[:80]!r}" if isinstance(named, str) else "what stands there"
        raise UnreadableForce(f"system: {shown} is no game known here; known: {known}")
    return system, system.check_force(system.read_force(parsed), size)


def _json_line(verdict: Verdict) -> str:
    return json.dumps(verdict.as_json())


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


def _verdict_text(source: Source, system: GameSystem, verdict: Verdict, size: int) -> str:
    word = "✓ LEGAL" if verdict.legal else "✗ ILLEGAL"
    lines = [f"{word}  {source}: {verdict.total} of {size} {system.unit}"]
    for problem in verdict.problems:
        lines += _finding_text("✗", problem)
    for query in verdict.queries:
        lines += _finding_text("?", query)
    return "\n".join(lines)


def _finding_text(sign: str, finding: Finding) -> list[str]:
    mend = [f"      {finding.mend}"] if finding.mend else []
    return [f"  {sign} {finding.rule}: {finding.message}", *mend]


def _say(text: str) -> None:
    """Print what the terminal can show; what it cannot is escaped, never a crash."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding))
