"""``overseer pair`` draws a round from a file, and ``overseer verify`` redraws a published one; no database needed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from events.tournament.pairing.certificate import PairingsFile, read_pairings
from events.tournament.pairing.event_files import EventCheck, check_events
from events.tournament.pairing.files import Unreadable, read_request
from events.tournament.pairing.redraw import Check, redrawn
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import Draw
from events.tournament.pairing.words import plain_number, sentences
from service.logs import say

MOST_BYTES = 64 * 1024 * 1024
MOST_FAULTS = 20


@click.command("pair")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="Draw number of the lots.  [default: the file's seed, or 0]"
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON per draw, in order.")
@click.pass_context
def pair(context: click.Context, file: str, seed: int | None, as_json: bool) -> None:
    """Draw the round in FILE: JSON, or JSON lines with one draw each; "-" is standard input.

    The format is in docs/draw.schema.json. Exit status: 2 if the input cannot be read, otherwise 0.
    """
    try:
        drawn = [(request, drawn_from(request, seed, place)) for place, request in read(file)]
    except Unreadable as unreadable:
        for fault in unreadable.faults:
            click.echo(fault, err=True)
        context.exit(2)
    for count, (request, result) in enumerate(drawn):
        if as_json:
            click.echo(json.dumps(as_document(result)))
        else:
            click.echo(("\n" if count else "") + as_table(request, result))


def read(file: str) -> list[tuple[str, Request]]:
    """The requested draws, each with its place in the input. Raises Unreadable."""
    name, data = contents(file)
    documents = [(name, data)]
    if name.endswith(".jsonl") or (file == "-" and is_lines(data)):
        lines = enumerate(data.splitlines(), start=1)
        documents = [(f"{name}:{line}", text) for line, text in lines if text.strip()]
    requests: list[tuple[str, Request]] = []
    faults: list[str] = []
    for place, text in documents:
        try:
            requests.append((place, read_request(text)))
        except Unreadable as unreadable:
            faults += [f"{place}: {fault}" for fault in unreadable.faults]
    if faults or not documents:
        raise Unreadable(cut(faults) or [f"{name}: contains no draw"])
    return requests


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


def is_lines(data: bytes) -> bool:
    """Whether the first non-empty line is a document of its own and more lines follow."""
    first, *others = [line for line in data.splitlines() if line.strip()] or [b""]
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return bool(others)


def drawn_from(request: Request, seed: int | None, place: str) -> Draw:
    """The requested draw. Raises Unreadable if its field is invalid."""
    try:
        return drawn_round(request if seed is None else replace(request, seed=seed))
    except ValueError as error:
        raise Unreadable([f"{place}: {error}"]) from error


def as_document(result: Draw) -> dict[str, object]:
    """The draw as ``--json`` prints it."""
    return {
        "pairs": [[pair.a, pair.b] for pair in result.pairs],
        "tables": [pair.table for pair in result.pairs],
        "bye": result.bye,
        "levels": asdict(result.levels),
        "certificate": asdict(result.certificate),
        "notes": notes_of(result),
        "seed": result.seed,
        "algorithm": result.algorithm,
    }


def notes_of(result: Draw) -> list[str]:
    """Every note, each with the names it concerns first."""
    about_pairs = [f"{pair.a} - {pair.b}: {words}" for pair in result.pairs for words in sentences(pair.notes)]
    about_idle = [f"{one.id}: {words}" for one in result.idle for words in sentences(one.notes)]
    return about_pairs + [f"{result.bye}: {words}" for words in sentences(result.notes)] + about_idle


def as_table(request: Request, result: Draw) -> str:
    """The draw as text: a line for each pair with its points and notes, then the costs."""
    points = {seat.id: plain_number(seat.points) for seat in request.seats}
    rows = [(pair.a, points[pair.a], pair.b, points[pair.b], "; ".join(sentences(pair.notes))) for pair in result.pairs]
    if result.bye is not None:
        rows.append((result.bye, points[result.bye], "(bye)", "", "; ".join(sentences(result.notes))))
    rows.insert(0, ("player", "points", "player", "points", "notes"))
    width = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        f"{a:<{width[0]}}  {pa:>{width[1]}}  {b:<{width[2]}}  {pb:>{width[3]}}  {notes}".rstrip()
        for a, pa, b, pb, notes in rows
    ]
    title = f"Round {request.round}: {len(request.seats)} players, draw number {result.seed}"
    levels = ", ".join(f"{level.replace('_', ' ')} {count}" for level, count in asdict(result.levels).items())
    proof = "proven best" if result.certificate.proven else "not proven best"
    return "\n".join([title, "", *lines, "", levels, f"{proof}: {result.certificate.by}"])


EQUAL, DIFFERENT, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all files is returned."""


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each file, in order.")
@click.pass_context
def verify(context: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Redraw each round from the pairings.json of its page, and print "equal" or the differences.

    Several rounds of an event are also checked against each other: give all of them, from round 1 on. "-" is standard
    input. The format is in docs/pairings.schema.json. Exit status: 0 all are equal and consistent, 1 some are not, or a
    round is missing, 2 some cannot be read or redrawn. Manual changes of a round are listed with their cost.
    """
    worst = EQUAL
    pairings_files: list[PairingsFile] = []
    different: list[PairingsFile] = []
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
            pairings_files.append(check.file)
            different += [] if check.equal else [check.file]
            say(json.dumps({"file": name} | verdict_as_document(check)) if as_json else as_text(name, check))
    for event in check_events(pairings_files, different):
        worst = max(worst, EQUAL if event.result == "consistent" else DIFFERENT)
        say(json.dumps(event_as_document(event)) if as_json else event_as_text(event))
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
