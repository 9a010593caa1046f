"""``overseer verify`` redraws published rounds; no database needed."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from events.tournament.pairing.certificate import PairingsFile, digests_of, read_pairings
from events.tournament.pairing.event_files import EventCheck, check_events
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
@click.option("--key", help="Of an archive: the fingerprint that you expect, or the club's https address.")
@click.pass_context
def verify(context: click.Context, files: tuple[str, ...], as_json: bool, key: str | None) -> None:
    """Redraw each round from the pairings.json of its page, and print "equal" or the differences.

    Of an archive it says whose it is, whether it is unchanged, and whether its standings follow from its games.

    Several rounds of an event are also checked against each other: give all of them, from round 1 on. "-" is standard
    input. The format is in docs/pairings.schema.json. Exit status: 0 all are equal and consistent, 1 some are not, or a
    round is missing, 2 some cannot be read or redrawn. Manual changes of a round are listed with their cost.
    """
    if key is not None and not key.strip():
        raise click.BadParameter("it is empty: give a fingerprint or an address", param_hint="--key")
    worst = EQUAL
    found: list[PairingsFile] = []
    different: list[PairingsFile] = []
    for file in files:
        name = "standard input" if file == "-" else file
        try:
            name, data = contents(file)
            if b'"overseer-event/' in data[:200]:
                worst = max(worst, _verify_archive(name, data, key or "", as_json=as_json))
                continue
            check = redrawn(read_pairings(data))
        except Unreadable as unreadable:
            worst = UNREADABLE
            faults = [fault.removeprefix(f"{name}: ") for fault in cut(list(unreadable.faults))]
            answer: dict[str, Any] = {"file": name, "result": "unreadable", "faults": faults}
            say(json.dumps(answer) if as_json else "\n".join([f"UNREADABLE  {name}", *(f"    {f}" for f in faults)]))
        else:
            worst = max(worst, EQUAL if check.equal else DIFFERENT)
            found.append(check.file)
            different += [] if check.equal else [check.file]
            say(json.dumps({"file": name} | verdict_as_document(check)) if as_json else as_text(name, check))
    for event in check_events(found, different):
        worst = max(worst, EQUAL if event.result == "consistent" else DIFFERENT)
        say(json.dumps(event_as_document(event)) if as_json else event_as_text(event))
    context.exit(worst)


def _verify_archive(name: str, data: bytes, key: str, *, as_json: bool) -> int:
    """Say what an archive is; returns the exit status."""
    from service.commands.archive_check import checked_archive  # noqa: PLC0415 - loads the database's code

    check = checked_archive(data, key)
    answer = {"file": name, "result": check.result, "said": list(check.lines)}
    text = "\n".join([f"{check.result.upper()}  {name}", *(f"    {line}" for line in check.lines)])
    say(json.dumps(answer, ensure_ascii=False) if as_json else text)
    return check.status


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
        "digest": digests_of(file).whole,
    }


def event_as_document(check: EventCheck) -> dict[str, Any]:
    """The cross-check of an event's rounds, for scripts."""
    numbers = {"rounds": list(check.rounds), "missing": list(check.missing), "repeated": list(check.repeated)}
    event = {"slug": check.slug, "name": check.name}
    return {"event": event, "result": check.result} | numbers | {"differences": list(check.differences)}


def event_as_text(check: EventCheck) -> str:
    """The cross-check of an event's rounds, as text."""
    return "\n".join(
        [
            f"{check.result.upper()}  {check.name} ({check.slug}), {_rounds(check.rounds)}",
            *(
                ["    Each round follows from the rounds before it, if the results and winners in the files are true."]
                if check.result == "consistent"
                else []
            ),
            *(f"  ! {difference}" for difference in check.differences),
            *([f"  ! {_rounds(check.missing)}: no file"] if check.missing else []),
            *([f"  - {_rounds(check.repeated)}: several files"] if check.repeated else []),
        ]
    )


def _rounds(numbers: Sequence[int]) -> str:
    return f"round{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


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
