"""Scenarios and reported results, in the form of every game system: part of the contract."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from languages.words import apart, capital, gettext, in_sentence, pgettext
from validators.faults import Fault
from validators.kit.shapes import Part, Text

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")
Outcome = Literal["a", "b", "draw"]
Answers = Mapping[str, int | str]
Parts = tuple[tuple[int, ...], tuple[int, ...]]
"""The figures that the victory points of A and of B are added up from."""
Detail = Literal["full", "totals", "outcome"]
"""The detail of a report: all that its scenario asks, both totals, or only who won."""
OPEN_END = 99
"""The upper limit for one player in one game round if the rules set none.

It only catches typing errors, and is not printed.
"""


@dataclass(frozen=True)
class Ruler:
    """A distance in inches that the game measures by a named ruler, or by several laid end to end.

    ``parts`` are their lengths and colours ("#RRGGBB") in the order of laying.
    """

    inches: float
    name: str
    parts: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Marker:
    """A scenario marker: inches from the left end of player A's edge and from that edge, and its label.

    Its object is placed ``within`` this number of inches of it; 0: exactly at it.
    """

    x: float
    y: float
    label: str
    owner: Side | None = None
    within: float = 0.0
    of_b: str = ""
    """Its label as player B counts it, if that is another one."""

    @property
    def said(self) -> str:
        """Its label in the reader's language, short enough for a map: "Line 1/5" if each player has their own."""
        label, theirs = gettext(self.label), gettext(self.of_b)
        return f"{label}/{theirs.removeprefix(label.rpartition(' ')[0]).strip()}" if theirs else label


@dataclass(frozen=True)
class Edge:
    """A named edge of the table, and the depth in inches of the zone along it in which its player deploys; 0: none."""

    side: Literal["top", "bottom", "left", "right"]
    label: str
    inches: float = 0.0


@dataclass(frozen=True)
class Question:
    """One question about a finished game; report forms and scoresheets are made from these.

    ``kind`` is "vp" (a figure for one game round), "objectives" (own objective markers completed), "figure" (any
    other number, asked once a game) or "choice". A number is refused below 0 or above ``most``. ``game_round``
    is None where it is asked once a game. ``decides`` is set on a choice that the score reads: both reports must agree
    on it. ``worth`` holds the victory points of a table of the scenario's own: of each one of a number, or of each of
    the choices in their order; the game says whose they are. ``usual`` is the most of a figure in a common game, for
    made-up results; 0 says nothing.
    """

    key: str
    side: Side
    kind: Literal["vp", "objectives", "figure", "choice"]
    label: str
    game_round: int | None = None
    most: int = 0
    choices: tuple[str, ...] = ()
    help: str = ""
    decides: bool = False
    worth: tuple[int, ...] = ()
    usual: int = 0
    for_enemy: bool = False
    """Whether its VP go to the opponent."""
    seldom: str = ""
    """When the scenario's second role answers it, with {} for the name of that role; "" for always."""
    once: bool = False
    """Whether it is one fact, which a sheet asks once for both sides."""

    @property
    def in_sentence(self) -> str:
        """Its label within a sentence, in the reader's language: "game round 3", "HP left"."""
        return self.said if self.said[1:2].isupper() else in_sentence(self.said)

    @property
    def said(self) -> str:
        """Its label in the reader's language, with the VP of a box to tick: "Line 2: 2 VP"."""
        if self.kind == "vp" and self.game_round:
            return gettext("Game round %(number)s", number=self.game_round)
        if self.kind == "figure" and self.most == 1 and self.worth:
            return gettext("%(label)s: %(n)s VP", label=gettext(self.label), n=self.worth[0])
        return gettext(self.label)

    @property
    def explained(self) -> str:
        """Its help in the reader's language, in which ``%(n)s`` is what each is worth, and ``%(most)s`` the highest."""
        figures = {"n": self.worth[0] if self.worth else 0, "most": self.most}
        return gettext(self.help, **figures) if "%(" in self.help else gettext(self.help)


