"""A scenario and a reported result, as every game system gives them: part of the contract."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")
Outcome = Literal["a", "b", "draw"]
Answers = Mapping[str, int | str]
Detail = Literal["full", "totals", "outcome"]
"""What a report says of a game: all that its scenario asks, both totals, or who won."""
OPEN_END = 99
"""The highest figure of one player in one game round: it only catches slips of the pen, and no sheet prints it."""


@dataclass(frozen=True)
class Ruler:
    """A distance in inches that the game measures by a named ruler, or by several laid in one line.

    ``parts`` are their lengths and colours ("#RRGGBB") in the order in which they are laid.
    """

    inches: float
    name: str
    parts: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Marker:
    """A scenario marker on the table: inches from the left end of player A's edge, and what it is."""

    x: float
    y: float
    label: str
    owner: Side | None = None


@dataclass(frozen=True)
class Question:
    """One thing asked of a finished game; a form and a sheet are both made from these.

    ``kind`` is "vp" (a figure for one game round), "objectives" (own objective markers completed), "figure" (any
    other number, asked once a game) or "choice". A number is refused below ``least`` or above ``most``. ``game_round``
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
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    help: str = ""
    decides: bool = False
    worth: tuple[int, ...] = ()
    usual: int = 0
    for_enemy: bool = False
    """Whether its VP are the enemy's."""
    parts: str = ""
    """What its figure is added up from, in a word: a sheet has lines for some."""


@dataclass(frozen=True)
class Count:
    """Something of a force that a report may count, so that nobody adds it up: up to ``most``, at ``worth`` each.

    ``key`` is unique in its force, and the same for every question that it may be counted for.
    """

    key: str
    label: str
    most: int
    worth: int


@dataclass(frozen=True)
class Tally:
    """What a force says about one figure of its side: the figure itself, or what it is counted from."""

    question: str
    """The key of the question."""
    known: int | None = None
    counts: tuple[Count, ...] = ()


@dataclass(frozen=True)
class Limit:
    """More VP than ``above`` in one game round is refused or asked about; ``why`` is the reason in a few words."""

    above: int
    why: str = ""


@dataclass(frozen=True)
class Limits:
    """What binds the figures of one game round beyond the most that one player can score in it."""

    together_refused: Limit | None = None
    """Both players' VP added cannot be more."""
    together_asked: Limit | None = None
    one_asked: Limit | None = None
    held_by_one: str = ""
    """A marker worth 1 VP, all else being worth even figures, that one player at most can hold in a game round: both
    figures odd cannot be. "" where there is none."""


@dataclass(frozen=True)
class Role:
    """One of the two parts of a scenario whose sides differ, and the force that plays it."""

    name: str
    size: int
    """The most that is fielded of the own list, in the game's unit."""
    gets: str
    """What the scenario adds to it at no cost, in words."""
    banned: tuple[str, ...] = ()
    """What it may not field of the list."""


@dataclass(frozen=True)
class Scenario:
    """A scenario as data: what is set up, what is asked, and the sentences printed, in the project's own words."""

    id: str
    name: str
    summary: str
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    table_inches: int
    questions: tuple[Question, ...]
    round_note: str
    """The limits of a game round's figures, short enough for a sheet ("both together: at most 2 a round")."""
    source: str
    game_rounds: int = 0
    """0: as many as it takes."""
    scoring_from: int = 0
    """The first game round in which the scenario itself can score."""
    most: int = 0
    """VP of one player in one game round, markers of the own objectives aside."""
    limits: Limits = Limits()
    choices: tuple[str, ...] = ()
    """What each player chooses before the game, both the same if they like; scores nothing by itself."""
    deployment_inches: int = 0
    """Depth of each player's deployment strip along the own edge; 0 if the set-up says otherwise."""
    markers: tuple[Marker, ...] = ()
    hint: str = ""
    """How to find a game round's figure, next to its box ("1 for each console scored this round")."""
    note: str = ""
    """``round_note`` as its author wrote it; "" if it is made from the limits."""
    objectives: int = 0
    """Objective markers of each player, 1 VP for each completed; 0 if the game has none."""
    objective_kinds: tuple[str, ...] = ()
    """The kinds of objective markers that a player allots before the game."""
    objective_most: int = 0
    """Of one kind."""
    objective_note: str = ""
    readings: tuple[str, ...] = ()
    """The answers chosen here to questions that the document leaves open."""
    queries: tuple[str, ...] = ()
    """Questions for the organiser that no document answers."""
    scored_by: str = ""
    """Which of its game's ways to score it goes by, in the game's word; "" where the game has one way."""
    usual: bool = True
    """Whether it is in the pool of a new event: lists of its size meet the set-up, and it varies no other scenario."""
    roles: tuple[Role, ...] = ()
    """The two parts, where the sides differ: drawn with the round, one for each player. The questions ``a.role`` and
    ``b.role`` ask who had which."""
    detail: Detail = "full"
    """Less than "full" where ``validators.report_detail`` has put other questions in place of the game's own."""
    sums: tuple[str, ...] = ()
    """What a side's VP are added up from, in a few words each, where they are no sum of the figures asked for."""

    def roles_drawn(self, a_first: bool | None) -> dict[Side, Role]:
        """The role of each side; ``a_first``: player A has the first. None where the roles are not drawn."""
        if a_first is None or not self.roles:
            return {}
        of_a, of_b = self.roles if a_first else self.roles[::-1]
        return {"a": of_a, "b": of_b}


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a file: its place as keys and positions from 0, what is wrong there, its line if known."""

    place: tuple[str | int, ...]
    message: str
    line: int | None = None

    def __str__(self) -> str:
        """ "line 12, markers[2].x: is 40, ..." """
        at = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.place).lstrip(".")
        where = ", ".join(filter(None, (f"line {self.line}" if self.line else "", at)))
        return f"{where}: {self.message}" if where else self.message


class UnreadableScenario(Exception):
    """A scenario that cannot be played as its document stands; ``faults`` says what is wrong, and where."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True)
class Doubt:
    """What is wrong with a reported result: ``refused`` is impossible, otherwise it is odd and must be confirmed.

    ``keys`` are the questions concerned; with none, the whole form. The message is made a full sentence.
    """

    keys: tuple[str, ...]
    message: str
    refused: bool
    at_the_end: bool = False
    """Odd of a game that was played out alone: nothing to ask where it ended early."""

    def __post_init__(self) -> None:
        """Give the message a capital and a full stop."""
        stop = "" if self.message.endswith((".", "?")) else "."
        object.__setattr__(self, "message", f"{self.message[:1].upper()}{self.message[1:]}{stop}")


@dataclass(frozen=True)
class Score:
    """Victory points of both sides, all sources added, and who won.

    ``decided`` is given where the game does not go by the more victory points alone. Where only the outcome was
    reported, ``known`` is false: the victory points are unknown, and nothing shows them.
    """

    a: int
    b: int
    decided: Outcome | None = None
    known: bool = True

    @property
    def outcome(self) -> Outcome:
        """The winning side, or a draw."""
        if self.decided is not None:
            return self.decided
        return "a" if self.a > self.b else "b" if self.b > self.a else "draw"

    def shown(self, side: Side) -> str:
        """The victory points of a side; where they are unknown, its letter of a result: "W", "D" or "L"."""
        if self.known:
            return str(self.a if side == "a" else self.b)
        return "D" if self.outcome == "draw" else "W" if self.outcome == side else "L"

    @property
    def figures(self) -> str:
        """Both sides: "5 : 3", or "W : L"."""
        return f"{self.shown('a')} : {self.shown('b')}"
