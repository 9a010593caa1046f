"""What every game system gives the service, and what it gets: data in, data out.

A system never sees a request, a session or a clock. The words are the field's: a *problem* makes a force illegal, a
*query* asks the organiser for a look, a *mend* says what would put a problem right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from validators.bounds import Bound
from validators.calculator import Calculator
from validators.editions import EditionDifference, EditionReport, EditionTitle, PriceList
from validators.restrictions import NONE, Restrictions
from validators.scenario import Answers, Doubt, Ruler, Scenario, Score, Side, Tally
from validators.scenery import Scenery
from validators.sheet import Derived, Sheet
from validators.vocabulary import Words

Document = dict[str, Any]
"""A force as its file holds it: plain JSON values, legal or not."""


class UnreadableForce(Exception):
    """A force file that cannot be judged at all: not JSON, another game, a missing or mistyped field.

    ``faults`` holds one sentence each, with the place in the file first ("models[2].items[0].count: ...").
    """

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class UnreadableEdition(Exception):
    """A file of force lists that no edition can be made of.

    ``faults`` holds one sentence each, with the place first ("line 214, factions[1].models[3].caps: ...").
    """

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Rule:
    """One rule of a game by its id: its title, its text in the project's own words, and where it is printed."""

    id: str
    title: str
    text: str
    source: str


