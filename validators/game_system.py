"""The interface of a game: what the service asks a game system for. Data in, data out.

A system never sees a request, a session or a clock.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from languages.words import N_, gettext
from validators.answers import Bound
from validators.calculator import Calculator
from validators.campaign import CampaignRules
from validators.contract import (
    NO_ANSWERS,
    Document,
    EditionInfo,
    Fix,
    ForceFormat,
    ForceSummary,
    Imported,
    ListAnswers,
    Terms,
    UnreadableEdition,
)
from validators.editions import (
    Corrections,
    CostEntry,
    EditionDifference,
    EditionTitle,
    PriceList,
    differences,
)
from validators.faults import Fault, too_large
from validators.kit.checks import Checks
from validators.names import Words
from validators.scenario import Answers, Doubt, Outcome, Parts, Question, Ruler, Scenario, Score, Side, Tally, WhyWon
from validators.scenario_file import ScenarioFiles
from validators.scenery import Scenery
from validators.sheet import BLANK_LOSSES, CardUnit, ReferencePart, Sheet, Track, no_sheets
from validators.strict_json import MOST_BYTES

BY_SCORING = WhyWon(*3 * (N_("by the scenario’s scoring"),))


def by_scoring(score: Score, why: WhyWon = BY_SCORING) -> WhyWon | None:
    """``why`` where the figures alone would name another winner; else None."""
    return None if not score.known or score.outcome == Score(score.a, score.b).outcome else why


@dataclass(frozen=True)
class Corrector:
    """How single costs of an edition are corrected, and a model added, without its file."""

    entries: Callable[[EditionInfo], Iterable[CostEntry]]
    """Every cost that can be corrected."""
    correct: Callable[[EditionInfo, Corrections], Document]
    """The document of the corrected edition. Raises CorrectionError."""


@dataclass(frozen=True)
class EditionFiles:
    """How editions of a game's force lists are imported, exported and shown."""

    read: Callable[[bytes], EditionInfo]
    """From an edition file's bytes to the edition. Raises UnreadableEdition."""
    write: Callable[[EditionInfo], bytes]
    """From an edition to its file, which ``read`` reads as an equal edition.

    The file is a JSON object with ``id``, ``name`` and ``date`` among its fields.
    """
    price_lists: Callable[[EditionInfo], tuple[PriceList, ...]]
    """Price lists of everything in an edition."""
    difference: Callable[[EditionInfo, EditionInfo], EditionDifference] | None = None
    """The differences of the second edition; None: derived from the price lists."""
    corrector: Corrector | None = None
    """None: an edition is corrected in its file."""

    def compare(self, before: EditionInfo, after: EditionInfo) -> EditionDifference:
        if self.difference is None:
            return differences(self.price_lists(before), self.price_lists(after))
        return self.difference(before, after)


class Importer(Protocol):
    def __call__(
        self, name: str, data: bytes, edition: EditionInfo, own: str = "", /, answers: ListAnswers = NO_ANSWERS
    ) -> Imported:
        """From a file's name, its bytes, an edition, and the player's ``own`` faction, to the force.

        The faction decides only where the models fit several. ``answers`` are those given so far to what this asked
        about the same bytes; others are ignored. Raises UnreadableForce.
        """
        ...


@dataclass(frozen=True)
class Understood:
    """An edition as it would be stored: with its file as the game writes it."""

    info: EditionInfo
    text: str


def understand(formats: EditionFiles, data: bytes, title: EditionTitle) -> Understood:
    """The edition in this file; ``title`` replaces the file's own id, name and date. Raises UnreadableEdition."""
    info = formats.read(data)
    given = {"id": title.id, "name": title.name, "date": title.date}
    given = {key: value for key, value in given.items() if value}
    if given:
        info = formats.read(json.dumps(json.loads(formats.write(info)) | given).encode())
    written = formats.write(info)
    if len(written) > MOST_BYTES:
        raise UnreadableEdition(Fault((), too_large(len(written), MOST_BYTES)))
    return Understood(info, written.decode())