@dataclass(frozen=True)
class Count:
    """Something in a force that a report can count, so that nobody has to add it up: up to ``most``, at ``worth`` each.

    ``key`` is unique in its force, and the same for every question that counts it.
    """

    key: str
    label: str
    most: int
    worth: int


@dataclass(frozen=True)
class Tally:
    """One figure of a side as its force gives it: the figure itself, or the counts that make it up."""

    question: str
    """The key of the question."""
    known: int | None = None
    counts: tuple[Count, ...] = ()


class Limit(Part, frozen=True):
    """More than ``above`` VP in one game round are rejected or queried; ``why`` is the reason in a few words."""

    above: Annotated[int, Field(ge=1, le=2 * OPEN_END)]
    why: Annotated[Text, Field(max_length=160)] = ""


class Limits(Part, frozen=True):
    """The limits of one game round's figures, in addition to the most that one player can score."""

    together_refused: Limit | None = None
    """The limit of both players' VP together."""
    together_asked: Limit | None = None
    one_asked: Limit | None = None
    held_by_one: Annotated[Text, Field(max_length=40)] = ""
    """A marker worth 1 VP that only one player can hold in a game round, while all else is worth even figures.

    So both figures cannot be odd. "" if there is none.
    """


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Role:
    """One of the two parts of a scenario whose sides differ, and the force that plays it."""

    name: str
    size: int
    """The most that is fielded of the player's list, in the game's unit."""
    gets: str
    """The scenario's free additions to the force, in words."""
    banned: tuple[str, ...] = ()
    """Names that this role may not field."""

    @property
    def said(self) -> str:
        return pgettext("role", self.name)


@dataclass(frozen=True)
class Note:
    """A short note for a sheet. ``figure``, if it has one, is "%(n)s" in its text, and another one "%(other)s"."""

    text: str
    figure: int | str = ""
    other: str = ""

    @property
    def figures(self) -> dict[str, int | str]:
        """Its figures in the reader's language, by their names in the text."""
        n = gettext(self.figure) if isinstance(self.figure, str) else self.figure
        return {} if n == "" else {"n": n, "other": gettext(self.other)}

    @property
    def said(self) -> str:
        return gettext(self.text, **self.figures)


@dataclass(frozen=True)
class Scenario:
    """A scenario as data: its set-up, its questions, and its printed sentences, in the project's own words."""

    id: str
    name: str
    summary: str
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    table_inches: int
    questions: tuple[Question, ...]
    round_notes: tuple[Note, ...]
    """The limits of a game round's figures, short enough for a sheet ("both together: at most 2 a round")."""
    source: str
    game_rounds: int = 0
    """0: no fixed number."""
    scoring_from: int = 0
    """The first game round in which the scenario itself can score."""
    most: int = 0
    """The most VP of one player in one game round, without the player's own objective markers."""
    limits: Limits = NO_LIMITS
    choices: tuple[str, ...] = ()
    """The choices of each player before the game, possibly the same; they score nothing."""
    deployment_inches: int = 0
    """The depth of each player's deployment strip along the player's edge; 0 if the set-up differs."""
    turns: tuple[str, ...] = ()
    """The steps after the set-up that say who acts when, if the scenario has its own."""
    markers: tuple[Marker, ...] = ()
    edges: tuple[Edge, ...] = ()
    """The edges that the scenario names, if its zones are not the usual strips."""
    example: bool = False
    """Whether players place the markers in the game: these show how."""
    hint: str = ""
    """How to find a game round's figure, shown next to its box ("1 for each console scored this round")."""
    note: str = ""
    """``round_note`` as its author wrote it; "" if it is generated from the limits."""
    objectives: int = 0
    """The objective markers of each player, 1 VP for each completed; 0 if the game has none."""
    objective_kinds: tuple[str, ...] = ()
    """The kinds of objective markers that a player distributes before the game."""
    objective_most: int = 0
    """The most of one kind."""
    objective_notes: tuple[Note, ...] = ()
    needs: tuple[str, ...] = ()
    """The objects needed on the table, each with its count ("6 chests")."""
    readings: tuple[str, ...] = ()
    """Our answers to questions that the document leaves open."""
    queries: tuple[str, ...] = ()
    """Questions for the organiser that no document answers."""
    scored_by: str = ""
    """Which of the game's ways of scoring it uses, in the game's word; "" if the game has only one."""
    usual: bool = True
    """Whether a new event's pool has it: lists of that size fit the set-up, and it is no variant of another one."""
    roles: tuple[Role, ...] = ()
    """The two parts, if the sides differ: drawn with the round, one for each player.

    The questions ``a.role`` and ``b.role`` ask who had which.
    """
    detail: Detail = "full"
    """Less than "full" if ``validators.report_detail`` has replaced the game's own questions."""
    sums: tuple[str, ...] = ()
    """The parts that add up to a side's VP, in a few words each, if these are not the figures asked for."""
    document: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The file it was read from, without empty fields; read again, it is an equal scenario."""

    def roles_drawn(self, a_first: bool | None) -> dict[Side, Role]:
        """The role of each side; ``a_first`` gives player A the first one. None if roles are not drawn."""
        if a_first is None or not self.roles:
            return {}
        of_a, of_b = self.roles if a_first else self.roles[::-1]
        return {"a": of_a, "b": of_b}

    @property
    def round_note(self) -> str:
        return apart(note.said for note in self.round_notes)

    @property
    def objective_note(self) -> str:
        return apart(note.said for note in self.objective_notes)


class UnreadableScenario(Exception):
    """A scenario that cannot be played as written; ``faults`` say what is wrong, and where."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(apart(map(str, faults)))
        self.faults = faults


