"""The content of a scoresheet: players, scenario, the boxes to fill in, how to report, and a reported result."""

from collections.abc import Iterator
from dataclasses import dataclass

from languages.words import gettext
from pdf.fonts import plain
from pdf.table_map import TableMap
from validators.sheet import Track

FEW = 4
"""Up to this many choices get a box each to tick; of more choices, one is written down."""


@dataclass(frozen=True)
class VpGrid:
    """The maximum VP of each side in each game round: 0 is impossible (hatched), None has no limit."""

    most_a: tuple[int | None, ...]
    most_b: tuple[int | None, ...]
    note: str = ""
    """A limit for both sides: "both players together: at most 2 a round"."""
    choice: tuple[str, ...] = ()
    """The choices of each side before the game, to tick: ("Hackers", "Smashers")."""


@dataclass(frozen=True)
class MarkerGrid:
    """The objective markers of each player: their kinds, their number (0 draws none), and the rule in a few words."""

    kinds: tuple[str, ...]
    each: int = 5
    note: str = ""
    most: int = 2


@dataclass(frozen=True)
class FormRow:
    """A number that a side reports, ticked if its maximum is 1, or a choice.

    ``worth`` is the VP for each unit of the number, or for each choice; empty if the VP follow from other rules.
    """

    label: str
    """"" leaves a line to write on."""
    most: int | None = None
    worth: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()
    known: int | None = None
    """The number itself, if the force gives it."""
    hint: str = ""
    """When this side fills in the box: "if Raiders left first"."""
    once: bool = False
    """Whether both sides have one box, because it is one fact."""


@dataclass(frozen=True)
class ScoreForm:
    """The rows that players A and B score by. ``sums`` names the parts of a total that the rows do not show."""

    a: tuple[FormRow, ...]
    b: tuple[FormRow, ...]
    note: str = ""
    sums: tuple[str, ...] = ()
    """The ``note`` says how to find them."""
    total: bool = True
    """Whether VP are reported."""

    def is_vp(self, row: FormRow) -> bool:
        return not row.label or (any(row.worth) and row.most != 1 and not row.choices and not self.is_total(row))

    def has_product(self, row: FormRow) -> bool:
        return self.is_vp(row) and row.worth > (1,)

    def is_total(self, row: FormRow) -> bool:
        """Whether the number of this row is the total, because nothing else scores and each unit is 1 VP."""
        scoring = [form_row for form_row in self.a if any(form_row.worth)]
        return row.worth == (1,) and row.most != 1 and len(scoring) == 1


@dataclass(frozen=True)
class SheetPlayer:
    """One side of a table. An empty ``name`` leaves lines to write on (blank sheets)."""

    name: str
    faction: str = ""
    club: str = ""
    force_total: int | None = None
    leader: str = ""
    """"Leader: Piper, Commander". Without a name, faction, club and leader are the labels of lines to write on."""
    role: str = ""
    """The side's role in the scenario ("Convoy"); "" for none."""
    fielded: int | None = None
    """The maximum that the scenario, or on a blank sheet the event, allows; None for all of a force."""
    writes_total: bool = False
    """Whether the player has no list, and gets a line to write the force's total on."""

    @property
    def about(self) -> str:
        """Faction, role and club, on one line; the role is labelled, because a faction can have the same name."""
        role = gettext("Role: %(role)s", role=self.role) if plain(self.role) else ""
        return " · ".join(filter(plain, (self.faction, role, self.club)))


@dataclass(frozen=True)
class SheetResult:
    """The result of a finished game: rows of what was asked, A's answer and B's; their VP; how it ended; its history.

    ``winner`` is "Winner: Ada", "Draw" or "Nobody has won"; ``won`` says so for A and for B: "Won", "Lost".
    """

    rows: tuple[tuple[str, str, str], ...]
    totals: tuple[int | None, int | None]
    sentences: tuple[str, ...]
    history: tuple[str, ...]
    winner: str = ""
    won: tuple[str, ...] = ()