@dataclass(frozen=True)
class ForceFiles:
    formats: tuple[ForceFormat, ...]
    """The formats in which a force can be saved, the project's own first."""
    import_: Importer
    export: Callable[[Document, EditionInfo, str], bytes]
    """From a document and a format's id to the file. Raises KeyError for an unknown format."""


@dataclass(frozen=True)
class Forces:
    """The forces of a game: read, shown, built and fixed. A *document* below is one that ``read`` returned."""

    blank: Callable[[EditionInfo, str], Document]
    """A new, empty document for a faction."""
    read: Callable[[object, EditionInfo], Document]
    """From parsed JSON that names this edition to a checked, canonical document. Raises UnreadableForce."""
    part_of: Callable[[Document, Sequence[int]], Document]
    """The force of only these models of a document, by position. Raises UnreadableForce for an invalid position."""
    summarise: Callable[[Document, EditionInfo], ForceSummary]
    sample: Callable[[Terms, str, int], Document]
    """A legal force without queries, for demonstrations, the same for the same terms, faction and seed.

    Raises ValueError if the faction is unknown, or none is found under these terms.
    """
    files: ForceFiles
    builder: Callable[[Document, Terms, Mapping[str, list[str]]], Any]
    """From a document to the builder page's own dataclass. The form's fields hold the search and the choices so far.

    The page's form holds the whole document, known to the edition or not: nothing is lost by saving.
    """
    edit: Callable[[Document, Mapping[str, list[str]], EditionInfo], Document]
    """From a document and the submitted fields of the builder form to the changed document.

    Only the edition is taken from the document, and the faction if the form has none; the form holds the rest. Buttons
    that are not the builder's change nothing. Raises UnreadableForce for an unreadable field.
    """
    fixes: Callable[[Document, Terms], tuple[Fix, ...]]
    """A few ways to make an illegal force legal, best first; none for a legal force or if a few changes do not help."""


@dataclass(frozen=True)
class Totals:
    """How a game is decided if only totals are reported and the higher total does not simply win."""

    winner: Callable[[Scenario, int, int, Answers], Outcome | None] = lambda *_: None
    """From both totals and the kept answers to the winner; None: the higher total wins."""
    keeps: Callable[[Scenario, Question], bool] = lambda scenario, question: False
    """The questions of a scenario that are still asked because they decide."""


@dataclass(frozen=True)
class TieFigure:
    """A figure of reports that can break ties in the standings, added up over a player's games."""

    key: str
    """The end of its questions' keys, which begin with the side."""
    label: str
    explanation: str
    """Both to be worded by gettext."""
    of_enemy: bool = False
    """Whether the opponent's figure counts for the player, as losses do."""


@dataclass(frozen=True)
class Scoring:
    """How reported results are scored."""

    check: Callable[[Scenario, Answers], tuple[Doubt, ...]]
    """From a scenario and a report's answers to everything impossible or unusual about them."""
    score: Callable[[Scenario, Answers], Score]
    """From a scenario and answers without rejected doubts to the victory points."""
    tallies: Callable[[Scenario, Side, Document, EditionInfo], tuple[Tally, ...]] | None = None
    """Figures that can be counted from a side's force instead of typed. None: all figures are typed."""
    bounds: Callable[[Scenario, Side, Document, EditionInfo], tuple[Bound, ...]] | None = None
    """The limits that a side's legal force sets for a report's figures. None: no limits."""
    parts: Callable[[Scenario, Answers], Parts] | None = None
    """The parts that add up to the victory points of A and of B, in the order of the scenario's ``sums``."""
    totals: Totals = Totals()
    decided_by: Callable[[Score], WhyWon | None] = by_scoring
    """Why the higher total has not simply won; None if it has."""
    tie_figures: tuple[TieFigure, ...] = ()
    """At most two: the tie-breaks ``second`` and ``third`` of this game."""
    one_scale: bool = True
    """Whether all scenarios score on one scale. False: only victory points of the same scenario compare."""
    keeps_own: Callable[[Scenario], bool] = lambda _: False
    """Whether a side scores what it did not lose: its share of the VP then stays near a half."""
    explained: Callable[[Scenario, Answers], str] = lambda _, __: ""
    """How reported figures become other parts, in sentences for a record; "" if they are the same."""


