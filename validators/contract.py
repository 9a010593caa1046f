"""The data that game systems and the service exchange: forces, editions, the terms of a check and its verdict.

A *problem* makes a force illegal, a *query* asks the organiser for
a look, a *fix* says how to solve a problem.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from languages.words import apart, gettext
from validators.faults import Fault
from validators.names import fold
from validators.restrictions import NONE, Restrictions
from validators.scenario import Role

Document = dict[str, Any]
"""A force as its file holds it: plain JSON values, legal or not."""


class UnreadableForce(Exception):
    """A force file that cannot be checked at all: not JSON, another game, a missing or mistyped field.

    ``faults`` are a sentence each, starting with the place in the file ("models[2].items[0].count: ...").
    """

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class UnreadableEdition(Exception):
    """A file of force lists that cannot be read as an edition; ``faults`` say what is wrong, and where."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True)
class Rule:
    """One rule of a game: its id, its title, its text in the project's own words, and where it is printed."""

    id: str
    title: str
    text: str
    source: str
    remark: str = ""
    """What we say of the source, or instead of one, in the project's own words."""

    @property
    def said(self) -> "Rule":
        """The rule in the reader's language, with the remark as part of its source."""
        source = apart(filter(None, (self.source, gettext(self.remark))))
        return Rule(self.id, gettext(self.title), gettext(self.text), source)