def unit_word(unit: str) -> str:
    """The last word of a unit, as a head or a label: "Points" for "SPECIAL points"."""
    return unit.replace("-", " ").split()[-1].capitalize()


def shown_vp(number: int) -> str:
    """A number of VP with its unit."""
    return gettext("%(vp)s VP", vp=number)


@dataclass(frozen=True)
class Scoresheet:
    """The content of one sheet. ``unit`` is the unit of force totals ("Caps")."""

    event: str
    round_number: int
    minutes: int
    """Length of the round; 0 in a season, which has a last day in place of tables."""
    table: int | None
    """None on a blank sheet, and for a game of a season."""
    a: SheetPlayer
    b: SheetPlayer
    unit: str
    scenario: str
    """"" leaves a line to write on."""
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    table_map: TableMap
    """Without a scenario, its empty table is printed to draw on."""
    grid: VpGrid
    objectives: MarkerGrid
    by: str = ""
    """In a season, the last day for the game ("6 Dec"); "" on a blank sheet."""
    order: tuple[str, ...] = ()
    """Who acts when, if the game or the scenario says so, in sentences."""
    form: ScoreForm | None = None
    """Replaces ``grid`` and ``objectives`` in games that do not report VP by game round."""
    url: str = ""
    """The address of the game's report form, for the QR code; "" for none."""
    code: str = ""
    """A short code that opens the same form."""
    address: str = ""
    """Where players type in the code ("desk.example/g")."""
    result: SheetResult | None = None
    """The result to fill in; the sheet is then a record."""
    turns: Track | None = None
    losses: tuple[Track, ...] = ()
    """What A and B can lose, to tick on a whole page, whose map is small then."""
    stage: str = ""
    """What the game of a knockout is called: "Final"."""
    is_draft: bool = False
    """Whether the round is not published, so that its tables may still change."""

    @property
    def ways_to_name(self) -> Iterator[list[str]]:
        """Both sides by letter and whole name, by the first two words of the names, by the first, by the letter."""
        for most in (None, 2, 1):
            names = [" ".join(plain(player.name).split()[:most]) for player in (self.a, self.b)]
            if all(names):
                yield [f"{side} · {name}" for side, name in zip("AB", names, strict=True)]
        yield ["A", "B"]

    @property
    def named(self) -> str:
        if self.by:
            return f"{self.a.name} – {self.b.name}"
        if self.table is None:
            return gettext("Blank sheet")
        return gettext("Table %(table)s", table=self.table)

    @property
    def is_unnamed(self) -> bool:
        return not plain(self.a.name)

    @property
    def is_blank(self) -> bool:
        return self.table is None and not self.by

    @property
    def blocks(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The texts around the map, each with its title, in the order of the game."""
        if not self.scenario:
            return ((gettext("In every scenario"), (*self.order, *self.scoring)),)
        turns, scoring = (gettext("Turns"), self.order), (gettext("Scoring"), self.scoring)
        return (gettext("Set-up"), self.setup), turns, scoring

    @property
    def written(self) -> FormRow:
        """The row with too many choices to tick, whose numbered choices are listed; an empty row if there is none."""
        rows = self.form.a if self.form else ()
        return next((row for row in rows if len(row.choices) > FEW), FormRow(""))

    @property
    def summed(self) -> tuple[str, ...]:
        """The heads of what VP by game round are added up with, and of the total."""
        return *(gettext("Markers"),) * bool(self.objectives.each), gettext("Total VP")

    @property
    def grid_note(self) -> str:
        """How to fill in the boxes, and the meaning of hatching if there is any."""
        hatched = gettext("Hatched: nothing to score") if 0 in (*self.grid.most_a, *self.grid.most_b) else ""
        return " · ".join(filter(None, (self.grid.note, hatched)))