@dataclass(frozen=True)
class Papers:
    """The printed papers of a game and of its forces."""

    card: Callable[[Document, EditionInfo], tuple[CardUnit, ...]]
    """The force list: every model or squad with its equipment and costs."""
    sheets: Callable[[Document, Terms], tuple[Sheet, ...]]
    """The game's own sheets for play: rosters, characters, turns. ``no_sheets`` if the force list is enough."""
    reference: tuple[ReferencePart, ...]
    """The reference sheet, with what players look up during a game, in the project's own words."""
    turn_order: Callable[[Document, Document, EditionInfo], tuple[str, ...]] | None = None
    """Who acts first, who next, by the forces of sides A and B. None: the order does not depend on the forces."""
    brings: Callable[[Document, EditionInfo], str] | None = None
    """What a force places at set-up in addition to models: "7 force markers". None: nothing."""
    turns: Track | None = None
    """The turns to tick on a scoresheet."""
    losses: Callable[[Document, EditionInfo], Track] | None = None
    """What a force can lose, to tick on a scoresheet; None: its table gets a large map instead."""
    blank_losses: Track = BLANK_LOSSES
    """The same for a force that the sheet may not show; with its own title if one is needed to write on it."""
    losses_title: Callable[[Scenario | None], str] = lambda _: ""
    """What of these losses a scenario counts, and how to tick it; None: any scenario."""
    setup: Callable[[Scenario, int], tuple[str, ...]] = lambda scenario, _: scenario.setup
    """The steps of a scenario's set-up, with the amounts for forces of this size a side."""

    @property
    def has_sheets(self) -> bool:
        return self.sheets is not no_sheets


@dataclass(frozen=True)
class GameSystem:
    """One game. To add a game, create one of these and list it in ``validators.SYSTEMS``."""

    id: str
    name: str
    sizes: tuple[int, ...]
    """The recommended sizes, smallest first; any other whole number is allowed."""
    default_size: int
    editions: tuple[EditionInfo, ...]
    """The shipped editions; the first is a new event's default."""
    scenarios: tuple[Scenario, ...]
    checks: Checks[Any]
    """The rules, and the function that checks a document."""
    forces: Forces
    scoring: Scoring
    papers: Papers
    edition_files: EditionFiles | None = None
    """None: organisers cannot add editions for this game, and shipped editions have no page."""
    scenario_files: ScenarioFiles | None = None
    """None: organisers cannot write scenarios for this game."""
    rulers: tuple[Ruler, ...] = ()
    """The game's named rulers in inches, for the maps."""
    scenery: Callable[[Scenario], Scenery | None] | None = None
    """The scenery of a scenario's table in competitive play, or what we propose; None: neither."""
    calculators: tuple[Calculator, ...] = ()
    """Calculators for use during a game, one page each."""
    campaign: CampaignRules | None = None
    """The campaign between games; None: the documents describe none."""

    @property
    def unit(self) -> str:
        """The unit of a force's cost ("Caps"), in the reader's language."""
        return gettext(self.checks.unit)

    @property
    def words(self) -> Words:
        """The game's terms in the reader's language."""
        return self.checks.words.said

    def edition(self, edition_id: str) -> EditionInfo:
        """The edition with this id. Raises KeyError."""
        return {e.id: e for e in self.editions}[edition_id]

    def calculator(self, calculator_id: str) -> Calculator:
        """The calculator with this id. Raises KeyError."""
        return {c.id: c for c in self.calculators}[calculator_id]

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario with this id. Raises KeyError."""
        return {s.id: s for s in self.scenarios}[scenario_id]
