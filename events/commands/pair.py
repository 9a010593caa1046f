"""``overseer pair``: draw a round from a file, without a database, so that anyone can check a draw."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from events.pairing.explain import number
from events.pairing.rules import AvoidClubs, Rules
from events.pairing.seats import Draw, Seat
from events.pairing.swiss import draw

MOST_BYTES = 64 * 1024 * 1024
MOST_FAULTS = 20
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f]*$"

Id = Annotated[str, Field(min_length=1, max_length=200, pattern=PRINTABLE)]


class SeatLine(BaseModel):
    """One player of the round."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Id
    points: float = Field(0, ge=-1e6, le=1e6, description="Tournament points so far.")
    club: str = Field("", max_length=200, pattern=PRINTABLE)
    byes: int = Field(0, ge=0, le=1000)
    floats: int = Field(0, ge=0, le=1000, description="How often this player was paired down before.")
    opponents: tuple[Id, ...] = Field((), max_length=1000, description="Those already met.")
    tables: tuple[Annotated[int, Field(ge=0, le=10**6)], ...] = Field((), max_length=1000)


class DrawRequest(BaseModel):
    """A round to be drawn, as ``overseer pair`` reads it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    round: int = Field(ge=1, le=1000)
    seats: tuple[SeatLine, ...] = Field(max_length=2048)
    keep_apart: tuple[tuple[Id, Id], ...] = Field((), max_length=10_000)
    avoid_clubs: AvoidClubs = "first_round"


class UnreadableDraw(Exception):
    """Input that cannot be drawn; one sentence each, with the place in the input first."""

    def __init__(self, faults: Iterable[str]) -> None:
        super().__init__()
        self.faults = tuple(faults)


@click.command("pair")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of the lots.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON per draw, in order.")
@click.pass_context
def pair(context: click.Context, file: str, seed: int, as_json: bool) -> None:
    """Draw the round that FILE describes: JSON, or JSON lines with a draw on each; "-" is the standard input.

    The format is in docs/draw.schema.json. Exit status 2 when the input cannot be read, 0 otherwise.
    """
    try:
        drawn = [(request, drawn_from(request, seed, place)) for place, request in read(file)]
    except UnreadableDraw as unreadable:
        for fault in unreadable.faults:
            click.echo(fault, err=True)
        context.exit(2)
    for count, (request, result) in enumerate(drawn):
        if as_json:
            click.echo(json.dumps(as_document(result)))
        else:
            click.echo(("\n" if count else "") + as_table(request, result))


def read(file: str) -> list[tuple[str, DrawRequest]]:
    """The draws asked for, each with its place in the input. Raises UnreadableDraw."""
    name = "standard input" if file == "-" else file
    try:
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableDraw([f"{name}: {error.strerror}"]) from error
    if len(data) > MOST_BYTES:
        raise UnreadableDraw([f"{name}: larger than {MOST_BYTES // 1024**2} MiB"])
    data = data.removeprefix(b"\xef\xbb\xbf")
    documents = [(name, data)]
    if name.endswith(".jsonl") or (file == "-" and is_lines(data)):
        lines = enumerate(data.splitlines(), start=1)
        documents = [(f"{name}:{line}", text) for line, text in lines if text.strip()]
    requests: list[tuple[str, DrawRequest]] = []
    faults: list[str] = []
    for place, text in documents:
        try:
            requests.append((place, DrawRequest.model_validate_json(text)))
        except ValidationError as error:
            faults += [f"{place}: {fault}" for fault in faults_of(error)]
    if faults or not documents:
        hidden = [f"... and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
        raise UnreadableDraw(faults[:MOST_FAULTS] + hidden or [f"{name}: there is no draw in it"])
    return requests


def is_lines(data: bytes) -> bool:
    """Whether the first line with text is a document of its own, and more follow."""
    first, *others = [line for line in data.splitlines() if line.strip()] or [b""]
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return bool(others)


def faults_of(error: ValidationError) -> list[str]:
    """What is wrong in a document, each with its place: "seats[2].points: ..."."""
    faults = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault["loc"])
        faults.append(": ".join(filter(None, (place.removeprefix("."), fault["msg"]))))
    return faults


def drawn_from(request: DrawRequest, seed: int, place: str) -> Draw:
    """The draw that was asked for. Raises UnreadableDraw when the field is one that cannot be meant."""
    seats = [Seat(**seat.model_dump()) for seat in request.seats]
    try:
        return draw(request.round, seats, seed=seed, rules=Rules(request.avoid_clubs, request.keep_apart))
    except ValueError as error:
        raise UnreadableDraw([f"{place}: {error}"]) from error


def as_document(result: Draw) -> dict[str, object]:
    """The draw as ``--json`` prints it."""
    return {
        "pairs": [[pair.a, pair.b] for pair in result.pairs],
        "bye": result.bye,
        "levels": asdict(result.levels),
        "certificate": asdict(result.certificate),
        "notes": notes_of(result),
        "seed": result.seed,
        "algorithm": result.algorithm,
    }


def notes_of(result: Draw) -> list[str]:
    """Every note, with those it is about first."""
    about_pairs = [f"{pair.a} - {pair.b}: {note}" for pair in result.pairs for note in pair.notes]
    return about_pairs + [f"{result.bye}: {note}" for note in result.notes]


def as_table(request: DrawRequest, result: Draw) -> str:
    """The draw for people: a line for each pair with its points and notes, then what it cost."""
    points = {seat.id: number(seat.points) for seat in request.seats}
    rows = [(pair.a, points[pair.a], pair.b, points[pair.b], "; ".join(pair.notes)) for pair in result.pairs]
    if result.bye is not None:
        rows.append((result.bye, points[result.bye], "(bye)", "", "; ".join(result.notes)))
    rows.insert(0, ("player", "points", "player", "points", "notes"))
    width = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        f"{a:<{width[0]}}  {pa:>{width[1]}}  {b:<{width[2]}}  {pb:>{width[3]}}  {notes}".rstrip()
        for a, pa, b, pb, notes in rows
    ]
    title = f"Round {request.round}: {len(request.seats)} players, seed {result.seed}"
    levels = ", ".join(f"{level.replace('_', ' ')} {count}" for level, count in asdict(result.levels).items())
    proof = "proven best" if result.certificate.proven else "not proven best"
    return "\n".join([title, "", *lines, "", levels, f"{proof}: {result.certificate.by}"])
