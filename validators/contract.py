"""What every game system gives the service, and what it gets: data in, data out.

A system never sees a request, a session or a clock. The words are the field's: a *problem* makes a force illegal, a
*query* asks the organiser for a look, a *fix* says how to solve a problem.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from validators.answers import Bound
from validators.calculator import Calculator
from validators.editions import EditionDifference, EditionReport, EditionTitle, PriceList, differences
from validators.names import Words, fold
from validators.restrictions import NONE, Restrictions
from validators.scenario import Answers, Doubt, Outcome, Question, Role, Ruler, Scenario, Score, Side, Tally
from validators.scenery import Scenery
from validators.sheet import CardUnit, Derived, ReferencePart, Sheet, no_sheets

if TYPE_CHECKING:
    from validators.campaign import CampaignRules
    from validators.kit.checks import Checks

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
    ``places`` are those models' positions in the force, from 0; ``fix`` says how to solve it ("" on a query
    that only asks for a look).
    """

    rule: str
    message: str
    figures: Mapping[str, int | str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    fix: str = ""

    def as_json(self) -> dict[str, Any]:
        """The finding as the command line and the API print it."""
        return {
            "rule": self.rule,
            "message": self.message,
            "figures": dict(self.figures),
            "models": list(self.models),
            "mend": self.fix,
        }


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

    def of(self, place: int) -> "Verdict":
        """Only what concerns the part of the force at this place."""
        of_part = [tuple(one for one in found if place in one.places) for found in (self.problems, self.queries)]
        return Verdict(self.total, *of_part)

    def sentences(self) -> tuple[str, ...]:
        """Every problem and query with its rule, for a sheet."""
        return tuple(f"{one.rule}: {one.message}" for one in (*self.problems, *self.queries))

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
class Fix:
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
    """Empty where a force has none, or each part of it its own."""
    lines: tuple[tuple[str, int], ...]
    """Each model with what it carries, and what both cost together."""
    also: str = ""
    """What the force has besides, in words."""


@dataclass(frozen=True)
class Imported:
    """A force file of any known format, understood.

    ``format`` names it; ``stated`` is what the file says that the force costs (None where it does not), ``total`` what
    the edition says; ``notes`` are sentences on what was read differently from the file, and what was left out.
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
    """Sentences for the person who chooses the edition."""


@dataclass(frozen=True)
class Terms:
    """What a force is judged by: an edition, the event's size in the system's unit, and what the event adds."""

    edition: EditionInfo
    size: int = 0
    """0 where the cost alone is asked for, and nothing is judged."""
    restrictions: Restrictions = NONE
    faction: str = ""
    """The faction that the player is bound to, where the event binds players."""
    role: Role | None = None
    """The role in a scenario that what is fielded of a list plays; None for a list."""
    grown: bool = False
    """It has grown in a campaign: what is asked of a force at the start alone is not judged, but for ``judged``."""
    judged: Collection[str] = ()
    """The ids of rules that bind a grown force all the same."""

    @property
    def fielded(self) -> "Terms":
        """The terms of a force in a game: with a sideboard, those of the force that is fielded from the roster."""
        return replace(self, restrictions=replace(self.restrictions, roster_size=None))

    def in_role(self, role: Role) -> "Terms":
        """The terms of what is fielded of a list in a role; limits that grow with the size stay those of the list."""
        return replace(replace(self, size=self.list_size).fielded, role=role)

    @property
    def list_size(self) -> int:
        """The most that a list may cost: with a sideboard the roster's size, else the event's."""
        return self.restrictions.list_size(self.size)

    def bans(self, name: str) -> bool:
        """Whether the event bans this name."""
        return fold(name) in map(fold, self.restrictions.banned)

    def open_to(self, faction: str) -> bool:
        """Whether the event lets this player play this faction."""
        allowed = (self.faction,) if self.faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)


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


CatalogueReader = Callable[[Sequence[tuple[str, bytes]], EditionTitle], tuple[Document, EditionReport]]


@dataclass(frozen=True)
class EditionFiles:
    """How editions of a game's force lists come in and out, and how they are shown."""

    read: Callable[[bytes], EditionInfo]
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    write: Callable[[EditionInfo], bytes]
    """An edition to its file, which ``read`` reads as the same edition; equal ones have equal files. The file is a JSON
    object with ``id``, ``name`` and ``date`` among its fields."""
    price_lists: Callable[[EditionInfo], tuple[PriceList, ...]]
    """Everything that an edition prices, to be looked up."""
    difference: Callable[[EditionInfo, EditionInfo], EditionDifference] | None = None
    """What differs in the second edition; None: found by the price lists."""
    catalogue_reader: CatalogueReader | None = None
    """Names and bytes of another program's catalogues to the document of an edition file, and the report on it. The
    title needs its date. Raises UnreadableEdition. None: no other program has catalogues of this game."""
    settle: Callable[[Document, EditionReport], Document] = lambda document, _: document
    """The document of an import with the answers that its report holds."""

    @property
    def catalogues(self) -> bool:
        """Whether any other program has catalogues of this game; if not, no page asks for them."""
        return self.catalogue_reader is not None

    def read_catalogues(
        self, files: Sequence[tuple[str, bytes]], title: EditionTitle
    ) -> tuple[Document, EditionReport]:
        """Catalogues to the document of an edition file. Raises UnreadableEdition."""
        if self.catalogue_reader is None:
            raise UnreadableEdition(
                "There are no catalogues of other programs for this game. Download the edition file from the page of "
                "its lists, change its figures, and upload that file."
            )
        return self.catalogue_reader(files, title)

    def compare(self, before: EditionInfo, after: EditionInfo) -> EditionDifference:
        """What differs in the second edition."""
        if self.difference is None:
            return differences(self.price_lists(before), self.price_lists(after))
        return self.difference(before, after)


class ForceFiles(Protocol):
    """How a game's forces come in and go out as files."""

    @property
    def formats(self) -> tuple[ForceFormat, ...]:
        """The formats that a force can be saved in; the project's own first."""

    def import_(self, name: str, data: bytes, edition: EditionInfo) -> Imported:
        """A file's name, its bytes, and the edition to read it by. Raises UnreadableForce."""

    def export(self, document: Document, edition: EditionInfo, format_id: str) -> bytes:
        """A document and a format's id, to the file. Raises KeyError for an unknown format."""


@dataclass(frozen=True)
class Forces:
    """The forces of a game: read, shown, built and fixed. A *document* below is one that ``read`` gave."""

    blank: Callable[[EditionInfo, str], Document]
    """A new, empty document for a faction."""
    read: Callable[[object, EditionInfo], Document]
    """Parsed JSON that names this edition, to a checked, canonical document. Raises UnreadableForce."""
    part_of: Callable[[Document, Sequence[int]], Document]
    """The force of only these models of a document, by their places in it. Raises UnreadableForce for another place."""
    summarise: Callable[[Document, EditionInfo], ForceSummary]
    sample: Callable[[Terms, str, int], Document]
    """A legal force for demonstrations: terms, faction, seed. Raises ValueError if these allow none."""
    files: ForceFiles
    builder: Callable[[Document, Terms, Mapping[str, list[str]]], Any]
    """A document to the builder page's own dataclass; the form's fields say what is searched for, or chosen so far."""
    edit: Callable[[Document, Mapping[str, list[str]], EditionInfo], Document]
    """A document and the fields of the submitted builder form, to the changed document. Raises UnreadableForce."""
    fixes: Callable[[Document, Terms], tuple[Fix, ...]]
    """A few ways to make an illegal force legal, best first; none for a legal one and if few changes do not help."""


@dataclass(frozen=True)
class Totals:
    """How a game is decided where only totals are reported, and it does not go by the more victory points alone."""

    winner: Callable[[Scenario, int, int, Answers], Outcome | None]
    """The totals of both sides and the answers that were kept, to the winner; None: the more victory points."""
    keeps: Callable[[Scenario, Question], bool] = lambda scenario, question: False
    """The questions of a scenario that are still asked, because they decide."""


@dataclass(frozen=True)
class Scoring:
    """What a reported result is worth."""

    check: Callable[[Scenario, Answers], tuple[Doubt, ...]]
    """A scenario and the answers of a report, to everything that is impossible or odd about them."""
    score: Callable[[Scenario, Answers], Score]
    """A scenario and answers without a refused doubt, to the victory points."""
    tallies: Callable[[Scenario, Side, Document, EditionInfo], tuple[Tally, ...]] | None = None
    """Figures that the force of a side gives, so that they are counted and not typed. None: every figure is typed."""
    bounds: Callable[[Scenario, Side, Document, EditionInfo], tuple[Bound, ...]] | None = None
    """The limits that a legal force of a side sets to the figures of a report. None: there are none."""
    parts: Callable[[Scenario, Answers], tuple[tuple[int, ...], tuple[int, ...]]] | None = None
    """What the victory points of A and of B are added up from, in the order of the scenario's ``sums``."""
    totals: Totals | None = None
    """None: totals are compared, and the more victory points win."""
    one_scale: bool = True
    """Whether victory points of all scenarios compare. False: only those of games of one scenario do."""


@dataclass(frozen=True)
class Papers:
    """What is printed: of a force, and for all of them."""

    card: Callable[[Document, EditionInfo], tuple[CardUnit, ...]]
    """The force list: every model or squad with what it carries and its costs."""
    sheets: Callable[[Document, Terms], tuple[Sheet, ...]]
    """The game's own sheets to play with: rosters, characters, turns. ``no_sheets``: the force list is enough."""
    derived: Callable[[Document, Terms], tuple[Derived, ...]]
    """Figures that follow from a document, each with its arithmetic."""
    reference: tuple[ReferencePart, ...]
    """What players look up in a game, in the project's own words: the reference sheet."""
    turn_order: Callable[[Document | None, Document | None, EditionInfo], str] | None = None
    """Who acts when over the forces of sides A and B, in words; where one is unknown, with room to write it.

    None: the order does not follow from the forces.
    """
    setup: Callable[[Scenario, int], tuple[str, ...]] = lambda scenario, _: scenario.setup
    """The steps of a scenario's set-up at an event of this size."""

    @property
    def has_sheets(self) -> bool:
        """Whether the game has sheets of its own."""
        return self.sheets is not no_sheets


@dataclass(frozen=True)
class GameSystem:
    """One game. Add a game by giving these and naming it in ``validators.SYSTEMS``."""

    id: str
    name: str
    sizes: tuple[int, ...]
    """The advised sizes, smallest first; any other whole number is allowed."""
    default_size: int
    editions: tuple[EditionInfo, ...]
    """Those that ship; the first is a new event's default."""
    scenarios: tuple[Scenario, ...]
    checks: "Checks[Any]"
    """The rules, and the verdict on a document."""
    forces: Forces
    scoring: Scoring
    papers: Papers
    edition_files: EditionFiles | None = None
    """None: organisers add no editions for this game, and those that ship have no page of their own."""
    scenario_files: ScenarioFiles | None = None
    """None: organisers write no scenarios of their own for this game."""
    rulers: tuple[Ruler, ...] = ()
    """Distances in inches that the game measures by a named ruler, for the maps."""
    scenery: Scenery | None = None
    """The scenery of a table in competitive play; None: the rules name no number of pieces."""
    calculators: tuple[Calculator, ...] = ()
    """Calculations at the table, each with a page of its own."""
    campaign: "CampaignRules | None" = None
    """What happens to groups between games; None: the documents describe no campaign."""

    @property
    def unit(self) -> str:
        """The unit of a force's cost ("Caps")."""
        return self.checks.unit

    @property
    def words(self) -> Words:
        """The game's names for its things."""
        return self.checks.words

    def edition(self, edition_id: str) -> EditionInfo:
        """The edition with this id. Raises KeyError."""
        return {e.id: e for e in self.editions}[edition_id]

    def calculator(self, calculator_id: str) -> Calculator:
        """The calculator with this id. Raises KeyError."""
        return {c.id: c for c in self.calculators}[calculator_id]

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario with this id. Raises KeyError."""
        return {s.id: s for s in self.scenarios}[scenario_id]
