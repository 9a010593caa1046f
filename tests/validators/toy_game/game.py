"""A sixth game, as small as one can be: a pack of rats, each with a cost, races for cheese."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import Field

from validators.contract import (
    Document,
    EditionInfo,
    Finding,
    Forces,
    ForceSummary,
    GameSystem,
    Papers,
    Scoring,
    Terms,
)  # fmt: skip
from validators.event_rules import Held
from validators.force_file import Count, HeadOfForce, Name, parts_of, shaped, stored
from validators.force_file import blank as blank_of
from validators.kit.checks import Checks, Judged, finding, offer
from validators.kit.exchange import OwnFiles
from validators.kit.shapes import Part
from validators.kit.tried import first_legal
from validators.names import Words, nearest
from validators.scenario import Answers, Doubt, Question, Scenario, Score
from validators.sheet import CardUnit, Column, Derived, ReferencePart, Sheet, Table

COSTS: Mapping[str, int] = {"Runner": 3, "Sneak": 2, "Pup": 1}
EDITION = EditionInfo(
    id="first", name="First litter", date="2026-01-01", source="Made up for the tests", factions=("Cellar", "Attic"),
    names=(("Rats", tuple(COSTS)),), lists=COSTS,
)  # fmt: skip


class RatLine(Part):
    name: Name
    count: Count = 1


class PackFile(HeadOfForce):
    system: Literal["rat_race"]
    models: list[RatLine] = Field(max_length=20)


@dataclass(frozen=True)
class Rats:
    """Rats of one kind with their cost; None if the kind is unknown."""

    place: int
    label: str
    count: int
    each: int | None


@dataclass(frozen=True, kw_only=True)
class Pack(Judged):
    rats: tuple[Rats, ...]

    @property
    def total(self) -> int:
        return sum((line.each or 0) * line.count for line in self.rats)


def read(parsed: object, edition: EditionInfo) -> Document:
    """Parsed JSON to the canonical document."""
    return stored(shaped(parsed, PackFile, edition).model_dump())


blank = blank_of(read, "rat_race", "models")


def priced(document: Document, terms: Terms) -> Pack:
    """A document with its costs looked up."""
    costs = terms.edition.lists
    lines = enumerate(document["models"])
    rats = tuple(Rats(place, line["name"], line["count"], costs.get(line["name"])) for place, line in lines)
    return Pack(terms=terms, faction_name=document["faction"], rats=rats)


def size(pack: Pack) -> Iterator[Finding]:
    """rr.size: the pack costs at most the event's size."""
    over = pack.total - pack.size
    if over > 0:
        yield finding("rr.size", f"{pack.total} crumbs, {over} too many", f"Take out {over}.", figures={"over": over})


def known(pack: Pack) -> Iterator[Finding]:
    """rr.known: every kind of rat is in the edition."""
    for line in pack.rats:
        if line.each is None:
            fix = offer(nearest(line.label, tuple(COSTS)))
            yield finding("rr.known", f"{line.label} is no kind of rat", fix, on=[line])


def held(pack: Pack) -> Iterator[Held]:
    for line in pack.rats:
        yield from [Held(line.label, "", line.place, model=True)] * line.count


CHECKS = Checks(
    prefix="rr", unit="crumbs", words=Words(force="pack", forces="packs"), texts=Path(__file__).with_name("rules.json"),
    priced=priced, held=held, problems={"rr.size": size, "rr.known": known}, queries=(),
)  # fmt: skip


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    pack = priced(document, Terms(edition, 0))
    lines = tuple((f"{line.count} × {line.label}", line.count * (line.each or 0)) for line in pack.rats)
    return ForceSummary(pack.faction_name, pack.total, "", lines)


def sample(terms: Terms, faction: str, seed: int) -> Document:
    def draw(_: int, dice: Random) -> Document:
        lines = [{"name": name, "count": dice.randint(1, 3)} for name in COSTS]
        return read(blank(terms.edition, faction) | {"models": lines}, terms.edition)

    return first_legal(terms, draw, CHECKS.check, f"{faction}/{seed}/", 40, f"pack of {faction}")


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    rows = tuple((line, str(cost)) for line, cost in summarise(document, terms.edition).lines)
    columns = (Column("Rats"), Column("Crumbs", "figure"))
    return (Sheet(document["name"] or "Pack sheet", document["faction"], (Table("The pack", columns, rows),)),)


def derived(document: Document, terms: Terms) -> tuple[Derived, ...]:
    return (Derived("Total", str(priced(document, terms).total)),)


RACE = Scenario(
    id="race", name="The Race", summary="Who brings home more cheese?", setup=("Put the cheese in the middle.",),
    scoring=("1 VP for each piece of cheese.",), table_inches=24,
    questions=tuple(Question(f"{side}.cheese", side, "figure", "Cheese", most=9) for side in ("a", "b")),
    round_note="at most 9", source="Made up for the tests",
)  # fmt: skip


def check(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """There are nine pieces."""
    pieces = sum(value for value in answers.values() if isinstance(value, int))
    return (Doubt((), "There are nine pieces of cheese", True),) if pieces > 9 else ()


def score(scenario: Scenario, answers: Answers) -> Score:
    """A victory point for each piece."""
    return Score(int(answers.get("a.cheese", 0)), int(answers.get("b.cheese", 0)))


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    return tuple(CardUnit(line, cost) for line, cost in summarise(document, edition).lines)


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    return [line for line, _ in summarise(document, edition).lines]


def _unbuilt(*_: object) -> Any:
    raise NotImplementedError("nobody opens its builder")


FILES: Any = OwnFiles("the rat race", read, summarise, text_lines)
SYSTEM = GameSystem(
    id="rat_race",
    name="Rat Race",
    sizes=(10, 20),
    default_size=20,
    editions=(EDITION,),
    scenarios=(RACE,),
    checks=CHECKS,
    forces=Forces(
        blank, read, parts_of("models", "kind of rat"), summarise,
        sample, FILES, builder=_unbuilt, edit=_unbuilt, fixes=lambda document, terms: (),
    ),
    scoring=Scoring(check, score),
    papers=Papers(card, sheets, derived, (ReferencePart("Race", "1", ("Roll",), (("6",),), ("Cheese wins.",)),)),
)  # fmt: skip
