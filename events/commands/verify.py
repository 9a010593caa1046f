"""``overseer verify``: a published round drawn again from its file, by anybody, without a database."""

import json
from dataclasses import asdict
from typing import Any

import click

from events.commands.pair import contents, cut
from events.commands.terminal import say
from events.pairing.pairings_file import read_pairings
from events.pairing.strict_file import Unreadable
from events.pairing.verify import Check, redrawn

EQUAL, DIFFERENT, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest that any file asks for is given."""


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each file, in order.")
@click.pass_context
def verify(context: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Draw each round again from the pairings.json of its page, and say "equal", or where it is not.

    "-" is the standard input. The format is in docs/pairings.schema.json. Exit status: 0 all are equal, 1 some are
    not, 2 some cannot be read or drawn again. Rounds that were changed by hand are told with what the change costs.
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
            told: dict[str, Any] = {"file": name, "result": "unreadable", "faults": faults}
            say(json.dumps(told) if as_json else "\n".join([f"UNREADABLE  {name}", *(f"    {f}" for f in faults)]))
        else:
            worst = max(worst, EQUAL if check.equal else DIFFERENT)
            say(json.dumps({"file": name} | as_document(check)) if as_json else as_text(name, check))
    context.exit(worst)


def as_document(check: Check) -> dict[str, Any]:
    """What came of it, for scripts."""
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
        "by_hand": list(check.by_hand),
    }


def as_text(name: str, check: Check) -> str:
    """What came of it, for people."""
    file = check.file
    proof = "proven best" if check.drawn.certificate.proven else "not proven best"
    if file.inputs.format.kind != "swiss":
        proof = check.drawn.certificate.by
    return "\n".join(
        [
            f"{'EQUAL' if check.equal else 'DIFFERENT'}  {name}",
            f"    {file.event.name}, round {file.round}: {len(file.inputs.seats)} players, {file.algorithm}, "
            f"seed {file.seed}; {proof}",
            *(f"  ! {difference}" for difference in check.differences),
            *(["    Changed by hand after the draw:"] if check.by_hand else []),
            *(f"    - {change}" for change in check.by_hand),
        ]
    )