@dataclass(frozen=True)
class Finding:
    """One message from the check of a force, under the id of the rule behind it.

    ``figures`` holds the numbers that the message quotes; ``models`` names the models concerned, in the force's order;
    ``places`` are those models' positions in the force, from 0; ``fix`` says how to solve it ("" on a query that only
    asks for a look).
    """

    rule: str
    message: str
    figures: Mapping[str, int | str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    fix: str = ""
    is_query: bool = False
    """Whether it asks the organiser for a look, and does not make the force illegal."""

    def as_json(self) -> dict[str, Any]:
        """The finding in the JSON of the command line and the API."""
        return {
            "rule": self.rule,
            "message": self.message,
            "figures": dict(self.figures),
            "models": list(self.models),
            "mend": self.fix,
        }


MOST_FIXED = 40
"""The most problems for which fixes are searched. Beyond that, a few changes cannot make a list legal."""


@dataclass(frozen=True)
class Verdict:
    """The result of checking a force: its total in the system's unit, and all problems and queries."""

    total: int
    problems: tuple[Finding, ...] = ()
    queries: tuple[Finding, ...] = ()
    later: tuple[Finding, ...] = ()
    """What rules of the service find that are newer than the lock of the list; it keeps its verdict."""

    def kept(self, asked: Collection[str]) -> "Verdict":
        """The verdict of a list that was locked as legal, with queries under the rules ``asked`` ("*" for any).

        The rules that the event adds are its own, and not newer.
        """
        found = [*self.problems, *self.queries]
        own = [
            finding
            for finding in found
            if ".event." in finding.rule or (finding.is_query and not {finding.rule, "*"}.isdisjoint(asked))
        ]
        problems, queries = (tuple(finding for finding in own if finding.is_query == asks) for asks in (False, True))
        return Verdict(self.total, problems, queries, tuple(finding for finding in found if finding not in own))

    @property
    def legal(self) -> bool:
        """Whether there are no problems; queries may be open."""
        return not self.problems

    def about(self, place: int) -> "Verdict":
        """Only the findings about the part of the force at this place."""
        of_part = [
            tuple(finding for finding in row if place in finding.places) for row in (self.problems, self.queries)
        ]
        return Verdict(self.total, *of_part)

    def sentences(self) -> tuple[str, ...]:
        """Every problem and query, for a sheet."""
        return tuple(problem.message for problem in (*self.problems, *self.queries))

    @property
    def may_be_fixed(self) -> bool:
        """Whether the force is illegal with few enough problems for a search for fixes."""
        return 0 < len(self.problems) <= MOST_FIXED

    def as_json(self) -> dict[str, Any]:
        """The verdict in the JSON of ``overseer roster check --json``."""
        return {
            "legal": self.legal,
            "total": self.total,
            "problems": [p.as_json() for p in self.problems],
            "queries": [q.as_json() for q in self.queries],
        }


@dataclass(frozen=True)
class Fix:
    """A way to make an illegal force legal: its changes in words, the new total and the whole new force.

    ``key`` distinguishes it from other fixes for the same force.
    """

    key: str
    changes: tuple[str, ...]
    total: int
    document: Document


@dataclass(frozen=True)
class ForceSummary:
    """A short description of a force, for lists and sheets: faction, total, leader, and one line per model."""

    faction: str
    total: int
    leader: str
    """Empty if a force has no leader, or a leader in each part."""
    lines: tuple[tuple[str, int], ...]
    """Each model with its equipment, and the cost of both."""
    also: str = ""
    """Other contents of the force, in words."""


ListAnswers = Mapping[str, str]
"""Answers to what was asked about a text: the key of a line ("3") or of a question, and the key of a choice."""
NO_ANSWERS: ListAnswers = MappingProxyType({})
LineState = Literal["read", "check", "title", "left out", "total"]


@dataclass(frozen=True)
class Choice:
    """One answer to a question about a line or a list: ``key`` is what a form sends, ``caps`` what it would cost."""

    key: str
    label: str
    caps: int | None = None


@dataclass(frozen=True)
class LineRead:
    """A line of a text and what was made of it; ``number`` counts from 1.

    ``ours`` are the models ("2 Psycho", "Raider Boss, Leader"), ``parts`` what they have; ``note`` is the question,
    why the line is left out, or how it was read. ``asked_above``: it waits for a question about the whole list.
    """

    number: int
    written: str
    state: LineState
    ours: str = ""
    parts: str = ""
    note: str = ""
    caps: int | None = None
    choices: tuple[Choice, ...] = ()
    asked_above: bool = False


@dataclass(frozen=True)
class ListQuestion:
    """A question that is asked once for several lines, and its answers."""

    key: str
    sentence: str
    lines: tuple[int, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Imported:
    """A force file of any known format, understood.

    ``format`` names it; ``stated`` is the cost by the file, if any, ``total`` the cost by the edition; ``notes`` are
    sentences on what was changed or left out in reading. ``lines`` is the whole text, line by
    line; empty for a file that is not read by its words.
    """

    document: Document
    format: str
    stated: int | None
    total: int
    notes: tuple[str, ...] = ()
    lines: tuple[LineRead, ...] = ()
    questions: tuple[ListQuestion, ...] = ()

    @property
    def open(self) -> int:
        """How many questions wait for an answer."""
        return len(self.questions) + sum(line.state == "check" and not line.asked_above for line in self.lines)

    @property
    def left_out(self) -> tuple[LineRead, ...]:
        return tuple(line for line in self.lines if line.state == "left out")


@dataclass(frozen=True)
class ForceFormat:
    """A format in which a force can be saved; ``id`` is also the file's extension."""

    id: str
    label: str
    mimetype: str


@dataclass(frozen=True)
class EditionInfo:
    """An edition of a system's force lists, as an event pins it."""

    id: str
    name: str
    date: str
    source: str
    """The source of its figures, in words."""
    factions: tuple[str, ...]
    """The factions that may be fielded."""
    names: tuple[tuple[str, tuple[str, ...]], ...]
    """Everything that can be bought, by kind ("Models", "Perks"), as the edition spells it."""
    lists: Any = field(repr=False, compare=False)
    """The system's own form of the lists, which no other code reads."""
    partial: bool = False
    """Whether it is less than the printed lists."""
    notes: tuple[str, ...] = ()
    """Sentences for people who choose the edition."""
    caution: str = ""
    """A sentence for everybody who uses it."""


@dataclass(frozen=True)
class Terms:
    """The terms for checking a force: an edition, the event's size in the system's unit, and the event's additions."""

    edition: EditionInfo
    size: int = 0
    """0 if only the cost is wanted, without a check."""
    restrictions: Restrictions = NONE
    faction: str = ""
    """The player's faction, if the event locks factions."""
    role: Role | None = None
    """The role in a scenario of a fielded part of a list; None for a whole list."""
    grown: bool = False
    """Whether it has grown in a campaign, so that the rules in ``Checks.starting`` do not apply."""
    least: int = 0
    """The fewest points that a battle of the campaign needs; 0: nothing asks for them."""

    @property
    def fielded(self) -> "Terms":
        """The terms of a force in a game: with a sideboard, of the part fielded from the roster."""
        return replace(self, restrictions=replace(self.restrictions, roster_size=None), least=0)

    def in_role(self, role: Role) -> "Terms":
        """The terms of the part of a list fielded in a role. Limits that grow with the size stay those of the list."""
        return replace(replace(self, size=self.list_size).fielded, role=role)

    @property
    def list_size(self) -> int:
        """The most that a list may cost: with a sideboard the roster's size, else the event's."""
        return self.restrictions.roster_size or self.size

    def bans(self, name: str) -> bool:
        return fold(name) in map(fold, self.restrictions.banned)

    def open_to(self, faction: str) -> bool:
        """Whether the event allows this player this faction."""
        allowed = (self.faction,) if self.faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)
