"""``overseer verify`` redraws a published round from its file; no database needed."""

import json
from dataclasses import asdict
from typing import Any

import click

from events.tournament.pairing.certificate import read_pairings
from events.tournament.pairing.files import Unreadable
from events.tournament.pairing.redraw import Check, redrawn
from service.logs import say

MOST_BYTES = 64 * 1024 * 1024
MOST_FAULTS = 20


def contents(file: str) -> tuple[str, bytes]:
    """The name of a file, "-" for standard input, and its bytes. Raises Unreadable."""
    name = "standard input" if file == "-" else file
    try:
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unreadable([f"{name}: {error.strerror}"]) from error
    if len(data) > MOST_BYTES:
        raise Unreadable([f"{name}: larger than {MOST_BYTES // 1024**2} MiB"])
    return name, data.removeprefix(b"\xef\xbb\xbf")


def cut(faults: list[str]) -> list[str]:
    """The first faults, and the number of others."""
    hidden = [f"... and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
    return faults[:MOST_FAULTS] + hidden


EQUAL, DIFFERENT, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all files is returned."""


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each file, in order.")
@click.pass_context
def verify(context: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Redraw each round from the pairings.json of its page, and print "equal" or the differences.

    "-" is standard input. The format is in docs/pairings.schema.json. Exit status: 0 all are equal, 1 some are not,
    2 some cannot be read or redrawn. Manual changes of a round are listed with their cost.
    """
    worst = EQUAL
    for file in files:
        name = "standard input" if file == "-" else file
        try:
            name, data = contents(file)
            check = redrawn(read_pairings(data))
        except Unreadable as unreadable:
            worst = UNREADABLE
            faults = [fault.removeprefix(f"{name}: ") for fault in cut(list(unreadable.faults))]
            answer: dict[str, Any] = {"file": name, "result": "unreadable", "faults": faults}
            say(json.dumps(answer) if as_json else "\n".join([f"UNREADABLE  {name}", *(f"    {f}" for f in faults)]))
        else:
            worst = max(worst, EQUAL if check.equal else DIFFERENT)
            say(json.dumps({"file": name} | verdict_as_document(check)) if as_json else as_text(name, check))
    context.exit(worst)


def verdict_as_document(check: Check) -> dict[str, Any]:
    """The outcome, for scripts."""
    file = check.file
    return {
        "result": "equal" if check.equal else "different",
        "event": asdict(file.event),
        "round": file.round,
        "algorithm": file.algorithm,
        "seed": file.seed,
        "certificate": asdict(check.drawn.certificate),
        "levels": asdict(check.drawn.levels),
        "differences": list(check.differences),
        "chosen": list(check.chosen),
        "by_hand": list(check.by_hand),
        "unbound": list(check.unbound),
    }


def as_text(name: str, check: Check) -> str:
    """The outcome as text."""
    file = check.file
    return "\n".join(
        [
            f"{'EQUAL' if check.equal else 'DIFFERENT'}  {name}",
            f"    {file.event.name} ({file.event.slug}), round {file.round}: {len(file.inputs.seats)} players, "
            f"{file.algorithm}, draw number {file.seed}; {check.proof}",
            *(f"  ! {difference}" for difference in check.differences),
            *(["    Chosen by hand before the draw:"] if check.chosen else []),
            *(f"    - {choice}" for choice in check.chosen),
            *(["    Changed after the draw:"] if check.by_hand else []),
            *(f"    - {change}" for change in check.by_hand),
            "    This check does not show:",
            *(f"    - {unbound}" for unbound in check.unbound),
        ]
    )