PLAYER: Mapping[Side, str] = {"a": "{a}", "b": "{b}"}
"""What stands for the name of each side's player in the text of a doubt."""


@dataclass(frozen=True)
class Doubt:
    """A doubt about a reported result: ``refused`` if it is impossible, otherwise unusual and to be confirmed.

    ``keys`` are the questions concerned; empty for the whole form. The text has ``PLAYER`` in place of names, and is
    made a full sentence.
    """

    keys: tuple[str, ...]
    text: str
    refused: bool
    at_the_end: bool = False
    """Unusual only for a game played to the end, so games that ended early are not queried."""
    names: tuple[str, str] | None = None
    """The players' names, A's first; None for "player A" and "player B"."""

    def __post_init__(self) -> None:
        stop = "" if self.text.endswith((".", "?")) else "."
        object.__setattr__(self, "text", capital(self.text) + stop)

    @property
    def message(self) -> str:
        """The text with the players' names."""
        names = dict(zip(PLAYER.values(), self.names or (gettext("player A"), gettext("player B")), strict=True))
        said = re.sub("|".join(map(re.escape, names)), lambda match: names[match[0]], self.text)
        return said if self.names else capital(said)


@dataclass(frozen=True)
class WhyWon:
    """Why the higher total has not simply won, said to the loser, to the winner, and of the loser %(name)s."""

    yours: str
    theirs: str
    named: str


@dataclass(frozen=True)
class Score:
    """Both sides' victory points from all sources, and the winner.

    ``decided`` is set if the higher total does not simply win. If only the outcome was reported, ``known`` is False:
    the victory points are unknown and not shown.
    """

    a: int
    b: int
    decided: Outcome | None = None
    known: bool = True
    also: tuple[tuple[int, int], ...] = ()
    """Both sides' other figures that can break ties, in the order of the game's ``tie_figures``."""
    why: "WhyWon | None" = field(default=None, compare=False)
    """Why the higher total has not simply won; None if it has, or if the game's ending says."""

    @property
    def outcome(self) -> Outcome:
        if self.decided is not None:
            return self.decided
        return "a" if self.a > self.b else "b" if self.b > self.a else "draw"

    def shown(self, side: Side) -> str:
        """A side's victory points; if unknown, the letter of its result: "W", "D" or "L"."""
        if self.known:
            return str(self.a if side == "a" else self.b)
        return "D" if self.outcome == "draw" else "W" if self.outcome == side else "L"

    @property
    def figures(self) -> str:
        """Both sides: "5 : 3", or "W : L"."""
        return f"{self.shown('a')} : {self.shown('b')}"