@dataclass(frozen=True)
class Finding:
    """One thing that the check of a force has to say, under the id of the rule that it rests on.

    ``figures`` holds the numbers that the message quotes; ``models`` names the models concerned, in the force's order;
    ``places`` are those models' positions in the force, from 0; ``mend`` says what would put it right ("" on a query
    that only asks for a look).
    """

    rule: str
    message: str
    figures: Mapping[str, int | str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    mend: str = ""

    def as_json(self) -> dict[str, Any]:
        """The finding as the command line and the API print it."""
        shown = asdict(self)
        del shown["places"]
        return shown | {"figures": dict(self.figures), "models": list(self.models)}


MOST_FIXED = 40
"""Problems of a list for which fixes are searched. With more, no few changes make it legal."""


@dataclass(frozen=True)
class Verdict:
    """What the check of a force found: its total in the system's unit, and every problem and query."""

    total: int
    problems: tuple[Finding, ...] = ()
    queries: tuple[Finding, ...] = ()

    @property
    def legal(self) -> bool:
        """No problem was found; queries may be open."""
        return not self.problems

    @property
    def may_be_fixed(self) -> bool:
        """Illegal, with few enough problems that a search for fixes can find one."""
        return 0 < len(self.problems) <= MOST_FIXED

    def as_json(self) -> dict[str, Any]:
        """The verdict as ``overseer roster check --json`` prints it."""
        return {
            "legal": self.legal,
            "total": self.total,
            "problems": [p.as_json() for p in self.problems],
            "queries": [q.as_json() for q in self.queries],
        }


@dataclass(frozen=True)
class Mending:
    """A way to make an illegal force legal: its changes in words, its total and the whole force after them.

    ``key`` names it among the ways that are offered for the same force.
    """

    key: str
    changes: tuple[str, ...]
    total: int
    document: Document


@dataclass(frozen=True)
class ForceSummary:
    """A force in a few words, for lists and sheets: faction, total, its leader, and one line per model."""

    faction: str
    total: int
    leader: str
    lines: tuple[tuple[str, int], ...]
    """Each model with what it carries, and what both cost together."""


@dataclass(frozen=True)
class Imported:
    """A force file of any known format, understood.

    ``format`` names it; ``stated`` is what the file says that the force costs (None where it does not), ``total`` what
    the edition says; ``notes`` tell in sentences what was read otherwise than it is written, and what was left out.
    """

    document: Document
    format: str
    stated: int | None
    total: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForceFormat:
    """A format that a force can be saved in; ``id`` is also the end of the file's name."""

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
    """Where its figures are from, in words."""
    factions: tuple[str, ...]
    """Those that may be fielded."""
    names: tuple[tuple[str, tuple[str, ...]], ...]
    """Everything that can be bought, by kind ("Models", "Perks"), as the edition spells it."""
    lists: Any = field(repr=False, compare=False)
    """The system's own form of the lists; nobody else looks inside."""
    partial: bool = False
    """Whether it holds less than the printed lists."""
    notes: tuple[str, ...] = ()
    """What whoever chooses the edition should know, in sentences."""


@dataclass(frozen=True)
class Terms:
    """What a force is judged by: an edition, the event's size in the system's unit, and what the event adds."""

    edition: EditionInfo
    size: int
    restrictions: Restrictions = NONE
    faction: str = ""
    """The faction that the player is bound to, where the event binds players."""

    @property
    def fielded(self) -> "Terms":
        """The terms of a force in a game: with a sideboard, those of the force that is fielded from the roster."""
        return replace(self, restrictions=replace(self.restrictions, roster_size=None))


@dataclass(frozen=True)
class ScenarioFiles:
    """How organisers write scenarios of their own: the form of the game's own scenario files."""

    read: Callable[[object], Scenario]
    """Parsed JSON of a scenario file to the scenario. Raises UnreadableScenario."""
    import_: Callable[[bytes], Scenario]
    """The bytes of a scenario file; the faults say their line. Raises UnreadableScenario."""
    document: Callable[[Scenario], Document]
    """A scenario to the document of its file, which ``read`` reads as the same scenario."""
    by_form: bool = True
    """They are written on the page too, whose form asks for points by game rounds; False: as files alone."""


@dataclass(frozen=True)
class EditionFiles:
    """How editions of a game's force lists come in and out, and how they are shown."""

    read: Callable[[bytes], EditionInfo]
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    write: Callable[[EditionInfo], bytes]
    """An edition to its file, which ``read`` reads as the same edition; equal ones have equal files. The file is a JSON
    object with ``id``, ``name`` and ``date`` among its fields."""
    read_catalogues: Callable[[Sequence[tuple[str, bytes]], EditionTitle], tuple[Document, EditionReport]]
    """Names and bytes of another program's catalogues to the document of an edition file, and what to say of it. The
    title needs its date. Raises UnreadableEdition."""
    price_lists: Callable[[EditionInfo], tuple[PriceList, ...]]
    """Everything that an edition prices, to be looked up."""
    compare: Callable[[EditionInfo, EditionInfo], EditionDifference]
    """What the second edition has otherwise than the first."""
    catalogues: bool
    """Whether any other program has catalogues of this game; where none has, no page asks for them."""


@dataclass(frozen=True)
class GameSystem:
    """One game. Add a system by giving these and naming it in ``validators.SYSTEMS``."""

    id: str
    name: str
    unit: str
    """What a force is paid in ("Caps")."""
    words: Words
    sizes: tuple[int, ...]
    """The advised sizes, smallest first; any other whole number is allowed."""
    default_size: int
    rulers: tuple[Ruler, ...]
    """Distances in inches that the game measures by a named ruler, for the maps."""
    rules: tuple[Rule, ...]
    event_rules: tuple[Rule, ...]
    """What an event may add, told in general."""
    editions: tuple[EditionInfo, ...]
    """Those that ship; the first is a new event's default."""
    scenarios: tuple[Scenario, ...]
    read_force: Callable[[object, EditionInfo], Document]
    """Parsed JSON that names this edition, to a checked, canonical document. Raises UnreadableForce."""
    check_force: Callable[[Document, Terms], Verdict]
    """A document that ``read_force`` gave with the edition of the terms."""
    part_of: Callable[[Document, Sequence[int]], Document]
    """The force of only these models of a document, by their places in it. Raises UnreadableForce for another place."""
    rules_added: Callable[[Terms], tuple[Rule, ...]]
    """What an event adds, as rules with their ids."""
    summarise: Callable[[Document, EditionInfo], ForceSummary]
    blank_force: Callable[[EditionInfo, str], Document]
    """A new, empty document for a faction."""
    sample_force: Callable[[Terms, str, int], Document]
    """A legal force for demonstrations: terms, faction, seed. Raises ValueError where these allow none."""
    import_force: Callable[[str, bytes, EditionInfo], Imported]
    """A file's name, its bytes, and the edition to read it by. Raises UnreadableForce."""
    export_formats: tuple[ForceFormat, ...]
    """The project's own first."""
    export_force: Callable[[Document, EditionInfo, str], bytes]
    """A document and a format's id, to the file. Raises KeyError for a format that is not in ``export_formats``."""
    builder: Callable[[Document, Terms, Mapping[str, list[str]]], Any]
    """A document to the builder page's own dataclass; the form's fields say what is searched for, or chosen so far."""
    mendings: Callable[[Document, Terms], tuple[Mending, ...]]
    """A few ways to make an illegal force legal, best first; none for a legal one and where few changes do not help."""
    edit_force: Callable[[Document, Mapping[str, list[str]], EditionInfo], Document]
    """A document and the fields of the submitted builder form, to the changed document. Raises UnreadableForce."""
    check_answers: Callable[[Scenario, Answers], tuple[Doubt, ...]]
    """A scenario and the answers of a report, to everything that is impossible or odd about them."""
    score: Callable[[Scenario, Answers], Score]
    """A scenario and answers without a refused doubt, to the victory points."""
    derived: Callable[[Document, Terms], tuple[Derived, ...]]
    """Figures that follow from a document, each with its arithmetic."""
    sheets: Callable[[Document, Terms], tuple[Sheet, ...]]
    """What is printed of a document: the force list, or the game's own roster and character sheets."""
    scenario_files: ScenarioFiles | None = None
    """None: organisers write no scenarios of their own for this game."""
    edition_files: EditionFiles | None = None
    """None: organisers add no editions for this game, and those that ship have no page of their own."""
    scenery: Scenery | None = None
    """What a table holds in competitive play; None: the rules name no number of pieces."""
    calculators: tuple[Calculator, ...] = ()
    """Reckonings at the table, each with a page of its own."""
    tallies: Callable[[Scenario, Side, Document, EditionInfo], tuple[Tally, ...]] | None = None
    """What the force of a side says about the figures that a scenario asks of it, so that they are counted and not
    typed. None: every figure is typed."""
    bounds: Callable[[Scenario, Side, Document, EditionInfo], tuple[Bound, ...]] | None = None
    """What a legal force of a side allows of the figures that a scenario asks of it. None: they are not held against
    the lists."""

    def edition(self, edition_id: str) -> EditionInfo:
        """The edition with this id. Raises KeyError."""
        return {e.id: e for e in self.editions}[edition_id]

    def calculator(self, calculator_id: str) -> Calculator:
        """The calculator with this id. Raises KeyError."""
        return {c.id: c for c in self.calculators}[calculator_id]

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario with this id. Raises KeyError."""
        return {s.id: s for s in self.scenarios}[scenario_id]
